//! The matrix: every status by its smallest tree, and what must never happen.

use crate::common::{agents, decide, of, plain, with_policy};
use agent_contracts_config::agent::{OnBreaking, SupportDef};
use agent_contracts_registry::matrix::{self, Records, generate, rules};
use agent_contracts_registry::promotion::{Request, Selection};
use agent_contracts_registry::records::{
    AllowRun, MatrixEntry, ObservedLevel, PromotedLevel, SupportMatrix, SupportStatus, VariantStatus,
};
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::testing::{Run, records, releases};
use agent_contracts_shapes::Validity;

/// One line an entry: status, ranges, platforms, how many shapes, rule.
fn lines(records: &Records) -> Vec<String> {
    let generated = generate(records);
    let line = |(entry, grounds): (&MatrixEntry, &matrix::Grounds<'_>)| {
        let ranges: Vec<&str> = entry.version_ranges.iter().map(AsRef::as_ref).collect();
        let platforms: Vec<&str> = entry.platforms.iter().map(|platform| platform.word()).collect();
        format!(
            "{} {} | {} | {} shapes | {}",
            entry.support_status,
            ranges.join(", "),
            if platforms.len() == 6 {
                "everywhere".to_owned()
            } else {
                platforms.join(" ")
            },
            entry.observed_shapes.len(),
            grounds.rule.id
        )
    };
    let entries = generated.matrix.agents.iter().zip(&generated.grounds);
    entries
        .filter(|(entry, _)| entry.agent.as_str() == "codex")
        .map(line)
        .collect()
}

fn bridging(runs: &[Run]) -> Records {
    with_policy(runs, |support| {
        *support = SupportDef::default();
        support.bridge = true;
    })
}

#[test]
fn every_status_has_a_smallest_tree() {
    let run = Run::of("0.133.0");
    let other = run.clone().shape("b").at("2026-06-27T11:00:00Z");
    let cases: Vec<(&str, Records, &[&str])> = vec![
        ("nothing ran", plain(&[]), &[]),
        (
            "one conversation",
            plain(&[run.clone()]),
            &["version_range_verified 0.133.0 | linux-x64 | 1 shapes | observed"],
        ),
        (
            "two shapes under one probe",
            plain(&[run.clone(), other.clone()]),
            &["server_variant_possible 0.133.0 | linux-x64 | 2 shapes | several_shapes"],
        ),
        (
            "two shapes under two probes",
            plain(&[run.clone(), other.clone().probe("chat-tool-success")]),
            &["version_range_verified 0.133.0 | linux-x64 | 2 shapes | observed"],
        ),
        (
            "two shapes by two profiles of the normaliser",
            plain(&[run.clone(), other.clone().with(|run| run.profile = Some('1'))]),
            &["version_range_verified 0.133.0 | linux-x64 | 2 shapes | observed"],
        ),
        (
            "two shapes on two platforms",
            plain(&[run.clone(), other.clone().on("darwin-arm64")]),
            &[
                "version_range_verified 0.133.0 | darwin-arm64 | 1 shapes | observed",
                "version_range_verified 0.133.0 | linux-x64 | 1 shapes | observed",
            ],
        ),
        (
            "the same shape on two platforms",
            plain(&[run.clone(), run.clone().on("darwin-arm64")]),
            &["version_range_verified 0.133.0 | darwin-arm64 linux-x64 | 1 shapes | observed"],
        ),
        (
            "no conversation",
            plain(&[run.clone().probe("version-probe")]),
            &["active_shape_unknown 0.133.0 | linux-x64 | 1 shapes | no_conversation"],
        ),
        (
            "a conversation that failed",
            plain(&[run.clone().with(|run| run.failed = true)]),
            &["active_shape_unknown 0.133.0 | linux-x64 | 1 shapes | no_conversation"],
        ),
        (
            "one variant alone",
            plain(&[run.clone().with(|run| run.level = "server_variant".to_owned())]),
            &["active_shape_unknown 0.133.0 | linux-x64 | 1 shapes | variant_alone"],
        ),
        (
            "the parsers cannot read it",
            plain(&[run.clone().with(|run| run.replay = "incompatible".to_owned())]),
            &["known_breaking_shape 0.133.0 | linux-x64 | 1 shapes | breaking_shape"],
        ),
        (
            "a newer release",
            {
                let mut records = plain(&[run.clone()]);
                records.releases = vec![releases("codex", &["0.134.1", "0.133.0", "0.135.0-alpha.1"])];
                records
            },
            &[
                "version_range_verified 0.133.0 | linux-x64 | 1 shapes | observed",
                "newer_than_verified >0.133.0 | linux-x64 | 0 shapes | newer",
            ],
        ),
        (
            "the floor of the agent's file",
            with_policy(&[Run::of("0.43.0")], |support| support.bridge = false),
            &[
                "too_old <0.44.0 | everywhere | 0 shapes | too_old",
                "too_old <0.44.0 | everywhere | 0 shapes | too_old",
            ],
        ),
        (
            "redaction did not pass",
            plain(&[run
                .clone()
                .with(|run| run.redaction = "manual_review_required".to_owned())]),
            &[],
        ),
        (
            "a family that the agent never declared",
            plain(&[run.clone().with(|run| run.family = "pi-rpc/v1".to_owned())]),
            &[],
        ),
        (
            "an agent that nobody knows",
            plain(&[run.clone().with(|run| run.agent = "quill".to_owned())]),
            &[],
        ),
        (
            "an agent that is only scanned",
            plain(&[run.clone().with(|run| run.agent = "acp".to_owned())]),
            &[],
        ),
    ];
    for (what, records, expected) in cases {
        assert_eq!(lines(&records), expected, "{what}");
    }
}

#[test]
fn decisions_give_the_other_statuses() {
    let run = Run::of("0.133.0");
    let other = run.clone().shape("b").at("2026-06-27T11:00:00Z");
    let breaks = |of: Selection, shape_alone| Request::Breaks {
        of,
        shape_alone,
        versions: vec![],
        platforms: vec![],
        breaks: "missing required assistant text event".parse().unwrap(),
        links: vec![],
    };

    let mut records = plain(&[
        run.clone(),
        other.clone().with(|run| run.version = "0.134.0".to_owned()),
    ]);
    decide(&mut records, "2026-06-28T10:00:00Z", &breaks(of("0.134.0"), false)).unwrap();
    assert_eq!(
        lines(&records),
        [
            "version_range_verified 0.133.0 | linux-x64 | 1 shapes | observed",
            "newer_than_verified >0.133.0 | linux-x64 | 0 shapes | newer",
            "known_breaking 0.134.0 | everywhere | 1 shapes | breaking_version",
        ]
    );
    let matrix = generate(&records).matrix;
    let broken = codex(&matrix, SupportStatus::KnownBreaking);
    assert_eq!(broken.allow_run(), AllowRun::Block);
    assert_eq!(
        broken.known_breaking_shapes[0].reason,
        "missing required assistant text event"
    );
    assert!(
        broken.known_breaking_shapes[0]
            .evidence
            .as_str()
            .starts_with("observations/codex/0.134.0/")
    );

    // One of two shapes breaks: the version has variants, and one of them is known to break.
    let mut records = plain(&[run.clone(), other.clone()]);
    let shape_b = other.shape_record().signature;
    decide(
        &mut records,
        "2026-06-28T10:00:00Z",
        &breaks(
            Selection {
                shape: Some(shape_b.clone()),
                ..of("0.133.0")
            },
            true,
        ),
    )
    .unwrap();
    let matrix = generate(&records).matrix;
    let entry = codex(&matrix, SupportStatus::ServerVariantPossible);
    let status = |shape: &str| {
        entry
            .server_variants
            .iter()
            .find(|one| one.shape == *shape)
            .unwrap()
            .status
    };
    assert_eq!(status(&shape_b), VariantStatus::Breaking);
    assert_eq!(
        status(&run.shape_record().signature),
        VariantStatus::CompatiblePendingFixture
    );
    assert_eq!(entry.known_breaking_shapes.len(), 1);

    // Variants that a decision names, and the decision that clears them.
    let mut records = plain(&[run.clone(), other.clone()]);
    let before = pretty(&generate(&records).matrix).unwrap();
    let path = decide(
        &mut records,
        "2026-06-28T10:00:00Z",
        &Request::Variants {
            of: of("0.133.0"),
            statuses: vec![(shape_b.clone(), VariantStatus::Compatible)],
            platforms: vec![],
        },
    )
    .unwrap();
    let matrix = generate(&records).matrix;
    let entry = codex(&matrix, SupportStatus::ServerVariantPossible);
    assert!(
        entry
            .observed_shapes
            .iter()
            .all(|one| one.validity_level == ObservedLevel::ServerVariant)
    );
    assert_eq!(
        entry
            .server_variants
            .iter()
            .filter(|one| one.status == VariantStatus::Compatible)
            .count(),
        1
    );
    let with_variants = records.clone();

    decide(
        &mut records,
        "2026-06-29T10:00:00Z",
        &Request::Clear {
            decision: path.clone(),
            shape: shape_b.clone(),
        },
    )
    .unwrap();
    assert_eq!(
        lines(&records),
        ["version_range_verified 0.133.0 | linux-x64 | 1 shapes | observed"]
    );
    assert!(generate(&records).not_counted[0].why.contains("not active any more"));
    // Seen again after that: it is active again.
    let mut again = records.clone();
    let late = run.clone().at("2026-06-30T10:00:00Z").seen();
    again.observations.push(late);
    assert_eq!(
        lines(&again),
        ["server_variant_possible 0.133.0 | linux-x64 | 2 shapes | several_shapes"]
    );

    let mut undone = with_variants;
    decide(&mut undone, "2026-06-30T10:00:00Z", &Request::Undo { decision: path }).unwrap();
    assert_eq!(pretty(&generate(&undone).matrix).unwrap(), before);
}

fn codex(matrix: &SupportMatrix, status: SupportStatus) -> &MatrixEntry {
    matrix
        .agents
        .iter()
        .find(|entry| entry.agent == "codex" && entry.support_status == status)
        .unwrap_or_else(|| panic!("no entry {status}: {matrix:#?}"))
}

#[test]
fn a_gap_is_spanned_only_between_equal_ends_and_only_where_the_file_allows_it() {
    let runs = |shapes: &[(&str, &str)]| -> Vec<Run> {
        shapes
            .iter()
            .map(|(version, shape)| Run::of(version).shape(shape))
            .collect()
    };
    let same = runs(&[("0.133.0", "a"), ("0.135.0", "a")]);
    assert_eq!(
        lines(&plain(&same)),
        ["version_range_verified 0.133.0, 0.135.0 | linux-x64 | 1 shapes | observed"]
    );
    let mut records = bridging(&same);
    records.releases = vec![releases(
        "codex",
        &["0.135.0", "0.134.1", "0.134.0", "0.134.0-alpha.1", "0.133.0"],
    )];
    assert_eq!(
        lines(&records),
        ["version_range_verified >=0.133.0 <=0.135.0 | linux-x64 | 1 shapes | bridged"]
    );
    let notes = generate(&records).matrix.agents[0].notes.clone();
    assert!(
        notes[0].contains("nobody ran 0.134.0, 0.134.1") && notes[0].contains("as the agent's file allows"),
        "{notes:?}"
    );
    for (what, runs) in [
        ("another shape at one end", runs(&[("0.133.0", "a"), ("0.135.0", "b")])),
        (
            "another shape in between",
            runs(&[("0.133.0", "a"), ("0.134.0", "b"), ("0.135.0", "a")]),
        ),
        (
            "a prerelease at one end",
            runs(&[("0.133.0", "a"), ("0.135.0-alpha.1", "a")]),
        ),
        (
            "no conversation in between",
            [
                runs(&[("0.133.0", "a"), ("0.135.0", "a")]),
                vec![Run::of("0.134.0").probe("version-probe")],
            ]
            .concat(),
        ),
    ] {
        let found = lines(&bridging(&runs));
        assert!(found.iter().all(|line| !line.contains(">=")), "{what}: {found:?}");
    }
    let three = runs(&[
        ("0.133.0", "a"),
        ("0.134.0", "a"),
        ("0.140.0", "a"),
        ("0.141.0", "b"),
        ("0.142.0", "a"),
    ]);
    assert_eq!(
        lines(&bridging(&three)),
        [
            "version_range_verified >=0.133.0 <=0.140.0, 0.142.0 | linux-x64 | 1 shapes | bridged",
            "version_range_verified 0.141.0 | linux-x64 | 1 shapes | observed",
        ]
    );
}

#[test]
fn what_breaks_in_between_is_not_spanned() {
    let runs = [Run::of("0.133.0"), Run::of("0.135.0"), Run::of("0.136.0").shape("b")];
    let mut records = bridging(&runs);
    let breaks = Request::Breaks {
        of: of("0.136.0"),
        shape_alone: false,
        versions: vec![">=0.134.0 <0.135.0".parse().unwrap(), "0.136.0".parse().unwrap()],
        platforms: vec![],
        breaks: "it hangs".parse().unwrap(),
        links: vec!["https://github.com/acme/x/issues/1".parse().unwrap()],
    };
    decide(&mut records, "2026-06-28T10:00:00Z", &breaks).unwrap();
    let found = lines(&records);
    assert!(
        found.contains(&"version_range_verified 0.133.0, 0.135.0 | linux-x64 | 1 shapes | observed".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(
            &"known_breaking 0.136.0, >=0.134.0 <0.135.0 | everywhere | 1 shapes | breaking_version".to_owned()
        ),
        "{found:?}"
    );
}

#[test]
fn versions_that_are_not_semantic_are_listed_one_by_one() {
    let run = |version: &str| {
        Run::of(version).with(|run| {
            run.agent = "amp".to_owned();
            run.family = "claude-stream-json/v1".to_owned();
        })
    };
    let agents = agents();
    let amp = agents.agents.iter().find(|agent| agent.id == "amp").unwrap();
    let runs = [run("0.0.1790142911-g7618fb"), run("0.0.1790142999-gabcdef")]
        .map(|run| run.with(|run| amp.protocol_families[0].clone_into(&mut run.family)));
    let mut records = records(&agents, &runs);
    records.releases = vec![releases("amp", &["0.0.1790143333-gaaaaaa", "0.0.1790142999-gabcdef"])];
    for release in &mut records.releases[0].releases {
        release.prerelease = false;
    }
    let matrix = generate(&records).matrix;
    let ranges: Vec<&str> = matrix
        .agents
        .iter()
        .filter(|entry| entry.agent == "amp")
        .flat_map(|entry| &entry.version_ranges)
        .map(AsRef::as_ref)
        .collect();
    assert_eq!(
        ranges,
        [
            "0.0.1790142911-g7618fb",
            "0.0.1790142999-gabcdef",
            "0.0.1790143333-gaaaaaa"
        ]
    );
}

#[test]
fn an_entry_says_what_it_rests_on() {
    let mut records = plain(&[
        Run::of("0.133.0"),
        Run::of("0.133.0").at("2026-06-29T10:00:00Z"),
        Run::of("0.133.0").probe("version-probe").shape("v"),
    ]);
    records.releases = vec![releases("codex", &["0.133.0"])];
    insta::assert_snapshot!("a_claim", pretty(&generate(&records).matrix).unwrap());
    decide(
        &mut records,
        "2026-06-30T10:00:00Z",
        &Request::Raise {
            to: PromotedLevel::Confirmed,
            of: Selection {
                probe: Some("chat-text-success".parse().unwrap()),
                ..of("0.133.0")
            },
            reproduction: None,
        },
    )
    .unwrap();
    let matrix = generate(&records).matrix;
    assert_eq!(matrix.generated_at, "2026-06-30T10:00:00Z");
    let entry = &matrix.agents[0];
    assert_eq!(entry.observed_shapes[0].validity_level, ObservedLevel::Confirmed);
    assert!(
        entry.notes.iter().all(|note| !note.contains("Not confirmed")),
        "{:?}",
        entry.notes
    );
    let levels = matrix::shape_levels(&records);
    assert_eq!(levels[&entry.observed_shapes[0].shape], Validity::Confirmed);
}

/// The specification's policy defaults, and the only thing that a file may change about them.
#[test]
fn policies_are_those_of_the_status() {
    let broken = [Run::of("0.133.0").with(|run| run.replay = "incompatible".to_owned())];
    let policy = |records: &Records| generate(records).matrix.agents[0].allow_run();
    assert_eq!(policy(&plain(&broken)), AllowRun::Block);
    let warned = with_policy(&broken, |support| {
        *support = SupportDef::default();
        support.known_breaking = OnBreaking::Warn;
    });
    assert_eq!(policy(&warned), AllowRun::Warn);
    assert_eq!(policy(&plain(&[Run::of("0.133.0")])), AllowRun::Warn);
}

#[test]
fn a_later_verdict_of_the_parsers_counts() {
    let broken = Run::of("0.133.0").with(|run| run.replay = "incompatible".to_owned());
    let mended = Run::of("0.133.0")
        .at("2026-06-29T10:00:00Z")
        .with(|run| run.replay = "compatible".to_owned());
    let lines = lines(&plain(&[mended, broken]));
    assert_eq!(
        lines,
        ["version_range_verified 0.133.0 | linux-x64 | 1 shapes | observed"]
    );
}

/// What is written by hand and breaks a rule changes no claim.
#[test]
fn decisions_that_break_a_rule_are_not_followed() {
    let mut records = plain(&[Run::of("0.133.0"), Run::of("0.133.0").at("2026-06-29T10:00:00Z")]);
    let before = generate(&records).matrix;
    let raise = Request::Raise {
        to: PromotedLevel::Confirmed,
        of: of("0.133.0"),
        reproduction: None,
    };
    decide(&mut records, "2026-06-30T10:00:00Z", &raise).unwrap();
    let promoted = generate(&records).matrix;
    assert_ne!(promoted.agents, before.agents);
    records.observations.pop();
    let generated = generate(&records);
    assert_eq!(generated.ignored.len(), 1);
    assert!(
        generated.ignored[0].why[0].contains("PRM021"),
        "{:?}",
        generated.ignored
    );
    assert_eq!(
        generated.matrix.agents[0].observed_shapes[0].validity_level,
        ObservedLevel::RuntimeObserved
    );
}

#[test]
fn every_rule_gives_a_status_and_has_a_name_of_its_own() {
    for rule in rules::ALL {
        assert_eq!(rules::ALL.iter().filter(|other| other.id == rule.id).count(), 1);
        assert!(rule.says.len() > 20);
    }
    // What a tree can claim: everything but what only a probe on the reader's machine can say.
    let claimed: std::collections::BTreeSet<SupportStatus> = rules::ALL.iter().map(|rule| rule.status).collect();
    assert_eq!(claimed.len(), SupportStatus::ALL.len() - 1);
    assert!(!claimed.contains(&SupportStatus::LocalShapeVerified));
}
