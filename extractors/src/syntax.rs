//! What Go and Python share in reading a tree-sitter tree: parsing within a budget, text and lines of nodes, and the
//! spans that a grammar could not read.

use std::ops::ControlFlow;

use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Tree};

use crate::content::{self, Damage};

/// How many nodes a tree may have. The largest real file that we know has 900,000.
const MAX_NODES: usize = 4_000_000;

/// A parsed file.
pub(crate) struct Source<'a> {
    /// Its text, without a byte order mark.
    pub(crate) text: std::borrow::Cow<'a, str>,
    /// Its tree.
    pub(crate) tree: Tree,
}

impl<'a> Source<'a> {
    /// Parses `bytes`. A final newline is added, since some grammars report an error without one.
    pub(crate) fn parse(language: &Language, bytes: &'a [u8]) -> Result<Self, Damage> {
        let text = content::text(bytes)?;
        let text = if text.ends_with('\n') {
            std::borrow::Cow::Borrowed(text)
        } else {
            std::borrow::Cow::Owned(format!("{text}\n"))
        };
        let mut parser = Parser::new();
        parser
            .set_language(language)
            .map_err(|err| Damage::whole(format!("the grammar cannot be loaded: {err}")))?;
        let input = text.as_bytes();
        let mut read = |at: usize, _| input.get(at..).unwrap_or_default();
        // A budget of steps, not of time, so that the same bytes always give the same facts.
        let mut steps = 0_usize;
        let mut progress = |_: &ParseState| {
            steps += 1;
            if steps > MAX_NODES {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let tree = parser
            .parse_with_options(&mut read, None, Some(options))
            .filter(|tree| tree.root_node().descendant_count() <= MAX_NODES)
            .ok_or_else(|| Damage::whole("over the budget of 4000000 syntax nodes"))?;
        Ok(Self { text, tree })
    }

    /// The text of a node.
    pub(crate) fn of(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The text of the child that fills `field`.
    pub(crate) fn field(&self, node: Node<'_>, field: &str) -> Option<&str> {
        node.child_by_field_name(field).map(|child| self.of(child))
    }

    /// The spans of top-level statements that hold an error. `hides` names what may be declared in such a statement;
    /// `None` when an error there hides nothing.
    pub(crate) fn damage(&self, hides: impl Fn(Node<'_>, &str) -> Option<Vec<String>>) -> Vec<Damage> {
        let root = self.tree.root_node();
        let mut cursor = root.walk();
        let broken = root.children(&mut cursor).filter(Node::has_error);
        broken
            .filter_map(|child| {
                let mut hides = hides(child, self.of(child))?;
                hides.sort();
                hides.dedup();
                Some(Damage {
                    lines: Some((line(child), last_line(child))),
                    why: "syntax error".to_owned(),
                    hides,
                })
            })
            .collect()
    }

    /// The top-level statements, those inside an unreadable stretch included.
    pub(crate) fn statements(&self) -> Vec<Node<'_>> {
        let mut all = vec![];
        for child in children(self.tree.root_node()) {
            if child.is_error() {
                all.extend(children(child));
            } else {
                all.push(child);
            }
        }
        all
    }
}

/// The line a node starts at, from 1.
pub(crate) fn line(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row).unwrap_or(u32::MAX - 1) + 1
}

fn last_line(node: Node<'_>) -> u32 {
    u32::try_from(node.end_position().row).unwrap_or(u32::MAX - 1) + 1
}

/// The named children of a node, comments left out.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .collect()
}

/// The children that fill `field`.
pub(crate) fn fields<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).collect()
}

/// Calls `visit` on `node` and all below it; what lies below a node for which it says `false` is left out.
pub(crate) fn walk<'t>(node: Node<'t>, visit: &mut dyn FnMut(Node<'t>) -> bool) {
    // A loop over a cursor, since expressions may nest deeper than the stack allows.
    let mut cursor = node.walk();
    let mut depth = 0_usize;
    loop {
        if visit(cursor.node()) && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while depth > 0 && !cursor.goto_next_sibling() {
            cursor.goto_parent();
            depth -= 1;
        }
        if depth == 0 {
            return;
        }
    }
}

/// The comment lines right above a node, without their marks, joined.
pub(crate) fn comment_above(source: &Source<'_>, node: Node<'_>) -> String {
    let mut lines = vec![];
    let mut next = node;
    while let Some(comment) = next.prev_sibling() {
        let touches = comment.end_position().row + 1 >= next.start_position().row;
        // A comment that ends a line of code belongs to that line.
        let alone = comment
            .prev_sibling()
            .is_none_or(|before| before.end_position().row < comment.start_position().row);
        if comment.kind() != "comment" || !touches || !alone {
            break;
        }
        lines.push(source.of(comment).trim_start_matches(['/', '#', '*', ' ']).to_owned());
        next = comment;
    }
    lines.reverse();
    lines.join("\n")
}
