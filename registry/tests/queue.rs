//! The capture queue and the evidence index, as functions of records.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_registry::index::derive as index_of;
use agent_contracts_registry::queue::derive;
use agent_contracts_registry::{CaptureJob, EvidenceIndex, QueueAgent, Release, ReleaseFile, Standing};
use agent_contracts_source_evidence::SourceEvidence;
use agent_contracts_source_evidence::testing::{diff, evidence};
use agent_contracts_wire::Severity;

fn release(version: &str) -> Release {
    serde_json::from_value(serde_json::json!({
        "version": version, "prerelease": version.contains('-'), "channels": {}, "platforms": [],
        "first_seen": format!("2026-06-0{}T00:00:00Z", version.len()), "withdrawn": version.ends_with("13")
    }))
    .unwrap()
}

fn releases(agent: &str, versions: &[&str]) -> ReleaseFile {
    ReleaseFile {
        schema_version: 1,
        agent: agent.to_owned(),
        releases: versions.iter().map(|version| release(version)).collect(),
    }
}

fn agent(id: &str, tier: u8, verified: Option<&str>) -> QueueAgent {
    QueueAgent {
        id: id.to_owned(),
        tier,
        scan_only: id == "acp",
        latest_verified: verified.map(str::to_owned),
        observed_days: verified.map(|_| 3),
    }
}

fn record(discovered_at: &str, version: &str, extractor: &str, findings: bool) -> (String, SourceEvidence) {
    let mut diff = diff();
    if !findings {
        diff.findings.retain(|finding| finding.severity < Severity::Risky);
    }
    let mut record = evidence(discovered_at, &diff).unwrap();
    version.clone_into(&mut record.cli_version);
    extractor.clone_into(&mut record.extensions.extractor);
    if let Some(step) = &mut record.extensions.step {
        version.clone_into(&mut step.to.version);
    }
    record.extensions.identity = record.identity().unwrap();
    (record.place(), record)
}

fn lines(jobs: &[CaptureJob]) -> String {
    let line = |job: &CaptureJob| {
        format!(
            "{} {} {} since {}: {}",
            job.priority.0, job.agent, job.version, job.since, job.reason
        )
    };
    jobs.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_index_names_the_newest_record_of_each_step() {
    let records = [
        record("2026-06-02T00:00:00Z", "0.133.0", "new", true),
        record("2026-06-01T00:00:00Z", "0.133.0", "old", true),
        record("2026-06-01T00:00:00Z", "0.134.0", "old", false),
    ];
    let index = index_of(&records);
    let steps: Vec<(&str, &str, Standing)> = index
        .steps
        .iter()
        .map(|step| (step.to.as_str(), step.record.as_str(), step.standing))
        .collect();
    assert_eq!(
        steps,
        [
            ("0.133.0", records[0].0.as_str(), Standing::Open),
            ("0.134.0", records[2].0.as_str(), Standing::NothingToSettle)
        ]
    );
    let mut turned = records.to_vec();
    turned.reverse();
    assert_eq!(index_of(&turned), index);
}

#[test]
fn what_waits_and_in_which_order() {
    let index = index_of(&[record("2026-06-09T00:00:00Z", "0.133.0", "x", true)]);
    let agents = [
        agent("codex", 0, Some("0.132.0")),
        agent("pi", 0, None),
        agent("aider", 1, None),
        agent("acp", 1, None),
        agent("far", 2, None),
    ];
    let known = [
        releases(
            "codex",
            &[
                "0.135.0-alpha.1",
                "0.134.0",
                "0.133.0",
                "0.132.13",
                "0.132.0",
                "0.131.0",
            ],
        ),
        releases("pi", &["1.1-rc", "1.0", "0.9"]),
        releases("aider", &["2.0"]),
        releases("acp", &["3.0"]),
        releases("far", &["4.0"]),
    ];
    insta::assert_snapshot!(lines(&derive(&agents, &known, &index)));
}

#[test]
fn a_package_of_types_with_numbers_of_its_own_stands_for_the_newest_release() {
    let index = index_of(&[record("2026-06-09T00:00:00Z", "0.133.0", "x", true)]);
    let jobs = derive(
        &[agent("codex", 0, Some("9.0"))],
        &[releases("codex", &["9.0", "8.0"])],
        &index,
    );
    insta::assert_snapshot!(lines(&jobs));
    // Without any release the step still waits, under its own number.
    let jobs = derive(&[agent("codex", 0, None)], &[], &index);
    assert_eq!(
        jobs.iter().map(|job| job.version.as_str()).collect::<Vec<_>>(),
        ["0.133.0"]
    );
}

#[test]
fn withdrawn_versions_cannot_be_installed_and_do_not_wait() {
    let index = index_of(&[record("2026-06-09T00:00:00Z", "0.132.13", "x", true)]);
    let jobs = derive(
        &[agent("codex", 0, Some("0.132.0"))],
        &[releases("codex", &["0.132.13", "0.132.0"])],
        &index,
    );
    assert_eq!(jobs, []);
}

#[test]
fn without_records_nothing_waits() {
    assert_eq!(derive(&[agent("codex", 0, None)], &[], &EvidenceIndex::default()), []);
}
