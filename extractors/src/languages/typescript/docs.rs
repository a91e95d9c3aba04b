//! What a doc comment says of the stability of the declaration behind it.
//!
//! `@experimental`, `@alpha`, `@beta` and the word `UNSTABLE` in capitals mean experimental; `@deprecated` means
//! deprecated and wins over them. `@internal` says nothing: an internal type goes over the wire like any other, and its
//! readers break like any other's. Line comments are no docs.

use agent_contracts_wire::model::Stability;
use tree_sitter::Node;

/// The stability that `comment` gives to what follows it.
pub(super) fn stability(comment: &str) -> Stability {
    if !comment.starts_with("/**") {
        return Stability::Stable;
    }
    let tag = |name: &str| {
        comment.lines().any(|line| {
            let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '*' || c == '/');
            line.strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    if tag("@deprecated") {
        Stability::Deprecated
    } else if ["@experimental", "@alpha", "@beta"].iter().any(|name| tag(name)) || word(comment, "UNSTABLE") {
        Stability::Experimental
    } else {
        Stability::Stable
    }
}

fn word(text: &str, wanted: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|found| found == wanted)
}

/// Follows the children of one node and remembers the doc comment that stands right before each.
pub(super) struct Docs<'a> {
    text: &'a [u8],
    pending: Option<Comment>,
    last_row: Option<usize>,
}

struct Comment {
    stability: Stability,
    last_row: usize,
    /// It stands behind something on the same line.
    trails: bool,
}

impl<'a> Docs<'a> {
    pub(super) const fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            pending: None,
            last_row: None,
        }
    }

    /// For the parts of `node`, whose first may have its comment before the whole: `= /** doc */ | "first" | "second"`.
    pub(super) fn with_comment_before(text: &'a [u8], node: Node<'_>) -> Self {
        let mut docs = Self::new(text);
        if let Some(before) = node.prev_sibling().filter(|before| before.kind() == "comment") {
            docs.next(before);
        }
        docs
    }

    /// Takes the next child. A comment is kept for the child after it, and gives `None`; one that ends the line of the
    /// child before it belongs to nobody. Punctuation changes nothing.
    pub(super) fn next(&mut self, node: Node<'_>) -> Option<Stability> {
        if node.kind() == "comment" {
            let text = self.text.get(node.byte_range()).unwrap_or_default();
            self.pending = Some(Comment {
                stability: stability(&String::from_utf8_lossy(text)),
                last_row: node.end_position().row,
                trails: self.last_row == Some(node.start_position().row),
            });
            return None;
        }
        self.last_row = Some(node.end_position().row);
        if !node.is_named() {
            return None;
        }
        let is_for_this = |comment: &Comment| !comment.trails || comment.last_row == node.start_position().row;
        Some(
            self.pending
                .take()
                .filter(is_for_this)
                .map_or(Stability::Stable, |comment| comment.stability),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_doc_comments_speak_and_deprecated_wins() {
        let cases = [
            ("/** @experimental */", Stability::Experimental),
            ("/**\n * **UNSTABLE**\n *\n * May change.\n */", Stability::Experimental),
            ("/** V2 API - UNSTABLE */", Stability::Experimental),
            ("/** @beta */", Stability::Experimental),
            ("/** @alpha\n * @deprecated use the other */", Stability::Deprecated),
            ("/** @deprecated */", Stability::Deprecated),
            ("/** @internal */", Stability::Stable),
            ("/** see @experimentalThing, an unstable sort */", Stability::Stable),
            ("// @experimental", Stability::Stable),
            ("/* @experimental */", Stability::Stable),
        ];
        for (comment, expected) in cases {
            assert_eq!(stability(comment), expected, "{comment}");
        }
    }
}
