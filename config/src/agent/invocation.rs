//! How an agent is started without a person: its arguments, and how it gets the prompt.
//!
//! Arguments are data: a list of parts, each with the conditions under which it stands. [`crate::argv`] puts them
//! together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::is_default;

/// One way to run an agent without a person. The first of a file is the one that is used in production.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invocation {
    /// Its name, unique in the file: `exec`, `app-server`.
    pub name: String,
    /// The protocol family that it speaks.
    pub family: String,
    /// How the prompt gets in.
    pub prompt: Prompt,
    /// The arguments after the binary, in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub parts: Vec<Part>,
    /// How the end of a turn is seen and what the host does then.
    #[serde(default, skip_serializing_if = "is_default")]
    pub end: TurnEnd,
    /// What a reader should know, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub notes: Vec<String>,
}

/// How the prompt gets into an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prompt {
    /// The whole prompt as text on standard input, then end of file.
    StdinText,
    /// One JSON record a line on standard input, which stays open.
    StdinJsonl,
    /// As a request on standard input.
    Rpc,
    /// As an argument.
    Argv,
    /// In a file that an argument names.
    File,
}

impl Prompt {
    /// The word that observations use for it (`command.stdin_mode` of the contract registry's specification).
    #[must_use]
    pub fn stdin_mode(self) -> &'static str {
        match self {
            Self::StdinText => "text-prompt",
            Self::StdinJsonl => "jsonl-open",
            Self::Rpc => "rpc",
            Self::Argv => "none",
            Self::File => "prompt-file",
        }
    }
}

/// Some arguments, and the conditions under which they are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The arguments. `{name}` stands for an input or an option. An argument that is the name of a list alone stands
    /// for all its items.
    pub args: Vec<String>,
    /// All of these must hold.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: When,
    /// A list: the part is repeated for each of its items, which is `{item}` then.
    #[serde(default, skip_serializing_if = "is_default")]
    pub each: Option<String>,
}

/// The conditions of a part. All that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Inputs or options that have a value (a list: at least one item).
    #[serde(default, skip_serializing_if = "is_default")]
    pub set: Vec<String>,
    /// Inputs or options that have none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unset: Vec<String>,
    /// Options that have one of these values.
    #[serde(default, skip_serializing_if = "is_default")]
    pub equals: BTreeMap<String, Vec<String>>,
    /// What the help probe must have said of a capability.
    #[serde(default, skip_serializing_if = "is_default")]
    pub capability: BTreeMap<String, Vec<Advertised>>,
    /// Platforms (`linux-x64`) or systems (`linux`, `darwin`, `win32`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub platform: Vec<String>,
    /// An earlier session is continued (`true`) or a new one is begun (`false`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub resume: Option<bool>,
}

/// What a help probe says of a capability. A probe that failed leaves all of them unknown, which is not absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advertised {
    /// The help text names the flag.
    Seen,
    /// The help text was read and does not name it.
    Absent,
    /// Nobody could say.
    #[default]
    Unknown,
}

/// A choice that the host has when it starts an agent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionDef {
    /// What it does.
    pub about: String,
    /// The closed set of values; empty when open.
    #[serde(default, skip_serializing_if = "is_default")]
    pub values: Vec<String>,
    /// The value when the host says nothing; without it the option is then unset.
    #[serde(default, skip_serializing_if = "is_default")]
    pub default: Option<String>,
    /// Defaults that differ, by platform (`win32-x64`) or system (`win32`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub default_on: BTreeMap<String, String>,
}

/// How the end of a turn is seen and what the host does then.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnEnd {
    /// Event types after which the host closes standard input. Empty where the process ends by itself.
    #[serde(default, skip_serializing_if = "is_default")]
    pub close_stdin_on: Vec<String>,
    /// How long after that the host ends the process itself, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub terminate_after_ms: Option<u32>,
    /// What tells the end from a pause, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: Option<String>,
}
