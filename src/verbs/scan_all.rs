//! `scan AGENT --all`: every step of every source of an agent.

use std::fmt::Write;

use agent_contracts_registry::history::{About, SCHEMA_VERSION, SourceSteps, Step, Steps};
use agent_contracts_reports::history::{about_line, steps_markdown, totals_words};
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_wire::Severity;

use super::lines;
use crate::cli::{Common, Format, ScanArgs};
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

/// Longest text of what changed in a row, in characters.
const LONGEST: usize = 100;

pub(crate) async fn run(common: &Common, args: &ScanArgs, agent: &str) -> Outcome {
    if common.format() == Format::Sarif {
        return Err(Failure::usage_text(
            "`scan --all` cannot be printed as SARIF, which is about one version\n\
             hint: --format text, markdown or json; SARIF is there for one step: `scan AGENT --from V --to V`",
        ));
    }
    let lines = lines::walk(common, agent, args.repo.as_deref(), args.flags).await?;
    let steps = Steps {
        schema_version: SCHEMA_VERSION,
        agent: lines.agent.id.clone(),
        about: if args.flags { About::Flags } else { About::Protocol },
        sources: lines
            .walked
            .iter()
            .map(|walked| SourceSteps {
                line: walked.line.clone(),
                steps: walked.changed_steps(),
            })
            .collect(),
        unread: lines.unread.clone(),
    };
    match common.format() {
        Format::Json => output::json(&steps)?,
        Format::Markdown => output::text(&steps_markdown(&steps, &lines.agent.name))?,
        _ => output::text(&text(&steps))?,
    }
    let findings = steps
        .sources
        .iter()
        .flat_map(|source| &source.steps)
        .flat_map(|step| &step.findings);
    let worst = findings.map(|finding| finding.severity).max().unwrap_or(Severity::None);
    Ok(match args.fail_on {
        Some(limit) if worst >= limit.severity() => Exit::CheckFailed,
        _ => lines.exit(common),
    })
}

fn text(steps: &Steps) -> String {
    let mut out = String::new();
    for source in &steps.sources {
        if !out.is_empty() {
            out.push('\n');
        }
        let line = &source.line;
        let _ = writeln!(out, "{}: {}", line.title(), totals_words(line));
        for (title, prerelease, counts) in [
            ("releases", false, line.totals.findings),
            (
                "prereleases, each against the version before it",
                true,
                line.totals.prerelease_findings,
            ),
        ] {
            let told: Vec<&Step> = source
                .steps
                .iter()
                .filter(|step| step.prerelease == prerelease)
                .collect();
            if told.is_empty() {
                continue;
            }
            let _ = writeln!(out, "\n{title}: {}", counts.words());
            out.push_str(&output::table(
                ["from", "to", "day", "findings", "what"],
                told.into_iter().map(row),
            ));
        }
        let notes = about_line(line);
        if !notes.is_empty() {
            out.push('\n');
        }
        for note in notes {
            let _ = writeln!(out, "{note}");
        }
    }
    for unread in &steps.unread {
        let _ = writeln!(out, "\n{}: not read: {}", unread.source, unread.why);
    }
    out
}

fn row(step: &Step) -> [String; 5] {
    let findings = if step.findings.is_empty() {
        "inconclusive".to_owned()
    } else {
        step.counts.words()
    };
    let first = step.findings.first().map(|finding| wording(finding).what.to_string());
    let mut what = first.or_else(|| step.doubts.first().cloned()).unwrap_or_default();
    if let Some((end, _)) = what.char_indices().nth(LONGEST) {
        what.truncate(end);
        what.push('…');
    }
    if step.findings.len() > 1 {
        let _ = write!(what, " and {} more", step.findings.len() - 1);
    }
    [
        step.from.clone(),
        step.to.clone(),
        step.date.clone().unwrap_or_default(),
        findings,
        what,
    ]
}
