//! What an agent's file verified and what it only declares, field by field: for `agents show`.

use serde_json::Value;

use crate::agent::{AgentDef, How};

/// One field of an agent's file and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its path: `version.pattern`, `channels`, `invocations.exec`.
    pub field: String,
    /// How it was verified; `None` when it is only declared.
    pub how: Option<How>,
    /// With what.
    pub with: Option<String>,
}

/// Every field of an agent, down to the members of tables and the items of lists, in the order of the structure.
///
/// A field is as strong as the strongest entry of `[[verified]]` that names it or a table or list around it.
#[must_use]
pub fn standings(agent: &AgentDef) -> Vec<Standing> {
    fields(agent)
        .into_iter()
        .map(|field| {
            let best = agent
                .verified
                .iter()
                .filter(|verified| verified.fields.iter().any(|name| covers(name, &field)))
                .min_by_key(|verified| verified.how);
            Standing {
                field,
                how: best.map(|verified| verified.how),
                with: best.and_then(|verified| verified.with.clone()),
            }
        })
        .collect()
}

/// The value of a field by its path, as JSON; `None` when the file has none. Where a path names several items of a list
/// (two channels of one repository), the value is the list of them.
#[must_use]
pub fn field_value(agent: &AgentDef, field: &str) -> Option<Value> {
    let document = serde_json::to_value(agent).ok()?;
    let mut found = find(&document, field);
    match found.len() {
        0 | 1 => found.pop().cloned(),
        _ => Some(found.into_iter().cloned().collect()),
    }
}

/// Fields that say what the file is, not what the agent does.
const ABOUT_THE_FILE: &[&str] = &[
    "id",
    "name",
    "tier",
    "scan_only",
    "missing",
    "verified",
    "exempt",
    "support",
];

fn fields(agent: &AgentDef) -> Vec<String> {
    let Ok(Value::Object(document)) = serde_json::to_value(agent) else {
        return Vec::new();
    };
    let mut fields = Vec::new();
    for (key, value) in &document {
        if ABOUT_THE_FILE.contains(&key.as_str()) {
            continue;
        }
        match value {
            Value::Object(members) => fields.extend(members.keys().map(|member| format!("{key}.{member}"))),
            Value::Array(items) if items.iter().any(|item| label(item).is_some()) => {
                fields.extend(items.iter().filter_map(label).map(|label| format!("{key}.{label}")));
            }
            _ => fields.push(key.clone()),
        }
    }
    fields.dedup();
    // What was verified in more detail than that stands after what it is a part of.
    for name in agent.verified.iter().flat_map(|verified| &verified.fields) {
        let whole = fields.iter().rposition(|field| field != name && covers(field, name));
        if let Some(position) = whole.filter(|_| !fields.contains(name)) {
            fields.insert(position + 1, name.clone());
        }
    }
    fields
}

/// Whether `field` is what `name` names, or inside it.
fn covers(name: &str, field: &str) -> bool {
    rest(field, name).is_some()
}

/// The member that names an item of a list.
const LABELS: &[&str] = &["name", "location", "package", "repo", "url"];

fn label(item: &Value) -> Option<&str> {
    LABELS
        .iter()
        .find_map(|key| item.get(key).and_then(Value::as_str))
        .or_else(|| item.get("kind").and_then(Value::as_str))
}

fn find<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    if path.is_empty() {
        return vec![value];
    }
    // The keys may hold dots, so each is tried as a beginning of the path.
    let below = |(name, member): (&str, &'v Value)| rest(path, name).map_or_else(Vec::new, |rest| find(member, rest));
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, member)| (key.as_str(), member))
            .flat_map(below)
            .collect(),
        Value::Array(items) => items
            .iter()
            .filter_map(|item| Some((label(item)?, item)))
            .flat_map(below)
            .collect(),
        _ => Vec::new(),
    }
}

fn rest<'p>(path: &'p str, name: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(name)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('.')
    }
}
