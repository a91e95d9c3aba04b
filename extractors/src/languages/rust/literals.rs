//! Event literals in `json!({…})`.

use std::ops::Range;

use agent_contracts_wire::model::{Object, Type};

use super::lex::{Kind, Lines, Token, inside, lex, split_commas, string_value};
use crate::literals::{EventLiteral, MAX_DEPTH, field, inner};

/// The literals in these stretches of a file.
pub(super) fn find(text: &str, code: &[Range<usize>], lines: &Lines) -> Vec<EventLiteral> {
    let mut found = Vec::new();
    for stretch in code {
        let piece = text
            .get(stretch.clone())
            .filter(|piece| piece.contains("json!"))
            .unwrap_or_default();
        let tokens = lex(piece);
        for (at, run) in tokens.windows(4).enumerate() {
            let [name, bang, open, brace] = run else { continue };
            if !(name.is("json") && bang.is("!") && open.kind == Kind::Open && brace.is("{")) {
                continue;
            }
            let line = lines.line(stretch.start + run[0].at as usize);
            found.extend(EventLiteral::of(object(inside(&tokens, at + 3), 0), line));
        }
    }
    found
}

/// The members that stand between braces.
fn object(tokens: &[Token<'_>], depth: usize) -> Object {
    let mut object = Object::default();
    for part in split_commas(tokens) {
        let key = part
            .first()
            .filter(|_| part.get(1).is_some_and(|colon| colon.is(":")))
            .and_then(string_value);
        let Some(key) = key else {
            // A computed key.
            object.open = true;
            continue;
        };
        let field = field(&key, value(&part[2..], depth), depth);
        object.fields.insert(key, field);
    }
    object
}

fn value(tokens: &[Token<'_>], depth: usize) -> Type {
    match tokens {
        [only] if only.kind == Kind::Literal => match string_value(only) {
            Some(text) => Type::literal(text),
            None if only.text.starts_with(|char: char| char.is_ascii_digit()) => Type::Number,
            None => Type::Any,
        },
        [only] if only.is("true") || only.is("false") => Type::Boolean,
        [only] if only.is("null") => Type::Null,
        [open, ..] if open.is("{") && open.skip as usize + 1 == tokens.len() && depth < MAX_DEPTH => {
            inner(object(inside(tokens, 0), depth + 1))
        }
        [open, ..] if open.is("[") && open.skip as usize + 1 == tokens.len() => Type::Array(Box::new(Type::Any)),
        _ => Type::Any,
    }
}
