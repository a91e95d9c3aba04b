//! What must hold of any tree.

use agent_contracts_config::agent::SupportDef;
use agent_contracts_registry::matrix::{Records, check, generate, range};
use agent_contracts_registry::promotion::{Request, Selection};
use agent_contracts_registry::records::PromotedLevel;
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::testing::{Run, releases, shape};
use agent_contracts_shapes::Validity;
use agent_contracts_wire::version::VersionScheme;
use proptest::prelude::*;

use crate::common::{decide, of, with_policy};

const VERSIONS: &[&str] = &["0.132.0", "0.133.0", "0.133.1", "0.134.0-alpha.1", "0.134.0", "0.140.0"];

fn run() -> impl Strategy<Value = Run> {
    (
        0..VERSIONS.len(),
        prop::sample::select(vec!["linux-x64", "darwin-arm64"]),
        prop::sample::select(vec!["a", "a", "a", "b"]),
        prop::sample::select(vec![
            "chat-text-success",
            "chat-text-success",
            "chat-tool-success",
            "version-probe",
        ]),
        1..28_u32,
        prop::sample::select(vec!["not_run", "not_run", "compatible", "incompatible"]),
    )
        .prop_map(|(version, platform, shape, probe, day, replay)| {
            Run::of(VERSIONS[version])
                .on(platform)
                .shape(shape)
                .probe(probe)
                .at(&format!("2026-06-{day:02}T10:00:00Z"))
                .with(|run| replay.clone_into(&mut run.replay))
        })
}

fn tree(runs: &[Run], bridge: bool) -> Records {
    let mut records = with_policy(runs, |support| {
        *support = SupportDef::default();
        support.bridge = bridge;
    });
    records.observations.sort_by(|a, b| a.path.cmp(&b.path));
    records.observations.dedup_by(|a, b| a.path == b.path);
    records.releases = vec![releases("codex", VERSIONS)];
    records
}

fn bytes(records: &Records) -> String {
    pretty(&generate(records).matrix).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_of_inputs_never_matters(runs in prop::collection::vec(run(), 0..12), bridge: bool, by in 0..12_usize) {
        let records = tree(&runs, bridge);
        let mut turned = records.clone();
        turned.observations.reverse();
        if !turned.observations.is_empty() {
            let by = by % turned.observations.len();
            turned.observations.rotate_left(by);
        }
        prop_assert_eq!(bytes(&records), bytes(&turned));
    }

    #[test]
    fn source_evidence_never_changes_the_matrix(runs in prop::collection::vec(run(), 0..8), bridge: bool) {
        let records = tree(&runs, bridge);
        let mut more = records.clone();
        for (name, level) in [("s", Validity::SourceDerived), ("d", Validity::VendorDocumented), ("m", Validity::SyntheticMock)] {
            more.shapes.insert(shape("json-event-stream/v1", name, level).signature.parse().unwrap(), level);
        }
        prop_assert_eq!(bytes(&records), bytes(&more));
    }

    #[test]
    fn a_withdrawn_decision_leaves_no_trace(runs in prop::collection::vec(run(), 1..8), bridge: bool, shape_alone: bool, raise: bool) {
        let mut records = tree(&runs, bridge);
        let before = bytes(&records);
        let first = records.observations[0].clone();
        let only = Selection {
            shape: Some(first.shape.to_string()),
            probe: Some(first.probe.clone()),
            ..of(first.version.as_str())
        };
        let request = if raise {
            Request::Raise {
                to: PromotedLevel::CommunityConfirmed,
                of: only,
                reproduction: Some("https://example.com/run".parse().unwrap()),
            }
        } else {
            Request::Breaks { of: only, shape_alone, versions: vec![], platforms: vec![], breaks: "it".parse().unwrap(), links: vec![] }
        };
        let path = decide(&mut records, "2026-07-01T10:00:00Z", &request).unwrap();
        prop_assert_ne!(&bytes(&records), &before);
        decide(&mut records, "2026-07-02T10:00:00Z", &Request::Undo { decision: path }).unwrap();
        prop_assert_eq!(bytes(&records), before);
    }

    /// Whatever is claimed of a version on a platform, it ran there; or both its neighbours did, with one shape, and the
    /// file allows to span it.
    #[test]
    fn a_gap_is_never_claimed(runs in prop::collection::vec(run(), 0..12), bridge: bool) {
        let records = tree(&runs, bridge);
        let matrix = generate(&records).matrix;
        for entry in matrix.agents.iter().filter(|entry| entry.support_status.is_support()) {
            for range in &entry.version_ranges {
                let ends: Vec<&str> = range.as_str().split(' ').map(|part| part.trim_start_matches(['>', '<', '='])).collect();
                prop_assert!(bridge || ends.len() == 1, "{}", range);
                for platform in &entry.platforms {
                    for end in &ends {
                        let ran = records.observations.iter().any(|seen| {
                            seen.version == **end
                                && seen.platform == *platform
                                && entry.observed_shapes.iter().any(|one| one.shape == seen.shape)
                        });
                        prop_assert!(ran, "{} on {}", end, platform);
                    }
                    // Nothing that ran in between says otherwise.
                    for seen in records.observations.iter().filter(|seen| seen.platform == *platform) {
                        if ends.len() == 2 && range::Range::of(range).holds(VersionScheme::Semver, seen.version.as_str()) {
                            prop_assert!(entry.observations.contains(&seen.path) || seen.probe == "version-probe", "{}", seen.path);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn generating_again_gives_the_same_and_anything_else_is_told(runs in prop::collection::vec(run(), 1..8)) {
        let records = tree(&runs, false);
        let mut matrix = generate(&records).matrix;
        prop_assert_eq!(check(&records, &matrix), vec![]);
        let lost = matrix.agents.pop();
        prop_assert_eq!(check(&records, &matrix).is_empty(), lost.is_none());
    }
}
