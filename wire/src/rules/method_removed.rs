//! `method_removed`: a method is gone.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "method_removed",
    title: "A method is gone",
    explanation: "Calls fail with an unknown-method error. When the agent no longer sends a request, what the host did on \
        it no longer happens.",
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
    before: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" }
  | { type: "fork", entry: string }"#,
    after: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a command goes",
        old: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" } | { type: "fork", entry: string }"#,
        new: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" }"#,
        fires: &["method_removed"],
    },
    Example {
        name: "the table is split",
        old: r#"input ClientRequest = { type: "a", x: string } | { type: "b", y: string }"#,
        new: r#"input ClientRequest = First | Second
type First = { type: "a", x: string }
type Second = { type: "b", y: string }"#,
        fires: &[],
    },
];
