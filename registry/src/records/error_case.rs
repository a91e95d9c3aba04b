//! Error cases: what a host's failure classifier must make of a real failure.

use agent_contracts_wire::formats::{AgentId, ProbeId, SchemaVersion, Sha256, Text};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::failure::{CancelOrigin, DaemonEvent, RunFailureClassification, RunResult, TerminalTrigger};
use super::required;

/// One failure with the verdict that is expected. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = success_has_no_class)]
pub struct ErrorCase {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// A registered agent.
    pub agent: AgentId,
    /// The error probe that it was given.
    pub probe: ProbeId,
    /// The hash of the raw transcript that it was made from.
    pub raw_shape: Sha256,
    /// What the classifier is given.
    pub classifier_input: ClassifierInput,
    /// What it must say: `null` only for a run that succeeded.
    #[serde(deserialize_with = "Option::deserialize")]
    pub expected_failure_classification: Option<RunFailureClassification>,
}

/// What the classifier is given. The names are those of the daemon.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassifierInput {
    /// How the run ended.
    pub result: RunResult,
    /// The status of the run.
    pub status: RunStatus,
    /// The daemon's error code.
    #[serde(default, rename = "errorCode")]
    pub error_code: Option<Text>,
    /// The daemon's events, oldest first.
    #[serde(default)]
    pub events: Vec<DaemonEvent>,
    /// Who cancelled it.
    #[serde(default, rename = "cancelOrigin", skip_serializing_if = "Option::is_none")]
    pub cancel_origin: Option<CancelOrigin>,
    /// What ended it.
    #[serde(default, rename = "terminalTrigger", skip_serializing_if = "Option::is_none")]
    pub terminal_trigger: Option<TerminalTrigger>,
}

/// The daemon's status of a run, as far as the classifier reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunStatus {
    /// Its word for it.
    pub status: Text,
    /// The message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The code.
    #[serde(default, rename = "errorCode", skip_serializing_if = "Option::is_none")]
    pub error_code: Option<Text>,
    /// The signal that ended the child.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<Text>,
}

fn success_has_no_class(schema: &mut Schema) {
    required::add(schema, &["expected_failure_classification"]);
    let success = json!({
        "properties": {"classifier_input": {"properties": {"result": {"const": "success"}}, "required": ["result"]}},
        "required": ["classifier_input"],
    });
    schema.insert("if".to_owned(), success);
    schema.insert(
        "then".to_owned(),
        json!({"properties": {"expected_failure_classification": {"type": "null"}}}),
    );
    schema.insert(
        "else".to_owned(),
        json!({"properties": {"expected_failure_classification": {"type": "object"}}}),
    );
}

impl ErrorCase {
    /// Its file, relative to the tree: `errors/AGENT/PROBE.ID8.error.json`. `ID8` are the first digits of the raw
    /// transcript's hash.
    #[must_use]
    pub fn place(&self) -> String {
        format!(
            "errors/{}/{}.{}.error.json",
            self.agent,
            self.probe,
            self.raw_shape.id8()
        )
    }
}
