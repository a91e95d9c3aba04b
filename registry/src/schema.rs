//! JSON Schemas (2020-12) of the records, made from their Rust types.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The schema of a type: that of what is read, so members with a default may be left out.
#[must_use]
pub fn of<T: JsonSchema>(id: &str, about: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    enums(&mut schema);
    let Value::Object(members) = &mut schema else {
        return schema;
    };
    members.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    members.insert("$id".to_owned(), json!(format!("{id}.schema.json")));
    members.insert(
        "$comment".to_owned(),
        json!(format!("Generated from the Rust types: {about}. Do not edit.")),
    );
    sorted(schema)
}

/// A `oneOf` of nothing but constant strings is an `enum`: shorter, faster, and its errors can be read.
fn enums(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(enums),
        Value::Object(members) => {
            members.values_mut().for_each(enums);
            // `uint32` and the like are schemars' own; other readers do not know them.
            if members.get("type").is_some_and(|kind| kind != "string")
                && members.get("format").is_some_and(Value::is_string)
            {
                members.remove("format");
            }
            if let Some(words) = members.get("oneOf").and_then(words) {
                members.remove("oneOf");
                members.insert("type".to_owned(), json!("string"));
                members.insert("enum".to_owned(), Value::Array(words));
            }
        }
        _ => {}
    }
}

/// The words of such a `oneOf`.
fn words(arms: &Value) -> Option<Vec<Value>> {
    let mut words = Vec::new();
    for arm in arms.as_array()? {
        if let Some(word) = arm.get("const").filter(|word| word.is_string()) {
            words.push(word.clone());
        } else {
            words.extend(arm.get("enum")?.as_array()?.iter().cloned());
        }
    }
    Some(words)
}

/// Members in one order, however `serde_json` was built.
fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        Value::Object(members) => {
            let mut pairs: Vec<(String, Value)> =
                members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(pairs.into_iter().collect())
        }
        other => other,
    }
}
