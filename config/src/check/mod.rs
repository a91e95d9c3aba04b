//! What must hold of an agent's file beyond its form. One check a file; each sees the structure and the places.

mod argv;
mod channels;
mod exempt;
mod families;
mod globs;
mod identity;
mod patterns;
mod profile;
mod support;
mod verified;

pub(crate) use identity::stem;

use crate::agent::AgentDef;
use crate::toml_file::{Doc, Problem};

/// A check adds what it finds to the list.
type Check = fn(&AgentDef, &Doc<'_>, &mut Vec<Problem>);

const CHECKS: &[Check] = &[
    identity::check,
    patterns::check,
    profile::check,
    globs::check,
    channels::check,
    families::check,
    argv::check,
    exempt::check,
    support::check,
    verified::check,
];

/// Runs every check.
pub(crate) fn all(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    for check in CHECKS {
        check(agent, doc, problems);
    }
}
