//! Event literals in code: `json.dumps({"type": "x"})`, `yield {"type": "x"}`, `self._send({"method": "x"})`.

use std::collections::BTreeSet;

use agent_contracts_wire::Type;
use agent_contracts_wire::model::Object;
use tree_sitter::Node;

use super::expr::expression;
use super::facts::Expr;
use crate::literals::{EventLiteral, MAX_DEPTH, candidates, field, inner, sends};
use crate::syntax::{Source, children, line};

/// The literals of a file.
pub(super) fn find(source: &Source<'_>) -> Vec<EventLiteral> {
    let root = source.tree.root_node();
    let mut seen = BTreeSet::new();
    let mut found = vec![];
    for at in candidates(&source.text) {
        let mut node = root.descendant_for_byte_range(at, at);
        while let Some(inner) = node.filter(|node| node.kind().starts_with("string")) {
            node = inner.parent();
        }
        let dictionary = node.filter(|pair| pair.kind() == "pair").and_then(|pair| pair.parent());
        if let Some(dictionary) = dictionary
            && dictionary.kind() == "dictionary"
            && seen.insert(dictionary.id())
            && is_sent(source, dictionary)
        {
            found.extend(EventLiteral::of(object(source, dictionary, 0), line(dictionary)));
        }
    }
    found
}

/// Whether a dict is handed to a serialiser, to a function whose name says that it sends, or out of a generator.
fn is_sent(source: &Source<'_>, dictionary: Node<'_>) -> bool {
    let Some(parent) = dictionary.parent() else {
        return false;
    };
    match parent.kind() {
        "yield" => true,
        "argument_list" => {
            let function = parent
                .parent()
                .and_then(|call| source.field(call, "function"))
                .unwrap_or_default();
            let name = function.rsplit('.').next().unwrap_or(function);
            sends(name) || ["dumps", "dump"].contains(&name)
        }
        _ => false,
    }
}

fn object(source: &Source<'_>, dictionary: Node<'_>, depth: usize) -> Object {
    let mut object = Object::default();
    for pair in children(dictionary) {
        let key = pair
            .child_by_field_name("key")
            .filter(|_| pair.kind() == "pair")
            .map(|key| expression(source, key, 0));
        let (Some(Expr::Text(key)), Some(value)) = (key, pair.child_by_field_name("value")) else {
            object.open = true;
            continue;
        };
        let field = field(&key, self::value(source, value, depth), depth);
        object.fields.insert(key, field);
    }
    object
}

fn value(source: &Source<'_>, node: Node<'_>, depth: usize) -> Type {
    match node.kind() {
        "string" => match expression(source, node, 0) {
            Expr::Text(text) => Type::literal(text),
            _ => Type::String,
        },
        "integer" | "float" => Type::Number,
        "true" | "false" => Type::Boolean,
        "none" => Type::Null,
        "dictionary" if depth < MAX_DEPTH => inner(object(source, node, depth + 1)),
        "list" | "tuple" => Type::Array(Box::new(Type::Any)),
        _ => Type::Any,
    }
}
