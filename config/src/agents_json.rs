//! The list of agents as the public tree publishes it: `contracts/registry/agents.json`. Pure.

use std::collections::BTreeMap;

use agent_contracts_wire::version::VersionScheme;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::{AgentDef, Family, SupportDef};
use crate::load::Agents;

/// `contracts/registry/agents.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentsFile {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// Every agent, by id.
    pub agents: Vec<AgentEntry>,
}

/// One agent, as readers of the registry need it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// Its id.
    #[schemars(with = "agent_contracts_wire::formats::AgentId")]
    pub id: String,
    /// What people call it.
    pub name: String,
    /// 0, 1 or 2.
    #[schemars(range(max = 2))]
    pub tier: u8,
    /// It is scanned and never captured.
    pub scan_only: bool,
    /// The protocol families that records may name for it, sorted.
    #[schemars(with = "Vec<agent_contracts_wire::family::FamilyId>")]
    pub protocol_families: Vec<String>,
    /// The transports of those families, sorted.
    #[schemars(with = "Vec<agent_contracts_wire::Transport>")]
    pub transports: Vec<String>,
    /// The probes that it needs before its coverage counts as whole, in the order of the list.
    pub minimum_probes: Vec<String>,
    /// Those of them that it is exempt from, with the reason.
    pub exempt_probes: BTreeMap<String, String>,
    /// What is not covered, in words.
    pub missing: Vec<String>,
    /// The order of its versions.
    #[serde(default)]
    pub version_scheme: VersionScheme,
    /// How many days a claim about it stays fresh after the last observation.
    #[serde(default = "a_month")]
    pub stale_after_days: u32,
    /// What claims about it may say beyond what was observed.
    #[serde(default)]
    pub support: SupportDef,
}

/// The minimum of the specification for every runtime that is captured.
pub const MINIMUM_PROBES: &[&str] = &[
    "version-probe",
    "model-probe",
    "chat-text-success",
    "chat-tool-success",
    "chat-tool-failure",
    "file-write-artifact",
    "auth-failure",
    "provider-failure",
    "interrupted-or-malformed-stream",
];

/// What the specification lets an agent of the long tail start with.
const STARTING_PROBES: &[&str] = &[
    "version-probe",
    "model-probe",
    "chat-text-success",
    "auth-failure",
    "provider-failure",
];

/// The probes that an agent of this tier needs.
#[must_use]
pub fn minimum_probes(tier: u8) -> &'static [&'static str] {
    match tier {
        0 => MINIMUM_PROBES,
        1 => STARTING_PROBES,
        _ => &[],
    }
}

fn a_month() -> u32 {
    stale_after_days(1)
}

/// How many days a claim about an agent of this tier stays fresh.
#[must_use]
pub fn stale_after_days(tier: u8) -> u32 {
    match tier {
        0 => 7,
        _ => 30,
    }
}

/// The list, made from the files.
#[must_use]
pub fn agents_file(agents: &Agents) -> AgentsFile {
    AgentsFile {
        schema_version: 1,
        agents: agents.iter().map(entry).collect(),
    }
}

/// The line of one agent.
#[must_use]
pub fn entry(agent: &AgentDef) -> AgentEntry {
    let mut families = agent.families.clone();
    families.sort();
    let mut transports: Vec<String> = families
        .iter()
        .filter_map(|id| Family::of(id))
        .map(|family| family.transport.word().to_owned())
        .collect();
    transports.sort();
    transports.dedup();
    let minimum = if agent.scan_only {
        &[]
    } else {
        minimum_probes(agent.tier)
    };
    AgentEntry {
        id: agent.id.clone(),
        name: agent.name.clone(),
        tier: agent.tier,
        scan_only: agent.scan_only,
        protocol_families: families,
        transports,
        minimum_probes: minimum.iter().map(|probe| (*probe).to_owned()).collect(),
        exempt_probes: agent.exempt.clone(),
        missing: agent.missing.clone(),
        version_scheme: agent.version.scheme,
        stale_after_days: stale_after_days(agent.tier),
        support: agent.support.clone(),
    }
}
