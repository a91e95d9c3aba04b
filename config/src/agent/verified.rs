//! Which fields of a file rest on something that was looked at, and which are only said.

use serde::{Deserialize, Serialize};

use super::is_default;

/// Some fields, and how they were verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verified {
    /// Paths of fields in the same file: `version.pattern`, `channels`, and for an item of a list its name, location,
    /// package or repository after the list's (`invocations.exec`, `sources.@openai/codex-sdk`).
    pub fields: Vec<String>,
    /// How.
    pub how: How,
    /// With which versions or files, in words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub with: Option<String>,
}

/// How a field was verified, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The real program ran with it on one machine.
    Ran,
    /// It was held against real tags, versions or files.
    Matched,
    /// It was read in source code or in a published package.
    Read,
    /// A document of the vendor or of a host says so; nobody looked.
    Documented,
}

impl How {
    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Ran => "ran on one machine",
            Self::Matched => "held against real tags, versions or files",
            Self::Read => "read in source",
            Self::Documented => "declared by a document",
        }
    }
}
