//! Transcripts for tests: those of `data/`, written by hand from what the runtimes are known to send, and made ones.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses its part")]

use agent_contracts_shapes::normalise::Normalised;
use agent_contracts_shapes::transcript::Transcript;
use agent_contracts_shapes::{Normaliser, Profile, Rules, TranscriptLine, Validity};
use agent_contracts_wire::Family;
use serde_json::{Value, json};

/// The transcripts of `data/` with their families.
pub(crate) const ALL: &[(&str, &str)] = &[
    ("claude-2.1.332", "claude-stream-json/v1"),
    ("codex-app-server-0.171", "codex-app-server/v1"),
    ("codex-exec-0.171", "json-event-stream/v1"),
    ("codex-exec-0.40", "json-event-stream/v1"),
    ("codex-exec-401", "json-event-stream/v1"),
    ("copilot-1.0.102", "copilot-stream-json/v1"),
    ("dsh-0.1.2", "dsh-profile-jsonl/v1"),
    ("opencode-1.18.33", "json-event-stream/v1"),
    ("opencode-acp-1.18.33", "acp-json-rpc/v1"),
    ("pi-0.73.1", "pi-rpc/v1"),
    ("qoder-noauth-1.1.52", "qoder-stream-json/v1"),
    ("qwen-plain-0.15.10", "plain/v1"),
    ("qwen-plain-401", "plain/v1"),
];

/// What one process did, as lines of a transcript.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    pub(crate) lines: Vec<TranscriptLine>,
}

impl Run {
    pub(crate) fn push(&mut self, line: Value) {
        self.lines.push(serde_json::from_value(line).unwrap());
    }

    pub(crate) fn text(&mut self, stream: &str, data: &str) {
        let dir = if stream == "stdin" {
            "server->cli"
        } else {
            "cli->server"
        };
        self.push(json!({"dir": dir, "stream": stream, "at_ms": 0, "data": data}));
    }

    pub(crate) fn input(&mut self, frame: &Value) {
        self.push(json!({"dir": "server->cli", "stream": "stdin", "at_ms": 0, "frame": frame_of(frame)}));
    }

    pub(crate) fn output(&mut self, frame: &Value) {
        if frame.is_object() {
            self.push(json!({"dir": "cli->server", "stream": "stdout", "at_ms": 0, "frame": frame}));
        } else {
            self.text("stdout", &format!("{frame}\n"));
        }
    }

    pub(crate) fn process(&mut self, event: &str) {
        self.push(json!({"dir": "process", "event": event, "at_ms": 0}));
    }

    pub(crate) fn exit(&mut self, code: Option<i64>, signal: Option<&str>) {
        self.push(json!({"dir": "process", "event": "exit", "at_ms": 0, "exit_code": code, "signal": signal}));
    }

    pub(crate) fn normalised(&self, profile: &Profile, limit: usize) -> Normalised {
        let mut normaliser = Normaliser::new(profile).unwrap().with_line_limit(limit);
        for line in &self.lines {
            normaliser.push(line);
        }
        normaliser.finish(Validity::RuntimeObserved).unwrap()
    }
}

fn frame_of(frame: &Value) -> &Value {
    assert!(frame.is_object());
    frame
}

/// A transcript of `data/`.
pub(crate) fn named(name: &str) -> Run {
    let path = format!("{}/tests/data/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).unwrap();
    Run {
        lines: Transcript::new(text.as_slice()).map(|line| line.unwrap().1).collect(),
    }
}

/// A run that wrote these frames, one a line, and ended well.
pub(crate) fn output(frames: &[Value]) -> Run {
    let mut run = Run::default();
    for frame in frames {
        run.text("stdout", &format!("{frame}\n"));
    }
    run.exit(Some(0), None);
    run
}

/// A profile with something of every list.
pub(crate) fn profile(family: &str) -> Profile {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let rules = Rules {
        floating: list(&["rate", "session.*_loaded", "thread/tokenUsage/updated"]),
        volatile: list(&["chance", "session.background_tasks_changed", "configWarning"]),
        tags: match family {
            "json-event-stream/v1" => list(&["item.type", "msg.type"]),
            "codex-app-server/v1" => list(&["params.item.type"]),
            "claude-stream-json/v1" | "qoder-stream-json/v1" => list(&["message.content[].type"]),
            "pi-rpc/v1" => list(&["assistantMessageEvent.type"]),
            _ => Vec::new(),
        },
        maps: list(&["models", "modelUsage"]),
        opaque: list(&[
            "tools",
            "message.content[tool_use].input",
            "args",
            "assistantMessageEvent.partial",
        ]),
        ignored: list(&["params.item.commandActions"]),
        kept: list(&["stopReason", "stop_reason", "reason", "terminal_reason"]),
    };
    Profile::new(Some("test"), Family::of(family).unwrap(), &rules).unwrap()
}

pub(crate) fn run(run: &Run, profile: &Profile) -> Normalised {
    run.normalised(profile, 64 << 20)
}
