//! Whether a matrix is the one that the records give.

use serde_json::Value;

use super::range::Range;
use super::records::Records;
use crate::records::{MatrixEntry, SupportMatrix};

/// A place where a matrix says something else than the records.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The rule of `validate`.
    pub code: &'static str,
    /// Where in the matrix, as a JSON pointer.
    pub pointer: String,
    /// What the matrix says.
    pub found: String,
    /// What the records say.
    pub expected: String,
}

/// The matrix is not the one that the records give.
const NOT_GENERATED: &str = "MTX026";
/// A range that can hold no version, or that the agent's scheme cannot read.
const NO_RANGE: &str = "MTX030";

/// Holds `matrix` against `records`. Empty when its bytes follow from them.
#[must_use]
pub fn check(records: &Records, matrix: &SupportMatrix) -> Vec<Difference> {
    let mut found = Vec::new();
    for (at, entry) in matrix.agents.iter().enumerate() {
        found.extend(ranges(records, entry, at));
    }
    found.extend(differences(matrix, &super::generate(records).matrix));
    found
}

/// Ranges that say nothing.
fn ranges<'m>(records: &'m Records, entry: &'m MatrixEntry, at: usize) -> impl Iterator<Item = Difference> + 'm {
    let agents = records.agents.iter().flat_map(|file| &file.agents);
    let scheme = agents
        .into_iter()
        .find(|agent| agent.id == entry.agent.as_str())
        .map(|agent| agent.version_scheme);
    entry
        .version_ranges
        .iter()
        .enumerate()
        .filter_map(move |(range_at, range)| {
            let scheme = scheme?;
            (!Range::of(range).is_possible(scheme)).then(|| Difference {
                code: NO_RANGE,
                pointer: format!("/agents/{at}/version_ranges/{range_at}"),
                found: range.to_string(),
                expected: "a range that a version can be in".to_owned(),
            })
        })
}

/// Where two matrices differ: the members of entries at the same place, entry by entry.
#[must_use]
pub fn differences(matrix: &SupportMatrix, generated: &SupportMatrix) -> Vec<Difference> {
    let mut found = Vec::new();
    let (Ok(matrix), Ok(generated)) = (serde_json::to_value(matrix), serde_json::to_value(generated)) else {
        return found;
    };
    compare(&matrix, &generated, String::new(), 0, &mut found);
    found
}

/// How deep places are named: `/agents/0/member`.
const DEEP: usize = 3;

fn compare(found: &Value, expected: &Value, pointer: String, depth: usize, all: &mut Vec<Difference>) {
    if found == expected {
        return;
    }
    match (found, expected) {
        (Value::Object(a), Value::Object(b)) if depth < DEEP => {
            let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                let member = |of: &serde_json::Map<String, Value>| of.get(name).cloned().unwrap_or(Value::Null);
                compare(&member(a), &member(b), format!("{pointer}/{name}"), depth + 1, all);
            }
        }
        (Value::Array(a), Value::Array(b)) if depth < DEEP => {
            for at in 0..a.len().max(b.len()) {
                let item = |of: &[Value]| of.get(at).cloned().unwrap_or(Value::Null);
                compare(&item(a), &item(b), format!("{pointer}/{at}"), depth + 1, all);
            }
        }
        _ => all.push(Difference {
            code: NOT_GENERATED,
            pointer,
            found: short(found),
            expected: short(expected),
        }),
    }
}

fn short(value: &Value) -> String {
    let text = match value {
        Value::Null => "nothing".to_owned(),
        Value::Object(members) if members.contains_key("version_ranges") => format!(
            "an entry of {} for {} ({})",
            members["agent"], members["version_ranges"], members["support_status"]
        ),
        other => other.to_string(),
    };
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
