//! TypeScript types of the records, made from their JSON Schemas.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

/// Two definitions of one name that differ.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two types of the records are called {0} and differ; give one of them another name with `#[schemars(rename)]`")]
pub struct Twice(pub String);

/// The declarations of these schemas, each name once.
pub fn declarations(schemas: &[Value]) -> Result<String, Twice> {
    let mut types: BTreeMap<&str, &Value> = BTreeMap::new();
    for schema in schemas {
        let title = schema.get("title").and_then(Value::as_str).map(|title| (title, schema));
        let definitions = schema.get("$defs").and_then(Value::as_object).into_iter().flatten();
        for (name, definition) in title
            .into_iter()
            .chain(definitions.map(|(name, value)| (name.as_str(), value)))
        {
            if types.get(name).is_some_and(|other| !same(other, definition)) {
                return Err(Twice(name.to_owned()));
            }
            types.insert(name, definition);
        }
    }
    let mut text = "// Generated from the Rust types of the records. Do not edit.\n".to_owned();
    for (name, schema) in types {
        text.push('\n');
        comment(&mut text, schema, "");
        match schema.get("properties").and_then(Value::as_object) {
            Some(_) if schema.get("oneOf").is_none() && schema.get("anyOf").is_none() => {
                let _ = writeln!(text, "export interface {name} {}", object(schema, ""));
            }
            _ => {
                let _ = writeln!(text, "export type {name} = {};", of(schema, ""));
            }
        }
    }
    // The name under which the specification knows it.
    text.push_str(
        "\n/** How far an installed CLI is verified. */\nexport type AgentCliCompatibilityStatus = SupportStatus;\n",
    );
    Ok(text)
}

/// Whether two definitions say the same: one of them may be the root of its schema.
fn same(a: &Value, b: &Value) -> bool {
    let plain = |value: &Value| {
        let mut members = value.as_object().cloned().unwrap_or_default();
        for name in ["$schema", "$id", "$comment", "title", "$defs"] {
            members.remove(name);
        }
        members
    };
    plain(a) == plain(b)
}

fn comment(text: &mut String, schema: &Value, indent: &str) {
    let about = schema
        .get("description")
        .and_then(Value::as_str)
        .map(|about| about.replace("*/", "* /"));
    let default = schema.get("default").map(|default| format!("Default: `{default}`."));
    let lines: Vec<String> = about
        .iter()
        .flat_map(|about| about.lines().map(str::to_owned))
        .filter(|line| !line.is_empty())
        .chain(default)
        .collect();
    match lines.as_slice() {
        [] => {}
        [line] => {
            let _ = writeln!(text, "{indent}/** {line} */");
        }
        lines => {
            let _ = writeln!(text, "{indent}/**");
            for line in lines {
                let _ = writeln!(text, "{indent} * {line}");
            }
            let _ = writeln!(text, "{indent} */");
        }
    }
}

/// The type of a schema.
fn of(schema: &Value, indent: &str) -> String {
    let Some(members) = schema.as_object() else {
        return "unknown".to_owned();
    };
    if let Some(name) = members.get("$ref").and_then(Value::as_str) {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    if let Some(constant) = members.get("const") {
        return constant.to_string();
    }
    if let Some(words) = members.get("enum").and_then(Value::as_array) {
        return union(words.iter().map(Value::to_string));
    }
    for arms in ["oneOf", "anyOf"] {
        if let Some(arms) = members.get(arms).and_then(Value::as_array) {
            return union(arms.iter().map(|arm| of(arm, indent)));
        }
    }
    match members.get("type") {
        Some(Value::String(name)) => of_type(name, schema, members, indent),
        Some(Value::Array(names)) => union(
            names
                .iter()
                .filter_map(Value::as_str)
                .map(|name| of_type(name, schema, members, indent)),
        ),
        _ if members.contains_key("properties") => object(schema, indent),
        _ => "unknown".to_owned(),
    }
}

fn of_type(name: &str, schema: &Value, members: &Map<String, Value>, indent: &str) -> String {
    match name {
        "string" | "boolean" | "null" => name.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => match members.get("prefixItems").and_then(Value::as_array) {
            Some(items) => {
                let items: Vec<String> = items.iter().map(|item| of(item, indent)).collect();
                format!("[{}]", items.join(", "))
            }
            None => format!(
                "Array<{}>",
                members
                    .get("items")
                    .map_or("unknown".to_owned(), |items| of(items, indent))
            ),
        },
        _ => object(schema, indent),
    }
}

fn object(schema: &Value, indent: &str) -> String {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let rest = schema.get("additionalProperties");
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    if properties.is_empty() {
        let values = patterns
            .and_then(|patterns| patterns.values().next())
            .or(rest.filter(|rest| rest.is_object()));
        return format!(
            "Record<string, {}>",
            values.map_or("unknown".to_owned(), |value| of(value, indent))
        );
    }
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let deeper = format!("{indent}  ");
    let mut text = "{\n".to_owned();
    for (name, property) in properties {
        comment(&mut text, property, &deeper);
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let _ = writeln!(text, "{deeper}{}{optional}: {};", key(name), of(property, &deeper));
    }
    if rest != Some(&Value::Bool(false)) {
        let _ = writeln!(text, "{deeper}[member: string]: unknown;");
    }
    let _ = write!(text, "{indent}}}");
    text
}

fn key(name: &str) -> String {
    let plain = name
        .chars()
        .all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '$')
        && !name.starts_with(|char: char| char.is_ascii_digit());
    if plain {
        name.to_owned()
    } else {
        Value::from(name).to_string()
    }
}

fn union(arms: impl Iterator<Item = String>) -> String {
    let mut unique: Vec<String> = Vec::new();
    for arm in arms {
        if !unique.contains(&arm) {
            unique.push(arm);
        }
    }
    unique.join(" | ")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_become_types() {
        let schema = json!({
            "title": "Thing",
            "description": "A thing.",
            "type": "object",
            "additionalProperties": false,
            "required": ["id", "odd-name"],
            "properties": {
                "id": {"$ref": "#/$defs/Id"},
                "odd-name": {"enum": ["a", "b"]},
                "size": {"type": ["integer", "null"], "default": null, "description": "In bytes."},
                "pairs": {"type": "array", "items": {"prefixItems": [{"type": "string"}, {"type": "number"}], "type": "array"}},
                "open": {"type": "object", "properties": {"x": true}},
                "by_name": {"type": "object", "additionalProperties": {"type": "boolean"}}
            },
            "$defs": {"Id": {"type": "string", "pattern": "^x$"}}
        });
        insta::assert_snapshot!(declarations(&[schema]).unwrap());
    }

    #[test]
    fn one_name_has_one_meaning() {
        let schemas = [
            json!({"title": "A", "type": "string"}),
            json!({"title": "A", "type": "number"}),
        ];
        assert_eq!(declarations(&schemas), Err(Twice("A".to_owned())));
    }
}
