//! The attributes of one declaration, as `key`, `key = value` and `key(value)`.

use tree_sitter::Node;

use crate::flags::code::{RUST, children};
use crate::flags::expr::Expr;
use crate::flags::files::File;

/// The attributes that clap reads, and its predecessors.
const CLAP: [&str; 7] = ["arg", "clap", "command", "value", "group", "structopt", "option"];

/// One entry of an attribute.
#[derive(Debug, Clone)]
pub(super) struct Attr {
    pub(super) key: String,
    /// What stands behind `=` or in parentheses, as written.
    pub(super) text: String,
    pub(super) value: Option<Expr>,
}

/// What is written above a declaration.
#[derive(Debug, Clone, Default)]
pub(super) struct Attrs {
    entries: Vec<Attr>,
    /// Last words of what is derived.
    pub(super) derives: Vec<String>,
    /// Documentation comments, joined by blanks.
    pub(super) docs: String,
}

impl Attrs {
    /// Reads what stands right before `node`.
    pub(super) fn above(file: &File, node: Node<'_>) -> Self {
        let mut nodes = Vec::new();
        let mut at = node;
        while let Some(before) = at.prev_sibling() {
            match before.kind() {
                "attribute_item" => nodes.push(before),
                "line_comment" | "block_comment" => {
                    // A comment behind the declaration before belongs to that one.
                    let own_line = before
                        .prev_sibling()
                        .is_none_or(|earlier| earlier.end_position().row < before.start_position().row);
                    if own_line {
                        nodes.push(before);
                    }
                }
                "visibility_modifier" => {}
                _ => break,
            }
            at = before;
        }
        let mut attrs = Self::default();
        for node in nodes.into_iter().rev() {
            if node.kind() == "attribute_item" {
                attrs.read(file, node, 0);
            } else if let Some(text) = doc(file.text(node)) {
                attrs.docs.push(' ');
                attrs.docs.push_str(text);
            }
        }
        attrs
    }

    fn read(&mut self, file: &File, item: Node<'_>, depth: usize) {
        let Some(attribute) = children(item).into_iter().find(|child| child.kind() == "attribute") else {
            return;
        };
        let Some(path) = children(attribute).first().map(|path| file.text(*path)) else {
            return;
        };
        let name = path.rsplit("::").next().unwrap_or(path);
        if name == "doc" {
            if let Some(value) = attribute.child_by_field_name("value") {
                self.docs.push(' ');
                self.docs.push_str(file.lower(value).text().unwrap_or_default());
            }
            return;
        }
        let Some(arguments) = attribute.child_by_field_name("arguments") else {
            return;
        };
        let parts = parts(file, arguments);
        match name {
            "derive" => {
                let last = |part: &&str| part.rsplit("::").next().unwrap_or(part).trim().to_owned();
                self.derives.extend(parts.iter().map(|part| last(&part.as_str())));
            }
            // The condition, then attributes.
            "cfg_attr" if depth < 4 => {
                for part in parts.iter().skip(1) {
                    let text = format!("#[{part}]\nstruct X;");
                    if let Some(inner) = File::parse("a.rs", &RUST, text.as_bytes())
                        && let Some(item) = inner.nodes(inner.root(), &["attribute_item"]).first()
                    {
                        self.read(&inner, *item, depth + 1);
                    }
                }
            }
            name if CLAP.contains(&name) => self.entries.extend(parts.iter().map(|part| entry(part))),
            _ => {}
        }
    }

    /// The last entry of that key.
    pub(super) fn get(&self, key: &str) -> Option<&Attr> {
        self.entries.iter().rev().find(|entry| entry.key == key)
    }

    /// Every entry of one of these keys.
    pub(super) fn all<'a>(&'a self, keys: &'a [&str]) -> impl Iterator<Item = &'a Attr> {
        self.entries.iter().filter(|entry| keys.contains(&entry.key.as_str()))
    }

    /// Whether the key is there, and not `= false`.
    pub(super) fn is(&self, key: &str) -> bool {
        self.get(key)
            .is_some_and(|entry| entry.value.as_ref().and_then(Expr::bool) != Some(false))
    }
}

/// The text of a documentation comment.
fn doc(comment: &str) -> Option<&str> {
    let text = comment.trim();
    text.strip_prefix("///")
        .filter(|text| !text.starts_with('/'))
        .or_else(|| text.strip_prefix("/**")?.strip_suffix("*/"))
        .map(str::trim)
}

/// The parts between the commas of a token tree. Comments are left out.
fn parts(file: &File, tree: Node<'_>) -> Vec<String> {
    let mut cursor = tree.walk();
    let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
    let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    let mut open = false;
    let mut end = 0;
    for token in inner {
        if token.kind().ends_with("comment") {
            continue;
        }
        if token.kind() == "," {
            open = false;
            continue;
        }
        let text = file.text(*token);
        match parts.last_mut() {
            Some(last) if open => {
                if token.start_byte() > end {
                    last.push(' ');
                }
                last.push_str(text);
            }
            _ => parts.push(text.to_owned()),
        }
        open = true;
        end = token.end_byte();
    }
    parts
}

fn entry(part: &str) -> Attr {
    let end = part
        .find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .unwrap_or(part.len());
    let (key, rest) = part.split_at(end);
    let rest = rest.trim();
    let text = match rest.strip_prefix('=') {
        Some(text) => text.trim(),
        None => rest
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'))
            .unwrap_or_default()
            .trim(),
    };
    Attr {
        key: key.to_owned(),
        text: text.to_owned(),
        value: if text.is_empty() { None } else { expression(text) },
    }
}

/// A text as an expression.
pub(super) fn expression(text: &str) -> Option<Expr> {
    let file = File::parse("a.rs", &RUST, format!("const X: T = {text};").as_bytes())?;
    let item = *file.nodes(file.root(), &["const_item"]).first()?;
    Some(file.lower(item.child_by_field_name("value")?))
}
