//! Two snapshots, compared: what each side says, what it could not say, and what that hides.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_extractors::elsewhere::with_moved;
use agent_contracts_extractors::flags::elsewhere;
use agent_contracts_extractors::languages::language_of;
use agent_contracts_extractors::{SourceTree, extract};
use agent_contracts_wire::diff::{Diff, dialects, diff};
use agent_contracts_wire::finding::{Finding, Severity};
use agent_contracts_wire::model::{Degraded, TypeDecl, WireModel};
use rayon::prelude::*;

use crate::eras::Reading;
use crate::error::ScanError;
use crate::report::{DegradedAt, Models, SCHEMA_VERSION, ScanReport, Side, UnresolvedAt};
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::source::{Listing, Skipped, Unavailable, near_paths};

/// Reads the files of `reading` on both sides and compares what they say.
pub(crate) fn compare(old: &Snapshot, new: &Snapshot, reading: &Reading) -> Result<ScanReport, ScanError> {
    let options = &reading.options;
    let (old_list, new_list) = rayon::join(|| old.list(&reading.old), || new.list(&reading.new));
    check_scope(old, &old_list, new, &new_list, &reading.new, options.flags)?;
    let (mut old_read, mut new_read) = rayon::join(
        || read_side(old, old_list, options.flags),
        || read_side(new, new_list, options.flags),
    );
    let (result, same) = compare_read((old, &mut old_read), (new, &mut new_read), reading);
    let mut all_degraded = result.degraded;
    all_degraded.extend(same.iter().map(|skipped| Degraded {
        file: skipped.path.clone(),
        lines: None,
        why: format!("{}, the same on both sides", skipped.why),
        hides: Vec::new(),
    }));
    Ok(ScanReport {
        schema_version: SCHEMA_VERSION,
        from: side(old, &old_read.model),
        to: side(new, &new_read.model),
        findings: result.findings,
        moves: result.moves,
        unresolved: result
            .unresolved
            .into_iter()
            .map(|one| UnresolvedAt {
                file: one.place.file,
                line: one.place.line,
                what: one.what,
            })
            .collect(),
        degraded: all_degraded
            .into_iter()
            .map(|one| DegradedAt {
                file: one.file,
                lines: one.lines,
                why: one.why,
                hides: one.hides,
            })
            .collect(),
        doubts: result.doubts,
        verdict: result.verdict,
        models: Models {
            from: old_read.model,
            to: new_read.model,
        },
    })
}

/// Compares what was read of both sides. Gives what neither can read and is the same on both, too.
pub(crate) fn compare_read(
    (old, old_read): (&Snapshot, &mut ReadSide),
    (new, new_read): (&Snapshot, &mut ReadSide),
    reading: &Reading,
) -> (Diff, Vec<Skipped>) {
    let same = meet((old, &mut *old_read), (new, &mut *new_read), reading.options.flags);
    let mut result = compare_models(&old_read.model, &new_read.model, reading);
    // A type that one side lacks may only have left its scope.
    let moved_old = with_moved(
        old,
        new,
        &old_read.paths,
        &lacking(&result, "type_added", &new_read.model),
    );
    let moved_new = with_moved(
        new,
        old,
        &new_read.paths,
        &lacking(&result, "type_removed", &old_read.model),
    );
    if moved_old.is_some() || moved_new.is_some() {
        if let Some(types) = moved_old {
            old_read.model.types = types;
        }
        if let Some(types) = moved_new {
            new_read.model.types = types;
        }
        result = compare_models(&old_read.model, &new_read.model, reading);
    }
    (result, same)
}

/// Compares two models, each in its own dialect.
pub(crate) fn compare_models(old: &WireModel, new: &WireModel, reading: &Reading) -> Diff {
    let asked = reading.options.clone().into_diff();
    match &reading.other_dialect {
        Some(asked_old) => dialects(old, new, (asked_old, &asked)),
        None => diff(old, new, &asked),
    }
}

/// Whether a type came or went, so that it has to be looked for outside of the scope.
pub(crate) fn lacks_types(result: &Diff) -> bool {
    let came_or_went = |finding: &Finding| matches!(finding.rule.as_str(), "type_added" | "type_removed");
    let mut told = result
        .findings
        .iter()
        .filter(|finding| finding.severity > Severity::None);
    told.any(came_or_went)
}

/// The types of `model` that `rule` says the other side lacks.
fn lacking<'m>(result: &Diff, rule: &str, model: &'m WireModel) -> Vec<&'m TypeDecl> {
    let told: BTreeSet<&str> = result
        .findings
        .iter()
        .filter(|finding| finding.rule == rule && finding.severity > Severity::None)
        .filter_map(|finding| finding.type_name.as_deref())
        .collect();
    let declared = model.types.values().filter(|decl| decl.in_scope);
    declared.filter(|decl| told.contains(decl.name.as_str())).collect()
}

fn side(snapshot: &Snapshot, model: &WireModel) -> Side {
    Side {
        source: snapshot.name().to_owned(),
        files: model.files,
        types: model.types.values().filter(|decl| decl.in_scope).count(),
        revision: snapshot.revision().map(str::to_owned),
    }
}

/// What each side has to know of the other before both are compared. Gives what neither can read and is the same on both.
fn meet(
    (old, old_read): (&Snapshot, &mut ReadSide),
    (new, new_read): (&Snapshot, &mut ReadSide),
    flags: bool,
) -> Vec<Skipped> {
    if flags {
        // A flag that one side lacks may only have left its scope.
        let more_old = elsewhere(old, &old_read.paths, &old_read.model, &new_read.model);
        let more_new = elsewhere(new, &new_read.paths, &new_read.model, &old_read.model);
        old_read.model.flags.extend(more_old);
        new_read.model.flags.extend(more_new);
    }
    // What cannot be read and is the same on both sides hides no change.
    let same: Vec<Skipped> = new_read
        .skipped
        .iter()
        .filter(|skipped| skipped.why.identity().is_some() && old_read.skipped.contains(skipped))
        .cloned()
        .collect();
    let hidden_old = degraded(&old_read.skipped, &same, &new_read.model);
    let hidden_new = degraded(&new_read.skipped, &same, &old_read.model);
    old_read.model.degraded.extend(hidden_old);
    new_read.model.degraded.extend(hidden_new);
    same
}

/// One side that was read.
#[derive(Clone)]
pub(crate) struct ReadSide {
    pub(crate) model: WireModel,
    /// The files of the scope.
    paths: Vec<String>,
    /// What could not be read, sorted by path.
    pub(crate) skipped: Vec<Skipped>,
}

/// Reads the files of `listing`.
pub(crate) fn read_side(snapshot: &Snapshot, listing: Listing, flags: bool) -> ReadSide {
    // Parse in parallel; linking finds the facts ready. Flags are read from the text.
    if !flags {
        listing.paths.par_iter().for_each(|path| drop(snapshot.facts(path)));
    }
    let mut model = extract(snapshot, &listing.paths, flags);

    let mut skipped: BTreeMap<String, Skipped> = BTreeMap::new();
    let told = listing.skipped.into_iter().filter(|skipped| {
        // A picture that cannot be read is no loss.
        let folder = !matches!(skipped.why, Unavailable::Name { .. } | Unavailable::Link { .. });
        folder || flags || language_of(&skipped.path).is_some()
    });
    for one in told.chain(snapshot.missed()) {
        skipped.insert(one.path.clone(), one);
    }
    let read = |path: &&String| (flags || language_of(path).is_some()) && !skipped.contains_key(*path);
    model.files = u32::try_from(listing.paths.iter().filter(read).count()).unwrap_or(u32::MAX);
    ReadSide {
        model,
        paths: listing.paths,
        skipped: skipped.into_values().collect(),
    }
}

/// What one side could not read and may hide a change, with the types that the other side has in its place.
fn degraded(skipped: &[Skipped], same: &[Skipped], other: &WireModel) -> Vec<Degraded> {
    let below = |file: &str, path: &str| {
        file.strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    skipped
        .iter()
        .filter(|one| !same.contains(one))
        .map(|one| {
            let hides = other.types.values().filter(|decl| below(&decl.place.file, &one.path));
            let hides: BTreeSet<String> = hides.map(|decl| decl.name.clone()).collect();
            Degraded {
                file: one.path.clone(),
                lines: None,
                why: one.why.to_string(),
                hides: hides.into_iter().collect(),
            }
        })
        .collect()
}

/// A scope that names nothing on either side is a mistake in the request. On one side it says that the source moved.
fn check_scope(
    old: &Snapshot,
    old_list: &Listing,
    new: &Snapshot,
    new_list: &Listing,
    scope: &Scope,
    flags: bool,
) -> Result<(), ScanError> {
    let lists = [old_list, new_list];
    if lists.iter().any(|list| !list.skipped.is_empty()) {
        return Ok(());
    }
    let all: Vec<&String> = lists.iter().flat_map(|list| &list.paths).collect();
    let Some(first) = all.first() else {
        let mut near = near_paths(scope, new.paths());
        if near.is_empty() {
            near = near_paths(scope, old.paths());
        }
        return Err(ScanError::NothingInScope {
            scope: scope.to_string(),
            from: old.name().to_owned(),
            to: new.name().to_owned(),
            near,
        });
    };
    if !flags && all.iter().all(|path| language_of(path).is_none()) {
        return Err(ScanError::NothingReadable {
            scope: scope.to_string(),
            from: old.name().to_owned(),
            to: new.name().to_owned(),
            count: all.len(),
            example: (*first).clone(),
        });
    }
    Ok(())
}
