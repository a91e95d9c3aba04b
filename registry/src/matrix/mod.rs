//! The support matrix: the public claims, as a pure function of observations, decisions, release records and the agents'
//! policies.
//!
//! ```text
//! Records ──▶ Decisions (in force) ──▶ Cells (one a version and platform, with its rule) ──▶ drafts ──▶ entries
//! ```
//!
//! The same records give the same bytes, in whatever order they come. What source, documents or fixtures say is no input
//! at all. Statuses that a tree can claim are seven of the nine: `local_shape_verified` needs a probe on the reader's own
//! machine, and `unknown` is what is left out. An exact version wins over a range; a range speaks of releases only, never
//! of prereleases that nobody ran.

mod cells;
mod check;
mod decisions;
mod entries;
mod explain;
mod gate;
mod lookup;
mod notes;
pub mod range;
mod records;
pub mod rules;

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_shapes::Validity;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{CliVersion, ObservationPath, Sha256, UtcTime};
use serde::Serialize;

pub use cells::{CONVERSATIONS, Cell};
pub use check::{Difference, check, differences};
pub use decisions::{Decisions, Ignored};
pub use explain::{Claim, Explanation, explain};
pub use gate::{Asked, Gate, Verdict, gate};
pub use lookup::{Match, find};
pub use records::{Decided, Known, Records, Seen};
pub use rules::Rule;

use crate::records::{MatrixEntry, Platform, SupportMatrix};
use crate::release::ReleaseFile;
use cells::{Breaking, Judge};

/// A matrix with how it came to be.
#[derive(Debug)]
pub struct Generated<'r> {
    /// The matrix.
    pub matrix: SupportMatrix,
    /// For each of its entries, by which rule it stands and which decisions took part.
    pub grounds: Vec<Grounds<'r>>,
    /// Every version that was run, with its status, by agent.
    pub cells: BTreeMap<String, Vec<Cell<'r>>>,
    /// Observations that support nothing.
    pub not_counted: Vec<NotCounted>,
    /// Decisions that are not followed.
    pub ignored: Vec<Ignored>,
}

/// Why an entry stands.
#[derive(Debug, Clone)]
pub struct Grounds<'r> {
    /// The rule.
    pub rule: Rule,
    /// The decisions that took part, by path.
    pub decisions: Vec<&'r Decided>,
}

/// An observation that supports nothing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NotCounted {
    /// Its file.
    pub path: ObservationPath,
    /// Why.
    pub why: String,
}

/// When nothing at all was ever recorded.
const NEVER: &str = "1970-01-01T00:00:00Z";

/// Makes the matrix.
#[must_use]
pub fn generate(records: &Records) -> Generated<'_> {
    let known = Known::new(records);
    let decisions = Decisions::of(records, &known);
    let mut not_counted = Vec::new();
    let mut counted: BTreeMap<&str, Vec<&Seen>> = BTreeMap::new();
    let agents: BTreeMap<&str, &AgentEntry> = records
        .agents
        .iter()
        .flat_map(|file| &file.agents)
        .map(|agent| (agent.id.as_str(), agent))
        .collect();
    for seen in &records.observations {
        match objection(seen, &agents, &known, &decisions) {
            Some(why) => not_counted.push(NotCounted {
                path: seen.path.clone(),
                why,
            }),
            None => counted.entry(seen.agent.as_str()).or_default().push(seen),
        }
    }
    not_counted.sort();

    let mut cells: BTreeMap<String, Vec<Cell<'_>>> = BTreeMap::new();
    let mut entries: Vec<(MatrixEntry, Grounds<'_>)> = Vec::new();
    for (id, agent) in agents.iter().filter(|(_, agent)| !agent.scan_only) {
        let mut seen = counted.remove(id).unwrap_or_default();
        seen.sort_by(|a, b| a.path.cmp(&b.path));
        let releases = records.releases.iter().find(|file| file.agent == *id);
        let of_agent = of_agent(agent, &seen, releases, &decisions, &known);
        entries.extend(of_agent.entries);
        cells.insert((*id).to_owned(), of_agent.cells);
    }
    let (entries, grounds) = entries.into_iter().unzip();
    Generated {
        matrix: SupportMatrix {
            schema_version: agent_contracts_wire::formats::SchemaVersion,
            generated_at: newest(records, &decisions),
            open_design_min_commit: None,
            agents: entries,
        },
        grounds,
        cells,
        not_counted,
        ignored: decisions.ignored,
    }
}

/// Why an observation supports nothing.
fn objection(
    seen: &Seen,
    agents: &BTreeMap<&str, &AgentEntry>,
    known: &Known<'_>,
    decisions: &Decisions<'_>,
) -> Option<String> {
    let Some(agent) = agents.get(seen.agent.as_str()) else {
        return Some(format!("`{}` is no agent of registry/agents.json", seen.agent));
    };
    if agent.scan_only {
        return Some(format!("`{}` is only scanned", seen.agent));
    }
    if !agent
        .protocol_families
        .iter()
        .any(|family| family == seen.family.as_str())
    {
        return Some(format!("`{}` never declared {}", seen.agent, seen.family));
    }
    if let Some(why) = known.objection(seen) {
        return Some(why.to_owned());
    }
    decisions
        .cleared(seen)
        .map(|decided| format!("its variant is not active any more, by {}", decided.path))
}

struct OfAgent<'r> {
    cells: Vec<Cell<'r>>,
    entries: Vec<(MatrixEntry, Grounds<'r>)>,
}

fn of_agent<'r>(
    agent: &AgentEntry,
    seen: &[&'r Seen],
    releases: Option<&ReleaseFile>,
    decisions: &Decisions<'r>,
    known: &Known<'r>,
) -> OfAgent<'r> {
    let mut all = OfAgent {
        cells: Vec::new(),
        entries: Vec::new(),
    };
    let families: BTreeSet<CapturedFamily> = agent
        .protocol_families
        .iter()
        .filter_map(|family| family.parse().ok())
        .collect();
    for family in families {
        let counted: Vec<&Seen> = seen.iter().filter(|seen| seen.family == family).copied().collect();
        let breaking = Breaking::of(&agent.id, family, &counted, decisions, known);
        let judge = Judge {
            agent,
            breaking: &breaking,
            decisions,
            known,
        };
        let mut by_version: BTreeMap<(Platform, &CliVersion), Vec<&Seen>> = BTreeMap::new();
        for seen in counted {
            by_version.entry((seen.platform, &seen.version)).or_default().push(seen);
        }
        let mut cells: Vec<Cell<'r>> = by_version
            .iter()
            .map(|((platform, version), seen)| judge.cell(family, *platform, version, seen))
            .collect();
        cells.sort_by(|a, b| {
            let order = range::order(agent.version_scheme, a.version.as_str(), b.version.as_str());
            a.platform
                .cmp(&b.platform)
                .then(order)
                .then_with(|| a.version.cmp(&b.version))
        });
        let maker = entries::Maker {
            agent,
            family,
            cells: &cells,
            breaking: &breaking,
            decisions,
            known,
            releases,
        };
        all.entries.extend(maker.entries());
        all.cells.extend(cells);
    }
    all
}

/// The strongest level of every shape that was seen, decisions included.
#[must_use]
pub fn shape_levels(records: &Records) -> BTreeMap<Sha256, Validity> {
    let known = Known::new(records);
    let decisions = Decisions::of(records, &known);
    let mut levels: BTreeMap<Sha256, Validity> = BTreeMap::new();
    for seen in &records.observations {
        let level = Validity::from(decisions.level(seen));
        let strongest = levels.entry(seen.shape.clone()).or_insert(level);
        if level.strength() > strongest.strength() {
            *strongest = level;
        }
    }
    levels.retain(|shape, _| records.shapes.get(shape).is_some_and(|level| !level.is_source()));
    levels
}

/// The time of the newest input that says anything: observations, decisions in force, releases.
fn newest(records: &Records, decisions: &Decisions<'_>) -> UtcTime {
    let observed = records.observations.iter().map(|seen| seen.captured_at.clone());
    let decided = decisions
        .in_force
        .iter()
        .map(|decided| decided.record.decided_at.clone());
    let released = records
        .releases
        .iter()
        .flat_map(|file| &file.releases)
        .filter_map(|release| release.first_seen.parse::<UtcTime>().ok());
    observed
        .chain(decided)
        .chain(released)
        .chain(NEVER.parse().ok())
        .max_by(|a, b| (a.key(), a).cmp(&(b.key(), b)))
        .unwrap_or_else(|| unreachable!("NEVER is a time"))
}
