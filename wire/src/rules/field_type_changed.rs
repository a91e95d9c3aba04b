//! `field_type_changed`: a member holds something else.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Fit, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "field_type_changed",
    title: "A member holds something else",
    explanation: "Typed readers fail on another JSON type; untyped ones mistake the value. More forms than before hurt \
        readers, fewer hurt writers. Check every place that reads or writes the member.",
    ratings: &[
        rating(
            Some(Side::Input),
            "when all that was accepted still is",
            |facts| facts.fit == Fit::Widened,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            Some(Side::Input),
            "when only what was left open is spelled out",
            |facts| facts.fit == Fit::SpelledOut,
            Severity::Risky,
            Domain::RequestRejected,
        ),
        rating(
            Some(Side::Input),
            "",
            ALWAYS,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(
            Some(Side::Output),
            "when it holds more or fewer forms than before",
            |facts| facts.fit != Fit::Apart,
            Severity::Risky,
            Domain::DecodeFatal,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::DecodeFatal),
    ],
    before: "type Message = { content: string }",
    after: "type Message = { content: { text: string }[] }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "another JSON type",
        old: "type Message = { content: string }",
        new: "type Message = { content: { text: string }[] }",
        fires: &["field_type_changed"],
    },
    Example {
        name: "more than before",
        old: "type Message = { content: string }",
        new: "type Message = { content: string | Part[] }
type Part = { text: string }",
        fires: &["field_type_changed"],
    },
    Example {
        name: "a string by a name of its own",
        old: "type Message = { id: string }",
        new: "type Message = { id: MessageId }
type MessageId = string",
        fires: &[],
    },
    Example {
        name: "another known type",
        old: "type A = { r: Left }
type Left = { a: string, b: string }
type Right = { c: string, d: string }",
        new: "type A = { r: Right }
type Left = { a: string, b: string }
type Right = { c: string, d: string }",
        fires: &["field_type_changed"],
    },
];
