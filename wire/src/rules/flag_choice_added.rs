//! `flag_choice_added`: a flag takes a new value.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_choice_added",
    title: "A flag takes a new value",
    explanation: "Nobody who does not use it is hurt.",
    ratings: &[rating(None, "", ALWAYS, Severity::Additive, Domain::Additive)],
    before: "--output-format text|json",
    after: "--output-format text|json|stream-json",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a new choice",
        old: "flag --format one choices=text,json",
        new: "flag --format one choices=text,json,stream-json",
        fires: &["flag_choice_added"],
    },
    Example {
        name: "choices in another order",
        old: "flag --format one choices=text,json",
        new: "flag --format one choices=json,text",
        fires: &[],
    },
];
