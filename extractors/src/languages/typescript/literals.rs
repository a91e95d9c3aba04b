//! Event literals in code: `emit({ type: "x" })`, `process.stdout.write(JSON.stringify({ type: "x" }))`.

use std::collections::BTreeSet;

use agent_contracts_wire::model::{Literal, Object, Type};
use tree_sitter::Node;

use super::source::{Source, parts};
use crate::literals::{EventLiteral, MAX_DEPTH, candidates, field, inner, sends};

impl Source<'_> {
    /// The literals of a file.
    pub(super) fn event_literals(&self, root: Node<'_>) -> Vec<EventLiteral> {
        let Ok(text) = std::str::from_utf8(self.text) else {
            return Vec::new();
        };
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for at in candidates(text) {
            let object = root
                .descendant_for_byte_range(at, at)
                .and_then(|key| match key.parent() {
                    // In quotes the key has one node more.
                    Some(string) if string.kind() == "string" => string.parent(),
                    parent => parent,
                })
                .filter(|pair| pair.kind() == "pair")
                .and_then(|pair| pair.parent());
            if let Some(object) = object
                && seen.insert(object.id())
                && self.is_sent(object)
            {
                found.extend(EventLiteral::of(self.sent_object(object, 0), self.line(object)));
            }
        }
        found
    }

    /// Whether an object is handed to a serialiser, or to a function whose name says that it sends.
    fn is_sent(&self, object: Node<'_>) -> bool {
        let mut node = object;
        while let Some(parent) = node.parent() {
            match parent.kind() {
                "parenthesized_expression" | "as_expression" | "satisfies_expression" => node = parent,
                "arguments" => {
                    let callee = parent.parent().and_then(|call| call.child_by_field_name("function"));
                    let path = callee.map(|callee| self.text(callee)).unwrap_or_default();
                    let name = path.rsplit('.').next().unwrap_or_default();
                    // The body of a request to somebody else is no frame of ours.
                    let is_body = || {
                        let pair = parent.parent().and_then(|call| call.parent());
                        let key = pair.and_then(|pair| pair.child_by_field_name("key"));
                        key.is_some_and(|key| self.bytes(key) == b"body")
                    };
                    return sends(name) || path == "JSON.stringify" && !is_body();
                }
                _ => return false,
            }
        }
        false
    }

    fn sent_object(&self, node: Node<'_>, depth: usize) -> Object {
        let mut object = Object::default();
        for part in parts(node) {
            match part.kind() {
                "pair" => {
                    let key = part.child_by_field_name("key").and_then(|key| self.member_name(key));
                    let (Some(key), Some(value)) = (key, part.child_by_field_name("value")) else {
                        object.open = true;
                        continue;
                    };
                    let field = field(&key, self.sent_value(value, depth), depth);
                    object.fields.insert(key, field);
                }
                "shorthand_property_identifier" => {
                    let key = self.text(part);
                    let field = field(&key, Type::Any, depth);
                    object.fields.insert(key, field);
                }
                "method_definition" => {}
                _ => object.open = true,
            }
        }
        object
    }

    fn sent_value(&self, node: Node<'_>, depth: usize) -> Type {
        match node.kind() {
            "as_expression" | "satisfies_expression" | "parenthesized_expression" if depth < MAX_DEPTH => parts(node)
                .first()
                .map_or(Type::Any, |&value| self.sent_value(value, depth + 1)),
            "object" if depth < MAX_DEPTH => inner(self.sent_object(node, depth + 1)),
            "array" => Type::Array(Box::new(Type::Any)),
            "null" => Type::Null,
            "template_string" if self.string(node).is_none() => Type::String,
            _ => match self.literal(node) {
                Some(text @ Literal::String(_)) => Type::Literal(text),
                Some(Literal::Number(_)) => Type::Number,
                Some(Literal::Boolean(_)) => Type::Boolean,
                None => Type::Any,
            },
        }
    }
}
