//! Flags of commander: commands are followed through variables, functions that are given one, and functions that return
//! one, so that an option is the option of the command it is put on.
//!
//! A function that nobody in the scope calls adds to the program. A program that is made apart and named like a
//! subcommand (`new Command("doctor")`) goes by its own name. Source: commander's README.

mod commands;
mod functions;
mod option;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use serde_json::Value;
use tree_sitter::Node;

use self::commands::{Commands, Id, Key};
use super::Library;
use crate::flags::code::scopes::{FUNCTIONS, Local, Scopes};
use crate::flags::code::{JAVASCRIPT, around, children, javascript::spine};
use crate::flags::collect::Found;
use crate::flags::draft::Draft;
use crate::flags::expr::{Arg, Expr, positional};
use crate::flags::files::{File, Files, join};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &JAVASCRIPT,
    hints: &["commander", ".option(", ".addOption(", ".command(", "Command("],
    read,
};

/// Calls that lead to calls; more in a row are not followed.
const MAX_DEPTH: usize = 40;
/// What stands behind these is no command any more.
const LEAVES: [&str; 8] = [
    "opts",
    "optsWithGlobals",
    "parse",
    "parseAsync",
    "parseOptions",
    "helpInformation",
    "getOptionValue",
    "args",
];

type Span = (String, usize, usize);

struct Reader<'r, 'f> {
    files: &'r Files<'f>,
    found: &'r mut Found,
    commands: Commands,
    scopes: BTreeMap<String, Rc<Scopes>>,
    /// What was evaluated, by its bytes.
    known: BTreeMap<Span, Vec<Id>>,
    /// The names of the functions that commands are given to.
    functions: BTreeMap<Id, String>,
    /// Functions outside of the scope whose bodies were read.
    visited: BTreeSet<(String, usize)>,
}

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    if !scope.iter().any(|file| imports(file)) {
        return;
    }
    let mut reader = Reader {
        files,
        found,
        commands: Commands::default(),
        scopes: BTreeMap::new(),
        known: BTreeMap::new(),
        functions: BTreeMap::new(),
        visited: BTreeSet::new(),
    };
    for file in scope {
        reader.calls(file, file.root());
        for name in binaries(files, file) {
            reader.found.binary(&name);
        }
    }
    reader.drop_unused(scope);
    reader.finish();
}

/// The programs that the package of a file installs: `bin` of its manifest, or its name.
fn binaries(files: &Files<'_>, file: &File) -> Vec<String> {
    let folder = files.folder_with(&file.path, &["package.json"]);
    let text = folder.and_then(|folder| files.tree.text(&join(&folder, "package.json")));
    let manifest: Option<Value> = text.and_then(|text| serde_json::from_slice(&text).ok());
    let Some(manifest) = manifest else { return Vec::new() };
    match (manifest.get("bin"), manifest.get("name").and_then(Value::as_str)) {
        (Some(Value::Object(programs)), _) => programs.keys().cloned().collect(),
        (Some(Value::String(_)), Some(name)) => vec![name.rsplit('/').next().unwrap_or(name).to_owned()],
        _ => Vec::new(),
    }
}

/// Whether a file takes anything from commander. Others use it as far as they are given a command.
fn imports(file: &File) -> bool {
    let mut modules = file.bindings().imports.values().map(|import| import.module.as_str());
    modules.any(|module| module == "commander" || module.starts_with("@commander-js/"))
}

impl Reader<'_, '_> {
    /// Evaluates every call below a node.
    fn calls(&mut self, file: &Rc<File>, node: Node<'_>) {
        for call in file.nodes(node, &["call_expression"]) {
            self.commands_of(file, call, 0);
        }
    }

    /// The commands that an expression may be.
    fn commands_of(&mut self, file: &Rc<File>, node: Node<'_>, depth: usize) -> Vec<Id> {
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let span = (file.path.clone(), node.start_byte(), node.end_byte());
        if let Some(known) = self.known.get(&span) {
            return known.clone();
        }
        // What leads back to itself is nothing more.
        self.known.insert(span.clone(), Vec::new());
        let mut ids = match node.kind() {
            "call_expression" => self.chain(file, node, depth),
            "new_expression" => self.constructed(file, node),
            "identifier" | "this" => self.named(file, node, depth),
            "super" => self.inherited(file, node),
            "member_expression" => self.local(file, node, file.text(node), depth).unwrap_or_default(),
            "ternary_expression" => self.any(file, node, &["consequence", "alternative"], depth),
            "binary_expression" => self.any(file, node, &["left", "right"], depth),
            "assignment_expression" => self.any(file, node, &["right"], depth),
            "parenthesized_expression"
            | "await_expression"
            | "as_expression"
            | "non_null_expression"
            | "satisfies_expression" => {
                let inner = children(node).first().copied();
                inner.map_or_else(Vec::new, |inner| self.commands_of(file, inner, depth + 1))
            }
            _ => Vec::new(),
        };
        ids.sort_unstable();
        ids.dedup();
        self.known.insert(span, ids.clone());
        ids
    }

    fn any(&mut self, file: &Rc<File>, node: Node<'_>, sides: &[&str], depth: usize) -> Vec<Id> {
        let sides = sides.iter().filter_map(|side| node.child_by_field_name(side));
        sides.flat_map(|side| self.commands_of(file, side, depth + 1)).collect()
    }

    /// `new Command("name")`
    fn constructed(&mut self, file: &Rc<File>, node: Node<'_>) -> Vec<Id> {
        let class = node
            .child_by_field_name("constructor")
            .map_or("", |class| file.text(class));
        if class.rsplit('.').next() != Some("Command") {
            return Vec::new();
        }
        let args = node.child_by_field_name("arguments").map(children).unwrap_or_default();
        vec![self.program(file, node, args.first().copied())]
    }

    fn program(&mut self, file: &Rc<File>, node: Node<'_>, name: Option<Node<'_>>) -> Id {
        let key = Key::Made(file.path.clone(), node.start_byte());
        let id = self.commands.id(key, self.files.in_scope(&file.path));
        let name = name.map(|name| self.files.value(file, &file.lower(name)));
        self.commands.all[id].name = name.and_then(|name| first_word(&name));
        id
    }

    fn named(&mut self, file: &Rc<File>, node: Node<'_>, depth: usize) -> Vec<Id> {
        let name = file.text(node);
        if let Some(ids) = self.local(file, node, name, depth) {
            return ids;
        }
        let import = file.bindings().imports.get(name).cloned();
        if import.is_some_and(|import| import.module == "commander" && import.name.as_deref() != Some("Command")) {
            return vec![self.commands.id(Key::Shared, true)];
        }
        // A value of another module.
        let Some((home, there)) = self.files.origin(file, name) else {
            return Vec::new();
        };
        if home.path == file.path {
            return Vec::new();
        }
        let scopes = self.scopes(&home);
        let root = home.root();
        match scopes.find(&home, root, &there) {
            Some(Local::Values(values)) => self.values(&home, values, depth),
            _ => Vec::new(),
        }
    }

    /// `super.createCommand().option(…)`: what a class adds to the command of its base, which is called as the
    /// constructor says: `super("slack", …)`.
    fn inherited(&mut self, file: &Rc<File>, node: Node<'_>) -> Vec<Id> {
        if !imports(file) {
            return Vec::new();
        }
        let class = around(file.root(), node)
            .into_iter()
            .rev()
            .find(|outer| outer.kind() == "class_body");
        let calls = class
            .map(|class| file.nodes(class, &["call_expression"]))
            .unwrap_or_default();
        let own = calls.into_iter().find(|call| {
            call.child_by_field_name("function")
                .is_some_and(|function| function.kind() == "super")
        });
        let name = own.and_then(|call| children(call.child_by_field_name("arguments")?).first().copied());
        let name = name.and_then(|name| first_word(&self.files.value(file, &file.lower(name))));
        let key = Key::Text(
            file.path.clone(),
            format!("super {}", name.as_deref().unwrap_or_default()),
        );
        let id = self.commands.id(key, self.files.in_scope(&file.path));
        self.commands.all[id].name = name;
        vec![id]
    }

    fn scopes(&mut self, file: &Rc<File>) -> Rc<Scopes> {
        let known = self.scopes.entry(file.path.clone());
        Rc::clone(known.or_insert_with(|| Rc::new(Scopes::new(file))))
    }

    /// What a name of this file is; `None` when it is none.
    fn local(&mut self, file: &Rc<File>, node: Node<'_>, name: &str, depth: usize) -> Option<Vec<Id>> {
        let scopes = self.scopes(file);
        match scopes.find(file, node, name)? {
            Local::Values(values) => Some(self.values(file, values, depth)),
            Local::Parameter(function) => {
                let key = Key::Parameter(file.path.clone(), *function, name.to_owned());
                let id = self.commands.id(key, self.files.in_scope(&file.path));
                self.commands.all[id].stands = imports(file);
                if let Some(name) = function_name(file, *function) {
                    self.functions.insert(id, name);
                }
                Some(vec![id])
            }
        }
    }

    fn values(&mut self, file: &Rc<File>, values: &[Range<usize>], depth: usize) -> Vec<Id> {
        let nodes = values.iter().filter_map(|value| file.node_at(value));
        nodes
            .flat_map(|value| self.commands_of(file, value, depth + 1))
            .collect()
    }

    /// `base.command("x").option("-y")…`
    fn chain(&mut self, file: &Rc<File>, node: Node<'_>, depth: usize) -> Vec<Id> {
        let Some(spine) = spine(node) else { return Vec::new() };
        let mut ids = if spine.base.kind() == "call_expression" {
            self.called(file, spine.base, depth)
        } else {
            self.commands_of(file, spine.base, depth + 1)
        };
        for (index, call) in spine.calls.iter().enumerate() {
            let args = children(call.arguments);
            let name = file.text(call.name);
            // A command that only its text tells: `this.program` of a class declared elsewhere.
            if ids.is_empty()
                && matches!(name, "option" | "requiredOption" | "addOption")
                && index == 0
                && imports(file)
            {
                let first = args.first().map_or("", |first| file.text(*first));
                if first.trim_start_matches(['"', '\'', '`']).starts_with('-') || first.starts_with("new Option(") {
                    let key = Key::Text(file.path.clone(), file.text(spine.base).to_owned());
                    ids = vec![self.commands.id(key, self.files.in_scope(&file.path))];
                }
            }
            // `this.register(program)`
            if ids.is_empty() && spine.base.kind() == "this" && index == 0 {
                ids = self.method(file, name, &args, depth);
                continue;
            }
            ids = self.call(file, call.name, &args, ids, depth);
        }
        ids
    }

    fn call(&mut self, file: &Rc<File>, name: Node<'_>, args: &[Node<'_>], ids: Vec<Id>, depth: usize) -> Vec<Id> {
        if ids.is_empty() {
            return ids;
        }
        let lowered = || -> Vec<Arg> {
            args.iter()
                .map(|arg| Arg {
                    name: None,
                    value: file.lower(*arg),
                })
                .collect()
        };
        match file.text(name) {
            "command" => return self.subcommand(file, name, &lowered(), ids),
            "addCommand" => {
                let added = args.first().map(|arg| self.commands_of(file, *arg, depth + 1));
                let hidden = lowered()
                    .get(1)
                    .is_some_and(|options| is_true(&options.value, "hidden"));
                for id in added.unwrap_or_default() {
                    let command = &mut self.commands.all[id];
                    command.above.extend(ids.iter().copied().filter(|above| *above != id));
                    command.hidden |= hidden;
                }
            }
            "option" | "requiredOption" => {
                let flag = option::inline(self.files, file, &lowered(), file.place(name).line);
                self.put(file, name, args, flag, &ids);
            }
            "addOption" => {
                let args_lowered = lowered();
                let flag = args_lowered
                    .first()
                    .and_then(|arg| option::made(self.files, file, &arg.value, 0));
                self.put(file, name, args, flag, &ids);
            }
            "version" if !args.is_empty() => {
                let flags = args.get(1).map(|flags| self.files.value(file, &file.lower(*flags)));
                let flags = flags.as_ref().and_then(Expr::text).unwrap_or("-V, --version");
                if let Some((names, value)) = option::spellings(flags) {
                    let mut flag = Draft::new(names, "", file.place(name));
                    flag.value = value;
                    self.put(file, name, args, Some(flag), &ids);
                }
            }
            "name" => {
                let name = args.first().map(|name| self.files.value(file, &file.lower(*name)));
                if let Some(name) = name.and_then(|name| first_word(&name)) {
                    for id in &ids {
                        let command = &mut self.commands.all[*id];
                        if !command.part {
                            command.name = Some(name.clone());
                        }
                    }
                }
            }
            "alias" | "aliases" => {
                let names = args.first().map(|names| self.files.value(file, &file.lower(*names)));
                let names = names.and_then(|names| names.texts()).unwrap_or_default();
                for id in &ids {
                    self.commands.all[*id].aliases.extend(names.iter().cloned());
                }
            }
            "enablePositionalOptions" => {
                for id in &ids {
                    self.commands.all[*id].positional = true;
                }
            }
            name if LEAVES.contains(&name) => return Vec::new(),
            _ => {}
        }
        ids
    }

    /// `.command("name <args>")`; with a description as the second argument it is a program of its own, started from
    /// here, and the chain goes on with what it was.
    fn subcommand(&mut self, file: &Rc<File>, at: Node<'_>, args: &[Arg], ids: Vec<Id>) -> Vec<Id> {
        let second = positional(args, 1);
        if second.is_some_and(|second| matches!(second, Expr::Text(_) | Expr::Joined(_))) {
            return ids;
        }
        let name = positional(args, 0).and_then(|name| first_word(&self.files.value(file, name)));
        if name.is_none() && imports(file) {
            self.found.unresolved(file.place(at), "the name of a command");
        }
        let key = Key::Made(file.path.clone(), at.start_byte());
        let id = self.commands.id(key, self.files.in_scope(&file.path));
        let command = &mut self.commands.all[id];
        command.name = name;
        command.part = true;
        command.above.extend(ids);
        command.hidden = second.is_some_and(|options| is_true(options, "hidden") || is_true(options, "noHelp"));
        vec![id]
    }

    /// Puts an option on commands.
    fn put(&mut self, file: &Rc<File>, at: Node<'_>, args: &[Node<'_>], flag: Option<Draft>, ids: &[Id]) {
        let Some(mut flag) = flag else {
            let first = args.first().map(|first| self.files.value(file, &file.lower(*first)));
            // A name without dashes is an option of another library.
            if let Some(first) = first
                && first.text().is_none()
                && self.files.in_scope(&file.path)
                && imports(file)
            {
                let what = args.first().map_or("", |first| file.text(*first));
                self.found.unresolved(file.place(at), &format!("an option: {what}"));
            }
            return;
        };
        flag.in_scope = self.files.in_scope(&file.path);
        for id in ids {
            self.commands.all[*id].flags.push(flag.clone());
        }
    }

    /// Where the program is in the scope, a function that nothing there names puts nothing on it.
    fn drop_unused(&mut self, scope: &[Rc<File>]) {
        let root = |command: &commands::Command| {
            !command.part && command.above.is_empty() && matches!(command.key, Key::Made(..) | Key::Shared)
        };
        if !self.commands.all.iter().any(root) {
            return;
        }
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for file in scope {
            for name in file.nodes(
                file.root(),
                &["identifier", "property_identifier", "shorthand_property_identifier"],
            ) {
                let declares = name.parent().is_some_and(|parent| {
                    matches!(parent.kind(), "import_specifier" | "export_specifier")
                        || parent.child_by_field_name("name") == Some(name)
                });
                *named.entry(file.text(name)).or_default() += usize::from(!declares);
            }
        }
        for (id, name) in &self.functions {
            if named.get(name.as_str()).copied().unwrap_or_default() == 0 {
                self.commands.all[*id].stands = false;
            }
        }
    }

    fn finish(self) {
        let has_parts = self.commands.with_parts();
        for (id, command) in self.commands.all.iter().enumerate() {
            if command.flags.is_empty() && command.aliases.is_empty() {
                continue;
            }
            for at in self.commands.places(id) {
                for alias in &command.aliases {
                    self.found.command_alias(&at.program, &at.path, alias);
                }
                for flag in &command.flags {
                    if !flag.in_scope && !at.in_scope {
                        continue;
                    }
                    let mut flag = flag.clone();
                    flag.program.clone_from(&at.program);
                    flag.command.clone_from(&at.path);
                    flag.inherited = !at.positional && (at.path.is_empty() || has_parts.contains(&id));
                    flag.hidden |= at.hidden;
                    self.found.flag(flag);
                }
            }
        }
    }
}

/// The name of the function that starts at a byte.
fn function_name(file: &File, start: usize) -> Option<String> {
    let function = file.root().descendant_for_byte_range(start, start)?;
    let outer = around(file.root(), function).into_iter().chain([function]);
    let function = outer
        .into_iter()
        .find(|outer| outer.start_byte() == start && FUNCTIONS.contains(&outer.kind()))?;
    let holder = function
        .parent()
        .filter(|holder| holder.kind() == "variable_declarator");
    let name = function
        .child_by_field_name("name")
        .or_else(|| holder?.child_by_field_name("name"))?;
    Some(file.text(name).to_owned())
}

fn is_true(options: &Expr, key: &str) -> bool {
    options.get(key).and_then(Expr::bool) == Some(true)
}

fn first_word(name: &Expr) -> Option<String> {
    name.text()?.split_whitespace().next().map(str::to_owned)
}
