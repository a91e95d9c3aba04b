//! The structs and enums of one file, with what clap is told of them.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::Place;
use tree_sitter::Node;

use super::attrs::Attrs;
use crate::flags::code::children;
use crate::flags::files::File;
use crate::syntax::line;

/// Derives that make a struct or enum part of a command line.
const CONTAINERS: [&str; 4] = ["Parser", "Args", "Subcommand", "StructOpt"];
/// Derives that make an enum the values of a flag.
const VALUES: [&str; 2] = ["ValueEnum", "ArgEnum"];

/// A struct or an enum.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) attrs: Attrs,
    pub(super) place: Place,
    /// Its traits are written by hand and lead here.
    pub(super) stands_for: Option<String>,
    /// The values that a `ValueEnum` written by hand gives.
    pub(super) possible: Vec<String>,
}

/// What an item holds.
#[derive(Debug)]
pub(super) enum Kind {
    Struct(Vec<Field>),
    Enum(Vec<Variant>),
}

/// A field; one of a tuple has no name.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// Its type without blanks.
    pub(super) ty: String,
    pub(super) attrs: Attrs,
    pub(super) line: u32,
}

/// A variant.
#[derive(Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) attrs: Attrs,
    pub(super) fields: Vec<Field>,
}

impl Item {
    /// Whether it is part of a command line.
    pub(super) fn is_container(&self) -> bool {
        self.attrs
            .derives
            .iter()
            .any(|name| CONTAINERS.contains(&name.as_str()))
            || self.stands_for.is_some()
    }

    /// Whether it is the values of a flag.
    pub(super) fn is_values(&self) -> bool {
        self.attrs.derives.iter().any(|name| VALUES.contains(&name.as_str())) || !self.possible.is_empty()
    }

    /// The types that it takes into its command line, as written.
    pub(super) fn holds(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.stands_for.iter().map(String::as_str).collect();
        match &self.kind {
            Kind::Struct(fields) => {
                names.extend(
                    fields
                        .iter()
                        .filter(|field| field.is_holder())
                        .map(|field| bare(&field.ty)),
                );
            }
            Kind::Enum(variants) => {
                for variant in variants {
                    let payload = variant
                        .fields
                        .iter()
                        .filter(|field| field.name.is_empty() || field.is_holder());
                    names.extend(payload.map(|field| bare(&field.ty)));
                }
            }
        }
        names
    }
}

impl Field {
    /// Whether it takes in another struct or enum.
    pub(super) fn is_holder(&self) -> bool {
        self.attrs.is("flatten") || self.attrs.is("subcommand")
    }
}

/// A type without the wrappers that clap looks through.
pub(super) fn bare(ty: &str) -> &str {
    let mut ty = ty;
    loop {
        let inner = [
            "Option<",
            "Box<",
            "Vec<",
            "Arc<",
            "std::option::Option<",
            "std::boxed::Box<",
        ]
        .iter()
        .find_map(|wrapper| ty.strip_prefix(wrapper)?.strip_suffix('>'));
        match inner {
            Some(inner) => ty = inner,
            None => return ty,
        }
    }
}

/// Every struct and enum of a file that is outside of its tests.
pub(super) fn items(file: &File) -> Vec<Item> {
    let by_hand = by_hand(file);
    let nodes = file.nodes(file.root(), &["struct_item", "enum_item"]);
    nodes
        .into_iter()
        .filter(|node| !in_tests(file, *node))
        .filter_map(|node| item(file, node, &by_hand))
        .collect()
}

/// Whether a declaration stands in a module of tests.
pub(in crate::flags::libraries) fn in_tests(file: &File, node: Node<'_>) -> bool {
    let mut at = Some(node);
    while let Some(node) = at {
        if node.kind() == "mod_item" {
            let mut before = node.prev_sibling();
            while let Some(attribute) = before.filter(|before| before.kind() == "attribute_item") {
                if file.text(attribute).contains("cfg(test") {
                    return true;
                }
                before = attribute.prev_sibling();
            }
        }
        at = node.parent();
    }
    false
}

/// What implementations by hand say of a type.
#[derive(Default)]
struct ByHand {
    stands_for: Option<String>,
    possible: Vec<String>,
}

fn by_hand(file: &File) -> BTreeMap<String, ByHand> {
    let mut all: BTreeMap<String, ByHand> = BTreeMap::new();
    for node in file.nodes(file.root(), &["impl_item"]) {
        let (Some(of), Some(ty)) = (node.child_by_field_name("trait"), node.child_by_field_name("type")) else {
            continue;
        };
        let of = file.text(of).rsplit("::").next().unwrap_or_default();
        let entry = all.entry(file.text(ty).to_owned()).or_default();
        match of {
            "Args" | "Subcommand" | "Parser" => {
                for name in file.nodes(node, &["scoped_identifier"]) {
                    if let Some((owner, "augment_args" | "augment_subcommands")) = file.text(name).rsplit_once("::") {
                        entry.stands_for = Some(owner.to_owned());
                        break;
                    }
                }
            }
            "ValueEnum" => {
                for call in file.nodes(node, &["call_expression"]) {
                    let expr = file.lower(call);
                    let Some((name, args, _)) = expr.chain().and_then(|chain| chain.callee()) else {
                        continue;
                    };
                    if name.ends_with("PossibleValue::new")
                        && let Some(value) = args.first().and_then(|arg| arg.value.text())
                        && !entry.possible.iter().any(|known| known == value)
                    {
                        entry.possible.push(value.to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    all
}

fn item(file: &File, node: Node<'_>, by_hand: &BTreeMap<String, ByHand>) -> Option<Item> {
    let name = file.text(node.child_by_field_name("name")?).to_owned();
    let body = node.child_by_field_name("body");
    let kind = if node.kind() == "enum_item" {
        let variants = body.map(children).unwrap_or_default();
        Kind::Enum(
            variants
                .into_iter()
                .filter_map(|variant| self::variant(file, variant))
                .collect(),
        )
    } else {
        Kind::Struct(body.map(|body| fields(file, body)).unwrap_or_default())
    };
    let hand = by_hand.get(&name);
    Some(Item {
        kind,
        attrs: Attrs::above(file, node),
        place: file.place(node),
        stands_for: hand
            .and_then(|hand| hand.stands_for.clone())
            .filter(|other| *other != name && other != "Self"),
        possible: hand.map(|hand| hand.possible.clone()).unwrap_or_default(),
        name,
    })
}

fn variant(file: &File, node: Node<'_>) -> Option<Variant> {
    if node.kind() != "enum_variant" {
        return None;
    }
    Some(Variant {
        name: file.text(node.child_by_field_name("name")?).to_owned(),
        attrs: Attrs::above(file, node),
        fields: node
            .child_by_field_name("body")
            .map(|body| fields(file, body))
            .unwrap_or_default(),
    })
}

fn fields(file: &File, body: Node<'_>) -> Vec<Field> {
    let compact = |node: Node<'_>| file.text(node).split_whitespace().collect::<String>();
    if body.kind() == "ordered_field_declaration_list" {
        let mut cursor = body.walk();
        let types = body.children_by_field_name("type", &mut cursor);
        return types
            .map(|ty| Field {
                name: String::new(),
                ty: compact(ty),
                attrs: Attrs::above(file, ty),
                line: line(ty),
            })
            .collect();
    }
    let declared = children(body)
        .into_iter()
        .filter(|child| child.kind() == "field_declaration");
    declared
        .filter_map(|field| {
            let name = file.text(field.child_by_field_name("name")?);
            Some(Field {
                name: name.strip_prefix("r#").unwrap_or(name).to_owned(),
                ty: compact(field.child_by_field_name("type")?),
                attrs: Attrs::above(file, field),
                line: line(field),
            })
        })
        .collect()
}

/// Names that a file brings in.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// The path behind a local name.
    pub(super) names: BTreeMap<String, Vec<String>>,
    /// Modules all of whose names are brought in.
    pub(super) globs: BTreeSet<Vec<String>>,
}

/// The `use` declarations of a file.
pub(super) fn uses(file: &File) -> Uses {
    let mut uses = Uses::default();
    for node in file.nodes(file.root(), &["use_declaration"]) {
        if let Some(argument) = node.child_by_field_name("argument") {
            used(file, argument, &[], &mut uses, 0);
        }
    }
    uses
}

fn used(file: &File, node: Node<'_>, prefix: &[String], uses: &mut Uses, depth: usize) {
    let below = |path: Option<Node<'_>>| -> Vec<String> {
        let text = path.map_or("", |path| file.text(path));
        let more = text
            .split("::")
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty());
        prefix.iter().cloned().chain(more).collect()
    };
    if depth > 20 {
        return;
    }
    match node.kind() {
        "use_as_clause" => {
            let path = below(node.child_by_field_name("path"));
            if let Some(alias) = node.child_by_field_name("alias") {
                uses.names.insert(file.text(alias).to_owned(), path);
            }
        }
        "use_wildcard" => {
            uses.globs.insert(below(children(node).first().copied()));
        }
        "scoped_use_list" => {
            let path = below(node.child_by_field_name("path"));
            for item in node.child_by_field_name("list").map(children).unwrap_or_default() {
                used(file, item, &path, uses, depth + 1);
            }
        }
        "use_list" => {
            for item in children(node) {
                used(file, item, prefix, uses, depth + 1);
            }
        }
        _ => {
            let mut path = below(Some(node));
            if path.last().is_some_and(|last| last == "self") {
                path.pop();
            }
            if let Some(name) = path.last() {
                uses.names.insert(name.clone(), path);
            }
        }
    }
}
