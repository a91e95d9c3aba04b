//! Members that must be there and may be `null`. serde leaves out of the schema that they must be there.

use schemars::Schema;
use serde_json::Value;

/// Adds the names to those that an object must have.
pub(super) fn add(schema: &mut Schema, names: &[&str]) {
    let entry = schema
        .ensure_object()
        .entry("required")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Some(required) = entry.as_array_mut() {
        for name in names {
            let name = Value::from(*name);
            if !required.contains(&name) {
                required.push(name);
            }
        }
    }
}
