//! A change in its last form before it is rated and gets its id.

use serde_json::{Value, json};

use crate::canonical::hash_json;
use crate::finding::{Direction, Finding, Location, ReachedBy, Severity};
use crate::model::Place;
use crate::rules::{self, Facts};

/// What a finding is made from.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) rule: &'static str,
    pub(super) type_name: Option<String>,
    pub(super) wire_name: Option<String>,
    pub(super) event_type: Option<String>,
    pub(super) path: Option<String>,
    pub(super) flag: Option<String>,
    pub(super) command: Option<String>,
    pub(super) reached_by: Option<ReachedBy>,
    /// The arms on the shortest way that its path does not show: two arms may change alike at one path.
    pub(super) arms: Vec<String>,
    pub(super) direction: Direction,
    pub(super) before: Value,
    pub(super) after: Value,
    pub(super) facts: Facts,
    pub(super) experimental: bool,
    /// Known from plain code only: never worse than risky.
    pub(super) weak: bool,
    pub(super) place: Place,
    pub(super) witness: Option<Value>,
}

impl Told {
    /// The finding. Rated by its rule, named by its hash.
    pub(super) fn finding(self) -> Finding {
        let (mut severity, domain) = rules::rule(self.rule).map_or((Severity::None, crate::Domain::Cosmetic), |rule| {
            rule.rate(self.direction, &self.facts, self.experimental)
        });
        if self.weak {
            severity = severity.min(Severity::Risky);
        }
        Finding {
            id: self.id(),
            rule: self.rule.to_owned(),
            type_name: self.type_name,
            wire_name: self.wire_name,
            event_type: self.event_type,
            path: self.path,
            flag: self.flag,
            command: self.command,
            reached_by: self.reached_by,
            direction: self.direction,
            severity,
            domain,
            before: self.before,
            after: self.after,
            location: Location {
                file: self.place.file,
                line: self.place.line,
            },
            witness: self.witness,
        }
    }

    /// Hashes what the change is and the shortest way to it, so that it stays the same when lines, files, prose or the
    /// names of types around it change.
    fn id(&self) -> String {
        let way = self.reached_by.as_ref().and_then(|reached| reached.first.first());
        // A type that no event leads to is known by its name alone.
        let type_name = if way.is_none() { self.type_name.as_deref() } else { None };
        let identity = json!({
            "rule": self.rule,
            "direction": self.direction,
            "event": way.map(|(event, _)| event),
            "path": way.map(|(_, path)| path),
            "arms": self.arms,
            "type": type_name,
            "flag": self.flag,
            "command": self.command,
            "wire_name": self.wire_name,
            "before": self.before,
            "after": self.after,
        });
        // Only maps with keys that are no strings and numbers that are not finite cannot be hashed; there are none.
        hash_json(&identity).unwrap_or_default()
    }
}
