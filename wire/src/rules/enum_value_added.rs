//! `enum_value_added`: a closed set has a new value.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "enum_value_added",
    title: "A closed set has a new value",
    explanation: "Hosts that match on the value, or decode it into a closed type, meet one they do not know. Where the set \
        was open, or is only sent in, nobody is hurt. Keep a default branch.",
    ratings: &[
        rating(
            None,
            "when it was there before, marked experimental",
            |facts| facts.stabilised,
            Severity::None,
            Domain::Cosmetic,
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
    before: r#"type Result = { status: Status }
type Status = "ok" | "failed""#,
    after: r#"type Result = { status: Status }
type Status = "ok" | "failed" | "declined""#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a new value of an output",
        old: r#"type Result = { status: Status }
type Status = "ok" | "failed""#,
        new: r#"type Result = { status: Status }
type Status = "ok" | "failed" | "declined""#,
        fires: &["enum_value_added"],
    },
    Example {
        name: "a new value of an open set",
        old: r#"type R = { c: "a" | "b" | string }"#,
        new: r#"type R = { c: "a" | "b" | "c" | string }"#,
        fires: &["enum_value_added"],
    },
    Example {
        name: "the set is written inline",
        old: r#"type Result = { status: Status }
type Status = "ok" | "failed""#,
        new: r#"type Result = { status: "failed" | "ok" }"#,
        fires: &[],
    },
    Example {
        name: "an enum that only repeats the tags of a stream",
        old: r#"type Kind = "a" | "b"
type AgentEvent = { type: "a" } | { type: "b" }"#,
        new: r#"type Kind = "a" | "b" | "c"
type AgentEvent = { type: "a" } | { type: "b" } | { type: "c" }"#,
        fires: &["event_added"],
    },
];
