//! `exit_class_changed`: the process ends differently.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "exit_class_changed",
    title: "The process ends differently",
    explanation: "The exit code, or the signal, is another for the same task. Scripts that branch on it take another \
        branch.",
    ratings: &[rating(None, "", ALWAYS, Severity::Breaking, Domain::SilentLoss)],
    before: "exit_class: ok",
    after: "exit_class: exit 55",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the observed value differs",
        old: r#"const exit_class = "ok""#,
        new: r#"const exit_class = "exit 55""#,
        fires: &["exit_class_changed"],
    },
    Example {
        name: "the observed value is the same",
        old: r#"const exit_class = "ok""#,
        new: r#"const exit_class = "ok""#,
        fires: &[],
    },
];
