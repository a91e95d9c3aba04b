//! The support matrix: the public claims, generated from observations and decisions.

use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{
    AgentId, CliVersion, EvidenceLink, GitCommit, ObservationPath, SchemaVersion, Sha256, Text, UtcTime, VersionRange,
};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::observation::ObservedLevel;
use super::platform::Platform;
use super::required;
use super::words::words;

/// `registry/support-matrix.json`. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportMatrix {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// The time of the newest input, so that generating it again gives the same bytes.
    pub generated_at: UtcTime,
    /// The lowest commit of `OpenDesign` that consumed this matrix.
    #[serde(default)]
    pub open_design_min_commit: Option<GitCommit>,
    /// One entry per agent, family, range, platforms and status, sorted.
    pub agents: Vec<MatrixEntry>,
}

/// One claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = claims_need_evidence)]
pub struct MatrixEntry {
    /// The agent.
    pub agent: AgentId,
    /// Ranges of semantic versions, or exact versions, any of which it holds for.
    #[schemars(length(min = 1))]
    pub version_ranges: Vec<VersionRange>,
    /// Where it holds.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub platforms: Vec<Platform>,
    /// The dialects that it is about.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub protocol_families: Vec<CapturedFamily>,
    /// What is claimed.
    pub support_status: SupportStatus,
    /// The shapes that were really seen. Never a source-derived, documented or synthetic one.
    pub observed_shapes: Vec<ObservedShape>,
    /// When the newest of them was seen; `null` only where none was.
    #[serde(deserialize_with = "Option::deserialize")]
    pub last_observed_at: Option<UtcTime>,
    /// The newest version with a promoted claim.
    #[serde(default)]
    pub latest_verified: Option<CliVersion>,
    /// The newest version that discovery or a capture saw.
    #[serde(default)]
    pub latest_seen: Option<CliVersion>,
    /// Several shapes that one version has.
    #[serde(default)]
    pub server_variants: Vec<ServerVariant>,
    /// Shapes that do not work, with why.
    #[serde(default)]
    pub known_breaking_shapes: Vec<KnownBreakingShape>,
    /// What a host does by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<MatrixPolicy>,
    /// For people.
    #[serde(default)]
    pub notes: Vec<String>,
    /// After this moment the claim is stale. The reader judges, with its own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<UtcTime>,
    /// The observations that it rests on, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<ObservationPath>,
}

words! {
    /// What is claimed about a version. The same words as in the compatibility answer.
    SupportStatus {
        LocalShapeVerified = "local_shape_verified",
        VersionRangeVerified = "version_range_verified",
        ServerVariantPossible = "server_variant_possible",
        NewerThanVerified = "newer_than_verified",
        TooOld = "too_old",
        KnownBreaking = "known_breaking",
        KnownBreakingShape = "known_breaking_shape",
        ActiveShapeUnknown = "active_shape_unknown",
        Unknown = "unknown",
    }

    /// Whether a host runs it.
    AllowRun {
        Allow = "allow",
        Warn = "warn",
        Block = "block",
    }

    /// What is known of one of several shapes.
    VariantStatus {
        Compatible = "compatible",
        CompatiblePendingFixture = "compatible_pending_fixture",
        Breaking = "breaking",
    }
}

impl SupportStatus {
    /// Whether it says that something works; such a claim needs observations.
    #[must_use]
    pub fn is_support(self) -> bool {
        matches!(
            self,
            Self::LocalShapeVerified | Self::VersionRangeVerified | Self::ServerVariantPossible
        )
    }

    /// `policy.allow_run` where a matrix says nothing.
    #[must_use]
    pub fn default_policy(self) -> AllowRun {
        match self {
            Self::TooOld | Self::KnownBreaking | Self::KnownBreakingShape => AllowRun::Block,
            _ => AllowRun::Warn,
        }
    }
}

impl MatrixEntry {
    /// What a host does: the policy, or the default of the status.
    #[must_use]
    pub fn allow_run(&self) -> AllowRun {
        self.policy
            .as_ref()
            .and_then(|policy| policy.allow_run)
            .unwrap_or_else(|| self.support_status.default_policy())
    }
}

/// A shape that was seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservedShape {
    /// Its hash.
    pub shape: Sha256,
    /// Its effective level, decisions included.
    pub validity_level: ObservedLevel,
    /// When it was last seen.
    pub observed_at: UtcTime,
}

/// One of several shapes of a version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerVariant {
    /// Its hash.
    pub shape: Sha256,
    /// What is known of it.
    pub status: VariantStatus,
}

/// A shape that does not work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnownBreakingShape {
    /// Its hash.
    pub shape: Sha256,
    /// What breaks.
    pub reason: Text,
    /// A file of the tree or an address that shows it.
    pub evidence: EvidenceLink,
}

/// What a host does by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MatrixPolicy {
    /// `warn` when it is left out, `block` for `too_old`, `known_breaking` and `known_breaking_shape`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "AllowRun")]
    pub allow_run: Option<AllowRun>,
}

/// The conditions of the specification that hold inside one entry.
fn claims_need_evidence(schema: &mut Schema) {
    required::add(schema, &["last_observed_at"]);
    let status =
        |words: &[&str]| json!({"properties": {"support_status": {"enum": words}}, "required": ["support_status"]});
    let policy = |word: &str| json!({"properties": {"policy": {"default": {"allow_run": word}, "properties": {"allow_run": {"default": word}}}}});
    let blocked = ["too_old", "known_breaking", "known_breaking_shape"];
    schema.insert(
        "allOf".to_owned(),
        json!([
            {
                "$comment": "A claim that something works needs a shape that was really seen.",
                "if": status(&["local_shape_verified", "version_range_verified"]),
                "then": {"properties": {
                    "last_observed_at": {"type": "string"},
                    "observed_shapes": {"contains": {
                        "properties": {"validity_level": {"enum": ["runtime_observed", "confirmed", "community_confirmed"]}},
                        "required": ["validity_level"],
                    }},
                }},
            },
            {
                "$comment": "Several variants: at least two shapes.",
                "if": status(&["server_variant_possible"]),
                "then": {
                    "properties": {
                        "last_observed_at": {"type": "string"},
                        "observed_shapes": {"minItems": 2},
                        "server_variants": {"minItems": 2},
                    },
                    "required": ["server_variants"],
                },
            },
            {
                "$comment": "A range that nothing was seen of says only that it is unknown, too new, too old or broken.",
                "if": {"properties": {"observed_shapes": {"maxItems": 0}}, "required": ["observed_shapes"]},
                "then": {"properties": {"support_status": {
                    "enum": ["newer_than_verified", "too_old", "known_breaking", "unknown"],
                }}},
                "else": {"properties": {"last_observed_at": {"type": "string"}}},
            },
            {
                "$comment": "What is broken says why and shows it.",
                "if": status(&["known_breaking", "known_breaking_shape"]),
                "then": {"properties": {"known_breaking_shapes": {"minItems": 1}}, "required": ["known_breaking_shapes"]},
            },
            {"if": status(&blocked), "then": policy("block"), "else": policy("warn")},
        ]),
    );
}
