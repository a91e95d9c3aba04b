//! Rows of a method table in a macro call: `Name => "wire/name" { params: P, response: R }` and `Name => "x" (P)`.
//!
//! A macro whose rules are in the repository is expanded; the rows then add what the expansion drops: the answer to a
//! request, and what attributes say of stability. Where the rules cannot be had, the rows themselves are the table.

use super::attrs::Collected;
use super::cases::Case;
use super::chunks;
use super::facts::{Attrs, FieldItem, Fields, Serde, Side, TypeBody, TypeExpr, TypeItem, Variant};
use super::lex::{Token, after, inside, lex, marks, split_commas, string_value};
use super::types;

/// One row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    /// Where the name stands in the text of the call.
    pub(super) at: u32,
    pub(super) wire: Option<String>,
    pub(super) params: Option<TypeExpr>,
    pub(super) answer: Option<TypeExpr>,
    pub(super) attrs: Attrs,
}

/// The rows of a call's input; empty when it holds anything else.
pub(super) fn rows(tokens: &[Token<'_>]) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in split_commas(tokens) {
        match row(part) {
            Some(row) => rows.push(row),
            None => return Vec::new(),
        }
    }
    rows
}

/// The rows of a call's input, or of the first group in braces that holds rows.
pub(super) fn rows_within(tokens: &[Token<'_>]) -> Vec<Row> {
    let found = rows(tokens);
    if !found.is_empty() {
        return found;
    }
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is("{") {
            let found = rows(inside(tokens, at));
            if !found.is_empty() {
                return found;
            }
        }
        at = after(tokens, at);
    }
    Vec::new()
}

fn row(tokens: &[Token<'_>]) -> Option<Row> {
    let head = chunks::head(tokens, 0);
    let mut collected = Collected::default();
    let mut at = 0;
    while at < head {
        let open = tokens[at..head].iter().position(|token| token.is("["))? + at;
        collected.add(inside(tokens, open));
        at = after(tokens, open);
    }
    let name = tokens
        .get(head)
        .filter(|token| token.is_ident() && token.text.starts_with(char::is_uppercase))?;
    let mut row = Row {
        name: name.name(),
        at: name.at,
        wire: None,
        params: None,
        answer: None,
        attrs: collected.finish(),
    };
    at = head + 1;
    if marks(tokens, at, "=>") {
        row.wire = Some(string_value(tokens.get(at + 2)?)?);
        at += 3;
    }
    match tokens.get(at) {
        None => {}
        Some(open) if open.is("(") => row.params = Some(types::parse(inside(tokens, at), 0).0),
        Some(open) if open.is("{") => {
            for part in split_commas(inside(tokens, at)) {
                let start = chunks::head(part, 0);
                let key = part
                    .get(start)
                    .filter(|_| part.get(start + 1).is_some_and(|token| token.is(":")))?;
                let ty_at = chunks::head(part, start + 2);
                let value = types::parse(part, ty_at).0;
                match key.text.as_ref() {
                    "params" | "request" | "payload" | "args" => row.params = Some(value),
                    "response" | "result" | "output" | "returns" => row.answer = Some(value),
                    _ => {}
                }
            }
        }
        Some(_) => return None,
    }
    (tokens.len() <= after(tokens, at)).then_some(row)
}

/// The table as an enum, for a macro whose rules are not known. `None` when the input is no table of wire names.
pub(super) fn table(name: &str, line: u32, input: &str) -> Option<TypeItem> {
    let tokens = lex(input);
    let rows = rows_within(&tokens);
    if !rows
        .iter()
        .any(|row| row.wire.is_some() && (row.params.is_some() || row.answer.is_some()))
    {
        return None;
    }
    let lines = super::lex::Lines::new(input);
    let variants = rows.into_iter().map(|row| {
        let line = line + lines.line(row.at as usize) - 1;
        let mut attrs = row.attrs;
        attrs.serde.extend(row.wire.map(|wire| Serde::Rename(Side::Both, wire)));
        let field = |ty| FieldItem {
            name: "params".to_owned(),
            line,
            attrs: Attrs::default(),
            ty,
        };
        Variant {
            name: row.name,
            line,
            attrs,
            fields: Fields::Named(row.params.map(field).into_iter().collect()),
            value: None,
            answer: row.answer,
        }
    });
    let mut attrs = Attrs::default();
    attrs.derives.ser = true;
    attrs.derives.de = true;
    attrs.serde = vec![
        Serde::Tag("method".to_owned()),
        Serde::RenameAll(Side::Both, Case::Camel),
    ];
    Some(TypeItem {
        name: table_name(name),
        line,
        attrs,
        generics: Vec::new(),
        body: TypeBody::Enum(variants.collect()),
    })
}

/// `client_request_definitions` declares a `ClientRequest`.
fn table_name(name: &str) -> String {
    let words: Vec<&str> = name
        .split('_')
        .filter(|word| {
            !matches!(
                *word,
                "define" | "declare" | "definitions" | "definition" | "methods" | "table" | "enum" | ""
            )
        })
        .collect();
    Case::Pascal.field(&words.join("_"))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn rows_are_read_in_both_forms() {
        let tokens = lex(
            r#"#[experimental("x")] Start => "a/start" { params: #[serde(default)] Option<P>, inspect: true, response: v2::R },
            Note => "a/note" (N), Bare, Old { params: Q, response: S },"#,
        );
        let rows = rows(&tokens);
        let short: Vec<String> = rows
            .iter()
            .map(|row| {
                let show = |ty: &Option<TypeExpr>| ty.as_ref().map_or("-".to_owned(), ToString::to_string);
                format!(
                    "{} {:?} {} {} {:?}",
                    row.name,
                    row.wire,
                    show(&row.params),
                    show(&row.answer),
                    row.attrs.stability
                )
            })
            .collect();
        assert_eq!(
            short,
            [
                "Start Some(\"a/start\") Option<P> v2::R Experimental",
                "Note Some(\"a/note\") N - Stable",
                "Bare None - - Stable",
                "Old None Q S Stable",
            ]
        );
        assert!(super::rows(&lex("pub static X: Y = z;")).is_empty());
    }

    #[test]
    fn a_table_without_rules_becomes_an_enum() {
        let table = table("server_notification_definitions", 10, "A => \"a\" (X),\nB => \"b\" (Y)").unwrap();
        assert_eq!((table.name.as_str(), table.line), ("ServerNotification", 10));
        assert!(matches!(&table.body, TypeBody::Enum(variants) if variants.len() == 2 && variants[1].line == 11));
        assert!(super::table("x", 1, "A, B").is_none());
    }
}
