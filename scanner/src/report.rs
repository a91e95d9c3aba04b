//! The JSON document that a scan prints (`scan --format json`), as DESIGN section 10 lays it down.

use agent_contracts_wire::diff::Move;
use agent_contracts_wire::finding::{Finding, Verdict};
use agent_contracts_wire::model::WireModel;
use serde::{Deserialize, Serialize};

/// The version of the document.
pub const SCHEMA_VERSION: u32 = 1;

/// What a scan says. Member order is the order of the printed JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScanReport {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The old side.
    pub from: Side,
    /// The new side.
    pub to: Side,
    /// The changes, worst first.
    pub findings: Vec<Finding>,
    /// Types that changed their place and not their wire form.
    pub moves: Vec<Move>,
    /// What could not be resolved, the new side first.
    pub unresolved: Vec<UnresolvedAt>,
    /// What was not read in full, the new side first.
    pub degraded: Vec<DegradedAt>,
    /// What the comparison came down to that could not be read, in words; left out when there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// What it comes to.
    pub verdict: Verdict,
    /// The two models that were compared; no part of the document.
    #[serde(skip)]
    pub models: Models,
}

/// The models of both sides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Models {
    /// The old side.
    pub from: WireModel,
    /// The new side.
    pub to: WireModel,
}

/// One side of a scan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The text of its source, as it was given.
    pub source: String,
    /// How many files were read.
    pub files: u32,
    /// How many types they declare.
    pub types: usize,
    /// The commit or the hash of the archive that was read; no part of the document.
    #[serde(skip)]
    pub revision: Option<String>,
}

/// Something that could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnresolvedAt {
    /// Path from the root of the repository or package.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What, in the source's own words.
    pub what: String,
}

/// A file, or a span of it, that was not read in full.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DegradedAt {
    /// Path from the root of the repository or package.
    pub file: String,
    /// First and last line; `null` for the whole file.
    pub lines: Option<(u32, u32)>,
    /// Why.
    pub why: String,
    /// Declarations that stand there, as far as that can be guessed.
    pub hides: Vec<String>,
}
