//! Python expressions, types included, and modules.

use tree_sitter::{Language, Node};

use super::{Bindings, Code, Peeled, around, call, children, lower, pieces, unknown};
use crate::flags::expr::{Entry, Expr, Step};
use crate::flags::files::{File, Files, join, parent};
use crate::syntax::line;

/// The language.
pub(crate) const PYTHON: Code = Code {
    id: "python",
    extensions: &["py", "pyi"],
    grammar,
    peel,
    atom,
    bindings,
    locate,
};

fn grammar(_: &str) -> Language {
    tree_sitter_python::LANGUAGE.into()
}

fn peel<'t>(file: &File, node: Node<'t>, depth: usize) -> Peeled<'t> {
    let field = |name| node.child_by_field_name(name);
    match node.kind() {
        "call" => Some((field("function")?, Some(call(file, field("arguments")?, depth)))),
        "attribute" => Some((
            field("object")?,
            Some(Step::Member(file.text(field("attribute")?).to_owned())),
        )),
        "subscript" => {
            let mut cursor = node.walk();
            let indexes = node.children_by_field_name("subscript", &mut cursor);
            let indexes = indexes.map(|index| lower(file, index, depth)).collect();
            Some((field("value")?, Some(Step::Index(indexes))))
        }
        "generic_type" => {
            let parts = children(node);
            let (base, parameters) = (*parts.first()?, *parts.get(1)?);
            let indexes = children(parameters)
                .into_iter()
                .map(|index| lower(file, index, depth))
                .collect();
            Some((base, Some(Step::Index(indexes))))
        }
        "member_type" => {
            let parts = children(node);
            Some((
                *parts.first()?,
                Some(Step::Member(file.text(*parts.get(1)?).to_owned())),
            ))
        }
        "type" | "parenthesized_expression" | "await" => Some((*children(node).first()?, None)),
        _ => None,
    }
}

fn atom(file: &File, node: Node<'_>, depth: usize) -> Expr {
    let field = |name: &str| node.child_by_field_name(name);
    let side = |name: &str| field(name).map_or(Expr::Null, |side| lower(file, side, depth));
    let all = || {
        children(node)
            .into_iter()
            .map(|item| lower(file, item, depth))
            .collect::<Vec<_>>()
    };
    match node.kind() {
        "string" => pieces(file, node, &["string_content"], depth),
        "concatenated_string" => joined(all()),
        "integer" | "float" => Expr::Number(file.text(node).to_owned()),
        "true" => Expr::Bool(true),
        "false" => Expr::Bool(false),
        "none" => Expr::Null,
        "identifier" => Expr::Name(file.text(node).to_owned()),
        "list" | "tuple" | "set" | "expression_list" => Expr::List(all()),
        "list_splat" => match children(node).first() {
            Some(items) => Expr::Spread(Box::new(lower(file, *items, depth))),
            None => unknown(file, node),
        },
        "dictionary" => Expr::Table(
            children(node)
                .into_iter()
                .filter_map(|pair| entry(file, pair, depth))
                .collect(),
        ),
        "lambda" | "function_definition" => Expr::Function(node.byte_range()),
        "conditional_expression" => match children(node).as_slice() {
            [yes, _, no] => Expr::Either(vec![lower(file, *yes, depth), lower(file, *no, depth)]),
            _ => unknown(file, node),
        },
        "union_type" => Expr::Either(all()),
        "boolean_operator" => match field("operator").map(|operator| file.text(operator)) {
            Some("or") => Expr::Either(vec![side("left"), side("right")]),
            _ => unknown(file, node),
        },
        "binary_operator" => match field("operator").map(|operator| file.text(operator)) {
            Some("|") => Expr::Either(vec![side("left"), side("right")]),
            Some("+") => joined(vec![side("left"), side("right")]),
            _ => unknown(file, node),
        },
        "unary_operator" => match field("argument") {
            Some(argument) if matches!(argument.kind(), "integer" | "float") => {
                Expr::Number(file.text(node).to_owned())
            }
            _ => unknown(file, node),
        },
        "list_comprehension" | "generator_expression" | "set_comprehension" => comprehension(file, node, depth),
        _ => unknown(file, node),
    }
}

fn joined(parts: Vec<Expr>) -> Expr {
    let texts: Option<Vec<&str>> = parts.iter().map(Expr::text).collect();
    match texts {
        Some(texts) => Expr::Text(texts.concat()),
        None => Expr::Joined(parts),
    }
}

/// `[x.value for x in Enum]` is the values of it, `[x for x in y]` is `y`.
fn comprehension(file: &File, node: Node<'_>, depth: usize) -> Expr {
    let parts = children(node);
    let [body, clause] = parts.as_slice() else {
        return unknown(file, node);
    };
    let Some(items) = clause.child_by_field_name("right") else {
        return unknown(file, node);
    };
    let items = lower(file, items, depth);
    match file.text(*body).split_once('.') {
        Some((_, "value")) => Expr::Typed("values".to_owned(), Box::new(items)),
        Some((_, "name")) => Expr::Typed("names".to_owned(), Box::new(items)),
        None if body.kind() == "identifier" => items,
        _ => unknown(file, node),
    }
}

fn entry(file: &File, member: Node<'_>, depth: usize) -> Option<Entry> {
    let (key, value) = if member.kind() == "dictionary_splat" {
        ("...".to_owned(), lower(file, *children(member).first()?, depth))
    } else {
        let key = member.child_by_field_name("key")?;
        let key = match lower(file, key, depth) {
            Expr::Text(text) | Expr::Number(text) => text,
            _ => format!("[{}]", file.text(key)),
        };
        (key, lower(file, member.child_by_field_name("value")?, depth))
    };
    Some(Entry {
        key,
        value,
        line: line(member),
    })
}

fn bindings(file: &File) -> Bindings {
    let mut names = Bindings::default();
    let kinds = [
        "assignment",
        "class_definition",
        "function_definition",
        "import_from_statement",
        "import_statement",
        "type_alias_statement",
    ];
    let nodes = file.nodes(file.root(), &kinds);
    let local = |node: &&Node<'_>| {
        let outer = around(file.root(), **node);
        outer
            .iter()
            .any(|outer| matches!(outer.kind(), "function_definition" | "class_definition"))
    };
    let (inner, outer): (Vec<&Node<'_>>, Vec<&Node<'_>>) = nodes.iter().partition(local);
    for node in outer.into_iter().chain(inner) {
        declare(file, *node, &mut names);
    }
    names
}

fn declare(file: &File, node: Node<'_>, names: &mut Bindings) {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "assignment" | "type_alias_statement" => {
            if let (Some(left), Some(right)) = (field("left"), field("right")) {
                names.bind(file.text(left), file.lower(right));
            }
        }
        "function_definition" => {
            if let Some(name) = field("name") {
                names.bind(file.text(name), Expr::Function(node.byte_range()));
            }
        }
        "class_definition" => {
            if let Some(name) = field("name") {
                let class = class(file, node);
                names.bind(file.text(name), class);
            }
        }
        _ => imported(file, node, names),
    }
}

/// The constants of a class. Those of an enumeration are its members.
fn class(file: &File, node: Node<'_>) -> Expr {
    let mut entries = Vec::new();
    let body = node.child_by_field_name("body").map(children).unwrap_or_default();
    for statement in body
        .into_iter()
        .flat_map(children)
        .filter(|inner| inner.kind() == "assignment")
    {
        let sides = (
            statement.child_by_field_name("left"),
            statement.child_by_field_name("right"),
        );
        if let (Some(left), Some(right)) = sides {
            let key = file.text(left).to_owned();
            let value = match file.lower(right) {
                // `auto()` of a `StrEnum` is the name in lower case.
                Expr::Chain(chain) if chain.callee().is_some_and(|(name, _, _)| name.ends_with("auto")) => {
                    Expr::Text(key.to_lowercase())
                }
                value => value,
            };
            entries.push(Entry {
                key,
                value,
                line: line(statement),
            });
        }
    }
    let bases = node
        .child_by_field_name("superclasses")
        .map_or("", |bases| file.text(bases));
    let table = Expr::Table(entries);
    if bases.contains("Enum") {
        Expr::Typed("enum".to_owned(), Box::new(table))
    } else {
        table
    }
}

fn imported(file: &File, node: Node<'_>, names: &mut Bindings) {
    let module = node
        .child_by_field_name("module_name")
        .map(|module| file.text(module).to_owned());
    let mut cursor = node.walk();
    for item in node.children_by_field_name("name", &mut cursor) {
        let name = item.child_by_field_name("name").unwrap_or(item);
        let name = file.text(name);
        let alias = item.child_by_field_name("alias").map(|alias| file.text(alias));
        match &module {
            Some(module) => names.import(alias.unwrap_or(name), module, Some(name)),
            None => match alias {
                Some(alias) => names.import(alias, name, None),
                None => names.import(name, name, None),
            },
        }
    }
    if let Some(module) = module
        && children(node).iter().any(|child| child.kind() == "wildcard_import")
    {
        names.stars.push(module);
    }
}

fn locate(files: &Files<'_>, from: &File, module: &str) -> Vec<String> {
    let dots = module.chars().take_while(|letter| *letter == '.').count();
    let rest = module.trim_start_matches('.').replace('.', "/");
    let file_or_package = |base: &str| {
        [format!("{base}.py"), join(base, "__init__.py"), format!("{base}.pyi")]
            .into_iter()
            .filter(|path| files.has(path))
    };
    if dots > 0 {
        let mut folder = parent(&from.path);
        for _ in 1..dots {
            folder = parent(folder);
        }
        let base = if rest.is_empty() {
            folder.to_owned()
        } else {
            join(folder, &rest)
        };
        return file_or_package(&base).collect();
    }
    // An absolute module, seen from each folder above: the nearest that has it.
    let mut folder = parent(&from.path);
    loop {
        let found: Vec<String> = file_or_package(&join(folder, &rest)).collect();
        if !found.is_empty() || folder.is_empty() {
            return found;
        }
        folder = parent(folder);
    }
}
