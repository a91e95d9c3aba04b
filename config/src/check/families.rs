//! Families are known, and an agent uses only those that it declares.

use crate::agent::AgentDef;
use crate::agent::family::{FAMILIES, Family, SCAN_ONLY};
use crate::toml_file::{Doc, Problem, Step, at, nearest};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    for (i, family) in agent.families.iter().enumerate() {
        if Family::of(family).is_none() {
            let ids = FAMILIES.iter().map(|family| family.id);
            let known = ids.clone().collect::<Vec<_>>().join(", ");
            let help = match nearest(family, ids) {
                Some(meant) => format!("did you mean `{meant}`? known: {known}"),
                None => format!("known: {known}"),
            };
            problems.push(doc.problem(&at!["families", i], format!("unknown family `{family}`"), Some(help)));
        }
    }
    if agent.families.is_empty() {
        if !doc.unreadable("families") {
            problems.push(doc.problem(
                &at!["families"],
                "no protocol family",
                Some("write `families = [\"plain/v1\"]`, or the families that it speaks".to_owned()),
            ));
        }
        return;
    }
    let scan_only = agent.families.iter().any(|family| family == SCAN_ONLY);
    if agent.scan_only != scan_only || (scan_only && agent.families.len() > 1) {
        problems.push(doc.problem(
            &at!["families"],
            format!("`scan_only` and the family `{SCAN_ONLY}` go together, and alone"),
            Some(format!(
                "write `scan_only = true` and `families = [\"{SCAN_ONLY}\"]`, or neither"
            )),
        ));
    }
    for (i, source) in agent.sources.iter().enumerate() {
        for (j, era) in source.eras.iter().enumerate() {
            declared(
                agent,
                doc,
                &at!["sources", i, "eras", j, "family"],
                &era.family,
                problems,
            );
            let mut others = source.eras.iter().filter(|other| other.family == era.family);
            if era.dialect.is_none() && others.any(|other| other.dialect.is_some()) {
                problems.push(doc.problem(
                    &at!["sources", i, "eras", j],
                    "another era of this family names a `dialect`, and this one does not",
                    Some("name the dialect of each, so that a step between them can be judged".to_owned()),
                ));
            }
        }
    }
    for (i, invocation) in agent.invocations.iter().enumerate() {
        declared(
            agent,
            doc,
            &at!["invocations", i, "family"],
            &invocation.family,
            problems,
        );
    }
    for family in agent.events.keys() {
        declared(agent, doc, &at!["events", family], family, problems);
    }
}

fn declared(agent: &AgentDef, doc: &Doc<'_>, place: &[Step], family: &str, problems: &mut Vec<Problem>) {
    if !agent.families.iter().any(|known| known == family) {
        problems.push(doc.problem(
            place,
            format!("family `{family}` is not among the agent's `families`"),
            Some(format!("add it there; declared are: {}", agent.families.join(", "))),
        ));
    }
}
