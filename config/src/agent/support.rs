//! What the public claims about an agent may say beyond what was observed.

use std::collections::BTreeMap;

use agent_contracts_wire::formats::{CliVersion, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_default;

/// The policy of an agent in the support matrix. It never makes a version verified.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportDef {
    /// The oldest version that a host should run.
    #[serde(default, skip_serializing_if = "is_default")]
    pub oldest: Option<Oldest>,
    /// A range may span releases that nobody ran, when the versions at both ends have the same shape. Semantic versions
    /// only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub bridge: bool,
    /// What a host does with a version or shape that is known to break.
    #[serde(default, skip_serializing_if = "is_default")]
    pub known_breaking: OnBreaking,
    /// Protocol families that the release gate does not ask for, with the reason.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exempt: BTreeMap<String, String>,
}

/// The oldest version that a host should run, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Oldest {
    /// That version; older ones are too old.
    pub version: CliVersion,
    /// What older ones cannot do. It goes into the matrix.
    pub why: Text,
}

/// What a host does with what is known to break.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnBreaking {
    /// It does not run it.
    #[default]
    Block,
    /// It warns and runs it.
    Warn,
}
