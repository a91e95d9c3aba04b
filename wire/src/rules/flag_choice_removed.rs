//! `flag_choice_removed`: a flag refuses a value it took.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_choice_removed",
    title: "A flag refuses a value it took",
    explanation: "Calls with the value end with a usage error.",
    ratings: &[rating(None, "", ALWAYS, Severity::Breaking, Domain::RequestRejected)],
    before: "--output-format text|json|yaml",
    after: "--output-format text|json",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a choice goes",
        old: "flag --format one choices=text,json,yaml",
        new: "flag --format one choices=text,json",
        fires: &["flag_choice_removed"],
    },
    Example {
        name: "the choices are the same",
        old: "flag --format one choices=text,json",
        new: "flag --format one choices=text,json",
        fires: &[],
    },
];
