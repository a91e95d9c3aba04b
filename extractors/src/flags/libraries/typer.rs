//! Flags of typer: the parameters of a command function, with `Annotated[T, typer.Option(…)]` or a default of
//! `typer.Option(…)`.
//!
//! A parameter with a default and without `Option` is a flag too. Names that are not given are made of the parameter's,
//! and a `bool` gets its negation. Commands are joined by `app.add_typer(other, name=…)`. An app with one command and no
//! callback runs it without a name. Source: typer.tiangolo.com.

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;
use tree_sitter::Node;

use super::Library;
use crate::flags::code::{PYTHON, children};
use crate::flags::collect::Found;
use crate::flags::draft::{Draft, is_spelling, says_deprecated};
use crate::flags::expr::{Arg, Expr, Step, named, positional};
use crate::flags::files::{File, Files};
use crate::syntax::line;

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &PYTHON,
    hints: &["typer", "Typer"],
    read,
};

/// Apps within apps that nest deeper go in a circle.
const MAX_DEPTH: usize = 12;

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let mut apps: BTreeMap<Id, App> = BTreeMap::new();
    let mut commands: Vec<Command> = Vec::new();
    for file in scope {
        for node in file.nodes(file.root(), &["decorated_definition"]) {
            if let Some(command) = command(files, file, node) {
                let app = apps.entry(command.app.clone()).or_default();
                app.callback |= command.name.is_none();
                app.commands += usize::from(command.name.is_some());
                commands.push(command);
            }
        }
        for node in file.nodes(file.root(), &["call"]) {
            attached(files, file, node, &mut apps);
            commands.extend(run(files, file, node));
        }
    }
    // In a program of several apps, one that nobody adds is added where we do not see it, by the name of its file.
    let several = apps.len() > 1;
    for command in commands {
        let path = command.path(&apps, several);
        for mut flag in command.flags {
            flag.command.clone_from(&path);
            flag.in_scope = files.in_scope(&flag.place.file);
            found.flag(flag);
        }
    }
}

/// An app, by its file and its name.
type Id = (String, String);

#[derive(Default)]
struct App {
    above: Option<(Id, String)>,
    callback: bool,
    commands: usize,
}

struct Command {
    app: Id,
    /// `None` for a callback.
    name: Option<String>,
    flags: Vec<Draft>,
}

impl Command {
    fn path(&self, apps: &BTreeMap<Id, App>, several: bool) -> String {
        let mut words = Vec::new();
        let mut id = &self.app;
        for _ in 0..MAX_DEPTH {
            let Some((above, name)) = apps.get(id).and_then(|app| app.above.as_ref()) else {
                let stem = id.0.rsplit('/').next().unwrap_or_default().trim_end_matches(".py");
                if several && !matches!(stem, "__init__" | "__main__" | "main" | "cli" | "app") {
                    words.push(stem.replace('_', "-"));
                }
                break;
            };
            words.push(name.clone());
            id = above;
        }
        words.reverse();
        let alone = apps
            .get(&self.app)
            .is_some_and(|app| app.commands == 1 && !app.callback && app.above.is_none());
        words.extend(self.name.clone().filter(|_| !alone));
        words.join(" ")
    }
}

fn command(files: &Files<'_>, file: &Rc<File>, node: Node<'_>) -> Option<Command> {
    let definition = node
        .child_by_field_name("definition")
        .filter(|inner| inner.kind() == "function_definition")?;
    let function = file.text(definition.child_by_field_name("name")?);
    for decorator in children(node).into_iter().filter(|child| child.kind() == "decorator") {
        let expr = file.lower(*children(decorator).first()?);
        let Some((path, args, _)) = expr.chain().and_then(|chain| chain.callee()) else {
            continue;
        };
        let Some((owner, method)) = path.rsplit_once('.') else {
            continue;
        };
        if !matches!(method, "command" | "callback") {
            continue;
        }
        let (home, name) = files.origin(file, owner)?;
        let app = file_app(&home, &name)?;
        let given = named(args, "name")
            .or_else(|| positional(args, 0))
            .map(|name| files.value(file, name));
        let given = given.as_ref().and_then(Expr::text).map(str::to_owned);
        let name = (method == "command").then(|| given.unwrap_or_else(|| function.to_lowercase().replace('_', "-")));
        return Some(Command {
            app,
            name,
            flags: parameters(files, file, definition),
        });
    }
    None
}

/// The id of a name that is an app.
fn file_app(home: &Rc<File>, name: &str) -> Option<Id> {
    let value = home.bindings().values.get(name)?;
    let (path, _, _) = value.chain()?.callee()?;
    path.ends_with("Typer").then(|| (home.path.clone(), name.to_owned()))
}

/// `app.add_typer(other, name="other")`
fn attached(files: &Files<'_>, file: &Rc<File>, node: Node<'_>, apps: &mut BTreeMap<Id, App>) {
    let expr = file.lower(node);
    let Some(chain) = expr.chain() else { return };
    for call in chain.calls().into_iter().filter(|call| call.name == "add_typer") {
        let id = |expr: &Expr| {
            let (home, name) = match expr.path()?.split_once('.') {
                // `mcp.cli` of a module.
                Some((module, name)) => {
                    let value = files.module_file(file, module)?;
                    (value, name.to_owned())
                }
                None => files.origin(file, &expr.path()?)?,
            };
            file_app(&home, &name).map(|id| (id, home))
        };
        let (Some((above, _)), Some((below, home))) =
            (id(&chain.until(call.at)), positional(call.args, 0).and_then(id))
        else {
            continue;
        };
        let name = named(call.args, "name")
            .map(|name| files.value(file, name))
            .or_else(|| {
                // `typer.Typer(name="mcp")`
                let value = home.bindings().values.get(&below.1)?;
                let (_, args, _) = value.chain()?.callee()?;
                named(args, "name").map(|name| files.value(&home, name))
            });
        let name = name.as_ref().and_then(Expr::text).unwrap_or_default().to_owned();
        apps.entry(below).or_default().above = Some((above, name));
    }
}

/// `typer.run(main)`
fn run(files: &Files<'_>, file: &Rc<File>, node: Node<'_>) -> Option<Command> {
    let expr = file.lower(node);
    let (path, args, _) = expr.chain()?.callee()?;
    if path != "typer.run" {
        return None;
    }
    let (home, range) = files.function(file, positional(args, 0)?)?;
    let definition = home
        .node_at(&range)
        .filter(|node| node.kind() == "function_definition")?;
    Some(Command {
        app: (home.path.clone(), String::new()),
        name: None,
        flags: parameters(files, &home, definition),
    })
}

fn parameters(files: &Files<'_>, file: &Rc<File>, definition: Node<'_>) -> Vec<Draft> {
    let list = definition
        .child_by_field_name("parameters")
        .map(children)
        .unwrap_or_default();
    list.into_iter()
        .filter_map(|parameter| flag(files, file, parameter))
        .collect()
}

/// A parameter as a flag; `None` when it is an argument or the context.
fn flag(files: &Files<'_>, file: &Rc<File>, parameter: Node<'_>) -> Option<Draft> {
    let field = |name: &str| parameter.child_by_field_name(name);
    let name = field("name").or_else(|| children(parameter).first().copied())?;
    let mut ty = field("type").map_or(Expr::Null, |ty| file.lower(ty));
    let mut default = field("value").map(|value| file.lower(value));
    let mut option: Option<Vec<Arg>> = None;
    // The alias of a whole annotation: `Verbose = Annotated[bool, typer.Option(…)]`.
    if let Expr::Name(_) = ty
        && let value @ Expr::Chain(_) = files.value(file, &ty)
    {
        ty = value;
    }
    if let Expr::Chain(chain) = &ty
        && chain.base.path().is_some_and(|path| path.ends_with("Annotated"))
        && let Some(Step::Index(parts)) = chain.steps.last()
    {
        for part in parts.iter().skip(1) {
            match parameter_kind(part)? {
                Kind::Option(args) => option = Some(args.to_vec()),
                Kind::Other => {}
            }
        }
        ty = parts.first()?.clone();
    }
    if let Some(value) = default.clone() {
        match parameter_kind(&value)? {
            Kind::Option(args) => {
                default = named(args, "default").or_else(|| positional(args, 0)).cloned();
                let rest = args
                    .iter()
                    .filter(|arg| arg.name.is_none())
                    .skip(1)
                    .chain(args.iter().filter(|arg| arg.name.is_some()));
                option = Some(rest.cloned().collect());
            }
            Kind::Other => {}
        }
    }
    // Without a default it is an argument.
    if option.is_none() && default.is_none() {
        return None;
    }
    let name = file.text(name);
    if ty
        .path()
        .is_some_and(|path| path.ends_with("Context") || path.ends_with("CallbackParam"))
        || name.starts_with('*')
    {
        return None;
    }
    Some(draft(
        files,
        file,
        name,
        &ty,
        default.as_ref(),
        &option.unwrap_or_default(),
        line(parameter),
    ))
}

enum Kind<'a> {
    Option(&'a [Arg]),
    Other,
}

/// Whether a marker makes the parameter an option; `None` when it makes it an argument.
fn parameter_kind(marker: &Expr) -> Option<Kind<'_>> {
    match marker.chain().and_then(|chain| chain.callee()) {
        Some((path, args, _)) => match path.rsplit('.').next() {
            Some("Option") => Some(Kind::Option(args)),
            Some("Argument") => None,
            _ => Some(Kind::Other),
        },
        None => Some(Kind::Other),
    }
}

fn draft(
    files: &Files<'_>,
    file: &Rc<File>,
    name: &str,
    ty: &Expr,
    default: Option<&Expr>,
    args: &[Arg],
    line: u32,
) -> Draft {
    let value = |name: &str| named(args, name).map(|arg| files.value(file, arg));
    let is = |name: &str| value(name).and_then(|value| value.bool()) == Some(true);
    let shape = shape(files, file, ty, 0);
    let texts = args
        .iter()
        .filter(|arg| arg.name.is_none())
        .map(|arg| files.value(file, &arg.value));
    let mut names: Vec<String> = Vec::new();
    for text in texts.filter_map(|value| value.text().map(str::to_owned)) {
        names.extend(
            text.split('/')
                .map(str::trim)
                .filter(|name| is_spelling(name))
                .map(str::to_owned),
        );
    }
    let switch = shape.base == Base::Bool && !shape.many;
    if names.is_empty() {
        let plain = name.trim_matches('_').replace('_', "-");
        names.push(format!("--{plain}"));
        if switch {
            names.push(format!("--no-{plain}"));
        }
    }
    let mut flag = Draft::new(names, "", file.place_at(line));
    flag.value = if is("count") || switch {
        FlagValue::Switch
    } else if shape.many || value("multiple").is_some() {
        FlagValue::Many
    } else if shape.base == Base::Unknown {
        FlagValue::Unknown
    } else {
        FlagValue::One
    };
    flag.choices = shape.choices;
    if let Some(choices) = value("click_type").and_then(|ty| super::click::choices(files, file, &ty)) {
        flag.choices = choices;
    }
    flag.default = default
        .map(|default| files.value(file, default))
        .and_then(|default| default.literal());
    flag.hidden = is("hidden");
    flag.deprecated = value("help").is_some_and(|help| says_deprecated(&help.words()));
    flag
}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Base {
    Bool,
    Other,
    Unknown,
}

/// What a type says of its flag.
struct Shape {
    base: Base,
    many: bool,
    choices: Vec<String>,
}

fn shape(files: &Files<'_>, file: &Rc<File>, ty: &Expr, depth: usize) -> Shape {
    let plain = |base| Shape {
        base,
        many: false,
        choices: Vec::new(),
    };
    if depth > 10 {
        return plain(Base::Unknown);
    }
    match ty {
        Expr::Name(name) if name == "bool" => plain(Base::Bool),
        Expr::Null => plain(Base::Unknown),
        // A quoted type.
        Expr::Text(text) => {
            let quoted = format!("x: {text}\n");
            match File::parse("a.py", &PYTHON, quoted.as_bytes()).map(Rc::new) {
                Some(inner) => match inner.nodes(inner.root(), &["type"]).first().map(|ty| inner.lower(*ty)) {
                    Some(Expr::Text(_)) | None => plain(Base::Unknown),
                    Some(ty) => shape(files, file, &ty, depth + 1),
                },
                None => plain(Base::Unknown),
            }
        }
        Expr::Either(arms) => {
            let arms = arms.iter().filter(|arm| **arm != Expr::Null);
            let shapes: Vec<Shape> = arms.map(|arm| shape(files, file, arm, depth + 1)).collect();
            match shapes.len() {
                1 => shapes.into_iter().next().unwrap_or(plain(Base::Unknown)),
                _ => plain(Base::Other),
            }
        }
        Expr::Typed(kind, body) if kind == "enum" => Shape {
            choices: body
                .entries()
                .iter()
                .filter_map(|entry| entry.value.literal())
                .collect(),
            ..plain(Base::Other)
        },
        Expr::Chain(chain) => match (chain.base.path().as_deref().map(last), chain.steps.last()) {
            (Some("Literal"), Some(Step::Index(items))) => Shape {
                choices: items.iter().filter_map(Expr::literal).collect(),
                ..plain(Base::Other)
            },
            (Some("Optional"), Some(Step::Index(items))) => items
                .first()
                .map_or(plain(Base::Unknown), |inner| shape(files, file, inner, depth + 1)),
            (Some("Annotated"), Some(Step::Index(items))) => items
                .first()
                .map_or(plain(Base::Unknown), |inner| shape(files, file, inner, depth + 1)),
            (Some("list" | "List" | "tuple" | "Tuple" | "set" | "Sequence"), Some(Step::Index(items))) => Shape {
                many: true,
                ..items
                    .first()
                    .map_or(plain(Base::Other), |inner| shape(files, file, inner, depth + 1))
            },
            // `typing.Literal[…]` and `typing.Optional[…]`
            _ => match chain.steps.as_slice() {
                [Step::Member(name), index @ Step::Index(_)] => {
                    let inner = crate::flags::expr::Chain {
                        base: Expr::Name(name.clone()),
                        steps: vec![index.clone()],
                    };
                    shape(files, file, &Expr::Chain(Box::new(inner)), depth + 1)
                }
                _ => plain(Base::Other),
            },
        },
        Expr::Name(name) if matches!(name.as_str(), "list" | "List") => Shape {
            many: true,
            ..plain(Base::Other)
        },
        Expr::Name(_) => match files.value(file, ty) {
            Expr::Name(_) | Expr::Table(_) => plain(Base::Other),
            value => shape(files, file, &value, depth + 1),
        },
        _ => plain(Base::Other),
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
