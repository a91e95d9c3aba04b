//! Types that spell out JSON itself: anything, in more words.

use std::collections::BTreeSet;

use super::{ANY, Form, Graph, NodeId};

/// Turns every union of all JSON kinds, whose lists and maps hold that same union again, into `any`.
pub(super) fn fold(graph: &mut Graph<'_>) {
    let found: BTreeSet<NodeId> = (0..graph.nodes.len())
        .filter(|id| graph.nodes[*id].target == *id && spells_json(graph, *id))
        .collect();
    if found.is_empty() {
        return;
    }
    for node in &mut graph.nodes {
        // `any` holds `null` by itself.
        node.null &= !found.contains(&node.target);
    }
    for id in found {
        graph.nodes[id].form = Form::Any;
    }
}

/// Whether `null` is among them is not asked: who writes such a type down means any value.
fn spells_json(graph: &Graph<'_>, union: NodeId) -> bool {
    let Form::Union(form) = &graph.nodes[union].form else {
        return false;
    };
    let again = |node: NodeId| {
        let target = graph.nodes[node].target;
        target == union || target == ANY || graph.nodes[target].form == Form::Any
    };
    let mut kinds = BTreeSet::new();
    for arm in &form.arms {
        kinds.insert(match &graph.nodes[arm.node].form {
            Form::String => "string",
            Form::Number => "number",
            Form::Boolean => "boolean",
            Form::Array(item) if again(*item) => "array",
            Form::Map(value) if again(*value) => "object",
            Form::Object(object) if object.fields.is_empty() && object.open => "object",
            _ => return false,
        });
    }
    kinds.len() == 5
}
