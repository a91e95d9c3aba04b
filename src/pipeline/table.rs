//! What a pass prints: a table that a person can act on.

use std::fmt::Write as _;

use agent_contracts_source_evidence::summary::{self, most_important};
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_wire::{Finding, Severity, Verdict};
use serde_json::{Value, json};

use super::Pass;
use super::keep::KeptStep;
use crate::output;

/// Findings of one step that are told in words.
const IN_WORDS: usize = 3;

/// The pass for people: steps with findings, worst first, then those without, then what was not reached.
pub(crate) fn text(pass: &Pass, tree: &str) -> String {
    let mut steps: Vec<&KeptStep> = pass.steps.iter().collect();
    steps.sort_by_key(|step| std::cmp::Reverse((step.report.severity(), step.new)));
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
        for event in &pass.events {
            let _ = writeln!(out, "- {event}");
        }
    }
    for (source, waiting) in &pass.waiting {
        let _ = writeln!(out, "- {source}: {waiting} more steps wait for the next pass");
    }
    if !pass.unreached.is_empty() {
        out.push_str("\nnot reached, or not read:\n");
        out.push_str(&unreached(pass));
    }
    let new = pass.steps.iter().filter(|step| step.new).count();
    let _ = writeln!(
        out,
        "\n{new} new steps in {tree}, {} alerts in the outbox, {} captures wanted; {:.1} s of own work, {:.1} s of \
         waiting for the network",
        pass.alerts.len(),
        pass.wanted,
        pass.own_s,
        pass.network_s
    );
    out
}

fn verdict(step: &KeptStep) -> String {
    match (step.report.severity(), step.report.verdict) {
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
        .filter(|finding| finding.severity > Severity::None)
        .cloned()
        .collect();
    let mut lines: Vec<String> = most_important(&loud, IN_WORDS)
        .into_iter()
        .map(|finding| wording(finding).what.to_string())
        .collect();
    lines.push(format!("@TREE@/{}", step.path));
    lines.join("\n")
}

/// Each reason once, with everything that shares it.
fn unreached(pass: &Pass) -> String {
    let mut by_reason: Vec<(String, Vec<String>)> = Vec::new();
    for one in &pass.unreached {
        // The reason names its source; without the name, sources that share a reason are told together.
        let reason = one.why.replace(&one.what, "it").lines().collect::<Vec<_>>().join(" ");
        let what = format!("{} ({})", one.what, one.agent);
        match by_reason.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, all)) => all.push(what),
            None => by_reason.push((reason, vec![what])),
        }
    }
    let mut out = String::new();
    for (reason, all) in by_reason {
        let _ = writeln!(out, "- {reason}: {}", all.join(", "));
    }
    out
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
