//! `extensions` of an observation: what the specification asks for and has no member for. The one open object of a record.

use std::collections::BTreeMap;

use agent_contracts_shapes::StderrClass;
use agent_contracts_wire::formats::{CliVersion, EvidencePath, HttpsUrl, RelPath, Semver, Sha256, Text, UtcTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attestation::Attestation;
use super::words::words;

/// The known members are typed; any other member may stand beside them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ObservationExtensions {
    /// What an auditor needs to get from the public record to the raw bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<EvidenceRecord>,
    /// The hash of the normaliser's profile that the shape was made with: `registry/profiles/sha256-….profile.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<Sha256>,
    /// What failed, where the probe is about a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ObservedError>,
    /// Who answered the CLI's model requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<Provider>,
    /// Where the run differs from production, one sentence each; empty when it does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deviations: Vec<Text>,
    /// How the CLI was kept apart from the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation: Option<Isolation>,
    /// The three versions that must agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub versions: Option<Versions>,
    /// What this run says about queued risks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// How many frames of each type the profile calls volatile; they are in no shape.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub volatile: BTreeMap<String, u32>,
    /// Members that this version of the program does not know.
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

impl ObservationExtensions {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The evidence record of the specification's "Validity Levels".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRecord {
    /// The hash of the public sanitised transcript of this run. The fixture has it when this run was the shape's first.
    pub sanitized_sha256: Sha256,
    /// The hash of the raw artifact.
    pub raw_sha256: Sha256,
    /// How many days the raw artifact is kept; 0 when it was discarded after redaction.
    pub raw_retention_days: u32,
    /// Until when it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_kept_until: Option<UtcTime>,
    /// The version of the capture tool.
    pub capture_tool_version: Semver,
    /// A maintainer's word that the raw bytes were checked before publication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attestation: Option<Attestation>,
    /// Somebody else's reproduction, which can promote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduction: Option<HttpsUrl>,
}

/// What failed in a run whose probe is about a failure. No text of the CLI stands here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservedError {
    /// The frame that told it, in the grammar of shapes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_type: Option<Text>,
    /// How the process ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The signal that ended it, as in `SIGKILL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<Text>,
    /// What standard error was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_class: Option<StderrClass>,
    /// The error case that was made from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_case: Option<RelPath>,
}

words! {
    /// Who answered the CLI's model requests.
    Provider {
        Loopback = "loopback",
        Account = "account",
        None = "none",
    }

    /// How the CLI was kept apart from the machine.
    Isolation {
        Full = "full",
        Weak = "weak",
    }

    /// What a run says about a finding of source evidence.
    AnswerKind {
        Confirmed = "confirmed",
        Refuted = "refuted",
        NotReached = "not_reached",
    }
}

/// The three versions of one install. They must agree, or the capture is discarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// What was asked for.
    pub requested: CliVersion,
    /// What the package's manifest says; none where there is no manifest.
    #[serde(default)]
    pub manifest: Option<CliVersion>,
    /// What the binary says.
    pub probed: CliVersion,
}

/// What a run says about one evidence record, finding by finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The evidence record.
    pub evidence: EvidencePath,
    /// By the id of the finding.
    pub findings: BTreeMap<Sha256, AnswerKind>,
}
