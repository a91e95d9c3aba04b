//! One file to its [`Facts`]: text, budgets and the grammar. What the statements say is read in `statements`.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::ast::{Facts, Gap};
use super::blind_spots::{self, Readable};
use super::recover;
use super::source::{Source, newlines};
use super::zod;

/// Larger files are not read. The largest published declaration file that we know has 2 MB.
const MAX_BYTES: usize = 8 * 1024 * 1024;
/// A file that makes more nodes than this is not read.
const MAX_NODES: usize = 4_000_000;
/// The parser reports progress every hundred steps, which good text takes for 90 bytes and more. Broken text can make it
/// try and try.
const BYTES_PER_REPORT: usize = 30;
/// Brackets that are open at one time; the parser takes a quadratic time for them.
const MAX_BRACKETS: usize = 5_000;

/// Reads one file by itself. Depends on the bytes alone.
pub(super) fn file(text: &[u8]) -> Facts {
    let mut facts = Facts::default();
    if text.len() > MAX_BYTES {
        facts
            .gaps
            .push(whole(&format!("over the budget of {} MB", MAX_BYTES / 1024 / 1024)));
        return facts;
    }
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let valid = match std::str::from_utf8(text) {
        Ok(text) => std::borrow::Cow::Borrowed(text),
        Err(error) => {
            let line = newlines(&text[..error.valid_up_to()]) + 1;
            facts.gaps.push(Gap {
                lines: Some((line, line)),
                why: "not UTF-8, read with replacement characters".to_owned(),
                hides: Vec::new(),
            });
            String::from_utf8_lossy(text)
        }
    };
    let text = valid.as_bytes();
    let zod = zod_names(&valid);
    read(&blind_spots::blank(text), 0, &zod, &mut facts, true);
    facts
}

/// Reads one piece of a file, `line_base` lines into it. With `recover`, declarations around syntax errors are read one
/// by one.
pub(super) fn read(piece: &Readable<'_>, line_base: u32, zod: &BTreeSet<String>, facts: &mut Facts, recover: bool) {
    let tree = match tree(&piece.text) {
        Ok(tree) => tree,
        Err(why) => {
            let mut gap = whole(why);
            if !recover {
                let lines = newlines(&piece.text);
                gap.lines = Some((line_base + 1, line_base + lines + 1));
            }
            gap.hides = recover::guess_names(&piece.text);
            facts.gaps.push(gap);
            return;
        }
    };
    let source = Source {
        text: &piece.text,
        line_base,
        import_types: &piece.import_types,
        zod,
        too_deep: Cell::new(None),
    };
    let root = tree.root_node();
    if recover {
        facts.literals = source.event_literals(root);
    }
    if !root.has_error() {
        let mut cursor = root.walk();
        source.statements(root.children(&mut cursor), "", facts);
    } else if recover {
        recover::file(&source, root, facts);
    } else {
        recover::piece(&source, root, facts);
    }
    if let Some(line) = source.too_deep.get() {
        facts.gaps.push(Gap {
            lines: Some((line, line)),
            why: "nested too deep to follow".to_owned(),
            hides: Vec::new(),
        });
    }
}

fn whole(why: &str) -> Gap {
    Gap {
        lines: None,
        why: why.to_owned(),
        hides: Vec::new(),
    }
}

fn tree(text: &[u8]) -> Result<Tree, &'static str> {
    if brackets(text) > MAX_BRACKETS {
        return Err("brackets nest too deep");
    }
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into())
        .map_err(|_| "the grammar does not fit this build")?;
    let mut reports = text.len() / BYTES_PER_REPORT + 10_000;
    let mut progress = |_: &_| {
        reports = reports.saturating_sub(1);
        if reports == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser
        .parse_with_options(&mut |at, _| text.get(at..).unwrap_or_default(), None, Some(options))
        .ok_or("the parser gave up on it")?;
    if tree.root_node().descendant_count() > MAX_NODES {
        return Err("over the budget of 4 million nodes");
    }
    Ok(tree)
}

/// How many brackets are open at most. Those in strings count too: the bound is far beyond any real file.
fn brackets(text: &[u8]) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// The local names that a file imports from the zod library. They are needed before anything is read, so they are taken
/// from the text of the imports.
fn zod_names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in text.match_indices("import ") {
        let rest = &text[at + "import ".len()..];
        let Some(from) = rest.find(" from ").filter(|&from| from < 400) else {
            continue;
        };
        let clause = &rest[..from];
        let module = rest[from + " from ".len()..].trim_start();
        let Some(module) = module
            .strip_prefix(['"', '\''])
            .and_then(|module| module.split(['"', '\'']).next())
        else {
            continue;
        };
        for binding in clause.split(['{', '}', ',']) {
            let local = binding.trim().rsplit(' ').next().unwrap_or_default();
            // A wrapper of the library is still called `z` by everybody.
            if !local.is_empty() && (zod::is_library(module) || local == "z") {
                names.insert(local.to_owned());
            }
        }
    }
    names
}

/// Statements that stand at the top of a file.
pub(super) fn is_statement(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.ends_with("_statement")
        || kind.ends_with("_declaration")
        || matches!(
            kind,
            "import_alias" | "internal_module" | "module" | "function_signature" | "comment"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_known_by_its_imports() {
        let cases = [
            ("import { z } from 'zod';", "z"),
            ("import * as z from \"zod/v4\";", "z"),
            ("import zod from 'zod'", "zod"),
            ("import type { ZodRawShape as R } from 'zod';", "R"),
            ("import { z } from '../zod-wrapper.js'", "z"),
        ];
        for (text, expected) in cases {
            assert!(zod_names(text).contains(expected), "{text}");
        }
        assert!(zod_names("import { Y } from './y.js'").is_empty());
    }
}
