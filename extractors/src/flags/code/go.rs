//! Go expressions and packages.

use tree_sitter::{Language, Node};

use super::{Bindings, Code, Peeled, around, call, children, lower, pieces, unknown};
use crate::flags::expr::{Entry, Expr, Step};
use crate::flags::files::{File, Files, parent};
use crate::syntax::line;

/// The language.
pub(crate) const GO: Code = Code {
    id: "go",
    extensions: &["go"],
    grammar,
    peel,
    atom,
    bindings,
    locate,
};

/// Types whose call converts and does nothing else.
const CONVERSIONS: [&str; 17] = [
    "string",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "bool",
    "byte",
    "rune",
    "time.Duration",
];

fn grammar(_: &str) -> Language {
    tree_sitter_go::LANGUAGE.into()
}

fn peel<'t>(file: &File, node: Node<'t>, depth: usize) -> Peeled<'t> {
    let field = |name| node.child_by_field_name(name);
    match node.kind() {
        "call_expression" => {
            let (function, arguments) = (field("function")?, field("arguments")?);
            let values = children(arguments);
            if let ([value], true) = (values.as_slice(), CONVERSIONS.contains(&file.text(function))) {
                return Some((*value, None));
            }
            Some((function, Some(call(file, arguments, depth))))
        }
        "selector_expression" => Some((
            field("operand")?,
            Some(Step::Member(file.text(field("field")?).to_owned())),
        )),
        "index_expression" => Some((
            field("operand")?,
            Some(Step::Index(vec![lower(file, field("index")?, depth)])),
        )),
        "parenthesized_expression" | "literal_element" => Some((*children(node).first()?, None)),
        "type_assertion_expression" => Some((field("operand")?, None)),
        "unary_expression" if matches!(file.text(node).chars().next(), Some('&' | '*')) => {
            Some((field("operand")?, None))
        }
        _ => None,
    }
}

fn atom(file: &File, node: Node<'_>, depth: usize) -> Expr {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "interpreted_string_literal" => pieces(file, node, &["interpreted_string_literal_content"], depth),
        "raw_string_literal" => pieces(file, node, &["raw_string_literal_content"], depth),
        "int_literal" | "float_literal" => Expr::Number(file.text(node).to_owned()),
        "true" => Expr::Bool(true),
        "false" => Expr::Bool(false),
        "nil" => Expr::Null,
        "identifier" | "type_identifier" | "field_identifier" | "package_identifier" => {
            Expr::Name(file.text(node).to_owned())
        }
        "composite_literal" => {
            let ty = field("type").map_or("", |ty| file.text(ty));
            let body = field("body").map_or(Expr::Null, |body| literal(file, body, depth));
            Expr::Typed(ty.to_owned(), Box::new(body))
        }
        "literal_value" => literal(file, node, depth),
        "func_literal" | "function_declaration" | "method_declaration" => Expr::Function(node.byte_range()),
        "unary_expression" => match field("operand") {
            Some(operand) if matches!(operand.kind(), "int_literal" | "float_literal") => {
                Expr::Number(file.text(node).to_owned())
            }
            _ => unknown(file, node),
        },
        "binary_expression" => match field("operator").map(|operator| file.text(operator)) {
            Some("+") => {
                let side = |name: &str| field(name).map_or(Expr::Null, |side| lower(file, side, depth));
                Expr::Joined(vec![side("left"), side("right")])
            }
            _ => unknown(file, node),
        },
        _ => unknown(file, node),
    }
}

/// `{a, b}` is a list, `{name: a}` a table.
fn literal(file: &File, body: Node<'_>, depth: usize) -> Expr {
    let members = children(body);
    if members.first().is_some_and(|member| member.kind() == "keyed_element") {
        let entries = members.into_iter().filter_map(|member| {
            let key = member.child_by_field_name("key")?;
            let key = match lower(file, key, depth) {
                Expr::Text(text) | Expr::Name(text) => text,
                _ => file.text(key).to_owned(),
            };
            Some(Entry {
                key,
                value: lower(file, member.child_by_field_name("value")?, depth),
                line: line(member),
            })
        });
        Expr::Table(entries.collect())
    } else {
        Expr::List(members.into_iter().map(|member| lower(file, member, depth)).collect())
    }
}

fn bindings(file: &File) -> Bindings {
    let mut names = Bindings::default();
    let root = file.root();
    let kinds = [
        "const_spec",
        "var_spec",
        "short_var_declaration",
        "assignment_statement",
        "function_declaration",
        "import_spec",
        "type_spec",
    ];
    let (outer, inner): (Vec<Node<'_>>, Vec<Node<'_>>) = file.nodes(root, &kinds).into_iter().partition(|node| {
        let functions = ["function_declaration", "method_declaration", "func_literal"];
        !around(root, *node)
            .iter()
            .any(|outer| functions.contains(&outer.kind()))
    });
    for node in outer.into_iter().chain(inner) {
        declare(file, node, &mut names);
    }
    names
}

fn declare(file: &File, node: Node<'_>, names: &mut Bindings) {
    let field = |name: &str| node.child_by_field_name(name);
    match node.kind() {
        "const_spec" | "var_spec" => {
            let values = field("value").map(children).unwrap_or_default();
            let mut cursor = node.walk();
            let left = node
                .children_by_field_name("name", &mut cursor)
                .filter(|name| name.kind() == "identifier");
            for (name, value) in left.zip(values) {
                names.bind(file.text(name), file.lower(value));
            }
        }
        "short_var_declaration" | "assignment_statement" => {
            let (Some(left), Some(right)) = (field("left"), field("right")) else {
                return;
            };
            let (left, right) = (children(left), children(right));
            if left.len() == right.len() {
                for (name, value) in left.into_iter().zip(right) {
                    if name.kind() == "identifier" {
                        names.bind(file.text(name), file.lower(value));
                    }
                }
            }
        }
        "function_declaration" => {
            if let Some(name) = field("name") {
                names.bind(file.text(name), Expr::Function(node.byte_range()));
            }
        }
        // The fields of a struct, in order: what the members of a literal without names stand for.
        "type_spec" => {
            if let (Some(name), Some(ty)) = (field("name"), field("type"))
                && ty.kind() == "struct_type"
            {
                let fields = file.nodes(ty, &["field_identifier"]);
                let fields = fields
                    .into_iter()
                    .map(|field| Expr::Text(file.text(field).to_owned()))
                    .collect();
                names.bind(
                    file.text(name),
                    Expr::Typed("struct".to_owned(), Box::new(Expr::List(fields))),
                );
            }
        }
        "import_spec" => {
            if let Some(path) = field("path") {
                let path = file.text(path).trim_matches(['"', '`']);
                let last = path.rsplit('/').next().unwrap_or(path);
                let local = field("name").map_or(last, |name| file.text(name));
                names.import(local, path, None);
            }
        }
        _ => {}
    }
}

/// The files of a package of the same module: the folder with the longest common ending.
fn locate(files: &Files<'_>, from: &File, module: &str) -> Vec<String> {
    let go = |folder: &str| -> Vec<String> {
        let here = |path: &&String| parent(path) == folder;
        files
            .below(folder)
            .filter(here)
            .filter(|path| GO.reads(path))
            .cloned()
            .collect()
    };
    if module.is_empty() {
        return go(parent(&from.path));
    }
    let root = files.folder_with(&from.path, &["go.mod"]).unwrap_or_default();
    let mut rest = module;
    loop {
        let folder = super::super::files::join(&root, rest);
        let found = go(&folder);
        if !found.is_empty() {
            return found;
        }
        match rest.split_once('/') {
            Some((_, shorter)) => rest = shorter,
            None => return Vec::new(),
        }
    }
}
