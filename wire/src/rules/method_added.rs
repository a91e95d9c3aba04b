//! `method_added`: there is a new method.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "method_added",
    title: "There is a new method",
    explanation: "A method that the host may call hurts nobody. A request that the agent sends blocks it until it is \
        answered: a host that does not know it makes the agent hang. Answer unknown requests with an error.",
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
            None,
            "when it answers what only a new host asks",
            |facts| facts.answer,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            None,
            "when nothing of the table existed before",
            |facts| facts.fresh,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            Some(Side::Output),
            "when the agent waits for the answer",
            |facts| facts.request,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Risky, Domain::DecodeFatal),
    ],
    before: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" }"#,
    after: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" }
  | { type: "fork", entry: string }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a new command",
        old: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" }"#,
        new: r#"type RpcCommand = { type: "prompt", text: string } | { type: "abort" } | { type: "fork", entry: string }"#,
        fires: &["method_added"],
    },
    Example {
        name: "a new request of the agent",
        old: r#"output ServerRequest = { method: "a", params: { x: string } } => string | { method: "b", params: { y: string } } => string"#,
        new: r#"output ServerRequest = { method: "a", params: { x: string } } => string | { method: "b", params: { y: string } } => string | { method: "c", params: { z: string } } => boolean"#,
        fires: &["method_added"],
    },
    Example {
        name: "the params get a name of their own",
        old: r#"input ClientRequest = { method: "a", params: { x: string } } => string | { method: "b", params: { y: string } } => string"#,
        new: r#"input ClientRequest = { method: "a", params: P } => string | { method: "b", params: { y: string } } => string
type P = { x: string }"#,
        fires: &[],
    },
];
