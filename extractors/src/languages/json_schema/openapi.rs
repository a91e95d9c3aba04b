//! The operations of Swagger 2 and OpenAPI 3 as a table of methods.
//!
//! `paths` is a union with one arm an operation, whose method is `POST /session/{}`: the names of path parameters do
//! not go over the wire. What it is called with and what it answers are types of their own, named after the operation;
//! the answer has one member a status.

use std::collections::BTreeMap;

use agent_contracts_wire::model::Evidence;
use agent_contracts_wire::{Arm, Direction, Field, Object, Stability, Type, Union};

use super::Decl;
use super::json::Node;
use super::schema::{Reader, stability};

const VERBS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/// Media types whose schema is preferred, in this order; any other comes after.
const MEDIA: [&str; 2] = ["application/json", "text/event-stream"];

pub(super) fn operations(root: &Node, reader: &mut Reader<'_>) -> Vec<Decl> {
    let Some(paths) = root
        .get("paths")
        .filter(|_| root.get("openapi").is_some() || root.get("swagger").is_some())
    else {
        return vec![];
    };
    let (mut decls, mut arms) = (vec![], vec![]);
    for (path, item) in paths.members() {
        let item = resolved(root, reader, item);
        for (verb, operation) in item.members() {
            if !VERBS.contains(&verb.as_str()) {
                continue;
            }
            let method = format!("{} {}", verb.to_ascii_uppercase(), without_names(path));
            let stability = stability(operation).max(stability_of_item(item));
            let answer = format!("{method} response");
            let called = called_with(root, reader, item, operation);
            let answers = answers(root, reader, operation);
            for (name, body, direction) in [
                (&method, called, Direction::Input),
                (&answer, answers, Direction::Output),
            ] {
                decls.push(Decl {
                    pointer: name.clone(),
                    name: name.clone(),
                    line: operation.line,
                    body: Type::Object(body),
                    direction: Some(direction),
                    stability,
                    evidence: Evidence::Declared,
                });
            }
            let fields = [
                ("method".to_owned(), Type::literal(method.clone())),
                ("params".to_owned(), Type::Named(format!("#{method}"))),
            ]
            .map(|(name, ty)| (name, Field::new(ty, true, operation.line)));
            arms.push(Arm {
                result: Some(Type::Named(format!("#{answer}"))),
                stability,
                line: operation.line,
                ..Arm::of(Type::Object(Object {
                    fields: BTreeMap::from(fields),
                    ..Object::default()
                }))
            });
        }
    }
    if arms.is_empty() {
        return decls;
    }
    decls.push(Decl {
        pointer: "paths".to_owned(),
        name: "paths".to_owned(),
        line: paths.line,
        body: Type::Union(Union {
            arms,
            tag: Some("method".to_owned()),
            open: false,
        }),
        direction: Some(Direction::Input),
        stability: Stability::Stable,
        evidence: Evidence::Declared,
    });
    decls
}

/// `/session/{id}/share` as `/session/{}/share`.
fn without_names(path: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => {
                inside = true;
                out.push_str("{}");
            }
            '}' => inside = false,
            _ if inside => {}
            _ => out.push(c),
        }
    }
    out
}

/// Follows a `$ref` of a parameter, body or response, which are no schemas.
fn resolved<'n>(root: &'n Node, reader: &Reader<'_>, node: &'n Node) -> &'n Node {
    node.str("$ref")
        .and_then(|target| root.at(&reader.local(target)?))
        .unwrap_or(node)
}

fn stability_of_item(item: &Node) -> Stability {
    // The description of a path is prose; only the marks count.
    if item.is_true("x-experimental") || item.is_true("x-unstable") {
        Stability::Experimental
    } else {
        Stability::Stable
    }
}

/// Query, header and cookie parameters by name, and `body`. Path parameters are part of the method.
fn called_with(root: &Node, reader: &mut Reader<'_>, item: &Node, operation: &Node) -> Object {
    let mut object = Object::default();
    let mut form = Object::default();
    let shared = item.get("parameters").map(Node::items).unwrap_or_default();
    let own = operation.get("parameters").map(Node::items).unwrap_or_default();
    for parameter in shared.iter().chain(own) {
        let parameter = resolved(root, reader, parameter);
        let (Some(name), Some(place)) = (parameter.str("name"), parameter.str("in")) else {
            continue;
        };
        // Swagger 2 writes the schema of all but the body into the parameter itself.
        let ty = match parameter.get("schema").or_else(|| content(parameter)) {
            Some(schema) => reader.ty(schema),
            None => reader.ty(parameter),
        };
        let mut field = Field::new(ty, parameter.is_true("required"), parameter.line);
        field.stability = stability(parameter);
        match place {
            "path" => {}
            "body" => {
                object.fields.insert("body".to_owned(), field);
            }
            "formData" => {
                form.fields.insert(name.to_owned(), field);
            }
            _ => {
                object.fields.insert(name.to_owned(), field);
            }
        }
    }
    if !form.fields.is_empty() {
        let required = form.fields.values().any(|field| field.required);
        let field = Field::new(Type::Object(form), required, operation.line);
        object.fields.insert("body".to_owned(), field);
    }
    if let Some(body) = operation.get("requestBody") {
        let body = resolved(root, reader, body);
        if let Some(schema) = content(body) {
            let field = Field::new(reader.ty(schema), body.is_true("required"), body.line);
            object.fields.insert("body".to_owned(), field);
        }
    }
    object
}

/// What comes back, by status.
fn answers(root: &Node, reader: &mut Reader<'_>, operation: &Node) -> Object {
    let mut object = Object::default();
    for (status, response) in operation.get("responses").map(Node::members).unwrap_or_default() {
        if status.starts_with("x-") {
            continue;
        }
        let response = resolved(root, reader, response);
        let ty = match response.get("schema").or_else(|| content(response)) {
            Some(schema) => reader.ty(schema),
            None => Type::Null,
        };
        object
            .fields
            .insert(status.clone(), Field::new(ty, false, response.line));
    }
    object
}

/// The schema of the preferred media type.
fn content(node: &Node) -> Option<&Node> {
    let content = node.get("content")?;
    let preferred = MEDIA.iter().find_map(|media| content.get(media));
    let any = || content.members().first().map(|(_, media)| media);
    preferred.or_else(any)?.get("schema")
}
