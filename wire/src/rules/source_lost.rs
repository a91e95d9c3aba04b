//! `source_lost`: what described the protocol is gone.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "source_lost",
    title: "What described the protocol is gone",
    explanation: "All files that were read at one version are missing or unreadable at the other, for example because the \
        package became one bundle. Nothing is known about the protocol from here on; only a capture can tell.",
    ratings: &[rating(None, "", ALWAYS, Severity::Risky, Domain::SilentLoss)],
    before: "dist/src/output/types.d.ts: 5 types",
    after: "no file of the scope can be read",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the new version has no files",
        old: "type A = { a: string }",
        new: "files 0",
        fires: &["source_lost"],
    },
    Example {
        name: "the old version had none",
        old: "files 0",
        new: "type A = { a: string }",
        fires: &["type_added"],
    },
    Example {
        name: "the types were all removed from a file that is there",
        old: "type A = { a: string }",
        new: "files 1",
        fires: &["type_removed"],
    },
];
