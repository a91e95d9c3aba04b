//! `event_added`: a stream carries a new event.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "event_added",
    title: "A stream carries a new event",
    explanation: "The agent sends an event that did not exist. A host that stops at unknown events fails; one that matches \
        exhaustively does not compile against the new types. Read past unknown events, then decide whether the \
        new one carries something that users should see.",
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
            "when nothing of the stream existed before",
            |facts| facts.fresh,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(Some(Side::Input), "", ALWAYS, Severity::Additive, Domain::Additive),
        rating(
            Some(Side::Output),
            "when readers were told to expect more",
            |facts| facts.open,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Risky, Domain::DecodeFatal),
    ],
    before: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
    after: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }
  | { type: "retry", attempt: number }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a new arm of an event stream",
        old: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
        new: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string } | { type: "retry", attempt: number }"#,
        fires: &["event_added"],
    },
    Example {
        name: "an arm of a nested union is a variant",
        old: r#"type AgentEvent = { type: "a", block: Block } | { type: "b" }
type Block = { type: "text", text: string } | { type: "image", url: string }"#,
        new: r#"type AgentEvent = { type: "a", block: Block } | { type: "b" }
type Block = { type: "text", text: string } | { type: "image", url: string } | { type: "audio", url: string }"#,
        fires: &["variant_added"],
    },
    Example {
        name: "the order of arms means nothing",
        old: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
        new: r#"type AgentEvent = { type: "end", id: string } | { id: string, type: "start" }"#,
        fires: &[],
    },
    Example {
        name: "a stream that is new as a whole",
        old: "type Other = { a: string }",
        new: r#"type Other = { a: string }
type AgentEvent = { type: "start", id: string } | { type: "end", code: number }"#,
        fires: &["type_added", "event_added", "event_added"],
    },
];
