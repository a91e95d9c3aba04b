//! The one diff, for source and for shapes.
//!
//! Both models become graphs in which equal wire forms are equal nodes ([`graph`]). Declared types are paired
//! (`pairs`), and from paired roots the pairs that differ are walked once each (`walk`, `objects`, `unions`). What the
//! walk met is then settled: duplicates dropped, ways from the events added, rated and sorted. Flags, constants, types
//! without counterpart and lost sources have files of their own.
//!
//! It refuses to guess: what could not be read is neither equal nor different, and where a comparison comes down to it
//! the verdict is inconclusive.

mod arms;
mod change;
mod constants;
mod dialects;
mod direction;
mod flags;
mod graph;
mod groups;
pub mod inventory;
mod keyed;
mod lost;
mod names;
mod objects;
mod pairs;
mod reach;
mod refs;
mod retype;
mod roles;
mod settle;
mod stable;
mod streams;
mod tags;
mod told;
mod types;
mod unions;
mod values;
mod walk;
mod witness;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod study;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use constants::OBSERVED;
pub use dialects::dialects;

use self::graph::{DeclId, Graph};
use self::told::Told;
use crate::finding::{Direction, Finding, Severity, Verdict};
use crate::model::{Degraded, Evidence, Unresolved, WireModel};

/// The state of the diff and its rules. It changes whenever they may say something else of the same two models, so a
/// record that was made by another state is another record.
pub const REVISION: &str = env!("AGENT_CONTRACTS_DIFF");

/// What a comparison is asked.
#[derive(Debug, Clone, Default)]
pub struct DiffOptions {
    /// Names or ids of the types to start from. Empty: every wire type declared in the scope.
    pub roots: Vec<String>,
    /// The side that writes a type, by type name, where the agent's file says so.
    pub directions: BTreeMap<String, Direction>,
}

/// What a comparison says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diff {
    /// The changes, sorted: worst first, then by rule, type and name.
    pub findings: Vec<Finding>,
    /// Types that changed their file and not their wire form.
    pub moves: Vec<Move>,
    /// What neither side's extractor could resolve, in the new version first.
    pub unresolved: Vec<Unresolved>,
    /// What was not read in full.
    pub degraded: Vec<Degraded>,
    /// What the comparison came down to that could not be read, in words. Not empty when it is inconclusive.
    pub doubts: Vec<String>,
    /// What it comes to.
    pub verdict: Verdict,
}

/// A type that is declared elsewhere, or under another name, with the same wire form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Move {
    /// Its name; `Old -> New` when that changed too.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub to: String,
}

/// Compares two models.
pub fn diff(old: &WireModel, new: &WireModel, options: &DiffOptions) -> Diff {
    let (mut result, lost) = unread(old, new);
    if lost {
        return result;
    }
    let mut told = Vec::new();
    let mut doubts = BTreeSet::new();
    models(old, new, options, &mut told, &mut doubts, &mut result.moves);
    told.extend(constants::changed(old, new));
    let (flags, flag_doubts) = flags::changed(old, new);
    told.extend(flags);
    doubts.extend(flag_doubts);

    drop_twins(&mut told);
    settled(result, told, doubts)
}

/// A comparison that says nothing yet; and whether a source was lost, and it says just that.
fn unread(old: &WireModel, new: &WireModel) -> (Diff, bool) {
    let mut result = Diff {
        findings: Vec::new(),
        moves: Vec::new(),
        unresolved: joined(&new.unresolved, &old.unresolved),
        degraded: joined(&new.degraded, &old.degraded),
        doubts: Vec::new(),
        verdict: Verdict::NoProtocolChange,
    };
    let Some(told) = lost::lost(old, new) else {
        return (result, false);
    };
    let why = told.after.as_str().or(told.before.as_str()).unwrap_or_default();
    result.doubts.push(why.to_owned());
    result.findings.push(told.finding());
    result.verdict = Verdict::Inconclusive;
    (result, true)
}

/// Rates, names and sorts what was told, and draws the verdict from it.
fn settled(mut result: Diff, told: Vec<Told>, doubts: BTreeSet<String>) -> Diff {
    let mut ids = BTreeSet::new();
    result.findings = told.into_iter().map(Told::finding).collect();
    result.findings.sort_by(|a, b| {
        let key = |f: &Finding| {
            (
                f.rule.clone(),
                f.type_name.clone(),
                f.command.clone(),
                f.flag.clone(),
                f.wire_name.clone(),
                f.path.clone(),
            )
        };
        b.severity
            .cmp(&a.severity)
            .then_with(|| key(a).cmp(&key(b)))
            .then_with(|| a.id.cmp(&b.id))
    });
    result.findings.retain(|finding| ids.insert(finding.id.clone()));
    result.doubts = doubts.into_iter().collect();
    result.verdict = if result.findings.iter().any(|finding| finding.severity > Severity::None) {
        Verdict::Changes
    } else if result.doubts.is_empty() {
        Verdict::NoProtocolChange
    } else {
        Verdict::Inconclusive
    };
    result
}

/// A type that is declared twice, once as a schema (`fooSchema`) and once as a type (`Foo`), changes once.
fn drop_twins(told: &mut Vec<Told>) {
    let bare = |name: &str| names::bare(name).trim_end_matches("schema").to_owned();
    let key = |told: &Told| {
        let name = told.type_name.as_deref().map(bare);
        (
            told.rule,
            name,
            told.wire_name.clone(),
            told.event_type.clone(),
            told.path.clone(),
        )
    };
    let mut first: BTreeMap<_, String> = BTreeMap::new();
    for one in told.iter() {
        let name = one.type_name.clone().unwrap_or_default();
        let known = first.entry(key(one)).or_insert_with(|| name.clone());
        if name < *known {
            *known = name;
        }
    }
    told.retain(|one| one.type_name.is_none() || first.get(&key(one)) == one.type_name.as_ref());
}

fn joined<T: Clone + Ord>(first: &[T], second: &[T]) -> Vec<T> {
    let known: BTreeSet<&T> = first.iter().collect();
    first
        .iter()
        .chain(second.iter().filter(|item| !known.contains(item)))
        .cloned()
        .collect()
}

/// Compares the types of two models.
fn models(
    old_model: &WireModel,
    new_model: &WireModel,
    options: &DiffOptions,
    told: &mut Vec<Told>,
    doubts: &mut BTreeSet<String>,
    moves: &mut Vec<Move>,
) {
    let (old, new) = (Graph::new(old_model), Graph::new(new_model));
    let classes = graph::classes::classes(&old, &new);
    let pairs = pairs::pairs(&old, &new, &classes);
    let (old_refs, new_refs) = (refs::Refs::new(&old), refs::Refs::new(&new));
    let old_ways = direction::directions(&old, &old_refs, &options.directions);
    let new_ways = direction::directions(&new, &new_refs, &options.directions);
    let old_roles = roles::Roles::new(&old, &old_refs, &old_ways);
    let new_roles = roles::Roles::new(&new, &new_refs, &new_ways);
    let mut walk = walk::Walk::new((&old, &new), &classes, &pairs, (&old_roles, &new_roles));

    let (old_roots, new_roots) = (roots(&old, &options.roots), roots(&new, &options.roots));
    for root in &options.roots {
        if find(&old, root).is_empty() && find(&new, root).is_empty() {
            doubts.insert(format!("there is no type {root} to start from"));
        }
    }
    // A side that was read and has nothing to start from hides all that the other side leads to. A root that has another
    // name there is no such case.
    let names = options.roots.join(", ");
    let rootless = |side: &str| format!("the {side} version has none of the types to start from: {names}");
    if new_model.files > 0 && new_roots.is_empty() && old_roots.iter().any(|a| pairs.new_of(*a).is_none()) {
        doubts.insert(rootless("new"));
    }
    if old_model.files > 0 && old_roots.is_empty() && new_roots.iter().any(|b| pairs.old_of(*b).is_none()) {
        doubts.insert(rootless("old"));
    }
    let mut starts: BTreeSet<(DeclId, DeclId)> = BTreeSet::new();
    starts.extend(old_roots.iter().filter_map(|a| Some((*a, pairs.new_of(*a)?))));
    starts.extend(new_roots.iter().filter_map(|b| Some((pairs.old_of(*b)?, *b))));
    starts.retain(|(a, b)| {
        let in_process = |ty: &crate::model::TypeDecl| ty.evidence == Evidence::InProcess;
        !(in_process(old.decl(*a)) && in_process(new.decl(*b)))
    });
    let mut entered = Vec::new();
    for (a, b) in &starts {
        let tops = (old_refs.tops.contains(a), new_refs.tops.contains(b));
        let Some(pair) = walk.root(*a, *b, tops) else { continue };
        let outer = !options.roots.is_empty() || tops.0 || tops.1;
        entered.push((pair, *b, outer));
    }
    walk.run();
    let changes = std::mem::take(&mut walk.changes).into_list();
    doubts.append(&mut walk.doubts);
    let settle = settle::Settle {
        reach: reach::Reach::new(&walk, &entered),
        walk: &walk,
        old_ways: &old_ways,
        new_ways: &new_ways,
        open_lists: new.open_lists(),
    };
    told.extend(settle.tell(changes));

    for (a, b) in &starts {
        if old.decl(*a).in_scope && new.decl(*b).in_scope {
            told.extend(stable::stabilised((&old, *a, &old_roles), (&new, *b, &new_roles)));
        }
    }

    let known = |graph: &Graph<'_>, classes: &[u64]| -> BTreeSet<u64> {
        graph.nodes.iter().map(|node| classes[node.target]).collect()
    };
    let names: BTreeSet<String> = told
        .iter()
        .filter(|told| !told.facts.stabilised)
        .filter_map(|told| told.type_name.clone())
        .collect();
    let old_side = types::Side {
        graph: &old,
        refs: &old_refs,
        roles: &old_roles,
        ways: &old_ways,
        paired: old_roots
            .iter()
            .copied()
            .filter(|id| pairs.new_of(*id).is_some())
            .collect(),
        wire: old_roots,
        known_forms: known(&new, &classes.new),
        known_events: streams::all_events(&new),
        classes: &classes.old,
        other: new_model,
        changed: &names,
        old: true,
    };
    let new_side = types::Side {
        graph: &new,
        refs: &new_refs,
        roles: &new_roles,
        ways: &new_ways,
        paired: new_roots
            .iter()
            .copied()
            .filter(|id| pairs.old_of(*id).is_some())
            .collect(),
        wire: new_roots,
        known_forms: known(&old, &classes.old),
        known_events: streams::all_events(&old),
        classes: &classes.new,
        other: old_model,
        changed: &names,
        old: false,
    };
    let (gone, added) = (types::unpaired(&old_side), types::unpaired(&new_side));
    doubts.extend(gone.doubts);
    doubts.extend(added.doubts);
    let format = types::another_format(&old_side, &gone.streams, &new_side, &added.streams);
    for mut unpaired in gone.told.into_iter().chain(added.told) {
        if format.is_some() {
            if matches!(unpaired.rule, "event_added" | "event_removed") {
                continue;
            }
            unpaired.facts.told = true;
        }
        told.push(unpaired);
    }
    told.extend(format);

    let changed: BTreeSet<&str> = told
        .iter()
        .filter(|told| !told.facts.told)
        .filter_map(|told| told.type_name.as_deref())
        .collect();
    moves.extend(moved(&old, &new, &pairs, &changed));
}

/// The types of one side to start from: those asked for, with all they lead to, or every wire type of the scope.
fn roots(graph: &Graph<'_>, asked: &[String]) -> Vec<DeclId> {
    if asked.is_empty() {
        return (0..graph.decls.len()).filter(|id| refs::is_wire(graph, *id)).collect();
    }
    let ids: BTreeSet<DeclId> = asked.iter().flat_map(|name| find(graph, name)).collect();
    ids.into_iter().collect()
}

/// The declared types of that name or id.
fn find(graph: &Graph<'_>, name: &str) -> Vec<DeclId> {
    match graph.named(name) {
        Some(id) => vec![id],
        None => (0..graph.decls.len())
            .filter(|id| graph.decl(*id).name == name)
            .collect(),
    }
}

/// Paired types whose file or name differs, and in which nothing is told to have changed.
fn moved(old: &Graph<'_>, new: &Graph<'_>, pairs: &pairs::Pairs, changed: &BTreeSet<&str>) -> BTreeSet<Move> {
    (0..old.decls.len())
        .filter_map(|a| {
            let b = pairs.new_of(a)?;
            let (from, to) = (old.decl(a), new.decl(b));
            let wire = (from.in_scope || to.in_scope) && from.evidence != Evidence::InProcess;
            let same = from.place.file == to.place.file && from.name == to.name;
            if !wire || same || changed.contains(to.name.as_str()) {
                return None;
            }
            let type_name = if from.name == to.name {
                to.name.clone()
            } else {
                format!("{} -> {}", from.name, to.name)
            };
            Some(Move {
                type_name,
                from: from.place.file.clone(),
                to: to.place.file.clone(),
            })
        })
        .collect()
}
