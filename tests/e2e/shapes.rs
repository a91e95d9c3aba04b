//! `normalize` and `compare`: from what a CLI said to what it means for who reads it.

use std::fmt::Write as _;

use serde_json::Value;

use crate::fixture::Home;

/// A transcript that the crate `shapes` keeps for its own tests.
fn transcript(name: &str) -> Vec<u8> {
    let path = format!("{}/shapes/tests/data/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// A home with these transcripts, under their names.
fn home(names: &[&str]) -> Home {
    let home = Home::new();
    for name in names {
        home.write(&format!("{name}.jsonl"), transcript(name));
    }
    home
}

#[test]
fn a_transcript_has_a_shape_in_three_formats() {
    let home = home(&["codex-exec-0.171"]);
    let args = ["normalize", "codex-exec-0.171.jsonl", "--agent", "codex"];
    insta::assert_snapshot!("normalize_text", home.ok(&args));
    insta::assert_snapshot!(
        "normalize_markdown",
        home.ok(&[&args[..], &["--format", "markdown"]].concat())
    );
    let json = home.json(&[&args[..], &["--json"]].concat());
    let signature = json["shape"]["signature"].as_str().unwrap();
    assert!(home.ok(&args).starts_with(signature));
    assert!(json["profile"].as_str().unwrap().starts_with("sha256:"));
    let volatile: Vec<&str> = json["volatile"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["event_type"].as_str().unwrap())
        .collect();
    assert_eq!(volatile, ["item.completed[error]"]);
}

#[test]
fn every_agent_that_ran_has_a_profile_for_its_transcript() {
    let mut out = String::new();
    for (name, agent, family) in [
        ("codex-exec-0.40", "codex", "json-event-stream"),
        ("codex-app-server-0.171", "codex", "codex-app-server"),
        ("claude-2.1.332", "claude", "claude-stream-json"),
        ("opencode-1.18.33", "opencode", "json-event-stream"),
        ("opencode-acp-1.18.33", "opencode", "acp-json-rpc"),
        ("copilot-1.0.102", "copilot", "copilot-stream-json"),
        ("pi-0.73.1", "pi", "pi-rpc"),
        ("qwen-plain-0.15.10", "qwen", "plain"),
        ("qoder-noauth-1.1.52", "qoder", "qoder-stream-json"),
        ("dsh-0.1.2", "deepseek-harness", "dsh-profile-jsonl"),
    ] {
        let home = home(&[name]);
        let file = format!("{name}.jsonl");
        let json = home.json(&["normalize", &file, "--agent", agent, "--family", family, "--json"]);
        writeln!(out, "# {name}").unwrap();
        for frame in json["shape"]["frame_shapes"].as_array().unwrap() {
            writeln!(
                out,
                "{} {}",
                frame["direction"].as_str().unwrap(),
                frame["event_type"].as_str().unwrap()
            )
            .unwrap();
        }
        for one in json["volatile"].as_array().unwrap() {
            writeln!(out, "volatile {}", one["event_type"].as_str().unwrap()).unwrap();
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn two_versions_are_compared_in_every_format() {
    let home = home(&["codex-exec-0.121", "codex-exec-0.171"]);
    let args = [
        "compare",
        "codex-exec-0.121.jsonl",
        "codex-exec-0.171.jsonl",
        "--agent",
        "codex",
    ];
    insta::assert_snapshot!("compare_text", home.ok(&args));
    insta::assert_snapshot!(
        "compare_markdown",
        home.ok(&[&args[..], &["--format", "markdown"]].concat())
    );
    let json = home.json(&[&args[..], &["--json"]].concat());
    assert_eq!(json["class"], "compatible_new_shape");
    let rules: Vec<&str> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["field_added", "field_added"]);
    let sarif = home.json(&[&args[..], &["--format", "sarif"]].concat());
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 2);
}

#[test]
fn a_protocol_that_was_replaced_breaks_and_fails_the_check() {
    let home = home(&["codex-exec-0.40", "codex-exec-0.121", "codex-exec-401"]);
    let compare = |old: &str, new: &str, more: &[&str]| {
        let (old, new) = (format!("{old}.jsonl"), format!("{new}.jsonl"));
        home.run(&[&["compare", &old, &new, "--agent", "codex"], more].concat())
    };
    let (code, out, _) = compare("codex-exec-0.40", "codex-exec-0.121", &["--fail-on", "breaking"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("parser_incompatible\n"), "{out}");
    assert!(out.contains("output_format_changed"), "{out}");
    let (code, out, _) = compare("codex-exec-0.121", "codex-exec-401", &[]);
    assert_eq!(code, 0);
    assert!(out.contains("nothing carries `assistant_text` any more"), "{out}");
    let (_, out, _) = compare("codex-exec-0.121", "codex-exec-401", &["--same-version"]);
    assert!(out.starts_with("server_variant\n"), "{out}");
    let (_, out, _) = compare("codex-exec-0.121", "codex-exec-0.121", &[]);
    assert!(out.starts_with("same_shape\n"), "{out}");
}

#[test]
fn a_shape_of_the_tree_is_found_by_its_name_and_believed_only_when_it_is_true() {
    let home = home(&["codex-exec-0.121", "codex-exec-0.171"]);
    let shape = |name: &str| {
        let file = format!("{name}.jsonl");
        home.json(&["normalize", &file, "--agent", "codex", "--json"])["shape"].clone()
    };
    let place = |shape: &Value| {
        let name = shape["signature"].as_str().unwrap().replace(':', "-");
        format!("contracts/shapes/json-event-stream/{name}.shape.json")
    };
    let (old, new) = (shape("codex-exec-0.121"), shape("codex-exec-0.171"));
    home.write(&place(&old), old.to_string());
    home.write(&place(&new), new.to_string());
    let (first, second) = (old["signature"].as_str().unwrap(), new["signature"].as_str().unwrap());
    assert!(
        home.ok(&["compare", first, &second[..20]])
            .starts_with("compatible_new_shape\n")
    );
    assert!(
        home.ok(&["compare", first, "codex-exec-0.121.jsonl", "--agent", "codex"])
            .starts_with("same_shape\n")
    );

    let mut edited = old.clone();
    edited["exit"] = "signal".into();
    home.write("edited.json", edited.to_string());
    let (code, out, err) = home.run(&["compare", "edited.json", second]);
    assert_eq!((code, out.as_str()), (4, ""));
    assert!(err.contains("it was edited"), "{err}");
}

#[test]
fn an_observation_that_was_not_sanitised_is_not_compared() {
    let home = home(&["codex-exec-0.121"]);
    let zeros = format!("sha256:{}", "0".repeat(64));
    let observation = serde_json::json!({
        "schema_version": 1,
        "agent": "codex",
        "cli_version": "0.171.0",
        "platform": "linux-x64",
        "probe": "chat-tool-success",
        "protocol_family": "json-event-stream/v1",
        "validity_level": "runtime_observed",
        "install": { "source": "npm:@openai/codex@0.171.0" },
        "command": { "argv_template": ["exec"], "stdin_mode": "text-prompt" },
        "capture": {
            "captured_at": "2026-12-01T10:00:00Z",
            "runner": "test",
            "raw_client_transcript_sha256": zeros,
            "raw_artifact_visibility": "private",
        },
        "redaction": { "tool_version": "0.1.0", "status": "failed" },
        "shape": {
            "signature": zeros,
            "path": format!("shapes/json-event-stream/sha256-{}.shape.json", "0".repeat(64)),
        },
    });
    home.write("failed.json", observation.to_string());
    let (code, out, err) = home.run(&["compare", "codex-exec-0.121.jsonl", "failed.json", "--agent", "codex"]);
    assert_eq!(code, 1, "{err}");
    assert_eq!(out, "redaction_failed\nnot sanitised: failed.json\n");
}

#[test]
fn what_ran_is_set_beside_what_a_source_declares() {
    let home = home(&["codex-exec-0.171"]);
    let ran = home.json(&["normalize", "codex-exec-0.171.jsonl", "--agent", "codex", "--json"])["shape"].clone();
    let mut declared = ran.clone();
    declared["validity_level"] = "source_derived".into();
    let frames = declared["frame_shapes"].as_array_mut().unwrap();
    frames.retain(|frame| frame["event_type"] != "turn.started");
    let usage = frames
        .iter_mut()
        .find(|frame| frame["event_type"] == "turn.completed")
        .unwrap();
    let paths = usage["paths"].as_array_mut().unwrap();
    paths.retain(|path| path["path"] != "usage.cache_write_input_tokens");
    paths.push(serde_json::json!({"path": "usage.web_searches", "type": "number", "required": false}));
    frames.push(serde_json::json!({
        "direction": "cli->server", "stream": "stdout", "event_type": "turn.failed",
        "paths": [{"path": "type", "type": "string", "required": true}], "enums": {},
    }));
    home.write("ran.json", ran.to_string());
    // The name is that of the content, which the binary itself can be asked for.
    declared["signature"] = "sha256:0".into();
    home.write("declared.json", declared.to_string());
    let (_, _, err) = home.run(&["compare", "ran.json", "declared.json"]);
    let own = err
        .split(" and is ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    declared["signature"] = own.into();
    home.write("declared.json", declared.to_string());
    insta::assert_snapshot!(home.ok(&["compare", "--evidence", "ran.json", "declared.json"]));
    let json = home.json(&["compare", "--evidence", "ran.json", "declared.json", "--json"]);
    assert_eq!(
        json["coverage"]["events_not_reached"],
        serde_json::json!(["turn.failed"])
    );
    let markdown = home.ok(&[
        "compare",
        "--evidence",
        "ran.json",
        "declared.json",
        "--format",
        "markdown",
    ]);
    assert!(markdown.contains("- `turn.started`"), "{markdown}");
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let home = home(&["codex-exec-0.121"]);
    let chunk = r#"{"dir":"cli->server","stream":"stdout","at_ms":1,"data":"x"}"#;
    let deep = "[".repeat(10_000);
    for (name, text) in [
        ("cut", format!("{chunk}\n{{\"dir\":\"cli->server\",\"stream\":\"std")),
        (
            "twice",
            format!("{chunk}\n{}", chunk.replace("\"at_ms\":1", "\"at_ms\":1,\"at_ms\":2")),
        ),
        (
            "more",
            format!("{chunk}\n{}", chunk.replace("\"at_ms\":1", "\"at_ms\":1,\"more\":2")),
        ),
        (
            "both",
            format!(
                "{chunk}\n{}",
                chunk.replace("\"at_ms\":1", "\"at_ms\":1,\"data_ref\":\"p\"")
            ),
        ),
        (
            "exit",
            format!("{chunk}\n{{\"dir\":\"process\",\"event\":\"exit\",\"at_ms\":2}}"),
        ),
        ("way", format!("{chunk}\n{}", chunk.replace("stdout", "stdin"))),
        (
            "deep",
            format!("{chunk}\n{{\"dir\":\"cli->server\",\"stream\":\"stdout\",\"at_ms\":1,\"frame\":{{\"a\":{deep}"),
        ),
        ("bom", format!("\u{feff}{chunk}\n{chunk}")),
    ] {
        home.write(&format!("{name}.jsonl"), text);
    }
    let mut latin = format!("{chunk}\n").into_bytes();
    latin.extend_from_slice(b"{\"dir\":\"cli->server\",\"stream\":\"stdout\",\"at_ms\":1,\"data\":\"\xe9\"}");
    home.write("latin.jsonl", latin);
    let mut out = String::new();
    for name in ["cut", "twice", "more", "both", "exit", "way", "deep", "bom", "latin"] {
        let file = format!("{name}.jsonl");
        writeln!(out, "{}", home.complaint(&["normalize", &file, "--agent", "codex"])).unwrap();
    }
    for args in [
        &["normalize", "nowhere.jsonl", "--agent", "codex"][..],
        &["normalize", "codex-exec-0.121.jsonl"],
        &["normalize", "codex-exec-0.121.jsonl", "--family", "json-event-streams"],
        &[
            "normalize",
            "codex-exec-0.121.jsonl",
            "--agent",
            "codex",
            "--family",
            "pi-rpc/v1",
        ],
        &["normalize", "codex-exec-0.121.jsonl", "--agent", "codx"],
        &[
            "normalize",
            "codex-exec-0.121.jsonl",
            "--agent",
            "codex",
            "--format",
            "sarif",
        ],
        &["compare", "sha256:12", "codex-exec-0.121.jsonl", "--agent", "codex"],
        &[
            "compare",
            "sha256:1234567890",
            "codex-exec-0.121.jsonl",
            "--agent",
            "codex",
        ],
        &[
            "compare",
            "--evidence",
            "codex-exec-0.121.jsonl",
            "codex-exec-0.121.jsonl",
            "--agent",
            "codex",
        ],
    ] {
        writeln!(out, "$ {}\n{}", args.join(" "), home.complaint(args)).unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn what_a_cli_wrote_can_be_read_without_a_transcript() {
    let home = Home::new();
    home.write(
        "out.txt",
        "{\"type\":\"thread.started\",\"thread_id\":\"x\"}\n{\"type\":\"turn.started\"}\n",
    );
    let (code, out, err) = home.run(&["normalize", "out.txt", "--agent", "codex"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("<- thread.started\n"), "{out}");
    assert!(err.contains("read as what the CLI wrote"), "{err}");
}
