//! Two shapes, compared: what is different, under the rules of the scan, and what it comes to.

pub mod evidence;
mod model;

use std::collections::BTreeSet;

use agent_contracts_wire::diff::Diff;
use agent_contracts_wire::{DiffOptions, Finding, Severity, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::profile::EventPattern;
use crate::shape::{FrameDirection, Shape, ShapeError};

/// What a comparison comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The same signature.
    SameShape,
    /// Another shape that readers of the old one can take.
    CompatibleNewShape,
    /// Another shape of the same version under the same probe.
    ServerVariant,
    /// A reader of the old one fails or loses data: a breaking finding, or something that must be seen is gone.
    ParserIncompatible,
    /// One side could not be sanitised; nothing is said of it.
    RedactionFailed,
}

impl Class {
    /// As records write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::SameShape => "same_shape",
            Self::CompatibleNewShape => "compatible_new_shape",
            Self::ServerVariant => "server_variant",
            Self::ParserIncompatible => "parser_incompatible",
            Self::RedactionFailed => "redaction_failed",
        }
    }
}

/// What must be seen in a run: a meaning, and the events that carry it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meaning {
    /// As in `assistant_text`.
    pub name: String,
    /// Any of them will do.
    pub events: Vec<EventPattern>,
}

/// What is known of two shapes beside themselves.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// Both were seen with one version under one probe.
    pub same_version: bool,
    /// Meanings of which none may be lost.
    pub must_see: Vec<Meaning>,
}

/// A comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What it comes to.
    pub class: Class,
    /// The differences, worst first.
    pub diff: Diff,
    /// Meanings that the old shape carries and the new one does not.
    pub missing: Vec<String>,
}

/// Compares two shapes of one family.
///
/// # Errors
/// When a shape names a family that is not known.
pub fn compare(old: &Shape, new: &Shape, circumstances: &Circumstances) -> Result<Comparison, ShapeError> {
    let (old_place, new_place) = (old.place()?, new.place()?);
    let (old_order, new_order) = (common(old, new), common(new, old));
    let before = model::model(old, &old_place, &old_order);
    let after = model::model(new, &new_place, &new_order);
    let options = DiffOptions {
        roots: vec![model::OUTPUT.to_owned(), model::INPUT.to_owned()],
        ..DiffOptions::default()
    };
    let mut diff = agent_contracts_wire::diff(&before, &after, &options);
    // Each event is a type here, and is told as an event; a run in which the host said nothing has no input at all.
    diff.findings
        .retain(|finding| !matches!(finding.rule.as_str(), "type_added" | "type_removed") && !names_itself(finding));
    diff.doubts.clear();
    diff.moves.clear();
    diff.findings.iter_mut().for_each(shown);
    let worst = diff.findings.iter().map(|finding| finding.severity).max();
    diff.verdict = if worst.is_some_and(|worst| worst > Severity::None) {
        Verdict::Changes
    } else {
        Verdict::NoProtocolChange
    };
    let missing: Vec<String> = circumstances
        .must_see
        .iter()
        .filter(|meaning| carries(old, meaning) && !carries(new, meaning))
        .map(|meaning| meaning.name.clone())
        .collect();
    let class = if old.signature == new.signature {
        Class::SameShape
    } else if circumstances.same_version {
        Class::ServerVariant
    } else if worst == Some(Severity::Breaking) || !missing.is_empty() {
        Class::ParserIncompatible
    } else {
        Class::CompatibleNewShape
    };
    Ok(Comparison { class, diff, missing })
}

/// The events of `shape` that `other` has too, in the order of `shape`.
fn common<'a>(shape: &'a Shape, other: &Shape) -> Vec<&'a str> {
    let key = |frame: &crate::shape::FrameShape| (frame.direction, frame.event_type.clone());
    let theirs: BTreeSet<_> = other.frame_shapes.iter().map(key).collect();
    shape
        .frame_shapes
        .iter()
        .filter(|frame| theirs.contains(&key(frame)))
        .map(|frame| frame.event_type.as_str())
        .collect()
}

fn carries(shape: &Shape, meaning: &Meaning) -> bool {
    let said = shape
        .frame_shapes
        .iter()
        .filter(|frame| frame.direction == FrameDirection::Output);
    said.into_iter().any(|frame| {
        meaning
            .events
            .iter()
            .any(|pattern| pattern.matches_text(&frame.event_type))
    })
}

/// A change of a tag that is part of the event's name is told as a change of the event.
fn names_itself(finding: &Finding) -> bool {
    let value = |value: &Value| value.as_str().map(str::to_owned);
    let (Some(event), Some(path)) = (&finding.event_type, &finding.path) else {
        return false;
    };
    let last = path.rsplit('.').next().unwrap_or(path);
    finding.rule.starts_with("enum_value_")
        && (agent_contracts_wire::event::TAGS.contains(&last) || last == agent_contracts_wire::event::SUBTYPE)
        && value(&finding.after).is_some_and(|after| event.contains(&after))
}

/// Takes out what is only there for the comparison.
fn shown(finding: &mut Finding) {
    if let Some(Value::Object(witness)) = &mut finding.witness {
        witness.remove(model::FRAME);
    }
    for side in [&mut finding.before, &mut finding.after] {
        if let Value::Array(events) = side {
            events.retain(|event| event != model::SILENCE);
        }
    }
    let any = |path: &mut String| *path = path.replace("[\"*\"]", ".*");
    finding.path.iter_mut().for_each(any);
    if let Some(reached) = &mut finding.reached_by {
        reached.first.iter_mut().for_each(|(_, path)| any(path));
    }
}
