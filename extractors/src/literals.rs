//! Event literals in plain code: objects that are built where they are sent. Weaker evidence than a declaration, since
//! nothing says that the object is sent, nor that it always looks so.
//!
//! An object counts when a member that protocols use as a tag holds a string that is no type of JSON Schema, when no
//! member is one of JSON Schema's, and when it does not stand in a test. Where a language has objects for everything, it
//! must also be handed to a serialiser, or to a function whose name says that it sends. Each language finds its objects
//! by itself; what counts, and what becomes of it, is the same for all.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use agent_contracts_wire::model::{Arm, Evidence, Field, Literal, Object, Place, Stability, Type, TypeDecl, Union};
use regex::Regex;
use serde::{Deserialize, Serialize};

/// Members that name a frame.
const TAGS: [&str; 4] = ["method", "type", "event", "sessionUpdate"];
/// How deep objects are read.
pub(crate) const MAX_DEPTH: usize = 8;

#[expect(clippy::unwrap_used, reason = "the patterns are constants that every test compiles")]
static TAGGED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\b(?:method|type|event|sessionUpdate)["'`]?\s*:"#).unwrap());
#[expect(clippy::unwrap_used, reason = "the patterns are constants that every test compiles")]
static SENDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^_?(?:[Ee]mit|[Ss]end|[Nn]otify|[Pp]ublish|[Bb]roadcast|[Ww]rite|[Rr]espond|[Rr]eply)(?:[A-Z_]\w*)?$")
        .unwrap()
});

/// One literal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct EventLiteral {
    pub(crate) line: u32,
    tag: String,
    name: String,
    /// Its members, the tag included.
    object: Object,
}

impl EventLiteral {
    /// The event that an object of code is; `None` when it is none.
    pub(crate) fn of(object: Object, line: u32) -> Option<Self> {
        let (tag, name) = TAGS
            .iter()
            .find_map(|tag| match object.fields.get(*tag).map(|field| &field.ty) {
                Some(Type::Literal(Literal::String(name))) => Some(((*tag).to_owned(), name.clone())),
                _ => None,
            })?;
        (is_event(&name) && !is_schema(&object)).then_some(Self {
            line,
            tag,
            name,
            object,
        })
    }
}

/// A literal with the path of its file.
pub(crate) type Placed = (String, EventLiteral);

/// Where in a text an object may have a tag.
pub(crate) fn candidates(text: &str) -> impl Iterator<Item = usize> {
    TAGGED.find_iter(text).map(|found| found.start())
}

/// Whether the name of a function says that it sends what it is given.
pub(crate) fn sends(name: &str) -> bool {
    SENDS.is_match(name)
}

/// Whether a file holds tests or examples by its name.
pub(crate) fn is_test(path: &str) -> bool {
    let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let word = |text: &str| {
        matches!(
            text,
            "test" | "tests" | "testing" | "__tests__" | "__mocks__" | "benches" | "examples" | "evals" | "fixtures"
        ) || text.ends_with("-tests")
    };
    let marked = name
        .split('.')
        .skip(1)
        .any(|part| matches!(part, "test" | "spec" | "bench"));
    dirs.split('/').any(word)
        || word(stem)
        || marked
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.starts_with("test_")
}

/// A member of an object that is read `depth` objects deep. Only the tag keeps its text; other strings of code are
/// examples.
pub(crate) fn field(key: &str, ty: Type, depth: usize) -> Field {
    let ty = match ty {
        Type::Literal(_) if depth > 0 || !TAGS.contains(&key) => Type::String,
        ty => ty,
    };
    Field::new(ty, true, 0)
}

/// An object that stands inside of another; any value when it is a JSON Schema.
pub(crate) fn inner(object: Object) -> Type {
    if is_schema(&object) {
        Type::Any
    } else {
        Type::Object(object)
    }
}

fn is_schema(object: &Object) -> bool {
    ["properties", "additionalProperties", "$schema", "$ref"]
        .iter()
        .any(|key| object.fields.contains_key(*key))
}

/// Words of a wire name that are no type of JSON Schema.
fn is_event(name: &str) -> bool {
    let words = |name: &str| {
        name.split(['_', '.', '-', '/', '$', ':'])
            .all(|word| word.chars().all(char::is_alphanumeric))
    };
    let schema = ["object", "string", "array", "number", "integer", "boolean", "null"];
    // `POST` is a method of HTTP, as is every other in capitals.
    let http = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    !name.is_empty() && words(name) && !schema.contains(&name) && !http.contains(&name)
}

/// The literals of many files, with their paths, as one open union for each tag: `WORD(type)`.
pub(crate) fn declare(literals: &[Placed], word: &str) -> Vec<TypeDecl> {
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
                name: format!("{word}({tag})"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_functions_and_files() {
        for (name, expected) in [
            ("emit", true),
            ("sendNotification", true),
            ("send_event", true),
            ("_write_frame", true),
            ("WriteJSON", true),
            ("postMessage", false),
            ("sender", false),
            ("dispatch", false),
        ] {
            assert_eq!(sends(name), expected, "{name}");
        }
        for (path, expected) in [
            ("src/a.ts", false),
            ("src/a.test.ts", true),
            ("src/__tests__/a.ts", true),
            ("tests/a.rs", true),
            ("src/testament.go", false),
            ("pkg/a_test.go", true),
            ("app/test_a.py", true),
        ] {
            assert_eq!(is_test(path), expected, "{path}");
        }
    }
}
