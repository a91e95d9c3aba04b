//! Flags of cobra commands and pflag sets, and of Go's own `flag` package.
//!
//! Commands are joined over the files of their packages and those above, since a program adds its commands in one place
//! and declares their flags in others. Only flags declared in the scope are told. Flags whose table is walked by a loop
//! are read row by row. Source: pkg.go.dev/github.com/spf13/cobra.

mod commands;
mod methods;
mod tables;

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;
use tree_sitter::Node;

use self::commands::{Commands, FlagSet};
use super::Library;
use crate::flags::code::{GO, children};
use crate::flags::collect::Found;
use crate::flags::draft::{Draft, dashed, says_deprecated};
use crate::flags::expr::{Arg, Expr, Step, positional};
use crate::flags::files::{File, Files, contains, parent};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &GO,
    hints: &["spf13/cobra", "spf13/pflag", "\"flag\""],
    read,
};

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let all = around(files, scope);
    let commands = Commands::read(files, &all);
    for file in scope {
        let mut reader = Reader {
            files,
            file,
            commands: &commands,
            flags: Vec::new(),
            found,
        };
        for node in file.nodes(file.root(), &["call_expression"]) {
            reader.declaration(node);
        }
        for node in file.nodes(file.root(), &["call_expression", "assignment_statement"]) {
            reader.mark(node);
        }
        let flags = reader.flags;
        for (set, mut flag) in flags {
            if let Some(set) = set {
                flag.command = commands.path(&set.command);
                flag.inherited = set.persistent;
            }
            found.flag(flag);
        }
    }
}

/// The files of the packages of the scope, and of those in the folders above, that know cobra.
fn around(files: &Files<'_>, scope: &[Rc<File>]) -> Vec<Rc<File>> {
    let mut all: BTreeMap<String, Rc<File>> = BTreeMap::new();
    let mut seen = std::collections::BTreeSet::new();
    for file in scope {
        let mut folder = parent(&file.path);
        loop {
            if seen.insert(folder.to_owned()) {
                let here = files
                    .below(folder)
                    .filter(|path| parent(path) == folder && GO.reads(path));
                let knows = |path: &&String| files.tree.text(path).is_some_and(|text| contains(&text, b"cobra"));
                let open = here
                    .filter(knows)
                    .filter_map(|path| Some((path.clone(), files.open(path)?)));
                all.extend(open);
            }
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
        all.insert(file.path.clone(), Rc::clone(file));
    }
    all.into_values().collect()
}

struct Reader<'r, 'f> {
    files: &'r Files<'f>,
    file: &'r Rc<File>,
    commands: &'r Commands,
    flags: Vec<(Option<FlagSet>, Draft)>,
    found: &'r mut Found,
}

impl Reader<'_, '_> {
    /// The sets that a method is called on; `None` for those of the package.
    fn sets(&self, node: Node<'_>, receiver: &Expr) -> Vec<Option<FlagSet>> {
        if matches!(receiver, Expr::Name(name) if matches!(name.as_str(), "flag" | "pflag" | "flags")) {
            let sets = self.commands.sets(self.file, node, receiver);
            return if sets.is_empty() {
                vec![None]
            } else {
                sets.into_iter().map(Some).collect()
            };
        }
        self.commands
            .sets(self.file, node, receiver)
            .into_iter()
            .map(Some)
            .collect()
    }

    /// `….StringP("name", "n", "default", "usage")`
    fn declaration(&mut self, node: Node<'_>) {
        let expr = self.file.lower(node);
        let Some(chain) = expr.chain() else { return };
        let [before @ .., Step::Member(method), Step::Call(args, line)] = chain.steps.as_slice() else {
            return;
        };
        if methods::declared(method, args).is_none() {
            return;
        }
        let sets = self.sets(node, &chain.until(before.len()));
        if sets.is_empty() {
            return;
        }
        for args in tables::rows(self.files, self.file, node, args) {
            let Some(flag) = self.flag(method, &args, *line) else {
                let what = format!("the name of a flag: {}", self.file.text(node));
                self.found.unresolved(self.file.place(node), &what);
                continue;
            };
            for set in &sets {
                self.flags.push((set.clone(), flag.clone()));
            }
        }
    }

    fn flag(&self, method: &str, args: &[Arg], line: u32) -> Option<Draft> {
        let value = |expr: &Expr| self.files.value(self.file, expr);
        let declared = methods::declared(method, args)?;
        let name = value(declared.name).text()?.to_owned();
        let mut flag = Draft::new(vec![format!("--{name}")], "", self.file.place_at(line));
        let short = declared.short.map(value);
        flag.names.extend(
            short
                .as_ref()
                .and_then(Expr::text)
                .filter(|short| !short.is_empty())
                .map(dashed),
        );
        flag.value = declared.value;
        flag.default = declared.default.map(value).and_then(|value| match value {
            Expr::Typed(_, body) => body.literal(),
            value => value.literal(),
        });
        flag.deprecated = declared
            .usage
            .is_some_and(|usage| says_deprecated(&value(usage).words()));
        Some(flag)
    }

    /// `….MarkHidden("name")`, `….Lookup("name").NoOptDefVal = "…"`
    fn mark(&mut self, node: Node<'_>) {
        let left = || children(node.child_by_field_name("left")?).first().copied();
        let target = if node.kind() == "assignment_statement" {
            left()
        } else {
            Some(node)
        };
        let Some(expr) = target.map(|target| self.file.lower(target)) else {
            return;
        };
        let Some(chain) = expr.chain() else { return };
        let (at, what, args) = match chain.steps.as_slice() {
            [before @ .., Step::Member(method), Step::Call(args, _)] => (before.len(), method.as_str(), args),
            [
                before @ ..,
                Step::Member(lookup),
                Step::Call(args, _),
                Step::Member(field),
            ] if lookup == "Lookup" => (before.len(), field.as_str(), args),
            _ => return,
        };
        if !matches!(
            what,
            "MarkHidden" | "MarkDeprecated" | "NoOptDefVal" | "Hidden" | "Deprecated"
        ) {
            return;
        }
        let Some(name) = positional(args, 0).map(|name| self.files.value(self.file, name)) else {
            return;
        };
        let Some(name) = name.text().map(|name| format!("--{name}")) else {
            return;
        };
        for set in self.sets(node, &chain.until(at)) {
            for (_, flag) in self
                .flags
                .iter_mut()
                .filter(|(owner, flag)| *owner == set && flag.names.contains(&name))
            {
                match what {
                    "MarkHidden" | "Hidden" => flag.hidden = true,
                    "MarkDeprecated" | "Deprecated" => flag.deprecated = true,
                    _ if flag.value == FlagValue::One => flag.value = FlagValue::Optional,
                    _ => {}
                }
            }
        }
    }
}
