//! All versions of a source, one after the other: what each step changes, and which names come and go with it.
//!
//! First every version is looked at (which eras have files there), then [`plan`] says which are compared, then the steps
//! that are not kept already are read and compared in parts, so that a long history costs the memory of a few versions.
//! What names did over all steps is worked out by [`track`].

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use agent_contracts_config::agent::{AgentDef, ScanSource, SourceKind};
use agent_contracts_registry::history::{
    GoneVersion, Line, MovedVersion, SkippedName, Step, VersionPoint, VersionState,
};
use agent_contracts_source_evidence::Counts;
use agent_contracts_wire::canonical::sha256;
use agent_contracts_wire::diff::inventory::WireName;
use agent_contracts_wire::{Finding, Verdict};
use serde::{Deserialize, Serialize};

use crate::eras::{Eras, Reading};
use crate::error::ScanError;
use crate::scan::{ScanOptions, Scanner};
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::versions::{SourceVersion, SourceVersions};

mod kept;
mod plan;
mod steps;
mod told;
mod track;

pub(crate) use kept::Kept;
use plan::{Candidate, Planned, plan};

/// The history of one source, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct Walked {
    /// Its versions, and what is to be known of them.
    pub line: Line,
    /// One entry a comparison, in the order of the newer versions.
    pub steps: Vec<WalkedStep>,
    /// For each version the one of the same commit, by its place in the line.
    pub same: Vec<Option<usize>>,
}

/// One comparison, by the places of its versions in the line.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkedStep {
    /// The older version; `None` for the first that was read.
    pub from: Option<usize>,
    /// The newer version.
    pub to: usize,
    /// What it said.
    pub record: Arc<StepRecord>,
}

/// What is kept of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// What it came to.
    pub verdict: Verdict,
    /// What changed, worst first.
    pub findings: Vec<Finding>,
    /// What it came down to that could not be read.
    pub doubts: Vec<String>,
    /// How many types changed their place alone.
    pub moves: usize,
    /// Names that the newer version has and the older has not.
    pub added: Vec<WireName>,
    /// Names that the older version has and the newer has not.
    pub removed: Vec<WireName>,
    /// Holders and paths of the newer version behind which names may stand that could not be read.
    pub unread: Vec<(String, String)>,
    /// Types of the newer version that stand in spans that could not be read.
    pub hidden: Vec<String>,
}

/// What was seen of one version. Kept, when it could be read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Seen {
    /// For each era of the source (or for its flags alone) whether it has files there.
    files: Vec<bool>,
    day: Option<String>,
    /// Why it could not be read.
    #[serde(skip)]
    failed: Option<String>,
}

impl Seen {
    fn readable(&self) -> bool {
        self.failed.is_none() && self.files.contains(&true)
    }
}

impl Scanner {
    /// Walks all versions of a source of an agent. `repo` is a clone of it on this machine to use instead; with `flags`
    /// the command-line flags are read. `days` are the days of versions that the source itself does not tell. `told` is
    /// called with the number of steps that are done and the number of all.
    pub async fn walk(
        &self,
        agent: &AgentDef,
        source: &ScanSource,
        repo: Option<&Path>,
        flags: bool,
        days: &BTreeMap<String, String>,
        told: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Walked, ScanError> {
        if !flags && source.eras.is_empty() {
            return Err(ScanError::NoTypes { origin: source.label() });
        }
        let versions = self.versions(agent, source, repo).await?;
        self.fetch_many(&versions).await?;
        let what = What::new(source, flags)?;
        let mut seen = self.see_all(source, &versions, &what).await?;
        for (one, version) in seen.iter_mut().zip(versions.all()) {
            one.day = one.day.take().or_else(|| days.get(&version.version).cloned());
        }
        let candidates: Vec<Candidate<'_>> = versions
            .all()
            .iter()
            .zip(&seen)
            .map(|(version, seen)| Candidate {
                prerelease: version.prerelease,
                revision: revision(version),
                readable: seen.readable(),
            })
            .collect();
        let planned = plan(&candidates);
        let wanted: Vec<(Option<usize>, usize)> = planned
            .iter()
            .enumerate()
            .filter_map(|(to, planned)| match planned {
                Planned::First => Some((None, to)),
                Planned::From(from) => Some((Some(*from), to)),
                Planned::Left | Planned::Same(_) => None,
            })
            .collect();
        let records = self.steps(&what, versions.all(), &seen, &wanted, told).await?;
        let steps = wanted.into_iter().zip(records);
        let steps: Vec<WalkedStep> = steps
            .map(|((from, to), record)| WalkedStep { from, to, record })
            .collect();
        let place = line_key(agent, source, repo);
        let mut line = self.line(&what, &place, &versions, &seen, &planned);
        totals(&mut line, &steps);
        let same = planned.iter().map(|planned| match planned {
            Planned::Same(base) => Some(*base),
            _ => None,
        });
        Ok(Walked {
            line,
            steps,
            same: same.collect(),
        })
    }

    /// Looks at every version; those that were seen before are not opened.
    async fn see_all(
        &self,
        source: &ScanSource,
        versions: &SourceVersions,
        what: &Arc<What>,
    ) -> Result<Vec<Seen>, ScanError> {
        let key = |version: &SourceVersion| what.key(&["seen", revision(version)]);
        let mut all: Vec<Option<Seen>> = versions
            .all()
            .iter()
            .map(|version| self.kept().get(&key(version)))
            .collect();
        let missing: Vec<usize> = (0..all.len()).filter(|index| all[*index].is_none()).collect();
        let found: Vec<(usize, Seen)> = if source.kind == SourceKind::Git {
            self.see_tags(versions, &missing, what).await?
        } else {
            let eras = what.eras()?;
            let mut found = Vec::new();
            for index in missing {
                let version = &versions.all()[index];
                let seen = match self.open(&version.name, &version.spec).await {
                    Ok(snapshot) => what.see(eras.as_ref(), &snapshot),
                    Err(error) => failed(&error),
                };
                found.push((index, seen));
            }
            found
        };
        for (index, seen) in found {
            if seen.failed.is_none() {
                self.kept().put(key(&versions.all()[index]), &seen);
            }
            all[index] = Some(seen);
        }
        self.kept().flush();
        Ok(all.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The line without its totals.
    fn line(&self, what: &What, place: &str, versions: &SourceVersions, seen: &[Seen], planned: &[Planned]) -> Line {
        let source = &what.source;
        let now: Vec<(String, String)> = versions
            .all()
            .iter()
            .map(|version| (version.version.clone(), revision(version).to_owned()))
            .collect();
        let earlier = self.kept().look(place, &now);
        let now: BTreeMap<&str, &SourceVersion> = versions
            .all()
            .iter()
            .map(|version| (version.version.as_str(), version))
            .collect();
        let commit = |revision: &String| (!revision.contains(':')).then(|| revision.clone());
        let mut gone = Vec::new();
        let mut moved = Vec::new();
        for (version, revisions) in &earlier {
            match now.get(version.as_str()) {
                None => gone.push(GoneVersion {
                    version: version.clone(),
                    commit: revisions.last().and_then(commit),
                }),
                Some(there) => {
                    let other = revisions.iter().rfind(|known| *known != revision(there));
                    if let (Some(from), Some(to)) = (other.and_then(commit), &there.commit) {
                        moved.push(MovedVersion {
                            version: version.clone(),
                            from,
                            to: to.clone(),
                        });
                    }
                }
            }
        }
        gone.sort_by(|a, b| versions.compare(&a.version, &b.version));
        moved.sort_by(|a, b| versions.compare(&a.version, &b.version));
        let points = versions.all().iter().zip(seen).zip(planned);
        // Flags belong to no family.
        let eras = source.eras.iter().filter(|_| what.flags.is_none());
        let families: BTreeSet<String> = eras.map(|era| era.family.clone()).collect();
        Line {
            source: source.label(),
            families: families.into_iter().collect(),
            versions: points
                .map(|((version, seen), planned)| point(versions.all(), version, seen, *planned))
                .collect(),
            gone,
            moved,
            skipped: versions
                .skipped()
                .iter()
                .map(|tag| SkippedName {
                    name: tag.name.clone(),
                    why: tag.why.clone(),
                })
                .collect(),
            ..Line::default()
        }
    }
}

/// What of a source is read.
pub(crate) struct What {
    source: ScanSource,
    /// The files of the flags, when flags are read instead of types.
    flags: Option<Scope>,
    /// Hash of all that decides what is read.
    asked: String,
}

impl What {
    fn new(source: &ScanSource, flags: bool) -> Result<Arc<Self>, ScanError> {
        let asked = serde_json::to_vec(&(&source.eras, &source.flags, flags)).unwrap_or_default();
        Ok(Arc::new(Self {
            source: source.clone(),
            flags: if flags { Some(Scope::new(&source.flags)?) } else { None },
            asked: sha256(&asked),
        }))
    }

    /// The key of something kept.
    fn key(&self, parts: &[&str]) -> String {
        sha256(format!("{}\n{}", self.asked, parts.join("\n")).as_bytes())
    }

    /// The eras of the source; none when flags are read.
    fn eras(&self) -> Result<Option<Eras<'_>>, ScanError> {
        self.flags.is_none().then(|| Eras::new(&self.source)).transpose()
    }

    fn see(&self, eras: Option<&Eras<'_>>, snapshot: &Snapshot) -> Seen {
        let held = eras.map(|eras| eras.held(snapshot));
        Seen {
            files: held.unwrap_or_else(|| self.flags.iter().map(|scope| snapshot.has_files(scope)).collect()),
            ..Seen::default()
        }
    }

    /// What is read at a step between two versions of which at least one has files.
    fn reading(&self, eras: Option<&Eras<'_>>, old: &Seen, new: &Seen) -> Result<Reading, ScanError> {
        if let Some(scope) = &self.flags {
            let options = ScanOptions {
                flags: true,
                ..ScanOptions::default()
            };
            return Ok(Reading::alike(scope.clone(), options));
        }
        let chosen = eras
            .map(|eras| eras.reading(&old.files, &new.files))
            .transpose()?
            .flatten();
        chosen.map(|(reading, _)| reading).ok_or_else(|| ScanError::NoTypes {
            origin: self.source.label(),
        })
    }
}

/// Names a line of versions: two clones of one repository may have different tags, and other rules make another line.
fn line_key(agent: &AgentDef, source: &ScanSource, repo: Option<&Path>) -> String {
    let place = repo.map_or_else(String::new, |path| path.display().to_string());
    let rules = serde_json::to_string(&(&agent.version, &source.tag_pattern, &source.scheme)).unwrap_or_default();
    format!("{}\n{place}\n{rules}", source.label())
}

/// What a version stands for, so that the same is read once: the commit, or the package with its version.
fn revision(version: &SourceVersion) -> &str {
    version.commit.as_deref().unwrap_or(&version.name)
}

fn failed(error: &ScanError) -> Seen {
    let text = error.to_string();
    Seen {
        failed: Some(text.lines().next().unwrap_or_default().to_owned()),
        ..Seen::default()
    }
}

fn point(all: &[SourceVersion], version: &SourceVersion, seen: &Seen, planned: Planned) -> VersionPoint {
    let (state, note) = match (planned, &seen.failed) {
        (_, Some(why)) => (VersionState::Failed, Some(why.clone())),
        (Planned::Left, None) => (VersionState::NoFiles, None),
        (Planned::Same(base), None) => (
            VersionState::Same,
            all.get(base).map(|base| format!("the commit of {}", base.version)),
        ),
        (Planned::First | Planned::From(_), None) => (VersionState::Read, None),
    };
    VersionPoint {
        version: version.version.clone(),
        date: seen.day.clone(),
        prerelease: version.prerelease,
        commit: version.commit.clone(),
        state,
        note,
    }
}

fn totals(line: &mut Line, steps: &[WalkedStep]) {
    let count = |test: &dyn Fn(&VersionPoint) -> bool| line.versions.iter().filter(|point| test(point)).count();
    let mut totals = agent_contracts_registry::history::Totals {
        releases: count(&|point| !point.prerelease),
        prereleases: count(&|point| point.prerelease),
        no_files: count(&|point| point.state == VersionState::NoFiles),
        failed: count(&|point| point.state == VersionState::Failed),
        ..Default::default()
    };
    for step in steps.iter().filter(|step| step.from.is_some()) {
        totals.steps += 1;
        match step.record.verdict {
            Verdict::Changes => totals.changed += 1,
            Verdict::NoProtocolChange => totals.unchanged += 1,
            Verdict::Inconclusive => totals.inconclusive += 1,
        }
        let counts = Counts::of(&step.record.findings);
        if line.versions[step.to].prerelease {
            totals.prerelease_findings = totals.prerelease_findings.plus(counts);
        } else {
            totals.findings = totals.findings.plus(counts);
        }
    }
    line.totals = totals;
}

impl Walked {
    /// The steps in which something changed, or in which nobody can say.
    #[must_use]
    pub fn changed_steps(&self) -> Vec<Step> {
        let told = self
            .steps
            .iter()
            .filter(|step| step.record.verdict != Verdict::NoProtocolChange || !step.record.findings.is_empty());
        told.filter_map(|step| {
            let (from, to) = (&self.line.versions[step.from?], &self.line.versions[step.to]);
            Some(Step {
                from: from.version.clone(),
                to: to.version.clone(),
                date: to.date.clone(),
                prerelease: to.prerelease,
                verdict: step.record.verdict,
                counts: Counts::of(&step.record.findings),
                findings: step.record.findings.clone(),
                doubts: step.record.doubts.clone(),
                moves: step.record.moves,
            })
        })
        .collect()
    }
}
