//! What is still read when the grammar finds errors.
//!
//! An error node may spread over good neighbours. So the text around errors is cut where a line starts a declaration, and
//! every cut is read by itself; only those that hold the error are lost, and named.

use std::borrow::Cow;
use std::collections::BTreeSet;

use agent_contracts_wire::model::Stability;
use tree_sitter::Node;

use super::ast::{Facts, Gap};
use super::blind_spots::Readable;
use super::docs::Docs;
use super::parse::{is_statement, read};
use super::source::{Source, newlines, row};

/// How many cuts of a file are read by themselves; a file with more errors than that is no source code.
const MAX_GAPS: usize = 500;

/// Words that start a declaration at the start of a line.
const STARTERS: [&str; 15] = [
    "export",
    "import",
    "declare",
    "interface",
    "type",
    "enum",
    "const",
    "let",
    "var",
    "class",
    "abstract",
    "function",
    "async",
    "namespace",
    "module",
];

/// Reads a file whose tree has errors: good statements as they are, the stretches between them cut by cut.
pub(super) fn file(source: &Source<'_>, root: Node<'_>, facts: &mut Facts) {
    let mut broken: Option<usize> = None;
    for statement in judged(source, root) {
        if !statement.good {
            broken = broken.or(Some(statement.node.start_byte()));
            continue;
        }
        if let Some(start) = broken.take() {
            let end = statement.node.start_byte();
            stretch(source, start, end - comments_before(&source.text[start..end]), facts);
        }
        source.statement(statement.node, "", statement.stability, facts);
    }
    if let Some(start) = broken {
        stretch(source, start, source.text.len(), facts);
    }
}

/// A child of a root with errors.
struct Judged<'t> {
    node: Node<'t>,
    stability: Stability,
    /// A whole statement without an error, and no error touches it.
    good: bool,
}

/// The children of a root but comments. What shares a line with an error is not trusted: it may be half of a declaration.
fn judged<'t>(source: &Source<'_>, root: Node<'t>) -> Vec<Judged<'t>> {
    let mut docs = Docs::new(source.text);
    let mut children: Vec<Judged<'t>> = Vec::new();
    let mut cursor = root.walk();
    for node in root.children(&mut cursor) {
        let stability = docs.next(node).unwrap_or_default();
        if node.kind() != "comment" {
            children.push(Judged {
                node,
                stability,
                good: is_statement(node) && !node.has_error(),
            });
        }
    }
    let touches = |a: &Judged<'_>, b: &Judged<'_>| a.node.end_position().row == b.node.start_position().row;
    let bad: Vec<bool> = children.iter().map(|child| !child.good).collect();
    for index in 0..children.len() {
        let before = index > 0 && bad[index - 1] && touches(&children[index - 1], &children[index]);
        let behind = bad.get(index + 1) == Some(&true) && touches(&children[index], &children[index + 1]);
        if before || behind {
            children[index].good = false;
        }
    }
    children
}

/// Reads the bytes from `start` to `end`, cut by cut.
fn stretch(source: &Source<'_>, start: usize, end: usize, facts: &mut Facts) {
    // The comments before the first broken node belong to it.
    let start = start - comments_before(&source.text[..start]);
    let text = &source.text[start..end];
    let mut line = source.line_base + newlines(&source.text[..start]);
    let mut cuts = cuts(text);
    cuts.push(text.len());
    let mut from = 0;
    for cut in cuts {
        if facts.gaps.len() >= MAX_GAPS {
            facts.gaps.push(Gap {
                lines: Some((line + 1, line + newlines(&text[from..]) + 1)),
                why: "too many syntax errors before it".to_owned(),
                hides: guess_names(&text[from..]),
            });
            return;
        }
        let piece = &text[from..cut];
        if !piece.trim_ascii().is_empty() {
            let import_types = source
                .import_types
                .range(start + from..start + cut)
                .map(|(at, module)| (at - start - from, module.clone()))
                .collect();
            let piece = Readable {
                text: Cow::Borrowed(piece),
                import_types,
            };
            read(&piece, line, source.zod, facts, false);
        }
        line += newlines(piece);
        from = cut;
    }
}

/// Where declarations start, by the lines that start with such a word. Comments and decorators right above go with it.
fn cuts(text: &[u8]) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut at = 0;
    let mut above: Option<usize> = None;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if starts_declaration(line) {
            cuts.push(above.take().unwrap_or(at));
        } else if is_comment(line) {
            above = above.or(Some(at));
        } else {
            above = None;
        }
        at += line.len();
    }
    cuts.retain(|&cut| cut > 0);
    cuts
}

fn starts_declaration(line: &[u8]) -> bool {
    let word: Vec<u8> = line.iter().copied().take_while(u8::is_ascii_alphanumeric).collect();
    let behind = line.get(word.len()).copied().unwrap_or(b'\n');
    STARTERS.iter().any(|starter| starter.as_bytes() == word) && (behind.is_ascii_whitespace() || behind == b'{')
}

fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"/*") || line.starts_with(b"*") || line.starts_with(b"//") || line.starts_with(b"@")
}

/// How many bytes at the end of `text` are lines of comments.
fn comments_before(text: &[u8]) -> usize {
    let mut length = 0;
    for line in text
        .rsplitn(200, |&byte| byte == b'\n')
        .skip(usize::from(text.ends_with(b"\n")))
    {
        if !is_comment(line) {
            break;
        }
        length += line.len() + 1;
    }
    length.min(text.len())
}

/// Reads one cut that still has errors: its good statements, and a gap for the rest.
pub(super) fn piece(source: &Source<'_>, root: Node<'_>, facts: &mut Facts) {
    let read_before = facts.decls.len();
    let mut lost: Option<(Node<'_>, Node<'_>)> = None;
    for statement in judged(source, root) {
        if statement.good {
            source.statement(statement.node, "", statement.stability, facts);
        } else {
            lost = Some((lost.map_or(statement.node, |(first, _)| first), statement.node));
        }
    }
    // The root itself may be the error.
    let (first, last) = lost.unwrap_or((root, root));
    let text = source.text.get(first.start_byte()..last.end_byte()).unwrap_or_default();
    let mut hides = guess_names(text);
    hides.retain(|name| !facts.decls[read_before..].iter().any(|decl| decl.name == *name));
    facts.gaps.push(Gap {
        lines: Some((source.line(first), source.line_base + row(last.end_position().row) + 1)),
        why: "syntax error".to_owned(),
        hides,
    });
}

/// Names that are probably declared in a text that cannot be parsed, in order.
pub(super) fn guess_names(text: &[u8]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        if line.starts_with(|c: char| c.is_whitespace() || c == '*' || c == '/') {
            continue;
        }
        let mut words = line
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            let declares = matches!(word, "interface" | "type" | "enum" | "const" | "class" | "namespace");
            if declares {
                match words.next() {
                    Some("enum") => names.extend(words.next().map(str::to_owned)),
                    name => names.extend(name.map(str::to_owned)),
                }
                break;
            }
            if !matches!(word, "export" | "declare" | "default" | "abstract") {
                break;
            }
        }
    }
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_guessed_from_the_starts_of_lines() {
        let text = b"export type A = {\n  type B = 1\n}\ndeclare const enum C {}\nexport abstract class D\nfoo type E";
        assert_eq!(guess_names(text), ["A", "C", "D"]);
    }

    #[test]
    fn a_cut_takes_the_comments_above_it_along() {
        let text = b"type A = 1\n\n/** doc\n * more */\nexport type B = 2\n// lost\n\ntype C = 3\n";
        let pieces: Vec<&[u8]> = cuts(text).into_iter().map(|at| &text[at..at + 7]).collect();
        assert_eq!(pieces, [b"/** doc".as_slice(), b"type C "]);
    }
}
