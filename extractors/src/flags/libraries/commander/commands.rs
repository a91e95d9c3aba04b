//! The commands of one extraction: which is below which, and what each is called.

use std::collections::{BTreeMap, BTreeSet};

use crate::flags::draft::Draft;

/// A command, by its place in [`Commands`].
pub(super) type Id = usize;

/// Subcommands that nest deeper go in a circle.
const MAX_DEPTH: usize = 16;
/// The most places that one command has; helpers are called with many commands.
const MAX_PLACES: usize = 64;

/// What makes a command one of its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// Made by the call at this byte of a file.
    Made(String, usize),
    /// Given to the function that starts at this byte, under this name.
    Parameter(String, usize, String),
    /// What a text of a file stands for.
    Text(String, String),
    /// The `program` that the library exports.
    Shared,
}

/// One command.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the facts of a command")]
pub(super) struct Command {
    pub(super) key: Key,
    /// Its name; `None` when there is none, or it cannot be read.
    pub(super) name: Option<String>,
    /// Made by `.command(…)`, or given to a function: it is nothing without what it belongs to.
    pub(super) part: bool,
    /// What it is below of, or what a parameter stands for.
    pub(super) above: BTreeSet<Id>,
    pub(super) flags: Vec<Draft>,
    /// Other names.
    pub(super) aliases: Vec<String>,
    /// It, or one above it, takes its options in front of subcommands only.
    pub(super) positional: bool,
    pub(super) hidden: bool,
    pub(super) in_scope: bool,
    /// It is a command even when nobody is seen to hand it over.
    pub(super) stands: bool,
}

/// Where a command stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    /// The name of the program, `""` when unknown.
    pub(super) program: String,
    /// The path below it.
    pub(super) path: String,
    pub(super) positional: bool,
    pub(super) hidden: bool,
    /// The command itself is made in the scope.
    pub(super) in_scope: bool,
}

/// The commands.
#[derive(Debug, Default)]
pub(super) struct Commands {
    pub(super) all: Vec<Command>,
    ids: BTreeMap<Key, Id>,
}

impl Commands {
    /// The command of that key, made when it is not there yet.
    pub(super) fn id(&mut self, key: Key, in_scope: bool) -> Id {
        let next = self.all.len();
        let id = *self.ids.entry(key.clone()).or_insert(next);
        if id == next {
            self.all.push(Command {
                part: matches!(key, Key::Parameter(..)),
                key,
                name: None,
                above: BTreeSet::new(),
                flags: Vec::new(),
                aliases: Vec::new(),
                positional: false,
                hidden: false,
                in_scope,
                stands: true,
            });
        }
        id
    }

    /// The commands that have subcommands, those that were handed over to a function that makes them included.
    pub(super) fn with_parts(&self) -> BTreeSet<Id> {
        let mut found = BTreeSet::new();
        let given = |command: &Command| matches!(command.key, Key::Parameter(..));
        let parts = self.all.iter().filter(|command| command.part && !given(command));
        let mut open: Vec<Id> = parts.flat_map(|command| command.above.iter().copied()).collect();
        while let Some(id) = open.pop() {
            if found.insert(id)
                && let Some(command) = self.all.get(id).filter(|command| given(command))
            {
                open.extend(command.above.iter().copied());
            }
        }
        found
    }

    /// Where a command stands; several places when a helper was given several commands.
    pub(super) fn places(&self, id: Id) -> Vec<At> {
        let mut places = BTreeSet::new();
        self.collect(id, 0, &mut places);
        places.into_iter().collect()
    }

    fn collect(&self, id: Id, depth: usize, places: &mut BTreeSet<At>) {
        let Some(command) = self.all.get(id).filter(|_| depth < MAX_DEPTH) else {
            return;
        };
        let given = matches!(command.key, Key::Parameter(..));
        let own = At {
            program: String::new(),
            path: String::new(),
            positional: command.positional,
            hidden: command.hidden,
            in_scope: command.in_scope,
        };
        if command.above.is_empty() {
            if !command.stands {
                return;
            }
            let name = command.name.clone().unwrap_or_default();
            places.insert(if command.part {
                At { path: name, ..own }
            } else {
                At { program: name, ..own }
            });
            return;
        }
        for &above in &command.above {
            let mut outer = BTreeSet::new();
            if above != id {
                self.collect(above, depth + 1, &mut outer);
            }
            for at in outer {
                if places.len() >= MAX_PLACES {
                    return;
                }
                let positional = at.positional || own.positional;
                places.insert(if given {
                    At { positional, ..at }
                } else {
                    let name = command.name.as_deref().unwrap_or_default();
                    At {
                        path: format!("{} {name}", at.path).trim().to_owned(),
                        program: at.program,
                        positional,
                        hidden: at.hidden || own.hidden,
                        in_scope: own.in_scope,
                    }
                });
            }
        }
    }
}
