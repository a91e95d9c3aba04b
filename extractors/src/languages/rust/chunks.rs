//! A run of tokens split into items, without a grammar: for the output of macros, and for files that the grammar cannot
//! read as a whole.

use super::lex::{Kind, Token, after};

/// One item of a run of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chunk {
    /// First token, attributes included, and the one behind the last.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Behind the attributes and the visibility.
    pub(super) head: usize,
    pub(super) kind: ChunkKind,
    /// The declared name, the macro that is called, or nothing.
    pub(super) name: String,
    /// A group of it does not close.
    pub(super) open: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChunkKind {
    Struct,
    Enum,
    Alias,
    Mod,
    Use,
    Const,
    Fn,
    Impl,
    MacroDef,
    MacroCall,
    Other,
}

/// The items of `tokens`.
pub(super) fn split(tokens: &[Token<'_>]) -> Vec<Chunk> {
    let (mut chunks, mut start) = (Vec::new(), 0);
    while start < tokens.len() {
        let head = head(tokens, start);
        let (kind, name) = classify(tokens, head);
        let end = end(tokens, head, kind).max(start + 1);
        let open = tokens[start..end]
            .iter()
            .any(|token| token.kind == Kind::Open && token.skip == 0);
        if end > head || head > start {
            chunks.push(Chunk {
                start,
                end,
                head,
                kind,
                name,
                open,
            });
        }
        start = end;
    }
    chunks
}

/// The index behind attributes and visibility.
pub(super) fn head(tokens: &[Token<'_>], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        if token.is("#") {
            let bracket = if tokens.get(at + 1).is_some_and(|token| token.is("!")) {
                at + 2
            } else {
                at + 1
            };
            if !tokens.get(bracket).is_some_and(|token| token.is("[")) {
                break;
            }
            at = after(tokens, bracket);
        } else if token.is("pub") {
            at += 1;
            if tokens.get(at).is_some_and(|token| token.is("(")) {
                at = after(tokens, at);
            }
        } else {
            break;
        }
    }
    at
}

fn classify(tokens: &[Token<'_>], head: usize) -> (ChunkKind, String) {
    let word = |offset: usize| tokens.get(head + offset).map_or("", |token| token.text.as_ref());
    let name = |offset: usize| {
        tokens
            .get(head + offset)
            .filter(|token| token.is_ident())
            .map(Token::name)
            .unwrap_or_default()
    };
    match (word(0), word(1)) {
        ("struct" | "union", _) => (ChunkKind::Struct, name(1)),
        ("enum", _) => (ChunkKind::Enum, name(1)),
        ("type", _) => (ChunkKind::Alias, name(1)),
        ("mod", _) => (ChunkKind::Mod, name(1)),
        ("use", _) => (ChunkKind::Use, String::new()),
        ("const" | "static", "fn" | "unsafe" | "async" | "extern") => (ChunkKind::Fn, String::new()),
        ("const" | "static", _) => (ChunkKind::Const, name(1)),
        ("macro_rules", "!") => (ChunkKind::MacroDef, name(2)),
        ("impl", _) | ("unsafe", "impl") => (ChunkKind::Impl, String::new()),
        ("fn" | "async" | "unsafe" | "extern" | "gen" | "safe" | "default" | "trait" | "auto", _) => {
            (ChunkKind::Fn, String::new())
        }
        _ => {
            let mut at = head;
            while tokens.get(at).is_some_and(|token| token.is_ident() || token.is(":")) {
                at += 1;
            }
            if at > head && tokens.get(at).is_some_and(|token| token.is("!")) {
                return (ChunkKind::MacroCall, tokens[at - 1].name());
            }
            (ChunkKind::Other, String::new())
        }
    }
}

/// The index behind the item: behind a `;`, or behind the braces that end it.
fn end(tokens: &[Token<'_>], head: usize, kind: ChunkKind) -> usize {
    let semicolon_only = matches!(kind, ChunkKind::Alias | ChunkKind::Use | ChunkKind::Const);
    let mut at = head;
    while let Some(token) = tokens.get(at) {
        if token.is(";") {
            return at + 1;
        }
        let next = after(tokens, at);
        if token.is("{") && !semicolon_only {
            return next;
        }
        // Something that is no part of an item: an attribute of the next one.
        if token.is("#") && at > head && tokens.get(at + 1).is_some_and(|token| token.is("[")) {
            return at;
        }
        at = next;
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::super::lex::lex;
    use super::*;

    #[test]
    fn items_end_where_they_end() {
        let text =
            "use a::{b, c}; #[x] pub(crate) struct A(u8); struct B<T> where T: C { d: T } const E: F = F { g: 1 };
            const fn h() { 1; } macro_rules! i { () => {} } j! { k } l::m!(n); safe fn o(); type P = Q; mod r;
            impl S for T { fn u() {} } pub enum V { W }";
        let found: Vec<(ChunkKind, String)> = split(&lex(text))
            .into_iter()
            .map(|chunk| (chunk.kind, chunk.name))
            .collect();
        let expected = [
            (ChunkKind::Use, ""),
            (ChunkKind::Struct, "A"),
            (ChunkKind::Struct, "B"),
            (ChunkKind::Const, "E"),
            (ChunkKind::Fn, ""),
            (ChunkKind::MacroDef, "i"),
            (ChunkKind::MacroCall, "j"),
            (ChunkKind::MacroCall, "m"),
            (ChunkKind::Fn, ""),
            (ChunkKind::Alias, "P"),
            (ChunkKind::Mod, "r"),
            (ChunkKind::Impl, ""),
            (ChunkKind::Enum, "V"),
        ];
        assert_eq!(found, expected.map(|(kind, name)| (kind, name.to_owned())));
    }

    #[test]
    fn an_item_that_does_not_end_says_so() {
        let chunks = split(&lex("struct A; fn b() { struct C;"));
        assert_eq!(chunks.iter().map(|chunk| chunk.open).collect::<Vec<_>>(), [false, true]);
        assert!(split(&lex(")")).len() == 1 && split(&lex("")).is_empty());
    }
}
