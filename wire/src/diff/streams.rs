//! The names of the events that a union carries.

use std::collections::BTreeSet;

use serde_json::Value;

use super::graph::{Form, Graph, NodeId};
use super::names;
use super::tags;
use super::told::Told;
use crate::model::TypeDecl;

/// A stream with fewer events than this is told event by event.
const LEAST_EVENTS: usize = 3;

/// The events of a union: its tag values, or the declared names of its arms where there is no tag.
pub(super) fn events(graph: &Graph<'_>, node: NodeId) -> BTreeSet<String> {
    let arms = graph.arms(node);
    match tags::of_one(graph, node) {
        Some(tag) => tags::all_values(graph, &arms, tag)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        None => arms
            .iter()
            .filter(|arm| matches!(graph.form(arm.node), Form::Object(_)))
            .filter_map(|arm| {
                let declared = graph.decl_of(arm.node).map(|decl| graph.decl(decl).name.as_str());
                tags::only_key(graph, arm.node)
                    .map(|(key, _)| key)
                    .or(declared)
                    .or(arm.name)
                    .map(str::to_owned)
            })
            .collect(),
    }
}

/// The events of all declared unions of a model.
pub(super) fn all_events(graph: &Graph<'_>) -> BTreeSet<String> {
    let unions = graph.decls.iter().map(|decl| graph.resolved(decl.root).0);
    unions
        .filter(|node| matches!(graph.nodes[*node].form, Form::Union(_)))
        .flat_map(|node| events(graph, node))
        .collect()
}

/// Whether fewer than a fifth of the events survive.
pub(super) fn is_another(before: &BTreeSet<String>, after: &BTreeSet<String>) -> bool {
    // Another spelling of the same names is no other dialect.
    let bare: BTreeSet<String> = after.iter().map(|event| names::bare(event)).collect();
    let survive = before.iter().filter(|event| bare.contains(&names::bare(event))).count();
    before.len() >= LEAST_EVENTS && after.len() > 1 && survive * 5 < before.len()
}

/// The one finding for all of them.
pub(super) fn format_changed(ty: &TypeDecl, before: &BTreeSet<String>, after: &BTreeSet<String>) -> Told {
    let list = |events: &BTreeSet<String>| Value::from(events.iter().cloned().collect::<Vec<_>>());
    Told {
        rule: "output_format_changed",
        type_name: Some(ty.name.clone()),
        wire_name: Some(ty.name.clone()),
        before: list(before),
        after: list(after),
        place: ty.place.clone(),
        ..Told::default()
    }
}
