//! What happened to a name, and to a line of versions, in a few words. Plain text; what comes from outside is printable.

use agent_contracts_registry::history::{Happened, Line, NameEvent, NameHistory, Presence, VersionState};
use agent_contracts_source_evidence::summary;
use agent_contracts_source_evidence::wording::printable;
use agent_contracts_wire::Severity;
use serde_json::Value;

/// Longest value inside a sentence, in characters.
const LONGEST: usize = 48;
/// So many comings and goings are told one by one.
const TOLD_FLIPS: usize = 6;

/// What happened to a name, oldest first, in one line. Going and coming back is told once, as what it is.
#[must_use]
pub fn story(name: &NameHistory) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut flips: Vec<String> = Vec::new();
    for event in &name.events {
        if name.flips > 0 && matches!(event.what, Happened::Left | Happened::CameBack) {
            let word = if event.what == Happened::Left {
                "out"
            } else {
                "in again"
            };
            flips.push(format!("{word} {}", event.version));
        } else {
            parts.push(one(event));
        }
    }
    if !flips.is_empty() {
        let more = flips.len().saturating_sub(TOLD_FLIPS);
        flips.truncate(TOLD_FLIPS);
        let more = if more > 0 {
            format!(" and {more} more times")
        } else {
            String::new()
        };
        parts.push(format!("flip-flop: {}{more}", flips.join(", ")));
    }
    if let Some(previewed) = &name.previewed {
        parts.push(format!("first seen in prerelease {previewed}"));
    }
    if name.prerelease_flips > 0 {
        parts.push(format!("flip-flop in prereleases, {}", times(name.prerelease_flips)));
    }
    if name.since.is_none() {
        parts.push("in prereleases only".to_owned());
    }
    if name.now == Presence::Unknown {
        parts.push("whether it is still there could not be read".to_owned());
    }
    if parts.is_empty() {
        parts.push("no change".to_owned());
    }
    parts.join("; ")
}

fn times(number: u32) -> String {
    if number == 1 {
        "once".to_owned()
    } else {
        format!("{number} times")
    }
}

fn one(event: &NameEvent) -> String {
    let what = match (event.what, &event.other_name) {
        (Happened::Appeared, Some(old)) => format!("new name of {}", printable(old)),
        (Happened::Left, Some(new)) => format!("renamed to {}", printable(new)),
        (Happened::Appeared, None) => "came".to_owned(),
        (Happened::Left, None) => "left".to_owned(),
        (Happened::CameBack, _) => "came back".to_owned(),
        (Happened::Changed, _) => changed(event),
    };
    let with = event.with.as_deref().filter(|with| !with.is_empty());
    let with = with.map_or_else(String::new, |with| format!(" with {}", printable(with)));
    let severity = match event.severity {
        Severity::None => String::new(),
        severity => format!(" ({})", summary::word(severity)),
    };
    format!("{}: {what}{with}{severity}", event.version)
}

fn changed(event: &NameEvent) -> String {
    let rule = event.rule.as_deref().unwrap_or("changed").replace('_', " ");
    match (short(&event.before), short(&event.after)) {
        (Some(before), Some(after)) => format!("{before} became {after}"),
        _ => rule,
    }
}

fn short(value: &Value) -> Option<String> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut text = printable(&text);
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    Some(text)
}

/// How many versions were read and compared: one line.
#[must_use]
pub fn totals_words(line: &Line) -> String {
    let totals = line.totals;
    let inconclusive = match totals.inconclusive {
        0 => String::new(),
        some => format!(", {some} inconclusive"),
    };
    format!(
        "{}, {}; {}: {} with changes, {} without{inconclusive}",
        counted(totals.releases, "release"),
        counted(totals.prereleases, "prerelease"),
        counted(totals.steps, "step"),
        totals.changed,
        totals.unchanged
    )
}

/// What is to be known of a line beside its steps: versions without files, lost, gone and moved ones. One entry a line.
#[must_use]
pub fn about_line(line: &Line) -> Vec<String> {
    let mut lines = Vec::new();
    let without: Vec<&str> = of_state(line, VersionState::NoFiles)
        .map(|(version, _)| version)
        .collect();
    if !without.is_empty() {
        lines.push(format!("without a file of the protocol: {}", listed(&without)));
    }
    for (version, why) in of_state(line, VersionState::Failed) {
        lines.push(format!(
            "lost: {version}: {}",
            printable(why.unwrap_or("it could not be read"))
        ));
    }
    for skipped in &line.skipped {
        lines.push(format!(
            "left out: tag {}: {}",
            printable(&skipped.name),
            printable(&skipped.why)
        ));
    }
    for gone in &line.gone {
        lines.push(format!(
            "gone: {} was there at an earlier look and is not offered any more",
            gone.version
        ));
    }
    for moved in &line.moved {
        let id = |commit: &str| commit.chars().take(12).collect::<String>();
        lines.push(format!(
            "moved: {} stood for {} and stands for {} now, which is what was read",
            moved.version,
            id(&moved.from),
            id(&moved.to)
        ));
    }
    lines
}

fn of_state(line: &Line, state: VersionState) -> impl Iterator<Item = (&str, Option<&str>)> {
    let points = line.versions.iter().filter(move |point| point.state == state);
    points.map(|point| (point.version.as_str(), point.note.as_deref()))
}

/// The first and the last of many.
fn listed(versions: &[&str]) -> String {
    match versions {
        [first, .., last] if versions.len() > 6 => format!("{first} … {last} ({} versions)", versions.len()),
        few => few.join(", "),
    }
}

/// `1 step`, `2 steps`, `2 events or types`.
pub(super) fn counted(count: usize, what: &str) -> String {
    match what.split_once(" or ") {
        _ if count == 1 => format!("1 {what}"),
        Some((one, other)) => format!("{count} {one}s or {other}s"),
        None => format!("{count} {what}s"),
    }
}
