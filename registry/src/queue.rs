//! The capture queue: derived from release records and open evidence, never stored.

use std::collections::BTreeMap;

use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_source_evidence::Counts;
use agent_contracts_source_evidence::priority::{Priority, priority};
use agent_contracts_wire::Severity;
use serde::{Deserialize, Serialize};

use crate::index::{EvidenceIndex, Standing};
use crate::release::{Release, ReleaseFile};

/// What the queue must know of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueAgent {
    /// Its id.
    pub id: String,
    /// Its tier. Tier 2 is declared only and is not captured.
    pub tier: u8,
    /// It is only scanned: there is nothing to run.
    pub scan_only: bool,
    /// The newest version with a claim.
    pub latest_verified: Option<String>,
    /// Days since its last observation.
    pub observed_days: Option<u32>,
}

impl QueueAgent {
    /// An agent without any observation.
    #[must_use]
    pub fn unobserved(agent: &AgentEntry) -> Self {
        Self {
            id: agent.id.clone(),
            tier: agent.tier,
            scan_only: agent.scan_only,
            latest_verified: None,
            observed_days: None,
        }
    }
}

/// A version that should be captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaptureJob {
    /// The agent.
    pub agent: String,
    /// The version to install.
    pub version: String,
    /// Why, in words; several reasons are joined.
    pub reason: String,
    /// Higher is sooner.
    pub priority: Priority,
    /// Since when there is a reason, UTC.
    pub since: String,
}

/// The queue, most urgent first, then by agent, then the newest version first.
///
/// A release waits when it is newer than what was verified (of an agent that was never verified: its newest stable
/// release alone). A step waits when something in it is risky or worse and no observation has settled it; where its
/// version is no release of the agent (a package of types with numbers of its own), the newest stable release stands
/// for it. Withdrawn releases never wait: they cannot be installed.
#[must_use]
pub fn derive(agents: &[QueueAgent], releases: &[ReleaseFile], index: &EvidenceIndex) -> Vec<CaptureJob> {
    let mut jobs = Vec::new();
    for agent in agents.iter().filter(|agent| !agent.scan_only && agent.tier < 2) {
        let known: &[Release] = releases
            .iter()
            .find(|file| file.agent == agent.id)
            .map_or(&[], |file| file.releases.as_slice());
        jobs.extend(of_agent(agent, known, index));
    }
    jobs.sort_by_key(|(position, job)| (std::cmp::Reverse(job.priority), job.agent.clone(), *position));
    jobs.into_iter().map(|(_, job)| job).collect()
}

/// The jobs of one agent with their position among its releases.
fn of_agent(agent: &QueueAgent, releases: &[Release], index: &EvidenceIndex) -> Vec<(usize, CaptureJob)> {
    let mut wanted: BTreeMap<(usize, String), Wanted> = BTreeMap::new();
    let position = |version: &str| releases.iter().position(|release| release.version == version);
    let installable = |release: &Release| !release.withdrawn && !release.prerelease;
    let newest = releases.iter().position(installable);

    let verified = agent.latest_verified.as_deref().and_then(position);
    let newer: Vec<usize> = match verified {
        Some(end) => (0..end).filter(|index| installable(&releases[*index])).collect(),
        None => newest.into_iter().collect(),
    };
    for index in newer {
        let release = &releases[index];
        let reason = match &agent.latest_verified {
            Some(verified) => format!("released after {verified}, the newest that was verified"),
            None => "no version was ever verified".to_owned(),
        };
        wanted.entry((index, release.version.clone())).or_default().because(
            reason,
            Severity::None,
            &release.first_seen,
        );
    }
    for step in index
        .steps
        .iter()
        .filter(|step| step.agent == agent.id && step.standing == Standing::Open)
    {
        let risks = Counts {
            additive: 0,
            none: 0,
            ..step.counts
        };
        let what = format!("{} in the source of {}", risks.words(), step.protocol_family);
        let (at, reason) = match (position(&step.to), newest) {
            (Some(at), _) if releases[at].withdrawn => continue,
            (None, Some(at)) => (at, format!("{what} {} since {}", step.to, step.from)),
            (at, _) => (at.unwrap_or(usize::MAX), format!("{what} since {}", step.from)),
        };
        let version = releases.get(at).map_or(&step.to, |release| &release.version).clone();
        wanted
            .entry((at, version))
            .or_default()
            .because(reason, step.severity, &step.discovered_at);
    }
    wanted
        .into_iter()
        .map(|((position, version), wanted)| {
            let job = CaptureJob {
                agent: agent.id.clone(),
                version,
                reason: wanted.reasons.join("; "),
                priority: priority(wanted.severity, agent.tier, agent.observed_days),
                since: wanted.since,
            };
            (position, job)
        })
        .collect()
}

/// The reasons for one version.
struct Wanted {
    reasons: Vec<String>,
    severity: Severity,
    since: String,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            reasons: Vec::new(),
            severity: Severity::None,
            since: String::new(),
        }
    }
}

impl Wanted {
    fn because(&mut self, reason: String, severity: Severity, since: &str) {
        self.reasons.push(reason);
        self.severity = self.severity.max(severity);
        if self.since.is_empty() || since < self.since.as_str() {
            since.clone_into(&mut self.since);
        }
    }
}
