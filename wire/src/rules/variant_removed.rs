//! `variant_removed`: a form of a value is gone.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "variant_removed",
    title: "A form of a value is gone",
    explanation: "A host that reads that form never gets it again; one that sends it is refused. Look for the form that \
        took its place.",
    ratings: &[
        rating(
            Some(Side::Input),
            "",
            ALWAYS,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
    ],
    before: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }
  | { type: "audio", url: string }"#,
    after: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a form of a nested value goes",
        old: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string } | { type: "audio", seconds: number }"#,
        new: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }"#,
        fires: &["variant_removed"],
    },
    Example {
        name: "arms are only put in another order",
        old: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }"#,
        new: r#"type Item = { content: Block, id: string }
type Block = { type: "image", url: string } | { type: "text", text: string }"#,
        fires: &[],
    },
];
