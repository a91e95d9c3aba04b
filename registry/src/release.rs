//! Known releases of one agent: `registry/releases/AGENT.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every version of one agent that any channel has shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseFile {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// The agent.
    #[schemars(with = "agent_contracts_wire::formats::AgentId")]
    pub agent: String,
    /// Its releases, newest first in the order of its scheme.
    pub releases: Vec<Release>,
}

/// One version of one agent, joined over its channels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// As the agent's scheme writes it, without tag prefix or platform suffix.
    pub version: String,
    /// Whether the agent's scheme calls it a prerelease.
    pub prerelease: bool,
    /// Where it was seen, by channel (`npm:@openai/codex`).
    pub channels: BTreeMap<String, ChannelRelease>,
    /// Platforms that have a payload, sorted; empty when no channel says.
    pub platforms: Vec<String>,
    /// Platforms that it should have a payload for and has none, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_platforms: Vec<String>,
    /// When we first saw it, UTC.
    #[schemars(with = "agent_contracts_wire::formats::UtcTime")]
    pub first_seen: String,
    /// Withdrawn from every channel that had it (unpublished, yanked, tag deleted).
    pub withdrawn: bool,
}

/// What one channel says of a release.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChannelRelease {
    /// When the channel says it was published, UTC.
    #[schemars(with = "Option<agent_contracts_wire::formats::UtcTime>")]
    pub published_at: Option<String>,
    /// The commit that its tag points at, peeled.
    pub commit: Option<String>,
    /// Withdrawn from this channel.
    pub withdrawn: bool,
    /// The vendor's words when it is deprecated.
    pub deprecated: Option<String>,
}
