//! How fast streams are normalised, beside how fast `serde_json` parses the same lines to values, in one run:
//! `cargo bench -p agent-contracts-shapes`. At least half its speed is wanted.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people who measure"
)]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use agent_contracts_shapes::{Normaliser, Profile, Rules, Stream, Validity};
use agent_contracts_wire::Family;
use serde_json::{Value, json};

/// Bytes of one stream.
const SIZE: usize = 16 << 20;
/// The best of so many rounds counts.
const ROUNDS: usize = 7;

fn main() {
    println!(
        "{:<28} {:>12} {:>12} {:>7}",
        "stream", "serde_json", "normaliser", "ratio"
    );
    for (name, family, tags, frames) in streams() {
        let mut text = String::new();
        while text.len() < SIZE {
            for frame in &frames {
                text.push_str(&frame.to_string());
                text.push('\n');
            }
        }
        let rules = Rules {
            tags,
            ..Rules::default()
        };
        let profile = Profile::new(None, Family::of(family).unwrap(), &rules).unwrap();
        let parsed = best(|| {
            for line in text.lines() {
                std::hint::black_box(serde_json::from_str::<Value>(line).unwrap());
            }
        });
        let normalised = best(|| {
            let mut normaliser = Normaliser::new(&profile).unwrap();
            // Pieces as a pipe gives them.
            for piece in text.as_bytes().chunks(64 << 10) {
                normaliser.bytes(Stream::Stdout, piece);
            }
            std::hint::black_box(normaliser.finish(Validity::SyntheticMock).unwrap());
        });
        let ratio = parsed.as_secs_f64() / normalised.as_secs_f64();
        println!(
            "{name:<28} {:>12} {:>12} {ratio:>7.2}",
            rate(&text, parsed),
            rate(&text, normalised)
        );
    }
}

fn best(mut round: impl FnMut()) -> Duration {
    (0..ROUNDS)
        .map(|_| {
            let start = clock();
            round();
            clock().saturating_sub(start)
        })
        .min()
        .unwrap()
}

/// The time that this thread has worked, where the system tells it (Linux), so that other programs do not count; else the
/// time that has passed.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok())
        .map_or_else(|| START.elapsed(), Duration::from_nanos)
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn rate(text: &str, took: Duration) -> String {
    format!("{:.0} MB/s", text.len() as f64 / took.as_secs_f64() / 1e6)
}

type StreamOf = (&'static str, &'static str, Vec<String>, Vec<Value>);

/// Streams as the runtimes send them: many deltas, some tool results, and one with long escaped texts.
fn streams() -> Vec<StreamOf> {
    let usage =
        json!({"input_tokens": 2400, "cached_input_tokens": 0, "output_tokens": 120, "reasoning_output_tokens": 0});
    let long = "a line of output with \"quotes\" and a tab\t\n".repeat(40);
    let assistant = json!({"type": "assistant", "message": {"id": "msg_01", "type": "message", "role": "assistant", "model": "m", "content": [{"type": "text", "text": "There are 2 json files in the folder."}], "stop_reason": null, "stop_sequence": null, "usage": usage}, "parent_tool_use_id": null, "session_id": "0199aa-bb", "uuid": "0199aa-cc"});
    let chunk = json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "ses_1", "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "There are "}}}});
    let item = json!({"type": "item.completed", "item": {"id": "item_1", "type": "command_execution", "command": "ls", "aggregated_output": long, "exit_code": 0, "status": "completed"}});
    vec![
        (
            "codex exec, long results",
            "json-event-stream/v1",
            vec!["item.type".to_owned()],
            vec![item, json!({"type": "turn.completed", "usage": usage})],
        ),
        (
            "claude messages",
            "claude-stream-json/v1",
            vec!["message.content[].type".to_owned()],
            vec![assistant],
        ),
        ("acp text chunks", "acp-json-rpc/v1", Vec::new(), vec![chunk]),
        (
            "small events",
            "json-event-stream/v1",
            Vec::new(),
            vec![
                json!({"type": "turn.started"}),
                json!({"type": "text", "part": {"id": "p", "text": "ok"}}),
            ],
        ),
    ]
}
