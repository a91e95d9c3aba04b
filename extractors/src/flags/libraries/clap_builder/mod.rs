//! Flags of clap's builder: `Command::new("x").arg(Arg::new("y").long("y")).subcommand(…)`.
//!
//! Functions that build commands are run: a command is a value that calls hand on, so variables, helpers that take a
//! command and give it back, loops over literals and `mut_arg` come out as they do in the program. Every branch is
//! taken. Source: the documentation of clap's `Command` and `Arg` (docs.rs/clap).

mod arg;
mod run;
mod values;

use std::collections::BTreeSet;
use std::rc::Rc;

use self::arg::ArgSpec;
use self::run::Runner;
use super::Library;
use crate::flags::code::RUST;
use crate::flags::collect::Found;
use crate::flags::files::{File, Files};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &RUST,
    hints: &["Arg::new", "Arg::with_name", "arg!("],
    read,
};

/// Subcommands that nest deeper go in a circle.
const MAX_DEPTH: usize = 16;

/// A command while it is built.
#[derive(Debug, Clone, Default, PartialEq)]
struct Cmd {
    name: String,
    args: Vec<ArgSpec>,
    subs: Vec<Cmd>,
    hidden: bool,
    /// Other names.
    aliases: Vec<String>,
    /// What was put on it and could not be read, with its line.
    unread: Vec<(u32, String)>,
}

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let mut runner = Runner::new(files, scope);
    let mut built = Vec::new();
    for file in scope {
        for function in file.nodes(file.root(), &["function_item"]) {
            let text = file.text(function);
            let builds = ["Command::new", "App::new", "command!(", "Command::with_name"]
                .iter()
                .any(|sign| text.contains(sign));
            if builds && !super::clap_derive::in_tests(file, function) {
                let id = (file.path.clone(), function.start_byte());
                let commands = runner.program(file, function);
                built.push((id, Rc::clone(file), commands));
            }
        }
    }
    let mut told: BTreeSet<String> = BTreeSet::new();
    for (id, file, commands) in built {
        for (command, parsed) in commands {
            // What another function takes is part of what that one builds.
            if (parsed || !runner.called.contains(&id)) && has_flags(&command, 0) && told.insert(format!("{command:?}"))
            {
                tell(&file, &command, &command.name, "", false, 0, found);
            }
        }
    }
}

fn has_flags(command: &Cmd, depth: usize) -> bool {
    let own = command.args.iter().any(|arg| !arg.names.is_empty());
    own || depth < MAX_DEPTH && command.subs.iter().any(|sub| has_flags(sub, depth + 1))
}

fn tell(file: &File, command: &Cmd, program: &str, path: &str, hidden: bool, depth: usize, found: &mut Found) {
    for arg in &command.args {
        if let Some(mut flag) = arg.flag() {
            program.clone_into(&mut flag.program);
            path.clone_into(&mut flag.command);
            flag.hidden |= hidden;
            found.flag(flag);
        }
        if let Some(unread) = &arg.unread {
            found.unresolved(arg.place.clone(), unread);
        }
    }
    for (line, what) in &command.unread {
        found.unresolved(file.place_at(*line), what);
    }
    if depth < MAX_DEPTH {
        for sub in &command.subs {
            let path = format!("{path} {}", sub.name);
            for alias in &sub.aliases {
                found.command_alias(program, &path, alias);
            }
            tell(file, sub, program, path.trim(), hidden || sub.hidden, depth + 1, found);
        }
    }
}
