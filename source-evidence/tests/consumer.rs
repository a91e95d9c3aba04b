//! Severity for a consumer: lowered where nothing of it is read, and said why.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_source_evidence::Profile;
use agent_contracts_source_evidence::testing::finding;
use agent_contracts_wire::finding::ReachedBy;
use agent_contracts_wire::{Direction, Domain, Finding, Severity};

fn profile() -> Profile {
    serde_json::from_str(
        r#"{"name": "host", "skips_unknown": true,
            "reads": {"turn.completed": ["usage.input_tokens"], "item.completed[agent_message]": ["item.text"],
                      "error": ["*"], "list": ["content[].text"]},
            "sends": {"thread/start": ["params.cwd"]}, "flags": ["--json"]}"#,
    )
    .unwrap()
}

fn output(rule: &str, event: &str, path: &str) -> Finding {
    Finding {
        direction: Direction::Output,
        reached_by: None,
        ..finding(rule, Severity::Breaking, event, path)
    }
}

#[test]
fn what_is_read_keeps_its_severity_and_the_rest_is_lowered_with_a_reason() {
    let input = |path: &str| Finding {
        direction: Direction::Input,
        ..output("field_added", "thread/start", path)
    };
    let flag = |name: &str| Finding {
        flag: Some(name.to_owned()),
        ..output("flag_removed", "", "")
    };
    let rows: Vec<(Finding, Option<&str>)> = vec![
        (output("field_removed", "turn.completed", "usage.input_tokens"), None),
        (output("field_removed", "turn.completed", "usage"), None),
        (output("field_removed", "turn.completed", "usage.input_tokens.x"), None),
        (
            output("field_removed", "turn.completed", "usage.input_tokens_total"),
            Some("it does not read usage.input_tokens_total of turn.completed"),
        ),
        (
            output("field_removed", "turn.started", "id"),
            Some("it does not read turn.started"),
        ),
        (output("event_removed", "turn.completed", ""), None),
        (
            output("event_removed", "turn.started", ""),
            Some("it does not read turn.started"),
        ),
        (output("field_removed", "item.completed", "item.text"), None),
        (
            output("field_removed", "item.completed[web_search]", "item.text"),
            Some("it does not read item.completed[web_search]"),
        ),
        (output("field_removed", "error", "whatever"), None),
        (output("field_removed", "list", "content[text].text"), None),
        (
            output("event_added", "brand.new", ""),
            Some("it skips events that it does not know"),
        ),
        (output("event_renamed", "turn.started", ""), None),
        (output("output_format_changed", "", ""), None),
        (input("params.cwd"), None),
        (
            input("params.model"),
            Some("it does not send params.model of thread/start"),
        ),
        (flag("--json"), None),
        (flag("--full-auto"), Some("it does not pass --full-auto")),
    ];
    for (mut finding, why) in rows {
        finding.event_type = finding.event_type.filter(|event| !event.is_empty());
        let judged = profile().judge(&finding);
        assert_eq!(judged.as_ref().map(|one| one.why.as_str()), why, "{finding:?}");
        assert!(judged.is_none_or(|one| one.severity == Severity::None && one.profile == "host"));
    }
}

#[test]
fn what_cannot_be_judged_is_never_lowered() {
    let unknown_way = Finding {
        direction: Direction::Unknown,
        ..output("field_removed", "turn.started", "id")
    };
    let some_ways_untold = Finding {
        reached_by: Some(ReachedBy {
            count: 30,
            first: vec![("turn.started".to_owned(), "id".to_owned())],
        }),
        ..output("field_removed", "turn.started", "id")
    };
    let one_way_is_read = Finding {
        reached_by: Some(ReachedBy {
            count: 2,
            first: vec![
                ("turn.started".to_owned(), "id".to_owned()),
                ("error".to_owned(), "id".to_owned()),
            ],
        }),
        ..output("field_removed", "turn.started", "id")
    };
    for finding in [unknown_way, some_ways_untold, one_way_is_read] {
        assert_eq!(profile().judge(&finding), None, "{finding:?}");
    }
    let nothing_said = Profile {
        name: "x".to_owned(),
        ..Profile::default()
    };
    assert_eq!(nothing_said.judge(&output("field_removed", "turn.started", "id")), None);
    let typed = Profile {
        typed: true,
        ..profile()
    };
    let decode = |event: &str| Finding {
        domain: Domain::DecodeFatal,
        ..output("field_type_changed", event, "other")
    };
    assert_eq!(
        typed.judge(&decode("turn.completed")),
        None,
        "the whole frame is decoded"
    );
    assert!(typed.judge(&decode("turn.started")).is_some(), "this one is not");
}

#[test]
fn names_that_the_protocol_lacks_are_named() {
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<BTreeSet<_>>();
    let known: BTreeMap<String, BTreeSet<String>> = [
        ("turn.completed".to_owned(), paths(&["usage", "usage.input"])),
        (
            "item.completed[agent_message]".to_owned(),
            paths(&["item", "item.text"]),
        ),
        ("error".to_owned(), paths(&["message"])),
        ("thread/start".to_owned(), paths(&["params", "params.cwd"])),
    ]
    .into();
    let unknown = profile().unknown(&known);
    let told: Vec<(&str, Option<&str>)> = unknown
        .iter()
        .map(|one| (one.event.as_str(), one.path.as_deref()))
        .collect();
    assert_eq!(told, [("list", None), ("turn.completed", Some("usage.input_tokens"))]);
}
