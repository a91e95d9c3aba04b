//! One piece of text under the grammar, and the few questions that every reader of its nodes asks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::Literal;
use tree_sitter::Node;

/// A file, or a piece of one.
pub(super) struct Source<'a> {
    pub(super) text: &'a [u8],
    /// How many lines of the file stand before the piece.
    pub(super) line_base: u32,
    /// The modules of import types whose `import("…").` was blanked, by the byte that the name behind it starts at.
    pub(super) import_types: &'a BTreeMap<usize, String>,
    /// Local names of the zod library.
    pub(super) zod: &'a BTreeSet<String>,
    /// Something nests deeper than we follow, first at this line.
    pub(super) too_deep: Cell<Option<u32>>,
}

impl Source<'_> {
    pub(super) fn line(&self, node: Node<'_>) -> u32 {
        self.line_base + row(node.start_position().row) + 1
    }

    pub(super) fn text(&self, node: Node<'_>) -> String {
        String::from_utf8_lossy(self.text.get(node.byte_range()).unwrap_or_default()).into_owned()
    }

    pub(super) fn bytes(&self, node: Node<'_>) -> &[u8] {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of a node in one line, shortened.
    pub(super) fn brief(&self, node: Node<'_>) -> String {
        shorten(&self.text(node))
    }

    /// A dotted name without the blanks and comments that may stand in it; `None` when it is no plain path.
    pub(super) fn path(&self, node: Node<'_>) -> Option<String> {
        let mut parts = Vec::new();
        let mut node = node;
        loop {
            match node.kind() {
                "member_expression" | "nested_identifier" => {
                    // In `typeof a.b.c` the grammar gives the fields of `a.b` to the whole too.
                    let mut cursor = node.walk();
                    let property = node.children_by_field_name("property", &mut cursor).last()?;
                    parts.push(self.text(property));
                    node = node.child_by_field_name("object")?;
                }
                "nested_type_identifier" => {
                    parts.push(self.text(node.child_by_field_name("name")?));
                    node = node.child_by_field_name("module")?;
                }
                "identifier" | "type_identifier" | "property_identifier" => {
                    parts.push(self.text(node));
                    break;
                }
                "non_null_expression" | "parenthesized_expression" => node = node.named_child(0)?,
                _ => return None,
            }
            if parts.len() > 16 {
                return None;
            }
        }
        parts.reverse();
        Some(parts.join("."))
    }

    /// The value of a string literal, or of a template without substitutions.
    pub(super) fn string(&self, node: Node<'_>) -> Option<String> {
        if !matches!(node.kind(), "string" | "template_string" | "template_literal_type") {
            return None;
        }
        let mut value = String::new();
        let mut cursor = node.walk();
        for part in node.named_children(&mut cursor) {
            match part.kind() {
                "string_fragment" => value.push_str(&self.text(part)),
                "escape_sequence" => value.push_str(&unescape(&self.text(part))),
                "comment" => {}
                _ => return None,
            }
        }
        Some(value)
    }

    /// The value of a literal expression or type.
    pub(super) fn literal(&self, node: Node<'_>) -> Option<Literal> {
        match node.kind() {
            "string" | "template_string" => self.string(node).map(Literal::String),
            "number" => number(&self.text(node)).map(Literal::Number),
            "true" => Some(Literal::Boolean(true)),
            "false" => Some(Literal::Boolean(false)),
            "unary_expression" => {
                let value = number(&self.text(node.child_by_field_name("argument")?))?;
                match self.text(node.child_by_field_name("operator")?).as_str() {
                    "-" if value != "0" => Some(Literal::Number(format!("-{value}"))),
                    "-" | "+" => Some(Literal::Number(value)),
                    "~" => value
                        .parse::<i32>()
                        .ok()
                        .map(|value| Literal::Number((!value).to_string())),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Notes that `node` nests too deep.
    pub(super) fn give_up(&self, node: Node<'_>) {
        if self.too_deep.get().is_none() {
            self.too_deep.set(Some(self.line(node)));
        }
    }
}

/// The named children that are no comments.
pub(super) fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .collect()
}

/// Whether a token stands among the direct children.
pub(super) fn has_token(node: Node<'_>, token: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == token)
}

/// How many lines end in `text`.
pub(super) fn newlines(text: &[u8]) -> u32 {
    row(text.split(|&byte| byte == b'\n').count() - 1)
}

pub(super) fn row(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

/// One line of at most 80 characters.
pub(super) fn shorten(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > 80 {
            let cut = (0..=77).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
            line.truncate(cut);
            line.push('…');
            break;
        }
    }
    line
}

/// A number as its shortest text.
fn number(text: &str) -> Option<String> {
    let text = text.replace('_', "").to_ascii_lowercase();
    let text = text.strip_suffix('n').unwrap_or(&text);
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)];
    for (prefix, radix) in radix {
        if let Some(digits) = text.strip_prefix(prefix) {
            return u128::from_str_radix(digits, radix).ok().map(|value| value.to_string());
        }
    }
    if let Ok(value) = text.parse::<u128>() {
        return Some(value.to_string());
    }
    text.parse::<f64>().ok().map(|value| value.to_string())
}

fn unescape(sequence: &str) -> String {
    let body = sequence.strip_prefix('\\').unwrap_or(sequence);
    let code = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    let simple = match body {
        "n" => Some('\n'),
        "t" => Some('\t'),
        "r" => Some('\r'),
        "b" => Some('\u{8}'),
        "f" => Some('\u{c}'),
        "v" => Some('\u{b}'),
        "0" => Some('\0'),
        _ => match body.strip_prefix(['u', 'x']) {
            Some(digits) => code(digits.trim_matches(['{', '}'])),
            None => None,
        },
    };
    match simple {
        Some(char) => char.to_string(),
        None if body.starts_with(['\n', '\r']) => String::new(),
        None => body.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_escapes_have_one_spelling() {
        for (text, expected) in [
            ("1_000", "1000"),
            ("0x10", "16"),
            ("1.0", "1"),
            ("3n", "3"),
            ("1.50", "1.5"),
        ] {
            assert_eq!(number(text).as_deref(), Some(expected), "{text}");
        }
        for (text, expected) in [
            ("\\n", "\n"),
            ("\\u0041", "A"),
            ("\\u{1F600}", "😀"),
            ("\\'", "'"),
            ("\\x41", "A"),
        ] {
            assert_eq!(unescape(text), expected, "{text}");
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let text = shorten(&"ä".repeat(200));
        assert!(text.len() <= 81 && text.ends_with('…'), "{text}");
        assert_eq!(shorten("a\n   b"), "a b");
    }
}
