//! Flags of yargs: `.option("name", {…})` and its relatives, in chains, in builders of commands and in command modules.
//!
//! Where a call stands says which command it is for: within the builder of a command it is for that one, elsewhere for
//! the program. Command modules are joined by `.command(module)`; one that nobody in the scope adds stands by its own
//! name. Source: yargs' `docs/api.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;
use tree_sitter::Node;

use super::Library;
use crate::flags::code::{JAVASCRIPT, around, children, javascript::spine};
use crate::flags::collect::Found;
use crate::flags::draft::{Draft, dashed, says_deprecated};
use crate::flags::expr::Expr;
use crate::flags::files::{File, Files, contains};
use crate::syntax::{line, walk};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &JAVASCRIPT,
    hints: &["yargs", "builder"],
    read,
};

/// Calls within calls that nest deeper are not read.
const MAX_DEPTH: usize = 60;

/// Methods that say one thing of named options.
const SETTERS: [&str; 12] = [
    "boolean",
    "string",
    "number",
    "array",
    "count",
    "choices",
    "default",
    "hide",
    "nargs",
    "requiresArg",
    "alias",
    "deprecateOption",
];

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let mut reader = Reader {
        files,
        found,
        flags: Vec::new(),
        modules: BTreeMap::new(),
        handed: BTreeSet::new(),
    };
    for file in scope {
        let known = contains(file.source.text.as_bytes(), b"yargs");
        let program = At {
            module: None,
            below: String::new(),
            known,
            handed: false,
        };
        reader.within(file, file.root(), &program, 0);
    }
    reader.finish();
}

/// A command module, by its file and the name it is bound to.
type ModuleId = (String, String);

/// Where in the command line a piece of code stands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    /// The command module around it.
    module: Option<ModuleId>,
    /// The command path below that.
    below: String,
    /// Whether it is sure that this is yargs.
    known: bool,
    /// Within a function that was handed the command: a builder, or a helper of one.
    handed: bool,
}

/// A function, by its file and its first byte.
type FunctionId = (String, usize);

/// An option and where it was seen.
struct Seen {
    at: At,
    flag: Draft,
    /// The functions around it, when it was not seen through one that was handed a command.
    around: Vec<FunctionId>,
}

/// A command module.
struct Module {
    name: String,
    /// Where it is added.
    parent: Option<At>,
}

struct Reader<'r, 'f> {
    files: &'r Files<'f>,
    found: &'r mut Found,
    flags: Vec<Seen>,
    modules: BTreeMap<ModuleId, Module>,
    /// Functions that were handed a command. By themselves they are no program.
    handed: BTreeSet<FunctionId>,
}

impl Reader<'_, '_> {
    /// Reads all chains and modules below a node.
    fn within(&mut self, file: &Rc<File>, node: Node<'_>, at: &At, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let mut chains = Vec::new();
        let mut modules = Vec::new();
        walk(node, &mut |inner| {
            if inner.kind() == "object" && is_module(file, inner) {
                modules.push(inner);
                return false;
            }
            if spine(inner).is_some() {
                chains.push(inner);
                return false;
            }
            true
        });
        for module in modules {
            self.module(file, module, depth);
        }
        for chain in chains {
            self.chain(file, chain, at, depth);
        }
    }

    fn chain(&mut self, file: &Rc<File>, node: Node<'_>, at: &At, depth: usize) {
        let Some(spine) = spine(node) else { return };
        // `withOptions(yargs)`, `yargs(process.argv)` and `cmd({ command, builder })`
        if !self.helper(file, spine.base, at, depth) {
            self.inside(file, spine.base, at, depth);
        }
        for call in spine.calls {
            let args = children(call.arguments);
            let name = file.text(call.name);
            match name {
                "option" | "options" if at.known => self.option(file, &args, at),
                "command" if at.known => self.command(file, &args, at, depth),
                name if SETTERS.contains(&name) && at.known => self.set(file, name, &args, at),
                _ => self.inside(file, call.arguments, at, depth),
            }
        }
    }

    /// A call of a function that adds options to what it is given.
    fn helper(&mut self, file: &Rc<File>, call: Node<'_>, at: &At, depth: usize) -> bool {
        let function = call
            .child_by_field_name("function")
            .filter(|function| function.kind() == "identifier");
        let arguments = call.child_by_field_name("arguments").map(children).unwrap_or_default();
        if !at.known || arguments.is_empty() {
            return false;
        }
        let Some(function) = function else { return false };
        let Some((home, range)) = self.files.function(file, &file.lower(function)) else {
            return false;
        };
        let Some(body) = home.node_at(&range) else { return false };
        let adds = home.text(body).contains(".option");
        if adds {
            let handed = At {
                handed: true,
                ..at.clone()
            };
            self.handed.insert((home.path.clone(), range.start));
            self.within(&home, body, &handed, depth + 4);
            for argument in arguments {
                self.within(file, argument, at, depth + 1);
            }
        }
        adds
    }

    /// Keeps an option that stands at `node`.
    fn keep(&mut self, file: &File, node: Node<'_>, at: &At, mut flag: Draft) {
        flag.in_scope = self.files.in_scope(&file.path);
        let functions = [
            "function_declaration",
            "arrow_function",
            "function_expression",
            "method_definition",
        ];
        let around = if at.handed {
            Vec::new()
        } else {
            around(file.root(), node)
        };
        let around = around.into_iter().filter(|outer| functions.contains(&outer.kind()));
        let around = around.map(|outer| (file.path.clone(), outer.start_byte())).collect();
        self.flags.push(Seen {
            at: at.clone(),
            flag,
            around,
        });
    }

    /// What stands below a node, but not the node itself.
    fn inside(&mut self, file: &Rc<File>, node: Node<'_>, at: &At, depth: usize) {
        for child in children(node) {
            self.within(file, child, at, depth + 1);
        }
    }

    fn option(&mut self, file: &Rc<File>, args: &[Node<'_>], at: &At) {
        let Some((first, rest)) = args.split_first() else {
            return;
        };
        let name = self.files.value(file, &file.lower(*first));
        let options = rest
            .first()
            .map(|options| self.files.value(file, &file.lower(*options)));
        match (&name, options) {
            (Expr::Table(_), _) => self.table(file, *first, &name, at),
            // Commander's form.
            (Expr::Text(name), _) if name.starts_with('-') => {}
            (Expr::Text(name), options) => {
                let flag = flag(file, name, &options.unwrap_or(Expr::Table(Vec::new())), line(*first));
                self.keep(file, *first, at, flag);
            }
            // Something else that has options, unless it is given a table.
            (_, Some(Expr::Table(_))) => {
                let what = format!("the name of an option: {}", file.text(*first));
                self.found.unresolved(file.place(*first), &what);
            }
            _ => {}
        }
    }

    /// `{ name: {…} }`
    fn table(&mut self, file: &Rc<File>, node: Node<'_>, table: &Expr, at: &At) {
        for entry in table.entries() {
            if entry.key == "..." || entry.key.starts_with('[') {
                let what = format!("options of {}", entry.key);
                self.found.unresolved(file.place_at(entry.line), &what);
            } else if matches!(entry.value, Expr::Table(_)) {
                self.keep(file, node, at, flag(file, &entry.key, &entry.value, entry.line));
            }
        }
    }

    fn command(&mut self, file: &Rc<File>, args: &[Node<'_>], at: &At, depth: usize) {
        let Some(first) = args.first() else { return };
        match command_words(&self.files.value(file, &file.lower(*first))) {
            Some(word) => {
                let below = At {
                    module: at.module.clone(),
                    below: path(&at.below, &word),
                    known: true,
                    handed: true,
                };
                for builder in args.iter().skip(1) {
                    self.builder(file, *builder, &below, depth);
                }
            }
            None => self.add(file, *first, at, depth),
        }
    }

    /// A builder: a function, its name, or a table of options. The description and the handler are passed over.
    fn builder(&mut self, file: &Rc<File>, node: Node<'_>, at: &At, depth: usize) {
        let expr = file.lower(node);
        if let Some((home, range)) = self.files.function(file, &expr) {
            let Some(function) = home.node_at(&range) else { return };
            self.handed.insert((home.path.clone(), range.start));
            self.within(&home, function, at, depth + 1);
            return;
        }
        let value = self.files.value(file, &expr);
        if matches!(value, Expr::Table(_)) {
            self.table(file, node, &value, at);
        }
    }

    /// `.command(module)`, `.command([one, two])`, `.command(wrapped(module))`.
    fn add(&mut self, file: &Rc<File>, node: Node<'_>, at: &At, depth: usize) {
        let mut objects = Vec::new();
        for name in file.nodes(node, &["identifier", "object"]) {
            if name.kind() == "object" {
                if is_module(file, name) {
                    objects.push(name);
                }
            } else if let Some((home, bound)) = self.files.origin(file, file.text(name)) {
                let id = (home.path.clone(), bound);
                self.modules
                    .entry(id)
                    .or_insert_with(Module::unnamed)
                    .parent
                    .get_or_insert_with(|| at.clone());
            }
        }
        for object in objects {
            let id = module_id(file, object);
            self.modules
                .entry(id)
                .or_insert_with(Module::unnamed)
                .parent
                .get_or_insert_with(|| at.clone());
            self.module(file, object, depth + 1);
        }
    }

    fn module(&mut self, file: &Rc<File>, object: Node<'_>, depth: usize) {
        let id = module_id(file, object);
        let member = |name: &str| {
            children(object).into_iter().find(|member| {
                let key = member
                    .child_by_field_name("key")
                    .or_else(|| member.child_by_field_name("name"));
                key.map_or_else(|| file.text(*member), |key| file.text(key))
                    .trim_matches(['"', '\''])
                    == name
            })
        };
        let word = member("command").and_then(|member| {
            let value = file.lower(member.child_by_field_name("value").unwrap_or(member));
            command_words(&self.files.value(file, &value))
        });
        let module = self.modules.entry(id.clone()).or_insert_with(Module::unnamed);
        module.name = word.unwrap_or_default();
        let at = At {
            module: Some(id),
            below: String::new(),
            known: true,
            handed: true,
        };
        if let Some(builder) = member("builder") {
            if builder.kind() == "method_definition" {
                self.within(file, builder, &at, depth + 1);
            } else {
                self.builder(
                    file,
                    builder.child_by_field_name("value").unwrap_or(builder),
                    &at,
                    depth,
                );
            }
        }
    }

    /// `.boolean("x")`, `.alias("x", "y")` and the like.
    fn set(&mut self, file: &Rc<File>, method: &str, args: &[Node<'_>], at: &At) {
        let Some((first, rest)) = args.split_first() else {
            return;
        };
        let value = rest
            .first()
            .map_or(Expr::Bool(true), |value| self.files.value(file, &file.lower(*value)));
        let pairs: Vec<(String, Expr)> = match self.files.value(file, &file.lower(*first)) {
            Expr::Table(entries) => entries.into_iter().map(|entry| (entry.key, entry.value)).collect(),
            names => names
                .texts()
                .unwrap_or_default()
                .into_iter()
                .map(|name| (name, value.clone()))
                .collect(),
        };
        for (name, value) in pairs {
            let spelled = dashed(&name);
            let known = |seen: &Seen| seen.at == *at && seen.flag.names.contains(&spelled);
            if !self.flags.iter().any(known) {
                // These declare an option, the others only speak of one.
                if !matches!(method, "boolean" | "string" | "number" | "array" | "count") {
                    continue;
                }
                let mut flag = Draft::new(vec![spelled.clone()], "", file.place(*first));
                flag.inherited = true;
                self.keep(file, *first, at, flag);
            }
            let Some(seen) = self.flags.iter_mut().rev().find(|seen| known(seen)) else {
                continue;
            };
            let flag = &mut seen.flag;
            match method {
                "boolean" | "count" => flag.value = FlagValue::Switch,
                "string" | "number" | "requiresArg" if flag.value == FlagValue::Unknown => flag.value = FlagValue::One,
                "array" => flag.value = FlagValue::Many,
                "choices" => flag.choices = value.literals().unwrap_or_default(),
                "default" => flag.default = value.literal(),
                "hide" => flag.hidden = true,
                "nargs" => flag.value = nargs(flag.value, &value),
                "alias" => flag
                    .names
                    .extend(value.texts().unwrap_or_default().iter().map(|name| dashed(name))),
                "deprecateOption" => flag.deprecated = true,
                _ => {}
            }
        }
    }

    fn finish(mut self) {
        for Seen { at, mut flag, around } in std::mem::take(&mut self.flags) {
            if around.iter().any(|function| self.handed.contains(function)) {
                continue;
            }
            let (command, default) = self.command_of(&at, 0);
            flag.command = command;
            // What the default command takes is not taken by the others.
            flag.inherited = flag.inherited && !default;
            self.found.flag(flag);
        }
    }

    /// The path of a place, and whether it is the default command.
    fn command_of(&self, at: &At, depth: usize) -> (String, bool) {
        let base = match at.module.as_ref().and_then(|id| self.modules.get(id)) {
            Some(module) if depth < MAX_DEPTH => {
                let parent = module
                    .parent
                    .as_ref()
                    .map(|parent| self.command_of(parent, depth + 1).0);
                path(&parent.unwrap_or_default(), &module.name)
            }
            _ => String::new(),
        };
        let whole = path(&base, &at.below);
        let default = whole.ends_with("$0");
        let command = whole
            .split_whitespace()
            .filter(|word| *word != "$0")
            .collect::<Vec<_>>()
            .join(" ");
        (command, default)
    }
}

impl Module {
    fn unnamed() -> Self {
        Self {
            name: String::new(),
            parent: None,
        }
    }
}

fn path(base: &str, word: &str) -> String {
    format!("{base} {word}").trim().to_owned()
}

/// An object that describes a command: it has a `command` and a `builder`.
fn is_module(file: &File, object: Node<'_>) -> bool {
    let has = |name: &str| {
        children(object).into_iter().any(|member| {
            let key = member
                .child_by_field_name("key")
                .or_else(|| member.child_by_field_name("name"));
            key.map_or_else(|| file.text(member), |key| file.text(key))
                .trim_matches(['"', '\''])
                == name
        })
    };
    has("command") && (has("builder") || has("handler")) && !has("args")
}

/// The name that a module is bound to; one that is bound to none goes by its place.
fn module_id(file: &File, object: Node<'_>) -> ModuleId {
    let mut at = object;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "variable_declarator" => {
                let name = parent.child_by_field_name("name").map_or("", |name| file.text(name));
                return (file.path.clone(), name.to_owned());
            }
            "export_statement" => return (file.path.clone(), "default".to_owned()),
            "statement_block" | "program" | "pair" => break,
            _ => at = parent,
        }
    }
    (file.path.clone(), format!("@{}", object.start_byte()))
}

/// The first word of a command, or of the first of several. `$0` marks the default command.
fn command_words(command: &Expr) -> Option<String> {
    let names = command.texts()?;
    let word = |name: &String| name.split_whitespace().next().unwrap_or("$0").to_owned();
    let words: Vec<String> = names.iter().map(word).collect();
    words
        .iter()
        .find(|word| *word == "$0")
        .or_else(|| words.first())
        .cloned()
}

/// An option from its table.
fn flag(file: &File, name: &str, options: &Expr, line: u32) -> Draft {
    let mut flag = Draft::new(vec![dashed(name)], "", file.place_at(line));
    let aliases = options.get("alias").and_then(Expr::texts).unwrap_or_default();
    flag.names.extend(aliases.iter().map(|name| dashed(name)));
    let is = |key: &str| options.get(key).and_then(Expr::bool) == Some(true);
    flag.choices = options.get("choices").and_then(Expr::literals).unwrap_or_default();
    flag.value = match options.get("type").and_then(Expr::text) {
        Some("boolean" | "count") => FlagValue::Switch,
        Some("array") => FlagValue::Many,
        Some(_) => FlagValue::One,
        None if is("array") => FlagValue::Many,
        None if is("boolean") || is("count") => FlagValue::Switch,
        None if is("string") || is("number") || is("requiresArg") => FlagValue::One,
        None if options.get("choices").is_some() => FlagValue::One,
        None => FlagValue::Unknown,
    };
    if let Some(count) = options.get("nargs") {
        flag.value = nargs(flag.value, count);
    }
    flag.default = options.get("default").and_then(Expr::literal);
    flag.inherited = options.get("global").and_then(Expr::bool) != Some(false);
    flag.hidden = is("hidden");
    let texts = ["describe", "description", "desc"]
        .iter()
        .filter_map(|key| options.get(key));
    flag.deprecated = ["deprecated", "deprecate"].iter().any(|key| match options.get(key) {
        Some(value) => value.bool() != Some(false) && *value != Expr::Null,
        None => false,
    }) || texts.into_iter().any(|text| says_deprecated(&text.words()));
    flag
}

/// How many values each use takes.
fn nargs(value: FlagValue, count: &Expr) -> FlagValue {
    match count {
        Expr::Number(number) if number == "0" => FlagValue::Switch,
        Expr::Number(number) if number == "1" && value == FlagValue::Many => FlagValue::Many,
        Expr::Number(number) if number == "1" => FlagValue::One,
        Expr::Number(_) => FlagValue::Many,
        _ => value,
    }
}
