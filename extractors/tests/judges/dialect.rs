//! A JSON Schema as a [`Shape`]: the small dialect that zod, pydantic and our TypeScript judge print. Written apart from
//! the extractor of JSON Schema, which is no judge of itself.

use serde_json::{Map, Value};

use crate::shape::{DEPTH, Form, Members, Shape};

/// The shape that a schema describes.
pub(crate) fn of_schema(schema: &Value) -> Shape {
    read(schema, schema, 0)
}

fn read(root: &Value, schema: &Value, depth: usize) -> Shape {
    let Value::Object(words) = schema else {
        return match schema {
            Value::Bool(false) => Shape::default(),
            _ => Shape::one(Form::Any),
        };
    };
    if let Some(Value::String(target)) = words.get("$ref") {
        let pointed = root.pointer(target.trim_start_matches('#')).unwrap_or(&Value::Null);
        return read(root, pointed, depth);
    }
    if words.get("not").is_some_and(|not| *not == Value::Object(Map::new())) {
        return Shape::default();
    }
    if let Some(value) = words.get("const") {
        return literal(value);
    }
    if let Some(Value::Array(values)) = words.get("enum") {
        return Shape::union(values.iter().map(literal));
    }
    let mut shape = match words.get("type") {
        Some(Value::String(name)) => of_name(root, name, words, depth),
        Some(Value::Array(names)) => Shape::union(
            names
                .iter()
                .filter_map(Value::as_str)
                .map(|name| of_name(root, name, words, depth)),
        ),
        _ if words.contains_key("properties") => of_name(root, "object", words, depth),
        _ => Shape::one(Form::Any),
    };
    for word in ["anyOf", "oneOf"] {
        if let Some(Value::Array(arms)) = words.get(word) {
            shape = shape.both(&Shape::union(arms.iter().map(|arm| read(root, arm, depth))));
        }
    }
    if let Some(Value::Array(parts)) = words.get("allOf") {
        shape = parts.iter().fold(shape, |all, part| all.both(&read(root, part, depth)));
    }
    shape
}

fn literal(value: &Value) -> Shape {
    Shape::one(match value {
        Value::Null => Form::Null,
        Value::Number(number) if number.as_f64().is_some_and(|n| n.fract() == 0.0) => {
            Form::Literal(format!("{}", number.as_f64().unwrap_or_default()))
        }
        other => Form::Literal(other.to_string()),
    })
}

fn of_name(root: &Value, name: &str, words: &Map<String, Value>, depth: usize) -> Shape {
    let below = |schema: &Value| read(root, schema, depth + 1);
    Shape::one(match name {
        "null" => Form::Null,
        "boolean" => Form::Boolean,
        "number" | "integer" => Form::Number,
        "string" => Form::String,
        _ if depth >= DEPTH => Form::Cut,
        "array" => match words.get("prefixItems") {
            Some(Value::Array(items)) => Form::Tuple(items.iter().map(below).collect()),
            _ if words.get("maxItems") == Some(&Value::from(0)) => Form::Tuple(Vec::new()),
            _ => Form::Array(words.get("items").map_or_else(|| Shape::one(Form::Any), below)),
        },
        _ => Form::Object(members(words, &below)),
    })
}

fn members(words: &Map<String, Value>, below: &dyn Fn(&Value) -> Shape) -> Members {
    let required = |name: &str| {
        words
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(|all| all.iter().any(|other| other == name))
    };
    let mut members = Members::default();
    if let Some(Value::Object(properties)) = words.get("properties") {
        for (name, schema) in properties {
            members.fields.insert(name.clone(), (required(name), below(schema)));
        }
    }
    members.rest = match words.get("additionalProperties") {
        None | Some(Value::Bool(false)) => None,
        Some(schema) => Some(Box::new(below(schema))),
    };
    // A map over known keys is an object with these.
    if let (Some(rest), Some(Value::Array(keys))) = (
        &members.rest,
        words.get("propertyNames").and_then(|names| names.get("enum")),
    ) {
        let rest = rest.as_ref().clone();
        for key in keys.iter().filter_map(Value::as_str) {
            members.fields.insert(key.to_owned(), (required(key), rest.clone()));
        }
        members.rest = None;
    }
    members
}
