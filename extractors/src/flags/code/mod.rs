//! The languages that flags are declared in: how their expressions are lowered, and where their names lead.
//!
//! A new one is one module and one line in [`ALL`].

pub(crate) mod branches;
mod go;
pub(crate) mod javascript;
mod python;
mod rust;
pub(crate) mod scopes;

use std::collections::BTreeMap;

use tree_sitter::{Language, Node};

use super::expr::{Arg, Chain, Expr, Step};
use super::files::{File, Files};
use crate::syntax::line;

pub(crate) use go::GO;
pub(crate) use javascript::JAVASCRIPT;
pub(crate) use python::PYTHON;
pub(crate) use rust::RUST;

/// Expressions that nest deeper are told as their text.
const MAX_DEPTH: usize = 150;

/// What a chain stands behind its last step, and that step; no step where a node only wraps another.
pub(crate) type Peeled<'t> = Option<(Node<'t>, Option<Step>)>;

/// How one language is read.
pub(crate) struct Code {
    pub(crate) id: &'static str,
    /// Endings of its files.
    pub(crate) extensions: &'static [&'static str],
    /// The grammar for a path.
    pub(crate) grammar: fn(&str) -> Language,
    /// Takes the last step off a chain.
    pub(crate) peel: for<'t> fn(&File, Node<'t>, usize) -> Peeled<'t>,
    /// Lowers a node that is no chain.
    pub(crate) atom: fn(&File, Node<'_>, usize) -> Expr,
    /// The names of a file.
    pub(crate) bindings: fn(&File) -> Bindings,
    /// The paths that the module of an import may be, in order.
    pub(crate) locate: fn(&Files<'_>, &File, &str) -> Vec<String>,
}

impl Code {
    /// Whether a path has one of its endings.
    pub(crate) fn reads(&self, path: &str) -> bool {
        path.rsplit_once('.')
            .is_some_and(|(_, extension)| self.extensions.contains(&extension))
    }
}

/// What the names of a file stand for.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    /// Names of values. The outermost and first declaration of a name counts.
    pub(crate) values: BTreeMap<String, Expr>,
    /// Names from other modules.
    pub(crate) imports: BTreeMap<String, Import>,
    /// Modules whose names are all taken in.
    pub(crate) stars: Vec<String>,
}

/// A name from another module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) module: String,
    /// Its name there; `None` for the module itself.
    pub(crate) name: Option<String>,
}

impl Bindings {
    /// Keeps the first meaning of a name.
    pub(crate) fn bind(&mut self, name: &str, value: Expr) {
        self.values.entry(name.to_owned()).or_insert(value);
    }

    /// Keeps an import.
    pub(crate) fn import(&mut self, local: &str, module: &str, name: Option<&str>) {
        let import = Import {
            module: module.to_owned(),
            name: name.map(str::to_owned),
        };
        self.imports.entry(local.to_owned()).or_insert(import);
    }
}

/// The languages.
pub(crate) const ALL: &[&Code] = &[&JAVASCRIPT, &RUST, &GO, &PYTHON];

/// The language of a path.
pub(crate) fn of(path: &str) -> Option<&'static Code> {
    ALL.iter().copied().find(|code| code.reads(path))
}

/// A node as an expression. Chains are followed in a loop, so that a hundred calls in a row are no depth.
pub(crate) fn lower(file: &File, node: Node<'_>, depth: usize) -> Expr {
    if depth > MAX_DEPTH {
        return unknown(file, node);
    }
    let mut steps = Vec::new();
    let mut at = node;
    while let Some((inner, step)) = (file.code.peel)(file, at, depth + 1) {
        steps.extend(step);
        at = inner;
    }
    let base = (file.code.atom)(file, at, depth + 1);
    if steps.is_empty() {
        return base;
    }
    steps.reverse();
    Expr::Chain(Box::new(Chain { base, steps }))
}

/// What has no form of its own.
pub(crate) fn unknown(file: &File, node: Node<'_>) -> Expr {
    let text = file.text(node);
    let end = text.char_indices().nth(200).map_or(text.len(), |(end, _)| end);
    Expr::Unknown(text.get(..end).unwrap_or_default().to_owned())
}

/// Named children without comments.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.is_extra())
        .collect()
}

/// The nodes around one, outermost first. Down from the root, since a way up costs its depth at every step.
pub(crate) fn around<'t>(root: Node<'t>, node: Node<'t>) -> Vec<Node<'t>> {
    let mut all = vec![root];
    let mut at = root;
    while at.id() != node.id() {
        let Some(inner) = at.child_with_descendant(node) else {
            break;
        };
        at = inner;
        all.push(at);
    }
    all.retain(|outer| outer.id() != node.id());
    all
}

/// A call step, from the node of its arguments.
pub(crate) fn call(file: &File, arguments: Node<'_>, depth: usize) -> Step {
    let args = children(arguments)
        .into_iter()
        .map(
            |argument| match (argument.kind(), argument.child_by_field_name("value")) {
                ("keyword_argument", Some(value)) => Arg {
                    name: argument
                        .child_by_field_name("name")
                        .map(|name| file.text(name).to_owned()),
                    value: lower(file, value, depth),
                },
                _ => Arg {
                    name: None,
                    value: lower(file, argument, depth),
                },
            },
        )
        .collect();
    Step::Call(args, line(arguments))
}

/// The text of a string literal from its pieces: `fragments` are kinds of literal text, `escape_sequence` is decoded, and
/// anything else is lowered.
pub(crate) fn pieces(file: &File, node: Node<'_>, fragments: &[&str], depth: usize) -> Expr {
    let mut parts: Vec<Expr> = Vec::new();
    for child in children(node) {
        let text = match child.kind() {
            kind if fragments.contains(&kind) => with_escapes(file, child),
            "escape_sequence" => unescape(file.text(child)),
            "string_start" | "string_end" => continue,
            _ => {
                let inner = children(child).first().copied();
                parts.push(inner.map_or(Expr::Unknown(String::new()), |inner| lower(file, inner, depth)));
                continue;
            }
        };
        match parts.last_mut() {
            Some(Expr::Text(last)) => last.push_str(&text),
            _ => parts.push(Expr::Text(text)),
        }
    }
    match parts.len() {
        0 => Expr::Text(String::new()),
        1 if matches!(parts.first(), Some(Expr::Text(_))) => parts.remove(0),
        _ => Expr::Joined(parts),
    }
}

/// The text of a fragment that may hold escapes as children of its own.
fn with_escapes(file: &File, fragment: Node<'_>) -> String {
    let text = file.text(fragment);
    let mut decoded = String::new();
    let mut from = fragment.start_byte();
    for escape in children(fragment) {
        decoded.push_str(
            text.get(from - fragment.start_byte()..escape.start_byte() - fragment.start_byte())
                .unwrap_or(""),
        );
        decoded.push_str(&unescape(file.text(escape)));
        from = escape.end_byte();
    }
    decoded.push_str(text.get(from - fragment.start_byte()..).unwrap_or(""));
    decoded
}

/// One escape sequence of any of the languages. What is unknown stands for itself.
pub(crate) fn unescape(escape: &str) -> String {
    let hex = |digits: &str| {
        u32::from_str_radix(digits, 16)
            .ok()
            .and_then(char::from_u32)
            .map(String::from)
    };
    let Some(body) = escape.strip_prefix('\\') else {
        return escape.to_owned();
    };
    match body.chars().next() {
        Some('n') => "\n".to_owned(),
        Some('t') => "\t".to_owned(),
        Some('r') => "\r".to_owned(),
        Some('x' | 'u' | 'U') => {
            let digits = body.get(1..).unwrap_or_default().trim_matches(['{', '}']);
            hex(digits).unwrap_or_else(|| escape.to_owned())
        }
        // A line that goes on.
        Some('\n' | '\r') => String::new(),
        Some('0') if body.len() == 1 => "\0".to_owned(),
        _ => body.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        for (escape, expected) in [
            (r"\n", "\n"),
            (r"\\", r"\"),
            (r#"\""#, "\""),
            (r"\x41", "A"),
            (r"\u{e9}", "é"),
            (r"\u00e9", "é"),
            (r"\q", "q"),
        ] {
            assert_eq!(unescape(escape), expected, "{escape}");
        }
    }

    #[test]
    fn every_ending_belongs_to_one_language() {
        let mut endings: Vec<_> = ALL.iter().flat_map(|code| code.extensions).collect();
        let count = endings.len();
        endings.sort();
        endings.dedup();
        assert_eq!(endings.len(), count);
        assert!(of("a/b.tsx").is_some() && of("Makefile").is_none() && of("a.md").is_none());
    }
}
