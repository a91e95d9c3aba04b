//! A comparison for a terminal: `scan` without a format.

use std::fmt::Write as _;

use agent_contracts_source_evidence::summary;
use agent_contracts_source_evidence::wording::{printable, wording};

use crate::step::{StepReport, label, verdict_words};

/// One heading, one line a finding with its place, then what could not be read. The same input gives the same bytes.
#[must_use]
pub fn step(report: &StepReport) -> String {
    let mut out = format!(
        "{} -> {}: {}",
        label(&report.from),
        label(&report.to),
        verdict_words(report.verdict)
    );
    if !report.findings.is_empty() {
        let _ = write!(out, " ({})", report.counts().words());
    }
    out.push('\n');
    let mut told = "";
    for finding in &report.findings {
        let words = wording(finding);
        let severity = summary::word(finding.severity);
        let _ = writeln!(out, "{severity:<9} {} [{}]", words.what, finding.rule);
        let place = &finding.location;
        let _ = write!(out, "          {}:{}", place.file, place.line);
        if let Some(more) = finding.reached_by.as_ref().filter(|reached| reached.count > 1) {
            let _ = write!(out, ", reached in {} ways", more.count);
        }
        out.push('\n');
        if let Some(judged) = report.for_consumer.get(&finding.id) {
            let _ = writeln!(
                out,
                "          for {}: {}, {}",
                printable(&judged.profile),
                summary::word(judged.severity),
                printable(&judged.why)
            );
        }
        // The same advice under one finding after the other is read once.
        if words.todo != told {
            told = words.todo;
            let _ = writeln!(out, "          hurts: {}; to do: {told}", words.hurts);
        }
    }
    for doubt in &report.doubts {
        let _ = writeln!(out, "in doubt  {doubt}");
    }
    for moved in &report.moves {
        let _ = writeln!(
            out,
            "moved     `{}` from {} to {}",
            moved.type_name, moved.from, moved.to
        );
    }
    for one in &report.unresolved {
        let _ = writeln!(out, "unread    {}:{} {}", one.place.file, one.place.line, one.what);
    }
    for one in &report.degraded {
        let lines = one
            .lines
            .map_or_else(String::new, |(first, last)| format!(":{first}-{last}"));
        let _ = writeln!(out, "unread    {}{lines} {}", one.file, one.why);
    }
    out
}
