//! `handshake_changed`: a value of the handshake changed.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "handshake_changed",
    title: "A value of the handshake changed",
    explanation: "Protocol versions and the like. A host that compares them exactly refuses the connection; one that only \
        logs them should look for what the version stands for.",
    ratings: &[
        rating(
            None,
            "when it is new",
            |facts| facts.fresh,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(None, "", ALWAYS, Severity::Risky, Domain::RequestRejected),
    ],
    before: r#"const WIRE_PROTOCOL_VERSION = "1.9""#,
    after: r#"const WIRE_PROTOCOL_VERSION = "1.10""#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the protocol version",
        old: r#"const WIRE_PROTOCOL_VERSION = "1.9""#,
        new: r#"const WIRE_PROTOCOL_VERSION = "1.10""#,
        fires: &["handshake_changed"],
    },
    Example {
        name: "the constant moves",
        old: r#"const WIRE_PROTOCOL_VERSION = "1.9"
type A = { a: string }"#,
        new: r#"type A = { a: string }
const WIRE_PROTOCOL_VERSION = "1.9""#,
        fires: &[],
    },
];
