//! `field_renamed`: a member goes by another name.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "field_renamed",
    title: "A member goes by another name",
    explanation: "The same value under another key. Readers of the old key find nothing, and requests with the old key \
        lose it. Read and write both keys while both versions are in use.",
    ratings: &[
        rating(
            Some(Side::Input),
            "when the old name is still accepted",
            |facts| facts.keeps_old,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            Some(Side::Input),
            "when it is asked for",
            |facts| facts.required && !facts.defaulted,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(Some(Side::Input), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
        rating(
            Some(Side::Output),
            "when it is always there",
            |facts| facts.required,
            Severity::Breaking,
            Domain::DecodeFatal,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
    ],
    before: "type ModeResponse = { meta?: map<any>, mode: string }",
    after: "type ModeResponse = { _meta?: map<any>, mode: string }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "another style of the same name",
        old: "type ModeResponse = { meta?: map<any>, mode: string }",
        new: "type ModeResponse = { _meta?: map<any>, mode: string }",
        fires: &["field_renamed"],
    },
    Example {
        name: "another name and another scalar",
        old: "type Entry = { entryIndex: number, text: string }",
        new: "type Entry = { entryId: string, text: string }",
        fires: &["field_renamed"],
    },
    Example {
        name: "two strangers",
        old: "type Entry = { title: string, x: number }",
        new: "type Entry = { cwd: string, x: number }",
        fires: &["field_removed", "field_added"],
    },
    Example {
        name: "only the declared type of the member is renamed",
        old: "type Entry = { a: Old }
type Old = { x: number }",
        new: "type Entry = { a: New }
type New = { x: number }",
        fires: &[],
    },
];
