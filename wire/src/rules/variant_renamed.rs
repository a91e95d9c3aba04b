//! `variant_renamed`: a form of a value goes by another name.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "variant_renamed",
    title: "A form of a value goes by another name",
    explanation: "The payload is the same under another tag value or key. Hosts that know the old name no longer recognise \
        it. Accept both.",
    ratings: &[
        rating(
            Some(Side::Input),
            "when the old name still works",
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
    before: r#"type Thread = { policy: Ask }
type Ask = "never" | { reject: { rules: boolean, mcp: boolean } }"#,
    after: r#"type Thread = { policy: Ask }
type Ask = "never" | { granular: { rules: boolean, mcp: boolean } }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the key of a variant",
        old: r#"type Thread = { policy: Ask }
type Ask = "never" | { reject: { rules: boolean, mcp: boolean } }"#,
        new: r#"type Thread = { policy: Ask }
type Ask = "never" | { granular: { rules: boolean, mcp: boolean } }"#,
        fires: &["variant_renamed"],
    },
    Example {
        name: "variants without tag have no name on the wire",
        old: "type Thread = { id: Id }
type Id = { number: number } | { text: string, more: string }",
        new: "type Thread = { id: Id }
type Id = { text: string, more: string } | { number: number }",
        fires: &[],
    },
];
