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

const EVENTS: &str = r#"
export type ThreadEvent = Started | Completed;
export interface Started { type: "thread.started"; thread_id: string; note: string }
export interface Completed { type: "turn.completed"; usage: { input_tokens: number; other: number } }
"#;

/// A folder with two versions of a stream and a profile of one reader of it.
fn read_by_one() -> Home {
    let home = Home::new();
    home.write("old/e.ts", EVENTS)
        .write(
            "new/e.ts",
            EVENTS
                .replace("; note: string", "")
                .replace("other: number", "other: string"),
        )
        .write(
            "host.toml",
            "name = \"host\"\n[reads]\n\"thread.started\" = [\"thread_id\"]\n\"turn.completd\" = []\n\
             \"turn.completed\" = [\"usage.input_token\"]\n",
        );
    home
}

const SCAN: [&str; 7] = ["scan", "--from", "dir:old", "--to", "dir:new", "--root", "ThreadEvent"];

#[test]
fn a_profile_lowers_what_its_consumer_does_not_read_and_names_what_is_unknown() {
    let home = read_by_one();
    let (code, out, err) = home.run(&[&SCAN[..], &["--profile", "host.toml", "--fail-on", "breaking"]].concat());
    assert_eq!(code, 0, "nothing of it is read\n{out}\n{err}");
    assert!(
        out.contains("for host: none, it does not read note of thread.started"),
        "{out}"
    );
    assert!(
        err.contains("names `turn.completd`, which neither version has; did you mean `turn.completed`?"),
        "{err}"
    );
    assert!(
        err.contains("names `usage.input_token` of `turn.completed`")
            && err.contains("did you mean `usage.input_tokens`?"),
        "{err}"
    );

    let (code, ..) = home.run(&[&SCAN[..], &["--fail-on", "breaking"]].concat());
    assert_eq!(code, 1, "for anybody it is breaking");

    let report = home.json(&[&SCAN[..], &["--profile", "host.toml", "--json"]].concat());
    assert_eq!(report["profile"]["unknown"].as_array().unwrap().len(), 2);
    for finding in report["findings"].as_array().unwrap() {
        assert_eq!(finding["severity"], "breaking", "{finding}");
        assert_eq!(finding["for_consumer"]["severity"], "none", "{finding}");
    }
    for format in ["markdown", "sarif"] {
        let out = home.ok(&[&SCAN[..], &["--profile", "host.toml", "--format", format]].concat());
        assert!(
            out.contains("it does not read note of thread.started"),
            "{format}: {out}"
        );
    }
}

#[test]
fn a_profile_that_is_none_is_refused_with_the_reason() {
    let home = read_by_one();
    home.write("typo.toml", "name = \"host\"\n[raeds]\n")
        .write("empty.json", r#"{"name": "host"}"#)
        .write("other.toml", "name = \"host\"\nflags = [\"--x\"]\nagent = \"pi\"\n");
    for (file, says) in [
        ("typo.toml", "unknown field `raeds`"),
        ("empty.json", "names nothing that is read"),
        ("gone.toml", "cannot be read"),
    ] {
        let said = home.complaint(&[&SCAN[..], &["--profile", file]].concat());
        assert!(
            said.starts_with("exit 2") && said.contains(says) && said.contains("hint:"),
            "{said}"
        );
    }
}

#[test]
fn the_profile_that_comes_with_the_project_fits_the_stream_that_it_is_about() {
    let home = Home::new();
    let item = "{ id: string; type: \"a\"; text: string; message: string; items: string[]; command: string; \
                aggregated_output: string; exit_code: number; status: string }";
    let usage =
        "{ input_tokens: number; output_tokens: number; cached_input_tokens: number; reasoning_output_tokens: number }";
    let types = format!(
        "export type ThreadEvent =\n\
         | {{ type: \"thread.started\"; thread_id: string }}\n| {{ type: \"turn.started\" }}\n\
         | {{ type: \"turn.completed\"; usage: {usage} }}\n| {{ type: \"turn.failed\"; error: {{ message: string }} }}\n\
         | {{ type: \"error\"; message: string }}\n| {{ type: \"item.started\"; item: {item} }}\n\
         | {{ type: \"item.updated\"; item: {item} }}\n| {{ type: \"item.completed\"; item: {item} }};\n"
    );
    home.write("old/e.ts", &types).write("new/e.ts", &types);
    let profile = include_str!("../../config/profiles/opendesign-codex-exec.toml");
    home.write("p.toml", profile);
    let report = home.json(&[&SCAN[..], &["--profile", "p.toml", "--json"]].concat());
    assert_eq!(report["profile"]["unknown"], serde_json::json!([]));
}

#[test]
fn two_descriptions_of_one_version_are_held_against_each_other() {
    let home = Home::new();
    let schema = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"Note": {"type": "object",
        "required": ["text"], "properties": {"text": {"type": "number"}}}}}"#;
    home.write("one/note.json", schema)
        .write("one/note.ts", "export interface Note { text: string }");
    let check = [
        "scan",
        "--cross-check",
        "--from",
        "dir:one",
        "--to",
        "dir:one",
        "--scope",
        "*.json",
        "--other-scope",
        "*.ts",
        "--root",
        "Note",
    ];
    insta::assert_snapshot!(home.ok(&check));
    let document = home.json(&[&check[..], &["--json"]].concat());
    assert_eq!(document["cross_check"], true);
    let only = &document["checks"][0];
    assert_eq!(
        (&only["better"], &only["first"]["rank"]),
        (&"first".into(), &"generated".into())
    );
    assert_eq!(only["findings"][0]["location"]["file"], "note.ts");
    assert_eq!(only["findings"][0]["also"]["file"], "note.json");
    let (code, ..) = home.run(&[&check[..], &["--fail-on", "risky"]].concat());
    assert_eq!(code, 1);
    let sarif = home.json(&[&check[..], &["--format", "sarif"]].concat());
    assert_eq!(sarif["runs"].as_array().unwrap().len(), 1);
    let said = home.complaint(&["scan", "aider", "--cross-check"]);
    assert!(
        said.starts_with("exit 2") && said.contains("no second description"),
        "{said}"
    );
}
