//! `discriminator_renamed`: the member that tells events apart has another name.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "discriminator_renamed",
    title: "The member that tells events apart has another name",
    explanation: "All arms at once: a host that switches on the old member recognises nothing. Read both members.",
    ratings: &[rating(None, "", ALWAYS, Severity::Breaking, Domain::DecodeFatal)],
    before: r#"type Update = { sessionUpdate: "plan", entries: string[] } | { sessionUpdate: "text", text: string }"#,
    after: r#"type Update = { kind: "plan", entries: string[] } | { kind: "text", text: string }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "one attribute line",
        old: r#"type Update = { sessionUpdate: "plan", entries: string[] } | { sessionUpdate: "text", text: string }"#,
        new: r#"type Update = { kind: "plan", entries: string[] } | { kind: "text", text: string }"#,
        fires: &["discriminator_renamed"],
    },
    Example {
        name: "the tag is only named in the schema",
        old: r#"type Update = { kind: "plan", entries: string[] } | { kind: "text", text: string }"#,
        new: r#"type Update = tag kind { kind: "plan", entries: string[] } | { kind: "text", text: string }"#,
        fires: &[],
    },
];
