//! How two types relate that are not the same: is every value of one a value of the other?

use super::graph::classes::Classes;
use super::graph::{Form, Graph, NodeId};
use super::pairs::kind;
use crate::model::Literal;
use crate::rules::Fit;

const MAX_DEPTH: usize = 8;

/// A graph with the numbers of its nodes.
#[derive(Clone, Copy)]
struct Side<'a, 'm> {
    graph: &'a Graph<'m>,
    classes: &'a [u64],
}

/// How the type `new` relates to the type `old` that it takes the place of.
pub(super) fn fit(old: &Graph<'_>, old_node: NodeId, new: &Graph<'_>, new_node: NodeId, classes: &Classes) -> Fit {
    let (a, b) = (
        Side {
            graph: old,
            classes: &classes.old,
        },
        Side {
            graph: new,
            classes: &classes.new,
        },
    );
    if within(a, old_node, b, new_node, 0) {
        Fit::Widened
    } else if within(b, new_node, a, old_node, 0) {
        if says_nothing(old, old_node) {
            Fit::SpelledOut
        } else {
            Fit::Narrowed
        }
    } else {
        Fit::Apart
    }
}

/// Types that were written down without their values: anything, any string, and lists and maps of them.
fn says_nothing(graph: &Graph<'_>, node: NodeId) -> bool {
    let mut at = node;
    for _ in 0..MAX_DEPTH {
        match graph.form(at) {
            Form::Any | Form::String => return true,
            Form::Array(item) | Form::Map(item) => at = *item,
            _ => return false,
        }
    }
    false
}

/// Whether every value of `x` is surely a value of `y`.
fn within(a: Side<'_, '_>, x: NodeId, b: Side<'_, '_>, y: NodeId, depth: usize) -> bool {
    let ((x, x_null), (y, y_null)) = (a.graph.resolved(x), b.graph.resolved(y));
    let (from, to) = (&a.graph.nodes[x].form, &b.graph.nodes[y].form);
    if *to == Form::Any {
        return true;
    }
    if *from == Form::Null {
        return y_null || *to == Form::Null;
    }
    if x_null && !y_null {
        return false;
    }
    if a.classes[x] == b.classes[y] {
        return true;
    }
    if depth > MAX_DEPTH {
        return false;
    }
    let below = |x: NodeId, y: NodeId| within(a, x, b, y, depth + 1);
    match (from, to) {
        (Form::Union(union), _) => !union.open && union.arms.iter().all(|arm| below(arm.node, y)),
        (_, Form::Union(union)) => union.arms.iter().any(|arm| below(x, arm.node)),
        (Form::Never, _)
        | (Form::Literal(Literal::String(_)), Form::String)
        | (Form::Literal(Literal::Number(_)), Form::Number)
        | (Form::Literal(Literal::Boolean(_)), Form::Boolean) => true,
        (Form::Array(item), Form::Array(other)) | (Form::Map(item), Form::Map(other)) => below(*item, *other),
        (Form::Tuple(items), Form::Array(other)) => items.iter().all(|item| below(*item, *other)),
        (Form::Tuple(items), Form::Tuple(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| below(*item, *other))
        }
        (Form::Object(object), Form::Map(value)) => object.fields.values().all(|field| below(field.node, *value)),
        (Form::Object(object), Form::Object(other)) => other.fields.iter().all(|(name, wanted)| {
            object.fields.get(name).map_or(!wanted.required, |field| {
                (field.required || !wanted.required) && below(field.node, wanted.node)
            })
        }),
        _ => false,
    }
}

/// Whether both are of one JSON kind, so that a change between them can be told in detail.
pub(super) fn same_kind(a: &Form<'_>, b: &Form<'_>) -> bool {
    kind(a) == kind(b)
}
