//! A step to test with: of every severity something, a rename, a flag, and text as an ill-meaning source would write it.

use agent_contracts_shapes::{
    Derived, Exit, FrameDirection, FrameShape, Shape, ShapeError, StderrClass, Stream, Validity,
};
use agent_contracts_wire::finding::ReachedBy;
use agent_contracts_wire::model::{Degraded, Place, Unresolved};
use agent_contracts_wire::{Diff, Direction, Domain, Family, Finding, Location, Move, Severity, Verdict};
use serde_json::{Value, json};

use crate::{EvidenceError, Scan, SourceEvidence, StepSide, build};

/// A finding of one rule. Severity and domain are those that the tests need, not what the rule would give.
#[must_use]
pub fn finding(rule: &str, severity: Severity, event: &str, path: &str) -> Finding {
    Finding {
        id: agent_contracts_wire::canonical::sha256(format!("{rule} {event} {path}").as_bytes()),
        rule: rule.to_owned(),
        type_name: Some("Usage".to_owned()),
        wire_name: Some(
            path.rsplit('.')
                .next()
                .filter(|name| !name.is_empty())
                .unwrap_or(event)
                .to_owned(),
        ),
        event_type: Some(event.to_owned()),
        path: Some(path.to_owned()),
        flag: None,
        command: None,
        reached_by: Some(ReachedBy {
            count: 1,
            first: vec![(event.to_owned(), path.to_owned())],
        }),
        direction: Direction::Output,
        severity,
        domain: match severity {
            Severity::Breaking => Domain::SilentLoss,
            Severity::Risky => Domain::DecodeFatal,
            Severity::Additive => Domain::Additive,
            Severity::None => Domain::Cosmetic,
        },
        before: Value::Null,
        after: Value::Null,
        location: Location {
            file: "src/events.ts".to_owned(),
            line: 12,
        },
        witness: None,
    }
}

/// What a comparison of the two [`sides`] said.
#[must_use]
pub fn diff() -> Diff {
    let removed = Finding {
        before: json!("string"),
        witness: Some(json!({"type": "item.completed", "item": {"type": "message", "text": ""}})),
        reached_by: Some(ReachedBy {
            count: 7,
            first: (0..6)
                .map(|index| (format!("item.event{index}"), "item.text".to_owned()))
                .collect(),
        }),
        ..finding("field_removed", Severity::Breaking, "item.completed", "item.text")
    };
    let request = Finding {
        wire_name: Some("session/request_permission".to_owned()),
        before: json!("session/request_permission"),
        domain: Domain::RequestRejected,
        direction: Direction::Input,
        ..finding("method_removed", Severity::Breaking, "session/request_permission", "")
    };
    let event = Finding {
        wire_name: Some("item.plan".to_owned()),
        after: json!("item.plan"),
        witness: Some(json!({"type": "item.plan"})),
        ..finding("event_added", Severity::Risky, "item.plan", "")
    };
    let value = Finding {
        wire_name: Some("declined` @everyone".to_owned()),
        after: json!("declined` @everyone"),
        ..finding("enum_value_added", Severity::Risky, "item.completed", "item.status")
    };
    let hostile = Finding {
        before: json!("\"a\" | \"b\""),
        after: json!({"<script>": "![x](https://evil.example/x.png) @alice #12 ```\n# heading"}),
        type_name: Some("<img src=x>".to_owned()),
        location: Location {
            file: "src/a b|c`d.ts".to_owned(),
            line: 0,
        },
        ..finding("field_type_changed", Severity::Risky, "item.completed", "item.x|y")
    };
    let added = Finding {
        after: json!("number"),
        ..finding(
            "field_added",
            Severity::Additive,
            "turn.completed",
            "usage.cache_write_input_tokens",
        )
    };
    let flag = Finding {
        flag: Some("--output-format".to_owned()),
        command: Some("exec".to_owned()),
        event_type: None,
        path: None,
        type_name: None,
        reached_by: None,
        after: json!("stream-json"),
        ..finding("flag_choice_added", Severity::Additive, "", "")
    };
    let unused = Finding {
        wire_name: Some("Legacy".to_owned()),
        before: json!("{id: string}"),
        ..finding("type_removed", Severity::None, "Legacy", "")
    };
    Diff {
        findings: vec![removed, request, event, value, hostile, added, flag, unused],
        moves: vec![Move {
            type_name: "Usage".to_owned(),
            from: "src/usage.ts".to_owned(),
            to: "src/events.ts".to_owned(),
        }],
        unresolved: vec![Unresolved {
            place: Place {
                file: "src/events.ts".to_owned(),
                line: 40,
            },
            what: "ReturnType<typeof make>".to_owned(),
        }],
        degraded: vec![Degraded {
            file: "src/broken.ts".to_owned(),
            lines: Some((3, 9)),
            why: "syntax error".to_owned(),
            hides: vec!["Broken".to_owned()],
        }],
        doubts: Vec::new(),
        verdict: Verdict::Changes,
    }
}

/// The two versions.
#[must_use]
pub fn sides() -> (StepSide, StepSide) {
    let side = |version: &str, commit: char| StepSide {
        version: version.to_owned(),
        source: format!("git:openai/codex@rust-v{version}"),
        commit: Some(commit.to_string().repeat(40)),
        files: 12,
        types: 80,
    };
    (side("0.132.0", 'a'), side("0.133.0", 'b'))
}

/// A shape with one event.
pub fn derived() -> Result<Derived, ShapeError> {
    let family = family();
    let frame = FrameShape {
        direction: FrameDirection::Output,
        stream: Stream::Stdout,
        event_type: "turn.completed".to_owned(),
        paths: Vec::new(),
        enums: std::collections::BTreeMap::new(),
    };
    Ok(Derived {
        shape: Shape::new(
            family,
            Validity::SourceDerived,
            vec![frame],
            StderrClass::Unknown,
            Exit::Unknown,
        )?,
        cut: Vec::new(),
    })
}

/// The family of the step.
#[must_use]
pub fn family() -> &'static Family {
    &agent_contracts_wire::family::FAMILIES[2]
}

/// The record of the step.
pub fn evidence(now: &str, diff: &Diff) -> Result<SourceEvidence, EvidenceError> {
    let (from, to) = sides();
    build(&Scan {
        agent: "codex",
        family: family(),
        validity: Validity::SourceDerived,
        from: &from,
        to: &to,
        refs: &[
            to.source.clone(),
            format!("commit:{}", "b".repeat(40)),
            "src/events.ts".to_owned(),
        ],
        extractor: "sha256:e1",
        derived: &derived()?,
        diff,
        now,
    })
}
