//! The smallest frame that shows a change: only what must be there, and the way to the change.

use serde_json::{Map, Value};

use super::arms::literal_json;
use super::change::Seg;
use super::graph::{Form, Graph, NodeId};

/// Required members below this are left as `null`: a type that requires itself has no finite value.
const MAX_DEPTH: usize = 6;
/// Readers of JSON commonly refuse deeper frames.
const MAX_LEVELS: usize = 100;
/// A frame with more values than this is not shown.
const MAX_VALUES: usize = 400;

/// What stands at the end of the way.
#[derive(Clone, Copy)]
pub(super) enum Leaf<'a> {
    /// A value of this node.
    Node(NodeId),
    /// This value.
    Value(&'a Value),
    /// Nothing: the member is left out.
    Absent,
}

/// A step: through these segments to this node.
pub(super) type Step<'a> = (&'a [Seg], NodeId);

/// The frame that starts at `start` and goes through `steps` and `tail` to `leaf`; `None` when it would be too large.
pub(super) fn witness(
    graph: &Graph<'_>,
    start: NodeId,
    steps: &[Step<'_>],
    tail: &[Seg],
    leaf: Leaf<'_>,
) -> Option<Value> {
    let end = match leaf {
        Leaf::Node(node) => Some(node),
        Leaf::Value(_) | Leaf::Absent => None,
    };
    // Down the way first, noting what is passed; then the frame is put together from its end.
    let mut passed: Vec<(NodeId, &Seg)> = Vec::new();
    let mut at = start;
    let ways = steps
        .iter()
        .map(|(segs, to)| (*segs, Some(*to)))
        .chain(std::iter::once((tail, end)));
    for (segs, to) in ways {
        for (index, seg) in segs.iter().enumerate() {
            passed.push((at, seg));
            let known = if index + 1 == segs.len() { to } else { None };
            at = known.unwrap_or_else(|| below(graph, at, seg));
        }
    }
    if passed.len() > MAX_LEVELS {
        return None;
    }
    let mut frame = Frame { graph, values: 0 };
    let mut value = match leaf {
        Leaf::Node(node) => Some(frame.least(node, 0)),
        Leaf::Value(value) => Some(value.clone()),
        Leaf::Absent => None,
    };
    for (node, seg) in passed.into_iter().rev() {
        value = frame.around(node, seg, value);
    }
    (frame.values <= MAX_VALUES).then_some(value).flatten()
}

/// What stands behind a step, where the way does not say it.
fn below(graph: &Graph<'_>, node: NodeId, seg: &Seg) -> NodeId {
    match (seg, graph.form(node)) {
        (Seg::Field(name), Form::Object(object)) => object.fields.get(name.as_str()).map_or(node, |field| field.node),
        (Seg::Items, Form::Array(item)) => *item,
        (Seg::Index(index), Form::Tuple(items)) => items.get(*index).copied().unwrap_or(node),
        (Seg::Wild, Form::Map(value)) => *value,
        _ => node,
    }
}

struct Frame<'a, 'm> {
    graph: &'a Graph<'m>,
    values: usize,
}

impl Frame<'_, '_> {
    /// The value of `node` that holds `inner` behind the step `seg`.
    fn around(&mut self, node: NodeId, seg: &Seg, inner: Option<Value>) -> Option<Value> {
        match seg {
            Seg::Field(name) => {
                let mut object = match self.least(node, 1) {
                    Value::Object(object) => object,
                    _ => Map::new(),
                };
                match inner {
                    Some(value) => object.insert(name.clone(), value),
                    None => object.remove(name),
                };
                Some(Value::Object(object))
            }
            Seg::Items | Seg::Index(_) => Some(Value::Array(inner.into_iter().collect())),
            Seg::Wild => Some(Value::Object(Map::from_iter([("key".to_owned(), inner?)]))),
            // The value of an arm is a value of its union; an answer is a frame of its own.
            Seg::Arm { .. } | Seg::Result => inner,
        }
    }

    /// The least value of `node`.
    fn least(&mut self, node: NodeId, depth: usize) -> Value {
        self.values += 1;
        if depth > MAX_DEPTH || self.values > MAX_VALUES {
            return Value::Null;
        }
        match self.graph.form(node) {
            Form::Boolean => Value::from(false),
            Form::Number => Value::from(0),
            Form::String => Value::from("…"),
            Form::Literal(literal) => literal_json(literal),
            Form::Array(_) => Value::Array(Vec::new()),
            Form::Tuple(items) => Value::Array(
                items
                    .clone()
                    .into_iter()
                    .map(|item| self.least(item, depth + 1))
                    .collect(),
            ),
            Form::Map(_) => Value::Object(Map::new()),
            Form::Object(object) => {
                let required: Vec<(String, NodeId)> = object
                    .fields
                    .iter()
                    .filter(|(_, field)| field.required)
                    .map(|(name, field)| ((*name).to_owned(), field.node))
                    .collect();
                Value::Object(
                    required
                        .into_iter()
                        .map(|(name, node)| (name, self.least(node, depth + 1)))
                        .collect(),
                )
            }
            Form::Union(union) => {
                let first = union.arms.first().map(|arm| arm.node);
                first.map_or(Value::Null, |arm| self.least(arm, depth + 1))
            }
            Form::Any | Form::Never | Form::Null | Form::Unresolved(_) | Form::Alias => Value::Null,
        }
    }
}
