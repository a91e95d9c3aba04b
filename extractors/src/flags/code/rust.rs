//! Rust expressions. The names of Rust are paths and its declarations are types, so that modules are followed by the
//! reader of clap derives itself.

use tree_sitter::{Language, Node};

use super::{Bindings, Code, Peeled, call, children, lower, pieces, unescape, unknown};
use crate::flags::expr::{Expr, Step};
use crate::flags::files::{File, Files};

/// The language.
pub(crate) const RUST: Code = Code {
    id: "rust",
    extensions: &["rs"],
    grammar,
    peel,
    atom,
    bindings,
    locate,
};

fn grammar(_: &str) -> Language {
    tree_sitter_rust::LANGUAGE.into()
}

fn peel<'t>(file: &File, node: Node<'t>, depth: usize) -> Peeled<'t> {
    let field = |name| node.child_by_field_name(name);
    match node.kind() {
        "call_expression" => Some((field("function")?, Some(call(file, field("arguments")?, depth)))),
        "field_expression" => Some((
            field("value")?,
            Some(Step::Member(file.text(field("field")?).to_owned())),
        )),
        "index_expression" => {
            let parts = children(node);
            Some((
                *parts.first()?,
                Some(Step::Index(vec![lower(file, *parts.get(1)?, depth)])),
            ))
        }
        "generic_function" => Some((field("function")?, None)),
        "reference_expression" => Some((field("value")?, None)),
        "parenthesized_expression" | "try_expression" | "await_expression" | "type_cast_expression" => {
            Some((*children(node).first()?, None))
        }
        _ => None,
    }
}

fn atom(file: &File, node: Node<'_>, depth: usize) -> Expr {
    match node.kind() {
        "string_literal" | "raw_string_literal" => pieces(file, node, &["string_content"], depth),
        "char_literal" => {
            let text = file.text(node);
            let inner = text
                .strip_prefix('\'')
                .and_then(|text| text.strip_suffix('\''))
                .unwrap_or(text);
            Expr::Text(if inner.len() > 1 {
                unescape(inner)
            } else {
                inner.to_owned()
            })
        }
        "integer_literal" | "float_literal" => Expr::Number(file.text(node).replace('_', "")),
        "negative_literal" | "unary_expression" => match children(node).first() {
            Some(value) if value.kind().ends_with("_literal") => Expr::Number(file.text(node).to_owned()),
            _ => unknown(file, node),
        },
        "boolean_literal" => Expr::Bool(file.text(node) == "true"),
        "identifier"
        | "scoped_identifier"
        | "self"
        | "type_identifier"
        | "scoped_type_identifier"
        | "field_identifier" => Expr::Name(file.text(node).split_whitespace().collect()),
        "array_expression" | "tuple_expression" => Expr::List(
            children(node)
                .into_iter()
                .map(|item| lower(file, item, depth))
                .collect(),
        ),
        "closure_expression" | "function_item" => Expr::Function(node.byte_range()),
        "macro_invocation" => {
            let name = node.child_by_field_name("macro").map_or("", |name| file.text(name));
            let body = children(node).into_iter().find(|child| child.kind() == "token_tree");
            let body = body.map_or("", |body| file.text(body));
            Expr::Typed(format!("{name}!"), Box::new(Expr::Text(body.to_owned())))
        }
        _ => unknown(file, node),
    }
}

fn bindings(file: &File) -> Bindings {
    let mut names = Bindings::default();
    for node in file.nodes(
        file.root(),
        &["const_item", "static_item", "let_declaration", "function_item"],
    ) {
        let name = node
            .child_by_field_name("name")
            .or_else(|| node.child_by_field_name("pattern"));
        let Some(name) = name.filter(|name| name.kind() == "identifier") else {
            continue;
        };
        let value = if node.kind() == "function_item" {
            Some(Expr::Function(node.byte_range()))
        } else {
            node.child_by_field_name("value").map(|value| file.lower(value))
        };
        if let Some(value) = value {
            names.bind(file.text(name), value);
        }
    }
    names
}

fn locate(_: &Files<'_>, _: &File, _: &str) -> Vec<String> {
    Vec::new()
}
