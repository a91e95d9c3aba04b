//! `matrix --explain`: which observations, decisions and files a claim rests on, and by which rule.

use std::collections::BTreeSet;

use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{CliVersion, Sha256, Text, UtcTime, VersionRange};
use agent_contracts_wire::version::VersionScheme;
use serde::Serialize;

use super::records::{Decided, Records, Seen};
use super::rules::{self, Rule};
use super::{Generated, Ignored, NotCounted, cells, find};
use crate::places;
use crate::records::{ObservedLevel, Platform, Provider, SupportStatus};

/// Everything that is said of one version of one agent.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// Always 1.
    pub schema_version: u32,
    /// The agent.
    pub agent: String,
    /// The version.
    pub version: CliVersion,
    /// What is claimed, by family and platform. Empty when nothing is: then the version is `unknown`.
    pub claims: Vec<Claim>,
    /// By which rule, when nothing is claimed.
    pub otherwise: Option<Rule>,
    /// Observations of it that support nothing.
    pub not_counted: Vec<NotCounted>,
    /// Decisions about the agent that are not followed.
    pub ignored: Vec<Ignored>,
    /// The other files that the answer was made from.
    pub files: Vec<String>,
}

/// One claim.
#[derive(Debug, Clone, Serialize)]
pub struct Claim {
    /// The dialect.
    pub protocol_family: CapturedFamily,
    /// Where.
    pub platforms: Vec<Platform>,
    /// What is claimed.
    pub status: SupportStatus,
    /// By which rule.
    pub rule: Rule,
    /// The range that the version is in.
    pub version_range: VersionRange,
    /// Position of the entry in the matrix.
    pub entry: usize,
    /// What it rests on.
    pub observations: Vec<Evidence>,
    /// The decisions that took part.
    pub decisions: Vec<Ground>,
    /// What people should know.
    pub notes: Vec<String>,
    /// After this moment it is stale.
    pub stale_after: Option<UtcTime>,
}

/// One observation of a claim.
#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    /// Its file.
    pub path: String,
    /// The version that ran.
    pub cli_version: CliVersion,
    /// Where it ran.
    pub platform: Platform,
    /// What it was given.
    pub probe: String,
    /// What was seen.
    pub shape: Sha256,
    /// Its level, decisions included.
    pub level: ObservedLevel,
    /// Who answered the model requests.
    pub provider: Option<Provider>,
    /// When it was started.
    pub captured_at: UtcTime,
    /// On which machine.
    pub runner: Text,
}

/// One decision of a claim.
#[derive(Debug, Clone, Serialize)]
pub struct Ground {
    /// Its file.
    pub path: String,
    /// Who attested it.
    pub by: String,
    /// When it was decided.
    pub decided_at: UtcTime,
    /// Why.
    pub reason: Text,
}

/// Explains one version.
#[must_use]
pub fn explain(records: &Records, generated: &Generated<'_>, agent: &str, version: &CliVersion) -> Explanation {
    let entry = records
        .agents
        .iter()
        .flat_map(|file| &file.agents)
        .find(|entry| entry.id == agent);
    let scheme = entry.map_or(VersionScheme::default(), |entry| entry.version_scheme);
    let decisions = {
        let known = super::Known::new(records);
        super::Decisions::of(records, &known)
    };
    let mut entries: BTreeSet<(usize, &VersionRange)> = BTreeSet::new();
    for platform in Platform::ALL {
        let found = find(&generated.matrix, agent, scheme, version.as_str(), *platform);
        entries.extend(found.iter().map(|one| (one.at, one.range)));
    }
    let claims: Vec<Claim> = entries
        .into_iter()
        .map(|(at, range)| claim(records, generated, &decisions, at, range, version))
        .collect();
    let of_version = |path: &str| {
        records
            .observations
            .iter()
            .any(|seen| seen.path == *path && seen.version == *version && seen.agent == *agent)
    };
    let mut files = vec![places::AGENTS.to_owned()];
    if records.releases.iter().any(|file| file.agent == agent) {
        files.push(places::releases(agent));
    }
    Explanation {
        schema_version: 1,
        agent: agent.to_owned(),
        version: version.clone(),
        otherwise: claims.is_empty().then_some(rules::NOTHING),
        claims,
        not_counted: generated
            .not_counted
            .iter()
            .filter(|one| of_version(one.path.as_str()))
            .cloned()
            .collect(),
        ignored: generated
            .ignored
            .iter()
            .filter(|one| one.path.as_str().starts_with(&format!("registry/promotions/{agent}/")))
            .cloned()
            .collect(),
        files,
    }
}

fn claim(
    records: &Records,
    generated: &Generated<'_>,
    decisions: &super::Decisions<'_>,
    at: usize,
    range: &VersionRange,
    version: &CliVersion,
) -> Claim {
    let entry = &generated.matrix.agents[at];
    let grounds = &generated.grounds[at];
    let cell = generated
        .cells
        .get(entry.agent.as_str())
        .into_iter()
        .flatten()
        .find(|cell: &&cells::Cell<'_>| {
            cell.version == *version
                && entry.protocol_families.contains(&cell.family)
                && entry.platforms.contains(&cell.platform)
        });
    // In a range that spans it, a version that ran itself is observed and not bridged.
    let rule = match cell {
        Some(cell) if grounds.rule == rules::BRIDGED => cell.rule,
        _ => grounds.rule,
    };
    let exact = super::range::Range::of(range).exact().is_some() || rule == rules::OBSERVED;
    let of_this_version = |seen: &Seen| !exact || seen.version == *version;
    let observations = records
        .observations
        .iter()
        .filter(|seen| entry.observations.contains(&seen.path) && of_this_version(seen));
    let mut observations: Vec<Evidence> = observations.map(|seen| evidence(seen, decisions)).collect();
    observations.sort_by(|a, b| a.path.cmp(&b.path));
    Claim {
        protocol_family: entry.protocol_families[0],
        platforms: entry.platforms.clone(),
        status: entry.support_status,
        rule,
        version_range: range.clone(),
        entry: at,
        observations,
        decisions: grounds.decisions.iter().map(|decided| ground(decided)).collect(),
        notes: entry.notes.clone(),
        stale_after: entry.stale_after.clone(),
    }
}

fn evidence(seen: &Seen, decisions: &super::Decisions<'_>) -> Evidence {
    Evidence {
        path: seen.path.to_string(),
        cli_version: seen.version.clone(),
        platform: seen.platform,
        probe: seen.probe.to_string(),
        shape: seen.shape.clone(),
        level: decisions.level(seen),
        provider: seen.provider,
        captured_at: seen.captured_at.clone(),
        runner: seen.runner.clone(),
    }
}

fn ground(decided: &Decided) -> Ground {
    Ground {
        path: decided.path.to_string(),
        by: decided.record.attestation.by.to_string(),
        decided_at: decided.record.decided_at.clone(),
        reason: decided.record.reason.clone(),
    }
}
