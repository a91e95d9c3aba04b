//! One agent, as its file says it. The single definition of the format of `config/agents/<id>.toml`.

pub mod channel;
pub mod events;
pub mod family;
pub mod install;
pub mod invocation;
pub mod loopback;
pub mod permissions;
pub mod probes;
pub mod profile;
pub mod session;
pub mod source;
pub mod support;
pub mod verified;
pub mod version;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use channel::Channel;
pub use events::EventMap;
pub use family::{FAMILIES, Family, Transport};
pub use install::{Covers, Install};
pub use invocation::{Advertised, Invocation, OptionDef, Part, Prompt, TurnEnd, When};
pub use loopback::{ConfigFile, Dialect, Loopback, Switches};
pub use permissions::{Permissions, Posture};
pub use probes::{AuthProbe, HelpProbe, HiddenFlag, ModelFormat, ModelProbe};
pub use profile::ProfileDef;
pub use session::{Images, Limits, Mcp, McpKind, Resume, ResumeKind};
pub use source::{AgentVersionAt, Era, Follows, Rank, Root, ScanSource, SourceKind, Twin};
pub use support::{Oldest, OnBreaking, SupportDef};
pub use verified::{How, Verified};
pub use version::{VersionDef, VersionPolicy, version_in};

/// One coding-agent CLI, or one protocol that is only scanned.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentDef {
    /// kebab-case, the same as the file's stem.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// 0: claims go stale after 7 days; 1: after 30; 2: declared only.
    pub tier: u8,
    /// Has no CLI of its own that is captured (ACP, MCP …).
    #[serde(default, skip_serializing_if = "is_default")]
    pub scan_only: bool,
    /// The command to look for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub binary: Option<Binary>,
    /// Protocol families it speaks, as in `json-event-stream/v1`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub families: Vec<String>,
    /// What is not covered here, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing: Vec<String>,
    /// How its versions are written and ordered.
    #[serde(default)]
    pub version: VersionDef,
    /// Where its releases are announced.
    #[serde(default, skip_serializing_if = "is_default")]
    pub channels: Vec<Channel>,
    /// Where its protocol can be read. For each family the first that has a version is scanned, and those that say
    /// `besides`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sources: Vec<ScanSource>,
    /// The choices that a host has, by name.
    #[serde(default, skip_serializing_if = "is_default")]
    pub options: BTreeMap<String, OptionDef>,
    /// The ways to run it without a person; the first is the one of production.
    #[serde(default, skip_serializing_if = "is_default")]
    pub invocations: Vec<Invocation>,
    /// Its environment.
    #[serde(default, skip_serializing_if = "is_default")]
    pub env: EnvDef,
    /// Is it logged in?
    #[serde(default, skip_serializing_if = "is_default")]
    pub auth: Option<AuthProbe>,
    /// Which models has it?
    #[serde(default, skip_serializing_if = "is_default")]
    pub models: Option<ModelProbe>,
    /// Which flags has it?
    #[serde(default, skip_serializing_if = "is_default")]
    pub help: Option<HelpProbe>,
    /// What it may do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub permissions: Permissions,
    /// How to get an exact version.
    #[serde(default, skip_serializing_if = "is_default")]
    pub install: Vec<Install>,
    /// How to run it on the provider of our own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub loopback: Vec<Loopback>,
    /// What keeps it from replacing itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub updater: Switches,
    /// What keeps it from reporting home.
    #[serde(default, skip_serializing_if = "is_default")]
    pub telemetry: Switches,
    /// What the normaliser is told.
    #[serde(default, skip_serializing_if = "is_default")]
    pub profile: ProfileDef,
    /// Which wire events mean what, by protocol family.
    #[serde(default, skip_serializing_if = "is_default")]
    pub events: BTreeMap<String, EventMap>,
    /// How a session is continued.
    #[serde(default, skip_serializing_if = "is_default")]
    pub resume: Resume,
    /// How it gets MCP servers.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mcp: Mcp,
    /// How it gets images.
    #[serde(default, skip_serializing_if = "is_default")]
    pub images: Images,
    /// Bounds of a turn.
    #[serde(default, skip_serializing_if = "is_default")]
    pub limits: Limits,
    /// Minimum probes that it is exempt from, with the reason.
    #[serde(default, skip_serializing_if = "is_default")]
    pub exempt: BTreeMap<String, String>,
    /// What public claims about it may say beyond what was observed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub support: SupportDef,
    /// What was verified, and how. All other fields are declared only.
    #[serde(default, skip_serializing_if = "is_default")]
    pub verified: Vec<Verified>,
}

/// The command of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Binary {
    /// Its name on the search path.
    pub name: String,
    /// Names to try when it is not there, in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fallbacks: Vec<String>,
}

/// What an agent's environment needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvDef {
    /// Variables to set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub set: BTreeMap<String, String>,
    /// Variables to take away.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strip: Vec<Strip>,
    /// Variables that it reads and a host may pass on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reads: Vec<String>,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub notes: Vec<String>,
}

/// A variable to take out of an agent's environment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strip {
    /// The variable.
    pub name: String,
    /// It stays when this one is set.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unless: Option<String>,
}

/// For serde: whether a field holds nothing worth writing.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
