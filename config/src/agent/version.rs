//! How the versions of an agent are written.

use std::collections::BTreeMap;

use agent_contracts_wire::version::VersionScheme;
use serde::{Deserialize, Serialize};

use super::is_default;

/// How the versions of an agent are written, and how a binary is asked for its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionDef {
    /// The order they are in.
    #[serde(default)]
    pub scheme: VersionScheme,
    /// Arguments that make the binary print its version.
    #[serde(default, skip_serializing_if = "is_default")]
    pub args: Vec<String>,
    /// Regular expression over that output; the group `version` is the version.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pattern: Option<String>,
    /// How long the binary may take to answer, in milliseconds; 3,000 where the file says nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub timeout_ms: Option<u32>,
    /// Regular expression over tag names; the group `version` is the version. Tags that do not match belong to others.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tag_pattern: Option<String>,
    /// Regular expression: versions that match are prereleases although the scheme does not say so.
    #[serde(default, skip_serializing_if = "is_default")]
    pub prerelease: Option<String>,
    /// Suffixes that name a platform build of a release (`-linux-x64`), by platform; no prereleases.
    #[serde(default, skip_serializing_if = "is_default")]
    pub platform_suffixes: BTreeMap<String, String>,
    /// Versions that were never a release of this line, although they look like one (`0.0.888888`).
    #[serde(default, skip_serializing_if = "is_default")]
    pub ignore: Vec<String>,
    /// What a host knows to work with, where it keeps such a list.
    #[serde(default, skip_serializing_if = "is_default")]
    pub policy: Option<VersionPolicy>,
}

/// The versions that a host has tested with an agent; others are run with a warning.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionPolicy {
    /// Versions that were tested, exactly.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tested: Vec<String>,
    /// Regular expression over versions that are accepted too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub accepts: Option<String>,
    /// A binary whose version cannot be read is refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub require_version: bool,
}

/// The version in a text: the group `version` of the first match of `pattern`, which may be a pattern for a tag or for
/// the output of a binary. `None` when nothing matches, or when the pattern is none (the loader refuses such a file).
#[must_use]
pub fn version_in(pattern: &str, text: &str) -> Option<String> {
    let captures = regex::Regex::new(pattern).ok()?;
    let captures = captures.captures(text)?;
    captures.name("version").map(|version| version.as_str().to_owned())
}
