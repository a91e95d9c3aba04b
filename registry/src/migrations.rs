//! Migrations of records between schema versions, as data, so that the TypeScript package applies the same ones.
//!
//! None is needed yet: every record is of version 1. A migration has an entry in `contracts/schemas/CHANGELOG.md`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::records::Kind;

/// The version that is known here.
pub const KNOWN: u64 = 1;

/// One migration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Migration {
    /// The kind of record.
    pub kind: String,
    /// The version that it reads.
    pub from: u64,
    /// The version that it writes.
    pub to: u64,
    /// What changed and why, for people; the entry of the changelog.
    pub changelog: String,
    /// What is done, in order.
    pub steps: Vec<Step>,
}

/// One change of a record. `at` is the JSON pointer of an object; an empty one is the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// A member gets another name.
    Rename {
        /// The object.
        at: String,
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// A member that is not there gets a value.
    Default {
        /// The object.
        at: String,
        /// The member.
        name: String,
        /// Its value.
        value: Value,
    },
    /// A member is removed.
    Remove {
        /// The object.
        at: String,
        /// The member.
        name: String,
    },
}

/// A version that no migration leads from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("schema_version {found} is not known; {known} is, and no migration is registered")]
pub struct UnknownVersion {
    /// What the record says.
    pub found: u64,
    /// What is known here.
    pub known: u64,
}

/// Every migration.
pub fn all() -> serde_json::Result<Vec<Migration>> {
    serde_json::from_str(include_str!("migrations.json"))
}

/// The record in the version that is known here. One that says no version, or not as a number, is left to its schema.
pub fn migrate(kind: &str, record: Value) -> Result<Value, UnknownVersion> {
    if record
        .get("schema_version")
        .and_then(Value::as_u64)
        .is_none_or(|version| version == KNOWN)
    {
        return Ok(record);
    }
    let registered = all().unwrap_or_default();
    with(&registered, kind, record)
}

/// As [`migrate`], with these migrations.
pub fn with(registered: &[Migration], kind: &str, mut record: Value) -> Result<Value, UnknownVersion> {
    // Each migration is used once at most, so a circle ends.
    for _ in 0..=registered.len() {
        let Some(found) = record.get("schema_version").and_then(Value::as_u64) else {
            return Ok(record);
        };
        if found == KNOWN || found == 0 || Kind::of_id(kind).is_none() {
            return Ok(record);
        }
        let Some(migration) = registered.iter().find(|one| one.kind == kind && one.from == found) else {
            return Err(UnknownVersion { found, known: KNOWN });
        };
        for step in &migration.steps {
            apply(step, &mut record);
        }
        record["schema_version"] = migration.to.into();
    }
    let found = record.get("schema_version").and_then(Value::as_u64).unwrap_or_default();
    Err(UnknownVersion { found, known: KNOWN })
}

fn apply(step: &Step, record: &mut Value) {
    let (Step::Rename { at, .. } | Step::Default { at, .. } | Step::Remove { at, .. }) = step;
    let Some(object) = record.pointer_mut(at).and_then(Value::as_object_mut) else {
        return;
    };
    match step {
        Step::Rename { from, to, .. } => {
            if let Some(value) = object.remove(from) {
                object.insert(to.clone(), value);
            }
        }
        Step::Default { name, value, .. } => {
            object.entry(name.clone()).or_insert_with(|| value.clone());
        }
        Step::Remove { name, .. } => {
            object.remove(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_registered_migration_is_applied_and_an_unknown_version_refused() {
        let registered = [
            Migration {
                kind: "observation".to_owned(),
                from: 3,
                to: 2,
                changelog: "platform was called os".to_owned(),
                steps: vec![Step::Rename {
                    at: String::new(),
                    from: "os".into(),
                    to: "platform".into(),
                }],
            },
            Migration {
                kind: "observation".to_owned(),
                from: 2,
                to: 1,
                changelog: "command got a mode, size was dropped".to_owned(),
                steps: vec![
                    Step::Default {
                        at: "/command".into(),
                        name: "stdin_mode".into(),
                        value: json!("none"),
                    },
                    Step::Remove {
                        at: String::new(),
                        name: "size".into(),
                    },
                ],
            },
        ];
        let new = json!({"schema_version": 3, "os": "unknown", "command": {}, "size": 1});
        let old = json!({"schema_version": 1, "platform": "unknown", "command": {"stdin_mode": "none"}});
        assert_eq!(with(&registered, "observation", new), Ok(old));
        let unknown = json!({"schema_version": 9});
        assert_eq!(
            with(&registered, "observation", unknown.clone()),
            Err(UnknownVersion { found: 9, known: 1 })
        );
        assert_eq!(
            migrate("observation", unknown),
            Err(UnknownVersion { found: 9, known: 1 })
        );
        assert_eq!(
            migrate("observation", json!({"schema_version": "9"})),
            Ok(json!({"schema_version": "9"}))
        );
    }

    #[test]
    fn every_migration_says_what_changed() {
        for migration in all().unwrap_or_default() {
            assert!(Kind::of_id(&migration.kind).is_some() && !migration.changelog.is_empty());
        }
        assert!(all().is_ok());
    }
}
