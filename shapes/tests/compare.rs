//! Two shapes side by side: the class, and the findings under the rules of the scan.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod transcripts;

use std::fmt::Write as _;

use agent_contracts_shapes::compare::evidence::coverage;
use agent_contracts_shapes::compare::{Circumstances, Class, Meaning, compare};
use agent_contracts_shapes::{Shape, Validity, derive};
use agent_contracts_wire::model::{Evidence, Place, Stability};
use agent_contracts_wire::{Arm, DiffOptions, Direction, Family, Field, Object, Type, TypeDecl, Union, WireModel};
use serde_json::{Value, json};
use transcripts::{named, output, profile, run};

fn shape(frames: &[Value]) -> Shape {
    run(&output(frames), &profile("json-event-stream/v1")).shape
}

fn from_file(name: &str, family: &str) -> Shape {
    run(&named(name), &profile(family)).shape
}

/// The class, and one line a finding.
fn told(old: &Shape, new: &Shape, circumstances: &Circumstances) -> String {
    let found = compare(old, new, circumstances).unwrap();
    let mut out = format!("{}\n", found.class.word());
    for finding in &found.diff.findings {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let place = [finding.event_type.as_deref(), finding.path.as_deref()];
        let place: Vec<&str> = place.into_iter().flatten().collect();
        writeln!(
            out,
            "{severity} {} `{}` at {}",
            finding.rule,
            finding.wire_name.as_deref().unwrap_or("-"),
            place.join(": ")
        )
        .unwrap();
    }
    for missing in &found.missing {
        writeln!(out, "missing {missing}").unwrap();
    }
    out
}

#[test]
fn what_differs_between_two_runs_is_told_by_the_rules_of_the_scan() {
    let base =
        json!({"type": "a", "n": 1, "list": [{"type": "x", "v": 1}], "status": "ok", "models": {"m": {"in": 1}}});
    let with = |change: &dyn Fn(&mut Value)| {
        let mut frame = base.clone();
        change(&mut frame);
        frame
    };
    let end = json!({"type": "end"});
    let cases: Vec<(&str, Vec<Value>)> = vec![
        ("nothing", vec![base.clone(), end.clone()]),
        ("a member more", vec![with(&|f| f["more"] = json!(1)), end.clone()]),
        (
            "a member less",
            vec![with(&|f| drop(f.as_object_mut().unwrap().remove("n"))), end.clone()],
        ),
        ("another type", vec![with(&|f| f["n"] = json!("1")), end.clone()]),
        (
            "a second type",
            vec![base.clone(), with(&|f| f["n"] = json!("1")), end.clone()],
        ),
        (
            "null as well",
            vec![base.clone(), with(&|f| f["n"] = Value::Null), end.clone()],
        ),
        (
            "not always there",
            vec![
                base.clone(),
                with(&|f| drop(f.as_object_mut().unwrap().remove("n"))),
                end.clone(),
            ],
        ),
        (
            "another value",
            vec![with(&|f| f["status"] = json!("bad")), end.clone()],
        ),
        (
            "one more value",
            vec![base.clone(), with(&|f| f["status"] = json!("bad")), end.clone()],
        ),
        (
            "another item",
            vec![with(&|f| f["list"][0] = json!({"type": "y", "v": 1})), end.clone()],
        ),
        (
            "a member of an item",
            vec![with(&|f| f["list"][0]["w"] = json!(1)), end.clone()],
        ),
        (
            "a member of a map",
            vec![with(&|f| f["models"]["m"]["out"] = json!(1)), end.clone()],
        ),
        (
            "another event",
            vec![base.clone(), end.clone(), json!({"type": "b", "q": 1})],
        ),
        ("an event less", vec![base.clone()]),
        ("another order", vec![end.clone(), base.clone()]),
        ("another name", vec![with(&|f| f["type"] = json!("a2")), end.clone()]),
    ];
    let old = shape(&[base.clone(), end]);
    let mut out = String::new();
    for (name, frames) in &cases {
        writeln!(
            out,
            "## {name}: {}",
            told(&old, &shape(frames), &Circumstances::default())
        )
        .unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn known_steps_of_real_agents_are_told() {
    let mut out = String::new();
    for (old, new, family) in [
        ("codex-exec-0.121", "codex-exec-0.130", "json-event-stream/v1"),
        ("codex-exec-0.130", "codex-exec-0.171", "json-event-stream/v1"),
        ("codex-exec-0.40", "codex-exec-0.121", "json-event-stream/v1"),
        ("codex-exec-0.171", "codex-exec-401", "json-event-stream/v1"),
        ("claude-2.1.280", "claude-2.1.332", "claude-stream-json/v1"),
        ("qwen-plain-0.15.10", "qwen-plain-401", "plain/v1"),
    ] {
        let circumstances = Circumstances {
            must_see: vec![Meaning {
                name: "assistant_text".to_owned(),
                events: [
                    "item.completed[agent_message]",
                    "assistant[text]",
                    "agent_message",
                    "text",
                ]
                .map(|event| event.parse().unwrap())
                .to_vec(),
            }],
            ..Circumstances::default()
        };
        let said = told(&from_file(old, family), &from_file(new, family), &circumstances);
        writeln!(out, "## {old} → {new}: {said}").unwrap();
    }
    insta::assert_snapshot!(out);
}

#[test]
fn two_shapes_of_one_version_are_variants_and_what_must_be_seen_may_not_go() {
    let old = shape(&[json!({"type": "a"}), json!({"type": "b", "x": 1})]);
    let more = shape(&[json!({"type": "a"}), json!({"type": "b", "x": 1, "y": 1})]);
    let same_version = Circumstances {
        same_version: true,
        ..Circumstances::default()
    };
    assert_eq!(compare(&old, &more, &same_version).unwrap().class, Class::ServerVariant);
    assert_eq!(compare(&old, &old, &same_version).unwrap().class, Class::SameShape);
    assert_eq!(
        compare(&old, &more, &Circumstances::default()).unwrap().class,
        Class::CompatibleNewShape
    );
    let less = shape(&[json!({"type": "a"})]);
    let must_see = Circumstances {
        must_see: vec![Meaning {
            name: "done".to_owned(),
            events: vec!["b*".parse().unwrap()],
        }],
        ..Circumstances::default()
    };
    let found = compare(&old, &less, &must_see).unwrap();
    assert_eq!(
        (found.class, found.missing),
        (Class::ParserIncompatible, vec!["done".to_owned()])
    );
    assert_eq!(compare(&old, &more, &must_see).unwrap().missing, Vec::<String>::new());
}

fn object(fields: &[(&str, Type)]) -> Type {
    Type::Object(Object {
        fields: fields
            .iter()
            .map(|(name, ty)| ((*name).to_owned(), Field::new(ty.clone(), true, 1)))
            .collect(),
        ..Object::default()
    })
}

/// The shape that a source of these declared types gives.
fn declared(types: &[(&str, Type)], family: &str) -> Shape {
    let mut model = WireModel::default();
    for (name, body) in types {
        let decl = TypeDecl {
            name: (*name).to_owned(),
            place: Place::default(),
            in_scope: true,
            body: body.clone(),
            direction: Some(Direction::Output),
            stability: Stability::Stable,
            evidence: Evidence::Declared,
        };
        model.types.insert((*name).to_owned(), decl);
    }
    let family = Family::of(family).unwrap();
    derive(&model, &DiffOptions::default(), family, Validity::SourceDerived)
        .unwrap()
        .shape
}

fn union(arms: Vec<Type>) -> Type {
    Type::Union(Union {
        arms: arms.into_iter().map(Arm::of).collect(),
        ..Union::default()
    })
}

#[test]
fn a_source_predicts_what_runs_reach() {
    let item = union(vec![
        object(&[
            ("id", Type::String),
            ("type", Type::literal("agent_message")),
            ("text", Type::String),
        ]),
        object(&[
            ("id", Type::String),
            ("type", Type::literal("reasoning")),
            ("summary", Type::String),
        ]),
        object(&[
            ("id", Type::String),
            ("type", Type::literal("error")),
            ("message", Type::Any),
        ]),
    ]);
    let source = declared(
        &[(
            "ThreadEvent",
            union(vec![
                object(&[("type", Type::literal("item.completed")), ("item", item)]),
                object(&[
                    ("type", Type::literal("turn.completed")),
                    ("usage", object(&[("input_tokens", Type::Number)])),
                ]),
                object(&[("type", Type::literal("turn.failed")), ("error", Type::Any)]),
            ]),
        )],
        "json-event-stream/v1",
    );
    let ran = shape(&[
        json!({"type": "item.completed", "item": {"id": "1", "type": "agent_message", "text": ""}}),
        json!({"type": "item.completed", "item": {"id": "1", "type": "error", "message": {"code": 1}}}),
        json!({"type": "turn.completed", "usage": {"input_tokens": 1, "new_tokens": 1}}),
        json!({"type": "turn.started"}),
    ]);
    insta::assert_json_snapshot!(coverage(&[&ran], &source));
}

#[test]
fn a_source_that_declares_what_a_method_carries_predicts_it() {
    let source = declared(
        &[(
            "SessionUpdate",
            union(vec![
                object(&[
                    ("sessionUpdate", Type::literal("agent_message_chunk")),
                    ("content", Type::Any),
                ]),
                object(&[("sessionUpdate", Type::literal("plan")), ("entries", Type::Any)]),
            ]),
        )],
        "acp-json-rpc/v1",
    );
    let ran = from_file("opencode-acp-1.18.33", "acp-json-rpc/v1");
    let found = coverage(&[&ran], &source);
    assert_eq!(found.events_not_reached, ["plan"]);
    assert!(
        !found.not_predicted.contains_key("session/update[agent_message_chunk]"),
        "{found:#?}"
    );
    assert!(found.not_predicted.contains_key("session/update[tool_call]"));
    assert_eq!((found.predicted, found.reached), (2, 2));
}

#[test]
fn silence_after_speech_is_a_loss_even_where_nothing_else_changed() {
    let text = |said: &str| {
        let mut run_ = transcripts::Run::default();
        run_.text("stdout", said);
        run_.exit(Some(0), None);
        run(&run_, &profile("plain/v1")).shape
    };
    let found = told(&text("hello"), &text(""), &Circumstances::default());
    assert_eq!(found, "parser_incompatible\nbreaking event_removed `text` at text\n");
}
