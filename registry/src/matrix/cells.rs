//! One version of one agent, in one family, on one platform: what was seen of it, and which status follows.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{CliVersion, EvidenceLink, Sha256, Text};

use super::decisions::{Decisions, stronger};
use super::range::{Range, order};
use super::records::{Decided, Known, Seen};
use super::rules::{self, Rule};
use crate::records::{
    KnownBreakingShape, ObservedLevel, ObservedShape, Platform, PromotionAction, Provider, ReplayStatus, ServerVariant,
    VariantStatus,
};

/// The probes that hold a conversation. A version is verified by them; other probes add to its coverage.
pub const CONVERSATIONS: &[&str] = &["chat-text-success", "chat-tool-success"];

/// What must be the same for two captures to have the same shape: probe, provider and the normaliser's profile.
pub(super) type Group = (String, Option<Provider>, Option<Sha256>);

/// What was seen of one version on one platform.
#[derive(Debug, Clone)]
pub struct Cell<'r> {
    /// The dialect.
    pub family: CapturedFamily,
    /// Where.
    pub platform: Platform,
    /// Which.
    pub version: CliVersion,
    /// Why it has its status.
    pub rule: Rule,
    /// What the status rests on, by path.
    pub observations: Vec<&'r Seen>,
    /// What else was seen of it, by path.
    pub beside: Vec<&'r Seen>,
    /// The shapes behind the status, by group.
    pub shapes: BTreeMap<Group, BTreeSet<Sha256>>,
    /// What is known of each, where there are several.
    pub variants: Vec<ServerVariant>,
    /// The decisions that took part.
    pub decisions: Vec<&'r Decided>,
}

/// A shape that breaks, the platforms that it does so on (all of them when it is empty), and the decision, if it is one.
type BrokenShape<'r> = (KnownBreakingShape, Vec<Platform>, Option<&'r Decided>);

/// What breaks in a family of an agent.
#[derive(Debug, Clone, Default)]
pub(super) struct Breaking<'r> {
    shapes: Vec<BrokenShape<'r>>,
    /// Decisions about whole versions.
    versions: Vec<&'r Decided>,
}

impl<'r> Breaking<'r> {
    /// From decisions, and from what the parsers could not read.
    #[must_use]
    pub(super) fn of(
        agent: &str,
        family: CapturedFamily,
        counted: &[&'r Seen],
        decisions: &Decisions<'r>,
        known: &Known<'r>,
    ) -> Self {
        let mut breaking = Self {
            shapes: Vec::new(),
            versions: decisions.broken_versions(agent, family).collect(),
        };
        for decided in decisions.broken_shapes(agent, family) {
            let PromotionAction::KnownBreaking {
                platforms,
                shape: Some(shape),
                breaks,
                evidence,
                ..
            } = &decided.record.action
            else {
                continue;
            };
            // The observation that shows it, rather than an address, when both are named.
            let shown = evidence
                .iter()
                .find(|link| known.observation_at(link.as_str()).is_some())
                .or(evidence.first());
            if let Some(evidence) = shown {
                let shape = KnownBreakingShape {
                    shape: shape.clone(),
                    reason: breaks.clone(),
                    evidence: evidence.clone(),
                };
                breaking.shapes.push((shape, platforms.clone(), Some(decided)));
            }
        }
        breaking.judge(counted);
        breaking
    }

    /// The last verdict of the parsers about each shape.
    fn judge(&mut self, counted: &[&'r Seen]) {
        let mut last: BTreeMap<&Sha256, &Seen> = BTreeMap::new();
        for seen in counted.iter().filter(|seen| seen.replay != ReplayStatus::NotRun) {
            let newest = last.entry(&seen.shape).or_insert(seen);
            if (seen.captured_at.key(), &seen.path) > (newest.captured_at.key(), &newest.path) {
                *newest = seen;
            }
        }
        for (shape, seen) in last {
            if seen.replay != ReplayStatus::Incompatible || self.shapes.iter().any(|(one, _, _)| one.shape == *shape) {
                continue;
            }
            let commit = seen.replay_commit.as_ref().map_or("", |commit| commit.as_str());
            let reason = format!("the parsers of OpenDesign cannot read it ({commit})");
            if let (Ok(reason), Ok(evidence)) = (reason.parse::<Text>(), seen.path.as_str().parse::<EvidenceLink>()) {
                let shape = KnownBreakingShape {
                    shape: shape.clone(),
                    reason,
                    evidence,
                };
                self.shapes.push((shape, Vec::new(), None));
            }
        }
    }

    /// Every shape of the family that breaks on one of these platforms, sorted, once each.
    #[must_use]
    pub(super) fn on(&self, platforms: &BTreeSet<Platform>) -> Vec<KnownBreakingShape> {
        let here = self
            .shapes
            .iter()
            .filter(|(_, on, _)| on.is_empty() || on.iter().any(|platform| platforms.contains(platform)));
        let by_shape: BTreeMap<&Sha256, &KnownBreakingShape> =
            here.map(|(breaking, _, _)| (&breaking.shape, breaking)).collect();
        by_shape.into_values().cloned().collect()
    }

    fn shape(&self, shape: &Sha256, platform: Platform) -> Option<&BrokenShape<'r>> {
        self.shapes
            .iter()
            .find(|(one, on, _)| one.shape == *shape && (on.is_empty() || on.contains(&platform)))
    }

    /// The decisions about whole versions.
    pub(super) fn decided(&self) -> &[&'r Decided] {
        &self.versions
    }

    /// The decision that says that this version breaks.
    fn version(&self, agent: &AgentEntry, version: &str, platform: Platform) -> Option<&'r Decided> {
        self.versions
            .iter()
            .copied()
            .find(|decided| match &decided.record.action {
                PromotionAction::KnownBreaking {
                    version_ranges,
                    platforms,
                    ..
                } => {
                    (platforms.is_empty() || platforms.contains(&platform))
                        && version_ranges
                            .iter()
                            .any(|range| Range::of(range).holds(agent.version_scheme, version))
                }
                _ => false,
            })
    }
}

/// What the judgement of a cell needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judge<'j, 'r> {
    pub(super) agent: &'j AgentEntry,
    pub(super) breaking: &'j Breaking<'r>,
    pub(super) decisions: &'j Decisions<'r>,
    pub(super) known: &'j Known<'r>,
}

impl<'r> Judge<'_, 'r> {
    /// The cell of these observations, which are of one version, family and platform.
    #[must_use]
    pub(super) fn cell(
        &self,
        family: CapturedFamily,
        platform: Platform,
        version: &CliVersion,
        all: &[&'r Seen],
    ) -> Cell<'r> {
        let talks = |seen: &&&'r Seen| CONVERSATIONS.contains(&seen.probe.as_str()) && !seen.failed;
        let mut cell = Cell {
            family,
            platform,
            version: version.clone(),
            rule: rules::NO_CONVERSATION,
            observations: all.iter().filter(talks).copied().collect(),
            beside: all.iter().filter(|seen| !talks(seen)).copied().collect(),
            shapes: BTreeMap::new(),
            variants: Vec::new(),
            decisions: Vec::new(),
        };
        self.settle(&mut cell);
        if cell.observations.is_empty() {
            std::mem::swap(&mut cell.observations, &mut cell.beside);
        }
        cell.observations.sort_by(|a, b| a.path.cmp(&b.path));
        cell.observations.dedup_by(|a, b| a.path == b.path);
        cell.beside.sort_by(|a, b| a.path.cmp(&b.path));
        for seen in &cell.observations {
            let group = (seen.probe.to_string(), seen.provider, seen.profile.clone());
            cell.shapes.entry(group).or_default().insert(seen.shape.clone());
            cell.decisions.extend(self.decisions.raised_by(seen));
        }
        cell.decisions.sort_by(|a, b| a.path.cmp(&b.path));
        cell.decisions.dedup_by(|a, b| a.path == b.path);
        cell
    }

    /// Finds the rule. The first that fits is taken.
    fn settle(&self, cell: &mut Cell<'r>) {
        let version = cell.version.as_str();
        let oldest = self.agent.support.oldest.as_ref();
        if oldest.is_some_and(|oldest| order(self.agent.version_scheme, version, oldest.version.as_str()).is_lt()) {
            cell.rule = rules::TOO_OLD;
            return;
        }
        if let Some(decided) = self.breaking.version(self.agent, version, cell.platform) {
            cell.rule = rules::BREAKING_VERSION;
            cell.decisions.push(decided);
            return;
        }
        if cell.observations.is_empty() {
            return;
        }
        let decided = cell.observations.iter().find_map(|seen| self.decisions.variants(seen));
        if let Some(decided) = decided {
            self.variants_decided(cell, decided);
            return;
        }
        let mut groups: BTreeMap<Group, BTreeSet<&Sha256>> = BTreeMap::new();
        for seen in &cell.observations {
            let group = (seen.probe.to_string(), seen.provider, seen.profile.clone());
            groups.entry(group).or_default().insert(&seen.shape);
        }
        let breaks = |shape: &Sha256| self.breaking.shape(shape, cell.platform);
        let broken = groups
            .values()
            .any(|shapes| shapes.iter().all(|shape| breaks(shape).is_some()));
        let several = groups.values().any(|shapes| shapes.len() > 1);
        if broken {
            let by: Vec<&Decided> = groups.values().flatten().filter_map(|shape| breaks(shape)?.2).collect();
            cell.decisions.extend(by);
            cell.rule = rules::BREAKING_SHAPE;
        } else if several {
            let shapes: BTreeSet<&Sha256> = groups
                .values()
                .filter(|shapes| shapes.len() > 1)
                .flatten()
                .copied()
                .collect();
            let variants = shapes.into_iter().map(|shape| ServerVariant {
                shape: shape.clone(),
                status: self.variant_status(cell, shape),
            });
            cell.variants = variants.collect();
            cell.rule = rules::SEVERAL_SHAPES;
        } else if cell
            .observations
            .iter()
            .all(|seen| self.decisions.level(seen) == ObservedLevel::ServerVariant)
        {
            cell.rule = rules::VARIANT_ALONE;
        } else {
            // Variants that no decision names support nothing here.
            cell.observations
                .retain(|seen| self.decisions.level(seen) != ObservedLevel::ServerVariant);
            cell.rule = rules::OBSERVED;
        }
    }

    /// A decision names the variants: what it rests on speaks for every platform that it is about.
    fn variants_decided(&self, cell: &mut Cell<'r>, decided: &'r Decided) {
        if let PromotionAction::ServerVariant {
            variants, observations, ..
        } = &decided.record.action
        {
            cell.observations.extend(
                observations
                    .iter()
                    .filter_map(|reference| self.known.observation(reference)),
            );
            cell.variants.clone_from(variants);
            cell.variants.sort();
            cell.variants.dedup_by(|a, b| a.shape == b.shape);
        }
        cell.decisions.push(decided);
        cell.rule = rules::VARIANTS_DECIDED;
    }

    /// What is known of a variant that no decision speaks of.
    fn variant_status(&self, cell: &Cell<'r>, shape: &Sha256) -> VariantStatus {
        let replayed = cell
            .observations
            .iter()
            .any(|seen| seen.shape == *shape && seen.replay == ReplayStatus::Compatible);
        match (self.breaking.shape(shape, cell.platform), replayed) {
            (Some(_), _) => VariantStatus::Breaking,
            (None, true) => VariantStatus::Compatible,
            (None, false) => VariantStatus::CompatiblePendingFixture,
        }
    }
}

/// The shapes of some observations, each with its strongest level and when it was last seen. Sorted by shape.
#[must_use]
pub(super) fn observed_shapes(
    observations: &[&Seen],
    decisions: &Decisions<'_>,
    variants: &[ServerVariant],
    decided: bool,
) -> Vec<ObservedShape> {
    let mut shapes: BTreeMap<&Sha256, ObservedShape> = BTreeMap::new();
    for seen in observations {
        // A decision about variants speaks of these shapes of this version.
        let is_variant = decided && variants.iter().any(|variant| variant.shape == seen.shape);
        let level = if is_variant {
            ObservedLevel::ServerVariant
        } else {
            decisions.level(seen)
        };
        let shape = shapes.entry(&seen.shape).or_insert_with(|| ObservedShape {
            shape: seen.shape.clone(),
            validity_level: level,
            observed_at: seen.captured_at.clone(),
        });
        shape.validity_level = stronger(shape.validity_level, level);
        if seen.captured_at.key() > shape.observed_at.key() {
            shape.observed_at = seen.captured_at.clone();
        }
    }
    shapes.into_values().collect()
}
