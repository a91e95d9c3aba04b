//! Which wire events mean what a probe asks for.

use serde::{Deserialize, Serialize};

use super::is_default;

/// Event types by meaning, in the grammar of shapes; the key of the table is the protocol family. A trailing `*`
/// stands for any rest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventMap {
    /// The agent has started or says what it does.
    #[serde(default, skip_serializing_if = "is_default")]
    pub init_or_status: Vec<String>,
    /// Text for the person.
    #[serde(default, skip_serializing_if = "is_default")]
    pub assistant_text: Vec<String>,
    /// A tool is called.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tool_use: Vec<String>,
    /// A tool has answered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tool_result: Vec<String>,
    /// Tokens were counted.
    #[serde(default, skip_serializing_if = "is_default")]
    pub usage: Vec<String>,
    /// Something failed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub error: Vec<String>,
    /// The turn is over.
    #[serde(default, skip_serializing_if = "is_default")]
    pub done: Vec<String>,
}

impl EventMap {
    /// Every meaning with its event types, in the order of the structure.
    #[must_use]
    pub fn meanings(&self) -> [(&'static str, &[String]); 7] {
        [
            ("init_or_status", &self.init_or_status),
            ("assistant_text", &self.assistant_text),
            ("tool_use", &self.tool_use),
            ("tool_result", &self.tool_result),
            ("usage", &self.usage),
            ("error", &self.error),
            ("done", &self.done),
        ]
    }
}
