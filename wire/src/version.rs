//! Version schemes and their order.

use serde::{Deserialize, Serialize};

/// How the versions of an agent are written and ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VersionScheme {
    /// Semantic versions, with tolerance for two numbers (`1.27`).
    #[default]
    Semver,
    /// PEP 440.
    Pep440,
    /// Dates, as `2025-11-25` or `2026.5.1-1`.
    Calver,
    /// `0.0.EPOCH-gHASH`: ordered by the epoch, the hash is not compared and makes no prerelease.
    EpochHash,
}
