//! What people should know of an entry.

use std::collections::BTreeSet;

use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_wire::formats::CliVersion;

use super::records::Seen;
use super::rules::{self, Rule};
use crate::records::{ObservedLevel, ObservedShape, Provider, ReplayStatus};

/// At most so many versions are named; the rest is counted.
const NAMED: usize = 8;

/// A stretch of a range between two versions that ran.
pub(super) struct Span {
    pub(super) from: CliVersion,
    pub(super) to: CliVersion,
    pub(super) not_run: Vec<CliVersion>,
}

/// What notes are made from.
pub(super) struct Facts<'f> {
    pub(super) agent: &'f AgentEntry,
    pub(super) rule: Rule,
    pub(super) observations: &'f [&'f Seen],
    /// Everything that was seen of the newest version.
    pub(super) beside: &'f [&'f Seen],
    pub(super) shapes: &'f [ObservedShape],
    pub(super) spans: &'f [Span],
}

/// The notes, in the order in which they matter.
pub(super) fn of(facts: &Facts<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    match facts.rule {
        rules::SEVERAL_SHAPES | rules::VARIANTS_DECIDED => {
            notes.push("Run a local probe to determine the active server-side shape.".to_owned());
        }
        rules::NO_CONVERSATION | rules::VARIANT_ALONE | rules::BREAKING_SHAPE => notes.push(sentence(facts.rule.says)),
        _ => {}
    }
    notes.extend(facts.spans.iter().map(spanned));
    if !facts.rule.status.is_support() {
        return notes;
    }
    let once = |shape: &ObservedShape| shape.validity_level == ObservedLevel::RuntimeObserved;
    if facts.shapes.iter().all(once) {
        notes.push("Not confirmed yet: no second capture, a day apart or on another runner, was accepted.".to_owned());
    }
    if facts
        .observations
        .iter()
        .all(|seen| seen.provider == Some(Provider::Loopback))
    {
        notes.push("Rests on captures with a model server on loopback alone; no account took part.".to_owned());
    }
    if facts
        .observations
        .iter()
        .all(|seen| seen.replay == ReplayStatus::NotRun)
    {
        notes.push("No parser of a host was run on these shapes yet.".to_owned());
    }
    notes.extend(coverage(facts));
    notes
}

fn spanned(span: &Span) -> String {
    let Span { from, to, not_run } = span;
    let what = match not_run.len() {
        0 => "no release between them is known that was not run".to_owned(),
        count => {
            let named: Vec<&str> = not_run.iter().take(NAMED).map(CliVersion::as_str).collect();
            let more = match count.saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("nobody ran {}{more}", named.join(", "))
        }
    };
    format!("The range spans {from} to {to}, which ran and have the same shape, as the agent's file allows; {what}.")
}

/// Minimum probes that are missing, and those that are exempt.
fn coverage(facts: &Facts<'_>) -> Vec<String> {
    let seen: BTreeSet<&str> = facts.beside.iter().map(|seen| seen.probe.as_str()).collect();
    let needed = facts.agent.minimum_probes.iter();
    let missing: Vec<&str> = needed
        .filter(|probe| !seen.contains(probe.as_str()) && !facts.agent.exempt_probes.contains_key(*probe))
        .map(String::as_str)
        .collect();
    let mut notes = Vec::new();
    if !missing.is_empty() {
        notes.push(format!("Probes not run: {}.", missing.join(", ")));
    }
    let exempt = facts.agent.exempt_probes.iter();
    notes.extend(
        exempt
            .filter(|(probe, _)| !seen.contains(probe.as_str()))
            .map(|(probe, why)| format!("Exempt from {probe}: {why}.")),
    );
    notes
}

fn sentence(says: &str) -> String {
    let mut chars = says.chars();
    let first = chars
        .next()
        .map(|char| char.to_uppercase().to_string())
        .unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
