//! Method tables and versions that stand beside the schemas of a protocol.
//!
//! The Agent Client Protocol writes them in two forms: a `meta.json` whose `agentMethods` and `clientMethods` map a name
//! of its own to the method on the wire, and `x-side` and `x-method` on the schemas of requests and answers.

use std::collections::BTreeMap;

use agent_contracts_wire::model::Evidence;
use agent_contracts_wire::{Arm, Direction, Field, Literal, Object, Stability, Type, Union};

use super::json::{Kind, Node};
use super::schema::stability;
use super::{Decl, Facts};

/// The direction of what a side handles: the agent reads its own methods.
fn handled_by(side: &str) -> Option<Direction> {
    match side {
        "agent" | "server" => Some(Direction::Input),
        "client" => Some(Direction::Output),
        "both" | "protocol" => Some(Direction::Both),
        _ => None,
    }
}

fn is_answer(name: &str) -> bool {
    name.ends_with("Response") || name.ends_with("Result")
}

/// The direction that `x-side` gives a schema: requests go to the side that handles them, answers come from it.
pub(super) fn side(name: &str, node: &Node) -> Option<Direction> {
    let direction = handled_by(node.str("x-side")?)?;
    Some(match direction {
        Direction::Input if is_answer(name) => Direction::Output,
        Direction::Output if is_answer(name) => Direction::Input,
        other => other,
    })
}

/// One row: the method, what it is called with and what it answers.
struct Row {
    method: String,
    params: Option<Type>,
    result: Option<Type>,
    stability: Stability,
    line: u32,
}

fn table(side: &str, line: u32, rows: Vec<Row>) -> Decl {
    let name = format!("{side}Methods");
    let arms = rows
        .into_iter()
        .map(|row| {
            let mut fields = BTreeMap::from([(
                "method".to_owned(),
                Field::new(Type::literal(row.method), true, row.line),
            )]);
            // A table of names alone does not say that a method is called with nothing.
            let params = row.params.unwrap_or_else(|| Type::Unresolved("params".to_owned()));
            fields.insert("params".to_owned(), Field::new(params, true, row.line));
            Arm {
                result: row.result,
                stability: row.stability,
                line: row.line,
                ..Arm::of(Type::Object(Object {
                    fields,
                    ..Object::default()
                }))
            }
        })
        .collect();
    Decl {
        pointer: name.clone(),
        name,
        line,
        body: Type::Union(Union {
            arms,
            tag: Some("method".to_owned()),
            open: false,
        }),
        direction: handled_by(side),
        stability: Stability::Stable,
        evidence: Evidence::Declared,
    }
}

/// `{"agentMethods": {"session_new": "session/new", …}, …}`: the value is the method, the key is nobody's business.
pub(super) fn methods(root: &Node, facts: &mut Facts) {
    for (key, node) in root.members() {
        let Some(side) = key.strip_suffix("Methods") else {
            continue;
        };
        if !node.is_object() || !node.members().iter().all(|(_, value)| value.as_str().is_some()) {
            continue;
        }
        let rows = node.members().iter().map(|(_, value)| Row {
            method: value.as_str().unwrap_or_default().to_owned(),
            params: None,
            result: None,
            stability: Stability::Stable,
            line: value.line,
        });
        facts.decls.push(table(side, node.line, rows.collect()));
        if let Some(version) = root.get("version").and_then(scalar)
            && !facts.constants.iter().any(|(name, ..)| name == "version")
        {
            let line = root.get("version").map_or(1, |node| node.line);
            facts.constants.push(("version".to_owned(), version, line));
        }
    }
}

/// `sdk-protocol-version.json` and the like: one version in a file of that name.
pub(super) fn version(path: &str, root: &Node, facts: &mut Facts) {
    let file = path.rsplit('/').next().unwrap_or(path);
    let Some(stem) = file.strip_suffix(".json") else { return };
    if stem.contains("protocol") && stem.contains("version") && facts.decls.is_empty() {
        for (key, node) in root.members() {
            if let Some(value) = scalar(node).filter(|_| key.to_ascii_lowercase().contains("version")) {
                facts.constants.push((stem.to_owned(), value, node.line));
                return;
            }
        }
    }
}

fn scalar(node: &Node) -> Option<Literal> {
    match &node.kind {
        Kind::String(text) => Some(Literal::String(text.clone())),
        Kind::Number(text) => Some(Literal::Number(text.clone())),
        _ => None,
    }
}

/// The tables that `x-side` and `x-method` spell out, one a side.
pub(super) fn annotated(root: &Node, declared: &BTreeMap<String, String>) -> Vec<Decl> {
    let mut sides: BTreeMap<&str, BTreeMap<&str, Row>> = BTreeMap::new();
    for (pointer, name) in declared {
        let Some(node) = root.at(pointer) else { continue };
        let (Some(side), Some(method)) = (node.str("x-side"), node.str("x-method")) else {
            continue;
        };
        let row = sides.entry(side).or_default().entry(method).or_insert_with(|| Row {
            method: method.to_owned(),
            params: None,
            result: None,
            stability: Stability::Stable,
            line: node.line,
        });
        let ty = Some(Type::Named(format!("#{pointer}")));
        if is_answer(name) {
            row.result = ty;
        } else {
            row.params = ty;
            row.line = node.line;
        }
        row.stability = row.stability.max(stability(node));
    }
    sides
        .into_iter()
        .map(|(side, rows)| {
            let line = rows.values().map(|row| row.line).min().unwrap_or(1);
            table(side, line, rows.into_values().collect())
        })
        .collect()
}
