//! What goes with a turn: an earlier session, MCP servers, images, and how much fits.

use serde::{Deserialize, Serialize};

use super::is_default;

/// How an earlier session is continued.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// The way.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: ResumeKind,
    /// Where the id of the session comes from, as `EVENT:PATH`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub id_from: Option<String>,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: Option<String>,
}

/// The ways to continue a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResumeKind {
    /// Not at all.
    #[default]
    None,
    /// The host makes the id and names it again.
    Specify,
    /// The id is read from the stream and named again.
    Capture,
    /// `session/load` of ACP.
    AcpLoad,
    /// A member of the first command.
    WireField,
    /// An argument of the process.
    ProcessArg,
    /// A request that names the file of the earlier session.
    ParentFile,
}

/// How MCP servers of the host are given to an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mcp {
    /// The way.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: McpKind,
    /// The variable, for the way by environment.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env: Option<String>,
    /// The environment of a server is a map; otherwise a list of names and values.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env_as_map: bool,
    /// The first version that refuses servers over stdio.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stdio_removed_in: Option<String>,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: Option<String>,
}

/// The ways to give MCP servers to an agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum McpKind {
    /// None.
    #[default]
    None,
    /// A file `.mcp.json` in the workspace.
    McpJson,
    /// `mcpServers` of ACP's `session/new`.
    AcpMerge,
    /// A configuration in an environment variable.
    EnvContent,
    /// A member of the first command.
    WireField,
}

/// How images are given to an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Images {
    /// It takes images.
    #[serde(default, skip_serializing_if = "is_default")]
    pub supported: bool,
    /// How, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub how: Option<String>,
}

/// Bounds of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// How many bytes of prompt fit into an argument.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prompt_argv_bytes: Option<u32>,
    /// How long the agent may be silent, in milliseconds; 600,000 where the file says nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inactivity_ms: Option<u32>,
}
