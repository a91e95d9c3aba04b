//! The transcript: what went over both pipes of one process, and how it began and ended; one JSON object a line.
//!
//! The records are those of the specification: a chunk of a stream, a frame of an RPC, an event of the process. They are
//! closed, and a record that is none of them is refused with its line.

mod read;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::shape::{FrameDirection, Stream};
use agent_contracts_wire::{Family, Transport};

pub use read::{Transcript, TranscriptError, What};

/// One line of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TranscriptLine {
    /// Bytes that went over a pipe, as text.
    Data(DataChunk),
    /// Bytes that went over a pipe and stand elsewhere.
    Ref(RefChunk),
    /// One message of an RPC, as it was before serialisation or after parsing.
    Frame(RpcFrame),
    /// What happened to the process.
    Process(ProcessEvent),
}

/// A piece of a stream. Where it is cut says nothing: lines are put together again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DataChunk {
    /// Which way it went.
    pub dir: FrameDirection,
    /// Over which pipe.
    pub stream: Stream,
    /// Milliseconds since the start, never falling.
    pub at_ms: u64,
    /// The text, sanitised.
    pub data: String,
}

/// A piece of a stream that is named instead of shown, such as the prompt of a probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefChunk {
    /// Which way it went.
    pub dir: FrameDirection,
    /// Over which pipe.
    pub stream: Stream,
    /// Milliseconds since the start, never falling.
    pub at_ms: u64,
    /// What it was: `prompt`.
    #[schemars(length(min = 1))]
    pub data_ref: String,
}

/// One message of an RPC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RpcFrame {
    /// Which way it went.
    pub dir: FrameDirection,
    /// Over which pipe.
    pub stream: Stream,
    /// Milliseconds since the start, never falling.
    pub at_ms: u64,
    /// The message, sanitised.
    pub frame: Map<String, Value>,
}

/// What happened to the process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend(
    "if" = { "properties": { "event": { "const": "exit" } } },
    "then" = { "anyOf": [
        { "required": ["exit_code"], "properties": { "exit_code": { "type": "integer" } } },
        { "required": ["signal"], "properties": { "signal": { "type": "string" } } },
    ] },
))]
pub struct ProcessEvent {
    /// Always `process`.
    pub dir: ProcessDir,
    /// What happened.
    pub event: ProcessEventKind,
    /// Milliseconds since the start, never falling.
    pub at_ms: u64,
    /// The code it ended with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
}

/// The `dir` of a process event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessDir {
    /// Neither way.
    #[default]
    Process,
}

/// The events of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProcessEventKind {
    /// It was started.
    Spawn,
    /// It ended.
    Exit,
    /// Its time was over.
    Timeout,
    /// It was killed by who ran it.
    Kill,
}

impl RpcFrame {
    /// What makes it no message of a JSON-RPC family, in words; `None` when it is one, or the family has other rules.
    /// Only the Agent Client Protocol writes the member `jsonrpc`.
    #[must_use]
    pub fn problem(&self, family: &Family) -> Option<&'static str> {
        if family.transport != Transport::JsonRpc {
            return None;
        }
        let frame = &self.frame;
        let structured = |name: &str| matches!(frame.get(name), None | Some(Value::Object(_) | Value::Array(_)));
        let error_is_whole = |error: &Value| {
            error.get("code").is_some_and(|code| code.is_i64() || code.is_u64())
                && error.get("message").is_some_and(Value::is_string)
        };
        if family.folder() == "acp-json-rpc" && frame.get("jsonrpc") != Some(&Value::from("2.0")) {
            return Some("`jsonrpc` must be \"2.0\"");
        }
        match (frame.get("method"), frame.get("id")) {
            (None, None) => Some("neither `method` nor `id`"),
            (Some(Value::String(_)), _) if !structured("params") => Some("`params` must be an object or a list"),
            (Some(Value::String(_)), _) => None,
            (Some(_), _) => Some("`method` must be a string"),
            (None, Some(_)) => match (frame.get("result"), frame.get("error")) {
                (Some(_), Some(_)) => Some("both `result` and `error`"),
                (None, None) => Some("an answer without `result` or `error`"),
                (None, Some(error)) if !error_is_whole(error) => {
                    Some("`error` must hold a numeric `code` and a `message`")
                }
                _ => None,
            },
        }
    }
}
