//! Declared types that came or went, and streams and tables that did so as a whole.

use std::collections::BTreeSet;

use serde_json::Value;

use super::direction::{self, Ways};
use super::graph::text::{spelled, text};
use super::graph::{DeclId, Form, Graph, NodeId};
use super::refs::Refs;
use super::roles::{Role, Roles};
use super::streams;
use super::tags;
use super::told::Told;
use super::witness::{Leaf, witness};
use crate::event::EventType;
use crate::finding::{Direction, ReachedBy};
use crate::model::{Evidence, Stability, WireModel};
use crate::rules::Facts;

/// One model with what was worked out about it.
pub(super) struct Side<'a, 'm> {
    pub(super) graph: &'a Graph<'m>,
    pub(super) refs: &'a Refs,
    pub(super) roles: &'a Roles<'a, 'm>,
    pub(super) ways: &'a [Ways],
    /// The wire types that are compared.
    pub(super) wire: Vec<DeclId>,
    /// Those of them that have a counterpart.
    pub(super) paired: BTreeSet<DeclId>,
    /// The wire forms that the other side has somewhere.
    pub(super) known_forms: BTreeSet<u64>,
    /// The tag values that unions of the other side have.
    pub(super) known_events: BTreeSet<String>,
    pub(super) classes: &'a [u64],
    pub(super) other: &'m WireModel,
    /// Names of the types in which a change is told.
    pub(super) changed: &'a BTreeSet<String>,
    /// Whether this is the old side.
    pub(super) old: bool,
}

/// Types of one side that the other lacks, and what could not be said of them.
pub(super) struct Unpaired {
    pub(super) told: Vec<Told>,
    pub(super) doubts: Vec<String>,
    /// Streams among them, which nothing else refers to, with their events.
    pub(super) streams: Vec<(DeclId, BTreeSet<String>)>,
}

pub(super) fn unpaired(side: &Side<'_, '_>) -> Unpaired {
    let mut doubts = Vec::new();
    let mut mine = Vec::new();
    let reached = side.refs.reach(side.paired.iter().copied());
    for id in &side.wire {
        let ty = side.graph.decl(*id);
        if side.paired.contains(id) {
            continue;
        }
        if let Some(why) = hidden(side.other, &ty.name, &ty.place.file) {
            doubts.push(format!("{} may stand in what could not be read: {why}", ty.name));
            continue;
        }
        let (target, _) = side.graph.resolved(side.graph.decls[*id].root);
        // Another name for a type that is compared, or told by itself.
        let known = |meant: DeclId| meant != *id && (reached.contains(&meant) || side.graph.decl(meant).in_scope);
        if side.graph.decl_of(target).is_some_and(known) {
            continue;
        }
        if !side.known_forms.contains(&side.classes[target]) {
            mine.push(*id);
        }
    }
    // What something with a counterpart leads to is told there; of the rest, the outermost are told.
    let loose: Vec<DeclId> = mine.iter().copied().filter(|id| !reached.contains(id)).collect();
    let outermost = side.refs.starts(&loose);
    let companions = companions(side, &mine, &outermost);
    let mut told = Vec::new();
    let mut streams = Vec::new();
    for id in mine {
        let outer = outermost.contains(&id);
        if !outer && !companions.contains(&id) {
            continue;
        }
        told.push(type_told(side, id, !outer));
        let root = side.graph.resolved(side.graph.decls[id].root).0;
        let role = side.roles.of(root);
        if outer
            && role > Role::Nested
            && Roles::says_so(&side.graph.decl(id).name)
            && matches!(side.graph.form(root), Form::Union(_))
        {
            let events = streams::events(side.graph, root);
            if role == Role::Stream {
                streams.push((id, events));
            }
            told.extend(arms_told(side, id, root, role));
        }
    }
    Unpaired { told, doubts, streams }
}

/// Those of `mine` that something leads to in which a change is told; the others are another spelling of what stood
/// there.
fn companions(side: &Side<'_, '_>, mine: &[DeclId], outermost: &BTreeSet<DeclId>) -> BTreeSet<DeclId> {
    let mine: BTreeSet<DeclId> = mine.iter().copied().collect();
    let changed = (0..side.graph.decls.len()).filter(|id| side.changed.contains(&side.graph.decl(*id).name));
    let mut todo: Vec<DeclId> = changed.chain(outermost.iter().copied()).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = todo.pop() {
        for next in &side.refs.of[id] {
            if mine.contains(next) && found.insert(*next) {
                todo.push(*next);
            }
        }
    }
    found
}

fn type_told(side: &Side<'_, '_>, id: DeclId, told: bool) -> Told {
    let ty = side.graph.decl(id);
    let root = side.graph.decls[id].root;
    let shown = Value::from(spelled(side.graph, root));
    let target = side.graph.resolved(root).0;
    Told {
        rule: if side.old { "type_removed" } else { "type_added" },
        type_name: Some(ty.name.clone()),
        direction: direction::direction(side.ways[target]),
        before: if side.old { shown.clone() } else { Value::Null },
        after: if side.old { Value::Null } else { shown },
        facts: Facts {
            told,
            ..Facts::default()
        },
        experimental: ty.stability == Stability::Experimental,
        weak: ty.evidence == Evidence::Literal,
        place: ty.place.clone(),
        witness: witness(side.graph, target, &[], &[], Leaf::Node(target)).filter(|_| !told),
        ..Told::default()
    }
}

/// The events or methods of a stream or table that the other side lacks as a whole.
fn arms_told(side: &Side<'_, '_>, id: DeclId, root: NodeId, role: Role) -> Vec<Told> {
    let Some(tag) = tags::of_one(side.graph, root) else {
        return Vec::new();
    };
    let ty = side.graph.decl(id);
    // A stream whose events are nearly all known under another name brings only the rest.
    let events = streams::events(side.graph, root);
    let known = events.intersection(&side.known_events).count();
    let umbrella = known * 4 >= events.len() * 3;
    let mut seen = BTreeSet::new();
    let mut told = Vec::new();
    for arm in side.graph.arms(root) {
        for value in tags::values(side.graph, arm.node, tag).into_iter().flatten() {
            if (umbrella && side.known_events.contains(value)) || !seen.insert(value) {
                continue;
            }
            let shown = Value::from(text(side.graph, arm.node));
            told.push(Told {
                rule: match (role, side.old) {
                    (Role::Stream, true) => "event_removed",
                    (Role::Stream, false) => "event_added",
                    (_, true) => "method_removed",
                    (_, false) => "method_added",
                },
                type_name: Some(ty.name.clone()),
                wire_name: Some(value.to_owned()),
                event_type: Some(EventType::of(value).to_string()),
                reached_by: Some(ReachedBy {
                    count: 1,
                    first: vec![(EventType::of(value).to_string(), String::new())],
                }),
                direction: direction::direction(side.ways[root]),
                before: if side.old { shown.clone() } else { Value::Null },
                after: if side.old { Value::Null } else { shown },
                facts: Facts {
                    fresh: true,
                    answer: role == Role::Answers,
                    ..Facts::default()
                },
                experimental: arm.experimental || ty.stability == Stability::Experimental,
                weak: ty.evidence == Evidence::Literal,
                place: crate::model::Place {
                    file: ty.place.file.clone(),
                    line: arm.line.max(ty.place.line),
                },
                witness: witness(side.graph, arm.node, &[], &[], Leaf::Node(arm.node)),
                ..Told::default()
            });
        }
    }
    told
}

/// Gone streams and new streams of another dialect, told once: the finding, and the names of the types it covers.
pub(super) fn another_format(
    old: &Side<'_, '_>,
    gone: &[(DeclId, BTreeSet<String>)],
    new: &Side<'_, '_>,
    added: &[(DeclId, BTreeSet<String>)],
) -> Option<Told> {
    let all = |streams: &[(DeclId, BTreeSet<String>)]| -> BTreeSet<String> {
        streams.iter().flat_map(|(_, events)| events.iter().cloned()).collect()
    };
    let (before, after) = (all(gone), all(added));
    let (last, _) = added.first()?;
    let ways = added.iter().fold(0, |ways, (id, _)| {
        ways | new.ways[new.graph.resolved(new.graph.decls[*id].root).0]
    }) | gone.iter().fold(0, |ways, (id, _)| {
        ways | old.ways[old.graph.resolved(old.graph.decls[*id].root).0]
    });
    let direction = direction::direction(ways);
    if direction == Direction::Input || !streams::is_another(&before, &after) {
        return None;
    }
    Some(Told {
        direction,
        ..streams::format_changed(new.graph.decl(*last), &before, &after)
    })
}

/// Why a declaration may stand in something that `model` could not read.
pub(super) fn hidden(model: &WireModel, name: &str, file: &str) -> Option<String> {
    model
        .degraded
        .iter()
        .find(|degraded| {
            degraded.hides.iter().any(|hidden| hidden == name)
                || (degraded.file == file && (degraded.lines.is_none() || degraded.hides.is_empty()))
        })
        .map(|degraded| format!("{}: {}", degraded.file, degraded.why))
}
