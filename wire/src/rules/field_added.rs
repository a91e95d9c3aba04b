//! `field_added`: a member was added.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "field_added",
    title: "A member was added",
    explanation: "On output a tolerant host ignores it. On input a new required member makes every old request fail. Where \
        members move a level down into the new one, readers of the old place find nothing.",
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
            "when members that stood beside it moved into it",
            |facts| facts.nested,
            Severity::Breaking,
            Domain::SilentLoss,
        ),
        rating(
            Some(Side::Output),
            "when the same key is written twice",
            |facts| facts.collides,
            Severity::Risky,
            Domain::DecodeFatal,
        ),
        rating(
            Some(Side::Input),
            "when it is asked for and may be null, which many senders may leave out",
            |facts| facts.required && !facts.defaulted && facts.nullable,
            Severity::Risky,
            Domain::RequestRejected,
        ),
        rating(
            Some(Side::Input),
            "when it is asked for",
            |facts| facts.required && !facts.defaulted,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(None, "", ALWAYS, Severity::Additive, Domain::Additive),
    ],
    before: "type Usage = { input_tokens: number, output_tokens: number }",
    after: "type Usage = { input_tokens: number, output_tokens: number, cached_tokens?: number }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "an optional member of an output",
        old: "type DoneEvent = { usage: Usage }
type Usage = { input_tokens: number, output_tokens: number }",
        new: "type DoneEvent = { usage: Usage }
type Usage = { input_tokens: number, output_tokens: number, cached_tokens?: number }",
        fires: &["field_added"],
    },
    Example {
        name: "a required member of an input",
        old: "type StartParams = { cwd: string }",
        new: "type StartParams = { cwd: string, model: string }",
        fires: &["field_added"],
    },
    Example {
        name: "a flattened part gets a member of its own",
        old: r#"type Note = { id: string, ...Update }
type Update = { kind: "a", text: string } | { kind: "b", url: string }"#,
        new: r#"type Note = { id: string, update: Update }
type Update = { kind: "a", text: string } | { kind: "b", url: string }"#,
        fires: &["field_added"],
    },
    Example {
        name: "members are only put in another order",
        old: "type Usage = { input_tokens: number, output_tokens: number }",
        new: "type Usage = { output_tokens: number, input_tokens: number }",
        fires: &[],
    },
    Example {
        name: "members move into a base type",
        old: "type A = { a: string, b: string }",
        new: "type A = { b: string, ...Base }
type Base = { a: string }",
        fires: &[],
    },
];
