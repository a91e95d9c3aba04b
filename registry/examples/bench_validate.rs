//! What `scripts/bench-validate` needs: a large tree that is true, and the time of the schema part alone.
//!
//! `bench_validate tree DIR OBSERVATIONS SHAPES` makes a tree; `bench_validate schema FILE.json` reads a list of
//! observations, checks each against its schema for a few seconds, and prints nanoseconds a value.
#![expect(clippy::print_stdout, reason = "a tool of the developers")]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use agent_contracts_registry::records::{Kind, Observation};
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::validate;
use agent_contracts_shapes::{Normaliser, Profile, Rules, Shape, Validity};
use agent_contracts_wire::{Family, canonical};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["tree", folder, observations, shapes] => tree(Path::new(folder), observations.parse()?, shapes.parse()?),
        ["schema", file] => schema(Path::new(file)),
        _ => Err("usage: bench_validate tree DIR OBSERVATIONS SHAPES | schema FILE".into()),
    }
}

fn write(folder: &Path, path: &str, text: &str) -> Result<(), Box<dyn Error>> {
    let file = folder.join(path);
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(file, text)?;
    Ok(())
}

/// A transcript of a small turn with one event of its own, so that each gives another shape.
fn transcript(number: usize) -> String {
    let mut text = r#"{"dir":"server->cli","stream":"stdin","at_ms":0,"data_ref":"prompt"}"#.to_owned() + "\n";
    let frames = [
        json!({"type": "thread.started", "thread_id": "<id>"}),
        json!({"type": "turn.started"}),
        json!({"type": format!("kind_{number}"), "item": {"id": "<id>", "text": "<text>", "done": true}}),
        json!({"type": "item.completed", "item": {"id": "<id>", "type": "agent_message", "text": "<text>"}}),
        json!({"type": "turn.completed", "usage": {"input_tokens": 10, "output_tokens": 3}}),
    ];
    for (at, frame) in frames.iter().enumerate() {
        let line = json!({"dir": "cli->server", "stream": "stdout", "at_ms": at + 1, "data": format!("{frame}\n")});
        text.push_str(&line.to_string());
        text.push('\n');
    }
    text + r#"{"dir":"process","event":"exit","at_ms":900,"exit_code":0,"signal":null}"# + "\n"
}

fn observation(number: usize, shape: &Shape, place: &str, profile: &Profile, sanitized: &str) -> Value {
    let raw = canonical::sha256(number.to_string().as_bytes());
    let minute = number % 60;
    let second = number / 60 % 60;
    json!({
        "schema_version": 1,
        "agent": "quill",
        "cli_version": format!("1.{}.0", number % 500),
        "platform": "linux-x64",
        "probe": "chat-text-success",
        "protocol_family": "json-event-stream/v1",
        "validity_level": "runtime_observed",
        "install": {"source": "npm:quill@1.0.0", "binary_sha256": raw},
        "command": {"argv_template": ["run", "--json", "-C", "{cwd}"], "stdin_mode": "text-prompt"},
        "capture": {
            "captured_at": format!("2026-06-27T10:{minute:02}:{second:02}Z"),
            "runner": "debian-13",
            "workflow_run_url": "https://github.com/acme/contracts/actions/runs/1",
            "raw_stdout_sha256": raw,
            "raw_stderr_sha256": null,
            "raw_client_transcript_sha256": raw,
            "raw_artifact_visibility": "discarded_after_redaction"
        },
        "redaction": {"tool_version": "0.1.0", "status": "passed"},
        "shape": {"signature": shape.signature, "path": place},
        "parser_replay": {"open_design_commit": null, "status": "not_run"},
        "extensions": {
            "evidence": {
                "sanitized_sha256": sanitized,
                "raw_sha256": raw,
                "raw_retention_days": 0,
                "capture_tool_version": "0.1.0"
            },
            "profile": profile.signature,
            "provider": "loopback",
            "versions": {"requested": format!("1.{}.0", number % 500), "manifest": null, "probed": format!("1.{}.0", number % 500)}
        }
    })
}

fn tree(folder: &Path, observations: usize, shapes: usize) -> Result<(), Box<dyn Error>> {
    let family = Family::of("json-event-stream/v1").ok_or("no family")?;
    let profile = Profile::new(Some("quill"), family, &Rules::default())?;
    write(folder, &profile.place(), &pretty(&profile)?)?;
    let agents = json!({"schema_version": 1, "agents": [{
        "id": "quill", "name": "Quill", "tier": 1, "scan_only": false, "protocol_families": ["json-event-stream/v1"],
        "transports": ["jsonl"], "minimum_probes": [], "exempt_probes": {}, "missing": []
    }]});
    write(folder, "registry/agents.json", &pretty(&agents)?)?;
    let probe = json!({
        "schema_version": 1, "id": "chat-text-success", "about": "x", "group": "minimum", "task": "prompt",
        "outcome": "success", "timeout_s": 60
    });
    write(folder, "probes/chat-text-success/probe.json", &pretty(&probe)?)?;
    write(folder, "probes/chat-text-success/prompt.md", "Say one word.\n")?;
    let expected = json!({"must_see": ["assistant_text"]});
    write(
        folder,
        "probes/chat-text-success/expected-min-events.json",
        &pretty(&expected)?,
    )?;

    let mut made = Vec::new();
    for number in 0..shapes {
        let text = transcript(number);
        let mut normaliser = Normaliser::new(&profile)?;
        for line in text.lines() {
            normaliser.push(&serde_json::from_str(line)?);
        }
        let shape = normaliser.finish(Validity::RuntimeObserved)?.shape;
        let place = shape.place()?;
        write(folder, &place, &pretty(&shape)?)?;
        let name = shape.signature.replacen(':', "-", 1);
        write(
            folder,
            &format!("fixtures/json-event-stream/{name}.sanitized.jsonl"),
            &text,
        )?;
        made.push((shape, place, canonical::sha256(text.as_bytes())));
    }
    for number in 0..observations {
        let (shape, place, sanitized) = &made[number % made.len()];
        let value = observation(number, shape, place, &profile, sanitized);
        let record: Observation = serde_json::from_value(value)?;
        write(folder, &record.place(), &pretty(&record)?)?;
    }
    let some: Vec<Value> = (0..1000)
        .map(|number| {
            let (shape, place, sanitized) = &made[number % made.len()];
            observation(number, shape, place, &profile, sanitized)
        })
        .collect();
    fs::write(folder.with_extension("values.json"), serde_json::to_vec(&some)?)?;
    Ok(())
}

fn schema(file: &Path) -> Result<(), Box<dyn Error>> {
    let values: Vec<Value> = serde_json::from_slice(&fs::read(file)?)?;
    let kind = Kind::of_id("observation").ok_or("no kind")?;
    let round = || values.iter().filter(|value| validate::is_valid(kind, value)).count();
    if round() != values.len() {
        return Err("a value is not valid".into());
    }
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < Duration::from_secs(4) {
        round();
        rounds += 1;
    }
    println!("{}", start.elapsed().as_nanos() / (rounds * values.len() as u128));
    Ok(())
}
