//! Shapes for people: one of them, two side by side, and what a source predicted of them.

use std::fmt::Write as _;

use agent_contracts_shapes::compare::evidence::Coverage;
use agent_contracts_shapes::normalise::Normalised;
use agent_contracts_shapes::{Comparison, FrameDirection, FrameShape, Shape};
use serde::Serialize;

use crate::escape;
use crate::step::StepReport;
use crate::{markdown, text};

/// Places that are listed of one event.
const LISTED: usize = 20;

/// A shape, and what its transcript had besides, for a terminal.
#[must_use]
pub fn normalised_text(found: &Normalised) -> String {
    let shape = &found.shape;
    let mut out = format!(
        "{}\n{}, {} frames, exit {}, stderr {}\n",
        shape.signature,
        shape.protocol_family,
        shape.frame_count,
        word(&shape.exit),
        word(&shape.stderr_class)
    );
    for frame in &shape.frame_shapes {
        let _ = writeln!(out, "\n{} {}", arrow(frame.direction), frame.event_type);
        for (place, types) in places(frame) {
            let _ = writeln!(out, "   {place}: {types}");
        }
    }
    if !found.volatile.is_empty() {
        out.push('\n');
    }
    for one in &found.volatile {
        let _ = writeln!(out, "volatile  {} ({})", one.event_type, one.count);
    }
    for note in &found.notes {
        let _ = writeln!(
            out,
            "odd       {} line {}: {}",
            word(&note.stream),
            note.line,
            note.what
        );
    }
    let more = found.oddities.saturating_sub(found.notes.len() as u64);
    if more > 0 {
        let _ = writeln!(out, "odd       {more} more");
    }
    out
}

/// The same as Markdown.
#[must_use]
pub fn normalised_markdown(found: &Normalised) -> String {
    let shape = &found.shape;
    let mut out = format!(
        "# Shape {}\n\n| | |\n|---|---|\n| Family | {} |\n| Frames | {} |\n| Exit | {} |\n| Standard error | {} |\n",
        escape::code(&shape.signature),
        escape::code_in_table(&shape.protocol_family),
        shape.frame_count,
        word(&shape.exit),
        word(&shape.stderr_class)
    );
    for frame in &shape.frame_shapes {
        let _ = writeln!(
            out,
            "\n## {} {}\n",
            arrow(frame.direction),
            escape::code(&frame.event_type)
        );
        if frame.paths.is_empty() {
            out.push_str("Nothing is known of what it holds.\n");
            continue;
        }
        out.push_str("| Place | What stands there |\n|---|---|\n");
        for (place, types) in places(frame) {
            let _ = writeln!(
                out,
                "| {} | {} |",
                escape::code_in_table(&place),
                escape::code_in_table(&types)
            );
        }
    }
    if !found.volatile.is_empty() || !found.notes.is_empty() {
        out.push_str("\n## Beside the shape\n\n");
    }
    for one in &found.volatile {
        let _ = writeln!(out, "- volatile: {} ({})", escape::code(&one.event_type), one.count);
    }
    for note in &found.notes {
        let _ = writeln!(
            out,
            "- {} line {}: {}",
            word(&note.stream),
            note.line,
            escape::text(&note.what)
        );
    }
    out
}

/// Two shapes, for a terminal.
#[must_use]
pub fn comparison_text(found: &Comparison, step: &StepReport) -> String {
    let mut out = format!("{}\n", found.class.word());
    for missing in &found.missing {
        let _ = writeln!(out, "missing   nothing carries `{missing}` any more");
    }
    out.push_str(&text::step(step));
    out
}

/// Two shapes, as Markdown.
#[must_use]
pub fn comparison_markdown(found: &Comparison, step: &StepReport) -> String {
    let mut out = format!("Class: `{}`\n\n", found.class.word());
    for missing in &found.missing {
        let _ = writeln!(out, "- nothing carries {} any more", escape::code(missing));
    }
    if !found.missing.is_empty() {
        out.push('\n');
    }
    out.push_str(&markdown::step(step));
    out
}

/// What a source predicted and what was reached, for a terminal.
#[must_use]
pub fn coverage_text(found: &Coverage) -> String {
    let mut out = format!("{}\n", coverage_words(found));
    for (title, events) in parts(found) {
        for (event, places) in events {
            let _ = writeln!(out, "{title:<13} {event}{}", few(&places, str::to_owned));
        }
    }
    out
}

/// The same as Markdown.
#[must_use]
pub fn coverage_markdown(found: &Coverage) -> String {
    let mut out = format!("# Observed and predicted\n\n{}\n", coverage_words(found));
    for (title, events) in parts(found) {
        if events.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {}\n", capital(title));
        for (event, places) in events {
            let _ = writeln!(out, "- {}{}", escape::code(&event), few(&places, escape::code));
        }
    }
    out
}

fn coverage_words(found: &Coverage) -> String {
    format!(
        "{} observed places are predicted; {} of {} predicted places of the events that were seen are reached",
        found.confirmed, found.reached, found.predicted
    )
}

type Events = Vec<(String, Vec<String>)>;

fn parts(found: &Coverage) -> [(&'static str, Events); 3] {
    let of = |events: &std::collections::BTreeMap<String, Vec<String>>| -> Events {
        events
            .iter()
            .map(|(event, places)| (event.clone(), places.clone()))
            .collect()
    };
    let never = found.events_not_reached.iter().map(|event| (event.clone(), Vec::new()));
    [
        ("not predicted", of(&found.not_predicted)),
        ("not reached", of(&found.not_reached)),
        ("never seen", never.collect()),
    ]
}

fn few(places: &[String], shown: impl Fn(&str) -> String) -> String {
    if places.is_empty() {
        return String::new();
    }
    let listed: Vec<String> = places.iter().take(LISTED).map(|place| shown(place)).collect();
    let more = places.len().saturating_sub(LISTED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!(": {}{more}", listed.join(", "))
}

fn capital(title: &str) -> String {
    let mut letters = title.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Each place once, with all that stands there: `number | null`, `"ok" | "failed"`, a `?` where it may be missing.
fn places(frame: &FrameShape) -> Vec<(String, String)> {
    let mut places: Vec<(String, String)> = Vec::new();
    for path in &frame.paths {
        let values = frame.enums.get(&path.path).filter(|_| word(&path.ty) == "string");
        let what = values.map_or_else(
            || word(&path.ty),
            |values| {
                values
                    .iter()
                    .map(|value| format!("\"{value}\""))
                    .collect::<Vec<_>>()
                    .join(" | ")
            },
        );
        let shown = if path.required {
            path.path.clone()
        } else {
            format!("{}?", path.path)
        };
        match places.last_mut() {
            Some((known, types)) if *known == shown => types.extend([" | ", &what]),
            _ => places.push((shown, what)),
        }
    }
    places
}

fn arrow(direction: FrameDirection) -> &'static str {
    match direction {
        FrameDirection::Output => "<-",
        FrameDirection::Input => "->",
    }
}

/// The word that records use.
fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// What people call a shape: the first digits of its name.
#[must_use]
pub fn short(shape: &Shape) -> String {
    shape.signature.chars().take("sha256:".len() + 12).collect()
}
