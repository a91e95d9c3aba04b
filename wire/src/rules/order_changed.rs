//! `order_changed`: events come in another order.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "order_changed",
    title: "Events come in another order",
    explanation: "The same events, but one that came first comes later. Hosts that wait for a certain first event, or that \
        assume pairs, hang or drop data.",
    ratings: &[rating(None, "", ALWAYS, Severity::Risky, Domain::SilentLoss)],
    before: "order: init,message,result",
    after: "order: message,init,result",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "the observed value differs",
        old: r#"const order = "init,message,result""#,
        new: r#"const order = "message,init,result""#,
        fires: &["order_changed"],
    },
    Example {
        name: "the observed value is the same",
        old: r#"const order = "init,message,result""#,
        new: r#"const order = "init,message,result""#,
        fires: &[],
    },
];
