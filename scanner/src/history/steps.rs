//! Reading and comparing the steps that are not kept already.
//!
//! They are done in parts of a few steps each: the versions of a part are read side by side, then compared side by side,
//! then only what the next part needs again stays in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use agent_contracts_wire::diff::inventory::{Inventory, WireName, inventory};
use agent_contracts_wire::{DiffOptions, Verdict};
use rayon::prelude::*;

use super::{Seen, StepRecord, What, failed, revision};
use crate::compare::{ReadSide, compare_models, compare_read, lacks_types, read_side};
use crate::eras::Reading;
use crate::error::ScanError;
use crate::scan::Scanner;
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::source::{SourceSpec, Unavailable};
use crate::versions::{SourceVersion, SourceVersions};

/// Steps of one part, for each thread.
const PART: usize = 4;

/// A version that was read in one way.
struct Side {
    snapshot: Snapshot,
    read: ReadSide,
    options: DiffOptions,
    names: OnceLock<Inventory>,
}

impl Side {
    fn names(&self) -> &Inventory {
        self.names.get_or_init(|| inventory(&self.read.model, &self.options))
    }

    /// Whether it may be read better another time.
    fn may_change(&self) -> bool {
        self.read.skipped.iter().any(|skipped| {
            matches!(
                skipped.why,
                Unavailable::MissingObject { .. } | Unavailable::Damaged { .. } | Unavailable::Io(_)
            )
        })
    }
}

/// A step that has to be done.
struct Todo {
    /// Its place among all steps.
    place: usize,
    from: Option<usize>,
    to: usize,
    key: String,
    reading: Reading,
}

/// A version, and the globs it is read by.
type SideKey = (usize, Vec<String>);

impl Todo {
    fn new_side(&self) -> SideKey {
        (self.to, self.reading.new.globs().to_vec())
    }

    fn old_side(&self) -> Option<SideKey> {
        Some((self.from?, self.reading.old.globs().to_vec()))
    }

    /// Its sides, and how each is read.
    fn sides(&self) -> impl Iterator<Item = (SideKey, How)> + '_ {
        let flags = self.reading.options.flags;
        let new = self.reading.options.clone().into_diff();
        let old = self.reading.other_dialect.clone().unwrap_or_else(|| new.clone());
        let how = move |scope: &Scope, options: DiffOptions| How {
            scope: scope.clone(),
            flags,
            options,
        };
        let old = self.old_side().map(|key| (key, how(&self.reading.old, old)));
        old.into_iter().chain([(self.new_side(), how(&self.reading.new, new))])
    }
}

/// How a side is read.
struct How {
    scope: Scope,
    flags: bool,
    options: DiffOptions,
}

impl Scanner {
    /// Looks at tags of a repository, side by side.
    pub(super) async fn see_tags(
        &self,
        versions: &SourceVersions,
        missing: &[usize],
        what: &Arc<What>,
    ) -> Result<Vec<(usize, Seen)>, ScanError> {
        let wanted: Vec<(usize, SourceVersion)> = missing
            .iter()
            .map(|index| (*index, versions.all()[*index].clone()))
            .collect();
        let what = Arc::clone(what);
        let opener = self.opener();
        self.work(move || {
            let eras = what.eras()?;
            let see = |(index, version): &(usize, SourceVersion)| {
                let seen = match opener.open(&version.name, &exact(version)) {
                    Ok(snapshot) => Seen {
                        day: opener.day(version),
                        ..what.see(eras.as_ref(), &snapshot)
                    },
                    Err(error) => failed(&error),
                };
                (*index, seen)
            };
            Ok(wanted.par_iter().map(see).collect())
        })
        .await
    }

    /// The records of the wanted steps, in their order.
    pub(super) async fn steps(
        &self,
        what: &Arc<What>,
        versions: &[SourceVersion],
        seen: &[Seen],
        wanted: &[(Option<usize>, usize)],
        told: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Vec<Arc<StepRecord>>, ScanError> {
        let mut records: Vec<Option<Arc<StepRecord>>> = Vec::with_capacity(wanted.len());
        let mut todo = Vec::new();
        let eras = what.eras()?;
        for (place, (from, to)) in wanted.iter().copied().enumerate() {
            let old = from.map_or("", |from| revision(&versions[from]));
            let key = what.key(&["step", old, revision(&versions[to])]);
            let kept: Option<StepRecord> = self.kept().get(&key);
            if kept.is_none() {
                let reading = what.reading(eras.as_ref(), &seen[from.unwrap_or(to)], &seen[to])?;
                todo.push(Todo {
                    place,
                    from,
                    to,
                    key,
                    reading,
                });
            }
            records.push(kept.map(Arc::new));
        }
        let all = wanted.len();
        let mut done = all - todo.len();
        told(done, all);
        let mut sides: BTreeMap<SideKey, Arc<Side>> = BTreeMap::new();
        let size = PART * self.threads();
        while !todo.is_empty() {
            let rest = todo.split_off(size.min(todo.len()));
            let part = std::mem::replace(&mut todo, rest);
            let needed: BTreeMap<SideKey, How> = part.iter().flat_map(Todo::sides).collect();
            sides.retain(|key, _| needed.contains_key(key));
            let mut opened = Vec::new();
            for (key, how) in needed.into_iter().filter(|(key, _)| !sides.contains_key(key)) {
                let version = &versions[key.0];
                opened.push((key, how, self.open(&version.name, &exact(version)).await?));
            }
            let (next, made, part) = self.work(move || Ok(compare_part(part, sides, opened))).await?;
            for (todo, (record, may_change)) in part.iter().zip(made) {
                let record = Arc::new(record);
                if !may_change {
                    self.kept().put(todo.key.clone(), record.as_ref());
                }
                records[todo.place] = Some(record);
            }
            self.kept().flush();
            sides = next;
            done += part.len();
            told(done, all);
        }
        Ok(records.into_iter().flatten().collect())
    }
}

type Sides = BTreeMap<SideKey, Arc<Side>>;

/// Reads what a part needs and compares its steps. Gives all sides back, and whether a record may be another later.
fn compare_part(
    part: Vec<Todo>,
    mut sides: Sides,
    opened: Vec<(SideKey, How, Snapshot)>,
) -> (Sides, Vec<(StepRecord, bool)>, Vec<Todo>) {
    let read: Vec<(SideKey, Arc<Side>)> = opened
        .into_par_iter()
        .map(|(key, how, snapshot)| {
            let read = read_side(&snapshot, snapshot.list(&how.scope), how.flags);
            snapshot.forget();
            let side = Side {
                snapshot,
                read,
                options: how.options,
                names: OnceLock::new(),
            };
            (key, Arc::new(side))
        })
        .collect();
    sides.extend(read);
    let made = part
        .par_iter()
        .map(|todo| {
            let old = todo.old_side().and_then(|key| sides.get(&key));
            match (old, sides.get(&todo.new_side())) {
                (Some(old), Some(new)) => (compared(old, new, &todo.reading), old.may_change() || new.may_change()),
                (None, Some(new)) => (first(new), new.may_change()),
                // Every side of the part was opened above.
                (_, None) => (nothing(), true),
            }
        })
        .collect();
    (sides, made, part)
}

fn nothing() -> StepRecord {
    StepRecord {
        verdict: Verdict::NoProtocolChange,
        findings: Vec::new(),
        doubts: Vec::new(),
        moves: 0,
        added: Vec::new(),
        removed: Vec::new(),
        unread: Vec::new(),
        hidden: Vec::new(),
    }
}

/// The first version: all of its names are new to us.
fn first(side: &Side) -> StepRecord {
    let names = side.names();
    StepRecord {
        added: names.names.clone(),
        unread: names.unread.clone(),
        hidden: names.hidden.clone(),
        ..nothing()
    }
}

fn compared(old: &Side, new: &Side, reading: &Reading) -> StepRecord {
    let plain = !reading.options.flags && old.read.skipped.is_empty() && new.read.skipped.is_empty();
    let quick = plain.then(|| compare_models(&old.read.model, &new.read.model, reading));
    let result = quick.filter(|result| !lacks_types(result)).unwrap_or_else(|| {
        // What one side has to know of the other changes its model.
        let (mut old_read, mut new_read) = (old.read.clone(), new.read.clone());
        compare_read((&old.snapshot, &mut old_read), (&new.snapshot, &mut new_read), reading).0
    });
    let mut record = StepRecord {
        verdict: result.verdict,
        findings: result.findings,
        doubts: result.doubts,
        moves: result.moves.len(),
        ..nothing()
    };
    // Without a finding the names are what they were, whatever the types are called now.
    if record.findings.is_empty() || record.findings.iter().any(|finding| finding.rule == "source_lost") {
        return record;
    }
    let (before, after) = (old.names(), new.names());
    record.added = without(&after.names, &before.names);
    record.removed = without(&before.names, &after.names);
    record.unread.clone_from(&after.unread);
    record.hidden.clone_from(&after.hidden);
    record
}

/// The names of `all` that `other` does not have, in whatever direction and with whatever value.
fn without(all: &[WireName], other: &[WireName]) -> Vec<WireName> {
    let key = |name: &WireName| (name.kind, name.holder.clone(), name.path.clone(), name.name.clone());
    let known: BTreeSet<_> = other.iter().map(key).collect();
    all.iter().filter(|name| !known.contains(&key(name))).cloned().collect()
}

/// The version by its commit: a name would be looked up again, and may stand for something else by then.
fn exact(version: &SourceVersion) -> SourceSpec {
    match (&version.spec, &version.commit) {
        (SourceSpec::GitPath { path, .. }, Some(commit)) => SourceSpec::GitPath {
            path: path.clone(),
            revision: commit.clone(),
        },
        (spec, _) => spec.clone(),
    }
}
