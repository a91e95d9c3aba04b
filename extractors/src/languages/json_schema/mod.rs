//! JSON Schema (drafts 4 to 2020-12), Swagger 2 and OpenAPI 3, and the method tables that stand beside such schemas.
//!
//! A `.json` file that is none of these gives facts that say so and nothing else: settings and package manifests must
//! never look like types.

mod json;
mod link;
mod openapi;
mod schema;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::Evidence;
use agent_contracts_wire::{Direction, Literal, Stability, Type, WireModel};
use serde::{Deserialize, Serialize};

use self::json::{Kind, Node};
use crate::SourceTree;
use crate::content::{self, Damage};
use crate::side::direction_of_table;
use crate::types;

/// The id of this language.
pub const ID: &str = "json_schema";
/// Changes whenever the facts of an unchanged file may change.
pub const REVISION: &str = concat!(
    include_str!("json.rs"),
    include_str!("mod.rs"),
    include_str!("openapi.rs"),
    include_str!("schema.rs"),
    include_str!("tables.rs"),
    include_str!("../../content.rs"),
    include_str!("../../side.rs"),
    include_str!("../../stability.rs"),
    include_str!("../../types.rs"),
);

/// What one file says, before any name is resolved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Facts {
    /// It holds schemas, operations or methods.
    is_schema: bool,
    /// It is no type itself but a collection of them.
    is_bundle: bool,
    decls: Vec<Decl>,
    constants: Vec<(String, Literal, u32)>,
    /// Line and text of what could not be read.
    unresolved: Vec<(u32, String)>,
    damage: Vec<Damage>,
}

/// A declaration. References in its body are written as in the file, those into the file itself as `#POINTER`.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Decl {
    /// The JSON pointer it stands at; for what is made from several places, a word that is no pointer.
    pointer: String,
    name: String,
    line: u32,
    body: Type,
    direction: Option<Direction>,
    stability: Stability,
    /// [`Evidence::InProcess`] for what the document does not lead to, and for a root that only collects.
    evidence: Evidence,
}

/// Whether this language reads files of this name.
pub fn reads(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    std::path::Path::new(name).extension() == Some("json".as_ref())
        && !["package.json", "package-lock.json", "composer.json", "deno.json"].contains(&name)
        && !name.starts_with("tsconfig")
}

/// Reads one file by itself.
pub fn parse(path: &str, text: &[u8]) -> Facts {
    let text = match content::text(text) {
        Ok(text) => text,
        Err(damage) => {
            return Facts {
                damage: vec![damage],
                ..Facts::default()
            };
        }
    };
    if !may_be_schema(text) {
        return Facts::default();
    }
    let (root, damage) = json::read(text);
    let Some(root) = root else {
        return Facts {
            damage,
            ..Facts::default()
        };
    };
    let mut facts = Facts::default();
    if is_schema(&root) {
        schemas(path, &root, &mut facts);
    }
    tables::methods(&root, &mut facts);
    tables::version(path, &root, &mut facts);
    facts.is_schema = !facts.decls.is_empty() || !facts.constants.is_empty() || is_schema(&root);
    if facts.is_schema {
        facts.damage = damage;
    }
    facts
}

/// Links the files of `scope` into one model.
pub fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    link::link(tree, scope)
}

/// A look at the bytes, so that large data files cost no parse.
fn may_be_schema(text: &str) -> bool {
    [
        "json-schema.org",
        "\"$defs\"",
        "\"definitions\"",
        "\"properties\"",
        "\"openapi\"",
        "\"swagger\"",
        "Methods\"",
        "\"version\"",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// Whether a document says that it is a schema, or has the form of one.
fn is_schema(root: &Node) -> bool {
    let dialect = root
        .str("$schema")
        .is_some_and(|id| id.contains("json-schema.org/") || id.contains("spec.openapis.org/"));
    let version = |key| root.str(key).is_some() && (root.get("paths").is_some() || root.get("components").is_some());
    let named = ["$defs", "definitions"].iter().any(|key| {
        root.get(key)
            .is_some_and(|node| is_container(node) && !node.members().is_empty())
    });
    let object = root.str("type") == Some("object")
        && root.get("properties").is_some_and(|all| {
            all.is_object()
                && all
                    .members()
                    .iter()
                    .all(|(_, property)| schema::looks_like_one(property))
        });
    dialect || version("openapi") || version("swagger") || named || object
}

fn is_container(node: &Node) -> bool {
    node.is_object()
        && node
            .members()
            .iter()
            .all(|(_, entry)| schema::looks_like_one(entry) || is_namespace(entry))
}

/// An entry of a container that holds further entries instead of being a schema.
fn is_namespace(node: &Node) -> bool {
    node.is_object()
        && !node.members().is_empty()
        && node
            .members()
            .iter()
            .all(|(_, entry)| entry.is_object() && schema::looks_like_one(entry))
        && !schema::looks_like_one(node)
}

fn schemas(path: &str, root: &Node, facts: &mut Facts) {
    let mut declared = BTreeMap::new();
    containers(root, "", false, 0, &mut declared);
    let says = root_says(root, &declared);
    facts.is_bundle = !says || title(root).is_none();
    if says {
        declared.insert(String::new(), root_name(path, root));
    }
    let mut reader = schema::Reader::new(root, &declared);
    let mut decls = vec![];
    for (pointer, name) in &declared {
        let Some(node) = root.at(pointer) else { continue };
        let direction = tables::side(name, node).or_else(|| direction_of_table(name));
        decls.push(Decl {
            pointer: pointer.clone(),
            name: name.clone(),
            line: node.line,
            body: reader.declaration(node),
            direction,
            stability: schema::stability(node),
            evidence: Evidence::Declared,
        });
    }
    decls.extend(openapi::operations(root, &mut reader));
    let unresolved = std::mem::take(&mut reader.unresolved);
    decls.extend(tables::annotated(root, &declared));
    if says && !is_api(root) {
        leave_out_unreached(&mut decls);
    }
    if is_collection(root, &declared)
        && let Some(document) = decls.iter_mut().find(|decl| decl.pointer.is_empty())
    {
        document.evidence = Evidence::InProcess;
    }
    decls.sort_by_key(|decl| decl.line);
    facts.decls = decls;
    facts.unresolved = unresolved;
}

/// Finds every declaration: pointer and name.
fn containers(node: &Node, at: &str, names: bool, depth: usize, found: &mut BTreeMap<String, String>) {
    if depth > 64 {
        return;
    }
    for (key, child) in node.members() {
        let pointer = format!("{at}/{}", json::segment(key));
        let keyword = |word: &str| !names && key == word;
        if (keyword("$defs") || keyword("definitions") || pointer == "/components/schemas") && is_container(child) {
            entries(child, &pointer, depth, found);
        } else if !["default", "example", "examples", "enum", "const"]
            .iter()
            .any(|word| keyword(word))
        {
            let inner = ["properties", "patternProperties"].iter().any(|word| keyword(word));
            containers(child, &pointer, inner, depth + 1, found);
        }
    }
    for (index, child) in node.items().iter().enumerate() {
        containers(child, &format!("{at}/{index}"), false, depth + 1, found);
    }
}

fn entries(container: &Node, at: &str, depth: usize, found: &mut BTreeMap<String, String>) {
    for (name, entry) in container.members() {
        let pointer = format!("{at}/{}", json::segment(name));
        if is_namespace(entry) && depth < 64 {
            entries(entry, &pointer, depth + 1, found);
        } else {
            found.insert(pointer.clone(), name.clone());
            containers(entry, &pointer, false, depth + 1, found);
        }
    }
}

/// Whether the document is a schema itself and not only a bundle of them.
fn root_says(root: &Node, declared: &BTreeMap<String, String>) -> bool {
    let more = root.members().iter().any(|(key, _)| {
        [
            "$ref",
            "properties",
            "oneOf",
            "anyOf",
            "allOf",
            "enum",
            "const",
            "items",
            "additionalProperties",
        ]
        .contains(&key.as_str())
    });
    let typed = match root.get("type").map(|node| &node.kind) {
        Some(Kind::String(name)) => schema::is_type_name(name) && (name != "object" || declared.is_empty()),
        Some(Kind::Array(_)) => true,
        _ => false,
    };
    !is_api(root) && (more || typed)
}

fn is_api(root: &Node) -> bool {
    root.get("openapi").is_some() || root.get("swagger").is_some()
}

/// Whether the document is a choice between its definitions, under no name of its own. Each of them is declared, so a
/// root that repeats them would only say every change twice.
fn is_collection(root: &Node, declared: &BTreeMap<String, String>) -> bool {
    let is_choice = root.get("anyOf").is_some() || root.get("oneOf").is_some();
    is_choice && title(root).is_none() && root.get("properties").is_none() && declared.len() > 1
}

/// Definitions that neither the document nor a table of methods leads to are not part of it: generators leave behind
/// what they have inlined.
fn leave_out_unreached(decls: &mut [Decl]) {
    let names = |decl: &Decl| {
        let mut found = vec![];
        types::walk(&mut decl.body.clone(), &mut |ty| {
            if let Type::Named(target) = ty {
                found.extend(target.strip_prefix('#').map(str::to_owned));
            }
        });
        found
    };
    let by_pointer: BTreeMap<String, usize> = decls
        .iter()
        .enumerate()
        .map(|(at, decl)| (decl.pointer.clone(), at))
        .collect();
    let starts = |decl: &&Decl| decl.pointer.is_empty() || !decl.pointer.starts_with('/');
    let mut queue: Vec<String> = decls.iter().filter(starts).map(|decl| decl.pointer.clone()).collect();
    let mut reached = BTreeSet::new();
    while let Some(pointer) = queue.pop() {
        if reached.insert(pointer.clone())
            && let Some(&at) = by_pointer.get(&pointer)
        {
            queue.extend(names(&decls[at]));
        }
    }
    for decl in decls.iter_mut().filter(|decl| !reached.contains(&decl.pointer)) {
        decl.evidence = Evidence::InProcess;
    }
}

/// A title that is a name and no sentence.
fn title(root: &Node) -> Option<&str> {
    root.str("title").filter(|title| {
        title.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && title.chars().all(|c| c.is_alphanumeric() || "_$.-".contains(c))
    })
}

/// A schema is named by a title that is a name, else by its file.
fn root_name(path: &str, root: &Node) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.strip_suffix(".json").unwrap_or(file);
    title(root)
        .unwrap_or(stem.strip_suffix(".schema").unwrap_or(stem))
        .to_owned()
}
