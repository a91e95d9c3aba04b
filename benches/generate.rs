//! Protocols of a given size, as a person would write them: events that share types, values, lists and optional members.

use std::fmt::Write as _;

/// A TypeScript protocol with so many events. Another `turn` is another version of it.
pub(crate) fn typescript(events: usize, turn: usize) -> String {
    let mut text = String::from("// Generated for measuring.\n");
    let arms: Vec<String> = (0..events).map(|event| format!("Event{event}")).collect();
    let _ = writeln!(text, "export type AnyEvent = {};", arms.join(" | "));
    text.push_str("export interface Usage { input: number; output: number; cached?: number; details: Detail[] }\n");
    text.push_str(
        "export interface Detail { kind: \"text\" | \"tool\" | \"image\"; count: number; note: string | null }\n",
    );
    for event in 0..events {
        let _ = writeln!(
            text,
            "/** What event {event} means, in a sentence of the length that such comments have. */"
        );
        let _ = writeln!(text, "export interface Event{event} {{");
        let _ = writeln!(text, "  type: \"part.{}.event_{event}\";", event % 7);
        for member in 0..4 + event % 9 {
            let changed = turn > 0 && event % 10 == 3 && member == 2;
            let ty = match (member + event) % 6 {
                _ if changed => "boolean | null",
                0 => "string",
                1 => "number",
                2 => "Usage",
                3 => "Detail[]",
                4 => "\"low\" | \"high\" | \"top\"",
                _ => "{ id: string; path: string[]; meta?: Record<string, unknown> }",
            };
            let optional = if member % 3 == 2 { "?" } else { "" };
            let _ = writeln!(text, "  member_{member}{optional}: {ty};");
        }
        text.push_str("}\n");
    }
    text
}

/// The same in Rust.
pub(crate) fn rust(events: usize, turn: usize) -> String {
    let mut text = String::from(
        "#[derive(Serialize)]\n#[serde(tag = \"type\", rename_all = \"snake_case\")]\npub enum AnyEvent {\n",
    );
    for event in 0..events {
        let _ = writeln!(
            text,
            "    /// What event {event} means, in a sentence.\n    Event{event}(Event{event}),"
        );
    }
    text.push_str("}\n#[derive(Serialize)]\npub struct Usage { input: u64, #[serde(skip_serializing_if = \"Option::is_none\")] cached: Option<u64> }\n");
    for event in 0..events {
        let _ = writeln!(
            text,
            "#[derive(Serialize)]\n#[serde(rename_all = \"camelCase\")]\npub struct Event{event} {{"
        );
        for member in 0..4 + event % 9 {
            let changed = turn > 0 && event % 10 == 3 && member == 2;
            let ty = match (member + event) % 5 {
                _ if changed => "bool",
                0 => "String",
                1 => "u64",
                2 => "Usage",
                3 => "Vec<String>",
                _ => "Option<std::collections::HashMap<String, Usage>>",
            };
            let _ = writeln!(text, "    pub some_member_{member}: {ty},");
        }
        text.push_str("}\n");
    }
    text
}

/// The same as a JSON Schema.
pub(crate) fn json_schema(events: usize, turn: usize) -> String {
    let mut definitions = serde_json::Map::new();
    definitions.insert(
        "Usage".to_owned(),
        serde_json::json!({"type":"object","required":["input"],"properties":{"input":{"type":"number"},"cached":{"type":"number"}}}),
    );
    let mut arms = Vec::new();
    for event in 0..events {
        let mut properties = serde_json::Map::new();
        properties.insert(
            "type".to_owned(),
            serde_json::json!({ "const": format!("event_{event}") }),
        );
        for member in 0..4 + event % 9 {
            let changed = turn > 0 && event % 10 == 3 && member == 2;
            let ty = match (member + event) % 4 {
                _ if changed => serde_json::json!({"type":"boolean"}),
                0 => serde_json::json!({"type":"string"}),
                1 => serde_json::json!({"$ref":"#/$defs/Usage"}),
                2 => serde_json::json!({"type":"array","items":{"$ref":"#/$defs/Usage"}}),
                _ => serde_json::json!({"enum":["low","high","top"]}),
            };
            properties.insert(format!("member_{member}"), ty);
        }
        let name = format!("Event{event}");
        let object = serde_json::json!({"type":"object","required":["type","member_0"],"properties":properties});
        definitions.insert(name.clone(), object);
        arms.push(serde_json::json!({ "$ref": format!("#/$defs/{name}") }));
    }
    serde_json::json!({"title":"AnyEvent","oneOf":arms,"$defs":definitions}).to_string()
}
