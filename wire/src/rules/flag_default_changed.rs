//! `flag_default_changed`: a flag that is not given means something else.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_default_changed",
    title: "A flag that is not given means something else",
    explanation: "Calls that rely on the default behave differently. Give the value yourself.",
    ratings: &[
        rating(
            None,
            "when the old or the new default is not written down",
            |facts| facts.told,
            Severity::None,
            Domain::Cosmetic,
        ),
        rating(None, "", ALWAYS, Severity::Risky, Domain::SilentLoss),
    ],
    before: "--color MODE (default: auto)",
    after: "--color MODE (default: never)",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "another default",
        old: "flag --color one default=auto",
        new: "flag --color one default=never",
        fires: &["flag_default_changed"],
    },
    Example {
        name: "the same default",
        old: "flag --color one default=auto",
        new: "flag --color one default=auto",
        fires: &[],
    },
];
