//! The policy of the matrix speaks of versions and families that the agent has, and gives reasons.

use agent_contracts_wire::version::VersionScheme;

use crate::agent::AgentDef;
use crate::toml_file::{Doc, Problem, at, nearest};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let support = &agent.support;
    if agent.scan_only && doc.has("support") {
        problems.push(doc.problem(
            &at!["support"],
            "`support` in an agent that is only scanned",
            Some("take it away: nothing is ever claimed about it".to_owned()),
        ));
        return;
    }
    if let Some(oldest) = &support.oldest
        && agent.version.scheme.read(oldest.version.as_str()).is_none()
    {
        problems.push(doc.problem(
            &at!["support", "oldest", "version"],
            format!("`{}` is no version in the agent's own scheme", oldest.version),
            Some("write it as `version.scheme` does".to_owned()),
        ));
    }
    if support.bridge && agent.version.scheme != VersionScheme::Semver {
        problems.push(doc.problem(
            &at!["support", "bridge"],
            "`bridge` for versions that are not semantic",
            Some("take it away: such versions are listed one by one".to_owned()),
        ));
    }
    for (family, reason) in &support.exempt {
        if !agent.families.contains(family) {
            let declared = agent.families.iter().map(String::as_str);
            let help = match nearest(family, declared) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("declared are: {}", agent.families.join(", ")),
            };
            problems.push(doc.problem(
                &at!["support", "exempt", family],
                format!("exempt from the release gate for `{family}`, which is not among the agent's `families`"),
                Some(help),
            ));
        }
        if reason.trim().is_empty() {
            problems.push(doc.problem(
                &at!["support", "exempt", family],
                format!("exempt from the release gate for `{family}` without a reason"),
                Some("say why in a few words".to_owned()),
            ));
        }
    }
}
