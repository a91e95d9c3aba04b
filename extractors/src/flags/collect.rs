//! What the readers found, and the flags that come of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::{Degraded, Flag, FlagValue, Place, Unresolved};

use super::draft::Draft;

/// The most flags that one extraction keeps. The largest command line that we know has 400.
const MAX_FLAGS: usize = 50_000;
/// The most paths that one command is told by.
const MAX_PATHS: usize = 32;

/// What the readers found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    drafts: Vec<Draft>,
    /// Programs that their package installs.
    binaries: BTreeSet<String>,
    /// Other names of commands, by program and path.
    commands: BTreeMap<(String, String), BTreeSet<String>>,
    unresolved: Vec<Unresolved>,
    pub(crate) degraded: Vec<Degraded>,
}

impl Found {
    /// Keeps a flag.
    pub(crate) fn flag(&mut self, draft: Draft) {
        if self.drafts.len() < MAX_FLAGS {
            self.drafts.push(draft);
        }
    }

    /// Notes that the command at a path has another name, which stands in place of its last word.
    pub(crate) fn command_alias(&mut self, program: &str, path: &str, alias: &str) {
        let path = path.split_whitespace().collect::<Vec<_>>().join(" ");
        self.commands
            .entry((program.to_owned(), path))
            .or_default()
            .insert(alias.to_owned());
    }

    /// Every other path of a command: each word by any of its names.
    fn other_paths(&self, draft: &Draft) -> Vec<String> {
        let mut paths = BTreeSet::from([String::new()]);
        let mut canonical = String::new();
        for word in draft.command.split_whitespace() {
            format!("{canonical} {word}").trim().clone_into(&mut canonical);
            let key = (draft.program.clone(), canonical.clone());
            let names = self.commands.get(&key).into_iter().flatten().map(String::as_str);
            let names: Vec<&str> = std::iter::once(word).chain(names).collect();
            let longer = paths
                .iter()
                .flat_map(|path| names.iter().map(move |name| format!("{path} {name}").trim().to_owned()));
            paths = longer.take(MAX_PATHS).collect();
        }
        paths.remove(&canonical);
        paths.into_iter().collect()
    }

    /// Notes that a package installs a program of this name.
    pub(crate) fn binary(&mut self, name: &str) {
        self.binaries.insert(name.to_owned());
    }

    /// Keeps what could not be resolved, shortened to one line.
    pub(crate) fn unresolved(&mut self, place: Place, what: &str) {
        let mut what = what.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = what.char_indices().nth(120) {
            what.truncate(end);
            what.push('…');
        }
        self.unresolved.push(Unresolved { place, what });
    }

    /// What was found so far, as flags: what is declared twice in one command is one flag.
    ///
    /// Of several programs one is the program (see `main_program`), and the commands of the others begin with their names,
    /// so that two programs in one scope do not mix. That of the first may begin with its name too: which one is first
    /// is no change of a command line.
    pub(crate) fn flags(&self, main: &dyn Fn(&str) -> bool) -> Vec<Flag> {
        let mut flags: BTreeMap<(String, String), Flag> = BTreeMap::new();
        let mut drafts: Vec<&Draft> = self.drafts.iter().collect();
        // The first by place gives what a later one repeats, whatever the order of the readers.
        drafts.sort_by(|a, b| (!a.in_scope, &a.place).cmp(&(!b.in_scope, &b.place)));
        let program = self.main_program(main);
        let names: BTreeSet<&str> = self.drafts.iter().map(|draft| draft.program.as_str()).collect();
        let several = program.is_some() && names.into_iter().filter(|name| !name.is_empty()).count() > 1;
        let named = |draft: &Draft| {
            let mut paths = self.other_paths(draft);
            let mut draft = draft.clone();
            if !draft.program.is_empty() && several {
                let by_name = |path: &str| format!("{} {path}", draft.program).trim().to_owned();
                let named: Vec<String> = std::iter::once(&draft.command)
                    .chain(&paths)
                    .map(|path| by_name(path))
                    .collect();
                if program == Some(draft.program.as_str()) {
                    paths.extend(named);
                } else {
                    let mut named = named.into_iter();
                    draft.command = named.next().unwrap_or_default();
                    paths = named.collect();
                }
            }
            let flag = draft.finish()?;
            Some(Flag {
                command_aliases: paths,
                ..flag
            })
        };
        for flag in drafts.into_iter().filter_map(named) {
            let key = (flag.command.clone(), flag.name.clone());
            match flags.get_mut(&key) {
                Some(known) => merge(known, flag),
                None => {
                    flags.insert(key, flag);
                }
            }
        }
        flags.into_values().collect()
    }

    /// The program that its package installs; else one that has subcommands; else the first by its place. Only files for
    /// which `main` holds count.
    fn main_program(&self, main: &dyn Fn(&str) -> bool) -> Option<&str> {
        let mut programs: BTreeMap<&str, (bool, &Place)> = BTreeMap::new();
        for draft in &self.drafts {
            if draft.program.is_empty() || !main(&draft.place.file) {
                continue;
            }
            let (commands, first) = programs.entry(&draft.program).or_insert((false, &draft.place));
            *commands |= !draft.command.trim().is_empty();
            *first = (*first).min(&draft.place);
        }
        let rank = |program: &&str| {
            let (commands, first) = programs.get(program)?;
            Some((self.binaries.contains(*program), *commands, Reverse(*first)))
        };
        programs.keys().copied().max_by_key(rank)
    }

    /// The model of the files of `scope`; `main` as in [`Self::flags`].
    pub(crate) fn model(mut self, scope: &[String], main: &dyn Fn(&str) -> bool) -> WireModel {
        let flags = self.flags(main);
        self.unresolved.sort();
        self.unresolved.dedup();
        self.degraded.sort();
        self.degraded.dedup();
        WireModel {
            flags,
            unresolved: self.unresolved,
            degraded: self.degraded,
            files: u32::try_from(scope.len()).unwrap_or(u32::MAX),
            ..WireModel::default()
        }
    }
}

/// Two declarations of one flag. Where they disagree nothing is said.
fn merge(known: &mut Flag, other: Flag) {
    for name in other.aliases {
        if !known.aliases.contains(&name) {
            known.aliases.push(name);
        }
    }
    known.aliases.sort();
    known.command_aliases.extend(other.command_aliases);
    known.command_aliases.sort();
    known.command_aliases.dedup();
    known.value = match (known.value, other.value) {
        (a, b) if a == b => a,
        (FlagValue::Unknown, b) => b,
        (a, FlagValue::Unknown) => a,
        _ => FlagValue::Unknown,
    };
    if known.choices.is_empty() {
        known.choices = other.choices;
    }
    if known.default != other.default {
        known.default = None;
    }
    known.inherited |= other.inherited;
    known.hidden &= other.hidden;
    known.deprecated &= other.deprecated;
    known.in_scope |= other.in_scope;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(name: &str, line: u32) -> Draft {
        let place = Place { file: "a".into(), line };
        Draft::new(vec![name.to_owned()], "run", place)
    }

    #[test]
    fn what_is_declared_twice_is_one_flag_and_where_it_disagrees_unknown() {
        let mut found = Found::default();
        found.flag(Draft {
            value: FlagValue::One,
            default: Some("2".into()),
            hidden: true,
            ..draft("--x", 9)
        });
        found.flag(Draft {
            names: vec!["--x".into(), "-x".into()],
            value: FlagValue::Switch,
            default: Some("1".into()),
            ..draft("--x", 2)
        });
        let flags = found.flags(&|_| true);
        assert_eq!(flags.len(), 1);
        assert_eq!(
            (
                flags[0].value,
                flags[0].default.clone(),
                flags[0].hidden,
                flags[0].place.line
            ),
            (FlagValue::Unknown, None, false, 2)
        );
        assert_eq!(flags[0].aliases, ["-x"]);
    }

    #[test]
    fn the_flags_of_two_programs_do_not_mix() {
        let mut found = Found::default();
        for (name, line, program) in [("--x", 1, "one"), ("--y", 2, "one"), ("--x", 3, "two"), ("--z", 4, "")] {
            found.flag(Draft {
                program: program.to_owned(),
                ..draft(name, line)
            });
        }
        let told = |found: &Found, main: &dyn Fn(&str) -> bool| -> Vec<String> {
            let flags = found.flags(main).into_iter();
            flags.map(|flag| format!("{}: {}", flag.command, flag.name)).collect()
        };
        assert_eq!(
            told(&found, &|_| true),
            ["run: --x", "run: --y", "run: --z", "two run: --x"]
        );
        found.binary("two");
        assert_eq!(
            found
                .flags(&|_| true)
                .first()
                .map(|flag| (flag.command.clone(), flag.name.clone())),
            Some(("one run".to_owned(), "--x".to_owned()))
        );
        found.binaries.clear();
        // Nothing to tell the main one by: no name is put in front.
        assert_eq!(told(&found, &|_| false), ["run: --x", "run: --y", "run: --z"]);
    }

    #[test]
    fn a_command_is_told_by_all_its_paths() {
        let mut found = Found::default();
        found.flag(Draft {
            command: "sandbox macos".to_owned(),
            ..draft("--x", 1)
        });
        found.command_alias("", "sandbox", "debug");
        found.command_alias("", "sandbox  macos", "seatbelt");
        let flags = found.flags(&|_| true);
        assert_eq!(
            flags[0].command_aliases,
            ["debug macos", "debug seatbelt", "sandbox seatbelt"]
        );
    }

    #[test]
    fn what_is_unresolved_is_told_in_one_short_line() {
        let mut found = Found::default();
        found.unresolved(Place::default(), &format!("a\n  b {}", "é".repeat(300)));
        let model = found.model(&["a".to_owned()], &|_| true);
        assert!(model.unresolved[0].what.starts_with("a b é"));
        assert_eq!((model.unresolved[0].what.chars().count(), model.files), (121, 1));
    }
}
