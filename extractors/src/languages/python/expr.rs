//! Expressions out of the syntax tree.

use tree_sitter::Node;

use super::facts::Expr;
use super::read::LANGUAGE;
use crate::syntax::{Source, children, fields};

/// How deep expressions may nest.
const MAX_DEPTH: usize = 60;

/// An expression in the place of a type: a string is a name that is declared later.
pub(super) fn annotation(source: &Source<'_>, node: Node<'_>) -> Expr {
    forward(expression(source, node, 0), 0)
}

/// Reads the strings of a type expression as types, but not those of `Literal` and of metadata.
fn forward(expr: Expr, depth: usize) -> Expr {
    if depth > MAX_DEPTH {
        return Expr::Other(String::new());
    }
    match expr {
        Expr::Text(text) => {
            let line = format!("_: ({text})\n");
            let Ok(source) = Source::parse(&LANGUAGE, line.as_bytes()) else {
                return Expr::Other(text);
            };
            let mut found = None;
            crate::syntax::walk(source.tree.root_node(), &mut |node| {
                if node.kind() == "assignment" && found.is_none() {
                    found = node.child_by_field_name("type").map(|ty| expression(&source, ty, 0));
                }
                found.is_none()
            });
            match found {
                Some(Expr::Text(_)) | None => Expr::Other(text),
                Some(expr) => forward(expr, depth + 1),
            }
        }
        Expr::Subscript(base, arguments) => {
            let name = base.last_name().unwrap_or_default().to_owned();
            let arguments = arguments.into_iter().enumerate().map(|(at, argument)| {
                if name == "Literal" || name == "Annotated" && at > 0 {
                    argument
                } else {
                    forward(argument, depth + 1)
                }
            });
            let arguments = arguments.collect();
            Expr::Subscript(base, arguments)
        }
        Expr::Union(all) => Expr::Union(all.into_iter().map(|inner| forward(inner, depth + 1)).collect()),
        Expr::List(all) => Expr::List(all.into_iter().map(|inner| forward(inner, depth + 1)).collect()),
        other => other,
    }
}

/// Any expression.
pub(super) fn expression(source: &Source<'_>, node: Node<'_>, depth: usize) -> Expr {
    let other = || Expr::Other(source.of(node).chars().take(60).collect());
    if depth > MAX_DEPTH || node.is_error() {
        return other();
    }
    let inner = |node: Node<'_>| expression(source, node, depth + 1);
    match node.kind() {
        "identifier" => match source.of(node) {
            "None" => Expr::None,
            name => Expr::Name(name.to_owned()),
        },
        "dotted_name" => Expr::Name(source.of(node).to_owned()),
        "attribute" | "member_type" => dotted(source, node).map_or_else(other, Expr::Name),
        "none" => Expr::None,
        "true" => Expr::Boolean(true),
        "false" => Expr::Boolean(false),
        "ellipsis" => Expr::Ellipsis,
        "integer" | "float" => Expr::Number(number(source.of(node))),
        "unary_operator" => match (
            source.field(node, "operator"),
            node.child_by_field_name("argument").map(inner),
        ) {
            (Some("-"), Some(Expr::Number(text))) => Expr::Number(format!("-{text}")),
            (Some("+"), Some(number @ Expr::Number(_))) => number,
            _ => other(),
        },
        "string" => string(source, node),
        "concatenated_string" => {
            let parts = children(node).into_iter().map(|part| match string(source, part) {
                Expr::Text(text) => Some(text),
                _ => None,
            });
            parts.collect::<Option<String>>().map_or_else(other, Expr::Text)
        }
        "type" | "parenthesized_expression" | "expression_statement" => match children(node)[..] {
            [only] => inner(only),
            _ => other(),
        },
        "generic_type" => match children(node)[..] {
            [base, arguments] => {
                let arguments = children(arguments).into_iter().map(inner).collect();
                Expr::Subscript(Box::new(inner(base)), arguments)
            }
            _ => other(),
        },
        "subscript" => {
            let Some(base) = node.child_by_field_name("value") else {
                return other();
            };
            let mut arguments = vec![];
            for argument in fields(node, "subscript").into_iter().filter(Node::is_named) {
                // `X[(a, b)]` is `X[a, b]`.
                match inner(argument) {
                    Expr::List(all) if argument.kind() == "tuple" => arguments.extend(all),
                    one => arguments.push(one),
                }
            }
            Expr::Subscript(Box::new(inner(base)), arguments)
        }
        "union_type" => flat(operands(source, node).into_iter().map(inner).collect()),
        "binary_operator" if source.field(node, "operator") == Some("|") => {
            flat(operands(source, node).into_iter().map(inner).collect())
        }
        "call" => {
            let Some(name) = node
                .child_by_field_name("function")
                .and_then(|function| match inner(function) {
                    Expr::Subscript(base, _) => base.base_name().map(str::to_owned),
                    Expr::Name(name) => Some(name),
                    _ => None,
                })
            else {
                return other();
            };
            let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
            let arguments = arguments.into_iter().map(|argument| {
                if argument.kind() == "keyword_argument" {
                    let name = source.field(argument, "name").map(str::to_owned);
                    let value = argument.child_by_field_name("value").map_or(Expr::None, inner);
                    (name, value)
                } else {
                    (None, inner(argument))
                }
            });
            Expr::Call(name, arguments.collect())
        }
        "list" | "tuple" | "set" | "expression_list" => Expr::List(children(node).into_iter().map(inner).collect()),
        "dictionary" => Expr::Dict(
            children(node)
                .into_iter()
                .filter(|pair| pair.kind() == "pair")
                .filter_map(|pair| {
                    let key = inner(pair.child_by_field_name("key")?);
                    Some((key, inner(pair.child_by_field_name("value")?)))
                })
                .collect(),
        ),
        _ => other(),
    }
}

/// The operands of `a | b | c`, however the tree nests them. A loop, since generated unions have hundreds.
fn operands<'t>(source: &Source<'_>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut found = vec![];
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        match node.kind() {
            "binary_operator" if source.field(node, "operator") == Some("|") => {
                open.extend(node.child_by_field_name("right"));
                open.extend(node.child_by_field_name("left"));
            }
            "union_type" => open.extend(children(node).into_iter().rev()),
            "type" | "parenthesized_expression" if node.named_child_count() == 1 => open.extend(node.named_child(0)),
            _ => found.push(node),
        }
    }
    found
}

/// A union inside a union is one union.
fn flat(sides: Vec<Expr>) -> Expr {
    let mut all = vec![];
    for side in sides {
        match side {
            Expr::Union(inner) => all.extend(inner),
            one => all.push(one),
        }
    }
    Expr::Union(all)
}

/// `a.b.c` of an attribute, when it is made of names alone.
fn dotted(source: &Source<'_>, node: Node<'_>) -> Option<String> {
    let text: String = source.of(node).chars().filter(|c| !c.is_whitespace()).collect();
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    text.split('.').all(is_name).then_some(text)
}

/// A number in its shortest form.
fn number(text: &str) -> String {
    let plain = text.replace('_', "");
    let radix = match plain.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => return plain.strip_suffix(".0").unwrap_or(&plain).to_owned(),
    };
    i64::from_str_radix(&plain[2..], radix).map_or(plain, |number| number.to_string())
}

/// The content of a string literal; an f-string is none.
fn string(source: &Source<'_>, node: Node<'_>) -> Expr {
    let mut text = String::new();
    let mut raw = false;
    for part in children(node) {
        match part.kind() {
            "string_start" => raw = source.of(part).to_ascii_lowercase().contains('r'),
            "string_content" => text.push_str(source.of(part)),
            "interpolation" => return Expr::Other(source.of(node).chars().take(60).collect()),
            _ => {}
        }
    }
    if raw || !text.contains('\\') {
        return Expr::Text(text);
    }
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('\n') | None) => {}
            ('\\', Some(next)) => out.push(next),
            (c, _) => out.push(c),
        }
    }
    Expr::Text(out)
}
