//! `type_added`: a type is declared that nothing refers to yet.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "type_added",
    title: "A type is declared that nothing refers to yet",
    explanation: "A new message or a new part of the protocol whose use is not in what was read. Where something that is \
        read refers to it, the finding stands there and this one has no effect of its own.",
    ratings: &[
        rating(
            None,
            "when it was there before, marked experimental",
            |facts| facts.stabilised,
            Severity::None,
            Domain::Cosmetic,
        ),
        rating(
            None,
            "when another finding tells what it does",
            |facts| facts.told,
            Severity::None,
            Domain::Cosmetic,
        ),
        rating(None, "", ALWAYS, Severity::Additive, Domain::Additive),
    ],
    before: "type A = { a: string }",
    after: "type A = { a: string }
type Prompt = { name: string, text: string }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a type of its own",
        old: "type A = { a: string }",
        new: "type A = { a: string }
type Prompt = { name: string, text: string }",
        fires: &["type_added"],
    },
    Example {
        name: "a part gets a name of its own",
        old: "type A = { a: { x: string, y: string } }",
        new: "type A = { a: B }
type B = { x: string, y: string }",
        fires: &[],
    },
    Example {
        name: "a type moves into the scope",
        old: "type A = { a: string }
outside Prompt = { name: string }",
        new: "type A = { a: string }
type Prompt = { name: string }",
        fires: &[],
    },
];
