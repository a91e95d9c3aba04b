//! `type_removed`: a type is no longer declared.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "type_removed",
    title: "A type is no longer declared",
    explanation: "A message or a part of the protocol is gone. Where something referred to it, the finding stands there. A \
        name that is hidden by something unreadable is unknown, not removed.",
    ratings: &[
        rating(
            None,
            "when another finding tells the loss",
            |facts| facts.told,
            Severity::None,
            Domain::Cosmetic,
        ),
        rating(None, "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
    ],
    before: "type A = { a: string }
type Prompt = { name: string, text: string }",
    after: "type A = { a: string }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a type of its own goes",
        old: "type A = { a: string }
type Prompt = { name: string, text: string }",
        new: "type A = { a: string }",
        fires: &["type_removed"],
    },
    Example {
        name: "its form stands inline now",
        old: "type A = { a: B }
type B = { x: string, y: string }",
        new: "type A = { a: { x: string, y: string } }",
        fires: &[],
    },
    Example {
        name: "it stands in what could not be read",
        old: "type A = { a: string }
type Prompt = { name: string, text: string }",
        new: "type A = { a: string }
hides Prompt",
        fires: &[],
    },
];
