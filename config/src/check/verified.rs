//! What a file calls verified is in the file.

use crate::agent::AgentDef;
use crate::standing::field_value;
use crate::toml_file::{Doc, Problem, at, nearest};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    for (i, verified) in agent.verified.iter().enumerate() {
        for (k, field) in verified.fields.iter().enumerate() {
            if field_value(agent, field).is_some() {
                continue;
            }
            let first = field.split('.').next().unwrap_or(field);
            let keys: Vec<&str> = doc.keys();
            let help = match nearest(first, keys.iter().copied()) {
                Some(meant) if meant != first => format!("did you mean `{meant}`?"),
                _ => "write the path of a field, as in `version.pattern` or `invocations.exec`".to_owned(),
            };
            problems.push(doc.problem(
                &at!["verified", i, "fields", k],
                format!("verified field `{field}` is not in this file"),
                Some(help),
            ));
        }
    }
}
