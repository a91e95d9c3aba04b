//! Why a decision does not hold.

use serde::Serialize;

/// One rule that a decision breaks, and what would satisfy it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, thiserror::Error)]
#[error("{what} ({code})\nhint: {mend}")]
pub struct Refusal {
    /// The rule, as `validate` names it too.
    pub code: &'static str,
    /// What was found.
    pub what: String,
    /// What would satisfy the rule.
    pub mend: String,
}

impl Refusal {
    pub(crate) fn new(code: &'static str, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self {
            code,
            what: what.into(),
            mend: mend.into(),
        }
    }
}

/// An observation is not there, or has other bytes.
pub const NO_OBSERVATION: &str = "PRM021";
/// An earlier decision is not there, or has other bytes.
pub const NO_DECISION: &str = "PRM022";
/// There are too few captures.
pub const TOO_FEW: &str = "PRM023";
/// The observations are not of one group.
pub const MIXED: &str = "PRM024";
/// The captures are not independent of each other.
pub const NOT_INDEPENDENT: &str = "PRM025";
/// A reproduction is missing.
pub const NO_REPRODUCTION: &str = "PRM026";
/// What was attested is not what is decided.
pub const NOT_ATTESTED: &str = "PRM027";
/// A contributor cannot decide.
pub const NOT_A_MAINTAINER: &str = "PRM029";
/// It was decided before what it rests on was there.
pub const TOO_EARLY: &str = "PRM031";
/// It is so already.
pub const ALREADY: &str = "PRM032";
/// Nothing that ran has this shape.
pub const NEVER_OBSERVED: &str = "PRM033";
/// The observation supports nothing.
pub const NOT_COUNTED: &str = "PRM034";
/// What is said to break was not seen to.
pub const NOT_SEEN_BREAKING: &str = "PRM035";
