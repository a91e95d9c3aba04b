//! `scan AGENT --all --format markdown`.

use std::fmt::Write as _;

use agent_contracts_registry::history::{SourceSteps, Step, Steps};
use agent_contracts_source_evidence::summary;
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_wire::{Finding, Severity};

use super::story::{about_line, totals_words};
use crate::escape::{self, code, code_in_table, text};

/// Findings of one step that get a line; of further ones the number is told.
const LISTED: usize = 50;

/// Every step of every source; `agent_name` is what people call the agent.
#[must_use]
pub fn steps(steps: &Steps, agent_name: &str) -> String {
    let mut out = format!("# Every step of {}\n", text(agent_name));
    for source in &steps.sources {
        section(&mut out, source);
    }
    for unread in &steps.unread {
        let _ = write!(out, "\n{} was not read: {}\n", code(&unread.source), text(&unread.why));
    }
    out
}

fn section(out: &mut String, source: &SourceSteps) {
    let line = &source.line;
    let totals = line.totals;
    let _ = write!(
        out,
        "\n## {}\n\n{}. Between releases {}; in prereleases {}.\n",
        code(&line.title()),
        totals_words(line),
        totals.findings.words(),
        totals.prerelease_findings.words()
    );
    let notes = about_line(line);
    if !notes.is_empty() {
        out.push('\n');
        for note in notes {
            let _ = writeln!(out, "- {}", text(&note));
        }
    }
    for (title, prerelease) in [("Releases", false), ("Prereleases", true)] {
        let told: Vec<&Step> = source
            .steps
            .iter()
            .filter(|step| step.prerelease == prerelease)
            .collect();
        if told.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "\n### {title}\n\n| From | To | Day | Findings |\n|---|---|---|---|\n"
        );
        for step in &told {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                code_in_table(&step.from),
                code_in_table(&step.to),
                step.date.as_deref().unwrap_or(""),
                step_words(step)
            );
        }
        for step in told.iter().filter(|step| !step.findings.is_empty()) {
            let _ = write!(out, "\n#### {} → {}\n\n", code(&step.from), code(&step.to));
            for finding in step.findings.iter().take(LISTED) {
                let _ = writeln!(out, "- {}", brief(finding));
            }
            if step.findings.len() > LISTED {
                let _ = writeln!(out, "- and {} more, in the JSON document", step.findings.len() - LISTED);
            }
        }
    }
}

fn step_words(step: &Step) -> String {
    if step.findings.is_empty() {
        format!("inconclusive: {}", text(step.doubts.first().map_or("", String::as_str)))
    } else {
        step.counts.words()
    }
}

fn brief(finding: &Finding) -> String {
    let what = escape::words(&wording(finding).what);
    match finding.severity {
        Severity::None => what,
        severity => format!("**{}** {what}", summary::word(severity)),
    }
}
