//! Steps that users were hurt by, through the binary with the agents that are built in. The sources are made up; the
//! kinds of change are not.

use crate::fixture::Home;

#[test]
fn codex_exec_changes_its_dialect_once() {
    let home = Home::new();
    let repo = home.repo("codex");
    let core = |more: &str| {
        format!(
            r#"
#[derive(Serialize)]
pub struct Event {{ pub id: String, pub msg: EventMsg }}
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventMsg {{ TaskStarted, AgentMessage(Text), TokenCount(Count), ExecBegin(Text), ExecEnd(Text){more} }}
#[derive(Serialize)]
pub struct Text {{ pub message: String }}
#[derive(Serialize)]
pub struct Count {{ pub total: u64 }}
"#
        )
    };
    let thread = r#"
#[derive(Serialize)]
#[serde(tag = "type")]
pub enum ThreadEvent {
    #[serde(rename = "thread.started")] Started(ThreadStarted),
    #[serde(rename = "turn.completed")] Completed(TurnCompleted),
    #[serde(rename = "turn.failed")] Failed(TurnCompleted),
}
#[derive(Serialize)]
pub struct ThreadStarted { pub thread_id: String }
#[derive(Serialize)]
pub struct TurnCompleted { pub tokens: u64 }
"#;
    let writer = "codex-rs/exec/src/event_processor_with_json_output.rs";
    repo.write(writer, "// writes core events")
        .write("codex-rs/protocol/src/protocol.rs", core(""))
        .release("rust-v0.41.0");
    repo.write("codex-rs/protocol/src/protocol.rs", core(", Error(Text)"))
        .write("codex-rs/exec/src/exec_events.rs", thread)
        .release("rust-v0.42.0");
    repo.git(&["rm", "-q", writer]);
    repo.write("codex-rs/protocol/src/protocol.rs", core(""))
        .release("rust-v0.44.0");
    let step = |from: &str, to: &str| {
        let scan = ["scan", "codex", "--repo", "codex", "--from", from, "--to", to, "--json"];
        let report = home.json(&scan);
        let findings = report["findings"].as_array().unwrap().clone();
        let rules: Vec<String> = findings
            .iter()
            .map(|one| one["rule"].as_str().unwrap().to_owned())
            .collect();
        (rules, findings)
    };
    assert_eq!(step("0.41.0", "0.42.0").0, ["event_added"], "core events on both sides");
    let (rules, findings) = step("0.42.0", "0.44.0");
    assert_eq!(rules, ["output_format_changed"]);
    assert_eq!(findings[0]["severity"], "breaking");
    let before = [
        "agent_message",
        "error",
        "exec_begin",
        "exec_end",
        "task_started",
        "token_count",
    ];
    assert_eq!(findings[0]["before"], serde_json::json!(before));
    assert_eq!(
        findings[0]["after"],
        serde_json::json!(["thread.started", "turn.completed", "turn.failed"])
    );
}
