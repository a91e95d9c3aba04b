//! Cells become entries: versions with the same status and shapes stand together, and so do platforms.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_config::agent::OnBreaking;
use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{AgentId, CliVersion, Sha256, UtcTime, VersionRange};
use agent_contracts_wire::version::VersionScheme;
use jiff::{SignedDuration, Timestamp};

use super::Grounds;
use super::cells::{Breaking, Cell, Group, observed_shapes};
use super::decisions::Decisions;
use super::notes::{self, Span};
use super::range::{self, Range, order};
use super::records::{Decided, Known, Seen};
use super::rules::{self, Rule};
use crate::records::{
    AllowRun, KnownBreakingShape, MatrixEntry, MatrixPolicy, Platform, PromotionAction, ServerVariant, SupportStatus,
};
use crate::release::ReleaseFile;

/// Makes the entries of one family of one agent.
pub(super) struct Maker<'m, 'r> {
    pub(super) agent: &'m AgentEntry,
    pub(super) family: CapturedFamily,
    /// By platform, then version.
    pub(super) cells: &'m [Cell<'r>],
    pub(super) breaking: &'m Breaking<'r>,
    pub(super) decisions: &'m Decisions<'r>,
    pub(super) known: &'m Known<'r>,
    pub(super) releases: Option<&'m ReleaseFile>,
}

/// What will be one entry on one or more platforms.
struct Draft<'m, 'r> {
    rule: Rule,
    ranges: Vec<VersionRange>,
    platforms: BTreeSet<Platform>,
    cells: Vec<&'m Cell<'r>>,
    spans: Vec<(CliVersion, CliVersion)>,
}

/// What cells must share to stand in one entry.
type Key<'m> = (
    SupportStatus,
    &'static str,
    &'m BTreeMap<Group, BTreeSet<Sha256>>,
    &'m Vec<ServerVariant>,
);

impl<'m, 'r> Maker<'m, 'r> {
    pub(super) fn entries(&self) -> Vec<(MatrixEntry, Grounds<'r>)> {
        let mut entries: Vec<(MatrixEntry, Grounds<'r>)> =
            self.drafts().iter().filter_map(|draft| self.observed(draft)).collect();
        for decided in self.breaking.decided() {
            entries.extend(self.broken(decided));
        }
        entries.extend(self.too_old());
        entries.extend(self.newer());
        entries.sort_by(|(a, _), (b, _)| {
            let first = |entry: &MatrixEntry| {
                entry
                    .version_ranges
                    .first()
                    .map(|range| Range::of(range).first().to_owned())
            };
            let versions = match (first(a), first(b)) {
                (Some(a), Some(b)) => order(self.scheme(), &a, &b),
                (a, b) => a.cmp(&b),
            };
            versions
                .then(a.support_status.cmp(&b.support_status))
                .then_with(|| a.platforms.cmp(&b.platforms))
                .then_with(|| a.version_ranges.cmp(&b.version_ranges))
                .then_with(|| a.observed_shapes.cmp(&b.observed_shapes))
        });
        entries
    }

    fn scheme(&self) -> VersionScheme {
        self.agent.version_scheme
    }

    /// The newest version that is verified.
    fn latest_verified(&self) -> Option<&CliVersion> {
        self.cells
            .iter()
            .filter(|cell| cell.rule.status.is_support())
            .map(|cell| &cell.version)
            .max_by(|a, b| order(self.scheme(), a.as_str(), b.as_str()).then_with(|| a.cmp(b)))
    }

    /// Releases that can be installed and are no prereleases.
    fn released(&self) -> impl Iterator<Item = CliVersion> {
        let releases = self.releases.into_iter().flat_map(|file| &file.releases);
        releases
            .filter(|release| !release.prerelease && !release.withdrawn)
            .filter_map(|release| release.version.parse().ok())
    }

    /// The newest version that a channel or a capture showed.
    fn latest_seen(&self) -> Option<CliVersion> {
        let run = self.cells.iter().map(|cell| cell.version.clone());
        self.released()
            .chain(run)
            .max_by(|a, b| order(self.scheme(), a.as_str(), b.as_str()).then_with(|| a.cmp(b)))
    }

    fn drafts(&self) -> Vec<Draft<'m, 'r>> {
        let mut drafts: Vec<Draft<'m, 'r>> = Vec::new();
        for cells in self.cells.chunk_by(|a, b| a.platform == b.platform) {
            for draft in self.on_one_platform(cells) {
                let same = drafts.iter_mut().find(|other| {
                    other.rule == draft.rule
                        && other.ranges == draft.ranges
                        && key(other.cells[0]) == key(draft.cells[0])
                });
                match same {
                    Some(other) => {
                        other.platforms.extend(draft.platforms);
                        other.cells.extend(draft.cells);
                    }
                    None => drafts.push(draft),
                }
            }
        }
        drafts
    }

    /// `cells` are of one platform, by version.
    fn on_one_platform(&self, cells: &'m [Cell<'r>]) -> Vec<Draft<'m, 'r>> {
        let mut drafts: Vec<Draft<'m, 'r>> = Vec::new();
        // Which draft the cell before belongs to, and where its last piece began.
        let mut before: Option<(usize, &Cell<'r>)> = None;
        for cell in cells {
            // What policy and decisions say about versions stands in entries of its own.
            if matches!(cell.rule, rules::TOO_OLD | rules::BREAKING_VERSION) {
                before = None;
                continue;
            }
            let at = drafts.iter().position(|draft| key(draft.cells[0]) == key(cell));
            let last = drafts
                .get(at.unwrap_or(usize::MAX))
                .and_then(|draft| draft.cells.last().copied());
            let joined = match (before, at, last) {
                (Some((draft, start)), Some(at), Some(last)) if draft == at && self.may_span(last, cell) => {
                    Some((at, start))
                }
                _ => None,
            };
            if let Some((at, start)) = joined {
                let draft = &mut drafts[at];
                draft.ranges.pop();
                draft.ranges.extend(range::span(&start.version, &cell.version));
                draft.spans.retain(|(from, _)| *from != start.version);
                draft.spans.push((start.version.clone(), cell.version.clone()));
                draft.cells.push(cell);
                continue;
            }
            let at = at.unwrap_or_else(|| {
                drafts.push(Draft {
                    rule: cell.rule,
                    ranges: Vec::new(),
                    platforms: BTreeSet::from([cell.platform]),
                    cells: Vec::new(),
                    spans: Vec::new(),
                });
                drafts.len() - 1
            });
            drafts[at].ranges.extend(range::exactly(&cell.version));
            drafts[at].cells.push(cell);
            before = Some((at, cell));
        }
        for draft in &mut drafts {
            if !draft.spans.is_empty() {
                draft.rule = rules::BRIDGED;
            }
        }
        drafts
    }

    /// Whether a range may span what lies between two verified versions that follow each other.
    fn may_span(&self, from: &Cell<'r>, to: &Cell<'r>) -> bool {
        let stable = |cell: &Cell<'r>| {
            let read = self.scheme().read(cell.version.as_str());
            read.is_some_and(|read| !read.prerelease)
        };
        let broken = |decided: &Decided| match &decided.record.action {
            PromotionAction::KnownBreaking { version_ranges, .. } => version_ranges
                .iter()
                .any(|range| Range::of(range).touches(self.scheme(), from.version.as_str(), to.version.as_str())),
            _ => false,
        };
        self.agent.support.bridge
            && self.scheme() == VersionScheme::Semver
            && from.rule == rules::OBSERVED
            && to.rule == rules::OBSERVED
            && stable(from)
            && stable(to)
            && !self.breaking.decided().iter().any(|decided| broken(decided))
    }

    fn observed(&self, draft: &Draft<'m, 'r>) -> Option<(MatrixEntry, Grounds<'r>)> {
        let mut observations: Vec<&Seen> = draft
            .cells
            .iter()
            .flat_map(|cell| &cell.observations)
            .copied()
            .collect();
        observations.sort_by(|a, b| a.path.cmp(&b.path));
        observations.dedup_by(|a, b| a.path == b.path);
        let variants = draft.cells[0].variants.clone();
        let decided = draft.rule == rules::VARIANTS_DECIDED;
        let shapes = observed_shapes(&observations, self.decisions, &variants, decided);
        let last = shapes
            .iter()
            .map(|shape| &shape.observed_at)
            .max_by_key(|time| time.key())?
            .clone();
        let status = draft.rule.status;
        let breaking = self.breaking.on(&draft.platforms);
        let spans: Vec<Span> = draft
            .spans
            .iter()
            .map(|(from, to)| self.span(from, to, draft))
            .collect();
        let mut entry = self.entry(status, draft.ranges.clone(), draft.platforms.iter().copied().collect())?;
        entry.notes = notes::of(&notes::Facts {
            agent: self.agent,
            rule: draft.rule,
            observations: &observations,
            beside: &newest_beside(draft, self.scheme()),
            shapes: &shapes,
            spans: &spans,
        });
        entry.observed_shapes = shapes;
        entry.stale_after = status.is_support().then(|| self.stale_after(&last)).flatten();
        entry.last_observed_at = Some(last);
        entry.server_variants = variants;
        entry.known_breaking_shapes = breaking;
        entry.observations = observations.iter().map(|seen| seen.path.clone()).collect();
        let mut decisions: Vec<&Decided> = draft.cells.iter().flat_map(|cell| &cell.decisions).copied().collect();
        decisions.sort_by(|a, b| a.path.cmp(&b.path));
        decisions.dedup_by(|a, b| a.path == b.path);
        let grounds = Grounds {
            rule: draft.rule,
            decisions,
        };
        Some((entry, grounds))
    }

    /// The releases in a span that were not run on every platform of the draft.
    fn span(&self, from: &CliVersion, to: &CliVersion, draft: &Draft<'m, 'r>) -> Span {
        let between = |version: &CliVersion| {
            order(self.scheme(), version.as_str(), from.as_str()).is_gt()
                && order(self.scheme(), version.as_str(), to.as_str()).is_lt()
        };
        let run = |version: &CliVersion| {
            draft.platforms.iter().all(|platform| {
                draft
                    .cells
                    .iter()
                    .any(|cell| cell.platform == *platform && cell.version == *version)
            })
        };
        let mut not_run: Vec<CliVersion> = self
            .released()
            .filter(|version| between(version) && !run(version))
            .collect();
        not_run.sort_by(|a, b| order(self.scheme(), a.as_str(), b.as_str()));
        not_run.dedup();
        Span {
            from: from.clone(),
            to: to.clone(),
            not_run,
        }
    }

    /// What a decision says about whole versions.
    fn broken(&self, decided: &'r Decided) -> Option<(MatrixEntry, Grounds<'r>)> {
        let PromotionAction::KnownBreaking {
            version_ranges,
            platforms,
            breaks,
            evidence,
            ..
        } = &decided.record.action
        else {
            return None;
        };
        let platforms = if platforms.is_empty() {
            Platform::ALL.to_vec()
        } else {
            platforms.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
        };
        let mut ranges = version_ranges.clone();
        ranges.sort();
        ranges.dedup();
        let mut shown: BTreeMap<&Sha256, KnownBreakingShape> = BTreeMap::new();
        let mut observations: Vec<&Seen> = Vec::new();
        for link in evidence {
            let found = self.known.observation_at(link.as_str());
            if let Some(seen) = found.filter(|seen| self.known.objection(seen).is_none()) {
                observations.push(seen);
                shown.entry(&seen.shape).or_insert_with(|| KnownBreakingShape {
                    shape: seen.shape.clone(),
                    reason: breaks.clone(),
                    evidence: link.clone(),
                });
            }
        }
        observations.sort_by(|a, b| a.path.cmp(&b.path));
        let mut entry = self.entry(SupportStatus::KnownBreaking, ranges, platforms)?;
        entry.known_breaking_shapes = shown.into_values().collect();
        entry.observed_shapes = observed_shapes(&observations, self.decisions, &[], false);
        entry.last_observed_at = entry
            .observed_shapes
            .iter()
            .map(|shape| shape.observed_at.clone())
            .max_by(|a, b| a.key().cmp(&b.key()));
        entry.observations = observations.iter().map(|seen| seen.path.clone()).collect();
        entry.notes = vec![format!("Breaks: {breaks}.")];
        let grounds = Grounds {
            rule: rules::BREAKING_VERSION,
            decisions: vec![decided],
        };
        Some((entry, grounds))
    }

    /// What the agent's file says about old versions.
    fn too_old(&self) -> Option<(MatrixEntry, Grounds<'r>)> {
        let oldest = self.agent.support.oldest.as_ref()?;
        let ranges = if self.scheme() == VersionScheme::Semver {
            vec![range::before(&oldest.version)?]
        } else {
            self.listed(|version| order(self.scheme(), version.as_str(), oldest.version.as_str()).is_lt())
        };
        let mut entry = self.entry(SupportStatus::TooOld, ranges, Platform::ALL.to_vec())?;
        entry.notes = vec![format!("Older than {}: {}.", oldest.version, oldest.why)];
        Some((entry, grounds(rules::TOO_OLD)))
    }

    /// Releases after the newest version that is verified.
    fn newer(&self) -> Option<(MatrixEntry, Grounds<'r>)> {
        let verified = self.latest_verified()?;
        let is_newer = |version: &CliVersion| order(self.scheme(), version.as_str(), verified.as_str()).is_gt();
        let latest = self.latest_seen().filter(is_newer)?;
        let ranges = if self.scheme() == VersionScheme::Semver {
            vec![range::after(verified)?]
        } else {
            let run: BTreeSet<&CliVersion> = self.cells.iter().map(|cell| &cell.version).collect();
            self.listed(|version| is_newer(version) && !run.contains(version))
        };
        let verified_on: BTreeSet<Platform> = self
            .cells
            .iter()
            .filter(|cell| cell.rule.status.is_support())
            .map(|cell| cell.platform)
            .collect();
        let mut entry = self.entry(
            SupportStatus::NewerThanVerified,
            ranges,
            verified_on.into_iter().collect(),
        )?;
        entry.notes = vec![format!(
            "{latest} has been seen; {verified} is the newest that was verified."
        )];
        Some((entry, grounds(rules::NEWER)))
    }

    /// Released versions, one by one.
    fn listed(&self, wanted: impl Fn(&CliVersion) -> bool) -> Vec<VersionRange> {
        let mut versions: Vec<CliVersion> = self.released().filter(|version| wanted(version)).collect();
        versions.sort_by(|a, b| order(self.scheme(), a.as_str(), b.as_str()).then_with(|| a.cmp(b)));
        versions.dedup();
        versions.iter().filter_map(range::exactly).collect()
    }

    /// An entry that nothing was observed for yet. `None` when there is no version or platform that it could be about.
    fn entry(&self, status: SupportStatus, ranges: Vec<VersionRange>, platforms: Vec<Platform>) -> Option<MatrixEntry> {
        if ranges.is_empty() || platforms.is_empty() {
            return None;
        }
        Some(MatrixEntry {
            agent: self.agent.id.parse::<AgentId>().ok()?,
            version_ranges: ranges,
            platforms,
            protocol_families: vec![self.family],
            support_status: status,
            observed_shapes: Vec::new(),
            last_observed_at: None,
            latest_verified: self.latest_verified().cloned(),
            latest_seen: self.latest_seen(),
            server_variants: Vec::new(),
            known_breaking_shapes: Vec::new(),
            policy: Some(MatrixPolicy {
                allow_run: Some(self.policy(status)),
            }),
            notes: Vec::new(),
            stale_after: None,
            observations: Vec::new(),
        })
    }

    fn policy(&self, status: SupportStatus) -> AllowRun {
        let breaks = matches!(status, SupportStatus::KnownBreaking | SupportStatus::KnownBreakingShape);
        match self.agent.support.known_breaking {
            OnBreaking::Warn if breaks => AllowRun::Warn,
            _ => status.default_policy(),
        }
    }

    fn stale_after(&self, last: &UtcTime) -> Option<UtcTime> {
        let days = SignedDuration::from_hours(24 * i64::from(self.agent.stale_after_days));
        let end = last.as_str().parse::<Timestamp>().ok()?.checked_add(days).ok()?;
        end.to_string().parse().ok()
    }
}

fn key<'c>(cell: &'c Cell<'_>) -> Key<'c> {
    (cell.rule.status, cell.rule.id, &cell.shapes, &cell.variants)
}

fn grounds<'r>(rule: Rule) -> Grounds<'r> {
    Grounds {
        rule,
        decisions: Vec::new(),
    }
}

/// What else was seen of the newest version of a draft.
fn newest_beside<'r>(draft: &Draft<'_, 'r>, scheme: VersionScheme) -> Vec<&'r Seen> {
    let newest = draft
        .cells
        .iter()
        .map(|cell| &cell.version)
        .max_by(|a, b| order(scheme, a.as_str(), b.as_str()).then_with(|| a.cmp(b)));
    draft
        .cells
        .iter()
        .filter(|cell| Some(&cell.version) == newest)
        .flat_map(|cell| cell.observations.iter().chain(&cell.beside))
        .copied()
        .collect()
}
