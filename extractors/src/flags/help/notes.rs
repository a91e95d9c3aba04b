//! What a description says of its flag, in the notes that libraries append: `[default: x]`, `(choices: "a", "b")`,
//! `[boolean]`, `[aliases: -x]`, `(DEPRECATED: use --y)`.

use std::sync::LazyLock;

use agent_contracts_wire::model::FlagValue;
use regex::Regex;

use crate::flags::draft::{is_spelling, says_deprecated};

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    pub(super) choices: Vec<String>,
    pub(super) default: Option<String>,
    pub(super) aliases: Vec<String>,
    /// What it takes, where a note says so.
    pub(super) value: Option<FlagValue>,
    pub(super) deprecated: bool,
}

struct Patterns {
    choices: Regex,
    listed: Regex,
    default: Regex,
    aliases: Regex,
    kind: Regex,
    deprecated: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    Some(Patterns {
        // clap, yargs, commander.
        choices: Regex::new(r#"[\[(](?:possible values|choices):\s*((?:"[^"]*"(?:,\s*)?)+|[^\])]*)"#).ok()?,
        // clap's long form: one a line.
        listed: Regex::new(r"(?:^|\n)- ([A-Za-z0-9][^\s:]*)(?::|\n|$)").ok()?,
        // pflag leaves out the colon.
        default: Regex::new(
            r#"\[default:\s*("[^"]*"|'[^']*'|\[[^\]]*\]|[^\];]*)|[(,]\s*default(?::|\s*=|\s)\s*("[^"]*"|'[^']*'|\[[^\]]*\]|[^),;]*)\)?"#,
        )
        .ok()?,
        aliases: Regex::new(r"\[(?:visible )?(short )?alias(?:es)?:\s*([^\]]*)\]").ok()?,
        kind: Regex::new(r"\[(boolean|string|number|array|count)\]").ok()?,
        deprecated: Regex::new(r"\[deprecated(?:\]|:)|\(DEPRECATED(?:\)|:)|\(deprecated\)").ok()?,
    })
});

/// Reads a description; its lines are divided by `\n`.
pub(super) fn notes(lines: &str) -> Notes {
    let mut notes = Notes::default();
    let Some(patterns) = PATTERNS.as_ref() else {
        return notes;
    };
    let text = lines.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(found) = patterns.choices.captures(&text) {
        notes.choices = items(found.get(1).map_or("", |list| list.as_str()));
    } else if let Some((_, list)) = lines.split_once("Possible values:") {
        notes.choices = patterns
            .listed
            .captures_iter(list)
            .filter_map(|found| Some(found.get(1)?.as_str().to_owned()))
            .collect();
    }
    if let Some(found) = patterns.default.captures(&text) {
        let default = found.get(1).or_else(|| found.get(2)).map_or("", |text| text.as_str());
        let default = unquoted(default.trim());
        // `None` of Python and an empty list are nothing.
        if !matches!(default, "" | "None" | "[]" | "undefined" | "null") {
            notes.default = Some(list(default));
        }
    }
    for found in patterns.aliases.captures_iter(&text) {
        let short = found.get(1).is_some();
        for name in found
            .get(2)
            .map_or("", |list| list.as_str())
            .split([',', ' '])
            .filter(|name| !name.is_empty())
        {
            let spelled = match name.starts_with('-') {
                true => name.to_owned(),
                false if short => format!("-{name}"),
                false => format!("--{name}"),
            };
            if is_spelling(&spelled) {
                notes.aliases.push(spelled);
            }
        }
    }
    notes.value = patterns
        .kind
        .captures(&text)
        .and_then(|found| match found.get(1)?.as_str() {
            "boolean" | "count" => Some(FlagValue::Switch),
            "array" => Some(FlagValue::Many),
            _ => Some(FlagValue::One),
        });
    notes.deprecated = patterns.deprecated.is_match(&text) || says_deprecated(&text);
    notes
}

/// `"a", "b"` or `a, b`, up to what else the note says.
fn items(list: &str) -> Vec<String> {
    let quoted: Vec<String> = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    if !quoted.is_empty() {
        return quoted;
    }
    list.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty() && !item.contains(' '))
        .map(str::to_owned)
        .collect()
}

/// A list in brackets as its items, joined by commas.
fn list(default: &str) -> String {
    match default.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) => inner
            .split(',')
            .map(|item| unquoted(item.trim()))
            .collect::<Vec<_>>()
            .join(","),
        None => default.to_owned(),
    }
}

fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_of_the_libraries() {
        for (text, choices, default) in [
            (
                "x [default: auto] [possible values: auto, always]",
                "auto always",
                Some("auto"),
            ),
            (
                "x\nPossible values:\n- text: Plain\n- json\n[default: text]",
                "text json",
                Some("text"),
            ),
            ("x (choices: \"a\", \"b\", default: \"a\", env: X)", "a b", Some("a")),
            ("x (default: 80)", "", Some("80")),
            ("x (default: [\"a\",\"b\"])", "", Some("a,b")),
            ("x [string] [choices: \"a\", \"b\"] [default: \"a\"]", "a b", Some("a")),
            ("x (default \"info\")", "", Some("info")),
            ("x (default 5)", "", Some("5")),
            ("x [default: 3; required]", "", Some("3")),
            ("x (default: None)", "", None),
            ("x (env: X, default: 3)", "", Some("3")),
            (
                "the default is what it was (default mode of old)",
                "",
                Some("mode of old"),
            ),
            ("no notes", "", None),
        ] {
            let notes = notes(text);
            assert_eq!(
                (notes.choices.join(" ").as_str(), notes.default.as_deref()),
                (choices, default),
                "{text}"
            );
        }
    }

    #[test]
    fn aliases_kinds_and_age() {
        let one = notes("x [aliases: --mod, --m2] [short aliases: k]");
        assert_eq!(one.aliases, ["--mod", "--m2", "-k"]);
        assert_eq!(notes("x [array]").value, Some(FlagValue::Many));
        assert_eq!(notes("x [boolean] [default: false]").value, Some(FlagValue::Switch));
        for (text, expected) in [
            ("x [deprecated: use y] [boolean]", true),
            ("(DEPRECATED: use --y)", true),
            ("Deprecated, use --y", true),
            ("Shows deprecated models", false),
        ] {
            assert_eq!(notes(text).deprecated, expected, "{text}");
        }
    }
}
