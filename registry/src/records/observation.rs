//! The observation: one real run of one CLI, and the shape that it had.

use agent_contracts_shapes::Validity;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{
    AgentId, CliVersion, GitCommit, GoldenPath, HttpsUrl, InstallSource, ObservationPath, ProbeId, SchemaVersion,
    Semver, Sha256, ShapePath, Text, UtcTime,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::extensions::ObservationExtensions;
use super::platform::Platform;
use super::words::words;

/// A runtime capture. Source scans, vendor documents and synthetic fixtures are never observations: they have no child
/// process behind them. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// A registered agent that is captured.
    pub agent: AgentId,
    /// The exact version that the runtime's own version probe gave.
    pub cli_version: CliVersion,
    /// Where it ran.
    pub platform: Platform,
    /// The probe that it was given.
    pub probe: ProbeId,
    /// The dialect that it spoke; the agent's file declares it.
    pub protocol_family: CapturedFamily,
    /// The level at which it was captured. Promotion records give a stronger one; this member never changes.
    pub validity_level: ObservedLevel,
    /// How the CLI got there.
    pub install: Install,
    /// How it was started.
    pub command: Command,
    /// What was recorded, and where.
    pub capture: Capture,
    /// What made it publishable.
    pub redaction: Redaction,
    /// The structure that was seen.
    pub shape: ShapeName,
    /// What the parsers made of it.
    #[serde(default)]
    pub parser_replay: ParserReplay,
    /// Open to further members.
    #[serde(default, skip_serializing_if = "ObservationExtensions::is_empty")]
    pub extensions: ObservationExtensions,
}

words! {
    /// What may stand behind an observation.
    ObservedLevel {
        RuntimeObserved = "runtime_observed",
        Confirmed = "confirmed",
        CommunityConfirmed = "community_confirmed",
        ServerVariant = "server_variant",
    }

    /// How the prompt and further input reach the CLI.
    StdinMode {
        None = "none",
        TextPrompt = "text-prompt",
        JsonlOpen = "jsonl-open",
        PromptFile = "prompt-file",
        Rpc = "rpc",
    }

    /// Who may see the raw bytes.
    RawVisibility {
        Private = "private",
        Public = "public",
        DiscardedAfterRedaction = "discarded_after_redaction",
    }

    /// How redaction ended. Only what passed stands in the public tree.
    RedactionStatus {
        Passed = "passed",
        Failed = "failed",
        ManualReviewRequired = "manual_review_required",
    }

    /// What a replay of the fixture through the parsers came to.
    ReplayStatus {
        Compatible = "compatible",
        Incompatible = "incompatible",
        NotRun = "not_run",
    }
}

impl From<ObservedLevel> for Validity {
    fn from(level: ObservedLevel) -> Self {
        match level {
            ObservedLevel::RuntimeObserved => Self::RuntimeObserved,
            ObservedLevel::Confirmed => Self::Confirmed,
            ObservedLevel::CommunityConfirmed => Self::CommunityConfirmed,
            ObservedLevel::ServerVariant => Self::ServerVariant,
        }
    }
}

/// How the CLI got to where it ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// A package, binary, source checkout or manual install, as in `npm:@openai/codex@0.133.0`.
    pub source: InstallSource,
    /// The hash of the binary, when there is one that stays the same.
    #[serde(default)]
    pub binary_sha256: Option<Sha256>,
}

/// How the CLI was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The arguments after the binary; secrets and paths are templates such as `{cwd}`.
    pub argv_template: Vec<String>,
    /// How input reaches it.
    pub stdin_mode: StdinMode,
}

/// What was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// When the CLI was started.
    pub captured_at: UtcTime,
    /// The image or name of the machine, as in `github-actions/macos-15-arm64`.
    pub runner: Text,
    /// The run of the automation that made it.
    #[serde(default)]
    pub workflow_run_url: Option<HttpsUrl>,
    /// The hash of all raw bytes on standard output. Required where the fixture has any.
    #[serde(default)]
    pub raw_stdout_sha256: Option<Sha256>,
    /// The hash of all raw bytes on standard error. Required where the fixture has any.
    #[serde(default)]
    pub raw_stderr_sha256: Option<Sha256>,
    /// The hash of the raw bundle of both pipes and the process.
    pub raw_client_transcript_sha256: Sha256,
    /// Who may see the raw bytes.
    pub raw_artifact_visibility: RawVisibility,
}

/// What made it publishable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Redaction {
    /// The version of the redaction tool.
    pub tool_version: Semver,
    /// How it ended.
    pub status: RedactionStatus,
}

/// A shape by name and place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeName {
    /// Its hash.
    pub signature: Sha256,
    /// Its file.
    pub path: ShapePath,
}

/// What the parsers made of the fixture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = a_verdict_names_its_commit)]
pub struct ParserReplay {
    /// The commit of the parsers.
    #[serde(default)]
    pub open_design_commit: Option<GitCommit>,
    /// What it came to.
    #[serde(default = "not_run")]
    pub status: ReplayStatus,
    /// What the parsers made of it, event by event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub golden: Option<GoldenPath>,
}

impl Default for ParserReplay {
    fn default() -> Self {
        Self {
            open_design_commit: None,
            status: not_run(),
            golden: None,
        }
    }
}

fn not_run() -> ReplayStatus {
    ReplayStatus::NotRun
}

/// A replay that ran says with which parsers; one that did not run has no golden.
fn a_verdict_names_its_commit(schema: &mut schemars::Schema) {
    schema.insert(
        "if".to_owned(),
        serde_json::json!({
            "properties": {"status": {"enum": ["compatible", "incompatible"]}},
            "required": ["status"],
        }),
    );
    schema.insert(
        "then".to_owned(),
        serde_json::json!({
            "properties": {"open_design_commit": {"type": "string"}},
            "required": ["open_design_commit"],
        }),
    );
    schema.insert(
        "else".to_owned(),
        serde_json::json!({"properties": {"golden": {"type": "null"}}}),
    );
}

impl Observation {
    /// Its file, relative to the tree:
    /// `observations/AGENT/VERSION/PLATFORM/TIME.PROBE.ID8.observation.json`. `ID8` are the first digits of the
    /// transcript's hash, so that two captures in one second do not collide.
    #[must_use]
    pub fn place(&self) -> String {
        format!(
            "observations/{}/{}/{}/{}.{}.{}.observation.json",
            self.agent,
            agent_contracts_wire::place::component(self.cli_version.as_str()),
            self.platform,
            self.capture.captured_at.file_name(),
            self.probe,
            self.capture.raw_client_transcript_sha256.id8(),
        )
    }
}

/// An observation by file and hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObservationRef {
    /// Its file.
    pub path: ObservationPath,
    /// The hash of that file's bytes.
    pub sha256: Sha256,
}
