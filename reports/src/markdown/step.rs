//! The report on one step: `reports/diffs/AGENT/FROM..TO-ID8.md`, and `scan --format markdown`.

use std::fmt::Write as _;

use agent_contracts_source_evidence::wording::wording;
use agent_contracts_source_evidence::{StepSide, summary};
use agent_contracts_wire::{Finding, Severity};

use super::parts::{finding_brief, finding_details};
use crate::escape::{self, code, code_in_table};
use crate::step::{StepReport, label, verdict_words};

/// Findings that get a section of their own; further ones get a line.
const DETAILED: usize = 200;
/// Findings that get a line; of further ones the number is told.
const LISTED: usize = 1_000;
/// Unresolved places, degraded spans and moves that are listed.
const NOTES: usize = 50;

/// The report. The same input gives the same bytes.
#[must_use]
pub fn step(report: &StepReport) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "# {}\n", heading(report));
    out.push_str(&summary_table(report));
    if report.findings.is_empty() {
        let _ = writeln!(out, "\nNo finding: {}.", verdict_words(report.verdict));
    }
    let mut detailed = 0;
    let mut listed = 0;
    for severity in summary::SEVERITIES {
        let group: Vec<&Finding> = report
            .findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .collect();
        if group.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {} ({})\n", title(severity), group.len());
        if severity >= Severity::Risky {
            for finding in group {
                if detailed < DETAILED {
                    detailed += 1;
                    let _ = writeln!(out, "### {}\n", escape::heading(&wording(finding).what));
                    let _ = writeln!(out, "{}", finding_details(report, finding));
                } else {
                    list(&mut out, report, &[finding], &mut listed);
                }
            }
        } else {
            list(&mut out, report, &group, &mut listed);
        }
    }
    out.push_str(&not_read(report));
    out.push_str(&moves(report));
    // One blank line at most, and a newline at the end.
    while out.contains("\n\n\n") {
        out = out.replace("\n\n\n", "\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn heading(report: &StepReport) -> String {
    let counts = report.counts().words();
    let between = format!("{} → {}", code(label(&report.from)), code(label(&report.to)));
    match &report.agent {
        Some(agent) => format!("{} {between}: {counts}", escape::text(&agent.name)),
        None => format!("{between}: {counts}"),
    }
}

fn summary_table(report: &StepReport) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(agent) = &report.agent {
        rows.push((
            "Agent",
            format!("{} ({})", escape::text(&agent.name), code_in_table(&agent.id)),
        ));
    }
    if let Some(family) = &report.family {
        rows.push(("Protocol family", code_in_table(family)));
    }
    rows.push(("From", side(&report.from)));
    rows.push(("To", side(&report.to)));
    rows.push(("Verdict", verdict_words(report.verdict).to_owned()));
    rows.push(("Findings", report.counts().words()));
    let ran = if report.validity.is_source() {
        "; no CLI was run"
    } else {
        ""
    };
    rows.push(("Grounding", format!("{}{ran}", report.validity.words())));
    if let Some(shape) = &report.shape {
        let cut = match report.shape_cut.len() {
            0 => String::new(),
            n => format!("; {n} of its event types are cut, because it would have become too large"),
        };
        rows.push(("Derived shape", format!("{}{cut}", code_in_table(&shape.signature))));
    }
    if let Some(record) = &report.record {
        let since = report
            .discovered_at
            .as_deref()
            .map_or(String::new(), |time| format!(", since {}", escape::text(time)));
        rows.push(("Evidence", format!("{}{since}", code_in_table(record))));
    }
    let mut out = "| | |\n|---|---|\n".to_owned();
    for (name, value) in rows {
        let _ = writeln!(out, "| {name} | {value} |");
    }
    out
}

fn side(side: &StepSide) -> String {
    let mut parts = Vec::new();
    if !side.version.is_empty() {
        parts.push(code_in_table(&side.version));
    }
    if !side.source.is_empty() {
        parts.push(code_in_table(&side.source));
    }
    if let Some(commit) = &side.commit {
        parts.push(format!("commit {}", code_in_table(commit)));
    }
    parts.push(counted(side.files, "file"));
    parts.push(counted(side.types, "type"));
    parts.join(", ")
}

fn counted(count: u32, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {what}s")
    }
}

fn title(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "Breaking",
        Severity::Risky => "Risky",
        Severity::Additive => "Additive",
        Severity::None => "Without effect on the wire",
    }
}

fn list(out: &mut String, report: &StepReport, group: &[&Finding], listed: &mut usize) {
    for finding in group {
        *listed += 1;
        if *listed <= LISTED {
            let _ = writeln!(out, "- {}", finding_brief(report, finding));
        }
    }
    if *listed > LISTED {
        let _ = writeln!(out, "- and {} more, in the evidence record", *listed - LISTED);
    }
}

fn not_read(report: &StepReport) -> String {
    let mut out = String::new();
    if !report.doubts.is_empty() {
        let _ = writeln!(out, "\n## In doubt ({})\n", report.doubts.len());
        for doubt in report.doubts.iter().take(NOTES) {
            let _ = writeln!(out, "- {}", escape::text(doubt));
        }
        more(&mut out, report.doubts.len(), report.doubts.len());
    }
    if report.unresolved_total > 0 {
        let _ = writeln!(out, "\n## Could not be resolved ({})\n", report.unresolved_total);
        out.push_str("A change may hide behind these; they are unknown, not removed.\n\n");
        for unresolved in report.unresolved.iter().take(NOTES) {
            let place = format!("{}:{}", unresolved.place.file, unresolved.place.line);
            let _ = writeln!(out, "- {}: {}", code(&place), code(&unresolved.what));
        }
        more(&mut out, report.unresolved_total, report.unresolved.len());
    }
    if report.degraded_total > 0 {
        let _ = writeln!(out, "\n## Not read in full ({})\n", report.degraded_total);
        for degraded in report.degraded.iter().take(NOTES) {
            let lines = degraded
                .lines
                .map_or(String::new(), |(from, to)| format!(":{from}-{to}"));
            let hides = match degraded.hides.as_slice() {
                [] => String::new(),
                names => {
                    let names: Vec<String> = names.iter().take(10).map(|name| code(name)).collect();
                    format!("; may hide {}", names.join(", "))
                }
            };
            let file = code(&format!("{}{lines}", degraded.file));
            let _ = writeln!(out, "- {file}: {}{hides}", escape::text(&degraded.why));
        }
        more(&mut out, report.degraded_total, report.degraded.len());
    }
    out
}

fn moves(report: &StepReport) -> String {
    let mut out = String::new();
    if report.moves.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n## Moved without a change ({})\n", report.moves.len());
    for moved in report.moves.iter().take(NOTES) {
        let _ = writeln!(
            out,
            "- {}: {} → {}",
            code(&moved.type_name),
            code(&moved.from),
            code(&moved.to)
        );
    }
    more(&mut out, report.moves.len(), report.moves.len());
    out
}

fn more(out: &mut String, total: usize, at_hand: usize) {
    let shown = at_hand.min(NOTES);
    if total > shown {
        let _ = writeln!(out, "- and {} more", total - shown);
    }
}
