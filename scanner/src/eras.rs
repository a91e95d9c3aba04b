//! Which of a source's eras is read at each end of a step.

use agent_contracts_config::agent::{Era, ScanSource, Twin};
use agent_contracts_extractors::SourceTree;
use agent_contracts_wire::DiffOptions;

use crate::error::ScanError;
use crate::scan::ScanOptions;
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::source::near_paths;

/// What is read of two sources that are compared.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    /// The files of the old side.
    pub(crate) old: Scope,
    /// The files of the new side.
    pub(crate) new: Scope,
    /// Where to start, and who writes what: on both sides, or on the new one where the old one speaks another dialect.
    pub(crate) options: ScanOptions,
    /// Where to start on an old side that speaks another dialect.
    pub(crate) other_dialect: Option<DiffOptions>,
}

impl Reading {
    /// The same files and roots on both sides.
    pub(crate) fn alike(scope: Scope, options: ScanOptions) -> Self {
        Self {
            old: scope.clone(),
            new: scope,
            options,
            other_dialect: None,
        }
    }

    fn of(eras: &[&Era], scope: Scope) -> Self {
        let mut options = ScanOptions::default();
        for root in eras.iter().flat_map(|era| &era.roots) {
            options.directions.insert(root.type_name.clone(), root.direction);
        }
        for root in eras.iter().flat_map(|era| &era.unpublished) {
            options.directions.remove(root);
        }
        // Where one of the eras names no roots, every type of the scope is one.
        if eras.iter().all(|era| !era.roots.is_empty()) {
            options.roots = options.directions.keys().cloned().collect();
        }
        Self::alike(scope, options)
    }
}

/// What to read, and the family that it describes.
pub(crate) fn reading(source: &ScanSource, old: &Snapshot, new: &Snapshot) -> Result<(Reading, String), ScanError> {
    let eras = Eras::new(source)?;
    if let Some(chosen) = eras.reading(&eras.held(old), &eras.held(new))? {
        return Ok(chosen);
    }
    let all: Vec<&String> = source.eras.iter().flat_map(|era| &era.scope).collect();
    let all = Scope::new(&all)?;
    Err(ScanError::NothingInScope {
        scope: all.to_string(),
        from: old.name().to_owned(),
        to: new.name().to_owned(),
        near: near_paths(&all, new.paths()),
    })
}

/// The eras of a source, with their globs compiled.
pub(crate) struct Eras<'a>(Vec<Candidate<'a>>);

impl<'a> Eras<'a> {
    /// Those of `source`, which has any.
    pub(crate) fn new(source: &'a ScanSource) -> Result<Self, ScanError> {
        if source.eras.is_empty() {
            return Err(ScanError::NoTypes { origin: source.label() });
        }
        Ok(Self(candidates(source)?))
    }

    /// For each era whether it holds at a version.
    pub(crate) fn held(&self, side: &Snapshot) -> Vec<bool> {
        self.0.iter().map(|one| one.holds(side)).collect()
    }

    /// What to read of two versions, by what holds at each, and the family that it describes: for each side the first era
    /// that holds there. Where they differ and speak one dialect, an era of that dialect that holds on both sides is
    /// better than either, because the same protocol in two notations gives false alarms; without one, the files of both
    /// are read on both sides. Where they speak different dialects, each side is read by its own era. `None` where none
    /// holds.
    pub(crate) fn reading(&self, old: &[bool], new: &[bool]) -> Result<Option<(Reading, String)>, ScanError> {
        let holds = |side: &[bool], index: usize| side.get(index).copied().unwrap_or(false);
        let first = |side: &[bool]| (0..self.0.len()).find(|index| holds(side, *index));
        let mut found = (first(old), first(new));
        if let (Some(oldest), Some(newest)) = found
            && oldest != newest
        {
            let (oldest, newest) = (&self.0[oldest], &self.0[newest]);
            if oldest.era.family == newest.era.family && oldest.era.dialect != newest.era.dialect {
                let reading = Reading {
                    old: oldest.scope.clone(),
                    other_dialect: Some(Reading::of(&[oldest.era], oldest.scope.clone()).options.into_diff()),
                    ..Reading::of(&[newest.era], newest.scope.clone())
                };
                return Ok(Some((reading, newest.era.family.clone())));
            }
            let both = (0..self.0.len()).find(|index| {
                let era = self.0[*index].era;
                let alike = era.family == newest.era.family && era.dialect == newest.era.dialect;
                alike && holds(old, *index) && holds(new, *index)
            });
            if both.is_some() {
                found = (both, both);
            }
        }
        let Some(newest) = found.1.or(found.0) else {
            return Ok(None);
        };
        let oldest = found.0.filter(|oldest| *oldest != newest).map(|oldest| &self.0[oldest]);
        let newest = &self.0[newest];
        let reading = match oldest {
            Some(oldest) => Reading::of(&[newest.era, oldest.era], newest.scope.union(&oldest.scope)?),
            None => Reading::of(&[newest.era], newest.scope.clone()),
        };
        Ok(Some((reading, newest.era.family.clone())))
    }
}

/// An era, and its other descriptions with how each is read.
pub(crate) type EraTwins<'a> = (&'a Era, Vec<(&'a Twin, Reading)>);

/// The era that a version is read by, and each of its other descriptions that has files there, read as if the era's
/// description were the old side.
pub(crate) fn twins<'a>(source: &'a ScanSource, version: &Snapshot) -> Result<Option<EraTwins<'a>>, ScanError> {
    let eras = candidates(source)?;
    let Some(found) = eras.iter().find(|one| one.holds(version)) else {
        return Ok(None);
    };
    let mut read = Vec::new();
    for twin in &found.era.twins {
        let scope = Scope::new(&twin.scope)?;
        if version.list(&scope).paths.is_empty() {
            continue;
        }
        let mut roots = found.era.roots.clone();
        roots.extend(twin.roots.iter().cloned());
        let era = Era {
            roots,
            ..found.era.clone()
        };
        let reading = Reading {
            old: found.scope.clone(),
            ..Reading::of(&[&era], scope)
        };
        read.push((twin, reading));
    }
    Ok(Some((found.era, read)))
}

fn candidates(source: &ScanSource) -> Result<Vec<Candidate<'_>>, ScanError> {
    let mut candidates = Vec::new();
    for era in &source.eras {
        let unless = if era.unless.is_empty() {
            None
        } else {
            Some(Scope::new(&era.unless)?)
        };
        candidates.push(Candidate {
            era,
            scope: Scope::new(&era.scope)?,
            unless,
        });
    }
    Ok(candidates)
}

/// An era, with its globs compiled.
struct Candidate<'a> {
    era: &'a Era,
    scope: Scope,
    unless: Option<Scope>,
}

impl Candidate<'_> {
    /// Whether `side` belongs to it: it has a file of the scope, and none that says otherwise.
    fn holds(&self, side: &Snapshot) -> bool {
        side.has_files(&self.scope) && !self.unless.as_ref().is_some_and(|scope| side.has_files(scope))
    }
}
