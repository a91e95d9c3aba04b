//! How an agent is made to talk to the deterministic provider on loopback instead of to its vendor.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::is_default;

/// The settings of one or more invocations for the provider on loopback. The switches against updates and telemetry
/// ([`Switches`]) are applied besides; they are not repeated here.
///
/// `{base_url}`, `{home}`, `{cwd}`, `{model}` and `{key}` stand for the provider's address, the private home, the
/// workspace, the scenario's model name and a key that is worth nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loopback {
    /// The names of the invocations; empty for all.
    #[serde(default, skip_serializing_if = "is_default")]
    pub invocations: Vec<String>,
    /// The API that the agent speaks to its provider.
    pub dialect: Dialect,
    /// Options of the invocation to set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub options: BTreeMap<String, String>,
    /// Arguments to add after those of the invocation.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<String>,
    /// Environment variables to set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env: BTreeMap<String, String>,
    /// Files to write before the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub files: Vec<ConfigFile>,
    /// ACP: the authentication method to name before the session is made.
    #[serde(default, skip_serializing_if = "is_default")]
    pub authenticate: Option<String>,
    /// How this differs from a run in production, in words. It goes into every observation made so.
    pub deviations: Vec<String>,
    /// The versions that it was seen to work with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub covers: super::install::Covers,
}

/// The API that an agent speaks to its model provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// OpenAI Responses.
    OpenaiResponses,
    /// OpenAI Chat Completions.
    OpenaiChat,
    /// Anthropic Messages.
    AnthropicMessages,
    /// Gemini `streamGenerateContent`.
    Gemini,
}

/// A file to write before the agent is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigFile {
    /// Where, beginning with `{home}` or `{cwd}`.
    pub path: String,
    /// What.
    pub contents: String,
}

/// What is set so that an agent keeps still: no updates of itself, no telemetry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switches {
    /// Environment variables to set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env: BTreeMap<String, String>,
    /// Arguments to add.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<String>,
    /// Settings in its configuration files, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub config: Vec<String>,
}
