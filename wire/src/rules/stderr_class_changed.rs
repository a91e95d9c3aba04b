//! `stderr_class_changed`: the error stream says other kinds of things.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "stderr_class_changed",
    title: "The error stream says other kinds of things",
    explanation: "Hosts that show or parse stderr show or miss something. The wire on stdout is not touched by it.",
    ratings: &[rating(None, "", ALWAYS, Severity::Risky, Domain::Cosmetic)],
    before: "stderr_class: empty",
    after: "stderr_class: diagnostic",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the observed value differs",
        old: r#"const stderr_class = "empty""#,
        new: r#"const stderr_class = "diagnostic""#,
        fires: &["stderr_class_changed"],
    },
    Example {
        name: "the observed value is the same",
        old: r#"const stderr_class = "empty""#,
        new: r#"const stderr_class = "empty""#,
        fires: &[],
    },
];
