//! `flag_removed`: a flag is refused.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "flag_removed",
    title: "A flag is refused",
    explanation: "A call with the flag ends with a usage error before anything runs. Leave it out from this version on, or \
        use what replaced it.",
    ratings: &[rating(None, "", ALWAYS, Severity::Breaking, Domain::RequestRejected)],
    before: "--full-auto",
    after: "error: unexpected argument --full-auto",
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "a flag goes",
        old: "flag --json
flag --full-auto",
        new: "flag --json",
        fires: &["flag_removed"],
    },
    Example {
        name: "a short form goes",
        old: "flag --json -j",
        new: "flag --json",
        fires: &["flag_removed"],
    },
    Example {
        name: "its long name changed places with an alias",
        old: "flag --json --as-json",
        new: "flag --as-json --json",
        fires: &[],
    },
];
