//! `flag_deprecated`: a flag is on its way out.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_deprecated",
    title: "A flag is on its way out",
    explanation: "It still works, is no longer shown or is called deprecated, and may write a warning to stderr. Move to \
        what replaces it before it is refused.",
    ratings: &[
        rating(
            None,
            "when it is no longer deprecated",
            |facts| facts.looser,
            Severity::None,
            Domain::Cosmetic,
        ),
        rating(None, "", ALWAYS, Severity::Risky, Domain::Cosmetic),
    ],
    before: "--experimental-acp",
    after: "--experimental-acp (deprecated, use --acp)",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "called deprecated",
        old: "flag --experimental-acp",
        new: "flag --experimental-acp deprecated",
        fires: &["flag_deprecated"],
    },
    Example {
        name: "left out of the help",
        old: "flag --full-auto",
        new: "flag --full-auto hidden",
        fires: &["flag_deprecated"],
    },
    Example {
        name: "shown as before",
        old: "flag --acp",
        new: "flag --acp",
        fires: &[],
    },
];
