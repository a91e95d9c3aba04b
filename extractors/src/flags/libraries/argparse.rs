//! Flags of Python's `argparse` (and `configargparse`, which takes the same calls).
//!
//! Statements are followed in order: a variable stands for a parser, a group of one, or the subcommands of one, and a
//! function that is called with a parser adds to that one. `parents=[…]` takes the flags of other parsers in. Source: the
//! argparse reference (docs.python.org/3/library/argparse.html).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;
use tree_sitter::Node;

use super::Library;
use crate::flags::code::{PYTHON, children};
use crate::flags::collect::Found;
use crate::flags::draft::{Draft, is_spelling, says_deprecated};
use crate::flags::expr::{Arg, Expr, MethodCall, named, positional};
use crate::flags::files::{File, Files};
use crate::syntax::walk;

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &PYTHON,
    hints: &["add_argument"],
    read,
};

/// Functions that call functions; more in a row go in a circle.
const MAX_DEPTH: usize = 12;

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let mut reader = Reader {
        files,
        found,
        called: BTreeSet::new(),
        flags: Vec::new(),
        owners: BTreeMap::new(),
    };
    // What a function adds is known where it is called; one that nobody calls adds to the program.
    let mut functions = Vec::new();
    for file in scope {
        let mut names = Names::new();
        reader.statements(file, file.root(), &mut names, 0);
        functions.extend(
            file.nodes(file.root(), &["function_definition"])
                .into_iter()
                .map(|node| (file, node)),
        );
    }
    // Those that make a parser of their own first, since they may hand it on.
    let makes = |file: &File, node: Node<'_>| file.text(node).contains("ArgumentParser(");
    for first in [true, false] {
        for (file, node) in &functions {
            let id = (file.path.clone(), node.start_byte());
            if makes(file, *node) == first && !reader.called.contains(&id) {
                reader.function(file, *node, &Names::new(), 0);
            }
        }
    }
    reader.finish();
}

/// What a variable stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parser {
    /// Its subcommand path.
    command: String,
    /// Which parser it is, for `parents`.
    id: ParserId,
}

/// The file of a parser, and a number that is its own there.
type ParserId = (String, usize);

type Names = BTreeMap<String, Parser>;

struct Reader<'r, 'f> {
    files: &'r Files<'f>,
    found: &'r mut Found,
    /// Functions that were read with the parser they are called with.
    called: BTreeSet<(String, usize)>,
    flags: Vec<(ParserId, Draft)>,
    /// The paths of parsers that take the flags of a parser in.
    owners: BTreeMap<ParserId, Vec<String>>,
}

impl Reader<'_, '_> {
    fn function(&mut self, file: &Rc<File>, node: Node<'_>, handed: &Names, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let mut names = handed.clone();
        if let Some(body) = node.child_by_field_name("body") {
            self.statements(file, body, &mut names, depth);
        }
    }

    /// The calls below a node, in order, without those within functions.
    fn statements(&mut self, file: &Rc<File>, node: Node<'_>, names: &mut Names, depth: usize) {
        let mut calls = Vec::new();
        walk(node, &mut |inner| {
            if inner.kind() == "function_definition" && inner != node {
                return false;
            }
            if inner.kind() == "call" && !called_on(inner) {
                calls.push(inner);
            }
            true
        });
        for call in calls {
            self.call(file, call, names, depth);
        }
    }

    fn call(&mut self, file: &Rc<File>, node: Node<'_>, names: &mut Names, depth: usize) {
        let expr = file.lower(node);
        let Some(chain) = expr.chain() else { return };
        let made = self.made(file, node, &expr, names);
        if let Some(parser) = made {
            for name in bound_names(file, node) {
                names.insert(name, parser.clone());
            }
        }
        for call in chain.calls() {
            if call.name == "add_argument" {
                let owner = self.owner(file, node, &chain.until(call.at), names);
                self.argument(file, call, &owner);
            } else if call.name == "set_defaults" {
                let owner = self.owner(file, node, &chain.until(call.at), names);
                self.defaults(call, &owner);
            }
        }
        self.handed(file, node, &expr, names, depth);
    }

    /// The parser that an expression makes or names.
    fn made(&mut self, file: &Rc<File>, node: Node<'_>, expr: &Expr, names: &Names) -> Option<Parser> {
        if let Some(path) = expr.path() {
            return names.get(&path).cloned();
        }
        let chain = expr.chain()?;
        let (callee, args, line) = chain.callee()?;
        let last = chain.calls().last().copied();
        let new = |command: String| Parser {
            command,
            id: (
                file.path.clone(),
                usize::try_from(line).unwrap_or_default() * 1000 + node.start_position().column,
            ),
        };
        if callee
            .rsplit('.')
            .next()
            .is_some_and(|name| name.ends_with("ArgumentParser") || name == "ArgParser")
        {
            let parser = new(String::new());
            self.parents(file, args, &parser, names);
            return Some(parser);
        }
        let call = last?;
        let receiver = chain.until(call.at);
        match call.name {
            "add_argument_group" | "add_mutually_exclusive_group" | "add_subparsers" => {
                Some(self.owner(file, node, &receiver, names))
            }
            "add_parser" => {
                let owner = self.owner(file, node, &receiver, names);
                let name = positional(call.args, 0).map(|name| self.files.value(file, name));
                let name = name.as_ref().and_then(Expr::text).unwrap_or("?").to_owned();
                let parser = new(format!("{} {name}", owner.command).trim().to_owned());
                self.parents(file, call.args, &parser, names);
                Some(parser)
            }
            _ => None,
        }
    }

    fn owner(&mut self, file: &Rc<File>, node: Node<'_>, receiver: &Expr, names: &Names) -> Parser {
        self.made(file, node, receiver, names).unwrap_or_else(|| Parser {
            command: String::new(),
            id: (file.path.clone(), 0),
        })
    }

    fn parents(&mut self, file: &Rc<File>, args: &[Arg], parser: &Parser, names: &Names) {
        let Some(Expr::List(parents)) = named(args, "parents") else {
            return;
        };
        for parent in parents {
            if let Some(known) = parent.path().and_then(|path| names.get(&path)) {
                self.owners
                    .entry(known.id.clone())
                    .or_default()
                    .push(parser.command.clone());
            } else {
                let line = u32::try_from(parser.id.1 / 1000).unwrap_or(1);
                self.found
                    .unresolved(file.place_at(line), "the flags of a parent parser");
            }
        }
    }

    /// A function that is called with parsers adds to those.
    fn handed(&mut self, file: &Rc<File>, node: Node<'_>, expr: &Expr, names: &Names, depth: usize) {
        let Some(chain) = expr.chain() else { return };
        let Some(function) = node.child_by_field_name("function") else {
            return;
        };
        let args: Vec<(Option<String>, Parser)> = match chain.steps.last() {
            Some(crate::flags::expr::Step::Call(args, _)) => args
                .iter()
                .map(|arg| {
                    (
                        arg.name.clone(),
                        arg.value.path().and_then(|path| names.get(&path)).cloned(),
                    )
                })
                .enumerate()
                .filter_map(|(at, (name, parser))| Some((name.or(Some(format!("#{at}"))), parser?)))
                .collect(),
            _ => return,
        };
        if args.is_empty() {
            return;
        }
        let Some((home, range)) = self.files.function(file, &file.lower(function)) else {
            return;
        };
        let Some(definition) = home.node_at(&range).filter(|node| node.kind() == "function_definition") else {
            return;
        };
        if !self.files.in_scope(&home.path) {
            return;
        }
        let parameters = definition
            .child_by_field_name("parameters")
            .map(children)
            .unwrap_or_default();
        let mut inner = Names::new();
        for (at, parameter) in parameters.iter().enumerate() {
            let name = match parameter.kind() {
                "identifier" => home.text(*parameter),
                _ => parameter
                    .child_by_field_name("name")
                    .or_else(|| children(*parameter).first().copied())
                    .map_or("", |name| home.text(name)),
            };
            let place = format!("#{at}");
            let given = args
                .iter()
                .find(|(key, _)| key.as_deref() == Some(name) || key.as_deref() == Some(place.as_str()));
            if let Some((_, parser)) = given {
                inner.insert(name.to_owned(), parser.clone());
            }
        }
        self.called.insert((home.path.clone(), definition.start_byte()));
        self.function(&home, definition, &inner, depth + 1);
    }

    fn argument(&mut self, file: &Rc<File>, call: MethodCall<'_>, owner: &Parser) {
        let values: Vec<Expr> = call
            .args
            .iter()
            .filter(|arg| arg.name.is_none())
            .map(|arg| self.files.value(file, &arg.value))
            .collect();
        let mut names = Vec::new();
        for value in &values {
            match value {
                Expr::Text(name) => names.push(name.clone()),
                Expr::Spread(inner) => names.extend(self.files.value(file, inner).texts().unwrap_or_default()),
                _ => {}
            }
        }
        let spelled: Vec<String> = names.into_iter().filter(|name| is_spelling(name)).collect();
        if spelled.is_empty() {
            if values.iter().any(|value| value.text().is_none()) {
                let what = format!(
                    "the name of an argument of {}",
                    if owner.command.is_empty() {
                        "the program"
                    } else {
                        &owner.command
                    }
                );
                self.found.unresolved(file.place_at(call.line), &what);
            }
            return;
        }
        let mut flag = flag(self.files, file, call, spelled);
        flag.command.clone_from(&owner.command);
        self.flags.push((owner.id.clone(), flag));
    }

    /// `parser.set_defaults(name=value)`
    fn defaults(&mut self, call: MethodCall<'_>, owner: &Parser) {
        for arg in call.args {
            let Some(name) = &arg.name else { continue };
            let spelled = format!("--{}", name.replace('_', "-"));
            for (_, flag) in self.flags.iter_mut().filter(|(id, _)| *id == owner.id) {
                if flag.names.contains(&spelled) {
                    flag.default = arg.value.literal();
                }
            }
        }
    }

    fn finish(self) {
        for (id, flag) in self.flags {
            for command in self.owners.get(&id).into_iter().flatten() {
                self.found.flag(Draft {
                    command: command.clone(),
                    ..flag.clone()
                });
            }
            // A parser that is only taken in is no program.
            if !self.owners.contains_key(&id) {
                self.found.flag(flag);
            }
        }
    }
}

/// Whether a method is called on what this call gives.
fn called_on(call: Node<'_>) -> bool {
    let Some(parent) = call.parent().filter(|parent| parent.kind() == "attribute") else {
        return false;
    };
    parent
        .parent()
        .is_some_and(|outer| outer.kind() == "call" && outer.child_by_field_name("function") == Some(parent))
}

/// The variables that are set to a call.
fn bound_names(file: &File, call: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = call;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "assignment" => names.extend(
                parent
                    .child_by_field_name("left")
                    .map(|left| file.text(left).to_owned()),
            ),
            "named_expression" => names.extend(
                parent
                    .child_by_field_name("name")
                    .map(|name| file.text(name).to_owned()),
            ),
            "as_pattern" => {
                let target = parent
                    .child_by_field_name("alias")
                    .and_then(|alias| children(alias).first().copied());
                names.extend(target.map(|name| file.text(name).to_owned()));
            }
            "parenthesized_expression" => {}
            _ => break,
        }
        at = parent;
    }
    names
}

fn flag(files: &Files<'_>, file: &Rc<File>, call: MethodCall<'_>, names: Vec<String>) -> Draft {
    let value = |name: &str| named(call.args, name).map(|arg| files.value(file, arg));
    let mut flag = Draft::new(names, "", file.place_at(call.line));
    let action = value("action").and_then(|action| match &action {
        Expr::Text(action) => Some(action.clone()),
        other => other
            .path()
            .map(|path| path.rsplit('.').next().unwrap_or_default().to_owned()),
    });
    let given = named(call.args, "action").is_some();
    let several = |nargs: Option<Expr>| match nargs {
        Some(Expr::Text(nargs)) if nargs == "?" => FlagValue::Optional,
        Some(Expr::Number(count)) if count == "0" => FlagValue::Switch,
        Some(Expr::Number(count)) if count == "1" => FlagValue::One,
        Some(Expr::Text(_) | Expr::Number(_)) => FlagValue::Many,
        Some(_) => FlagValue::Unknown,
        None => FlagValue::One,
    };
    flag.value = match action.as_deref() {
        None if given => FlagValue::Unknown,
        None | Some("store") => several(value("nargs")),
        Some("store_true" | "store_false" | "store_const" | "append_const" | "count" | "help" | "version") => {
            FlagValue::Switch
        }
        Some("append" | "extend") => FlagValue::Many,
        Some("BooleanOptionalAction") => {
            let negated = flag.names.iter().filter_map(|name| name.strip_prefix("--"));
            let negated: Vec<String> = negated.map(|name| format!("--no-{name}")).collect();
            flag.names.extend(negated);
            FlagValue::Switch
        }
        Some(_) => FlagValue::Unknown,
    };
    flag.choices = value("choices")
        .and_then(|choices| choices.literals())
        .unwrap_or_default();
    flag.default = match (value("default"), action.as_deref()) {
        (Some(default), _) => default.literal(),
        (None, Some("store_true")) => Some("false".to_owned()),
        (None, Some("store_false")) => Some("true".to_owned()),
        (None, _) => None,
    };
    if let Some(help) = value("help") {
        flag.hidden = help
            .path()
            .is_some_and(|path| path.rsplit('.').next() == Some("SUPPRESS"))
            || help.text() == Some("==SUPPRESS==");
        flag.deprecated = says_deprecated(&help.words());
    }
    flag.deprecated |= value("deprecated").and_then(|value| value.bool()) == Some(true);
    flag
}
