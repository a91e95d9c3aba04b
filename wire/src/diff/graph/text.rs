//! A type in a few words, for `before` and `after`.

use super::{Form, Graph, NodeId};
use crate::model::Literal;

/// Longer texts are cut.
const LIMIT: usize = 160;
/// Members of objects below this are not spelled out, and nothing below twice of it is.
const MAX_DEPTH: usize = 3;
const DEPTH: usize = 2 * MAX_DEPTH;

/// `node` as a short TypeScript-like text.
pub(crate) fn text(graph: &Graph<'_>, node: NodeId) -> String {
    let mut out = String::new();
    write(graph, node, 0, &mut out);
    if out.chars().count() > LIMIT {
        out = out.chars().take(LIMIT).collect::<String>() + "…";
    }
    out
}

/// As [`text`], with `?` behind a member that may be absent.
pub(crate) fn field_text(graph: &Graph<'_>, node: NodeId, required: bool) -> String {
    let mut out = text(graph, node);
    if !required {
        if out.contains(" | ") {
            out = format!("({out})");
        }
        out.push('?');
    }
    out
}

/// The members of a type rather than its name.
pub(crate) fn spelled(graph: &Graph<'_>, root: NodeId) -> String {
    match graph.form(root) {
        Form::Object(object) => {
            let members: Vec<String> = object
                .fields
                .iter()
                .map(|(name, field)| {
                    format!(
                        "{name}{}: {}",
                        if field.required { "" } else { "?" },
                        text(graph, field.node)
                    )
                })
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        _ => text(graph, root),
    }
}

fn write(graph: &Graph<'_>, node: NodeId, depth: usize, out: &mut String) {
    let (target, null) = graph.resolved(node);
    if depth > DEPTH || out.len() > LIMIT * 2 {
        out.push('…');
        return;
    }
    // Unions are spelled out: what changed in them is among their arms.
    match (graph.decl_of(target), &graph.nodes[target].form) {
        (Some(decl), Form::Object(_) | Form::Map(_)) => out.push_str(&graph.decl(decl).name),
        (Some(decl), Form::Union(_)) if depth > 0 => out.push_str(&graph.decl(decl).name),
        (_, form) => write_form(graph, form, depth, out),
    }
    if null {
        out.push_str(" | null");
    }
}

fn write_form(graph: &Graph<'_>, form: &Form<'_>, depth: usize, out: &mut String) {
    match form {
        Form::Any | Form::Alias => out.push_str("any"),
        Form::Never => out.push_str("never"),
        Form::Null => out.push_str("null"),
        Form::Boolean => out.push_str("boolean"),
        Form::Number => out.push_str("number"),
        Form::String => out.push_str("string"),
        Form::Literal(Literal::String(value)) => {
            out.push('"');
            out.push_str(value);
            out.push('"');
        }
        Form::Literal(literal) => out.push_str(&literal.to_string()),
        Form::Unresolved(text) => out.push_str(text),
        Form::Array(item) => {
            let mut inner = String::new();
            write(graph, *item, depth + 1, &mut inner);
            if inner.contains(" | ") {
                inner = format!("({inner})");
            }
            out.push_str(&inner);
            out.push_str("[]");
        }
        Form::Map(value) => {
            out.push_str("map<");
            write(graph, *value, depth + 1, out);
            out.push('>');
        }
        Form::Tuple(items) => list(graph, items.iter().copied(), depth, ("[", ", ", "]"), out),
        Form::Union(union) => {
            list(
                graph,
                union.arms.iter().map(|arm| arm.node),
                depth,
                ("", " | ", ""),
                out,
            );
            if union.open {
                out.push_str(" | …");
            }
        }
        Form::Object(_) if depth >= MAX_DEPTH => out.push_str("{…}"),
        Form::Object(object) => {
            out.push('{');
            for (index, (name, field)) in object.fields.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                out.push_str(name);
                out.push_str(if field.required { ": " } else { "?: " });
                write(graph, field.node, depth + 1, out);
            }
            out.push('}');
        }
    }
}

fn list(
    graph: &Graph<'_>,
    items: impl Iterator<Item = NodeId>,
    depth: usize,
    (open, between, close): (&str, &str, &str),
    out: &mut String,
) {
    out.push_str(open);
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(between);
        }
        // Arms stay at the depth of their union, so that a union of named types is still shown by its names.
        write(graph, item, depth + 1, out);
    }
    out.push_str(close);
}
