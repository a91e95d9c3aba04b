//! What the normaliser is told about the frames of an agent.

use serde::{Deserialize, Serialize};

use super::is_default;

/// The normaliser's knowledge of one agent. Event types and paths are in the grammar of shapes
/// (`item.completed[agent_message]`, `usage.input_tokens`, `message.content[]`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileDef {
    /// Frames that come at any place: kept, sorted after the ordered ones.
    #[serde(default, skip_serializing_if = "is_default")]
    pub floating: Vec<String>,
    /// Frames that come or stay away by account, network or machine: not in the shape.
    #[serde(default, skip_serializing_if = "is_default")]
    pub volatile: Vec<String>,
    /// Nested tags that are part of the event type, as paths (`item.type`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub tags: Vec<String>,
    /// Objects whose keys are data, as paths.
    #[serde(default, skip_serializing_if = "is_default")]
    pub maps: Vec<String>,
    /// Lists and objects that are not looked into (tools, commands, models, arguments of tools), as paths.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opaque: Vec<String>,
    /// Names whose values are part of the protocol and are kept.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kept: Vec<String>,
}
