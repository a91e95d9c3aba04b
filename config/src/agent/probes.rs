//! What an installed agent can be asked without a prompt: is it logged in, which models, which flags.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::is_default;

/// How to see whether an agent is logged in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuthProbe {
    /// The arguments to ask with; empty where the agent has no such command.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<String>,
    /// How long it may take, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeout_ms: Option<u32>,
    /// Environment variables any of which stands for a login; `NAME=VALUE` where it must have that value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub satisfied_by: Vec<String>,
    /// Files that hold the login or the key, relative to the home directory.
    #[serde(default, skip_serializing_if = "is_default")]
    pub files: Vec<String>,
    /// Phrases in its output that mean "not logged in", compared without regard to case.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing_phrases: Vec<String>,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub notes: Vec<String>,
}

/// How to list the models of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelProbe {
    /// How the answer is written.
    pub format: ModelFormat,
    /// The arguments to ask with; for the ACP handshake, those that start the agent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<String>,
    /// Arguments to ask with when the agent refuses those above.
    #[serde(default, skip_serializing_if = "is_default")]
    pub otherwise: Vec<String>,
    /// How long it may take, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeout_ms: Option<u32>,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub notes: Vec<String>,
}

/// How a list of models is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelFormat {
    /// One JSON document.
    Json,
    /// One model a line.
    Lines,
    /// A table whose first columns are provider and model.
    Table,
    /// A line with the model, then a JSON object, and again.
    LinesWithJson,
    /// The options of a new ACP session.
    AcpHandshake,
}

/// How to see which flags an agent has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HelpProbe {
    /// The arguments that print the help text.
    pub args: Vec<String>,
    /// How long it may take, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeout_ms: Option<u32>,
    /// The flag that the text must name, by capability.
    #[serde(default, skip_serializing_if = "is_default")]
    pub capabilities: BTreeMap<String, String>,
    /// Flags that no help text names, by capability: they are tried with a value that no build accepts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub hidden: BTreeMap<String, HiddenFlag>,
}

/// A flag that is left out of the help text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HiddenFlag {
    /// The flag.
    pub flag: String,
    /// Arguments that must stand before it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prefix: Vec<String>,
}
