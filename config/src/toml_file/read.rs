//! From text to a structure, past the first mistake.
//!
//! A deserialiser stops at the first mistake. Here the key or list item that it stumbled over is taken out of the
//! parsed file and it starts again, until it gets through or nothing is left to take out.

use std::mem;
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use super::{Doc, Problem, Step, nearest};

/// A key that the top of a file must have, with a value that stands in for it when it is missing, so that reading can
/// go on.
pub(crate) struct Required {
    /// The key.
    pub(crate) key: &'static str,
    /// What stands in for it.
    pub(crate) stand_in: StandIn,
    /// What to write.
    pub(crate) help: &'static str,
}

/// A value that stands in for one that is missing.
pub(crate) enum StandIn {
    /// This text.
    Text(String),
    /// The number 0.
    Number,
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
    read_with(file, text, required, words)
}

/// The same for a file that may hold what nobody else should see: no value is repeated in a mistake.
pub(crate) fn read_quietly<'t, T: DeserializeOwned>(file: &'t str, text: &'t str) -> Read<'t, T> {
    read_with(file, text, &[], |message| without_values(&words(message)))
}

fn read_with<'t, T: DeserializeOwned>(
    file: &'t str,
    text: &'t str,
    required: &[Required],
    words: fn(&str) -> String,
) -> Read<'t, T> {
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
        if !doc.root.get_ref().contains_key(*key) {
            problems.push(Problem::whole(file, format!("missing key `{key}`"), (*help).to_owned()));
            insert(doc.root.get_mut(), key, stand_in);
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
        let Some(out) = take_out(&mut doc.root, &error) else {
            problems.push(doc.problem_at(error.span(), words(error.message()), help(error.message())));
            break;
        };
        // What is missing because it was taken out before is no second mistake.
        let missing = missing_key(error.message());
        if missing.is_none() || !taken.iter().any(|earlier| earlier.left_without(&out, missing)) {
            problems.push(doc.problem_at(Some(out.span.clone()), words(error.message()), help(error.message())));
        }
        if let [Step::Key(key)] = out.path.as_slice() {
            doc.taken.push(key.clone());
            if let Some(it) = required.iter().find(|it| it.key == key) {
                insert(doc.root.get_mut(), it.key, &it.stand_in);
            }
        }
        taken.push(out);
    }
    Read {
        value: None,
        doc,
        problems,
    }
}

fn insert(root: &mut DeTable<'_>, key: &'static str, stand_in: &StandIn) {
    let value = match stand_in {
        StandIn::Text(text) => DeValue::String(text.clone().into()),
        StandIn::Number => DeValue::Integer(DeInteger::default()),
    };
    root.insert(Spanned::new(0..0, key.into()), Spanned::new(0..0, value));
}

/// What was taken out of a file.
struct TakenOut {
    /// The place to show: the key, or the value.
    span: Range<usize>,
    /// The way to it.
    path: Vec<Step>,
}

impl TakenOut {
    /// Taking this out left the table `other` without its key `missing`.
    fn left_without(&self, other: &Self, missing: Option<&str>) -> bool {
        match self.path.split_last() {
            Some((Step::Key(key), table)) => Some(key.as_str()) == missing && table == other.path,
            _ => false,
        }
    }
}

fn take_out(root: &mut Spanned<DeTable<'_>>, error: &toml::de::Error) -> Option<TakenOut> {
    let span = error.span()?;
    let whole = root.span();
    let root = root.get_mut();
    let mut path = Vec::new();
    if error.message().starts_with("unknown field")
        && let Some(key) = quoted(error.message()).first()
        && let Some(span) = remove_key(root, &whole, &span, key)
    {
        return Some(TakenOut { span, path });
    }
    let span = remove_value(root, &span, &mut path)?;
    Some(TakenOut { span, path })
}

fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start >= outer.start && inner.end <= outer.end
}

/// Removes the entry called `key` that the mistake at `span` is about, and says where the key stood. The mistake stands
/// at the key, or (below a `kind`) at the table around it.
fn remove_key(table: &mut DeTable<'_>, at: &Range<usize>, span: &Range<usize>, key: &str) -> Option<Range<usize>> {
    let here = table.iter().map(|(name, _)| name).find(|name| name.get_ref() == key);
    if let Some(place) = here
        .map(Spanned::span)
        .filter(|place| at == span || within(place, span))
    {
        table.remove(key);
        return Some(place);
    }
    table
        .iter_mut()
        .find_map(|(_, value)| remove_key_below(value, span, key))
}

fn remove_key_below(value: &mut Spanned<DeValue<'_>>, span: &Range<usize>, key: &str) -> Option<Range<usize>> {
    let at = value.span();
    match value.get_mut() {
        DeValue::Table(table) => remove_key(table, &at, span, key),
        DeValue::Array(array) => array.iter_mut().find_map(|item| remove_key_below(item, span, key)),
        _ => None,
    }
}

/// Removes the innermost entry or list item whose value holds `span`; says where the value stood, and in `path` the
/// way to it.
fn remove_value(table: &mut DeTable<'_>, span: &Range<usize>, path: &mut Vec<Step>) -> Option<Range<usize>> {
    for (name, value) in table.iter_mut() {
        path.push(Step::Key(name.get_ref().to_string()));
        if let Some(at) = remove_below(value.get_mut(), span, path) {
            return Some(at);
        }
        path.pop();
    }
    let (key, at) = table
        .iter()
        .find(|(name, value)| within(span, &value.span()) || within(span, &name.span()))
        .map(|(name, value)| (name.get_ref().to_string(), value.span()))?;
    table.remove(key.as_str());
    path.push(Step::Key(key));
    Some(at)
}

fn remove_below(value: &mut DeValue<'_>, span: &Range<usize>, path: &mut Vec<Step>) -> Option<Range<usize>> {
    match value {
        DeValue::Table(table) => remove_value(table, span, path),
        DeValue::Array(array) => remove_item(array, span, path),
        _ => None,
    }
}

fn remove_item(array: &mut DeArray<'_>, span: &Range<usize>, path: &mut Vec<Step>) -> Option<Range<usize>> {
    for (position, item) in array.iter_mut().enumerate() {
        path.push(Step::Item(position));
        if let Some(at) = remove_below(item.get_mut(), span, path) {
            return Some(at);
        }
        path.pop();
    }
    let position = array.iter().position(|item| within(span, &item.span()))?;
    let at = array[position].span();
    *array = mem::replace(array, DeArray::new())
        .into_iter()
        .filter(|item| item.span() != at)
        .collect();
    path.push(Step::Item(position));
    Some(at)
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
        _ => expectation(message),
    }
}

/// Serde's names for types in the words of a person who writes TOML.
fn expectation(message: &str) -> String {
    let Some((before, expected)) = message.rsplit_once("expected ") else {
        return message.to_owned();
    };
    let expected = match expected {
        "a sequence" => "a list",
        "a map" => "a table",
        "u8" => "a whole number from 0 to 255",
        "u32" => "a whole number",
        other if other.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{before}expected {expected}")
}

/// `invalid type: string "…", expected a table` without what stands in the quotes.
fn without_values(message: &str) -> String {
    let quiet = match (message.split_once(": "), message.rsplit_once(", expected ")) {
        (Some((kind, value)), Some((_, expected))) if kind.starts_with("invalid ") => {
            let type_name = value.split([' ', '`', '"', ',']).next().unwrap_or("value");
            format!("{kind}: {type_name}, expected {expected}")
        }
        _ => message.to_owned(),
    };
    match quiet.strip_prefix("unknown value `") {
        Some(_) => "unknown value".to_owned(),
        None => quiet,
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
