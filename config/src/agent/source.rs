//! The places where the protocol of an agent can be read at each version.

use agent_contracts_wire::finding::Direction;
use agent_contracts_wire::version::VersionScheme;
use serde::{Deserialize, Serialize};

use super::is_default;

/// A place where the protocol of an agent can be read at each version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanSource {
    /// What kind of place it is.
    pub kind: SourceKind,
    /// `owner/name` of a repository, or the name of a package.
    pub location: String,
    /// Names it had before, oldest first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub earlier: Vec<String>,
    /// Whose versions it is published under.
    #[serde(default, skip_serializing_if = "is_default")]
    pub follows: Follows,
    /// It is scanned besides the first source of its family, because it holds other types.
    #[serde(default, skip_serializing_if = "is_default")]
    pub besides: bool,
    /// Where a file of this source names the agent's version that it belongs to, when it counts its own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub agent_version: Option<AgentVersionAt>,
    /// Regular expression over its tags, where it differs from the agent's; the group `version` is the version.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tag_pattern: Option<String>,
    /// The scheme of its own versions, where it differs from the agent's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub scheme: Option<VersionScheme>,
    /// What to read, by era. The first era that holds at a version (a file of its scope is there, and none of its
    /// `unless`) is the one that is read there.
    pub eras: Vec<Era>,
    /// Globs of the files that declare command-line flags.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flags: Vec<String>,
}

/// Whose versions a source is published under.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Follows {
    /// The agent's: version 1.2.3 of the source is version 1.2.3 of the agent.
    #[default]
    Agent,
    /// Its own. Steps are between its own versions; a finding names the version of the source, not of the agent.
    Own,
}

/// A JSON file of a source that names the agent's version it was made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentVersionAt {
    /// Path from the root of the repository or package.
    pub file: String,
    /// JSON pointer to the version in that file.
    pub pointer: String,
}

/// The kinds of place that code can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A git repository.
    Git,
    /// An npm package.
    Npm,
    /// A crate of crates.io.
    Crate,
    /// A project of PyPI.
    Pypi,
}

/// What to read of a source while its layout stayed the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Era {
    /// Globs of the files, relative to the root of the repository or package. `*` stops at `/`, `**` does not.
    pub scope: Vec<String>,
    /// The types to start from, and which side writes them. Empty: every wire type in the scope.
    #[serde(default, skip_serializing_if = "is_default")]
    pub roots: Vec<Root>,
    /// How these files came to be. Left out, it follows from their language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rank: Option<Rank>,
    /// Other descriptions of the same protocol at the same version; what they disagree in is found by a cross-check.
    #[serde(default, skip_serializing_if = "is_default")]
    pub twins: Vec<Twin>,
    /// The protocol family that these types describe.
    pub family: String,
    /// What its frames look like, where the family has spoken several dialects in this source. Eras of one dialect are
    /// notations of one protocol, and a step between them is compared type by type; a step from one dialect to another is
    /// one `output_format_changed`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub dialect: Option<String>,
    /// Globs of files whose presence says that the era does not hold yet, or no longer, although its own files are there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unless: Vec<String>,
    /// Roots of other eras that go over the wire and that these files do not declare; a step from or to this era leaves
    /// them out, because that they are published is no change of the protocol.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unpublished: Vec<String>,
}

/// Another description of what an era describes, in the same repository or package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Twin {
    /// Globs of its files.
    pub scope: Vec<String>,
    /// How they came to be. Left out, it follows from their language.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rank: Option<Rank>,
    /// The types to start from in both, where the era's have another form here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub roots: Vec<Root>,
}

/// How a description of a protocol came to be: the first is believed before the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rank {
    /// The serialiser executes it: Rust with serde, Go structs, pydantic models, zod.
    Executed,
    /// Generated from what is executed: JSON Schema, OpenAPI, printed types.
    Generated,
    /// Types that a person keeps beside the code.
    Written,
    /// The vendor's documents.
    Documented,
}

/// A type to start from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// Its declared name.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Which way it travels.
    pub direction: Direction,
}

impl ScanSource {
    /// How records and people name it: `npm:@openai/codex-sdk`, `git:openai/codex`.
    #[must_use]
    pub fn label(&self) -> String {
        let kind = match self.kind {
            SourceKind::Git => "git",
            SourceKind::Npm => "npm",
            SourceKind::Crate => "crate",
            SourceKind::Pypi => "pypi",
        };
        format!("{kind}:{}", self.location)
    }
}
