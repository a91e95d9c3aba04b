//! The text of a GitHub issue.
//!
//! People read it without knowing this program: what changed, whom it hurts, the frame before and after, what to do, where
//! it stands. A hidden line at the end holds the fingerprint by which the thread is found again.

use std::fmt::Write as _;

use agent_contracts_reports::escape::{self, code};
use agent_contracts_reports::markdown::{finding_brief, finding_details};
use agent_contracts_source_evidence::wording::{printable, wording};
use agent_contracts_source_evidence::{Counts, summary};
use agent_contracts_wire::{Severity, Verdict};

use crate::{Alert, Links};

/// GitHub refuses bodies of more than 65,536 characters; what we write must also hold what is added later.
const BUDGET: usize = 48_000;
/// Longest title, in characters; GitHub takes 256.
const TITLE: usize = 160;

/// The hidden line of a thread. The parser of issue 7 and this line must agree, so both use this function.
#[must_use]
pub fn marker(fingerprint: &str) -> String {
    format!("<!-- agent-contracts:thread {fingerprint} -->")
}

/// The title, in plain text: GitHub does not render it.
#[must_use]
pub fn title(alert: &Alert) -> String {
    let counts = Counts {
        additive: 0,
        none: 0,
        ..alert.counts()
    };
    let mut title = format!("{} {}: {}", alert.agent.name, alert.version, counts.words());
    if let Some((_, worst)) = alert.risks().first() {
        let _ = write!(title, "; {}", wording(worst).what);
    }
    let title = printable(&title);
    let title = title.replace('`', "");
    match title.char_indices().nth(TITLE) {
        Some((end, _)) => format!("{}…", &title[..end]),
        None => title,
    }
}

/// The body, Markdown, within GitHub's limit.
#[must_use]
pub fn body(alert: &Alert, links: &Links) -> String {
    let mut out = opening(alert);
    let end = ending(alert, links);
    let risks = alert.risks();
    let mut shown = 0;
    for (report, finding) in &risks {
        let section = format!(
            "### {}: {}\n\n{}\n",
            summary::word(finding.severity),
            escape::words(&wording(finding).what),
            finding_details(report, finding)
        );
        if out.len() + section.len() + end.len() > BUDGET {
            break;
        }
        out.push_str(&section);
        shown += 1;
    }
    if shown < risks.len() {
        let _ = writeln!(
            out,
            "And {} more that are risky or breaking; they are in the report.\n",
            risks.len() - shown
        );
    }
    out.push_str(&additive(alert, BUDGET.saturating_sub(out.len() + end.len())));
    out.push_str(&end);
    out
}

fn opening(alert: &Alert) -> String {
    let mut out = format!(
        "The source of {} {} says that its protocol changes: {}.\n\n",
        escape::text(&alert.agent.name),
        code(&alert.version),
        alert.counts().words()
    );
    out.push_str(
        "This is read from source only. No CLI has run yet, so it is a risk and no proof; \
         a capture of this version is queued.\n\n",
    );
    for (report, _) in &alert.steps {
        let family = report.family.as_deref().unwrap_or("unknown family");
        let _ = writeln!(
            out,
            "- {}: {} → {}, read from {}{}",
            code(family),
            code(&report.from.version),
            code(&report.to.version),
            code(&report.to.source),
            if report.verdict == Verdict::Inconclusive {
                "; parts could not be read"
            } else {
                ""
            }
        );
    }
    out.push('\n');
    out
}

/// What is safe for tolerant readers, one line each, as far as there is room.
fn additive(alert: &Alert, room: usize) -> String {
    let mut out = String::new();
    let mut shown = 0;
    let total = alert.counts().additive;
    let additive = alert.steps.iter().flat_map(|(report, _)| {
        let of_step = report
            .findings
            .iter()
            .filter(|finding| finding.severity == Severity::Additive);
        of_step.map(move |finding| (report, finding))
    });
    for (report, finding) in additive {
        let line = format!("- {}\n", finding_brief(report, finding));
        if out.len() + line.len() + 200 > room {
            break;
        }
        out.push_str(&line);
        shown += 1;
    }
    if shown < total {
        let _ = writeln!(out, "- and {} more, in the report", total - shown);
    }
    if out.is_empty() {
        out
    } else {
        format!("### Also new, safe for readers that skip what they do not know\n\n{out}\n")
    }
}

fn ending(alert: &Alert, links: &Links) -> String {
    let mut out = "### Where to look\n\n".to_owned();
    for (report, path) in &alert.steps {
        let _ = writeln!(out, "- Report: {}", link(links, path));
        if let Some(record) = &report.record {
            let _ = writeln!(out, "- Evidence record: {}", link(links, record));
        }
    }
    if let Some(run) = &links.capture_run {
        let _ = writeln!(out, "- Capture run: <{run}>");
    }
    let _ = write!(
        out,
        "\nThis thread is kept by agent-contracts: it is edited when more is known and closed by the observation that \
         settles it.\n\n{}\n",
        marker(&alert.fingerprint())
    );
    out
}

fn link(links: &Links, path: &str) -> String {
    match links.file(path) {
        Some(url) => format!("[{}]({url})", code(path)),
        None => code(path),
    }
}
