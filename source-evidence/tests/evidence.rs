//! Evidence records: what makes one the same as another, what is refused, what they look like.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_shapes::Validity;
use agent_contracts_source_evidence::testing::{derived, diff, evidence, family, finding, sides};
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_source_evidence::{Counts, EvidenceError, Scan, SourceEvidence, StepSide, build, summary};
use agent_contracts_wire::{Direction, Finding, Severity, rules};
use serde_json::Value;

const NOW: &str = "2026-06-27T10:00:00Z";

#[test]
fn a_record_looks_like_this() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&evidence(NOW, &diff()).unwrap()).unwrap());
}

#[test]
fn a_record_reads_back_and_unknown_members_are_refused_but_in_extensions() {
    let record = evidence(NOW, &diff()).unwrap();
    let mut value = serde_json::to_value(&record).unwrap();
    assert_eq!(serde_json::from_value::<SourceEvidence>(value.clone()).unwrap(), record);
    value["extensions"]["from_the_future"] = Value::from(1);
    assert!(serde_json::from_value::<SourceEvidence>(value.clone()).is_ok());
    value["capture"] = Value::from(1);
    assert!(serde_json::from_value::<SourceEvidence>(value).is_err());
}

#[test]
fn only_what_was_read_makes_the_identity() {
    let base = evidence(NOW, &diff()).unwrap();
    // When it was found, and what was found, make no other record.
    let later = evidence("2026-06-28T10:00:00Z", &diff()).unwrap();
    assert_eq!(later.extensions.identity, base.extensions.identity);
    assert_eq!(later.place(), base.place());
    let mut other_findings = diff();
    other_findings.findings.clear();
    assert_eq!(
        evidence(NOW, &other_findings).unwrap().extensions.identity,
        base.extensions.identity
    );

    let (from, to) = sides();
    let derived = derived().unwrap();
    let refs = vec!["a".to_owned(), "b".to_owned()];
    let diff = diff();
    let scan = Scan {
        agent: "codex",
        family: family(),
        validity: Validity::SourceDerived,
        from: &from,
        to: &to,
        refs: &refs,
        extractor: "sha256:e1",
        derived: &derived,
        diff: &diff,
        now: NOW,
    };
    let identity = |scan: &Scan<'_>| build(scan).unwrap().extensions.identity;
    let base = identity(&scan);
    let other_version = StepSide {
        version: "9".to_owned(),
        ..to.clone()
    };
    let (other_refs, turned_refs) = (
        vec!["a".to_owned()],
        vec!["b".to_owned(), "a".to_owned(), "b".to_owned()],
    );
    for (what, other) in [
        ("agent", Scan { agent: "pi", ..scan }),
        (
            "from",
            Scan {
                from: &other_version,
                ..scan
            },
        ),
        (
            "to",
            Scan {
                to: &other_version,
                ..scan
            },
        ),
        (
            "refs",
            Scan {
                refs: &other_refs,
                ..scan
            },
        ),
        (
            "extractor",
            Scan {
                extractor: "sha256:e2",
                ..scan
            },
        ),
    ] {
        assert_ne!(identity(&other), base, "{what}");
    }
    assert_eq!(
        identity(&Scan {
            refs: &turned_refs,
            ..scan
        }),
        base,
        "the order of refs"
    );
}

#[test]
fn the_place_is_made_of_agent_version_and_identity() {
    let record = evidence(NOW, &diff()).unwrap();
    let id8 = record.extensions.identity["sha256:".len()..][..8].to_owned();
    assert_eq!(
        record.place(),
        format!("source-evidence/codex/0.133.0/{id8}.evidence.json")
    );
    let odd = SourceEvidence {
        cli_version: "../../x".to_owned(),
        ..record
    };
    assert_eq!(
        odd.place(),
        format!("source-evidence/codex/%2E.%2F..%2Fx/{id8}.evidence.json")
    );
}

#[test]
fn what_cannot_be_evidence_is_refused() {
    let (from, to) = sides();
    let derived = derived().unwrap();
    let diff = diff();
    let refs = vec!["a".to_owned()];
    let scan = Scan {
        agent: "codex",
        family: family(),
        validity: Validity::SourceDerived,
        from: &from,
        to: &to,
        refs: &refs,
        extractor: "",
        derived: &derived,
        diff: &diff,
        now: NOW,
    };
    let error = |scan: Scan<'_>| build(&scan).unwrap_err();
    assert!(matches!(
        error(Scan { refs: &[], ..scan }),
        EvidenceError::NoRefs { .. }
    ));
    assert!(matches!(
        error(Scan {
            refs: &[" ".to_owned()],
            ..scan
        }),
        EvidenceError::NoRefs { .. }
    ));
    assert!(matches!(
        error(Scan {
            validity: Validity::RuntimeObserved,
            ..scan
        }),
        EvidenceError::Level(_)
    ));
    for now in [
        "",
        "2026-06-27",
        "2026-06-27T10:00:00+02:00",
        "2026-06-27T10:00:00.Z",
        "2026-06-27 10:00:00Z",
    ] {
        assert!(matches!(error(Scan { now, ..scan }), EvidenceError::Time(_)), "{now}");
    }
    assert!(
        build(&Scan {
            now: "2026-06-27T10:00:00.123Z",
            ..scan
        })
        .is_ok()
    );
}

#[test]
fn long_lists_of_what_was_not_read_keep_their_number() {
    let mut diff = diff();
    diff.unresolved = vec![diff.unresolved[0].clone(); 1_000];
    let record = evidence(NOW, &diff).unwrap();
    assert_eq!(record.extensions.unresolved.len(), 100);
    assert_eq!(record.extensions.unresolved_total, 1_000);
}

#[test]
fn findings_are_told_in_words() {
    let lines: Vec<String> = diff()
        .findings
        .iter()
        .map(|finding| {
            let told = wording(finding);
            format!("{} | {} | {}", told.what, told.hurts, told.todo)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_rule_has_words_for_both_directions() {
    for rule in rules::ALL {
        for direction in [Direction::Output, Direction::Input] {
            let mut finding = diff().findings.remove(0);
            finding.rule = rule.id.to_owned();
            finding.direction = direction;
            finding.before = Value::from("x");
            finding.after = Value::from("y");
            let told = wording(&finding);
            let what = told.what.to_string();
            assert!(
                !what.contains("under") && !what.contains("something"),
                "{}: {what}",
                rule.id
            );
            assert!(!told.todo.starts_with("look at"), "{}: {}", rule.id, told.todo);
        }
    }
}

#[test]
fn a_rule_without_words_is_still_told() {
    let mut finding = diff().findings.remove(0);
    finding.rule = "brand_new_rule".to_owned();
    assert_eq!(
        wording(&finding).what.to_string(),
        "`item.completed` changes under `brand_new_rule` at `item.text`: string before"
    );
}

#[test]
fn nothing_in_a_sentence_can_move_the_cursor_or_turn_the_line() {
    let mut finding = diff().findings.remove(0);
    finding.path = Some("a\u{1b}[2J\u{202e}\nb".to_owned());
    assert_eq!(
        wording(&finding).what.to_string(),
        "`item.completed` loses `a\\u{1b}[2J\\u{202e}\\u{a}b` (string)"
    );
}

#[test]
fn the_most_important_come_first() {
    let diff = diff();
    assert_eq!(
        Counts::of(&diff.findings).words(),
        "2 breaking, 3 risky, 2 additive, 1 without effect"
    );
    assert_eq!(Counts::of(&[]).words(), "nothing");
    assert_eq!(summary::worst(&diff.findings), Severity::Breaking);
    let first = |findings: &[Finding]| -> Vec<String> {
        let found = summary::most_important(findings, 3);
        found.iter().map(|finding| wording(finding).what.to_string()).collect()
    };
    assert_eq!(
        first(&diff.findings),
        [
            "the method `session/request_permission` is gone",
            "`item.completed` loses `item.text` (string)",
            "`item.plan` is a new event"
        ]
    );
    let mut turned = diff.findings.clone();
    turned.reverse();
    assert_eq!(first(&turned), first(&diff.findings));
    // Near the root before far from it.
    let of = |path: &str| finding("field_removed", Severity::Breaking, "e", path);
    assert_eq!(first(&[of("a.b[].c"), of("z")])[0], "`e` loses `z`");
}
