//! The compatibility answer: how far an installed CLI is verified. The one answer of the HTTP API, the web page and the
//! command line; none of them computes a status of its own.

use agent_contracts_wire::formats::{AgentId, CliVersion, SchemaVersion, Sha256, UtcTime, VersionRange};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use super::matrix::{AllowRun, SupportStatus};
use super::platform::Platform;
use super::required;
use super::words::words;

/// What may be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgentCliCompatibilityRequest")]
pub struct CompatibilityRequest {
    /// The agent; all of them when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentId>,
    /// Whether the CLI may be run to see its active shape.
    #[serde(default)]
    pub probe: bool,
}

/// The answer for one agent. Member order is the order of the printed JSON; web pages rely on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgentCliCompatibilityResponse", transform = says_what_is_installed)]
pub struct CompatibilityDto {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// When it was made.
    pub generated_at: UtcTime,
    /// The agent.
    pub agent: AgentId,
    /// What is installed; `null` when nothing is, or its version cannot be read.
    #[serde(deserialize_with = "Option::deserialize")]
    pub installed_version: Option<CliVersion>,
    /// Where.
    pub platform: Platform,
    /// How far it is verified.
    pub status: SupportStatus,
    /// What follows.
    pub policy: CompatibilityPolicy,
    /// What it rests on.
    pub evidence: CompatibilityEvidence,
}

/// What follows from the status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgentCliCompatibilityPolicy")]
pub struct CompatibilityPolicy {
    /// Whether the host runs it.
    pub allow_run: AllowRun,
    /// What the person can do.
    pub user_action: CompatibilityAction,
}

/// What the status rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgentCliCompatibilityEvidence", transform = says_what_it_rests_on)]
pub struct CompatibilityEvidence {
    /// The range of the matrix that the version is in.
    #[serde(deserialize_with = "Option::deserialize")]
    pub version_range: Option<VersionRange>,
    /// The shape that was matched, or the newest one of the range.
    #[serde(deserialize_with = "Option::deserialize")]
    pub shape_signature: Option<Sha256>,
    /// When that shape was last seen.
    #[serde(deserialize_with = "Option::deserialize")]
    pub observed_at: Option<UtcTime>,
    /// Where it comes from.
    pub source: EvidenceSource,
    /// Whether the version was seen with several shapes.
    pub server_variant_possible: bool,
}

words! {
    /// What the person can do.
    CompatibilityAction {
        None = "none",
        RunLocalProbe = "run_local_probe",
        UpgradeCli = "upgrade_cli",
        PinSupportedVersion = "pin_supported_version",
        ReportUnknownShape = "report_unknown_shape",
    }

    /// Where a status comes from.
    EvidenceSource {
        LocalProbe = "local_probe",
        SupportMatrix = "support_matrix",
        KnownBreaking = "known_breaking",
        None = "none",
    }
}

/// The answer for all agents, sorted by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AgentCliCompatibilityList")]
pub struct CompatibilityList {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// When it was made.
    pub generated_at: UtcTime,
    /// One answer an agent.
    pub agents: Vec<CompatibilityDto>,
}

fn says_what_is_installed(schema: &mut Schema) {
    required::add(schema, &["installed_version"]);
}

fn says_what_it_rests_on(schema: &mut Schema) {
    required::add(schema, &["version_range", "shape_signature", "observed_at"]);
}
