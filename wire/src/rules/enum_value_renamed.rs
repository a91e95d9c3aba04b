//! `enum_value_renamed`: a value of a closed set is spelled differently.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "enum_value_renamed",
    title: "A value of a closed set is spelled differently",
    explanation: "Hosts that compare with the old spelling no longer match. Compare with both.",
    ratings: &[
        rating(
            Some(Side::Input),
            "when the old spelling still works",
            |facts| facts.keeps_old,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            Some(Side::Input),
            "",
            ALWAYS,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
    ],
    before: r#"type Stop = { reason: "end" | "canceled" }"#,
    after: r#"type Stop = { reason: "end" | "cancelled" }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "one spelling for another",
        old: r#"type Stop = { reason: "end" | "canceled" }"#,
        new: r#"type Stop = { reason: "end" | "cancelled" }"#,
        fires: &["enum_value_renamed"],
    },
    Example {
        name: "one value goes and two come",
        old: r#"type Stop = { reason: "end" | "canceled" }"#,
        new: r#"type Stop = { reason: "end" | "max_tokens" | "refusal" }"#,
        fires: &["enum_value_removed", "enum_value_added", "enum_value_added"],
    },
    Example {
        name: "the same values",
        old: r#"type Stop = { reason: "end" | "canceled" }"#,
        new: r#"type Stop = { reason: Reason }
type Reason = "canceled" | "end""#,
        fires: &[],
    },
];
