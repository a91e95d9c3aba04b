//! `variant_added`: a value may take a new form.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "variant_added",
    title: "A value may take a new form",
    explanation: "One of several forms inside a message. On output a host that knows the old forms only may refuse the \
        message or drop that part; where there was one form without a tag, it takes the new form for that one and loses what \
        is new in it. On input nothing changes for who does not use it. Keep a default branch.",
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
            Some(Side::Output),
            "when there was one form only, without the tag that tells the new ones apart",
            |facts| facts.untold,
            Severity::Breaking,
            Domain::SilentLoss,
        ),
        rating(
            Some(Side::Output),
            "when readers were told to expect more",
            |facts| facts.open,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(Some(Side::Output), "", ALWAYS, Severity::Risky, Domain::DecodeFatal),
    ],
    before: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }"#,
    after: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }
  | { type: "audio", url: string }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a new form of a nested value",
        old: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string }"#,
        new: r#"type Item = { content: Block, id: string }
type Block = { type: "text", text: string } | { type: "image", url: string } | { type: "audio", url: string }"#,
        fires: &["variant_added"],
    },
    Example {
        name: "one form becomes several",
        old: r"type Methods = { methods: Method[] }
type Method = { id: string, name: string, meta?: map<any> }",
        new: r#"type Methods = { methods: Method[] }
type Method = { type: "env", id: string, name: string, vars: string[] } | { id: string, name: string, meta?: map<any> }"#,
        fires: &["variant_added"],
    },
    Example {
        name: "a new form that may be sent in",
        old: r#"type Params = { login: Login }
type Login = { type: "key", key: string } | { type: "account" }"#,
        new: r#"type Params = { login: Login }
type Login = { type: "key", key: string } | { type: "account" } | { type: "device", code: string }"#,
        fires: &["variant_added"],
    },
    Example {
        name: "a union gets a name of its own",
        old: r#"type Item = { block: { type: "a" } | { type: "b" } }"#,
        new: r#"type Item = { block: Block }
type Block = { type: "a" } | { type: "b" }"#,
        fires: &[],
    },
];
