//! Flags of help texts: what `--help` of a program printed, kept in files.
//!
//! A file of the scope that ends in `.txt` or `.help` is one. It is the text of one command, which is told by its usage
//! line (`Usage: tool exec [OPTIONS]`); where that names none, by the name of the file: `help/exec.txt`,
//! `help/mcp.add.txt` and `help/mcp/add.txt`. `main`, `index`, `root`, `help` and the program's own name are the program.
//!
//! What a text shows is all that it says: hidden flags are not there, and a value that may be repeated looks like one
//! that may not.

mod command;
mod entries;
mod notes;
mod spec;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::{Degraded, FlagValue, Place};

use super::collect::Found;
use super::draft::Draft;
use super::files::Files;
use crate::content;

/// The most names that are told of lines which cannot be read.
const MAX_HIDDEN: usize = 200;

/// Whether a path is that of a help text.
pub(crate) fn is_help(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| matches!(ending, "txt" | "help"))
}

/// One help text that was read.
struct Text {
    command: String,
    /// Each flag, and whether it stands under a heading for global ones.
    flags: Vec<(Draft, bool)>,
}

/// Reads the help texts of the scope.
pub(crate) fn read(files: &Files<'_>, found: &mut Found) {
    let paths: Vec<&str> = files.scope().filter(|path| is_help(path)).collect();
    let mut open = Vec::new();
    for path in paths {
        let Some(bytes) = files.tree.text(path) else { continue };
        let lost = |why: String| content::Damage::whole(why).at(path);
        if bytes.len() > text::MAX_TEXT {
            found
                .degraded
                .push(lost(format!("over {} KB, which is no help text", text::MAX_TEXT >> 10)));
            continue;
        }
        match content::text(&bytes) {
            Ok(text) if text.contains('\0') => found.degraded.push(lost("binary content".to_owned())),
            Ok(text) => open.push((path.to_owned(), text::lines(text), text.to_owned())),
            Err(damage) => found.degraded.push(damage.at(path)),
        }
    }
    let programs = command::programs(
        open.iter()
            .map(|(path, (lines, _), _)| (path.as_str(), lines.as_slice())),
    );
    let mut texts = Vec::new();
    for (path, (lines, long), whole) in open {
        for number in long {
            found.degraded.push(too_long(&path, number, &whole));
        }
        let command = programs.get(&path).cloned().unwrap_or_default();
        let flags = flags(&path, &command, &lines);
        if flags.is_empty() && !command::has_usage(&lines) {
            let damage = content::Damage::whole("neither a flag nor a usage line can be read in it");
            found.degraded.push(damage.at(&path));
        }
        texts.push(Text { command, flags });
    }
    lift(&mut texts);
    for text in texts {
        for (draft, _) in text.flags {
            found.flag(draft);
        }
    }
}

/// A line that is too long hides what is spelled in it.
fn too_long(path: &str, number: u32, text: &str) -> Degraded {
    let at = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    let line = text.lines().nth(at).unwrap_or_default();
    let words = line.split(|letter: char| !letter.is_alphanumeric() && !"-_.".contains(letter));
    let hides: BTreeSet<String> = words
        .filter(|word| super::draft::is_spelling(word))
        .map(str::to_owned)
        .take(MAX_HIDDEN)
        .collect();
    Degraded {
        file: path.to_owned(),
        lines: Some((number, number)),
        why: format!("a line of more than {} letters", text::MAX_LINE),
        hides: hides.into_iter().collect(),
    }
}

/// The flags of one text, and whether each stands under a heading for global ones.
fn flags(path: &str, command: &str, lines: &[text::Line]) -> Vec<(Draft, bool)> {
    let says = |words: &[&str]| {
        lines
            .iter()
            .any(|line| words.iter().any(|word| line.text.contains(word)))
    };
    // pflag shows the type of a value without a mark; yargs says what has none.
    let pflag = says(&["[flags]"]);
    let yargs = says(&["[boolean]", "[string]", "[number]", "[array]", "[count]"]);
    let entries = entries::entries(lines, pflag);
    entries
        .into_iter()
        .map(|entry| {
            let notes = notes::notes(&entry.description);
            let place = Place {
                file: path.to_owned(),
                line: entry.line,
            };
            let mut names = entry.spec.names;
            names.extend(notes.aliases);
            let mut flag = Draft::new(names, command, place);
            flag.value = match entry.spec.value {
                FlagValue::Switch => notes.value.unwrap_or(match (&notes.choices[..], yargs) {
                    ([_, ..], _) => FlagValue::One,
                    ([], true) => FlagValue::Unknown,
                    ([], false) => FlagValue::Switch,
                }),
                value => value,
            };
            flag.choices = if notes.choices.is_empty() {
                entry.spec.choices
            } else {
                notes.choices
            };
            flag.default = notes.default.map(|default| on_or_off(&flag, default));
            flag.deprecated = notes.deprecated;
            (flag, entry.global)
        })
        .collect()
}

/// The default of a pair of spellings is told by one of them.
fn on_or_off(flag: &Draft, default: String) -> String {
    let spelled = format!("--{}", default.trim_start_matches("--"));
    if flag.value == FlagValue::Switch && flag.names.contains(&spelled) {
        (!spelled.starts_with("--no-")).to_string()
    } else {
        default
    }
}

/// Gives what every command shows to the command above all of them, which hands it on: a flag that goes is then told
/// once.
fn lift(texts: &mut [Text]) {
    let own: BTreeMap<String, Vec<Draft>> = texts
        .iter()
        .map(|text| {
            (
                text.command.clone(),
                text.flags.iter().map(|(draft, _)| draft.clone()).collect(),
            )
        })
        .collect();
    let below = |outer: &str, inner: &str| {
        inner != outer && (outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with(' ')))
    };
    let alike = |one: &Draft, other: &Draft| {
        one.names.iter().collect::<BTreeSet<_>>() == other.names.iter().collect()
            && one.value == other.value
            && one.choices == other.choices
    };
    for text in texts.iter_mut() {
        let command = text.command.clone();
        let inner: Vec<&Vec<Draft>> = own
            .iter()
            .filter(|(other, _)| below(&command, other))
            .map(|(_, flags)| flags)
            .collect();
        for (draft, _) in &mut text.flags {
            draft.inherited |=
                !inner.is_empty() && inner.iter().all(|flags| flags.iter().any(|other| alike(draft, other)));
        }
    }
    let handed: Vec<Draft> = texts
        .iter()
        .flat_map(|text| &text.flags)
        .map(|(draft, _)| draft)
        .filter(|draft| draft.inherited)
        .cloned()
        .collect();
    for text in texts.iter_mut() {
        let command = text.command.clone();
        text.flags.retain(|(draft, _)| {
            !handed
                .iter()
                .any(|outer| below(&outer.command, &command) && alike(outer, draft))
        });
        for (draft, global) in &mut text.flags {
            if !*global {
                continue;
            }
            // The nearest command above that shows it as its own; else the program.
            let mut outer: Vec<&String> = own
                .iter()
                .filter(|(other, flags)| below(other, &command) && flags.iter().any(|other| alike(other, draft)))
                .map(|(other, _)| other)
                .collect();
            outer.sort_by_key(|other| other.len());
            draft.command = outer.first().map_or_else(String::new, |other| (*other).clone());
            draft.inherited = true;
        }
    }
}
