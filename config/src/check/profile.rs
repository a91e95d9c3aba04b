//! Paths and event types of the profile, and the event types of `[events]`, are written in the notation of shapes.

use agent_contracts_wire::{EventType, Path};

use crate::agent::AgentDef;
use crate::toml_file::{Doc, Problem, Step, at};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let rules = &agent.profile;
    for (list, paths) in [
        ("tags", &rules.tags),
        ("maps", &rules.maps),
        ("opaque", &rules.opaque),
        ("ignored", &rules.ignored),
    ] {
        for (index, path) in paths.iter().enumerate() {
            if let Err(error) = path.parse::<Path>() {
                let help = "paths are written as in `a.b`, `list[].x`, `list[tag].x`, `map.*`";
                tell(doc, &at!["profile", list, index], &error.to_string(), help, problems);
            }
        }
    }
    let mut events = |place: &[Step], event: &str| {
        if let Err(error) = event.parse::<EventType>() {
            let help = "event types are written as in `turn.completed`, `result/*`, `session/new:error`, `item.completed[error]`";
            tell(doc, place, &error.to_string(), help, problems);
        }
    };
    for (list, patterns) in [("floating", &rules.floating), ("volatile", &rules.volatile)] {
        for (index, pattern) in patterns.iter().enumerate() {
            events(&at!["profile", list, index], pattern);
        }
    }
    for (family, map) in &agent.events {
        for (meaning, patterns) in map.meanings() {
            for (index, pattern) in patterns.iter().enumerate() {
                events(&at!["events", family.as_str(), meaning, index], pattern);
            }
        }
    }
}

fn tell(doc: &Doc<'_>, place: &[Step], what: &str, help: &str, problems: &mut Vec<Problem>) {
    problems.push(doc.problem(place, what.to_owned(), Some(help.to_owned())));
}
