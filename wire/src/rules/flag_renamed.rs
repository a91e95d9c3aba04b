//! `flag_renamed`: a flag goes by another name.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_renamed",
    title: "A flag goes by another name",
    explanation: "Calls by the old name end with a usage error. Choose the name by version.",
    ratings: &[rating(None, "", ALWAYS, Severity::Breaking, Domain::RequestRejected)],
    before: "--sandbox-mode, -s MODE",
    after: "--sandbox, -s MODE",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "another long name for the same short one",
        old: "flag --sandbox-mode -s one",
        new: "flag --sandbox -s one",
        fires: &["flag_renamed"],
    },
    Example {
        name: "the old name is kept",
        old: "flag --sandbox-mode -s one",
        new: "flag --sandbox --sandbox-mode -s one",
        fires: &["flag_added"],
    },
];
