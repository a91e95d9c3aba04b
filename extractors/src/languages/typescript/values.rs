//! Constant expressions to the types of their values.
//!
//! Only what a protocol can be made of is read: literals, objects and lists of them, names, and zod schemas. `fixed`
//! says that the values stay as they are (`as const`, `Object.freeze`); otherwise the members of an object are as wide as
//! the compiler would make them.

use agent_contracts_wire::model::Literal;
use tree_sitter::Node;

use super::ast::{Element, Keyword, MAX_DEPTH, Member, MemberKind, Shape, Ty};
use super::docs::Docs;
use super::source::{Source, parts};
use super::zod_values::returned;

/// Tables of data larger than this are not read: no protocol stands in them.
const MAX_TABLE: usize = 256 * 1024;

impl Source<'_> {
    /// The type of the value of `node`.
    pub(super) fn value(&self, node: Node<'_>, fixed: bool, depth: u32) -> Ty {
        if depth >= MAX_DEPTH {
            return self.too_deep(node);
        }
        let depth = depth + 1;
        if self.is_schema(node) {
            return Ty::Schema(Box::new(self.schema(node, depth)));
        }
        let inner = |fixed| parts(node).first().map(|&child| self.value(child, fixed, depth));
        let read = match node.kind() {
            "string" | "template_string" | "number" | "true" | "false" | "unary_expression" => self
                .literal(node)
                .map(|literal| if fixed { Ty::Literal(literal) } else { widened(&literal) }),
            "null" => Some(Ty::Keyword(Keyword::Null)),
            "undefined" => Some(Ty::Keyword(Keyword::Undefined)),
            "parenthesized_expression" | "non_null_expression" | "satisfies_expression" => inner(fixed),
            "as_expression" => match parts(node).get(1) {
                None => inner(true),
                Some(&ty) if self.bytes(ty) == b"const" => inner(true),
                Some(&ty) => Some(self.ty(ty, depth)),
            },
            "identifier" if self.bytes(node) == b"undefined" => Some(Ty::Keyword(Keyword::Undefined)),
            "identifier" | "member_expression" => self.path(node).map(Ty::TypeOf),
            "object" if node.byte_range().len() <= MAX_TABLE => Some(Ty::Object(self.object(node, fixed, depth))),
            "array" if node.byte_range().len() <= MAX_TABLE => Some(self.array(node, fixed, depth)),
            "arrow_function" | "function_expression" | "generator_function" => {
                let schema = returned(node).filter(|&value| self.is_schema(value));
                Some(match schema.map(|value| self.value(value, false, depth)) {
                    Some(returns) => maker(self.parameters(node), returns),
                    None => Ty::Function(None),
                })
            }
            "call_expression" => match self.frozen(node) {
                Some(value) => Some(self.value(value, true, depth)),
                // It may make a schema; the linker knows.
                None if !self.zod.is_empty() => self.made(node, depth),
                None => None,
            },
            "binary_expression" => joined(node),
            _ => None,
        };
        read.unwrap_or_else(|| Ty::Unread(self.brief(node)))
    }

    /// The names of the parameters of a function.
    pub(super) fn parameters(&self, function: Node<'_>) -> Vec<String> {
        let list = function
            .child_by_field_name("parameters")
            .or_else(|| function.child_by_field_name("parameter"));
        let Some(list) = list else { return Vec::new() };
        let nodes = if list.kind() == "identifier" {
            vec![list]
        } else {
            parts(list)
        };
        nodes
            .into_iter()
            .map(|node| self.text(node.child_by_field_name("pattern").unwrap_or(node)))
            .collect()
    }

    /// What `Object.freeze(…)` is called on.
    fn frozen<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let callee = self.path(call.child_by_field_name("function")?)?;
        if callee != "Object.freeze" {
            return None;
        }
        parts(call.child_by_field_name("arguments")?).first().copied()
    }

    fn object(&self, node: Node<'_>, fixed: bool, depth: u32) -> Shape {
        let mut shape = Shape::default();
        let mut docs = Docs::new(self.text);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let Some(stability) = docs.next(child) else { continue };
            let kind = match child.kind() {
                "pair" => self.pair(child, fixed, depth),
                "shorthand_property_identifier" => {
                    let name = self.text(child);
                    Some(MemberKind::Field {
                        ty: Ty::TypeOf(name.clone()),
                        name,
                    })
                }
                "spread_element" => match parts(child).first().and_then(|&value| self.path(value)) {
                    Some(path) => {
                        shape.extends.push(Ty::TypeOf(path));
                        None
                    }
                    None => Some(MemberKind::Open),
                },
                _ => None,
            };
            if let Some(kind) = kind {
                shape.members.push(Member {
                    kind,
                    optional: false,
                    line: self.line(child),
                    stability,
                });
            }
        }
        shape
    }

    fn pair(&self, pair: Node<'_>, fixed: bool, depth: u32) -> Option<MemberKind> {
        let key = pair.child_by_field_name("key")?;
        let ty = self.value(pair.child_by_field_name("value")?, fixed, depth);
        if let Some(name) = self.member_name(key) {
            return Some(MemberKind::Field { name, ty });
        }
        // `[Events.Start]: …`.
        let key = Ty::TypeOf(self.path(*parts(key).first()?)?);
        Some(MemberKind::Index { key, value: ty })
    }

    fn array(&self, node: Node<'_>, fixed: bool, depth: u32) -> Ty {
        let items: Vec<Element> = parts(node)
            .into_iter()
            .map(|item| {
                let rest = item.kind() == "spread_element";
                let value = if rest {
                    parts(item).first().copied().unwrap_or(item)
                } else {
                    item
                };
                Element {
                    ty: self.value(value, fixed, depth),
                    optional: false,
                    rest,
                }
            })
            .collect();
        if fixed {
            return Ty::Tuple(items);
        }
        let mut types: Vec<Ty> = Vec::new();
        for item in items {
            let ty = if item.rest {
                Ty::Index(Box::new((item.ty, Ty::Keyword(Keyword::Number))))
            } else {
                item.ty
            };
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        Ty::Array(Box::new(Ty::union(types)))
    }
}

/// A function that returns a schema.
pub(super) fn maker(params: Vec<String>, returns: Ty) -> Ty {
    let returns = Box::new(returns);
    if params.is_empty() {
        Ty::Function(Some(returns))
    } else {
        Ty::Maker { params, returns }
    }
}

/// Strings that are added up are a string.
fn joined(node: Node<'_>) -> Option<Ty> {
    let left = node.child_by_field_name("left")?;
    let is_text = matches!(left.kind(), "string" | "template_string");
    is_text.then_some(Ty::Keyword(Keyword::String))
}

const fn widened(literal: &Literal) -> Ty {
    Ty::Keyword(match literal {
        Literal::String(_) => Keyword::String,
        Literal::Number(_) => Keyword::Number,
        Literal::Boolean(_) => Keyword::Boolean,
    })
}
