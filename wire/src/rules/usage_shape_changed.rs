//! `usage_shape_changed`: the usage object has another shape as a whole.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "usage_shape_changed",
    title: "The usage object has another shape as a whole",
    explanation: "Token counts, limits or costs are told in other members. Sums go wrong in silence. A single new counter \
        is told as an added member, not here.",
    ratings: &[rating(None, "", ALWAYS, Severity::Breaking, Domain::SilentLoss)],
    before: "type TokenUsage = { prompt: number, completion: number, sum: number }",
    after: "type TokenUsage = { in: number, out: number, cost: number }",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "most counters have other names",
        old: "type DoneEvent = { usage: TokenUsage }
type TokenUsage = { prompt: number, completion: number, sum: number }",
        new: "type DoneEvent = { usage: TokenUsage }
type TokenUsage = { in: number, out: number, cost: number }",
        fires: &["usage_shape_changed"],
    },
    Example {
        name: "one new counter",
        old: "type TokenUsage = { prompt: number, completion: number }",
        new: "type TokenUsage = { prompt: number, completion: number, cached: number }",
        fires: &["field_added"],
    },
];
