//! Who stands behind a decision, when, and on what.

use agent_contracts_wire::formats::{HttpsUrl, Login, Semver, Sha256, Text, UtcTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::words;

words! {
    /// In which role somebody attests.
    AttestedBy {
        Maintainer = "maintainer",
        Contributor = "contributor",
    }
}

/// A person's word, with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attestation {
    /// Their login where the tree is hosted. No name and no address.
    pub by: Login,
    /// In which role.
    pub role: AttestedBy,
    /// When.
    pub at: UtcTime,
    /// The version of the tool that they checked with.
    pub tool_version: Semver,
    /// They checked that the sanitised transcripts hold nothing that must not be published.
    pub redaction_checked: bool,
    /// What they looked at. Not empty where the decision rests on captures.
    #[serde(default)]
    pub artifacts: Vec<AttestedArtifact>,
    /// Where the decision can be read, such as a pull request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<HttpsUrl>,
    /// In their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<Text>,
}

/// One capture that somebody looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AttestedArtifact {
    /// The raw bundle: `capture.raw_client_transcript_sha256` of the observation.
    pub raw_sha256: Sha256,
    /// The sanitised transcript: `extensions.evidence.sanitized_sha256` of the observation.
    pub sanitized_sha256: Sha256,
}
