//! Event literals in code: `json.Marshal(map[string]any{"type": "x"})`, `s.send(map[string]any{"method": "x"})`.

use std::collections::BTreeSet;

use agent_contracts_wire::Type;
use agent_contracts_wire::model::Object;
use tree_sitter::Node;

use super::read::literal;
use crate::literals::{EventLiteral, MAX_DEPTH, candidates, field, inner, sends};
use crate::syntax::{Source, children, line};

/// What writes a value as JSON.
const SERIALISERS: [&str; 3] = ["Marshal", "MarshalIndent", "Encode"];

/// The literals of a file.
pub(super) fn find(source: &Source<'_>) -> Vec<EventLiteral> {
    let root = source.tree.root_node();
    let mut seen = BTreeSet::new();
    let mut found = vec![];
    for at in candidates(&source.text) {
        let mut node = root.descendant_for_byte_range(at, at);
        while let Some(inner) = node.filter(|node| node.kind() != "keyed_element" && node.kind() != "literal_value") {
            node = inner.parent();
        }
        let map = node
            .filter(|element| element.kind() == "keyed_element")
            .and_then(|element| element.parent()?.parent());
        if let Some(map) = map
            && is_map(source, map)
            && seen.insert(map.id())
            && is_sent(source, map)
        {
            found.extend(EventLiteral::of(object(source, map, 0), line(map)));
        }
    }
    found
}

/// Whether a literal is a `map[string]any`.
fn is_map(source: &Source<'_>, node: Node<'_>) -> bool {
    node.kind() == "composite_literal"
        && source
            .field(node, "type")
            .is_some_and(|ty| ["map[string]any", "map[string]interface{}"].contains(&ty))
}

/// Whether a map is handed to a serialiser, or to a function whose name says that it sends.
fn is_sent(source: &Source<'_>, map: Node<'_>) -> bool {
    let call = map
        .parent()
        .filter(|parent| parent.kind() == "argument_list")
        .and_then(|arguments| arguments.parent());
    let function = call.and_then(|call| source.field(call, "function")).unwrap_or_default();
    let name = function.rsplit('.').next().unwrap_or(function);
    SERIALISERS.contains(&name) || sends(name)
}

fn object(source: &Source<'_>, map: Node<'_>, depth: usize) -> Object {
    let mut object = Object::default();
    let elements = map.child_by_field_name("body").map(children).unwrap_or_default();
    for element in elements {
        let parts = children(element);
        let [key, value] = parts.as_slice() else {
            object.open = true;
            continue;
        };
        match text(source, *key) {
            Some(key) => {
                let field = field(&key, self::value(source, *value, depth), depth);
                object.fields.insert(key, field);
            }
            None => object.open = true,
        }
    }
    object
}

/// The text of a string literal, which may stand in an element of its own.
fn text(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    match node.kind() {
        "literal_element" => text(source, *children(node).first()?),
        "interpreted_string_literal" | "raw_string_literal" => Some(literal(source.of(node))),
        _ => None,
    }
}

fn value(source: &Source<'_>, node: Node<'_>, depth: usize) -> Type {
    match node.kind() {
        "literal_element" => children(node)
            .first()
            .map_or(Type::Any, |&only| value(source, only, depth)),
        "interpreted_string_literal" | "raw_string_literal" => Type::literal(literal(source.of(node))),
        "int_literal" | "float_literal" => Type::Number,
        "true" | "false" => Type::Boolean,
        "nil" => Type::Null,
        "composite_literal" if is_map(source, node) && depth < MAX_DEPTH => inner(object(source, node, depth + 1)),
        "composite_literal" if source.field(node, "type").is_some_and(|ty| ty.starts_with("[]")) => {
            Type::Array(Box::new(Type::Any))
        }
        _ => Type::Any,
    }
}
