//! `flag_type_changed`: a flag takes something else.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Fit, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_type_changed",
    title: "A flag takes something else",
    explanation: "A switch that now takes a value swallows the next argument; a flag that no longer takes one leaves it as \
        a stray argument. Either way the call means something else.",
    ratings: &[
        rating(
            None,
            "when all old calls still mean the same",
            |facts| facts.fit == Fit::Widened,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            None,
            "when its values are a closed set now",
            |facts| facts.fit == Fit::Narrowed,
            Severity::Risky,
            Domain::RequestRejected,
        ),
        rating(None, "", ALWAYS, Severity::Breaking, Domain::RequestRejected),
    ],
    before: "--plan",
    after: "--plan[=true|false]",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a switch takes a value",
        old: "flag --plan",
        new: "flag --plan optional",
        fires: &["flag_type_changed"],
    },
    Example {
        name: "one value may be several",
        old: "flag --add-dir one",
        new: "flag --add-dir many",
        fires: &["flag_type_changed"],
    },
    Example {
        name: "what it takes cannot be read",
        old: "flag --plan",
        new: "flag --plan unknown",
        fires: &[],
    },
];
