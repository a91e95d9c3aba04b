//! One flag while it is read: every spelling as declared, and what is known of it so far.

use std::sync::LazyLock;

use agent_contracts_wire::model::{Flag, FlagValue, Place};
use regex::Regex;

/// A flag that is being read.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "the facts of a flag, see the wire model")]
pub(crate) struct Draft {
    /// Every spelling, dashes included, in declared order.
    pub(crate) names: Vec<String>,
    /// The name of its program, `""` when the reader knows of one program only.
    pub(crate) program: String,
    /// The subcommand path, `""` for the program.
    pub(crate) command: String,
    pub(crate) inherited: bool,
    pub(crate) value: FlagValue,
    pub(crate) choices: Vec<String>,
    pub(crate) default: Option<String>,
    pub(crate) hidden: bool,
    pub(crate) deprecated: bool,
    pub(crate) place: Place,
    /// Declared in the files that were asked for.
    pub(crate) in_scope: bool,
}

impl Draft {
    /// A flag of `command` with nothing known but its spellings and its place.
    pub(crate) fn new(names: Vec<String>, command: &str, place: Place) -> Self {
        Self {
            names,
            program: String::new(),
            command: command.to_owned(),
            inherited: false,
            value: FlagValue::Unknown,
            choices: Vec::new(),
            default: None,
            hidden: false,
            deprecated: false,
            place,
            in_scope: true,
        }
    }

    /// The flag, or `None` when it has no spelling that a command line could hold. Its name is the first long spelling
    /// that is no negation, then the first negation, then the first short one.
    pub(crate) fn finish(self) -> Option<Flag> {
        let mut names: Vec<String> = self.names.into_iter().filter(|name| is_spelling(name)).collect();
        let long = |name: &&String| name.starts_with("--");
        let name = names
            .iter()
            .find(|name| long(name) && !name.starts_with("--no-"))
            .or_else(|| names.iter().find(long))
            .or_else(|| names.first())?
            .clone();
        names.retain(|other| *other != name);
        names.sort();
        names.dedup();
        Some(Flag {
            name,
            aliases: names,
            command: self.command.split_whitespace().collect::<Vec<_>>().join(" "),
            command_aliases: Vec::new(),
            inherited: self.inherited,
            value: self.value,
            choices: self.choices,
            default: self.default,
            hidden: self.hidden,
            deprecated: self.deprecated,
            place: self.place,
            in_scope: self.in_scope,
        })
    }
}

/// Whether a word can be typed as a flag: one or two dashes, then a letter or digit, then no blank and no `=`.
pub(crate) fn is_spelling(word: &str) -> bool {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    name.is_some_and(|name| {
        let mut letters = name.chars();
        letters
            .next()
            .is_some_and(|first| first.is_alphanumeric() || "?@#".contains(first))
            && letters.all(|letter| letter.is_alphanumeric() || "-_.:+?".contains(letter))
    })
}

/// `--name`, or `-n` when it is one letter.
pub(crate) fn dashed(name: &str) -> String {
    if name.chars().count() == 1 {
        format!("-{name}")
    } else {
        format!("--{name}")
    }
}

/// Whether a text calls its own flag deprecated. One that merely mentions something deprecated does not: "hide
/// deprecated models".
pub(crate) fn says_deprecated(text: &str) -> bool {
    static SAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(concat!(
            r"^\W*(?i:deprecated)\b(?:\W*$|\s*[-:.,;)\]—–]|\s+(?:in|since|and|use|as|by|alias|flag|option|no)\b)",
            r"|[(\[](?i:deprecated)\b",
            r"|\bDEPRECATED\b",
            r"|(?:[.!;—–:]|\s-)\s+(?:Deprecated|deprecated)\b\s*(?:[-:.,;!)—–]|$|in\b|since\b|use\b|alias\b)",
            r"|(?i:\bthis (?:flag|option|argument|switch|parameter) (?:is|has been|was) (?:now )?deprecated)",
        ))
        .ok()
    });
    SAYS.as_ref().is_some_and(|says| says.is_match(text.trim()))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn the_name_is_the_first_long_spelling() {
        for (names, name, aliases) in [
            (vec!["-m", "--model"], "--model", vec!["-m"]),
            (vec!["--yolo", "--yes", "-y"], "--yolo", vec!["--yes", "-y"]),
            (vec!["--no-color", "--color"], "--color", vec!["--no-color"]),
            (vec!["--no-color"], "--no-color", vec![]),
            (vec!["-C"], "-C", vec![]),
            (vec!["--x", "--x", "with blank"], "--x", vec![]),
        ] {
            let names = names.into_iter().map(str::to_owned).collect();
            let flag = Draft::new(names, "", Place::default()).finish().unwrap();
            assert_eq!(
                (flag.name.as_str(), flag.aliases),
                (name, aliases.into_iter().map(str::to_owned).collect())
            );
        }
        assert_eq!(Draft::new(vec!["--".to_owned()], "", Place::default()).finish(), None);
    }

    #[test]
    fn spellings() {
        for (word, expected) in [
            ("--model", true),
            ("-m", true),
            ("-ne", true),
            ("--4o", true),
            ("-?", true),
            ("--experimental_client-id", true),
            ("--", false),
            ("-", false),
            ("---", false),
            ("model", false),
            ("--a=b", false),
            ("--a b", false),
        ] {
            assert_eq!(is_spelling(word), expected, "{word}");
        }
    }

    #[test]
    fn a_flag_is_deprecated_by_what_its_own_text_says() {
        for (text, expected) in [
            ("(deprecated) now exits with guidance", true),
            ("[DEPRECATED: use the policy engine] Tools that may run", true),
            ("Starts the server (deprecated, use --acp instead)", true),
            ("Deprecated: use --model", true),
            ("DEPRECATED", true),
            ("Deprecated since 2.0", true),
            ("deprecated, use --model", true),
            ("Use the small model. Deprecated, use --model.", true),
            ("This flag is deprecated and does nothing.", true),
            ("Show deprecated models too", false),
            ("Deprecated models are shown too", false),
            ("Suppress deprecation warnings", false),
            ("Replaces the deprecated --old", false),
            ("", false),
        ] {
            assert_eq!(says_deprecated(text), expected, "{text}");
        }
    }
}
