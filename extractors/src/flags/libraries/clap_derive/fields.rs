//! What one field says of its flag.

use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;

use super::case::convert;
use super::items::{Field, Item, Kind, bare};
use super::resolve::{Crates, Home};
use crate::flags::draft::{Draft, says_deprecated};
use crate::flags::expr::{Expr, positional};
use crate::flags::files::Files;

/// The flag of a field; `None` for a positional argument.
pub(super) fn flag(
    files: &Files<'_>,
    crates: &Crates<'_, '_>,
    home: &Rc<Home>,
    case: Option<&str>,
    field: &Field,
) -> Option<Draft> {
    let attrs = &field.attrs;
    let (long, short) = (attrs.get("long"), attrs.get("short"));
    let explicit = |key: &str| attrs.get(key).and_then(|attr| attr.value.as_ref());
    let mut names = Vec::new();
    let default_name = || {
        let named = explicit("name").or_else(|| explicit("id")).and_then(Expr::text);
        named.map_or_else(|| convert(&field.name, case), str::to_owned)
    };
    if long.is_some() {
        names.push(match explicit("long") {
            Some(name) => format!("--{}", files.value(&home.file, name).text()?),
            None => format!("--{}", default_name()),
        });
    }
    if short.is_some() {
        let letter = match explicit("short") {
            Some(letter) => files.value(&home.file, letter).text()?.chars().next()?,
            None => default_name().chars().next()?,
        };
        names.push(format!("-{letter}"));
    }
    if names.is_empty() {
        return None;
    }
    let others = [
        "alias",
        "aliases",
        "visible_alias",
        "visible_aliases",
        "short_alias",
        "short_aliases",
    ];
    let others = others
        .iter()
        .chain(&["visible_short_alias", "visible_short_aliases"])
        .copied()
        .collect::<Vec<_>>();
    for attr in attrs.all(&others) {
        let spellings = attr
            .value
            .as_ref()
            .and_then(|value| files.value(&home.file, value).texts());
        let short = attr.key.contains("short");
        names.extend(spellings.into_iter().flatten().map(
            |name| {
                if short { format!("-{name}") } else { format!("--{name}") }
            },
        ));
    }

    let mut flag = Draft::new(names, "", home.file.place_at(field.line));
    let values = values(crates, home, field);
    flag.value = value(field);
    flag.choices = choices(files, home, field, values.as_ref());
    if flag.choices.is_empty() && matches!(field.ty.as_str(), "Option<bool>") && flag.value != FlagValue::Switch {
        flag.choices = vec!["true".to_owned(), "false".to_owned()];
    }
    flag.default = default(files, home, field, values.as_ref());
    if flag.default.is_none() && flag.value == FlagValue::Switch && field.ty == "bool" && !negative(field) {
        flag.default = Some("false".to_owned());
    }
    flag.inherited = attrs.is("global");
    flag.hidden = attrs.is("hide") || attrs.is("hidden");
    let texts = ["help", "long_help", "about"]
        .iter()
        .filter_map(|key| explicit(key).map(Expr::words));
    flag.deprecated = texts.chain([attrs.docs.clone()]).any(|text| says_deprecated(&text));
    Some(flag)
}

fn negative(field: &Field) -> bool {
    field
        .attrs
        .get("action")
        .is_some_and(|action| action.text.ends_with("SetFalse"))
}

/// What the field takes.
fn value(field: &Field) -> FlagValue {
    let attrs = &field.attrs;
    let many = many(&field.ty);
    let one = if many { FlagValue::Many } else { FlagValue::One };
    if let Some(parse) = attrs.get("parse")
        && (parse.text.contains("from_occurrences") || parse.text.contains("from_flag"))
    {
        return FlagValue::Switch;
    }
    let counted = attrs
        .get("num_args")
        .or_else(|| attrs.get("number_of_values"))
        .and_then(|attr| number(&attr.text));
    if let Some((least, most)) = counted {
        return match (least, most) {
            (_, Some(0)) => FlagValue::Switch,
            (0, Some(1)) => {
                if many {
                    FlagValue::Many
                } else {
                    FlagValue::Optional
                }
            }
            (1, Some(1)) => one,
            _ => FlagValue::Many,
        };
    }
    let small = |key: &str| {
        attrs
            .get(key)
            .is_some_and(|attr| matches!(attr.text.as_str(), "0" | "1"))
    };
    if attrs.get("min_values").is_some_and(|attr| attr.text == "0") {
        return if small("max_values") {
            FlagValue::Optional
        } else {
            FlagValue::Many
        };
    }
    if let Some(action) = attrs.get("action") {
        match action.text.rsplit("::").next().unwrap_or_default().trim() {
            "SetTrue" | "SetFalse" | "Count" | "Help" | "HelpShort" | "HelpLong" | "Version" => {
                return FlagValue::Switch;
            }
            "Append" => return FlagValue::Many,
            "Set" => return one,
            _ => return FlagValue::Unknown,
        }
    }
    if ["multiple", "multiple_values", "multiple_occurrences"]
        .iter()
        .any(|key| attrs.is(key) && attrs.get(key).is_some())
    {
        return FlagValue::Many;
    }
    let optional = field.ty.starts_with("Option<Option<") || attrs.get("default_missing_value").is_some();
    if optional {
        return FlagValue::Optional;
    }
    // A parser of its own makes no switch of a `bool`.
    if field.ty == "bool" && attrs.get("value_parser").is_none() && !attrs.is("takes_value") {
        return FlagValue::Switch;
    }
    if field.ty == "()" {
        return FlagValue::Switch;
    }
    one
}

fn many(ty: &str) -> bool {
    let ty = ty.strip_prefix("Option<").unwrap_or(ty);
    ty.starts_with("Vec<") || ty.starts_with("std::vec::Vec<")
}

/// How many values: `2`, `1..`, `0..=1`, `..3`.
pub(in crate::flags::libraries) fn number(text: &str) -> Option<(usize, Option<usize>)> {
    let text: String = text.split_whitespace().collect();
    let Some((least, most)) = text.split_once("..") else {
        let exact = text.parse().ok()?;
        return Some((exact, Some(exact)));
    };
    let least = if least.is_empty() { 0 } else { least.parse().ok()? };
    let most = match (most.strip_prefix('='), most) {
        (_, "") => None,
        (Some(most), _) => Some(most.parse().ok()?),
        (None, most) => Some(most.parse::<usize>().ok()?.saturating_sub(1)),
    };
    Some((least, most))
}

/// The enum that the values of a field come from.
fn values(crates: &Crates<'_, '_>, home: &Rc<Home>, field: &Field) -> Option<(Rc<Home>, usize)> {
    let found = crates.resolve(home, bare(&field.ty))?;
    found.0.items.get(found.1)?.is_values().then_some(found)
}

fn choices(files: &Files<'_>, home: &Rc<Home>, field: &Field, values: Option<&(Rc<Home>, usize)>) -> Vec<String> {
    for key in ["value_parser", "possible_values"] {
        let Some(expr) = field.attrs.get(key).and_then(|attr| attr.value.as_ref()) else {
            continue;
        };
        let expr = files.value(&home.file, expr);
        let list = match &expr {
            Expr::Chain(chain) => match chain.callee() {
                Some((name, args, _)) if name.contains("PossibleValues") => positional(args, 0).cloned(),
                _ => None,
            },
            other => Some(other.clone()),
        };
        if let Some(list) = list.and_then(|list| possible(&files.value(&home.file, &list))) {
            return list;
        }
    }
    let Some((_, item)) = values.and_then(|(home, index)| Some((home, home.items.get(*index)?))) else {
        return Vec::new();
    };
    names(item)
}

/// Strings, or `PossibleValue::new("…")`.
pub(in crate::flags::libraries) fn possible(list: &Expr) -> Option<Vec<String>> {
    let Expr::List(items) = list else { return None };
    items
        .iter()
        .map(|item| match item {
            Expr::Text(text) => Some(text.clone()),
            Expr::Chain(chain) => {
                let (name, args, _) = chain.callee()?;
                name.ends_with("PossibleValue::new")
                    .then(|| positional(args, 0)?.text().map(str::to_owned))?
            }
            _ => None,
        })
        .collect()
}

/// The values of a `ValueEnum`.
fn names(item: &Item) -> Vec<String> {
    if !item.possible.is_empty() {
        return item.possible.clone();
    }
    let Kind::Enum(variants) = &item.kind else {
        return Vec::new();
    };
    let case = item
        .attrs
        .get("rename_all")
        .and_then(|attr| attr.value.as_ref()?.text());
    let kept = variants.iter().filter(|variant| !variant.attrs.is("skip"));
    kept.map(|variant| {
        let name = variant.attrs.get("name").and_then(|attr| attr.value.as_ref()?.text());
        name.map_or_else(|| convert(&variant.name, case), str::to_owned)
    })
    .collect()
}

fn default(files: &Files<'_>, home: &Rc<Home>, field: &Field, values: Option<&(Rc<Home>, usize)>) -> Option<String> {
    let keys = [
        "default_value_t",
        "default_value",
        "default_values_t",
        "default_values",
        "default_value_os",
    ];
    let expr = keys.iter().find_map(|key| field.attrs.get(key)?.value.as_ref())?;
    let value = files.value(&home.file, expr);
    if let Some(literal) = value.literal() {
        return Some(literal);
    }
    // `Color::Auto` is told by the name of the variant.
    let path = value.path()?;
    let (home, index) = values?;
    let item = home.items.get(*index)?;
    let Kind::Enum(variants) = &item.kind else { return None };
    let last = path.rsplit("::").next()?;
    let at = variants
        .iter()
        .filter(|variant| !variant.attrs.is("skip"))
        .position(|variant| variant.name == last)?;
    names(item).get(at).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_values() {
        for (text, expected) in [
            ("1", Some((1, Some(1)))),
            ("1..", Some((1, None))),
            ("0..=1", Some((0, Some(1)))),
            ("0 ..= 1", Some((0, Some(1)))),
            ("..3", Some((0, Some(2)))),
            ("N", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }
}
