//! The one diff, for source and for shapes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::finding::{Direction, Finding, Verdict};
use crate::model::{Degraded, Unresolved, WireModel};

/// What a comparison is asked.
#[derive(Debug, Clone, Default)]
pub struct DiffOptions {
    /// Ids of the types to start from. Empty: every wire type declared in the scope.
    pub roots: Vec<String>,
    /// The side that writes a type, by type name, where the agent's file says so.
    pub directions: BTreeMap<String, Direction>,
}

/// What a comparison says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diff {
    /// The changes, sorted: worst first, then by rule, type and name.
    pub findings: Vec<Finding>,
    /// Types that changed their file and not their wire form.
    pub moves: Vec<Move>,
    /// What neither side's extractor could resolve, in the new version first.
    pub unresolved: Vec<Unresolved>,
    /// What was not read in full.
    pub degraded: Vec<Degraded>,
    /// What it comes to.
    pub verdict: Verdict,
}

/// A type that is declared elsewhere, or under another name, with the same wire form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Move {
    /// Its name; `Old -> New` when that changed too.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

/// Compares two models.
pub fn diff(_old: &WireModel, _new: &WireModel, _options: &DiffOptions) -> Diff {
    Diff {
        findings: vec![],
        moves: vec![],
        unresolved: vec![],
        degraded: vec![],
        verdict: Verdict::NoProtocolChange,
    }
}
