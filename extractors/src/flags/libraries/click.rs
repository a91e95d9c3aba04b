//! Flags of click: `@click.option("--name", "-n", …)` above a command.
//!
//! Commands are joined by `@group.command()`, `@group.group()` and `group.add_command(command)`. A decorator that is a
//! function of ours gives the options it applies. Source: click's API reference (click.palletsprojects.com).

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;
use tree_sitter::Node;

use super::Library;
use crate::flags::code::{PYTHON, children};
use crate::flags::collect::Found;
use crate::flags::draft::{Draft, is_spelling, says_deprecated};
use crate::flags::expr::{Arg, Expr, named, positional};
use crate::flags::files::{File, Files};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &PYTHON,
    hints: &["click", "option("],
    read,
};

/// Groups within groups that nest deeper go in a circle.
const MAX_DEPTH: usize = 12;

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let mut commands: BTreeMap<Id, Command> = BTreeMap::new();
    for file in scope {
        for node in file.nodes(file.root(), &["decorated_definition"]) {
            if let Some((id, command)) = command(files, file, node, found) {
                commands.insert(id, command);
            }
        }
    }
    for file in scope {
        for node in file.nodes(file.root(), &["call"]) {
            added(files, file, node, &mut commands);
        }
    }
    let groups = commands.values().any(|command| command.group);
    for (id, command) in &commands {
        let path = path(&commands, id, groups, 0);
        for flag in &command.flags {
            found.flag(Draft {
                command: path.clone(),
                inherited: false,
                ..flag.clone()
            });
        }
    }
}

/// A command, by its file and the name of its function.
type Id = (String, String);

struct Command {
    name: String,
    group: bool,
    above: Option<Id>,
    flags: Vec<Draft>,
}

fn path(commands: &BTreeMap<Id, Command>, id: &Id, groups: bool, depth: usize) -> String {
    let Some(command) = commands.get(id).filter(|_| depth < MAX_DEPTH) else {
        return String::new();
    };
    match &command.above {
        Some(above) => format!("{} {}", path(commands, above, groups, depth + 1), command.name)
            .trim()
            .to_owned(),
        // Beside a group, a command that belongs to none is one of its subcommands, added where we do not see it.
        None if groups && !command.group => command.name.clone(),
        None => String::new(),
    }
}

fn command(files: &Files<'_>, file: &Rc<File>, node: Node<'_>, found: &mut Found) -> Option<(Id, Command)> {
    let definition = node
        .child_by_field_name("definition")
        .filter(|inner| inner.kind() == "function_definition")?;
    let function = file.text(definition.child_by_field_name("name")?);
    let mut known = None;
    let mut flags = Vec::new();
    for decorator in children(node).into_iter().filter(|child| child.kind() == "decorator") {
        let Some(inner) = children(decorator).first().copied() else {
            continue;
        };
        let expr = file.lower(inner);
        let (path, args, line) = match &expr {
            Expr::Chain(chain) => match chain.callee() {
                Some((path, args, line)) => (path, args, line),
                None => (expr.path().unwrap_or_default(), &[][..], crate::syntax::line(inner)),
            },
            _ => (expr.path().unwrap_or_default(), &[][..], crate::syntax::line(inner)),
        };
        let (owner, method) = path.rsplit_once('.').unwrap_or(("", path.as_str()));
        match method {
            "command" | "group" | "callback" => {
                let name = named(args, "name").or_else(|| positional(args, 0));
                let name = name
                    .map(|name| files.value(file, name))
                    .and_then(|name| name.text().map(str::to_owned));
                let above = (!owner.is_empty() && owner != "click")
                    .then(|| files.origin(file, owner))
                    .flatten();
                known = Some((
                    name.unwrap_or_else(|| command_name(function)),
                    method == "group",
                    above.map(|(home, name)| (home.path.clone(), name)),
                ));
            }
            "option" | "version_option" | "help_option" | "password_option" | "confirmation_option" => {
                flags.extend(option(files, file, method, args, line, found));
            }
            _ => {
                let callee = match &expr {
                    Expr::Chain(chain) => chain.until(0),
                    other => other.clone(),
                };
                flags.extend(shared(files, file, &callee, found));
            }
        }
    }
    let (name, group, above) = known?;
    let id = (file.path.clone(), function.to_owned());
    let above = above.filter(|above| *above != id);
    Some((
        id,
        Command {
            name,
            group,
            above,
            flags,
        },
    ))
}

/// Click's own name for a function.
fn command_name(function: &str) -> String {
    let name = function.to_lowercase().replace('_', "-");
    let short = ["-command", "-cmd", "-group", "-grp"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix));
    short.map(str::to_owned).unwrap_or(name)
}

/// The options that a decorator of ours applies.
fn shared(files: &Files<'_>, file: &Rc<File>, decorator: &Expr, found: &mut Found) -> Vec<Draft> {
    let Some((home, range)) = files.function(file, decorator) else {
        return Vec::new();
    };
    let Some(body) = home.node_at(&range) else {
        return Vec::new();
    };
    let mut flags = Vec::new();
    for call in home.nodes(body, &["call"]) {
        let expr = home.lower(call);
        if let Some((path, args, line)) = expr.chain().and_then(|chain| chain.callee())
            && matches!(path.as_str(), "click.option" | "option")
            && call.parent().is_none_or(|parent| parent.kind() != "decorator")
        {
            flags.extend(option(files, &home, "option", args, line, found));
        }
    }
    for flag in &mut flags {
        flag.in_scope = files.in_scope(&home.path);
    }
    flags
}

/// `group.add_command(command, "name")`
fn added(files: &Files<'_>, file: &Rc<File>, node: Node<'_>, commands: &mut BTreeMap<Id, Command>) {
    let expr = file.lower(node);
    let Some(chain) = expr.chain() else { return };
    for call in chain.calls().into_iter().filter(|call| call.name == "add_command") {
        let id = |expr: &Expr| {
            let (home, name) = files.origin(file, &expr.path()?)?;
            Some((home.path.clone(), name))
        };
        let (Some(above), Some(below)) = (id(&chain.until(call.at)), positional(call.args, 0).and_then(id)) else {
            continue;
        };
        if let Some(command) = commands.get_mut(&below) {
            command.above = Some(above);
            let name = named(call.args, "name").or_else(|| positional(call.args, 1));
            if let Some(name) = name.and_then(Expr::text) {
                name.clone_into(&mut command.name);
            }
        }
    }
}

fn option(files: &Files<'_>, file: &Rc<File>, method: &str, args: &[Arg], line: u32, found: &mut Found) -> Vec<Draft> {
    let value = |name: &str| named(args, name).map(|arg| files.value(file, arg));
    let is = |name: &str| value(name).and_then(|value| value.bool()) == Some(true);
    let given: Vec<Expr> = args
        .iter()
        .filter(|arg| arg.name.is_none())
        .map(|arg| files.value(file, &arg.value))
        .collect();
    let mut names: Vec<String> = Vec::new();
    let mut pair = false;
    for text in given.iter().filter_map(Expr::text) {
        // `--shout/--no-shout`
        let spelled: Vec<&str> = text
            .split('/')
            .map(str::trim)
            .filter(|name| is_spelling(name))
            .collect();
        pair |= spelled.len() > 1;
        names.extend(spelled.into_iter().map(str::to_owned));
    }
    if names.is_empty() {
        match method {
            "version_option" => names.push("--version".to_owned()),
            "help_option" => names.push("--help".to_owned()),
            "confirmation_option" => names.push("--yes".to_owned()),
            "password_option" => names.push("--password".to_owned()),
            _ => {
                found.unresolved(file.place_at(line), "the name of an option");
                return Vec::new();
            }
        }
    }
    let mut flag = Draft::new(names, "", file.place_at(line));
    let ty = value("type");
    let default = value("default");
    let nargs = value("nargs");
    flag.value = if method == "password_option" {
        FlagValue::One
    } else if method != "option"
        || pair
        || is("is_flag")
        || is("count")
        || named(args, "flag_value").is_some() && !is_false(value("is_flag").as_ref())
    {
        FlagValue::Switch
    } else if is("multiple") {
        FlagValue::Many
    } else {
        match nargs {
            Some(Expr::Number(count)) if count == "1" => FlagValue::One,
            Some(_) => FlagValue::Many,
            None => FlagValue::One,
        }
    };
    // `is_flag=False, flag_value="x"`: with or without a value.
    if is_false(value("is_flag").as_ref()) && named(args, "flag_value").is_some() {
        flag.value = FlagValue::Optional;
    }
    flag.choices = ty.as_ref().and_then(|ty| choices(files, file, ty)).unwrap_or_default();
    flag.default = default.and_then(|default| default.literal());
    if flag.default.is_none()
        && flag.value == FlagValue::Switch
        && is("is_flag")
        && named(args, "default").is_none()
        && !pair
    {
        flag.default = Some("false".to_owned());
    }
    flag.hidden = is("hidden");
    flag.deprecated = value("deprecated").is_some_and(|value| !is_false(Some(&value)))
        || value("help").is_some_and(|help| says_deprecated(&help.words()));
    vec![flag]
}

fn is_false(expr: Option<&Expr>) -> bool {
    matches!(expr, Some(Expr::Bool(false)))
}

/// `click.Choice([…])`
pub(super) fn choices(files: &Files<'_>, file: &Rc<File>, ty: &Expr) -> Option<Vec<String>> {
    let (path, args, _) = ty.chain()?.callee()?;
    if path.rsplit('.').next() != Some("Choice") {
        return None;
    }
    let list = named(args, "choices").or_else(|| positional(args, 0))?;
    match files.value(file, list) {
        list @ Expr::List(_) => list.literals(),
        // The members of an enumeration, by their names.
        Expr::Typed(kind, body) if kind == "enum" => {
            Some(body.entries().iter().map(|entry| entry.key.clone()).collect())
        }
        Expr::Table(entries) => Some(entries.into_iter().map(|entry| entry.key).collect()),
        _ => None,
    }
}
