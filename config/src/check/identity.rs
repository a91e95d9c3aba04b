//! Ids, tiers, and what an agent that is only scanned may not have.

use crate::agent::AgentDef;
use crate::toml_file::{Doc, Problem, at};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let kebab = !agent.id.is_empty()
        && agent
            .id
            .split('-')
            .all(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
    if !kebab {
        problems.push(doc.problem(
            &at!["id"],
            format!("id `{}` is not kebab-case", agent.id),
            Some("use lower-case letters, digits and single hyphens, as in `cursor-agent`".to_owned()),
        ));
    }
    let stem = stem(doc.file);
    if agent.id != stem {
        problems.push(doc.problem(
            &at!["id"],
            format!("id `{}` is not the name of its file", agent.id),
            Some(format!("write `id = \"{stem}\"`, or call the file `{}.toml`", agent.id)),
        ));
    }
    if agent.tier > 2 {
        problems.push(doc.problem(
            &at!["tier"],
            format!("there is no tier {}", agent.tier),
            Some("0: claims go stale after 7 days; 1: after 30; 2: declared only".to_owned()),
        ));
    }
    if agent.scan_only {
        for key in ["binary", "invocations", "install", "loopback"] {
            if doc.has(key) {
                problems.push(doc.problem(
                    &at![key],
                    format!("`{key}` in an agent that is only scanned"),
                    Some(format!("take away `{key}` or `scan_only`")),
                ));
            }
        }
        if agent.sources.is_empty() && !doc.unreadable("sources") {
            problems.push(Problem::whole(
                doc.file,
                "an agent that is only scanned has no `sources`",
                Some("add `[[sources]]`, or take away `scan_only`".to_owned()),
            ));
        }
    } else if agent.binary.is_none() && !doc.unreadable("binary") {
        problems.push(Problem::whole(
            doc.file,
            "missing key `binary`",
            Some("add `binary = { name = \"…\" }`, or `scan_only = true` if it has no command".to_owned()),
        ));
    }
}

/// The file's name without folders and `.toml`.
pub(crate) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.strip_suffix(".toml").unwrap_or(name)
}
