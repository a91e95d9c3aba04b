//! Which declared types refer to which, and which of them nothing refers to.

use std::collections::BTreeSet;

use super::graph::{DeclId, Form, Graph, NodeId};
use crate::model::Evidence;

/// The references of one model.
pub(super) struct Refs {
    /// What each declared type refers to, itself left out.
    pub(super) of: Vec<BTreeSet<DeclId>>,
    /// Wire types of the scope that no other such type refers to; where types only refer to each other in a circle, the
    /// first of them.
    pub(super) tops: BTreeSet<DeclId>,
}

impl Refs {
    pub(super) fn new(graph: &Graph<'_>) -> Self {
        let of: Vec<BTreeSet<DeclId>> = (0..graph.decls.len()).map(|id| below(graph, id)).collect();
        // Another name for a type of the scope leads to nothing that this type does not lead to.
        let another = |id: DeclId| {
            let meant = graph.decl_of(graph.decls[id].root);
            meant.is_some_and(|meant| meant != id && is_wire(graph, meant))
        };
        let wire: Vec<DeclId> = (0..graph.decls.len())
            .filter(|id| is_wire(graph, *id) && !another(*id))
            .collect();
        let tops = starts(&wire, &of);
        Self { of, tops }
    }

    /// Everything that `from` leads to, `from` included.
    pub(super) fn reach(&self, from: impl IntoIterator<Item = DeclId>) -> BTreeSet<DeclId> {
        reach(&self.of, from)
    }

    /// From where all of `among` can be reached.
    pub(super) fn starts(&self, among: &[DeclId]) -> BTreeSet<DeclId> {
        starts(among, &self.of)
    }
}

/// Declared in the scope, and no in-process API.
pub(super) fn is_wire(graph: &Graph<'_>, id: DeclId) -> bool {
    let ty = graph.decl(id);
    ty.in_scope && ty.evidence != Evidence::InProcess
}

fn reach(of: &[BTreeSet<DeclId>], from: impl IntoIterator<Item = DeclId>) -> BTreeSet<DeclId> {
    let mut reached = BTreeSet::new();
    let mut todo: Vec<DeclId> = from.into_iter().collect();
    while let Some(id) = todo.pop() {
        if reached.insert(id) {
            todo.extend(&of[id]);
        }
    }
    reached
}

fn starts(among: &[DeclId], of: &[BTreeSet<DeclId>]) -> BTreeSet<DeclId> {
    let referred: BTreeSet<DeclId> = among
        .iter()
        .flat_map(|id| of[*id].iter().copied().filter(move |to| to != id))
        .collect();
    let mut starts: BTreeSet<DeclId> = among.iter().copied().filter(|id| !referred.contains(id)).collect();
    let mut reached = reach(of, starts.iter().copied());
    for id in among {
        if !reached.contains(id) {
            starts.insert(*id);
            reached.extend(reach(of, [*id]));
        }
    }
    starts
}

/// What the declaration of `id` itself refers to.
fn below(graph: &Graph<'_>, id: DeclId) -> BTreeSet<DeclId> {
    let root = graph.decls[id].root;
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<NodeId> = BTreeSet::new();
    let mut todo = vec![graph.resolved(root).0];
    while let Some(node) = todo.pop() {
        if let Some(other) = graph.decl_of(node).filter(|other| *other != id) {
            found.insert(other);
            continue;
        }
        if !seen.insert(node) {
            continue;
        }
        match &graph.nodes[node].form {
            Form::Object(object) => found.extend(&object.parts),
            Form::Union(union) => found.extend(&union.components),
            _ => {}
        }
        todo.extend(graph.children(node).into_iter().map(|(child, _)| child));
    }
    found.remove(&id);
    found
}
