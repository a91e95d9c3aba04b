//! What an agent may do when nobody is there to be asked.

use serde::{Deserialize, Serialize};

use super::is_default;

/// The permission posture of an agent without a person.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permissions {
    /// How it is run.
    #[serde(default, skip_serializing_if = "is_default")]
    pub posture: Posture,
    /// The arguments that say so, as they stand in the invocation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<String>,
    /// How the host answers when it is asked all the same: option ids or kinds, first choice first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub answers: Vec<String>,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub notes: Vec<String>,
}

/// How an agent without a person is kept from asking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Posture {
    /// Nothing known.
    #[default]
    Unknown,
    /// A flag lets every tool run.
    Bypass,
    /// A sandbox of the agent's own holds it, and within it every tool runs.
    Sandboxed,
    /// It asks over the wire and the host answers.
    Asks,
}
