//! `history AGENT --format markdown`.

use std::fmt::Write as _;

use agent_contracts_registry::history::{About, History, NameHistory, Presence, SourceHistory};

use super::story::{about_line, counted, story, totals_words};
use crate::escape::{code, code_in_table, text};

/// Rows of one table; of further ones the number is told.
const ROWS: usize = 2_000;

/// The history of every source of an agent; `agent_name` is what people call it.
#[must_use]
pub fn history(history: &History, agent_name: &str) -> String {
    let about = match history.about {
        About::Protocol => "protocol",
        About::Flags => "flags",
    };
    let mut out = format!("# History of the {about} of {}\n", text(agent_name));
    if let Some(asked) = &history.asked {
        let _ = write!(out, "\nOnly {}.\n", code(asked));
    }
    for source in &history.sources {
        section(&mut out, source, history.asked.is_some());
    }
    for unread in &history.unread {
        let _ = write!(out, "\n{} was not read: {}\n", code(&unread.source), text(&unread.why));
    }
    out
}

fn section(out: &mut String, source: &SourceHistory, asked: bool) {
    let line = &source.line;
    let _ = write!(out, "\n## {}\n\n{}.\n", code(&line.title()), totals_words(line));
    let notes = about_line(line);
    if !notes.is_empty() {
        out.push('\n');
        for note in notes {
            let _ = writeln!(out, "- {}", text(&note));
        }
    }
    let told: Vec<&NameHistory> = source
        .names
        .iter()
        .filter(|name| asked || (name.is_told() && !name.follows_its_holder()))
        .collect();
    let quiet = source.names.iter().filter(|name| !name.is_told()).count();
    let follow = source.names.len() - told.len() - quiet;
    if !told.is_empty() {
        out.push_str("\n| Name | Kind | Since | Now | What happened |\n|---|---|---|---|---|\n");
        for name in told.iter().take(ROWS) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                code_in_table(&name.address()),
                kind(name),
                since(name),
                now(name),
                text(&story(name))
            );
        }
        if told.len() > ROWS {
            let _ = write!(out, "\n{} more names are in the JSON document.\n", told.len() - ROWS);
        }
    }
    if !asked && quiet + follow > 0 {
        let _ = write!(
            out,
            "\nNot listed: {} that only came or went with what holds them, {} without any change.\n",
            counted(follow, "name"),
            counted(quiet, "name")
        );
    }
}

fn kind(name: &NameHistory) -> String {
    serde_json::to_value(name.kind)
        .ok()
        .and_then(|value| value.as_str().map(|text| text.replace('_', " ")))
        .unwrap_or_default()
}

fn since(name: &NameHistory) -> String {
    match &name.since {
        Some(since) if name.from_the_first => format!("{} or before", code_in_table(since)),
        Some(since) => code_in_table(since),
        None => "no release".to_owned(),
    }
}

fn now(name: &NameHistory) -> &'static str {
    match name.now {
        Presence::Present => "there",
        Presence::Gone => "gone",
        Presence::Unknown => "unknown",
    }
}
