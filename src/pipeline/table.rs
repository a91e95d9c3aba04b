//! What a pass prints: a table that a person can act on.

use std::fmt::Write as _;

use agent_contracts_source_evidence::summary::{self, most_important};
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_watchers::{Event, EventKind};
use agent_contracts_wire::{Finding, Severity, Verdict};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Pass;
use super::keep::KeptStep;
use crate::output;

/// Findings of one step that are told in words.
const IN_WORDS: usize = 3;

/// The pass for people: steps with findings, worst first, then those without, then what was not reached.
pub(crate) fn text(pass: &Pass, tree: &str) -> String {
    let mut steps: Vec<&KeptStep> = pass.steps.iter().collect();
    steps.sort_by_key(|step| std::cmp::Reverse((step.report.severity_for_consumer(), step.new)));
    let rows = steps.iter().map(|step| {
        let report = &step.report;
        let agent = report.agent.as_ref().map_or("", |agent| &agent.id);
        let mark = if step.new { "" } else { " (known)" };
        [
            agent.to_owned(),
            format!("{} -> {}{mark}", report.from.version, report.to.version),
            verdict(step),
            report.counts().words(),
            told(step),
        ]
    });
    let mut out = output::table(
        ["agent", "step", "worst", "findings", "most important, and the report"],
        rows,
    )
    .replace("@TREE@", tree);
    if steps.is_empty() {
        "no step could be read\n".clone_into(&mut out);
    }
    if !pass.events.is_empty() {
        out.push_str("\nchannels:\n");
        for line in events(&pass.events) {
            let _ = writeln!(out, "- {line}");
        }
    }
    for (source, waiting) in &pass.waiting {
        let _ = writeln!(out, "- {source}: {} left for the next pass", count(*waiting, "step"));
    }
    if !pass.unreached.is_empty() {
        out.push_str("\nnot reached, or not read:\n");
        out.push_str(&unreached(pass));
    }
    let new = pass.steps.iter().filter(|step| step.new).count();
    let _ = writeln!(
        out,
        "\n{} in {tree}, {} in the outbox, {} wanted; {:.1} s of own work, {:.1} s of waiting for the network",
        count(new, "new step"),
        count(pass.alerts.len(), "new alert"),
        count(pass.wanted, "capture"),
        pass.own_s,
        pass.network_s
    );
    out
}

fn verdict(step: &KeptStep) -> String {
    match (step.report.severity_for_consumer(), step.report.verdict) {
        (Severity::None, Verdict::Inconclusive) => "inconclusive".to_owned(),
        (Severity::None, _) => "no change".to_owned(),
        (severity, _) => summary::word(severity).to_owned(),
    }
}

/// The most important findings in words, and where the report is.
fn told(step: &KeptStep) -> String {
    let loud: Vec<Finding> = step
        .report
        .findings
        .iter()
        .filter(|finding| step.report.severity_of(finding) > Severity::None)
        .cloned()
        .collect();
    let mut lines: Vec<String> = most_important(&loud, IN_WORDS)
        .into_iter()
        .map(|finding| wording(finding).what.to_string())
        .collect();
    lines.push(format!("@TREE@/{}", step.path));
    lines.join("\n")
}

/// One line an event; channels that are blind for one reason share a line, as all are when the network is down.
fn events(all: &[Event]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut blind: Vec<(&str, Timestamp, Vec<String>)> = Vec::new();
    for event in all {
        let EventKind::BlindSince { channel, since, why } = &event.kind else {
            lines.push(event.to_string());
            continue;
        };
        let channel = format!("{channel} ({})", event.agent);
        match blind.iter_mut().find(|(known, ..)| known == why) {
            Some((_, first, channels)) => {
                *first = (*first).min(*since);
                channels.push(channel);
            }
            None => blind.push((why, *since, vec![channel])),
        }
    }
    lines.extend(
        blind
            .into_iter()
            .map(|(why, since, channels)| format!("blind since {since}: {why}: {}", channels.join(", "))),
    );
    lines
}

/// Each reason once, with everything that shares it and with what helps.
fn unreached(pass: &Pass) -> String {
    let mut by_reason: Vec<(String, String, Vec<String>)> = Vec::new();
    for one in &pass.unreached {
        // The reason names its source; without the name, sources that share a reason are told together.
        let (reason, help) = one.why.split_once('\n').unwrap_or((&one.why, ""));
        let reason = ["cannot be read: ", "cannot be reached: "]
            .iter()
            .fold(reason, |reason, words| {
                let rest = reason.strip_prefix(&one.what).map(str::trim_start);
                rest.and_then(|rest| rest.strip_prefix(words)).unwrap_or(reason)
            });
        let reason = reason.replace(&one.what, "it");
        let what = format!("{} ({})", one.what, one.agent);
        match by_reason.iter_mut().find(|(known, ..)| *known == reason) {
            Some((_, known_help, all)) => {
                if known_help.is_empty() {
                    help.clone_into(known_help);
                }
                if !all.contains(&what) {
                    all.push(what);
                }
            }
            None => by_reason.push((reason, help.to_owned(), vec![what])),
        }
    }
    let mut out = String::new();
    for (reason, help, all) in by_reason {
        let _ = writeln!(out, "- {}: {reason}", all.join(", "));
        for line in help.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// `1 alert`, `2 alerts`.
fn count(number: usize, what: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {what}{end}")
}

/// The pass for programs.
pub(crate) fn document(pass: &Pass) -> Value {
    let steps: Vec<Value> = pass
        .steps
        .iter()
        .map(|step| {
            json!({
                "agent": step.report.agent.as_ref().map(|agent| &agent.id),
                "family": step.report.family,
                "from": step.report.from,
                "to": step.report.to,
                "verdict": step.report.verdict,
                "severity": step.report.severity(),
                "severity_for_consumer": step.report.severity_for_consumer(),
                "counts": step.report.counts(),
                "record": step.report.record,
                "report": step.path,
                "new": step.new,
            })
        })
        .collect();
    json!({
        "schema_version": 1,
        "steps": steps,
        "events": pass.events,
        "notes": pass.notes,
        "waiting": pass.waiting.iter().map(|(source, steps)| json!({"source": source, "steps": steps})).collect::<Vec<_>>(),
        "unreached": pass.unreached,
        "alerts": pass.alerts,
        "captures_wanted": pass.wanted,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn channels_that_are_blind_for_one_reason_share_a_line() {
        let blind = |agent: &str, channel: &str, since: &str, why: &str| Event {
            agent: agent.to_owned(),
            kind: EventKind::BlindSince {
                channel: channel.to_owned(),
                since: since.parse().unwrap(),
                why: why.to_owned(),
            },
        };
        let moved = Event {
            agent: "b".to_owned(),
            kind: EventKind::SourceMoved {
                channel: "npm:b".to_owned(),
                to: "npm:c".to_owned(),
            },
        };
        let down = "could not be reached (timed out)";
        let all = [
            blind("a", "npm:a", "2026-12-01T02:00:00Z", down),
            moved,
            blind("b", "npm:b", "2026-12-01T01:00:00Z", down),
            blind("b", "pypi:b", "2026-12-01T01:00:00Z", "not found"),
        ];
        assert_eq!(
            events(&all),
            [
                "b: npm:b has moved to npm:c",
                "blind since 2026-12-01T01:00:00Z: could not be reached (timed out): npm:a (a), npm:b (b)",
                "blind since 2026-12-01T01:00:00Z: not found: pypi:b (b)",
            ]
        );
    }
}
