//! The compatibility answer, the gate and the explanation.

use agent_contracts_config::agent::SupportDef;
use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_registry::compatibility::{Question, answer};
use agent_contracts_registry::matrix::{self, Records, Verdict, explain, gate, generate};
use agent_contracts_registry::promotion::Request;
use agent_contracts_registry::records::{AllowRun, CompatibilityDto, MatrixPolicy, Platform, SupportMatrix};
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::testing::{Run, releases};
use agent_contracts_wire::formats::Sha256;

use crate::common::{decide, of, with_policy};

const NOW: &str = "2026-07-05T10:00:00Z";

fn tree() -> Records {
    let runs = [
        Run::of("0.133.0"),
        Run::of("0.134.0"),
        Run::of("0.135.0").shape("b"),
        Run::of("0.135.0").at("2026-06-27T11:00:00Z"),
        Run::of("0.136.0").probe("version-probe").shape("v"),
        Run::of("0.137.0")
            .shape("c")
            .with(|run| run.replay = "incompatible".to_owned()),
        Run::of("0.138.0").shape("d"),
    ];
    let mut records = with_policy(&runs, |support| support.bridge = false);
    records.releases = vec![releases("codex", &["0.140.0", "0.139.0-alpha.1"])];
    let breaks = Request::Breaks {
        of: of("0.138.0"),
        shape_alone: false,
        versions: vec![],
        platforms: vec![Platform::LinuxX64],
        breaks: "it hangs".parse().unwrap(),
        links: vec![],
    };
    decide(&mut records, "2026-06-28T10:00:00Z", &breaks).unwrap();
    records
}

fn codex(records: &Records) -> AgentEntry {
    let agents = &records.agents.as_ref().unwrap().agents;
    agents.iter().find(|agent| agent.id == "codex").unwrap().clone()
}

fn ask(records: &Records, matrix: Option<&SupportMatrix>, version: &str, probed: Option<&Sha256>) -> CompatibilityDto {
    let (agent, version) = (codex(records), version.parse().ok());
    let question = Question {
        agent: &agent,
        version: version.as_ref(),
        platform: Platform::LinuxX64,
        probed,
        now: NOW.parse().unwrap(),
    };
    answer(matrix, "codex".parse().unwrap(), &question)
}

/// One line: version, status, policy, action, source, range, whether there are variants.
fn line(version: &str, dto: &CompatibilityDto) -> String {
    format!(
        "{version:8} {} {} {} {} {} {}",
        dto.status,
        dto.policy.allow_run,
        dto.policy.user_action,
        dto.evidence.source,
        dto.evidence.version_range.as_ref().map_or("-", AsRef::as_ref),
        dto.evidence.server_variant_possible
    )
}

#[test]
fn the_status_is_found_in_the_order_of_the_specification() {
    let records = tree();
    let matrix = generate(&records).matrix;
    let versions = [
        "0.43.0", "0.132.0", "0.133.0", "0.134.0", "0.134.5", "0.135.0", "0.136.0", "0.137.0", "0.138.0", "0.140.0",
        "-",
    ];
    let lines: Vec<String> = versions
        .iter()
        .map(|version| line(version, &ask(&records, Some(&matrix), version, None)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    0.43.0   too_old block upgrade_cli support_matrix <0.44.0 false
    0.132.0  unknown warn run_local_probe none - false
    0.133.0  version_range_verified warn run_local_probe support_matrix 0.133.0 false
    0.134.0  version_range_verified warn run_local_probe support_matrix 0.134.0 false
    0.134.5  unknown warn run_local_probe none - false
    0.135.0  server_variant_possible warn run_local_probe support_matrix 0.135.0 true
    0.136.0  newer_than_verified warn run_local_probe support_matrix 0.136.0 false
    0.137.0  known_breaking block pin_supported_version known_breaking 0.137.0 false
    0.138.0  known_breaking block pin_supported_version known_breaking 0.138.0 false
    0.140.0  newer_than_verified warn run_local_probe support_matrix >0.135.0 false
    -        unknown warn none none - false
    ");
}

#[test]
fn a_probe_wins_over_what_is_only_known_of_the_version() {
    let records = tree();
    let matrix = generate(&records).matrix;
    let shape = |name: &str| -> Sha256 { Run::of("1.0.0").shape(name).shape_record().signature.parse().unwrap() };
    let lines: Vec<String> = [
        ("0.133.0", shape("a")),
        ("0.140.0", shape("a")),
        ("0.137.0", shape("a")),
        ("0.133.0", shape("c")),
        ("0.133.0", shape("z")),
        // What is too old or known to break is not probed.
        ("0.43.0", shape("a")),
        ("0.138.0", shape("a")),
    ]
    .iter()
    .map(|(version, shape)| line(version, &ask(&records, Some(&matrix), version, Some(shape))))
    .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    0.133.0  local_shape_verified allow none local_probe 0.133.0 false
    0.140.0  local_shape_verified allow none local_probe >0.135.0 false
    0.137.0  local_shape_verified allow none local_probe 0.137.0 false
    0.133.0  known_breaking_shape block upgrade_cli local_probe 0.133.0 false
    0.133.0  active_shape_unknown warn report_unknown_shape local_probe 0.133.0 false
    0.43.0   too_old block upgrade_cli support_matrix <0.44.0 false
    0.138.0  known_breaking block pin_supported_version known_breaking 0.138.0 false
    ");
    let dto = ask(&records, Some(&matrix), "0.133.0", Some(&shape("a")));
    assert_eq!(dto.generated_at, NOW);
    assert_eq!(dto.evidence.observed_at.unwrap(), "2026-06-27T11:00:00Z");
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let records = tree();
    let matrix = generate(&records).matrix;
    insta::assert_snapshot!(pretty(&ask(&records, Some(&matrix), "0.135.0", None)).unwrap());
    let nothing = ask(&records, None, "0.135.0", None);
    assert_eq!(line("0.135.0", &nothing), "0.135.0  unknown warn none none - false");
    // The floor of the agent's file holds without a matrix.
    assert_eq!(ask(&records, None, "0.43.0", None).status.word(), "too_old");
}

#[test]
fn a_range_says_nothing_about_prereleases_and_a_policy_never_allows_without_a_probe() {
    let mut records = with_policy(&[Run::of("0.133.0"), Run::of("0.135.0")], |support| {
        *support = SupportDef::default();
        support.bridge = true;
    });
    records.releases = vec![releases("codex", &["0.134.0"])];
    let mut matrix = generate(&records).matrix;
    let status = |matrix: &SupportMatrix, version: &str| ask(&records, Some(matrix), version, None).status.word();
    assert_eq!(status(&matrix, "0.134.0"), "version_range_verified");
    assert_eq!(status(&matrix, "0.134.0-alpha.1"), "unknown");
    matrix.agents[0].policy = Some(MatrixPolicy {
        allow_run: Some(AllowRun::Allow),
    });
    let dto = ask(&records, Some(&matrix), "0.134.0", None);
    assert_eq!(dto.policy.allow_run, AllowRun::Warn);
}

#[test]
fn the_gate_asks_for_tier_0_and_shows_tier_1() {
    let mut records = tree();
    let agents = |records: &Records| records.agents.clone().unwrap();
    let matrix = generate(&records).matrix;
    let at = |records: &Records, now: &str| gate(&matrix, &agents(records), &now.parse().unwrap());
    let of = |gate: &matrix::Gate, family: &str| {
        let asked = gate
            .asked
            .iter()
            .find(|one| one.agent == "codex" && one.protocol_family == family);
        let asked = asked.unwrap();
        (asked.verdict, asked.fails)
    };
    // The last second of the seventh day is fresh.
    assert_eq!(
        of(&at(&records, "2026-07-04T11:00:00Z"), "json-event-stream/v1"),
        (Verdict::Fresh, false)
    );
    assert_eq!(
        of(&at(&records, "2026-07-04T11:00:01Z"), "json-event-stream/v1"),
        (Verdict::Stale, true)
    );
    assert_eq!(of(&at(&records, NOW), "codex-app-server/v1"), (Verdict::Missing, true));
    let gate = at(&records, NOW);
    assert!(
        !gate.passed
            && gate
                .asked
                .iter()
                .all(|one| one.tier < 2 && (one.tier == 0 || !one.fails))
    );
    assert!(gate.asked.iter().any(|one| one.tier == 1));
    for agent in &mut records.agents.as_mut().unwrap().agents {
        let families = agent.protocol_families.iter();
        agent.support.exempt = families.map(|family| (family.clone(), "a test".to_owned())).collect();
    }
    let exempt = at(&records, NOW);
    assert!(exempt.passed, "{exempt:?}");
    assert_eq!(of(&exempt, "json-event-stream/v1"), (Verdict::Exempt, false));
    assert_eq!(Verdict::Exempt.word(), "exempt");
}

#[test]
fn every_claim_leads_back_to_files() {
    let mut records = tree();
    let explained = |records: &Records, version: &str| {
        let explained = explain(records, &generate(records), "codex", &version.parse().unwrap());
        explained
            .claims
            .iter()
            .map(|claim| (claim.rule.id, claim.observations.len(), claim.decisions.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(explained(&records, "0.133.0"), [("observed", 1, 0)]);
    assert_eq!(explained(&records, "0.135.0"), [("several_shapes", 2, 0)]);
    assert_eq!(explained(&records, "0.137.0"), [("breaking_shape", 1, 0)]);
    assert_eq!(explained(&records, "0.138.0"), [("breaking_version", 1, 1)]);
    assert_eq!(explained(&records, "0.140.0"), [("newer", 0, 0)]);
    assert_eq!(explained(&records, "0.43.0"), [("too_old", 0, 0), ("too_old", 0, 0)]);
    assert_eq!(explained(&records, "0.132.0"), []);
    let nothing = explain(&records, &generate(&records), "codex", &"0.132.0".parse().unwrap());
    assert_eq!(nothing.otherwise.map(|rule| rule.id), Some("nothing"));
    assert_eq!(nothing.files, ["registry/agents.json", "registry/releases/codex.json"]);

    for agent in &mut records.agents.as_mut().unwrap().agents {
        agent.support.bridge = agent.id == "codex";
    }
    assert_eq!(explained(&records, "0.133.0"), [("observed", 1, 0)]);
    // Nobody ran it: both ends are shown.
    assert_eq!(explained(&records, "0.133.7"), [("bridged", 2, 0)]);
}
