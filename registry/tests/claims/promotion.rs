//! Promotion: what holds, what is refused with which code, and what undoes it.

use agent_contracts_registry::matrix::{Records, generate};
use agent_contracts_registry::promotion::{self, Refusal, Request, Selection, Signer, codes, rules};
use agent_contracts_registry::records::{
    AttestedBy, Independence, ObservedLevel, Platform, PromotedLevel, Promotion, PromotionAction, VariantStatus,
};
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::testing::{Run, decided, shape};
use agent_contracts_registry::{Store, Written};
use agent_contracts_shapes::Validity;

use crate::common::{agents, decide, of, plain, signer};

const LATER: &str = "2026-07-01T10:00:00Z";

fn raise(to: PromotedLevel, of: Selection) -> Request {
    Request::Raise {
        to,
        of,
        reproduction: None,
    }
}

fn confirm() -> Request {
    raise(PromotedLevel::Confirmed, of("0.133.0"))
}

fn community(url: &str) -> Request {
    Request::Raise {
        to: PromotedLevel::CommunityConfirmed,
        of: of("0.133.0"),
        reproduction: Some(url.parse().unwrap()),
    }
}

/// The codes of what is refused.
fn refused(records: &Records, request: &Request, signer: &Signer) -> Vec<&'static str> {
    match promotion::decide(records, &"codex".parse().unwrap(), request, signer) {
        Ok(promotion) => panic!("it holds: {promotion:?}"),
        Err(refusals) => refusals.iter().map(|refusal| refusal.code).collect(),
    }
}

fn twice() -> [Run; 2] {
    [Run::of("0.133.0"), Run::of("0.133.0").at("2026-06-28T10:00:00Z")]
}

#[test]
fn two_captures_a_day_apart_confirm() {
    let mut records = plain(&twice());
    let path = decide(&mut records, LATER, &confirm()).unwrap();
    let record = &records.decisions[0].record;
    assert_eq!(path, record.place().unwrap());
    let PromotionAction::Promote {
        independence,
        observations,
        ..
    } = &record.action
    else {
        panic!("{record:?}")
    };
    assert_eq!((*independence, observations.len()), (Independence::TimeWindow, 2));
    let attestation = &record.attestation;
    assert_eq!((attestation.by.as_ref(), attestation.artifacts.len()), ("octocat", 2));
    let level = |records: &Records| generate(records).matrix.agents[0].observed_shapes[0].validity_level;
    assert_eq!(level(&records), ObservedLevel::Confirmed);

    // Undone by a record: the bytes are those of before, the decision is still there.
    decide(
        &mut records,
        "2026-07-02T10:00:00Z",
        &Request::Undo { decision: path.clone() },
    )
    .unwrap();
    assert_eq!(records.decisions.len(), 2);
    let before = pretty(&generate(&plain(&twice())).matrix).unwrap();
    assert_eq!(pretty(&generate(&records).matrix).unwrap(), before);
    assert!(generate(&records).ignored[0].why[0].starts_with("taken back by registry/promotions/codex/2026-07-02"));
    // Taken back twice is once; and taking that back brings the first one back.
    let undo = Request::Undo { decision: path };
    assert_eq!(
        refused(&records, &undo, &signer("2026-07-03T10:00:00Z")),
        [codes::ALREADY]
    );
    let second = records.decisions[1].path.to_string();
    decide(
        &mut records,
        "2026-07-03T10:00:00Z",
        &Request::Undo { decision: second },
    )
    .unwrap();
    assert_eq!(level(&records), ObservedLevel::Confirmed);
}

#[test]
fn another_runner_confirms_too() {
    let other = Run::of("0.133.0")
        .at("2026-06-27T11:00:00Z")
        .with(|run| run.runner = "test-runner/2".to_owned());
    let mut records = plain(&[Run::of("0.133.0"), other]);
    decide(&mut records, LATER, &confirm()).unwrap();
    let action = pretty(&records.decisions[0].record).unwrap();
    assert!(action.contains("\"independence\": \"runner\""), "{action}");
}

#[test]
fn a_reproduction_confirms_for_the_community() {
    let mut records = plain(&[Run::of("0.133.0")]);
    decide(
        &mut records,
        LATER,
        &community("https://github.com/somebody/else/actions/runs/7"),
    )
    .unwrap();
    let level = generate(&records).matrix.agents[0].observed_shapes[0].validity_level;
    assert_eq!(level, ObservedLevel::CommunityConfirmed);
    // What is stronger already is not made weaker.
    assert_eq!(refused(&records, &confirm(), &signer(LATER)), [codes::ALREADY]);
}

#[test]
fn what_is_refused_names_the_rule() {
    let run = Run::of("0.133.0");
    let soon = run.clone().at("2026-06-27T12:00:00Z");
    let late = run.clone().at("2026-06-28T10:00:00Z");
    let source = shape("json-event-stream/v1", "only-in-source", Validity::SourceDerived);
    let mut with_source = plain(&[run.clone()]);
    with_source
        .shapes
        .insert(source.signature.parse().unwrap(), Validity::SourceDerived);
    let of_shape = |digits: &str| Selection {
        shape: Some(digits.to_owned()),
        ..of("0.133.0")
    };
    let mut said_twice = plain(&[run.clone()]);
    said_twice.observations.push({
        let mut seen = said_twice.observations[0].clone();
        seen.path = run.clone().probe("chat-tool-success").seen().path;
        seen
    });
    let variants = |of| Request::Variants {
        of,
        statuses: vec![],
        platforms: vec![],
    };
    let cases: Vec<(&str, Records, Request, &[&str])> = vec![
        ("one capture", plain(&[run.clone()]), confirm(), &[codes::TOO_FEW]),
        ("one run told twice", said_twice, confirm(), &[codes::TOO_FEW]),
        (
            "two hours apart",
            plain(&[run.clone(), soon.clone()]),
            confirm(),
            &[codes::NOT_INDEPENDENT],
        ),
        (
            "no such version",
            plain(&[run.clone()]),
            raise(PromotedLevel::Confirmed, of("9.9.9")),
            &[codes::NO_OBSERVATION],
        ),
        (
            "two shapes",
            plain(&[run.clone(), late.clone().shape("b")]),
            confirm(),
            &[codes::MIXED],
        ),
        (
            "a signature that nobody knows",
            plain(&[run.clone()]),
            raise(PromotedLevel::Confirmed, of_shape("sha256:ffff")),
            &[codes::NEVER_OBSERVED],
        ),
        (
            "a shape that was derived from source",
            with_source,
            raise(PromotedLevel::Confirmed, of_shape(&source.signature)),
            &[codes::NEVER_OBSERVED],
        ),
        (
            "no reproduction",
            plain(&[run.clone()]),
            raise(PromotedLevel::CommunityConfirmed, of("0.133.0")),
            &[codes::NO_REPRODUCTION],
        ),
        (
            "nobody can attest it",
            plain(&[run.clone(), late.clone()].map(|run| run.with(|run| run.attestable = false))),
            confirm(),
            &[codes::NOT_ATTESTED, codes::NOT_ATTESTED],
        ),
        (
            "redaction waits for a person",
            plain(
                &[run.clone(), late.clone()]
                    .map(|run| run.with(|run| run.redaction = "manual_review_required".to_owned())),
            ),
            confirm(),
            &[codes::NOT_COUNTED, codes::NOT_COUNTED],
        ),
        (
            "a file that is none",
            plain(&[run.clone()]),
            raise(
                PromotedLevel::Confirmed,
                Selection {
                    files: vec!["observations/x".to_owned()],
                    ..Selection::default()
                },
            ),
            &[codes::NO_OBSERVATION],
        ),
        (
            "one variant",
            plain(&[run.clone()]),
            variants(of("0.133.0")),
            &[codes::TOO_FEW],
        ),
        (
            "variants of two versions",
            plain(&[run.clone(), Run::of("0.134.0").shape("b")]),
            variants(Selection::default()),
            &[codes::MIXED],
        ),
        (
            "a status of a shape that was not seen",
            plain(&[run.clone(), soon.clone().shape("b")]),
            Request::Variants {
                of: of("0.133.0"),
                statuses: vec![("ffff".to_owned(), VariantStatus::Compatible)],
                platforms: vec![Platform::LinuxX64],
            },
            &[codes::NEVER_OBSERVED],
        ),
        (
            "a decision that is none",
            plain(&[run.clone()]),
            Request::Undo {
                decision: "0a1b2c3d".to_owned(),
            },
            &[codes::NO_DECISION],
        ),
    ];
    for (what, records, request, expected) in cases {
        assert_eq!(refused(&records, &request, &signer(LATER)), expected, "{what}");
    }
    let records = plain(&[run, late]);
    let contributor = Signer {
        role: AttestedBy::Contributor,
        ..signer(LATER)
    };
    assert_eq!(refused(&records, &confirm(), &contributor), [codes::NOT_A_MAINTAINER]);
    let unchecked = Signer {
        redaction_checked: false,
        ..signer(LATER)
    };
    assert_eq!(refused(&records, &confirm(), &unchecked), [codes::NOT_ATTESTED]);
    let early = signer("2026-06-28T09:00:00Z");
    assert_eq!(refused(&records, &confirm(), &early), [codes::TOO_EARLY]);
}

#[test]
fn a_refusal_says_what_would_satisfy_it() {
    let records = plain(&[Run::of("0.133.0"), Run::of("0.133.0").at("2026-06-27T12:00:00Z")]);
    let refusals = promotion::decide(&records, &"codex".parse().unwrap(), &confirm(), &signer(LATER)).unwrap_err();
    insta::assert_snapshot!(refusals.iter().map(Refusal::to_string).collect::<String>(), @r"
    less than 24 hours lie between 2 captures on test-runner/1 (PRM025)
    hint: capture it again at 2026-06-28T10:00:00Z or later, or on another runner image than test-runner/1
    ");
}

#[test]
fn a_variant_is_cleared_once_and_only_to_one_of_its_shapes() {
    let mut records = plain(&[
        Run::of("0.133.0"),
        Run::of("0.133.0").shape("b").at("2026-06-27T12:00:00Z"),
    ]);
    let variants = Request::Variants {
        of: of("0.133.0"),
        statuses: vec![],
        platforms: vec![],
    };
    let path = decide(&mut records, LATER, &variants).unwrap();
    assert_eq!(refused(&records, &variants, &signer(LATER)), [codes::ALREADY]);
    let clear = |shape: &str| Request::Clear {
        decision: path.clone(),
        shape: shape.to_owned(),
    };
    assert_eq!(
        refused(&records, &clear("ffff"), &signer(LATER)),
        [codes::NEVER_OBSERVED]
    );
    let left = Run::of("0.133.0").shape_record().signature;
    let cleared = decide(&mut records, "2026-07-02T10:00:00Z", &clear(&left)).unwrap();
    assert_eq!(
        refused(&records, &clear(&left), &signer("2026-07-03T10:00:00Z")),
        [codes::ALREADY]
    );
    let wrong = Request::Clear {
        decision: cleared,
        shape: left,
    };
    assert_eq!(
        refused(&records, &wrong, &signer("2026-07-03T10:00:00Z")),
        [codes::NO_DECISION]
    );
}

#[test]
fn what_breaks_must_have_been_seen_and_is_said_once() {
    let mut records = plain(&[
        Run::of("0.133.0"),
        Run::of("0.133.0").shape("b").at("2026-06-27T12:00:00Z"),
    ]);
    let breaks = |shape_alone| Request::Breaks {
        of: of("0.133.0"),
        shape_alone,
        versions: vec![],
        platforms: vec![],
        breaks: "it hangs".parse().unwrap(),
        links: vec![],
    };
    assert_eq!(refused(&records, &breaks(true), &signer(LATER)), [codes::MIXED]);
    decide(&mut records, LATER, &breaks(false)).unwrap();
    assert_eq!(refused(&records, &breaks(false), &signer(LATER)), [codes::ALREADY]);
    // Written by hand, with nothing but an address.
    let mut record: Promotion = records.decisions[0].record.clone();
    if let PromotionAction::KnownBreaking { evidence, .. } = &mut record.action {
        *evidence = vec!["https://github.com/acme/x/issues/1".parse().unwrap()];
    }
    let known = agent_contracts_registry::matrix::Known::new(&records);
    let codes_of: Vec<&str> = rules::check(&record, &known)
        .iter()
        .map(|refusal| refusal.code)
        .collect();
    assert_eq!(codes_of, [codes::NOT_SEEN_BREAKING]);
}

/// The real store, in a folder of the test's own.
#[test]
fn the_store_keeps_decisions_and_the_level_of_shapes() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("contracts")).unwrap();
    let writer = store.lock().unwrap();
    writer.put_agents(&agents()).unwrap();
    for run in twice() {
        writer.put_shape(&run.shape_record()).unwrap();
        let put = writer.put_observation(&run.observation()).unwrap();
        assert_eq!(put.written, Written::New);
        assert_eq!(
            writer.put_observation(&run.observation()).unwrap().written,
            Written::Same
        );
    }
    let mut other = twice()[0].observation();
    other.capture.runner = "somebody".parse().unwrap();
    assert!(
        writer
            .put_observation(&other)
            .unwrap_err()
            .to_string()
            .contains("records never change")
    );

    let read = store.claim_records().unwrap();
    let made = plain(&twice());
    assert_eq!(read.observations, made.observations);
    assert_eq!(read.shapes, made.shapes);
    let (matrix, _) = writer.put_matrix().unwrap();
    assert_eq!(store.matrix().unwrap(), Some(matrix.clone()));
    let first = store.read("registry/support-matrix.json").unwrap();

    let promotion = promotion::decide(&read, &"codex".parse().unwrap(), &confirm(), &signer(LATER)).unwrap();
    let put = writer.put_promotion(&promotion).unwrap();
    assert_eq!(put.path, decided(promotion).path.as_str());
    let (_, puts) = writer.put_matrix().unwrap();
    assert!(
        puts.iter().all(|put| put.written == Written::Changed) && puts.len() == 2,
        "{puts:?}"
    );
    let level = |store: &Store| -> Validity {
        let path = twice()[0].shape_record().place().unwrap();
        store
            .read_json::<agent_contracts_shapes::Shape>(&path)
            .unwrap()
            .unwrap()
            .validity_level
    };
    assert_eq!(level(&store), Validity::Confirmed);
    let undo = Request::Undo { decision: put.path };
    let records = store.claim_records().unwrap();
    let promotion = promotion::decide(&records, &"codex".parse().unwrap(), &undo, &signer(LATER)).unwrap();
    writer.put_promotion(&promotion).unwrap();
    writer.put_matrix().unwrap();
    assert_eq!(level(&store), Validity::RuntimeObserved);
    assert_eq!(store.read("registry/support-matrix.json").unwrap(), first);

    writer
        .put_text("observations/codex/x.observation.json", &pretty(&other).unwrap())
        .unwrap();
    assert!(
        store
            .claim_records()
            .unwrap_err()
            .to_string()
            .contains("observations/codex/x.observation.json")
    );
}
