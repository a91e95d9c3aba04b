//! `field_optionality_changed`: a member may be absent, or null, or no longer.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "field_optionality_changed",
    title: "A member may be absent, or null, or no longer",
    explanation: "On output, code that relies on the member fails when it is absent or null. On input, a member that was \
        optional and is required makes old requests fail. Treat absent and null alike where you can.",
    ratings: &[
        rating(
            Some(Side::Input),
            "when it is asked for now",
            |facts| facts.asked,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(
            Some(Side::Input),
            "when it may be left out now",
            |facts| facts.unasked,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            Some(Side::Output),
            "when it may be missing now",
            |facts| facts.looser,
            Severity::Risky,
            Domain::DecodeFatal,
        ),
        rating(
            Some(Side::Output),
            "when it no longer may",
            |facts| facts.stricter,
            Severity::Risky,
            Domain::Additive,
        ),
        rating(
            None,
            "when the other side has it done for itself",
            ALWAYS,
            Severity::None,
            Domain::Cosmetic,
        ),
    ],
    before: "type State = { model: string }",
    after: "type State = { model?: string }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "required to optional",
        old: "type State = { model: string }",
        new: "type State = { model?: string }",
        fires: &["field_optionality_changed"],
    },
    Example {
        name: "null may come",
        old: "type State = { model: string }",
        new: "type State = { model: string | null }",
        fires: &["field_optionality_changed"],
    },
    Example {
        name: "a default for what is always sent",
        old: "type State = { model: string }",
        new: "type State = { model=: string }",
        fires: &[],
    },
    Example {
        name: "null is spelled through an alias",
        old: "type State = { model: string | null }",
        new: "type State = { model: Maybe }
type Maybe = string | null",
        fires: &[],
    },
];
