//! An agent is exempt only from probes that it would need, and says why.

use crate::agent::AgentDef;
use crate::agents_json::minimum_probes;
use crate::toml_file::{Doc, Problem, at, nearest};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let needed = if agent.scan_only {
        &[]
    } else {
        minimum_probes(agent.tier)
    };
    for (probe, reason) in &agent.exempt {
        if !needed.contains(&probe.as_str()) {
            let known = needed.join(", ");
            let help = match nearest(probe, needed.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if known.is_empty() => format!("an agent of tier {} needs none: take it away", agent.tier),
                None => format!("needed are: {known}"),
            };
            let what = format!(
                "exempt from `{probe}`, which is no minimum probe of tier {}",
                agent.tier
            );
            problems.push(doc.problem(&at!["exempt", probe], what, Some(help)));
        }
        if reason.trim().is_empty() {
            let what = format!("exempt from `{probe}` without a reason");
            problems.push(doc.problem(&at!["exempt", probe], what, Some("say why in a few words".to_owned())));
        }
    }
}
