//! Type expressions, read from tokens.

use super::facts::TypeExpr;
use super::lex::{Kind, Token, after, inside, lex, marks, render, split_commas};

/// How deep types may nest; deeper ones are kept as text.
const MAX_DEPTH: usize = 48;

/// The type that `text` writes.
pub(super) fn parse_text(text: &str) -> TypeExpr {
    // Most types are one name.
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !text.is_empty() {
        return TypeExpr::Path(vec![text.to_owned()], Vec::new());
    }
    let tokens = lex(text);
    let (ty, end) = parse(&tokens, 0);
    if end < tokens.len() {
        TypeExpr::Other(text.to_owned())
    } else {
        ty
    }
}

/// The type that starts at `at`, and the index behind it.
pub(super) fn parse(tokens: &[Token<'_>], at: usize) -> (TypeExpr, usize) {
    nested(tokens, at, 0)
}

fn nested(tokens: &[Token<'_>], mut at: usize, depth: usize) -> (TypeExpr, usize) {
    let start = at;
    // What does not reach the wire: references, pointers, lifetimes, `mut`, `const`, `?Sized`.
    while tokens.get(at).is_some_and(|token| {
        token.is("&")
            || token.is("*")
            || token.kind == Kind::Lifetime
            || token.is("mut")
            || token.is("const")
            || token.is("?")
    }) {
        at += 1;
    }
    let Some(token) = tokens.get(at) else {
        return (other(tokens, start, at), at);
    };
    if depth > MAX_DEPTH {
        return (other(tokens, start, tokens.len()), tokens.len());
    }
    if token.is("(") {
        let inner = inside(tokens, at);
        let items: Vec<TypeExpr> = split_commas(inner)
            .into_iter()
            .map(|part| nested(part, 0, depth + 1).0)
            .collect();
        let grouped = items.len() == 1 && !inner.last().is_some_and(|last| last.is(","));
        let ty = match items.into_iter().next() {
            Some(only) if grouped => only,
            first => TypeExpr::Tuple(first.into_iter().chain(split_rest(inner, depth)).collect()),
        };
        return (ty, after(tokens, at));
    }
    if token.is("[") {
        let (item, _) = nested(inside(tokens, at), 0, depth + 1);
        return (TypeExpr::Array(Box::new(item)), after(tokens, at));
    }
    if token.is("<") {
        return qualified(tokens, at, depth);
    }
    if token.is("!") {
        return (other(tokens, start, at + 1), at + 1);
    }
    if ["dyn", "impl", "fn", "unsafe", "extern", "for"]
        .iter()
        .any(|word| token.is(word))
    {
        let end = opaque_end(tokens, at);
        return (other(tokens, start, end), end);
    }
    path(tokens, at, depth)
}

fn split_rest(inner: &[Token<'_>], depth: usize) -> Vec<TypeExpr> {
    split_commas(inner)
        .into_iter()
        .skip(1)
        .map(|part| nested(part, 0, depth + 1).0)
        .collect()
}

/// `a::b<C>::d`. The arguments are those of the last segment that has any.
fn path(tokens: &[Token<'_>], start: usize, depth: usize) -> (TypeExpr, usize) {
    let (mut segments, mut args, mut at) = (Vec::new(), Vec::new(), start);
    if marks(tokens, at, "::") {
        at += 2;
    }
    // `$crate` in the body of a macro.
    if tokens.get(at).is_some_and(|token| token.is("$")) {
        at += 1;
    }
    while let Some(token) = tokens.get(at).filter(|token| token.is_ident()) {
        segments.push(token.name());
        at += 1;
        if tokens.get(at).is_some_and(|token| token.is("!")) {
            // A macro in the place of a type.
            let end = after(tokens, at + 1).min(tokens.len());
            return (other(tokens, start, end), end);
        }
        let turbofish = marks(tokens, at, "::") && tokens.get(at + 2).is_some_and(|token| token.is("<"));
        let open = if turbofish { at + 2 } else { at };
        if tokens.get(open).is_some_and(|token| token.is("<")) {
            let end = angle_end(tokens, open);
            args = split_commas(tokens.get(open + 1..end.saturating_sub(1)).unwrap_or(&[]))
                .into_iter()
                .filter(|part| !skipped_argument(part))
                .map(|part| nested(part, 0, depth + 1).0)
                .collect();
            at = end;
        } else if tokens.get(at).is_some_and(|token| token.is("("))
            && matches!(token.text.as_ref(), "Fn" | "FnMut" | "FnOnce")
        {
            let end = opaque_end(tokens, at);
            return (other(tokens, start, end), end);
        }
        if !marks(tokens, at, "::") {
            break;
        }
        at += 2;
    }
    if segments.is_empty() {
        let end = after(tokens, start).min(tokens.len());
        return (other(tokens, start, end), end);
    }
    (TypeExpr::Path(segments, args), at)
}

/// `<T as Trait>::Name`, and `<T>::Name` which is `T::Name`.
fn qualified(tokens: &[Token<'_>], open: usize, depth: usize) -> (TypeExpr, usize) {
    let end = angle_end(tokens, open);
    let (ty, at) = nested(tokens, open + 1, depth + 1);
    let of = match tokens.get(at) {
        Some(token) if token.is("as") => match nested(tokens, at + 1, depth + 1).0 {
            TypeExpr::Path(segments, _) => segments.last().cloned().unwrap_or_default(),
            _ => String::new(),
        },
        _ => String::new(),
    };
    if marks(tokens, end, "::")
        && let Some(name) = tokens.get(end + 2).filter(|token| token.is_ident())
    {
        return (TypeExpr::Assoc(Box::new(ty), of, name.name()), end + 3);
    }
    (ty, end)
}

/// The index behind the `>` that closes the `<` at `open`.
pub(super) fn angle_end(tokens: &[Token<'_>], open: usize) -> usize {
    let (mut depth, mut at) = (0usize, open);
    while let Some(token) = tokens.get(at) {
        if token.is("<") {
            depth += 1;
        } else if token.is(">") && !(at > 0 && tokens[at - 1].is("-")) {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
        at = after(tokens, at);
    }
    tokens.len()
}

/// Lifetimes, constants and bindings (`Item = T`) are no types that reach the wire.
fn skipped_argument(part: &[Token<'_>]) -> bool {
    let lifetime = part.len() == 1 && part[0].kind == Kind::Lifetime;
    let constant = part
        .first()
        .is_some_and(|token| token.kind == Kind::Literal || token.is("{") || token.is("-"));
    lifetime || constant || part.get(1).is_some_and(|token| token.is("="))
}

/// The index behind a type that is kept as text: up to a mark that ends a type.
fn opaque_end(tokens: &[Token<'_>], mut at: usize) -> usize {
    let mut depth = 0i32;
    while let Some(token) = tokens.get(at) {
        if token.is("<") {
            depth += 1;
        } else if token.is(">") && !tokens[at - 1].is("-") {
            depth -= 1;
        }
        if depth < 0 || depth == 0 && [",", ";", "=", "{", ")"].iter().any(|end| token.is(end)) {
            break;
        }
        at = after(tokens, at);
    }
    at.min(tokens.len())
}

fn other(tokens: &[Token<'_>], start: usize, end: usize) -> TypeExpr {
    let mut text = render(tokens.get(start..end.min(tokens.len())).unwrap_or(&[])).0;
    if let Some((at, _)) = text.char_indices().nth(120) {
        text.truncate(at);
        text.push('…');
    }
    TypeExpr::Other(text)
}

impl std::fmt::Display for TypeExpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |items: &[Self]| items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Path(segments, args) if args.is_empty() => f.write_str(&segments.join("::")),
            Self::Path(segments, args) => write!(f, "{}<{}>", segments.join("::"), list(args)),
            Self::Assoc(ty, of, name) => write!(f, "<{ty} as {of}>::{name}"),
            Self::Tuple(items) => write!(f, "({})", list(items)),
            Self::Array(item) => write!(f, "[{item}]"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_and_lose_what_does_not_reach_the_wire() {
        for (text, expected) in [
            ("String", "String"),
            ("&'a mut str", "str"),
            (
                "::std::vec::Vec<Option<crate::a::B>>",
                "std::vec::Vec<Option<crate::a::B>>",
            ),
            ("Cow<'static, str>", "Cow<str>"),
            ("HashMap<String, Vec<(u8, Foo)>>", "HashMap<String, Vec<(u8, Foo)>>"),
            ("()", "()"),
            ("(A)", "A"),
            ("(A,)", "(A)"),
            ("[u8; 32]", "[u8]"),
            ("SmallVec<[u8; 4]>", "SmallVec<[u8]>"),
            ("ArrayVec<T, 4>", "ArrayVec<T>"),
            ("<A as b::Tr<C>>::Params", "<A as Tr>::Params"),
            ("Vec::<A>", "Vec<A>"),
            ("Box<dyn Fn(A) -> B + Send>", "Box<dyn Fn (A) -> B + Send>"),
            ("fn(A) -> B", "fn (A) -> B"),
            ("$crate::A", "crate::A"),
            ("r#type::A", "type::A"),
            ("Iterator<Item = A>", "Iterator"),
            ("my_type!(A)", "my_type ! (A)"),
        ] {
            assert_eq!(
                parse_text(text).to_string().replace("( ", "(").replace(" )", ")"),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn deep_types_end() {
        let text = format!("{}A{}", "Vec<".repeat(5000), ">".repeat(5000));
        assert!(matches!(parse_text(&text), TypeExpr::Path(..)));
        let open = "<(".repeat(3000);
        let _ = parse_text(&open);
    }
}
