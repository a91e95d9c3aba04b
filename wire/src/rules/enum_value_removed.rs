//! `enum_value_removed`: a closed set lost a value.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "enum_value_removed",
    title: "A closed set lost a value",
    explanation: "On input the value is refused. On output it never comes again, so what a host did on it no longer \
        happens.",
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
    before: r#"type Result = { status: Status }
type Status = "ok" | "failed" | "declined""#,
    after: r#"type Result = { status: Status }
type Status = "ok" | "failed""#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a value goes",
        old: r#"type Result = { status: Status }
type Status = "ok" | "failed" | "declined""#,
        new: r#"type Result = { status: Status }
type Status = "ok" | "failed""#,
        fires: &["enum_value_removed"],
    },
    Example {
        name: "a value is written twice",
        old: r#"type R = { s: "a" | "b" | "a" }"#,
        new: r#"type R = { s: "b" | "a" }"#,
        fires: &[],
    },
];
