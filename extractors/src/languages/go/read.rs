//! Declarations and type expressions out of the syntax tree.

use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::{Language, Node};

use super::facts::{Facts, GoType, Member, TypeDef};
use super::{bodies, consts, literals as event_literals, tags};
use crate::stability::of_comment;
use crate::syntax::{Source, children, comment_above, fields, line, walk};

static LANGUAGE: LazyLock<Language> = LazyLock::new(|| tree_sitter_go::LANGUAGE.into());
#[expect(clippy::unwrap_used, reason = "the pattern is a constant that every test compiles")]
static DECLARES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^(?:type|const)[\s(]+([A-Za-z_]\w*)").unwrap());
#[expect(clippy::unwrap_used, reason = "the pattern is a constant that every test compiles")]
static GROUPED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^\t([A-Za-z_]\w*)\s").unwrap());

/// How deep type expressions may nest.
const MAX_DEPTH: usize = 100;

pub(super) fn read(bytes: &[u8]) -> Facts {
    let source = match Source::parse(&LANGUAGE, bytes) {
        Ok(source) => source,
        Err(damage) => {
            return Facts {
                damage: vec![damage],
                ..Facts::default()
            };
        }
    };
    let mut facts = Facts {
        // An error inside a function hides nothing unless it swallows what follows.
        damage: source.damage(hidden),
        ..Facts::default()
    };
    let mut groups = 0;
    for node in source.statements() {
        match node.kind() {
            "import_declaration" => imports(&source, node, &mut facts),
            "type_declaration" => types(&source, node, &mut facts),
            "const_declaration" => {
                groups += 1;
                consts::group(&source, node, groups, &mut facts);
            }
            "var_declaration" => bodies::tables(&source, node, &mut facts),
            "method_declaration" => {
                bodies::method(&source, node, &mut facts);
                bodies::pairs(&source, node, &mut facts);
            }
            "function_declaration" => bodies::pairs(&source, node, &mut facts),
            _ => {}
        }
    }
    facts.literals = event_literals::find(&source);
    facts
}

/// Names that an unreadable statement may declare.
fn hidden(node: Node<'_>, text: &str) -> Option<Vec<String>> {
    let names = |pattern: &Regex| -> Vec<String> {
        let found = pattern.captures_iter(text).filter_map(|found| found.get(1));
        found.map(|name| name.as_str().to_owned()).collect()
    };
    let mut hides = names(&DECLARES);
    if ["function_declaration", "method_declaration"].contains(&node.kind()) {
        return (!hides.is_empty()).then_some(hides);
    }
    hides.extend(names(&GROUPED));
    Some(hides)
}

fn imports(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    walk(node, &mut |node| {
        if node.kind() != "import_spec" {
            return true;
        }
        if let Some(path) = source.field(node, "path") {
            let path = path.trim_matches(['"', '`']).to_owned();
            let name = source
                .field(node, "name")
                .map_or_else(|| package_name(&path), str::to_owned);
            facts.imports.push((name, path));
        }
        false
    });
}

/// The name that a package has by custom: the last part of its path that is no version.
fn package_name(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or_default();
    let is_version = last.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let name = if is_version { parts.next().unwrap_or(last) } else { last };
    // `gopkg.in/yaml.v3`, `go-json`
    let name = name.split(".v").next().unwrap_or(name);
    name.strip_prefix("go-").unwrap_or(name).to_owned()
}

fn types(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    let above = comment_above(source, node);
    for spec in children(node) {
        if !["type_spec", "type_alias"].contains(&spec.kind()) || spec.has_error() {
            continue;
        }
        let (Some(name), Some(ty)) = (source.field(spec, "name"), spec.child_by_field_name("type")) else {
            continue;
        };
        let mut params = vec![];
        for parameter in spec
            .child_by_field_name("type_parameters")
            .map(children)
            .unwrap_or_default()
        {
            params.extend(
                fields(parameter, "name")
                    .into_iter()
                    .map(|name| source.of(name).to_owned()),
            );
        }
        let own = comment_above(source, spec);
        facts.types.push(TypeDef {
            name: name.to_owned(),
            params,
            alias: spec.kind() == "type_alias",
            ty: ty_of(source, ty, 0),
            line: line(spec),
            stability: of_comment(if own.is_empty() { &above } else { &own }),
        });
    }
}

/// A type expression.
pub(super) fn ty_of(source: &Source<'_>, node: Node<'_>, depth: usize) -> GoType {
    if depth > MAX_DEPTH || node.is_error() {
        return GoType::Unreadable(shortened(source.of(node)));
    }
    let inner = |node: Node<'_>| Box::new(ty_of(source, node, depth + 1));
    let part = |field: &str| node.child_by_field_name(field);
    match node.kind() {
        "type_identifier" | "identifier" => GoType::Name(source.of(node).to_owned()),
        "qualified_type" => match (source.field(node, "package"), source.field(node, "name")) {
            (Some(package), Some(name)) => GoType::Qualified(package.to_owned(), name.to_owned()),
            _ => GoType::Unreadable(shortened(source.of(node))),
        },
        "pointer_type" => match children(node).first() {
            Some(&to) => GoType::Pointer(inner(to)),
            None => GoType::Unreadable(shortened(source.of(node))),
        },
        "slice_type" => part("element").map_or(GoType::NotOnWire, |element| GoType::Slice(inner(element))),
        "array_type" | "implicit_length_array_type" => {
            part("element").map_or(GoType::NotOnWire, |element| GoType::Array(inner(element)))
        }
        "map_type" => part("value").map_or(GoType::NotOnWire, |value| GoType::Map(inner(value))),
        "struct_type" => GoType::Struct(members(source, node, depth)),
        "interface_type" => GoType::Interface(
            children(node)
                .into_iter()
                .filter(|child| child.kind() == "method_elem")
                .filter_map(|method| source.field(method, "name").map(str::to_owned))
                .collect(),
        ),
        "generic_type" => {
            let arguments = part("type_arguments").map(children).unwrap_or_default();
            let arguments = arguments.into_iter().map(|argument| *inner(argument)).collect();
            part("type").map_or(GoType::NotOnWire, |base| GoType::Instance(inner(base), arguments))
        }
        "type_elem" | "parenthesized_type" => children(node).first().map_or(GoType::NotOnWire, |&child| *inner(child)),
        "function_type" | "channel_type" => GoType::NotOnWire,
        _ => GoType::Unreadable(shortened(source.of(node))),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The fields of a struct type.
pub(super) fn members(source: &Source<'_>, node: Node<'_>, depth: usize) -> Vec<Member> {
    let mut members = vec![];
    let list = children(node);
    for field in list.into_iter().flat_map(children) {
        let Some(ty) = field.child_by_field_name("type") else {
            continue;
        };
        let tag = source
            .field(field, "tag")
            .map(|text| tags::read(&literal(text)))
            .unwrap_or_default();
        let base = ty_of(source, ty, depth + 1);
        let stability = of_comment(&comment_above(source, field));
        let names = fields(field, "name");
        if names.is_empty() {
            let pointer = field.child(0).is_some_and(|first| first.kind() == "*");
            members.push(Member {
                name: last_name(&base),
                embedded: true,
                ty: if pointer { GoType::Pointer(Box::new(base)) } else { base },
                tag,
                line: line(field),
                stability,
            });
            continue;
        }
        for name in names {
            members.push(Member {
                name: source.of(name).to_owned(),
                embedded: false,
                ty: base.clone(),
                tag: tag.clone(),
                line: line(field),
                stability,
            });
        }
    }
    members
}

fn last_name(ty: &GoType) -> String {
    match ty {
        GoType::Name(name) | GoType::Qualified(_, name) => name.clone(),
        GoType::Pointer(to) | GoType::Instance(to, _) => last_name(to),
        _ => String::new(),
    }
}

/// The content of a string literal, raw or interpreted.
pub(super) fn literal(text: &str) -> String {
    if let Some(raw) = text.strip_prefix('`') {
        return raw.trim_end_matches('`').replace('\r', "");
    }
    let inner = text.strip_prefix('"').unwrap_or(text);
    tags::unquote(inner.strip_suffix('"').unwrap_or(inner))
}

/// Whether a name is exported.
pub(super) fn is_exported(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
