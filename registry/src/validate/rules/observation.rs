//! `observations/AGENT/VERSION/PLATFORM/….observation.json`.

use std::collections::HashMap;

use agent_contracts_wire::formats::Sha256;

use super::{in_the_future, seconds};
use crate::records::{Observation, ObservedLevel, RawVisibility, RedactionStatus};
use crate::validate::Options;
use crate::validate::index::{Index, ShapeFacts};
use crate::validate::problem::{Problem, Teller, step};

pub(super) fn check(observation: &Observation, teller: &mut Teller<'_>, index: &Index, options: &Options) {
    let place = observation.place();
    if teller.file() != place {
        teller.error("OBS037", "", teller.file(), place);
    }
    agent(observation, teller, index);
    shape(observation, teller, index);
    times(observation, teller, index, options);
    evidence(observation, teller, index);
    if observation.redaction.status != RedactionStatus::Passed {
        teller.error(
            "OBS030",
            "/redaction/status",
            observation.redaction.status.word(),
            "passed",
        );
    }
    if matches!(
        observation.validity_level,
        ObservedLevel::Confirmed | ObservedLevel::CommunityConfirmed
    ) {
        teller.error(
            "OBS042",
            "/validity_level",
            observation.validity_level.word(),
            "runtime_observed",
        );
    }
    if let Some(versions) = &observation.extensions.versions {
        let own = &observation.cli_version;
        let others = [
            ("requested", Some(&versions.requested)),
            ("manifest", versions.manifest.as_ref()),
            ("probed", Some(&versions.probed)),
        ];
        for (name, version) in others {
            if let Some(version) = version.filter(|version| *version != own) {
                teller.error(
                    "OBS035",
                    format!("/extensions/versions/{name}"),
                    version.as_str(),
                    own.as_str(),
                );
            }
        }
    }
}

fn agent(observation: &Observation, teller: &mut Teller<'_>, index: &Index) {
    match index.agent(observation.agent.as_str()) {
        Err(()) => teller.error(
            "OBS020",
            "/agent",
            observation.agent.as_str(),
            "an agent of registry/agents.json",
        ),
        Ok(None) => {}
        Ok(Some(agent)) if agent.scan_only => teller.error("OBS021", "/agent", &agent.id, "an agent that is captured"),
        Ok(Some(agent)) => {
            let family = observation.protocol_family.as_str();
            if !agent.protocol_families.iter().any(|declared| declared == family) {
                teller.error(
                    "OBS022",
                    "/protocol_family",
                    family,
                    format!("one of {}", agent.protocol_families.join(", ")),
                );
            }
        }
    }
    if !index.probes.contains_key(observation.probe.as_str()) {
        teller.error(
            "OBS023",
            "/probe",
            observation.probe.as_str(),
            format!("probes/{}/probe.json", observation.probe),
        );
    }
}

fn shape(observation: &Observation, teller: &mut Teller<'_>, index: &Index) {
    let family = observation.protocol_family.family().folder();
    let name = observation.shape.signature.file_name();
    let place = format!("shapes/{family}/{name}.shape.json");
    if observation.shape.path != place.as_str() {
        teller.error("OBS025", "/shape/path", observation.shape.path.as_str(), &place);
    }
    if index.has(observation.shape.path.as_str()) {
        let known = index.shapes.get(observation.shape.signature.as_str());
        // A shape that cannot be read is told at its own place.
        let there = index
            .shapes
            .values()
            .find(|shape| known.is_none() && shape.file == observation.shape.path.as_str());
        let hash = known.or(there).map(|shape| &shape.hashes_to);
        if let Some(hash) = hash.filter(|hash| *hash != observation.shape.signature.as_str()) {
            teller.error("OBS026", "/shape/signature", observation.shape.signature.as_str(), hash);
        }
        if let Some(shape) = known {
            pipes(observation, shape, teller);
        }
    } else {
        teller.error("OBS024", "/shape/path", "nothing", observation.shape.path.as_str());
    }
    let fixtures = [
        format!("fixtures/{family}/{name}.sanitized.jsonl"),
        format!("fixtures/{family}/{name}.transcript.jsonl"),
    ];
    if !fixtures.iter().any(|path| index.has(path)) {
        teller.error("OBS027", "/shape/signature", "nothing", fixtures.join(" or "));
    }
    if let Some(golden) = observation
        .parser_replay
        .golden
        .as_ref()
        .filter(|path| !index.has(path.as_str()))
    {
        teller.error("OBS028", "/parser_replay/golden", "nothing", golden.as_str());
    }
    if let Some(profile) = &observation.extensions.profile {
        let path = format!("registry/profiles/{}.profile.json", profile.file_name());
        if !index.has(&path) {
            teller.error("OBS029", "/extensions/profile", "nothing", path);
        }
    }
}

/// Where something stands on a pipe, the raw bytes of that pipe have a hash.
fn pipes(observation: &Observation, shape: &ShapeFacts, teller: &mut Teller<'_>) {
    let capture = &observation.capture;
    if shape.stdout && capture.raw_stdout_sha256.is_none() {
        teller.error(
            "OBS031",
            "/capture/raw_stdout_sha256",
            "null",
            "the hash of the raw standard output",
        );
    }
    if shape.stderr && capture.raw_stderr_sha256.is_none() {
        teller.error(
            "OBS032",
            "/capture/raw_stderr_sha256",
            "null",
            "the hash of the raw standard error",
        );
    }
    let family = observation.protocol_family.as_str();
    if shape.family != family {
        teller.error("OBS025", "/protocol_family", family, &shape.family);
    }
}

fn times(observation: &Observation, teller: &mut Teller<'_>, index: &Index, options: &Options) {
    let at = &observation.capture.captured_at;
    if in_the_future(at.as_str(), options) {
        teller.error("OBS033", "/capture/captured_at", at.as_str(), "a time that has been");
    }
    let published = index.published(observation.agent.as_str(), observation.cli_version.as_str());
    if let (Some(published), Some(captured)) = (published, seconds(at.as_str()))
        && seconds(published).is_some_and(|published| captured + 86_400 < published)
    {
        teller.error(
            "OBS034",
            "/capture/captured_at",
            at.as_str(),
            format!("a time after {published}, when the version was published"),
        );
    }
}

fn evidence(observation: &Observation, teller: &mut Teller<'_>, index: &Index) {
    let capture = &observation.capture;
    match &observation.extensions.evidence {
        None => teller.warning("OBS041", "/extensions/evidence", "nothing", "an evidence record"),
        Some(evidence) => {
            if evidence.raw_sha256 != capture.raw_client_transcript_sha256 {
                teller.error(
                    "OBS036",
                    "/extensions/evidence/raw_sha256",
                    evidence.raw_sha256.as_str(),
                    capture.raw_client_transcript_sha256.as_str(),
                );
            }
            let discarded = capture.raw_artifact_visibility == RawVisibility::DiscardedAfterRedaction;
            let kept = evidence.raw_retention_days > 0 || evidence.raw_kept_until.is_some();
            if discarded == kept {
                teller.error(
                    "OBS039",
                    "/extensions/evidence/raw_retention_days",
                    evidence.raw_retention_days.to_string(),
                    format!("what fits to `{}`", capture.raw_artifact_visibility),
                );
            }
        }
    }
    for (at, answer) in observation.extensions.answers.iter().enumerate() {
        let pointer = format!("/extensions/answers/{at}");
        match index.evidence.get(answer.evidence.as_str()) {
            None => teller.error(
                "OBS040",
                format!("{pointer}/evidence"),
                answer.evidence.as_str(),
                "an evidence record of the tree",
            ),
            Some(record) => {
                let unknown = answer
                    .findings
                    .keys()
                    .filter(|id| !record.findings.contains(id.as_str()));
                for id in unknown.map(Sha256::as_str) {
                    teller.error(
                        "OBS040",
                        step(&format!("{pointer}/findings"), id),
                        id,
                        "a finding of that record",
                    );
                }
            }
        }
    }
}

/// One transcript makes one observation.
pub(super) fn across(index: &Index) -> Vec<Problem> {
    let mut first: HashMap<&str, &str> = HashMap::new();
    let mut problems = Vec::new();
    for one in &index.observations {
        if let Some(other) = first.insert(&one.raw, &one.file) {
            let mut teller = Teller::new(&one.file);
            teller.error(
                "OBS038",
                "/capture/raw_client_transcript_sha256",
                other,
                "a transcript of its own",
            );
            problems.extend(teller.into_problems());
        }
    }
    problems
}
