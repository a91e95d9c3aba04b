//! `field_removed`: a member is gone.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "field_removed",
    title: "A member is gone",
    explanation: "On output a host that reads it finds nothing: required members make typed readers fail, optional ones \
        are lost in silence. On input it is refused or ignored. Look for where the value stands now.",
    ratings: &[
        rating(
            None,
            "when its members stand one level up now",
            |facts| facts.nested,
            Severity::Breaking,
            Domain::SilentLoss,
        ),
        rating(
            Some(Side::Output),
            "when it was always there",
            |facts| facts.required,
            Severity::Breaking,
            Domain::DecodeFatal,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
        rating(
            Some(Side::Input),
            "",
            ALWAYS,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
    ],
    before: "type EndEvent = { old_tokens: number, reason: string }",
    after: "type EndEvent = { reason: string }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a member of an output goes",
        old: "type EndEvent = { old_tokens: number, reason: string }",
        new: "type EndEvent = { reason: string }",
        fires: &["field_removed"],
    },
    Example {
        name: "one goes and an unlike one comes",
        old: "type Entry = { displayName: string, path: string }",
        new: "type Entry = { interface: { displayName: string }, path: string }",
        fires: &["field_removed", "field_added"],
    },
    Example {
        name: "what could not be read may hold it",
        old: "type A = { a: string, b: string }",
        new: "type A = { a: string, ...?imported }",
        fires: &[],
    },
];
