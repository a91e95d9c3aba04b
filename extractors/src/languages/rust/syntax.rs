//! The grammar, and where a piece of text stands in its file.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::lex::Lines;
use super::rows::Row;

/// Steps of the parser per byte that a text may cost, each a hundred of its operations; a budget that does not depend
/// on how fast the machine is.
const STEPS_PER_BYTE: usize = 2;

thread_local! {
    static PARSER: RefCell<Option<Parser>> = RefCell::new(new_parser());
}

fn new_parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
    Some(parser)
}

/// The syntax tree of `text`; `None` when it costs more than its budget.
pub(super) fn tree(text: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| {
        let parser = parser.as_mut()?;
        let (bytes, mut steps) = (text.as_bytes(), 1000 + text.len() * STEPS_PER_BYTE);
        let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
        let mut progress = |_: &tree_sitter::ParseState| {
            steps = steps.saturating_sub(1);
            if steps == 0 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let tree = parser.parse_with_options(
            &mut read,
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        parser.reset();
        tree
    })
}

/// A text that the grammar reads, and where it comes from.
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) place: SourcePlace<'a>,
}

pub(super) enum SourcePlace<'a> {
    /// A piece of a file that starts at this offset.
    Piece(&'a Lines, usize),
    /// The output of a macro.
    Expansion(&'a Expansion<'a>),
}

/// Where the tokens of an expansion come from.
pub(super) struct Expansion<'a> {
    /// Where each token starts in the text, in order.
    pub(super) starts: Vec<usize>,
    /// Where each token comes from in the file; `u32::MAX` for another file.
    pub(super) origins: Vec<u32>,
    pub(super) lines: &'a Lines,
    /// The line of the call.
    pub(super) line: u32,
    /// The rows of the call, by where their names stand.
    pub(super) rows: &'a [Row],
}

impl<'a> Source<'a> {
    /// The text of a node.
    pub(super) fn of(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The line of an offset.
    pub(super) fn line(&self, at: usize) -> u32 {
        match &self.place {
            SourcePlace::Piece(lines, start) => lines.line(start + at),
            SourcePlace::Expansion(expansion) => match expansion.origin(at) {
                Some(origin) => expansion.lines.line(origin as usize),
                None => expansion.line,
            },
        }
    }

    /// The line of a node.
    pub(super) fn line_of(&self, node: Node<'_>) -> u32 {
        self.line(node.start_byte())
    }

    /// The row of a method table that the name at this offset was taken from.
    pub(super) fn row(&self, at: usize) -> Option<&'a Row> {
        let SourcePlace::Expansion(expansion) = &self.place else {
            return None;
        };
        let origin = expansion.origin(at)?;
        expansion.rows.iter().find(|row| row.at == origin)
    }
}

impl Expansion<'_> {
    fn origin(&self, at: usize) -> Option<u32> {
        let index = self.starts.partition_point(|&start| start <= at).checked_sub(1)?;
        self.origins.get(index).copied().filter(|&origin| origin != u32::MAX)
    }
}
