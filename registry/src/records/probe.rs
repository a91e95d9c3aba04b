//! Probes: static tasks that are given to a CLI. A folder each, `probes/ID/`.

use std::collections::BTreeMap;

use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{EnvName, ProbeId, SchemaVersion, Text};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::words::words;

/// `probes/ID/probe.json`: what the task is for and what a runner must do besides giving the prompt. Beside it stand
/// `prompt.md` (unless `task` is `command`), perhaps `fixture-files/`, and `expected-min-events.json` or
/// `env-policy.json`. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = a_command_is_no_prompt)]
pub struct ProbeDefinition {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// The name of the folder.
    pub id: ProbeId,
    /// What it finds out, in one sentence.
    pub about: Text,
    /// Which agents need it.
    pub group: ProbeGroup,
    /// What is asked of the CLI.
    pub task: ProbeTask,
    /// How the run should end.
    pub outcome: ProbeOutcome,
    /// How long the CLI may take, in seconds.
    #[schemars(range(min = 1, max = 3600))]
    pub timeout_s: u32,
    /// The families that it makes sense for; empty for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("uniqueItems" = true))]
    pub families: Vec<CapturedFamily>,
    /// How the model server should behave, as the name of a scenario; `null` where none is asked.
    #[serde(default)]
    pub scenario: Option<ProbeId>,
    /// What the host does during the run, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<HostStep>,
}

words! {
    /// Which agents need a probe.
    ProbeGroup {
        Minimum = "minimum",
        HighRisk = "high_risk",
    }

    /// What is asked of the CLI: a command that needs no model, one prompt, or a session with several steps.
    ProbeTask {
        Command = "command",
        Prompt = "prompt",
        Session = "session",
    }

    /// How a run should end.
    ProbeOutcome {
        Success = "success",
        Failure = "failure",
        Either = "either",
    }

    /// What a CLI must be seen to do, whatever its events are called. The agent's file says which wire events mean it.
    EventMeaning {
        InitOrStatus = "init_or_status",
        AssistantText = "assistant_text",
        ToolUse = "tool_use",
        ToolResult = "tool_result",
        Usage = "usage",
        Error = "error",
        Done = "done",
    }

    /// What no transcript may hold.
    ForbiddenContent {
        RawSecret = "raw_secret",
        LocalHomePath = "local_home_path",
    }

    /// What credentials the CLI finds.
    Credentials {
        Valid = "valid",
        Absent = "absent",
        Invalid = "invalid",
        Expired = "expired",
    }

    /// What of the network the CLI can reach.
    Network {
        Provider = "provider",
        None = "none",
        RefuseConnections = "refuse_connections",
    }
}

/// What the host does during a session, besides sending the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum HostStep {
    /// Sends `prompt.md`.
    SendPrompt {
        /// Another file of the folder instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        file: Option<FileName>,
        /// Files of `fixture-files/` that go with it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        attach: Vec<FileName>,
        /// How many bytes of filler follow it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pad_bytes: Option<u32>,
    },
    /// Waits for an event of this meaning.
    WaitFor {
        /// The meaning.
        event: EventMeaning,
    },
    /// Answers the next request for permission.
    AnswerPermission {
        /// Whether it is granted.
        grant: bool,
    },
    /// Cancels the turn by the protocol's own means.
    Cancel,
    /// Ends the process and starts it again with the agent's arguments for resuming.
    Resume,
    /// Gives the CLI a tool server that the runner starts.
    OfferMcpServer {
        /// The name it is given.
        name: ProbeId,
    },
    /// Answers the handshake with a version that the CLI does not know.
    OfferWrongHandshake,
}

/// The name of a file in the folder of a probe.
pub type FileName = agent_contracts_wire::formats::RelPath;

/// `probes/ID/expected-min-events.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExpectedMinEvents {
    /// What must be seen.
    #[schemars(extend("uniqueItems" = true))]
    pub must_see: Vec<EventMeaning>,
    /// What may be seen.
    #[serde(default)]
    #[schemars(extend("uniqueItems" = true))]
    pub optional: Vec<EventMeaning>,
    /// What must not be in it.
    #[serde(default)]
    #[schemars(extend("uniqueItems" = true))]
    pub forbidden: Vec<ForbiddenContent>,
}

/// `probes/ID/env-policy.json`: what is different in the environment of a probe about a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnvPolicy {
    /// What credentials the CLI finds.
    pub credentials: Credentials,
    /// What of the network it can reach.
    pub network: Network,
    /// Variables that are taken away, besides those that hold credentials.
    #[serde(default)]
    #[schemars(extend("uniqueItems" = true))]
    pub unset: Vec<EnvName>,
    /// Variables that are set. A value may hold `{cwd}` and `{home}`.
    #[serde(default)]
    pub set: BTreeMap<EnvName, String>,
    /// What must be seen all the same.
    #[serde(default)]
    #[schemars(extend("uniqueItems" = true))]
    pub must_see: Vec<EventMeaning>,
    /// What must not be in it.
    #[serde(default)]
    #[schemars(extend("uniqueItems" = true))]
    pub forbidden: Vec<ForbiddenContent>,
}

fn a_command_is_no_prompt(schema: &mut Schema) {
    schema.insert(
        "if".to_owned(),
        json!({"properties": {"task": {"const": "session"}}, "required": ["task"]}),
    );
    schema.insert(
        "then".to_owned(),
        json!({"properties": {"steps": {"minItems": 1}}, "required": ["steps"]}),
    );
    schema.insert("else".to_owned(), json!({"properties": {"steps": {"maxItems": 0}}}));
}
