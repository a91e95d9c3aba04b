//! Which declared type of the old model is which of the new one.
//!
//! First by name. A name that is gone and a name that is new are one type when the wire form is the same, or when both
//! the members and the name are alike enough; then the change is told inside that type and its new name is not told at
//! all, since names of types do not go over the wire.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::classes::Classes;
use super::graph::{DeclId, Form, Graph, NodeId};
use super::names;
use crate::model::Literal;

/// More gone and new names than this are paired by equal form only.
const SIMILARITY_BUDGET: usize = 250_000;
/// How many of their values two lists of one name must share to be one list, where nothing else says so.
const LIKE_HOMONYM: f64 = 0.25;
/// How alike the names, or the exact values, of two types must be that say by an exact value which of several they are.
const LIKE_TOLD_APART: f64 = 0.6;
/// How much of the members and of the name two types must share to be one that was renamed and changed.
const ALIKE: f64 = 0.6;
/// The least share of members, whatever the names say.
const ALIKE_MEMBERS: f64 = 0.5;

/// The pairing.
pub(super) struct Pairs {
    new_of: Vec<Option<DeclId>>,
    old_of: Vec<Option<DeclId>>,
}

impl Pairs {
    /// The new type that `old` became.
    pub(super) fn new_of(&self, old: DeclId) -> Option<DeclId> {
        self.new_of.get(old).copied().flatten()
    }

    /// The old type that `new` was.
    pub(super) fn old_of(&self, new: DeclId) -> Option<DeclId> {
        self.old_of.get(new).copied().flatten()
    }

    fn join(&mut self, old: DeclId, new: DeclId) {
        if self.new_of[old].is_none() && self.old_of[new].is_none() {
            self.new_of[old] = Some(new);
            self.old_of[new] = Some(old);
        }
    }

    fn part(&mut self, old: DeclId, new: DeclId) {
        self.new_of[old] = None;
        self.old_of[new] = None;
    }

    fn gone(&self) -> Vec<DeclId> {
        (0..self.new_of.len()).filter(|id| self.new_of[*id].is_none()).collect()
    }

    fn added(&self) -> Vec<DeclId> {
        (0..self.old_of.len()).filter(|id| self.old_of[*id].is_none()).collect()
    }
}

pub(super) fn pairs(old: &Graph<'_>, new: &Graph<'_>, classes: &Classes) -> Pairs {
    let mut pairs = Pairs {
        new_of: vec![None; old.decls.len()],
        old_of: vec![None; new.decls.len()],
    };
    by_name(old, new, classes, &mut pairs);
    by_other_name(old, new, &mut pairs);
    part_homonyms(old, new, &mut pairs);
    by_form(old, new, classes, &mut pairs);
    by_likeness(old, new, &mut pairs);
    pairs
}

fn by_name(old: &Graph<'_>, new: &Graph<'_>, classes: &Classes, pairs: &mut Pairs) {
    let mut names: BTreeMap<&str, (Vec<DeclId>, Vec<DeclId>)> = BTreeMap::new();
    for id in 0..old.decls.len() {
        names.entry(&old.decl(id).name).or_default().0.push(id);
    }
    for id in 0..new.decls.len() {
        names.entry(&new.decl(id).name).or_default().1.push(id);
    }
    for (olds, news) in names.values() {
        if let ([one], [other]) = (olds.as_slice(), news.as_slice()) {
            pairs.join(*one, *other);
            continue;
        }
        // Several types of one name: those of one file first, then those of one form, then what is most alike.
        let same_file = |a: DeclId, b: DeclId| old.decl(a).place.file == new.decl(b).place.file;
        let same_form = |a: DeclId, b: DeclId| class_of_old(old, classes, a) == class_of_new(new, classes, b);
        let tests: [&dyn Fn(DeclId, DeclId) -> bool; 3] =
            [&|a, b| same_file(a, b) && same_form(a, b), &same_file, &same_form];
        for test in tests {
            for a in olds {
                if let Some(b) = news.iter().find(|b| pairs.old_of(**b).is_none() && test(*a, **b)) {
                    pairs.join(*a, *b);
                }
            }
        }
        let mut ranked: Vec<(f64, DeclId, DeclId)> = Vec::new();
        for a in olds.iter().filter(|a| pairs.new_of(**a).is_none()) {
            for b in news.iter().filter(|b| pairs.old_of(**b).is_none()) {
                ranked.push((likeness(old, old.decls[*a].root, new, new.decls[*b].root), *a, *b));
            }
        }
        join_best(ranked, 0.0, pairs);
    }
}

/// A type that became just another name for a type that is new, or the reverse, is that type.
fn by_other_name(old: &Graph<'_>, new: &Graph<'_>, pairs: &mut Pairs) {
    let meant = |graph: &Graph<'_>, id: DeclId| {
        let meant = graph.decl_of(graph.decls[id].root).filter(|meant| *meant != id)?;
        (*graph.form(graph.decls[meant].root) != Form::Any).then_some(meant)
    };
    for a in 0..old.decls.len() {
        let Some(b) = pairs.new_of(a) else { continue };
        match (meant(old, a), meant(new, b)) {
            (None, Some(other)) if pairs.old_of(other).is_none() => {
                pairs.part(a, b);
                pairs.join(a, other);
            }
            (Some(other), None) if pairs.new_of(other).is_none() => {
                pairs.part(a, b);
                pairs.join(other, b);
            }
            _ => {}
        }
    }
}

/// Two types that share a name and next to nothing else, and that no member holds on both sides, are two types: a list
/// of other values, or an object in the place of a value.
fn part_homonyms(old: &Graph<'_>, new: &Graph<'_>, pairs: &mut Pairs) {
    let is_list = |graph: &Graph<'_>, id: DeclId| {
        let arms = graph.arms(graph.decls[id].root);
        arms.len() > 1 && arms.iter().all(|arm| matches!(graph.form(arm.node), Form::Literal(_)))
    };
    let is_object = |graph: &Graph<'_>, id: DeclId| matches!(graph.form(graph.decls[id].root), Form::Object(_));
    let is_scalar = |graph: &Graph<'_>, id: DeclId| {
        let form = graph.form(graph.decls[id].root);
        matches!(form, Form::String | Form::Number | Form::Boolean)
    };
    let unlike = |a: DeclId, b: DeclId| {
        (is_list(old, a) && is_list(new, b))
            || (is_object(old, a) && is_scalar(new, b))
            || (is_scalar(old, a) && is_object(new, b))
    };
    let doubtful: Vec<(DeclId, DeclId)> = (0..old.decls.len())
        .filter_map(|a| Some((a, pairs.new_of(a)?)))
        .filter(|(a, b)| unlike(*a, *b))
        .filter(|(a, b)| likeness(old, old.decls[*a].root, new, new.decls[*b].root) < LIKE_HOMONYM)
        .collect();
    if doubtful.is_empty() {
        return;
    }
    let (was, is) = (Holders::new(old), Holders::new(new));
    let nobody = BTreeSet::new();
    for (a, b) in doubtful {
        let before = was.of.get(&a).unwrap_or(&nobody);
        let after = is.of.get(&b).unwrap_or(&nobody);
        // A member that is still there and holds something else says so.
        let left =
            before.iter().any(|member| is.all.contains(member)) || after.iter().any(|member| was.all.contains(member));
        if before.is_disjoint(after) && left {
            pairs.part(a, b);
        }
    }
}

/// A member: the declared type it stands in, and its name.
type Member<'m> = (&'m str, &'m str);

/// Which members there are, and which of them hold a declared type.
struct Holders<'m> {
    all: BTreeSet<Member<'m>>,
    of: BTreeMap<DeclId, BTreeSet<Member<'m>>>,
}

impl<'m> Holders<'m> {
    fn new(graph: &Graph<'m>) -> Self {
        let mut holders = Self {
            all: BTreeSet::new(),
            of: BTreeMap::new(),
        };
        for node in &graph.nodes {
            let Form::Object(object) = &node.form else { continue };
            for (name, field) in &object.fields {
                let member = (graph.decl(field.owner).name.as_str(), *name);
                holders.all.insert(member);
                let held = graph
                    .arms(field.node)
                    .into_iter()
                    .map(|arm| arm.node)
                    .chain([field.node]);
                for decl in held.filter_map(|node| graph.decl_of(node)) {
                    holders.of.entry(decl).or_default().insert(member);
                }
            }
        }
        holders
    }
}

fn class_of_old(old: &Graph<'_>, classes: &Classes, id: DeclId) -> (u64, bool) {
    let (target, null) = old.resolved(old.decls[id].root);
    (classes.old[target], null)
}

fn class_of_new(new: &Graph<'_>, classes: &Classes, id: DeclId) -> (u64, bool) {
    let (target, null) = new.resolved(new.decls[id].root);
    (classes.new[target], null)
}

fn by_form(old: &Graph<'_>, new: &Graph<'_>, classes: &Classes, pairs: &mut Pairs) {
    let mut forms: BTreeMap<(u64, bool), (Vec<DeclId>, Vec<DeclId>)> = BTreeMap::new();
    for id in pairs.gone() {
        forms.entry(class_of_old(old, classes, id)).or_default().0.push(id);
    }
    for id in pairs.added() {
        forms.entry(class_of_new(new, classes, id)).or_default().1.push(id);
    }
    for (olds, news) in forms.values() {
        let mut ranked = Vec::new();
        for a in olds {
            for b in news {
                ranked.push((names::likeness(&old.decl(*a).name, &new.decl(*b).name), *a, *b));
            }
        }
        join_best(ranked, 0.0, pairs);
    }
}

fn by_likeness(old: &Graph<'_>, new: &Graph<'_>, pairs: &mut Pairs) {
    let names_of =
        |graph: &Graph<'_>| -> BTreeSet<String> { graph.decls.iter().map(|decl| decl.ty.name.clone()).collect() };
    let (old_names, new_names) = (names_of(old), names_of(new));
    let (mut gone, mut added) = (pairs.gone(), pairs.added());
    // A name that the other side knows was not renamed; it has one declaration more or less.
    gone.retain(|id| !new_names.contains(&old.decl(*id).name));
    added.retain(|id| !old_names.contains(&new.decl(*id).name));
    if gone.len() * added.len() > SIMILARITY_BUDGET {
        return;
    }
    let marks_of = |graph: &Graph<'_>, ids: &[DeclId]| -> Vec<BTreeSet<String>> {
        ids.iter().map(|id| marks(graph, graph.decls[*id].root)).collect()
    };
    let (old_marks, new_marks) = (marks_of(old, &gone), marks_of(new, &added));
    let mut ranked = Vec::new();
    for (a, a_marks) in gone.iter().zip(&old_marks) {
        for (b, b_marks) in added.iter().zip(&new_marks) {
            let members = share(a_marks, b_marks);
            if members < ALIKE_MEMBERS {
                continue;
            }
            let name = names::likeness(&old.decl(*a).name, &new.decl(*b).name);
            if name < LIKE_TOLD_APART && are_told_apart(a_marks, b_marks) {
                continue;
            }
            ranked.push((0.6 * members + 0.4 * name, *a, *b));
        }
    }
    join_best(ranked, ALIKE, pairs);
}

/// Whether a member of one name holds one exact value here and an unlike one there.
fn are_told_apart(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let exact = |marks: &BTreeSet<String>| -> BTreeMap<String, String> {
        marks
            .iter()
            .filter_map(|mark| mark.split_once('='))
            .filter(|(name, _)| !name.is_empty())
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    };
    let other = exact(b);
    exact(a).iter().any(|(name, value)| {
        other
            .get(name)
            .is_some_and(|there| names::likeness(value, there) < LIKE_TOLD_APART)
    })
}

/// Joins the best first; what is equally good is taken in order, so that the outcome is always the same.
fn join_best(mut ranked: Vec<(f64, DeclId, DeclId)>, least: f64, pairs: &mut Pairs) {
    ranked.retain(|(score, _, _)| *score >= least);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, a, b) in ranked {
        pairs.join(a, b);
    }
}

/// How much of what they are made of two nodes share, from 0 to 1, by names alone and one level deep.
pub(super) fn likeness(old: &Graph<'_>, a: NodeId, new: &Graph<'_>, b: NodeId) -> f64 {
    share(&marks(old, a), &marks(new, b))
}

/// Shared marks over all marks; two nodes without any mark share nothing.
fn share(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let both = a.intersection(b).count();
    let all = a.len() + b.len() - both;
    if all == 0 {
        return 0.0;
    }
    // Counts of members; far below where f64 loses whole numbers.
    #[expect(clippy::cast_precision_loss, reason = "counts of members")]
    let ratio = both as f64 / all as f64;
    ratio
}

fn marks(graph: &Graph<'_>, node: NodeId) -> BTreeSet<String> {
    let mut marks = BTreeSet::new();
    let single = !matches!(graph.form(node), Form::Union(_));
    for arm in graph.arms(node) {
        match &graph.nodes[arm.node].form {
            Form::Object(object) => {
                for (name, field) in &object.fields {
                    match graph.form(field.node) {
                        Form::Literal(Literal::String(value)) => marks.insert(format!("{name}={value}")),
                        _ => marks.insert((*name).to_owned()),
                    };
                }
            }
            Form::Literal(literal) => {
                marks.insert(format!("={literal}"));
            }
            Form::Array(item) if single => {
                marks.extend(marks_below(graph, *item));
            }
            other => {
                marks.insert(kind(other).to_owned());
            }
        }
    }
    marks
}

fn marks_below(graph: &Graph<'_>, item: NodeId) -> BTreeSet<String> {
    let (target, _) = graph.resolved(item);
    match &graph.nodes[target].form {
        Form::Array(_) => BTreeSet::from(["[]".to_owned()]),
        _ => marks(graph, item).into_iter().map(|mark| format!("[]{mark}")).collect(),
    }
}

/// The JSON kind of a form, in a word.
pub(super) fn kind(form: &Form<'_>) -> &'static str {
    match form {
        Form::Any | Form::Alias => "any",
        Form::Never => "never",
        Form::Null => "null",
        Form::Boolean | Form::Literal(Literal::Boolean(_)) => "boolean",
        Form::Number | Form::Literal(Literal::Number(_)) => "number",
        Form::String | Form::Literal(Literal::String(_)) => "string",
        Form::Array(_) | Form::Tuple(_) => "array",
        Form::Map(_) | Form::Object(_) => "object",
        Form::Union(_) => "union",
        Form::Unresolved(_) => "unresolved",
    }
}
