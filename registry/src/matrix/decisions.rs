//! Which decisions are in force, and what they say.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use agent_contracts_shapes::Validity;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{PromotionPath, Sha256};
use serde::Serialize;

use super::records::{Decided, Known, Records, Seen};
use crate::promotion::{Refusal, rules};
use crate::records::{ObservedLevel, PromotedLevel, PromotionAction};

/// A decision that the matrix does not follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Its file.
    pub path: PromotionPath,
    /// Why: rules that it breaks, or who took it back.
    pub why: Vec<String>,
}

/// The decisions that are in force.
#[derive(Debug, Default)]
pub struct Decisions<'r> {
    /// In the order in which they were decided.
    pub in_force: Vec<&'r Decided>,
    /// The others.
    pub ignored: Vec<Ignored>,
    levels: HashMap<&'r str, (ObservedLevel, Vec<&'r Decided>)>,
}

impl<'r> Decisions<'r> {
    /// Follows the decisions of `records`: those that keep the rules and were not taken back.
    #[must_use]
    pub fn of(records: &'r Records, known: &Known<'r>) -> Self {
        let mut sound: BTreeMap<&str, &Decided> = BTreeMap::new();
        let mut decisions = Self::default();
        for decided in &records.decisions {
            let refusals = rules::check(&decided.record, known);
            if refusals.is_empty() {
                sound.insert(decided.path.as_str(), decided);
            } else {
                decisions.ignored.push(Ignored {
                    path: decided.path.clone(),
                    why: refusals.iter().map(Refusal::to_string).collect(),
                });
            }
        }
        let mut undone: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for decided in sound.values() {
            if let PromotionAction::Undo { promotion } = &decided.record.action {
                undone
                    .entry(promotion.path.as_str())
                    .or_default()
                    .push(decided.path.as_str());
            }
        }
        for (path, decided) in &sound {
            let by = taken_back_by(path, &undone, &mut BTreeSet::new());
            if let Some(by) = by {
                decisions.ignored.push(Ignored {
                    path: decided.path.clone(),
                    why: vec![format!("taken back by {by}")],
                });
            } else if !matches!(decided.record.action, PromotionAction::Undo { .. }) {
                decisions.in_force.push(decided);
            }
        }
        decisions
            .in_force
            .sort_by(|a, b| (a.record.decided_at.key(), &a.path).cmp(&(b.record.decided_at.key(), &b.path)));
        decisions.ignored.sort_by(|a, b| a.path.cmp(&b.path));
        for decided in decisions.in_force.clone() {
            decisions.raise(decided);
        }
        decisions
    }

    fn raise(&mut self, decided: &'r Decided) {
        let PromotionAction::Promote { to, observations, .. } = &decided.record.action else {
            return;
        };
        let level = match to {
            PromotedLevel::Confirmed => ObservedLevel::Confirmed,
            PromotedLevel::CommunityConfirmed => ObservedLevel::CommunityConfirmed,
        };
        for reference in observations {
            let (raised, by) = self
                .levels
                .entry(reference.path.as_str())
                .or_insert((level, Vec::new()));
            *raised = stronger(*raised, level);
            by.push(decided);
        }
    }

    /// The level of an observation, decisions included.
    #[must_use]
    pub fn level(&self, seen: &Seen) -> ObservedLevel {
        match self.levels.get(seen.path.as_str()) {
            Some((raised, _)) => stronger(seen.level, *raised),
            None => seen.level,
        }
    }

    /// The decisions that raised an observation.
    pub fn raised_by(&self, seen: &Seen) -> impl Iterator<Item = &'r Decided> {
        self.levels
            .get(seen.path.as_str())
            .into_iter()
            .flat_map(|(_, by)| by.iter().copied())
    }

    /// The variants of a version under a probe that decisions name, where no later one cleared them.
    #[must_use]
    pub fn variants(&self, seen: &Seen) -> Option<&'r Decided> {
        let names = |decided: &&&'r Decided| names_variants(decided, seen) && self.clearing(decided).is_none();
        self.in_force.iter().rev().find(names).copied()
    }

    /// The decision that cleared the variants of another.
    fn clearing(&self, variants: &Decided) -> Option<(&'r Decided, &'r Sha256)> {
        self.in_force.iter().find_map(|decided| match &decided.record.action {
            PromotionAction::ClearServerVariant { promotion, shape } if promotion.path == variants.path => {
                Some((*decided, shape))
            }
            _ => None,
        })
    }

    /// Why an observation speaks of a variant that is not active any more.
    #[must_use]
    pub fn cleared(&self, seen: &Seen) -> Option<&'r Decided> {
        self.in_force.iter().find_map(|decided| {
            let PromotionAction::ServerVariant { variants, .. } = &decided.record.action else {
                return None;
            };
            let (clearing, left) = self.clearing(decided)?;
            let named = variants.iter().any(|variant| variant.shape == seen.shape);
            let earlier = seen.captured_at.key() <= clearing.record.decided_at.key();
            (names_variants(decided, seen) && named && seen.shape != *left && earlier).then_some(clearing)
        })
    }

    /// The decisions that say that a version of a family breaks, whatever its shape.
    pub fn broken_versions(&self, agent: &str, family: CapturedFamily) -> impl Iterator<Item = &'r Decided> {
        self.about(agent, family, Option::is_none)
    }

    /// The decisions that say that a shape of a family breaks.
    pub fn broken_shapes(&self, agent: &str, family: CapturedFamily) -> impl Iterator<Item = &'r Decided> {
        self.about(agent, family, Option::is_some)
    }

    fn about(
        &self,
        agent: &str,
        family: CapturedFamily,
        wanted: fn(&Option<Sha256>) -> bool,
    ) -> impl Iterator<Item = &'r Decided> {
        self.in_force.iter().copied().filter(move |decided| {
            matches!(&decided.record.action,
                PromotionAction::KnownBreaking { protocol_family, shape, .. }
                if *protocol_family == family && wanted(shape))
                && decided.record.agent.as_str() == agent
        })
    }
}

fn names_variants(decided: &Decided, seen: &Seen) -> bool {
    match &decided.record.action {
        PromotionAction::ServerVariant {
            cli_version,
            platforms,
            protocol_family,
            probe,
            ..
        } => {
            decided.record.agent == seen.agent
                && *cli_version == seen.version
                && *protocol_family == seen.family
                && *probe == seen.probe
                && (platforms.is_empty() || platforms.contains(&seen.platform))
        }
        _ => false,
    }
}

/// Who took this decision back: somebody whose own decision was not taken back.
fn taken_back_by<'p>(
    path: &str,
    undone: &BTreeMap<&'p str, Vec<&'p str>>,
    above: &mut BTreeSet<String>,
) -> Option<&'p str> {
    // A record names another by the hash of its bytes, so there is no way around; this keeps a forged one from looping.
    if !above.insert(path.to_owned()) {
        return None;
    }
    let by = undone
        .get(path)?
        .iter()
        .copied()
        .find(|by| taken_back_by(by, undone, above).is_none());
    above.remove(path);
    by
}

/// The stronger of two levels.
#[must_use]
pub(super) fn stronger(a: ObservedLevel, b: ObservedLevel) -> ObservedLevel {
    if Validity::from(b).strength() > Validity::from(a).strength() {
        b
    } else {
        a
    }
}
