//! Single findings in Markdown; the report and the issue text are made of them.

use std::fmt::Write as _;

use agent_contracts_source_evidence::summary;
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_wire::{Direction, Domain, Finding};
use serde_json::Value;

use crate::StepReport;
use crate::escape;
use crate::links;

/// Longest block of a value or a frame, in characters.
const LONGEST_BLOCK: usize = 4_000;

/// One line: what changed and where. `- ` is the caller's.
#[must_use]
pub fn finding_brief(report: &StepReport, finding: &Finding) -> String {
    let what = escape::words(&wording(finding).what);
    let line = match place(report, finding) {
        Some(place) => format!("{what}, {place}"),
        None => what,
    };
    match for_consumer(report, finding) {
        Some(words) => format!("{line} ({words})"),
        None => line,
    }
}

/// The lower severity for the consumer that was asked for, and why.
fn for_consumer(report: &StepReport, finding: &Finding) -> Option<String> {
    let judged = report.for_consumer.get(&finding.id)?;
    let severity = summary::word(judged.severity);
    let (profile, why) = (escape::text(&judged.profile), escape::text(&judged.why));
    Some(format!("for {profile}: {severity}, {why}"))
}

/// A section without its heading: rule, whom it hurts, what to do, place, before and after, the frame.
#[must_use]
pub fn finding_details(report: &StepReport, finding: &Finding) -> String {
    let told = wording(finding);
    let mut lines = vec![
        format!(
            "- **Rule:** {}, {}, {}",
            escape::code(&finding.rule),
            direction(finding.direction),
            domain(finding.domain)
        ),
        format!("- **Whom it hurts:** {}", told.hurts),
        format!("- **What to do:** {}", told.todo),
    ];
    lines.extend(for_consumer(report, finding).map(|words| format!("- **For a consumer:** {words}")));
    if let Some(place) = place(report, finding) {
        let side = report.side_of(finding);
        lines.push(format!(
            "- **Place:** {place} in {}",
            escape::code(crate::step::label(side))
        ));
    }
    if let Some(reached) = &finding.reached_by
        && reached.count > 1
    {
        let ways: Vec<String> = reached
            .first
            .iter()
            .take(5)
            .map(|(event, path)| way(event, path))
            .collect();
        let more = reached.count.saturating_sub(ways.len());
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        lines.push(format!("- **Reached by:** {}{more}", ways.join(", ")));
    }
    let mut text = lines.join("\n") + "\n";
    text.push_str(&before_and_after(finding));
    if let Some(witness) = &finding.witness {
        text.push_str("\nThe smallest frame that is valid on one side only:\n\n");
        text.push_str(&json_block(witness));
    }
    text
}

fn way(event: &str, path: &str) -> String {
    if path.is_empty() {
        escape::code(event)
    } else {
        format!("{} {}", escape::code(event), escape::code(path))
    }
}

/// `file:line`, as a link where there is a page for it.
fn place(report: &StepReport, finding: &Finding) -> Option<String> {
    let location = &finding.location;
    if location.file.is_empty() {
        return None;
    }
    let name = match location.line {
        0 => location.file.clone(),
        line => format!("{}:{line}", location.file),
    };
    let name = escape::code(&name);
    Some(match links::source_line(report.side_of(finding), location) {
        Some(url) => format!("[{name}]({url})"),
        None => name,
    })
}

/// Short values in a line, larger ones in blocks.
fn before_and_after(finding: &Finding) -> String {
    match (short(&finding.before), short(&finding.after)) {
        (Some(before), Some(after)) => format!("- **Before:** {before}\n- **After:** {after}\n"),
        _ => format!(
            "\nBefore:\n\n{}\nAfter:\n\n{}",
            json_block(&finding.before),
            json_block(&finding.after)
        ),
    }
}

fn short(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("nothing".to_owned()),
        Value::String(text) if text.len() <= 200 && !text.contains('\n') => Some(escape::code(text)),
        Value::Bool(_) | Value::Number(_) => Some(escape::code(&value.to_string())),
        _ => None,
    }
}

fn json_block(value: &Value) -> String {
    let (language, mut text) = match value {
        Value::String(text) => ("", text.clone()),
        other => ("json", serde_json::to_string_pretty(other).unwrap_or_default()),
    };
    if let Some((end, _)) = text.char_indices().nth(LONGEST_BLOCK) {
        let left = text.len() - end;
        text.truncate(end);
        let _ = write!(text, "\n… {left} bytes more, in the evidence record");
    }
    escape::block(language, &text)
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Output => "written by the CLI",
        Direction::Input => "written by the host",
        Direction::Both => "written by both sides",
        Direction::Unknown => "direction unknown, rated as written by the CLI",
    }
}

fn domain(domain: Domain) -> &'static str {
    match domain {
        Domain::DecodeFatal => "a typed reader refuses the frame",
        Domain::SilentLoss => "something is lost in silence",
        Domain::RequestRejected => "a request is refused",
        Domain::Additive => "additive",
        Domain::Cosmetic => "no effect on the wire",
    }
}
