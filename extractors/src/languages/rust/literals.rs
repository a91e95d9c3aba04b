//! Event literals in plain code: `json!({"type": "x", …})` outside tests. Weaker evidence than a declaration, since
//! nothing says that the object is sent, nor that it always looks so.
//!
//! An object counts when a member that protocols use as a tag holds a string, and when it is no JSON Schema.

use std::collections::BTreeMap;
use std::ops::Range;

use agent_contracts_wire::model::{Arm, Evidence, Field, Literal, Object, Place, Stability, Type, TypeDecl, Union};
use serde::{Deserialize, Serialize};

use super::lex::{Kind, Lines, Token, inside, lex, split_commas, string_value};

/// Members that name a frame.
const TAGS: [&str; 4] = ["method", "type", "event", "sessionUpdate"];
/// How deep objects are read.
const MAX_DEPTH: usize = 8;

/// One literal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct EventLiteral {
    pub(super) line: u32,
    pub(super) tag: String,
    pub(super) name: String,
    /// Its members, the tag included.
    pub(super) object: Object,
}

/// A literal with the path of its file.
pub(super) type Placed = (String, EventLiteral);

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
            let Some(object) = object(inside(&tokens, at + 3), 0) else {
                continue;
            };
            let tag = TAGS
                .iter()
                .find_map(|tag| match object.fields.get(*tag).map(|field| &field.ty) {
                    Some(Type::Literal(Literal::String(name))) => Some(((*tag).to_owned(), name.clone())),
                    _ => None,
                });
            if let Some((tag, name)) = tag.filter(|(_, name)| is_event(name)) {
                let line = lines.line(stretch.start + run[0].at as usize);
                found.push(EventLiteral {
                    line,
                    tag,
                    name,
                    object,
                });
            }
        }
    }
    found
}

/// Words of a wire name that are no type of JSON Schema.
fn is_event(name: &str) -> bool {
    let words = |name: &str| {
        name.split(['_', '.', '-', '/', '$', ':'])
            .all(|word| word.chars().all(char::is_alphanumeric))
    };
    let schema = ["object", "string", "array", "number", "integer", "boolean", "null"];
    !name.is_empty() && words(name) && !schema.contains(&name)
}

/// The members that stand between braces; `None` for a JSON Schema and for what is no list of members.
fn object(tokens: &[Token<'_>], depth: usize) -> Option<Object> {
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
        let ty = value(&part[2..], depth);
        // Only the tag keeps its text; other strings of code are examples.
        let ty = match ty {
            Type::Literal(_) if depth > 0 || !TAGS.contains(&key.as_str()) => Type::String,
            ty => ty,
        };
        object.fields.insert(key, Field::new(ty, true, 0));
    }
    let schema = ["properties", "additionalProperties", "$schema", "$ref"]
        .iter()
        .any(|key| object.fields.contains_key(*key));
    (!schema).then_some(object)
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
            object(inside(tokens, 0), depth + 1).map_or(Type::Any, Type::Object)
        }
        [open, ..] if open.is("[") && open.skip as usize + 1 == tokens.len() => Type::Array(Box::new(Type::Any)),
        _ => Type::Any,
    }
}

/// The literals of many files, with their paths, as one open union for each tag.
pub(super) fn declare(literals: &[Placed]) -> Vec<TypeDecl> {
    let mut by_tag: BTreeMap<&str, BTreeMap<&str, Vec<&Placed>>> = BTreeMap::new();
    for entry in literals {
        by_tag
            .entry(&entry.1.tag)
            .or_default()
            .entry(&entry.1.name)
            .or_default()
            .push(entry);
    }
    by_tag
        .into_iter()
        .filter_map(|(tag, names)| {
            let (file, first) = names
                .values()
                .flatten()
                .min_by_key(|(file, literal)| (file, literal.line))?;
            let arms = names.values().map(|all| Arm {
                line: all
                    .first()
                    .filter(|(at, _)| at == file)
                    .map_or(0, |(_, literal)| literal.line),
                ..Arm::of(Type::Object(united(all)))
            });
            Some(TypeDecl {
                name: format!("json!({tag})"),
                place: Place {
                    file: file.clone(),
                    line: first.line,
                },
                in_scope: true,
                body: Type::Union(Union {
                    arms: arms.collect(),
                    tag: Some(tag.to_owned()),
                    open: true,
                }),
                direction: None,
                stability: Stability::Stable,
                evidence: Evidence::Literal,
            })
        })
        .collect()
}

/// One object for all literals of a name: what one of them lacks is optional.
fn united(all: &[&Placed]) -> Object {
    let mut object = Object::default();
    for (index, (_, literal)) in all.iter().enumerate() {
        object.open |= literal.object.open;
        for (name, field) in &literal.object.fields {
            let line = literal.line;
            match object.fields.get_mut(name) {
                Some(known) if known.ty != field.ty => known.ty = Type::Any,
                Some(_) => {}
                None => {
                    object
                        .fields
                        .insert(name.clone(), Field::new(field.ty.clone(), index == 0, line));
                }
            }
        }
        for (name, known) in &mut object.fields {
            known.required &= literal.object.fields.contains_key(name);
        }
    }
    object
}
