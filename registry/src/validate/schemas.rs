//! Records against their schemas: each error as a code with a place.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use super::problem::{Teller, step};
use crate::migrations;
use crate::records::{KINDS, Kind};

/// The compiled schemas, by kind.
static COMPILED: LazyLock<HashMap<&'static str, Validator>> = LazyLock::new(|| {
    KINDS
        .iter()
        .filter_map(|kind| Some((kind.id, compile(&(kind.schema)(kind))?)))
        .collect()
});

/// A schema as the validator uses it. Linear-time patterns: a record from outside must not be able to stop it.
pub(super) fn compile(schema: &Value) -> Option<Validator> {
    jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .build(schema)
        .ok()
}

/// Whether a value is a record of this kind, as far as a schema can say.
#[must_use]
pub fn is_valid(kind: &Kind, value: &Value) -> bool {
    COMPILED.get(kind.id).is_some_and(|schema| schema.is_valid(value))
}

/// Tells what a schema says against a record. Gives the record of the version that is known here.
pub(super) fn check(kind: &Kind, value: Value, teller: &mut Teller<'_>) -> Option<Value> {
    let value = match migrations::migrate(kind.id, value) {
        Ok(value) => value,
        Err(error) => {
            teller.error(
                format!("{}007", kind.letters),
                "/schema_version",
                error.found.to_string(),
                format!("{}, or a version with a registered migration", error.known),
            );
            return None;
        }
    };
    let schema = COMPILED.get(kind.id)?;
    if schema.is_valid(&value) {
        return Some(value);
    }
    for error in schema.iter_errors(&value) {
        tell(kind.letters, "", &error, teller);
    }
    None
}

/// Tells what a schema says against one value inside a file; `at` is its place.
pub(super) fn check_at(kind: &Kind, at: &str, value: &Value, teller: &mut Teller<'_>) -> bool {
    let Some(schema) = COMPILED.get(kind.id) else {
        return false;
    };
    if schema.is_valid(value) {
        return true;
    }
    for error in schema.iter_errors(value) {
        tell(kind.letters, at, &error, teller);
    }
    false
}

/// Tells one error. `at` stands before its place.
pub(super) fn tell(letters: &str, at: &str, error: &ValidationError<'_>, teller: &mut Teller<'_>) {
    use ValidationErrorKind as Is;
    let pointer = format!("{at}{}", error.instance_path());
    let found = || error.instance().to_string();
    let mut say = |number: u16, pointer: String, found: String, expected: String| {
        // A word from inside a condition is about the members that contradict each other.
        let conditional =
            error.evaluation_path().as_str().contains("/then") || error.evaluation_path().as_str().contains("/else");
        let number = if conditional { 8 } else { number };
        teller.error(format!("{letters}{number:03}"), pointer, found, expected);
    };
    match error.kind() {
        Is::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            say(
                1,
                step(&pointer, name),
                "nothing".to_owned(),
                format!("a member `{name}`"),
            );
        }
        Is::AdditionalProperties { unexpected } | Is::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                say(
                    2,
                    step(&pointer, name),
                    format!("a member `{name}`"),
                    "no such member".to_owned(),
                );
            }
        }
        Is::Type { kind } => say(3, pointer, found(), types(kind)),
        Is::Enum { options } => say(4, pointer, found(), format!("one of {options}")),
        Is::Constant { expected_value } if pointer == "/schema_version" => {
            say(7, pointer, found(), expected_value.to_string());
        }
        Is::Constant { expected_value } => say(4, pointer, found(), expected_value.to_string()),
        Is::Pattern { pattern } => say(5, pointer, found(), format!("a text that matches {pattern}")),
        Is::Format { format } => say(5, pointer, found(), format!("a {format}")),
        Is::Not { schema } => say(5, pointer, found(), format!("anything but {schema}")),
        Is::AnyOf { context } | Is::OneOfNotValid { context } => {
            nested(letters, at, context, error, teller);
        }
        Is::MinItems { limit } => say(6, pointer, found(), format!("at least {limit} items")),
        Is::MaxItems { limit } => say(6, pointer, found(), format!("at most {limit} items")),
        Is::MinLength { limit } => say(6, pointer, found(), format!("at least {limit} characters")),
        Is::MaxLength { limit } => say(6, pointer, found(), format!("at most {limit} characters")),
        Is::Minimum { limit } => say(6, pointer, found(), format!("at least {limit}")),
        Is::Maximum { limit } => say(6, pointer, found(), format!("at most {limit}")),
        Is::UniqueItems => say(6, pointer, found(), "each item once".to_owned()),
        Is::Contains => say(8, pointer, found(), "an item that supports the claim".to_owned()),
        _ => say(9, pointer, found(), error.to_string()),
    }
}

/// The errors of the arm that was meant: the one with the fewest, among those that fail for another reason than their
/// type or tag.
fn nested(
    letters: &str,
    at: &str,
    arms: &[Vec<ValidationError<'static>>],
    whole: &ValidationError<'_>,
    teller: &mut Teller<'_>,
) {
    let depth = |error: &ValidationError<'_>| error.instance_path().as_str().matches('/').count();
    let here = depth(whole);
    let is_other = |error: &ValidationError<'_>| {
        matches!(error.kind(), ValidationErrorKind::Type { .. }) && depth(error) == here
            || matches!(error.kind(), ValidationErrorKind::Constant { .. }) && depth(error) <= here + 1
    };
    let meant = arms
        .iter()
        .filter(|errors| !errors.iter().any(is_other))
        .min_by_key(|errors| errors.len());
    if let Some(meant) = meant {
        for error in meant {
            tell(letters, at, error, teller);
        }
        return;
    }
    let pointer = format!("{at}{}", whole.instance_path());
    let all: Vec<&ValidationError<'static>> = arms.iter().flatten().collect();
    let kinds: Vec<String> = all
        .iter()
        .filter_map(|error| match error.kind() {
            ValidationErrorKind::Type { kind } if depth(error) == here => Some(types(kind)),
            _ => None,
        })
        .collect();
    let tags: Vec<(String, String)> = all
        .iter()
        .filter_map(|error| match error.kind() {
            ValidationErrorKind::Constant { expected_value } => {
                Some((format!("{at}{}", error.instance_path()), expected_value.to_string()))
            }
            _ => None,
        })
        .collect();
    if let Some((place, _)) = tags.first() {
        let words: Vec<&str> = tags.iter().map(|(_, word)| word.as_str()).collect();
        teller.error(
            format!("{letters}004"),
            place.clone(),
            "another word",
            format!("one of {}", words.join(", ")),
        );
    } else if kinds.len() == arms.len() {
        teller.error(
            format!("{letters}003"),
            pointer,
            whole.instance().to_string(),
            kinds.join(" or "),
        );
    } else {
        teller.error(
            format!("{letters}009"),
            pointer,
            whole.instance().to_string(),
            "one of the forms of its schema",
        );
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => format!("a value of type {one}"),
        TypeKind::Multiple(several) => {
            let names: Vec<String> = several.iter().map(|one| one.to_string()).collect();
            format!("a value of type {}", names.join(" or "))
        }
    }
}
