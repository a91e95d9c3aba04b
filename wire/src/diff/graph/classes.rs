//! Which nodes of two graphs have the same wire form, however they are spelled and whatever they are called.
//!
//! Each node gets a number from what it says and the numbers of what it is made of. Where types refer to each other in
//! a circle the numbers are refined in rounds until no two nodes fall apart any more, which is the coarsest way to tell
//! infinite trees apart. Equal numbers mean equal wire forms; the comparison never looks below them.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::{Form, Graph, NodeId};

/// Rounds times nodes. Beyond, types that fall apart only deeper than that count as equal.
const WORK_BUDGET: usize = 40_000_000;

/// The number of each node of both graphs. Only those of targets mean something.
pub(crate) struct Classes {
    pub(crate) old: Vec<u64>,
    pub(crate) new: Vec<u64>,
}

pub(crate) fn classes(old: &Graph<'_>, new: &Graph<'_>) -> Classes {
    let split = old.nodes.len();
    let graphs = [(old, 0), (new, split)];
    let total = split + new.nodes.len();
    let mut numbers = vec![0_u64; total];
    let mut waiting = vec![0_usize; total];
    let mut users: Vec<Vec<NodeId>> = vec![Vec::new(); total];
    let mut ready = Vec::new();
    for (graph, offset) in graphs {
        for (index, node) in graph.nodes.iter().enumerate() {
            if node.target != index {
                continue;
            }
            let children: BTreeSet<NodeId> = graph.children(index).into_iter().map(|(child, _)| child).collect();
            waiting[index + offset] = children.len();
            if children.is_empty() {
                ready.push(index + offset);
            }
            for child in children {
                users[child + offset].push(index + offset);
            }
        }
    }
    let number = |id: NodeId, numbers: &[u64]| {
        if id < split {
            hash(old, id, numbers, 0)
        } else {
            hash(new, id - split, numbers, split)
        }
    };
    let mut settled = vec![false; total];
    while let Some(id) = ready.pop() {
        numbers[id] = number(id, &numbers);
        settled[id] = true;
        for user in &users[id] {
            waiting[*user] -= 1;
            if waiting[*user] == 0 {
                ready.push(*user);
            }
        }
    }
    let circular: Vec<NodeId> = (0..total)
        .filter(|id| {
            !settled[*id]
                && if *id < split {
                    old.nodes[*id].target == *id
                } else {
                    new.nodes[*id - split].target == *id - split
                }
        })
        .collect();
    refine(&circular, &mut numbers, number);
    for (graph, offset) in graphs {
        for index in 0..graph.nodes.len() {
            numbers[index + offset] = through(graph, index, &numbers, offset);
        }
    }
    let rest = numbers.split_off(split);
    Classes {
        old: numbers,
        new: rest,
    }
}

fn refine(circular: &[NodeId], numbers: &mut [u64], number: impl Fn(NodeId, &[u64]) -> u64) {
    let mut known = [0, 0];
    let rounds = WORK_BUDGET.checked_div(circular.len()).unwrap_or(0).max(1);
    for _ in 0..rounds {
        let next: Vec<u64> = circular.iter().map(|id| number(*id, numbers)).collect();
        let distinct = next.iter().collect::<BTreeSet<_>>().len();
        for (id, value) in circular.iter().zip(next) {
            numbers[*id] = value;
        }
        // Two rounds, since a union may become one of its arms or cease to be in a round that splits nothing else.
        if known == [distinct, distinct] {
            return;
        }
        known = [known[1], distinct];
    }
}

/// The number that a node is known by: a union whose arms all have one number is that one arm.
fn through(graph: &Graph<'_>, node: NodeId, numbers: &[u64], offset: usize) -> u64 {
    if let Form::Union(union) = &graph.nodes[node].form
        && let Some((first, rest)) = union.arms.split_first()
        && !union.open
        && union.arms.iter().all(|arm| arm.result.is_none())
    {
        let number = numbers[first.node + offset];
        if rest.iter().all(|arm| numbers[arm.node + offset] == number) {
            return number;
        }
    }
    numbers[node + offset]
}

/// The number of a node from those of its children, which start at `offset`.
fn hash(graph: &Graph<'_>, id: NodeId, numbers: &[u64], offset: usize) -> u64 {
    let mut state = DefaultHasher::new();
    let child = |node: NodeId| {
        let (target, null) = graph.resolved(node);
        (through(graph, target, numbers, offset), null)
    };
    match &graph.nodes[id].form {
        Form::Any => 0.hash(&mut state),
        Form::Never => 1.hash(&mut state),
        Form::Null => 2.hash(&mut state),
        Form::Boolean => 3.hash(&mut state),
        Form::Number => 4.hash(&mut state),
        Form::String => 5.hash(&mut state),
        Form::Literal(literal) => (6, literal).hash(&mut state),
        Form::Array(item) => (7, child(*item)).hash(&mut state),
        Form::Tuple(items) => (8, items.iter().map(|item| child(*item)).collect::<Vec<_>>()).hash(&mut state),
        Form::Map(value) => (9, child(*value)).hash(&mut state),
        Form::Object(object) => {
            10.hash(&mut state);
            object.holes.hash(&mut state);
            for (name, field) in &object.fields {
                (name, field.required, field.defaulted, child(field.node)).hash(&mut state);
            }
        }
        Form::Union(union) => {
            let arms: BTreeSet<_> = union
                .arms
                .iter()
                .map(|arm| (child(arm.node), arm.result.map(child)))
                .collect();
            (11, arms).hash(&mut state);
        }
        Form::Unresolved(text) => (12, text).hash(&mut state),
        Form::Alias => 13.hash(&mut state),
    }
    state.finish()
}
