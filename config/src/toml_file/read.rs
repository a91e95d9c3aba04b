//! From text to a structure, past the first mistake.
//!
//! A deserialiser stops at the first mistake. Here the key or list item that it stumbled over is taken out of the
//! parsed file and it starts again, until it gets through or nothing is left to take out.

use std::mem;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::{Doc, Problem, nearest};

/// A key that the top of a file must have, with a value that stands in for it when it is missing, so that reading can
/// go on.
pub(crate) struct Required {
    /// The key.
    pub(crate) key: &'static str,
    /// A value of the right type, in TOML.
    pub(crate) stand_in: &'static str,
    /// What to write.
    pub(crate) help: &'static str,
}

/// What came of a file.
pub(crate) struct Read<'t, T> {
    /// The structure, of all that could be read; `None` when nothing could.
    pub(crate) value: Option<T>,
    /// The places in the file.
    pub(crate) doc: Doc<'t>,
    /// The mistakes.
    pub(crate) problems: Vec<Problem>,
}

/// No file has more mistakes than this shown; beyond it something else is wrong.
const AT_MOST: usize = 100;

/// Reads `text` into a structure. All mistakes are collected.
pub(crate) fn read<'t, T: DeserializeOwned>(file: &'t str, text: &'t str, required: &[Required]) -> Read<'t, T> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut doc = Doc::new(file, text, root);
    let mut problems: Vec<Problem> = errors
        .iter()
        .map(|error| doc.problem_at(error.span(), error.message().trim_end(), None))
        .collect();
    if !problems.is_empty() {
        return Read {
            value: None,
            doc,
            problems,
        };
    }
    for Required { key, stand_in, help } in required {
        if doc.root.get_ref().contains_key(*key) {
            continue;
        }
        problems.push(Problem::whole(file, format!("missing key `{key}`"), (*help).to_owned()));
        if let Ok(value) = DeValue::parse(stand_in) {
            let at_top = Spanned::new(0..0, (*key).into());
            doc.root
                .get_mut()
                .insert(at_top, Spanned::new(0..0, value.into_inner()));
        }
    }
    let mut taken: Vec<TakenOut> = Vec::new();
    while problems.len() < AT_MOST {
        let error = match T::deserialize(toml::Deserializer::from(doc.root.clone())) {
            Ok(value) => {
                return Read {
                    value: Some(value),
                    doc,
                    problems,
                };
            }
            Err(error) => error,
        };
        let Some(step) = take_out(doc.root.get_mut(), &error) else {
            problems.push(doc.problem_at(error.span(), words(error.message()), None));
            break;
        };
        // What is missing because it was taken out before is no second mistake.
        let missing = missing_key(error.message());
        let follows = missing.is_some()
            && taken
                .iter()
                .any(|it| it.key.as_deref() == missing && within(&it.span, &step.span));
        if !follows {
            problems.push(doc.problem_at(Some(step.span.clone()), words(error.message()), help(error.message())));
        }
        taken.push(step);
    }
    Read {
        value: None,
        doc,
        problems,
    }
}

/// What was taken out.
struct TakenOut {
    /// The place to show: the key, or the value.
    span: Range<usize>,
    /// Its key; `None` for an item of a list.
    key: Option<String>,
}

fn take_out(root: &mut DeTable<'_>, error: &toml::de::Error) -> Option<TakenOut> {
    let span = error.span()?;
    let quoted = quoted(error.message());
    if error.message().starts_with("unknown field")
        && let Some(key) = quoted.first()
        && let Some(at) = remove_key(root, &span, key)
    {
        return Some(TakenOut { span: at, key: None });
    }
    remove_value(root, &span)
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// Removes the entry called `key` that stands at `span` or inside it, and says where the key stood.
fn remove_key(table: &mut DeTable<'_>, span: &Range<usize>, key: &str) -> Option<Range<usize>> {
    let here = table
        .iter()
        .find(|(name, value)| name.get_ref() == key && (within(&name.span(), span) || within(span, &value.span())));
    if let Some((name, _)) = here {
        let at = name.span();
        table.remove(key);
        return Some(at);
    }
    table
        .iter_mut()
        .find_map(|(_, value)| remove_key_below(value.get_mut(), span, key))
}

fn remove_key_below(value: &mut DeValue<'_>, span: &Range<usize>, key: &str) -> Option<Range<usize>> {
    match value {
        DeValue::Table(table) => remove_key(table, span, key),
        DeValue::Array(array) => array
            .iter_mut()
            .find_map(|item| remove_key_below(item.get_mut(), span, key)),
        _ => None,
    }
}

/// Removes the innermost entry or list item whose value holds `span`, and says where the value stood.
fn remove_value(table: &mut DeTable<'_>, span: &Range<usize>) -> Option<TakenOut> {
    for (_, value) in table.iter_mut() {
        if let Some(at) = remove_below(value.get_mut(), span) {
            return Some(at);
        }
    }
    let (key, at) = table
        .iter()
        .find(|(name, value)| within(span, &value.span()) || within(span, &name.span()))
        .map(|(name, value)| (name.get_ref().to_string(), value.span()))?;
    table.remove(key.as_str());
    Some(TakenOut {
        span: at,
        key: Some(key),
    })
}

fn remove_below(value: &mut DeValue<'_>, span: &Range<usize>) -> Option<TakenOut> {
    match value {
        DeValue::Table(table) => remove_value(table, span),
        DeValue::Array(array) => remove_item(array, span),
        _ => None,
    }
}

fn remove_item(array: &mut DeArray<'_>, span: &Range<usize>) -> Option<TakenOut> {
    for item in array.iter_mut() {
        if let Some(at) = remove_below(item.get_mut(), span) {
            return Some(at);
        }
    }
    let span = array.iter().map(Spanned::span).find(|item| within(span, item))?;
    *array = mem::replace(array, DeArray::new())
        .into_iter()
        .filter(|item| item.span() != span)
        .collect();
    Some(TakenOut { span, key: None })
}

fn missing_key(message: &str) -> Option<&str> {
    message
        .starts_with("missing field")
        .then(|| quoted(message).first().copied())?
}

/// The words of serde in ours.
fn words(message: &str) -> String {
    let quoted = quoted(message);
    match (message.split(" `").next(), quoted.first()) {
        (Some("unknown field"), Some(key)) => format!("unknown key `{key}`"),
        (Some("missing field"), Some(key)) => format!("missing key `{key}`"),
        (Some("unknown variant"), Some(value)) => format!("unknown value `{value}`"),
        _ => message.to_owned(),
    }
}

/// What to write instead, from the names that serde says it expected.
fn help(message: &str) -> Option<String> {
    let quoted = quoted(message);
    let (found, expected) = quoted.split_first()?;
    if message.starts_with("missing field") {
        return Some(format!("add `{found} = …` here"));
    }
    if !message.starts_with("unknown") || expected.is_empty() {
        return None;
    }
    let mut known = expected.to_vec();
    known.sort_unstable();
    Some(match nearest(found, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("known here: {}", known.join(", ")),
    })
}

/// The words between backticks.
fn quoted(message: &str) -> Vec<&str> {
    message.split('`').skip(1).step_by(2).collect()
}
