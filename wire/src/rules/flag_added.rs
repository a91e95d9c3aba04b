//! `flag_added`: there is a new flag.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_added",
    title: "There is a new flag",
    explanation: "Nobody who does not use it is hurt.",
    ratings: &[rating(None, "", ALWAYS, Severity::Additive, Domain::Additive)],
    before: "--json",
    after: "--json
--output-schema FILE",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a new flag",
        old: "flag --json",
        new: "flag --json
flag --schema one",
        fires: &["flag_added"],
    },
    Example {
        name: "a flag moves from a command to the program",
        old: "flag run --debug",
        new: "flag --debug inherited",
        fires: &[],
    },
];
