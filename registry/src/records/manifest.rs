//! The manifest: every file of a published tree with its hash, so that an edit that no rule can see is seen.

use agent_contracts_wire::formats::{RelPath, SchemaVersion, Semver, Sha256, UtcTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A list of files with their hashes. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// When it was made.
    pub generated_at: UtcTime,
    /// The version of the tool that made it.
    pub tool_version: Semver,
    /// Every file but the manifest itself, sorted by path, once each.
    pub files: Vec<ManifestFile>,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ManifestFile {
    /// Relative to the root of the tree or package.
    pub path: RelPath,
    /// The hash of its bytes.
    pub sha256: Sha256,
    /// How many bytes it has.
    pub bytes: u64,
}
