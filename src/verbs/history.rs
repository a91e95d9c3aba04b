//! `history`: when each name of the wire appeared, changed, left and came back.

use std::fmt::Write;

use agent_contracts_config::nearest;
use agent_contracts_registry::history::{About, History, NameHistory, Presence, SCHEMA_VERSION, SourceHistory};
use agent_contracts_reports::history::{about_line, markdown, picture, story, totals_words};

use super::lines;
use crate::cli::{Common, Format, HistoryArgs};
use crate::failure::{Failure, Outcome};
use crate::output;

/// Names that are offered when the one that was asked for is not there.
const OFFERED: usize = 5;

pub(crate) async fn run(common: &Common, args: &HistoryArgs) -> Outcome {
    if common.format() == Format::Sarif {
        return Err(Failure::usage_text(
            "`history` cannot be printed as SARIF, which is about one version\n\
             hint: --format text, markdown, json or svg",
        ));
    }
    let lines = lines::walk(common, &args.agent, args.repo.as_deref(), args.flags).await?;
    let mut history = History {
        schema_version: SCHEMA_VERSION,
        agent: lines.agent.id.clone(),
        about: if args.flags { About::Flags } else { About::Protocol },
        asked: args.name.clone(),
        sources: lines
            .walked
            .iter()
            .map(agent_contracts_scanner::Walked::history)
            .collect(),
        unread: lines.unread.clone(),
    };
    if let Some(wanted) = &args.name {
        keep(&mut history, wanted)?;
    }
    match common.format() {
        Format::Json => output::json(&history)?,
        Format::Markdown => output::text(&markdown(&history, &lines.agent.name))?,
        Format::Svg => output::text(&picture(&history, &lines.agent.name))?,
        _ => output::text(&text(&history))?,
    }
    Ok(lines.exit(common))
}

/// Leaves the names that are called `wanted`. None at all is a mistake in the request.
fn keep(history: &mut History, wanted: &str) -> Result<(), Failure> {
    let bare = |text: &str| text.to_lowercase().replace(['_', '-'], "");
    let mut near: Vec<String> = Vec::new();
    for source in &mut history.sources {
        let like = source.names.iter().filter(|name| {
            let (name, wanted) = (bare(&name.name), bare(wanted));
            !wanted.is_empty() && name.len() > 2 && (name.contains(&wanted) || wanted.contains(&name))
        });
        near.extend(like.map(|name| name.name.clone()));
        let names = source.names.iter().map(|name| name.name.as_str());
        near.extend(nearest(wanted, names).map(str::to_owned));
        source.names.retain(|name| name.is_called(wanted));
    }
    if history.sources.iter().any(|source| !source.names.is_empty()) {
        return Ok(());
    }
    near.sort();
    near.dedup();
    let hint = if near.is_empty() {
        format!("leave --name out to see all names of {}", history.agent)
    } else {
        let offered: Vec<String> = near.iter().take(OFFERED).map(|name| format!("`{name}`")).collect();
        format!("near it are {}", offered.join(", "))
    };
    Err(Failure::usage_text(format!(
        "no version of {} that was read has a name `{wanted}`\nhint: {hint}",
        history.agent
    )))
}

fn text(history: &History) -> String {
    let mut out = String::new();
    for source in &history.sources {
        if !out.is_empty() {
            out.push('\n');
        }
        section(&mut out, source, history.asked.is_some());
    }
    for unread in &history.unread {
        let _ = writeln!(out, "\n{}: not read: {}", unread.source, unread.why);
    }
    out
}

fn section(out: &mut String, source: &SourceHistory, asked: bool) {
    let line = &source.line;
    let _ = writeln!(out, "{}: {}", line.title(), totals_words(line));
    let told: Vec<&NameHistory> = source
        .names
        .iter()
        .filter(|name| asked || (name.is_told() && !name.follows_its_holder()))
        .collect();
    let quiet = source.names.iter().filter(|name| !name.is_told()).count();
    let follow = source.names.len() - told.len() - quiet;
    if !told.is_empty() {
        out.push('\n');
        out.push_str(&output::table(
            ["name", "since", "now", "what happened"],
            told.into_iter().map(row),
        ));
    }
    if !asked && quiet + follow > 0 {
        let _ = writeln!(
            out,
            "\nnot listed: {follow} that only came or went with what holds them, {quiet} without any change; `--json` \
             has them all"
        );
    }
    let notes = about_line(line);
    if !notes.is_empty() {
        out.push('\n');
    }
    for note in notes {
        let _ = writeln!(out, "{note}");
    }
}

fn row(name: &NameHistory) -> [String; 4] {
    let since = match &name.since {
        Some(since) if name.from_the_first => format!("<= {since}"),
        Some(since) => since.clone(),
        None => String::new(),
    };
    let now = match name.now {
        Presence::Present => "there",
        Presence::Gone => "gone",
        Presence::Unknown => "unknown",
    };
    [name.address(), since, now.to_owned(), story(name)]
}
