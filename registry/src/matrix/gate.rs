//! The release gate: whether the claims about the agents that matter most are there and fresh.

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_wire::formats::{CliVersion, UtcTime};
use serde::Serialize;

use crate::records::{MatrixEntry, SupportMatrix};

/// What the gate came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gate {
    /// The moment that it was judged for.
    pub now: UtcTime,
    /// Whether nothing fails.
    pub passed: bool,
    /// One line per agent and family that is captured, by tier, then agent.
    pub asked: Vec<Asked>,
}

/// One agent and family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// The agent.
    pub agent: String,
    /// Its tier.
    pub tier: u8,
    /// The family.
    pub protocol_family: String,
    /// How it stands.
    pub verdict: Verdict,
    /// Whether that fails the gate: tier 0 alone does.
    pub fails: bool,
    /// The newest version that is verified in this family.
    pub latest_verified: Option<CliVersion>,
    /// When the freshest claim goes stale.
    pub stale_after: Option<UtcTime>,
    /// Why it is exempt, or what to do.
    pub why: String,
}

/// How an agent and family stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A claim is there and not stale.
    Fresh,
    /// Every claim is stale.
    Stale,
    /// There is no claim.
    Missing,
    /// The agent's file says why it is not asked for.
    Exempt,
}

impl Verdict {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Stale => "stale",
            Self::Missing => "missing",
            Self::Exempt => "exempt",
        }
    }
}

/// Judges the claims of `matrix` for the moment `now`. Agents of tier 2 and those that are only scanned are not asked
/// for; those of tier 1 are shown and never fail. A claim is fresh up to and with its `stale_after`.
#[must_use]
pub fn gate(matrix: &SupportMatrix, agents: &AgentsFile, now: &UtcTime) -> Gate {
    let mut asked = Vec::new();
    let mut captured: Vec<_> = agents
        .agents
        .iter()
        .filter(|agent| !agent.scan_only && agent.tier < 2)
        .collect();
    captured.sort_by(|a, b| (a.tier, &a.id).cmp(&(b.tier, &b.id)));
    for agent in captured {
        for family in &agent.protocol_families {
            let claims = matrix.agents.iter().filter(|entry| {
                entry.agent.as_str() == agent.id
                    && entry.support_status.is_support()
                    && entry.protocol_families.iter().any(|one| one.as_str() == family)
            });
            let freshest = claims.max_by(|a, b| stale(a).cmp(&stale(b)));
            let (verdict, why) = match (freshest, agent.support.exempt.get(family)) {
                (Some(entry), _) if stale(entry).is_some_and(|end| end >= now.key()) => (Verdict::Fresh, String::new()),
                (_, Some(reason)) => (Verdict::Exempt, reason.clone()),
                (Some(_), None) => (
                    Verdict::Stale,
                    format!(
                        "capture the newest version again; claims of tier {} last {} days",
                        agent.tier, agent.stale_after_days
                    ),
                ),
                (None, None) => (
                    Verdict::Missing,
                    format!(
                        "capture it, or say in config/agents/{}.toml why not: `support.exempt`",
                        agent.id
                    ),
                ),
            };
            asked.push(Asked {
                agent: agent.id.clone(),
                tier: agent.tier,
                protocol_family: family.clone(),
                verdict,
                fails: agent.tier == 0 && matches!(verdict, Verdict::Stale | Verdict::Missing),
                latest_verified: freshest.and_then(|entry| entry.latest_verified.clone()),
                stale_after: freshest.and_then(|entry| entry.stale_after.clone()),
                why,
            });
        }
    }
    Gate {
        now: now.clone(),
        passed: asked.iter().all(|one| !one.fails),
        asked,
    }
}

fn stale(entry: &MatrixEntry) -> Option<(&str, &str)> {
    entry.stale_after.as_ref().map(UtcTime::key)
}
