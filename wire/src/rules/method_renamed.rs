//! `method_renamed`: a method goes by another name.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "method_renamed",
    title: "A method goes by another name",
    explanation: "Calls by the old name fail. Choose the name by the version that answers the handshake.",
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
    before: r#"type RpcCommand = { type: "prompt", text: string } | { type: "reset" }"#,
    after: r#"type RpcCommand = { type: "prompt", text: string } | { type: "new_session", parent?: string }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the same command by another name",
        old: r#"type RpcCommand = { type: "prompt", text: string } | { type: "reset", hard: boolean }"#,
        new: r#"type RpcCommand = { type: "prompt", text: string } | { type: "new_session", hard: boolean }"#,
        fires: &["method_renamed"],
    },
    Example {
        name: "only the declared name of the row",
        old: r#"input ClientRequest = { method: "a/b", params: P } => string | { method: "c" }
type P = { x: string }"#,
        new: r#"input ClientRequest = { method: "a/b", params: Q } => string | { method: "c" }
type Q = { x: string }"#,
        fires: &[],
    },
];
