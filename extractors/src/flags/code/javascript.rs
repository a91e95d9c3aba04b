//! TypeScript and JavaScript expressions and modules. All endings are read by the TypeScript grammars, which take plain
//! JavaScript too.

use tree_sitter::{Language, Node};

use super::{Bindings, Code, Peeled, call, children, lower, pieces, unknown};
use crate::flags::expr::{Entry, Expr, Step};
use crate::flags::files::{File, Files, join, parent};
use crate::syntax::line;

/// The language.
pub(crate) const JAVASCRIPT: Code = Code {
    id: "javascript",
    extensions: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
    grammar,
    peel,
    atom,
    bindings,
    locate,
};

fn grammar(path: &str) -> Language {
    // Only where JSX may stand, since `<T>x` is a cast elsewhere.
    let jsx = [".tsx", ".jsx", ".js", ".mjs", ".cjs"]
        .iter()
        .any(|ending| path.ends_with(ending));
    if jsx {
        tree_sitter_typescript::LANGUAGE_TSX.into()
    } else {
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()
    }
}

fn peel<'t>(file: &File, node: Node<'t>, depth: usize) -> Peeled<'t> {
    let field = |name| node.child_by_field_name(name);
    match node.kind() {
        "call_expression" => Some((field("function")?, Some(call(file, field("arguments")?, depth)))),
        "new_expression" => {
            let step = match field("arguments") {
                Some(arguments) => call(file, arguments, depth),
                None => Step::Call(Vec::new(), line(node)),
            };
            Some((field("constructor")?, Some(step)))
        }
        "member_expression" => Some((
            field("object")?,
            Some(Step::Member(file.text(field("property")?).to_owned())),
        )),
        "subscript_expression" => Some((
            field("object")?,
            Some(Step::Index(vec![lower(file, field("index")?, depth)])),
        )),
        "parenthesized_expression"
        | "as_expression"
        | "satisfies_expression"
        | "non_null_expression"
        | "await_expression" => Some((*children(node).first()?, None)),
        "type_assertion" => Some((*children(node).last()?, None)),
        _ => None,
    }
}

fn atom(file: &File, node: Node<'_>, depth: usize) -> Expr {
    let field = |name: &str| node.child_by_field_name(name);
    let side = |name: &str| field(name).map_or(Expr::Null, |side| lower(file, side, depth));
    match node.kind() {
        "string" | "template_string" => pieces(file, node, &["string_fragment"], depth),
        "number" => Expr::Number(file.text(node).to_owned()),
        "true" => Expr::Bool(true),
        "false" => Expr::Bool(false),
        "null" | "undefined" => Expr::Null,
        "identifier" | "property_identifier" | "shorthand_property_identifier" | "this" | "import" => {
            Expr::Name(file.text(node).to_owned())
        }
        "array" => Expr::List(
            children(node)
                .into_iter()
                .map(|item| lower(file, item, depth))
                .collect(),
        ),
        "object" => Expr::Table(
            children(node)
                .into_iter()
                .filter_map(|member| entry(file, member, depth))
                .collect(),
        ),
        "spread_element" => match children(node).first() {
            Some(items) => Expr::Spread(Box::new(lower(file, *items, depth))),
            None => unknown(file, node),
        },
        "arrow_function"
        | "function_expression"
        | "function_declaration"
        | "generator_function"
        | "method_definition" => Expr::Function(node.byte_range()),
        "ternary_expression" => Expr::Either(vec![side("consequence"), side("alternative")]),
        "assignment_expression" => side("right"),
        "unary_expression" => match (field("argument"), file.text(node)) {
            (Some(argument), text) if argument.kind() == "number" => Expr::Number(text.to_owned()),
            (Some(argument), text) if text.starts_with("void") && argument.kind() == "number" => Expr::Null,
            _ => unknown(file, node),
        },
        "binary_expression" => match field("operator").map(|operator| file.text(operator)) {
            Some("||" | "??") => Expr::Either(vec![side("left"), side("right")]),
            Some("+") => Expr::Joined(vec![side("left"), side("right")]),
            _ => unknown(file, node),
        },
        _ => unknown(file, node),
    }
}

fn entry(file: &File, member: Node<'_>, depth: usize) -> Option<Entry> {
    let (key, value) = match member.kind() {
        "pair" => {
            let value = lower(file, member.child_by_field_name("value")?, depth);
            (key(file, member.child_by_field_name("key")?), value)
        }
        "shorthand_property_identifier" => {
            let name = file.text(member);
            (name.to_owned(), Expr::Name(name.to_owned()))
        }
        "method_definition" => (
            key(file, member.child_by_field_name("name")?),
            Expr::Function(member.byte_range()),
        ),
        "spread_element" => ("...".to_owned(), lower(file, *children(member).first()?, depth)),
        _ => return None,
    };
    Some(Entry {
        key,
        value,
        line: line(member),
    })
}

/// The key of a member. A computed one that is no literal keeps its brackets, so that no flag is made of it.
fn key(file: &File, node: Node<'_>) -> String {
    match node.kind() {
        "string" => match pieces(file, node, &["string_fragment"], 0) {
            Expr::Text(text) => text,
            _ => String::new(),
        },
        "computed_property_name" => match children(node).first() {
            Some(inner) if inner.kind() == "string" => key(file, *inner),
            _ => file.text(node).to_owned(),
        },
        _ => file.text(node).to_owned(),
    }
}

fn bindings(file: &File) -> Bindings {
    let mut names = Bindings::default();
    let root = file.root();
    // Outer names first: a local one of the same name elsewhere in the file is another thing.
    for node in children(root) {
        let node = node.child_by_field_name("declaration").unwrap_or(node);
        if matches!(node.kind(), "lexical_declaration" | "variable_declaration") {
            for declarator in children(node) {
                declare(file, declarator, &mut names);
            }
        } else {
            declare(file, node, &mut names);
        }
    }
    let kinds = [
        "variable_declarator",
        "enum_declaration",
        "function_declaration",
        "assignment_expression",
        "import_statement",
        "export_statement",
    ];
    for node in file.nodes(root, &kinds) {
        declare(file, node, &mut names);
    }
    names
}

fn declare(file: &File, node: Node<'_>, names: &mut Bindings) {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "variable_declarator" => {
            let (Some(name), Some(value)) = (field("name"), field("value")) else {
                return;
            };
            let required = required(file, value);
            match (name.kind(), required) {
                ("identifier", Some(module)) => names.import(file.text(name), &module, None),
                ("object_pattern", Some(module)) => {
                    for member in children(name) {
                        if member.kind() == "shorthand_property_identifier_pattern" {
                            names.import(file.text(member), &module, Some(file.text(member)));
                        }
                    }
                }
                ("identifier", None) => names.bind(file.text(name), file.lower(value)),
                _ => {}
            }
        }
        "assignment_expression" => {
            if let (Some(left), Some(right)) = (field("left"), field("right"))
                && left.kind() == "identifier"
            {
                names.bind(file.text(left), file.lower(right));
            }
        }
        "function_declaration" => {
            if let Some(name) = field("name") {
                names.bind(file.text(name), Expr::Function(node.byte_range()));
            }
        }
        "enum_declaration" => {
            if let (Some(name), Some(body)) = (field("name"), field("body")) {
                let members = children(body).into_iter().enumerate().map(|(index, member)| {
                    let value = member.child_by_field_name("value");
                    Entry {
                        key: key(file, member.child_by_field_name("name").unwrap_or(member)),
                        value: value.map_or(Expr::Number(index.to_string()), |value| file.lower(value)),
                        line: line(member),
                    }
                });
                let table = Expr::Table(members.collect());
                names.bind(file.text(name), Expr::Typed("enum".to_owned(), Box::new(table)));
            }
        }
        "import_statement" | "export_statement" => imported(file, node, names),
        _ => {}
    }
}

/// The module of `require("…")`.
fn required(file: &File, value: Node<'_>) -> Option<String> {
    let function = value.child_by_field_name("function")?;
    let arguments = value.child_by_field_name("arguments")?;
    let module = *children(arguments).first()?;
    (file.text(function) == "require" && module.kind() == "string").then(|| key(file, module))
}

fn imported(file: &File, node: Node<'_>, names: &mut Bindings) {
    let Some(source) = node.child_by_field_name("source") else {
        if let Some(value) = node.child_by_field_name("value") {
            names.bind("default", file.lower(value));
        }
        return;
    };
    let module = key(file, source);
    let clauses = children(node);
    if node.kind() == "export_statement" && !clauses.iter().any(|clause| clause.kind() == "export_clause") {
        names.stars.push(module.clone());
    }
    for specifier in file.nodes(
        node,
        &[
            "import_specifier",
            "export_specifier",
            "namespace_import",
            "import_clause",
        ],
    ) {
        match specifier.kind() {
            "import_clause" => {
                if let Some(name) = children(specifier).first().filter(|name| name.kind() == "identifier") {
                    names.import(file.text(*name), &module, Some("default"));
                }
            }
            "namespace_import" => {
                if let Some(name) = children(specifier).first() {
                    names.import(file.text(*name), &module, None);
                }
            }
            _ => {
                if let Some(name) = specifier.child_by_field_name("name") {
                    let local = specifier.child_by_field_name("alias").unwrap_or(name);
                    names.import(
                        file.text(local),
                        &module,
                        Some(file.text(name).trim_matches(['"', '\''])),
                    );
                }
            }
        }
    }
}

/// A relative module, or one below the root of its package (`#/…`, `@/…`, `~/…`, `src/…`). Other packages are not looked
/// for.
fn locate(files: &Files<'_>, from: &File, module: &str) -> Vec<String> {
    let base = if module.starts_with("./") || module.starts_with("../") || module == "." || module == ".." {
        normal(&join(parent(&from.path), module))
    } else {
        let inner = ["#/", "@/", "~/", "src/", "#"]
            .iter()
            .find_map(|prefix| module.strip_prefix(prefix));
        let folder = files.folder_with(&from.path, &["package.json"]);
        match (inner, folder) {
            (Some(inner), Some(folder)) => Some(join(&join(&folder, "src"), inner)),
            _ => None,
        }
    };
    let Some(base) = base else { return Vec::new() };
    let stem = JAVASCRIPT
        .extensions
        .iter()
        .find_map(|ending| base.strip_suffix(ending)?.strip_suffix('.'))
        .unwrap_or(&base);
    let mut paths = vec![base.clone()];
    for stem in [stem, &base] {
        paths.extend(JAVASCRIPT.extensions.iter().map(|ending| format!("{stem}.{ending}")));
        paths.extend(
            JAVASCRIPT
                .extensions
                .iter()
                .map(|ending| join(stem, &format!("index.{ending}"))),
        );
    }
    paths.retain(|path| files.has(path));
    paths
}

/// A path without `.` and `..`; `None` when it leaves the tree.
pub(super) fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A chain of method calls, from its beginning: `base.a(…).b(…)`.
pub(crate) struct Spine<'t> {
    /// What the first method is called on.
    pub(crate) base: Node<'t>,
    pub(crate) calls: Vec<Method<'t>>,
}

/// One method call of a chain.
#[derive(Clone, Copy)]
pub(crate) struct Method<'t> {
    /// The name of the method.
    pub(crate) name: Node<'t>,
    /// Its arguments.
    pub(crate) arguments: Node<'t>,
}

/// The chain that ends in this call. `None` when the node is no call, or a part of a longer chain.
pub(crate) fn spine(node: Node<'_>) -> Option<Spine<'_>> {
    if node.kind() != "call_expression" || continues(node) {
        return None;
    }
    let mut calls = Vec::new();
    let mut at = node;
    loop {
        let next = match at.kind() {
            "call_expression" => at.child_by_field_name("function").and_then(|function| {
                let name = function
                    .child_by_field_name("property")
                    .filter(|_| function.kind() == "member_expression")?;
                let object = function.child_by_field_name("object")?;
                calls.push(Method {
                    name,
                    arguments: at.child_by_field_name("arguments")?,
                });
                Some(object)
            }),
            "parenthesized_expression" | "await_expression" | "as_expression" | "non_null_expression" => {
                children(at).first().copied()
            }
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => break,
        }
    }
    calls.reverse();
    Some(Spine { base: at, calls })
}

/// Whether a chain goes on behind this node.
fn continues(node: Node<'_>) -> bool {
    let mut at = node;
    while let Some(parent) = at.parent() {
        match parent.kind() {
            "parenthesized_expression" | "await_expression" | "as_expression" | "non_null_expression" => at = parent,
            "member_expression" => {
                let called = parent.parent().filter(|call| call.kind() == "call_expression");
                return called.is_some_and(|call| call.child_by_field_name("function") == Some(parent));
            }
            _ => return false,
        }
    }
    false
}
