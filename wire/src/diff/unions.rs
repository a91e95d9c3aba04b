//! Two unions: which arm became which, and what came and went.
//!
//! Arms of equal form are set aside. Exact values are compared as sets. Objects are grouped by the member that tells them
//! apart, and again inside a group; what has no tag is paired by its declared type, its declared name, its only key, and
//! at last by what it is made of. What is left on one side came or went.

use std::collections::BTreeSet;

use super::arms::{Arms, Emit};
use super::change::Seg;
use super::graph::{ArmForm, DeclId, FieldForm, Form, Graph, NodeId, ObjectForm, UnionForm};
use super::pairs;
use super::roles::Role;
use super::tags;
use super::walk::{Spot, Walk};
use crate::event::ITEM_TAGS;
use crate::rules::Facts;

/// How alike the only object of one side must be to an arm of the other.
const LIKE_LONE: f64 = 0.25;
/// How alike two arms without tag must be to be one arm that changed.
pub(super) const LIKE_ARM: f64 = 0.5;

/// Members whose exact value names an event or a method.
const EVENT_TAGS: [&str; 4] = ["type", "kind", "method", "event"];

impl<'m> Walk<'_, 'm> {
    /// Compares two nodes of which at least one is a union or an exact value. `foreign`: they are declared elsewhere and
    /// did not change there, so that it is told at the spot that refers to them.
    pub(super) fn unions(&mut self, spot: &Spot, a: NodeId, b: NodeId, foreign: bool) -> bool {
        if self.spread_apart(spot, a, b) {
            return false;
        }
        let (mut old, mut new) = (union_of(self.old, a), union_of(self.new, b));
        let mut seen = BTreeSet::new();
        old.arms.retain(|arm| {
            let declared = self.old.decl_of(arm.node);
            seen.insert((arm.name, declared, form_of(self.old, &self.classes.old, arm)))
        });
        seen.clear();
        new.arms.retain(|arm| {
            let declared = self.new.decl_of(arm.node);
            seen.insert((arm.name, declared, form_of(self.new, &self.classes.new, arm)))
        });
        let (old_left, new_left) = self.set_aside(&old.arms, &new.arms);
        let unread = |graph: &Graph<'_>, arms: &[ArmForm<'_>]| {
            arms.iter()
                .any(|arm| matches!(graph.form(arm.node), Form::Unresolved(_)))
        };
        let emit = Emit {
            spot: spot.clone(),
            role: self.old_roles.of(a).max(self.new_roles.of(b)),
            old_node: a,
            new_node: b,
            open: if old.arms.len() > 1 || old.open || is_open(self.old, &old) {
                is_open(self.old, &old)
            } else {
                is_open(self.new, &new)
            },
            old_components: made_of(self.old, &old),
            new_components: made_of(self.new, &new),
            foreign,
            doubt_gone: unread(self.new, &new_left),
            doubt_added: unread(self.old, &old_left),
            shown: true,
            listed: true,
            outer: None,
            lone: self.gains_tag(a, b),
        };
        let mut old_arms = Arms {
            all: old.arms.clone(),
            left: old_left,
        };
        let mut new_arms = Arms {
            all: new.arms.clone(),
            left: new_left,
        };
        if self.is_another(&old.arms, &new.arms) {
            return self.type_changed(spot, a, b);
        }
        if emit.role != Role::Stream {
            self.whole_components(&mut old_arms, &mut new_arms);
        }
        self.same_arms(&emit, &mut old_arms, &mut new_arms);
        self.named_nulls(&emit, (&old, &new), &mut old_arms, &mut new_arms);
        self.keyed(&emit, &mut old_arms, &mut new_arms);
        let kinds_changed = self.values(&emit, &mut old_arms, &mut new_arms);
        self.tagged(
            &emit,
            &mut old_arms,
            &mut new_arms,
            (old.tag, new.tag),
            "",
            &(BTreeSet::new(), BTreeSet::new()),
        );
        self.others(&emit, &mut old_arms, &mut new_arms);
        let has_objects = |arms: &[ArmForm<'_>], graph: &Graph<'_>| {
            arms.iter().any(|arm| matches!(graph.form(arm.node), Form::Object(_)))
        };
        let odd = |arm: &ArmForm<'_>, graph: &Graph<'_>, others: bool| {
            !matches!(graph.form(arm.node), Form::Object(_) | Form::Unresolved(_)) || !others
        };
        let old_objects = has_objects(&old.arms, self.old);
        let new_objects = has_objects(&new.arms, self.new);
        let whole = kinds_changed
            || old_arms.left.iter().any(|arm| odd(arm, self.old, new_objects))
            || new_arms.left.iter().any(|arm| odd(arm, self.new, old_objects))
            || (!old_arms.left.is_empty() && old.arms.len() == 1 && new.arms.len() == 1);
        if whole {
            return self.type_changed(spot, a, b);
        }
        for (label, shown, arms) in self.leftover(true, std::mem::take(&mut old_arms.left)) {
            self.arm_gone(&Emit { shown, ..emit.clone() }, &label, &label, &arms);
        }
        for (label, shown, arms) in self.leftover(false, std::mem::take(&mut new_arms.left)) {
            self.arm_added(&Emit { shown, ..emit.clone() }, &label, &label, &arms);
        }
        false
    }

    /// Arms without counterpart, by what they are called; those of a declared union that the other side lacks are one.
    fn leftover(&self, old: bool, arms: Vec<ArmForm<'m>>) -> Vec<(String, bool, Vec<ArmForm<'m>>)> {
        let graph = if old { self.old } else { self.new };
        let lacks = |decl: &DeclId| {
            let counterpart = if old {
                self.pairs.new_of(*decl)
            } else {
                self.pairs.old_of(*decl)
            };
            counterpart.is_none()
        };
        let mut found: Vec<(String, bool, Vec<ArmForm<'m>>)> = Vec::new();
        for arm in arms {
            // Events and methods of a new list of them are new each.
            let named = EVENT_TAGS
                .iter()
                .any(|tag| tags::values(graph, arm.node, tag).is_some());
            let whole = arm.via.filter(lacks).filter(|_| !named);
            match found.last_mut() {
                Some((_, _, group)) if whole.is_some() && group.iter().all(|other| other.via == whole) => {
                    group.push(arm);
                }
                _ => {
                    let (own, shown) = label(graph, &arm);
                    let label = whole.map_or(own, |decl| graph.decl(decl).name.clone());
                    found.push((label, shown, vec![arm]));
                }
            }
        }
        found
    }

    /// A union whose arms stood at the level of an object and now stand in one member of it, or the reverse.
    fn spread_apart(&mut self, spot: &Spot, a: NodeId, b: NodeId) -> bool {
        let (old, new) = (union_of(self.old, a), union_of(self.new, b));
        let (spread, nested, added) = match (old.spread, new.spread) {
            (Some(spread), None) => (spread, b, true),
            (None, Some(spread)) => (spread, a, false),
            _ => return false,
        };
        let (inner, outer) = if added {
            (self.old, self.new)
        } else {
            (self.new, self.old)
        };
        let Form::Object(object) = outer.form(nested) else {
            return false;
        };
        let arms = if added { &old.arms } else { &new.arms };
        let known: BTreeSet<&str> = arms.iter().flat_map(|arm| keys(inner, arm.node)).collect();
        let Some((name, field)) = carrier(outer, object, &known) else {
            return false;
        };
        let name = name.to_owned();
        let facts = Facts {
            nested: true,
            required: field.required,
            ..Facts::default()
        };
        self.nested_member(spot, added, &name, &field, facts);
        // What stands beside the union is compared with the first of its arms, which all have it.
        if let Some(first) = arms.first() {
            let (x, y) = if added { (first.node, b) } else { (a, first.node) };
            if let (Form::Object(x), Form::Object(y)) = (self.old.form(x).clone(), self.new.form(y).clone()) {
                for (shared, field) in &x.fields {
                    if let Some(other) = y
                        .fields
                        .get(shared)
                        .filter(|_| arms.iter().all(|arm| keys(inner, arm.node).contains(shared)))
                    {
                        self.members(spot.pair, shared, field, other);
                    }
                }
            }
        }
        let mut segs = spot.tail.clone();
        segs.push(Seg::Field(name));
        let (x, y) = if added {
            (spread, field.node)
        } else {
            (field.node, spread)
        };
        self.visit(spot.pair, segs, x, y);
        true
    }

    /// Whether one object became several that are told apart by a tag which it lacks.
    fn gains_tag(&self, a: NodeId, b: NodeId) -> bool {
        let objects = |graph: &Graph<'m>, node: NodeId| -> Vec<ArmForm<'m>> {
            let mut arms = graph.arms(node);
            arms.retain(|arm| matches!(graph.form(arm.node), Form::Object(_)));
            arms
        };
        let (old, new) = (objects(self.old, a), objects(self.new, b));
        let [lone] = old.as_slice() else { return false };
        let tag = tags::of_one(self.new, b).or_else(|| new.iter().find_map(|arm| tags::own(self.new, arm.node)));
        let lacks = |tag| tags::values(self.old, lone.node, tag).is_none();
        new.len() > 1 && tag.is_some_and(lacks)
    }

    /// A single object on one side, and on the other a choice in which nothing is like it.
    fn is_another(&self, old: &[ArmForm<'m>], new: &[ArmForm<'m>]) -> bool {
        let (([lone], others) | (others, [lone])) = (old, new) else {
            return false;
        };
        let from_old = old.len() == 1;
        let lone_graph = if from_old { self.old } else { self.new };
        let others_graph = if from_old { self.new } else { self.old };
        let object = |graph: &Graph<'_>, arm: &ArmForm<'_>| matches!(graph.form(arm.node), Form::Object(_));
        let objects: Vec<_> = others.iter().filter(|arm| object(others_graph, arm)).collect();
        if !object(lone_graph, lone) || objects.len() < 2 {
            return false;
        }
        objects.iter().all(|arm| {
            let like = if from_old {
                self.arm_likeness(lone, arm)
            } else {
                self.arm_likeness(arm, lone)
            };
            like < LIKE_LONE
        })
    }

    /// A declared union on one side that is one object on the other: compared by itself, as what it is declared.
    fn whole_components(&self, old: &mut Arms<'m>, new: &mut Arms<'m>) {
        let one_arm = |graph: &Graph<'_>, arms: &[ArmForm<'_>], decl: usize| {
            arms.iter()
                .find(|arm| graph.decls[decl].root == arm.node)
                .map(|arm| arm.node)
        };
        // An arm that is on both sides by itself is compared with itself.
        let kept_old: BTreeSet<NodeId> = old
            .left
            .iter()
            .filter(|arm| self.is_paired(true, arm, new))
            .map(|arm| arm.node)
            .collect();
        let kept_new: BTreeSet<NodeId> = new
            .left
            .iter()
            .filter(|arm| self.is_paired(false, arm, old))
            .map(|arm| arm.node)
            .collect();
        for via in old.left.iter().filter_map(|arm| arm.via).collect::<BTreeSet<_>>() {
            if let Some(node) = self
                .pairs
                .new_of(via)
                .and_then(|decl| one_arm(self.new, &new.all, decl))
            {
                old.left
                    .retain(|arm| arm.via != Some(via) || kept_old.contains(&arm.node));
                new.take(node);
            }
        }
        for via in new.left.iter().filter_map(|arm| arm.via).collect::<BTreeSet<_>>() {
            if let Some(node) = self
                .pairs
                .old_of(via)
                .and_then(|decl| one_arm(self.old, &old.all, decl))
            {
                new.left
                    .retain(|arm| arm.via != Some(via) || kept_new.contains(&arm.node));
                old.take(node);
            }
        }
    }

    /// Whether the declared type of an arm is an arm of the other side that is left too.
    fn is_paired(&self, old: bool, arm: &ArmForm<'m>, other: &Arms<'m>) -> bool {
        let (graph, counterpart) = if old {
            (
                self.new,
                self.old.decl_of(arm.node).and_then(|decl| self.pairs.new_of(decl)),
            )
        } else {
            (
                self.old,
                self.new.decl_of(arm.node).and_then(|decl| self.pairs.old_of(decl)),
            )
        };
        counterpart.is_some_and(|decl| other.left.iter().any(|arm| graph.decl_of(arm.node) == Some(decl)))
    }

    /// Declared objects that stand on both sides are one arm, even where the other side holds that form in another arm.
    fn same_arms(&mut self, emit: &Emit, old: &mut Arms<'m>, new: &mut Arms<'m>) {
        let decl = |graph: &Graph<'_>, arm: &ArmForm<'_>| {
            graph
                .decl_of(arm.node)
                .filter(|_| matches!(graph.form(arm.node), Form::Object(_)))
        };
        for from in &old.all.clone() {
            let Some(to) = decl(self.old, from).and_then(|decl| self.pairs.new_of(decl)) else {
                continue;
            };
            let Some(to) = new.all.iter().find(|arm| decl(self.new, arm) == Some(to)).cloned() else {
                continue;
            };
            // With both left, a tag may tell the pair better.
            if old.is_left(from.node) != new.is_left(to.node) {
                old.take(from.node);
                new.take(to.node);
                let (label, shown) = label(self.new, &to);
                self.arm_pair(&Emit { shown, ..emit.clone() }, &label, from, &to);
            }
        }
    }

    /// Arms that the other side does not hold in the same form.
    fn set_aside(&self, old: &[ArmForm<'m>], new: &[ArmForm<'m>]) -> (Vec<ArmForm<'m>>, Vec<ArmForm<'m>>) {
        let olds: BTreeSet<_> = old
            .iter()
            .map(|arm| form_of(self.old, &self.classes.old, arm))
            .collect();
        let news: BTreeSet<_> = new
            .iter()
            .map(|arm| form_of(self.new, &self.classes.new, arm))
            .collect();
        (
            old.iter()
                .filter(|arm| !news.contains(&form_of(self.old, &self.classes.old, arm)))
                .cloned()
                .collect(),
            new.iter()
                .filter(|arm| !olds.contains(&form_of(self.new, &self.classes.new, arm)))
                .cloned()
                .collect(),
        )
    }

    /// What has neither tag nor key, and lists, maps and the like.
    fn others(&mut self, emit: &Emit, old: &mut Arms<'m>, new: &mut Arms<'m>) {
        self.untagged(emit, old, new, "");
        let objects = |graph: &Graph<'_>, arms: &[ArmForm<'_>]| {
            arms.iter()
                .filter(|arm| matches!(graph.form(arm.node), Form::Object(_)))
                .count()
        };
        let lone = objects(self.old, &old.all) == 1 && objects(self.new, &new.all) == 1;
        for wanted in ["array", "object", "number", "boolean", "string"] {
            let pick = |graph: &Graph<'_>, arms: &[ArmForm<'m>]| -> Vec<ArmForm<'m>> {
                arms.iter()
                    .filter(|arm| {
                        let form = graph.form(arm.node);
                        pairs::kind(form) == wanted && (lone || !matches!(form, Form::Object(_)))
                    })
                    .cloned()
                    .collect()
            };
            if let ([from], [to]) = (
                pick(self.old, &old.left).as_slice(),
                pick(self.new, &new.left).as_slice(),
            ) {
                old.take(from.node);
                new.take(to.node);
                self.relate(&emit.spot, from.node, to.node);
            }
        }
        for (graph, arms, side) in [(self.old, &mut old.left, "old"), (self.new, &mut new.left, "new")] {
            let before = arms.len();
            arms.retain(|arm| !matches!(graph.form(arm.node), Form::Unresolved(_)));
            if arms.len() != before {
                self.doubts
                    .insert(format!("an arm of the {side} {} could not be read", emit.spot.name));
            }
        }
    }

    /// Pairs objects by declared type, by declared name, then by likeness, the best first.
    pub(super) fn untagged(&mut self, emit: &Emit, old: &mut Arms<'m>, new: &mut Arms<'m>, prefix: &str) {
        let mut ranked: Vec<(f64, ArmForm<'m>, ArmForm<'m>)> = Vec::new();
        // An object that became one of several is still there, even if much of it changed.
        let lone = old.all.len().min(new.all.len()) == 1;
        let least = if lone { LIKE_LONE } else { LIKE_ARM };
        for from in &old.left {
            for to in &new.left {
                let objects = matches!(
                    (self.old.form(from.node), self.new.form(to.node)),
                    (Form::Object(_), Form::Object(_))
                );
                let score = if objects { self.arm_likeness(from, to) } else { 0.0 };
                if score >= least {
                    ranked.push((score, from.clone(), to.clone()));
                }
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, from, to) in ranked {
            if old.is_left(from.node) && new.is_left(to.node) {
                old.take(from.node);
                new.take(to.node);
                let (label, shown) = if prefix.is_empty() {
                    label(self.new, &to)
                } else {
                    (prefix.to_owned(), emit.shown)
                };
                self.arm_pair(&Emit { shown, ..emit.clone() }, &label, &from, &to);
            }
        }
    }

    /// From 0 to 3, how sure it is that two arms are one: the same type, the same name, or made of the same members.
    pub(super) fn arm_likeness(&self, from: &ArmForm<'m>, to: &ArmForm<'m>) -> f64 {
        let decls = (self.old.decl_of(from.node), self.new.decl_of(to.node));
        let like = pairs::likeness(self.old, from.node, self.new, to.node);
        if matches!(decls, (Some(a), Some(b)) if self.pairs.new_of(a) == Some(b)) {
            2.0 + like
        } else if from.name.is_some() && from.name == to.name {
            1.0 + like
        } else {
            like
        }
    }
}

/// What an arm without tag is called, and whether that is a value by which it can be told on the wire.
fn label(graph: &Graph<'_>, arm: &ArmForm<'_>) -> (String, bool) {
    if let Some((key, _)) = tags::only_key(graph, arm.node).filter(|_| graph.decl_of(arm.node).is_none()) {
        return (key.to_owned(), false);
    }
    let declared = graph.decl_of(arm.node).map(|decl| graph.decl(decl).name.clone());
    let constant = ["type", "kind", "method", "event", "status"]
        .iter()
        .find_map(|tag| tags::values(graph, arm.node, tag).filter(|values| values.len() == 1))
        .and_then(|values| values.first().map(|value| (*value).to_owned()));
    let shown = ITEM_TAGS.iter().any(|tag| tags::values(graph, arm.node, tag).is_some());
    let name = constant
        .or(declared)
        .or_else(|| arm.name.map(str::to_owned))
        .unwrap_or_else(|| first_members(graph, arm.node));
    (name, shown)
}

/// The member of `object`, not among `known`, whose arms have most of their members among `known`: where they went.
pub(super) fn carrier<'g, 'm>(
    graph: &'g Graph<'m>,
    object: &'g ObjectForm<'m>,
    known: &BTreeSet<&str>,
) -> Option<(&'m str, FieldForm<'m>)> {
    object
        .fields
        .iter()
        .filter(|(name, _)| !known.contains(**name))
        .find_map(|(name, field)| {
            let arms = graph.arms(field.node);
            let theirs: BTreeSet<&str> = arms.iter().flat_map(|arm| keys(graph, arm.node)).collect();
            let shared = known.intersection(&theirs).count();
            (shared > 0 && shared * 2 >= theirs.len()).then(|| (*name, field.clone()))
        })
}

/// What an object without any name is called: the first members that it must have, else the first that it may have.
fn first_members(graph: &Graph<'_>, node: NodeId) -> String {
    let Form::Object(object) = graph.form(node) else {
        return super::graph::text::text(graph, node);
    };
    let required = object.fields.iter().filter(|(_, field)| field.required);
    let names: Vec<&str> = required.map(|(name, _)| *name).take(2).collect();
    let any = object.fields.keys().copied().take(2).collect();
    format!("{{{}}}", if names.is_empty() { any } else { names }.join(", "))
}

/// The wire form of an arm with its answer.
fn form_of(graph: &Graph<'_>, classes: &[u64], arm: &ArmForm<'_>) -> (u64, Option<(u64, bool)>) {
    let answer = arm.result.map(|result| {
        let (target, null) = graph.resolved(result);
        (classes[target], null)
    });
    (classes[arm.node], answer)
}

pub(super) fn keys<'m>(graph: &Graph<'m>, node: NodeId) -> Vec<&'m str> {
    match graph.form(node) {
        Form::Object(object) => object.fields.keys().copied().collect(),
        _ => Vec::new(),
    }
}

fn union_of<'m>(graph: &Graph<'m>, node: NodeId) -> UnionForm<'m> {
    match graph.form(node) {
        Form::Union(union) => union.clone(),
        _ => UnionForm {
            arms: graph.arms(node),
            ..UnionForm::default()
        },
    }
}

/// Readers were told to expect other values.
fn is_open(graph: &Graph<'_>, union: &UnionForm<'_>) -> bool {
    union.open
        || union
            .arms
            .iter()
            .any(|arm| matches!(graph.form(arm.node), Form::String))
}

/// The declared types that a union is made of, unions and others.
fn made_of(graph: &Graph<'_>, union: &UnionForm<'_>) -> BTreeSet<DeclId> {
    let arms = union.arms.iter().filter_map(|arm| graph.decl_of(arm.node));
    union.components.iter().copied().chain(arms).collect()
}
