//! What a reader of shapes relies on: one protocol, one signature, however a run happened to go.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod transcripts;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agent_contracts_shapes::normalise::Normalised;
use agent_contracts_shapes::{Exit, Shape, StderrClass};
use serde_json::{Value, json};
use transcripts::{ALL, Run, named, output, profile, run};

/// One line a frame, one a path.
pub(crate) fn print(normalised: &Normalised) -> String {
    let word = |value: Value| value.as_str().unwrap_or_default().to_owned();
    let mut out = String::new();
    let shape = &normalised.shape;
    for frame in &shape.frame_shapes {
        let direction = word(json!(frame.direction));
        writeln!(out, "{direction} {}", frame.event_type).unwrap();
        for path in &frame.paths {
            let mark = if path.required { "" } else { "?" };
            let values = frame.enums.get(&path.path);
            let values = values.map_or(String::new(), |values| format!(" = {}", values.join(" | ")));
            writeln!(out, "  {}{mark} {}{values}", path.path, word(json!(path.ty))).unwrap();
        }
    }
    for volatile in &normalised.volatile {
        writeln!(out, "volatile {} ×{}", volatile.event_type, volatile.count).unwrap();
    }
    for note in &normalised.notes {
        writeln!(out, "note {} {}: {}", word(json!(note.stream)), note.line, note.what).unwrap();
    }
    writeln!(
        out,
        "stderr {}, exit {}",
        word(json!(shape.stderr_class)),
        word(json!(shape.exit))
    )
    .unwrap();
    out
}

#[test]
fn every_family_gives_its_frames() {
    for (name, family) in ALL {
        insta::assert_snapshot!(*name, print(&run(&named(name), &profile(family))));
    }
}

#[test]
fn a_shape_is_signed_and_reads_back() {
    for (name, family) in ALL {
        let shape = run(&named(name), &profile(family)).shape;
        assert_eq!(shape.signature, shape.sign().unwrap(), "{name}");
        let text = serde_json::to_string(&shape).unwrap();
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), shape, "{name}");
        assert_eq!(shape.frame_count as usize, shape.frame_shapes.len(), "{name}");
    }
}

fn signature(lines: &[Value]) -> String {
    signature_of(&output(lines))
}

fn signature_of(run_: &Run) -> String {
    run(run_, &profile("json-event-stream/v1")).shape.signature
}

#[test]
fn values_leave_no_trace() {
    let frame = |id: &str, at: i64, text: &str, model: &str| json!({"type": "a", "id": id, "at": at, "text": text, "models": {model: {"tokens": at}}, "status": "ok"});
    let first = signature(&[frame("x", 1, "hello", "gpt-5.5")]);
    assert_eq!(
        first,
        signature(&[frame("0199-aa", 1 << 60, "a \"longer\"\n text \u{1f600}", "openai/gpt")])
    );
    assert_eq!(first, signature(&[frame("y", 2, "", "m"), frame("z", 3, "b", "n/o")]));
}

#[test]
fn every_change_of_structure_is_another_signature() {
    let base = json!({"type": "a", "n": 1, "list": [{"type": "x", "v": null}], "status": "ok"});
    let variants = [
        json!({"type": "b", "n": 1, "list": [{"type": "x", "v": null}], "status": "ok"}),
        json!({"type": "a", "m": 1, "list": [{"type": "x", "v": null}], "status": "ok"}),
        json!({"type": "a", "list": [{"type": "x", "v": null}], "status": "ok"}),
        json!({"type": "a", "n": 1, "list": [{"type": "x", "v": null}], "status": "ok", "more": 1}),
        json!({"type": "a", "n": "1", "list": [{"type": "x", "v": null}], "status": "ok"}),
        json!({"type": "a", "n": 1, "list": [{"type": "x"}], "status": "ok"}),
        json!({"type": "a", "n": 1, "list": [{"type": "x", "v": "s"}], "status": "ok"}),
        json!({"type": "a", "n": 1, "list": [{"type": "y", "v": null}], "status": "ok"}),
        json!({"type": "a", "n": 1, "list": [], "status": "ok"}),
        json!({"type": "a", "n": 1, "list": [{"type": "x", "v": null}], "status": "failed"}),
        json!({"type": "a", "n": 1, "list": [{"type": "x", "v": null}], "status": null}),
        json!({"type": "a", "subtype": "s", "n": 1, "list": [{"type": "x", "v": null}], "status": "ok"}),
    ];
    let mut signatures = BTreeSet::from([signature(std::slice::from_ref(&base))]);
    for variant in &variants {
        assert!(signatures.insert(signature(std::slice::from_ref(variant))), "{variant}");
    }
    // A member that is there in some frames only, and a second type, are others again.
    for variant in &variants[2..7] {
        assert!(
            signatures.insert(signature(&[base.clone(), variant.clone()])),
            "{variant}"
        );
    }
    let mut failed = output(std::slice::from_ref(&base));
    failed.exit(Some(1), None);
    assert!(signatures.insert(signature_of(&failed)));
    let mut killed = output(std::slice::from_ref(&base));
    killed.exit(None, Some("SIGKILL"));
    assert!(signatures.insert(signature_of(&killed)));
    let mut slow = output(&[base]);
    slow.process("timeout");
    assert!(signatures.insert(signature_of(&slow)));
}

#[test]
fn order_counts_by_first_occurrence_but_not_for_frames_that_float() {
    let a = json!({"type": "a"});
    let b = json!({"type": "b"});
    let float = json!({"type": "rate"});
    let chance = json!({"type": "chance"});
    let of = |frames: &[&Value]| signature(&frames.iter().map(|frame| (*frame).clone()).collect::<Vec<_>>());
    assert_ne!(of(&[&a, &b]), of(&[&b, &a]));
    assert_eq!(of(&[&a, &b]), of(&[&a, &b, &a, &b, &b]));
    assert_eq!(of(&[&a, &float, &b]), of(&[&float, &a, &b]));
    assert_ne!(of(&[&a, &b]), of(&[&float, &a, &b]));
    assert_eq!(of(&[&a, &b]), of(&[&chance, &a, &chance, &b]));
    let kept = run(&output(&[chance.clone(), a, chance]), &profile("json-event-stream/v1"));
    assert_eq!(kept.volatile.len(), 1);
    assert_eq!(
        (kept.volatile[0].event_type.as_str(), kept.volatile[0].count),
        ("chance", 2)
    );
}

#[test]
fn answers_are_paired_by_id_in_either_direction() {
    let mut run_ = Run::default();
    run_.input(&json!({"jsonrpc": "2.0", "id": 1, "method": "a", "params": {}}));
    run_.input(&json!({"jsonrpc": "2.0", "id": "1", "method": "b"}));
    run_.output(&json!({"jsonrpc": "2.0", "id": 1, "method": "ask"}));
    run_.output(&json!({"jsonrpc": "2.0", "id": "1", "result": {"of": "b"}}));
    run_.output(&json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}}));
    run_.input(&json!({"jsonrpc": "2.0", "id": 1, "result": null}));
    run_.output(&json!({"jsonrpc": "2.0", "id": 7, "result": 1}));
    run_.output(&json!([{"jsonrpc": "2.0", "method": "c"}, 1]));
    let found = run(&run_, &profile("acp-json-rpc/v1"));
    let names: Vec<_> = found
        .shape
        .frame_shapes
        .iter()
        .map(|frame| frame.event_type.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "a",
            "b",
            "ask",
            "b:result",
            "a:error",
            "ask:result",
            "unknown:result",
            "c",
            "unknown"
        ]
    );
}

#[test]
fn lines_that_are_no_frames_are_kept_as_unknown_and_told() {
    let whole = r#"{"type":"a","x":1}"#;
    for (line, unknown, note) in [
        ("a banner", true, "no JSON: it is not written like JSON, at byte 1"),
        (r#"{"type":"b","x"#, true, "no JSON: it ends too early, at byte 14"),
        (
            r#"{"type":"b","x":NaN}"#,
            true,
            "no JSON: it is not written like JSON, at byte 17",
        ),
        (
            r#"{"type":"b","x":1e999}"#,
            true,
            "no JSON: it is not written like JSON, at byte 21",
        ),
        ("42", true, "JSON, but no object"),
        ("[]", true, "JSON, but no object"),
        (
            r#"Warning: {x} {"type":"a","x":1}"#,
            false,
            "text before the first object of the line",
        ),
        (
            r#"{"type":"a","x":1,"x":2}"#,
            false,
            "a member of 1 bytes comes twice in one object",
        ),
        ("\u{feff}{\"type\":\"a\",\"x\":1}", false, ""),
        (r#"{"type":"a","x":9007199254740993}"#, false, ""),
        (r#"{"type":"a","x":-1.5e300}"#, false, ""),
    ] {
        let mut run_ = Run::default();
        run_.text("stdout", &format!("{line}\r\n\n{whole}\n"));
        let found = run(&run_, &profile("json-event-stream/v1"));
        let names: Vec<_> = found
            .shape
            .frame_shapes
            .iter()
            .map(|frame| frame.event_type.as_str())
            .collect();
        assert_eq!(names.contains(&"unknown"), unknown, "{line}");
        assert!(names.contains(&"a"), "{line}");
        let notes: Vec<_> = found.notes.iter().map(|note| note.what.as_str()).collect();
        assert_eq!(notes, if note.is_empty() { vec![] } else { vec![note] }, "{line}");
        assert!(found.notes.iter().all(|note| note.line == 1), "{line}");
    }
}

#[test]
fn what_has_no_bottom_or_no_end_is_bounded() {
    let deep = format!("{{\"type\":\"a\",\"x\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    let mut run_ = Run::default();
    run_.text("stdout", &format!("{deep}\n"));
    let found = run(&run_, &profile("json-event-stream/v1"));
    let longest = found.shape.frame_shapes[0]
        .paths
        .iter()
        .map(|path| path.path.len())
        .max();
    assert_eq!(longest, Some(1 + 2 * 63));

    // Ten thousand members are data, in whatever order.
    let wide = |order: fn(usize) -> usize| {
        let members: serde_json::Map<_, _> = (0..10_000)
            .map(|n| (format!("k{}", order(n)), json!({"a": n})))
            .collect();
        signature(&[json!({"type": "a", "x": members})])
    };
    assert_eq!(wide(|n| n), wide(|n| 9_999 - n));
    let found = run(
        &output(&[
            json!({"type": "a", "x": (0..300).map(|n| (format!("k{n}"), json!(n))).collect::<serde_json::Map<_, _>>()}),
        ]),
        &profile("json-event-stream/v1"),
    );
    let paths: Vec<_> = found.shape.frame_shapes[0]
        .paths
        .iter()
        .map(|path| path.path.as_str())
        .collect();
    assert_eq!(paths, ["type", "x", "x.*"]);

    let mut run_ = Run::default();
    run_.text(
        "stdout",
        &format!(
            "{{\"type\":\"a\",\"x\":\"{}\"}}\n{{\"type\":\"b\"}}\n",
            "y".repeat(5_000)
        ),
    );
    let found = run_.normalised(&profile("json-event-stream/v1"), 1_000);
    assert_eq!(found.shape.event_types, ["b", "unknown"]);
    assert_eq!(found.notes[0].what, "a line of 5019 bytes is too long and was not read");
}

#[test]
fn many_names_of_frames_end_in_one() {
    let frames: Vec<_> = (0..2_100).map(|n| json!({"type": format!("t{n}"), "x": n})).collect();
    let found = run(&output(&frames), &profile("json-event-stream/v1"));
    assert_eq!(found.shape.frame_count, 2_001);
    assert_eq!(found.oddities, 100);
    assert_eq!(found.notes.len(), 50);
}

#[test]
fn text_is_one_frame_and_blanks_are_none() {
    let text = |pieces: &[&str]| {
        let mut run_ = Run::default();
        for piece in pieces {
            run_.text("stdout", piece);
        }
        run_.exit(Some(0), None);
        run(&run_, &profile("plain/v1")).shape
    };
    assert_eq!(text(&["a"]), text(&["a b", "c\n\n{\"type\":1}", "\n"]));
    assert_eq!(text(&["a"]).event_types, ["text"]);
    assert_eq!(text(&[" \n\t"]).event_types, ["unknown"]);
}

#[test]
fn the_end_of_the_process_is_one_of_five() {
    let ending = |code: Option<i64>, signal: Option<&str>, before: Option<&str>| {
        let mut run_ = Run::default();
        if let Some(event) = before {
            run_.process(event);
        }
        run_.exit(code, signal);
        run(&run_, &profile("plain/v1")).shape.exit
    };
    assert_eq!(ending(Some(0), None, None), Exit::Success);
    assert_eq!(ending(Some(41), None, None), Exit::Nonzero);
    assert_eq!(ending(None, Some("SIGTERM"), Some("kill")), Exit::Signal);
    assert_eq!(ending(None, Some("SIGKILL"), Some("timeout")), Exit::Timeout);
    let nothing = run(&Run::default(), &profile("plain/v1")).shape;
    assert_eq!((nothing.exit, nothing.stderr_class), (Exit::Unknown, StderrClass::None));
}
