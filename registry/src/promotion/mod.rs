//! Decisions about observations: which are asked for, when they hold, and the record that is written.
//!
//! Nothing is deleted: a decision is undone by another one. What holds is in [`rules`], which the matrix asks too, so that
//! a record that was written by hand and breaks a rule changes no claim.

mod decide;
mod refusal;
pub mod rules;

pub use decide::{Request, Selection, Signer, decide};
pub use refusal::Refusal;

/// The codes of refusals.
pub mod codes {
    pub use super::refusal::{
        ALREADY, MIXED, NEVER_OBSERVED, NO_DECISION, NO_OBSERVATION, NO_REPRODUCTION, NOT_A_MAINTAINER, NOT_ATTESTED,
        NOT_COUNTED, NOT_INDEPENDENT, NOT_SEEN_BREAKING, TOO_EARLY, TOO_FEW,
    };
}
