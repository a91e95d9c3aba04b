//! Where things stand in the tree. Relative paths, `/`-separated; shapes and evidence records know their own.

use agent_contracts_wire::place::{component, id8};

/// The list of agents.
pub const AGENTS: &str = "registry/agents.json";
/// The public claims.
pub const MATRIX: &str = "registry/support-matrix.json";
/// The folder of observations.
pub const OBSERVATIONS: &str = "observations";
/// The folder of decisions.
pub const PROMOTIONS: &str = "registry/promotions";
/// The folder of shapes.
pub const SHAPES: &str = "shapes";
/// The index of the newest evidence of each step.
pub const EVIDENCE_INDEX: &str = "source-evidence/index.json";
/// The folder of evidence records.
pub const EVIDENCE: &str = "source-evidence";
/// The folder of release records.
pub const RELEASES: &str = "registry/releases";
/// The folder of alerts.
pub const ALERTS: &str = "reports/alerts";

/// The releases of one agent.
#[must_use]
pub fn releases(agent: &str) -> String {
    format!("{RELEASES}/{}.json", component(agent))
}

/// The report on one step. `identity` is that of its evidence record.
#[must_use]
pub fn diff_report(agent: &str, from: &str, to: &str, identity: &str) -> String {
    format!(
        "reports/diffs/{}/{}..{}-{}.md",
        component(agent),
        component(from),
        component(to),
        id8(identity)
    )
}

/// The stem of the files of one alert: `.entry.json`, `.md` and `.card.json` are added to it.
#[must_use]
pub fn alert(kind: &str, agent: &str, subject: &str, fingerprint: &str) -> String {
    format!(
        "{ALERTS}/{}/{}/{}-{}",
        component(kind),
        component(agent),
        component(subject),
        id8(fingerprint)
    )
}
