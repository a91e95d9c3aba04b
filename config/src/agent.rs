//! One agent, as its file says it. The single definition of the format of `config/agents/<id>.toml`.

use std::collections::BTreeMap;

use agent_contracts_wire::finding::Direction;
use agent_contracts_wire::version::VersionScheme;
use serde::{Deserialize, Serialize};

/// One coding-agent CLI, or one protocol that is only scanned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentDef {
    /// kebab-case, the same as the file's stem.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// 0: claims go stale after 7 days; 1: after 30; 2: declared only.
    pub tier: u8,
    /// Has no CLI of its own that is captured (ACP, MCP …).
    #[serde(default)]
    pub scan_only: bool,
    /// How its versions are written and ordered.
    #[serde(default)]
    pub version: VersionDef,
    /// Where its releases are announced.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// Where its protocol can be read. The first that has a version is the one to scan.
    #[serde(default)]
    pub sources: Vec<ScanSource>,
    /// Protocol families it speaks, as in `json-event-stream/v1`.
    #[serde(default)]
    pub families: Vec<String>,
}

/// How the versions of an agent are written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionDef {
    /// The order they are in.
    #[serde(default)]
    pub scheme: VersionScheme,
    /// Arguments that make the binary print its version.
    #[serde(default)]
    pub args: Vec<String>,
    /// Regular expression over that output; the group `version` is the version.
    #[serde(default)]
    pub pattern: Option<String>,
    /// Regular expression over tag names; the group `version` is the version. Tags that do not match belong to others.
    #[serde(default)]
    pub tag_pattern: Option<String>,
    /// Regular expression: versions that match are prereleases although the scheme does not say so.
    #[serde(default)]
    pub prerelease: Option<String>,
    /// Suffixes that name a platform build of a release (`-linux-x64`), by platform; no prereleases.
    #[serde(default)]
    pub platform_suffixes: BTreeMap<String, String>,
    /// Versions that were never a release of this line, although they look like one (`0.0.888888`).
    #[serde(default)]
    pub ignore: Vec<String>,
}

/// A place that announces releases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Channel {
    /// A package of the npm registry.
    Npm {
        /// Its name.
        package: String,
        /// Names it had before, oldest first, each with the last version under that name where known.
        #[serde(default)]
        earlier: Vec<String>,
        /// Platform packages of the same versions, by platform (`linux-x64 = "opencode-linux-x64"`).
        #[serde(default)]
        platforms: BTreeMap<String, String>,
    },
    /// A project of PyPI.
    Pypi {
        /// Its name.
        package: String,
        /// Names it had before, oldest first.
        #[serde(default)]
        earlier: Vec<String>,
    },
    /// A crate of crates.io.
    Crates {
        /// Its name.
        package: String,
    },
    /// Releases of a GitHub repository.
    GithubReleases {
        /// `owner/name`.
        repo: String,
        /// Tags that are published again and again (`nightly`, `latest`) and are no releases.
        #[serde(default)]
        rolling: Vec<String>,
    },
    /// Tags of a GitHub repository.
    GithubTags {
        /// `owner/name`.
        repo: String,
        /// Tags that are moved again and again and are no releases.
        #[serde(default)]
        rolling: Vec<String>,
    },
    /// A formula of Homebrew.
    HomebrewFormula {
        /// Its name.
        name: String,
    },
    /// A cask of Homebrew.
    HomebrewCask {
        /// Its name.
        name: String,
    },
    /// A vendor's own address.
    Endpoint {
        /// Its address.
        url: String,
        /// JSON pointer to the version, or to a list of versions.
        #[serde(default)]
        pointer: Option<String>,
        /// Regular expression over the body; the group `version` is the version, every match counts.
        #[serde(default)]
        pattern: Option<String>,
    },
    /// The binary that is installed here, asked for its version.
    LocalBinary {},
}

/// A place where the protocol of an agent can be read at each version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScanSource {
    /// What kind of place it is.
    pub kind: SourceKind,
    /// `owner/name` of a repository, or the name of a package.
    pub location: String,
    /// Names it had before, oldest first.
    #[serde(default)]
    pub earlier: Vec<String>,
    /// Regular expression over its tags, where it differs from the agent's; the group `version` is the version.
    #[serde(default)]
    pub tag_pattern: Option<String>,
    /// The scheme of its own versions, where it differs from the agent's.
    #[serde(default)]
    pub scheme: Option<VersionScheme>,
    /// What to read, by era. The first era with a file at a version is the one that is read there.
    pub eras: Vec<Era>,
    /// Globs of the files that declare command-line flags.
    #[serde(default)]
    pub flags: Vec<String>,
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
    #[serde(default)]
    pub roots: Vec<Root>,
    /// The protocol family that these types describe.
    pub family: String,
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
