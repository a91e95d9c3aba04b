//! Exact values: what a closed set gained, lost, or spells differently.

use std::collections::BTreeSet;

use serde_json::Value;

use super::arms::{Arms, Emit, literal_json};
use super::change::{Change, Kind, Position};
use super::graph::{ArmForm, Form, Graph, NodeId};
use super::names;
use super::pairs;
use super::walk::Walk;
use crate::model::Literal;
use crate::rules::Facts;

/// How alike two values must be to be one that was renamed.
const LIKE_VALUE: f64 = 0.6;
/// In a set of at most this many values, one that went and one that came are one value that was renamed.
const SMALL_SET: usize = 8;

impl<'m> Walk<'_, 'm> {
    /// Exact values. Gives whether what is left says that the type changed as a whole.
    pub(super) fn values(&mut self, emit: &Emit, old: &mut Arms<'m>, new: &mut Arms<'m>) -> bool {
        let literal = |graph: &Graph<'m>, arm: &ArmForm<'m>| match graph.form(arm.node) {
            Form::Literal(literal) => Some(*literal),
            _ => None,
        };
        let kinds = |graph: &Graph<'m>, arms: &[ArmForm<'m>]| -> BTreeSet<&'static str> {
            arms.iter()
                .filter(|arm| !matches!(graph.form(arm.node), Form::Object(_)))
                .map(|arm| pairs::kind(graph.form(arm.node)))
                .collect()
        };
        let plain = |graph: &Graph<'m>, arms: &[ArmForm<'m>]| -> BTreeSet<&'static str> {
            arms.iter()
                .map(|arm| graph.form(arm.node))
                .filter(|form| matches!(form, Form::String | Form::Number | Form::Boolean))
                .map(pairs::kind)
                .collect()
        };
        let (old_plain, new_plain) = (plain(self.old, &old.all), plain(self.new, &new.all));
        // A list of values that says more may come is as wide as a plain type of what it lists.
        let listed = |graph: &Graph<'m>, node: NodeId, arms: &[ArmForm<'m>], other: &BTreeSet<&'static str>| {
            let open = matches!(graph.form(node), Form::Union(union) if union.open);
            arms.iter()
                .map(|arm| graph.form(arm.node))
                .filter(|form| open && matches!(form, Form::Literal(_)))
                .map(pairs::kind)
                .filter(|kind| other.contains(kind))
                .collect::<BTreeSet<_>>()
        };
        let (old_kinds, new_kinds) = (kinds(self.old, &old.all), kinds(self.new, &new.all));
        let old_wide = &old_plain | &listed(self.old, emit.old_node, &old.all, &new_plain);
        let new_wide = &new_plain | &listed(self.new, emit.new_node, &new.all, &old_plain);
        // Values of a kind that is open on both sides come and go; elsewhere opening or closing is a change of type.
        let mut whole = old_wide != new_wide;
        let mut gone = Vec::new();
        let mut added = Vec::new();
        old.left.retain(|arm| match literal(self.old, arm) {
            Some(value) => {
                gone.push((value, arm.clone()));
                false
            }
            None => {
                !new_wide.contains(pairs::kind(self.old.form(arm.node)))
                    && !old_wide.contains(pairs::kind(self.old.form(arm.node)))
            }
        });
        new.left.retain(|arm| match literal(self.new, arm) {
            Some(value) => {
                added.push((value, arm.clone()));
                false
            }
            None => {
                !old_wide.contains(pairs::kind(self.new.form(arm.node)))
                    && !new_wide.contains(pairs::kind(self.new.form(arm.node)))
            }
        });
        let kind = |value: &Literal| pairs::kind(&Form::Literal(value)).to_owned();
        whole |= gone.iter().any(|(value, _)| !new_kinds.contains(kind(value).as_str()));
        whole |= added.iter().any(|(value, _)| !old_kinds.contains(kind(value).as_str()));
        let booleans =
            |list: &[(&Literal, ArmForm<'_>)]| list.iter().any(|(value, _)| matches!(value, Literal::Boolean(_)));
        whole |= booleans(&gone) || booleans(&added);
        // A lone number says what something is, not what it may be.
        whole |= old.all.len() == 1
            && new.all.len() == 1
            && gone.iter().any(|(value, _)| matches!(value, Literal::Number(_)));
        if !whole {
            // To stop listing some values of what is open anyway changes nothing; to list them makes them known.
            let new_listed = new.all.iter().any(|arm| literal(self.new, arm).is_some());
            gone.retain(|(value, _)| new_listed || !new_wide.contains(kind(value).as_str()));
            self.values_changed(emit, gone, added, old.all.len());
        }
        whole
    }

    /// Exact values that came and went.
    pub(super) fn values_changed(
        &mut self,
        emit: &Emit,
        mut gone: Vec<(&'m Literal, ArmForm<'m>)>,
        mut added: Vec<(&'m Literal, ArmForm<'m>)>,
        size: usize,
    ) {
        let alone = gone.len() == 1 && added.len() == 1;
        let mut ranked = Vec::new();
        for (from, x) in &gone {
            for (to, y) in &added {
                let like = names::likeness(&from.to_string(), &to.to_string());
                let strings = matches!((from, to), (Literal::String(_), Literal::String(_)));
                let same_name = !strings && x.name.is_some() && x.name == y.name;
                if same_name || (strings && (like >= LIKE_VALUE || (alone && size <= SMALL_SET))) {
                    ranked.push((like, *from, *to));
                }
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, from, to) in ranked {
            let (Some(x), Some(y)) = (at(&gone, from), at(&added, to)) else {
                continue;
            };
            let ((_, x), (_, y)) = (gone.remove(x), added.remove(y));
            let names = (value_name(from, &x), value_name(to, &y));
            self.value(
                emit,
                Kind::EnumRenamed,
                format!("{} -> {}", names.0, names.1),
                Some((from, &x)),
                Some((to, &y)),
            );
        }
        for (value, arm) in &gone {
            self.value(
                emit,
                Kind::EnumRemoved,
                value_name(value, arm),
                Some((value, arm)),
                None,
            );
        }
        for (value, arm) in &added {
            self.value(emit, Kind::EnumAdded, value_name(value, arm), None, Some((value, arm)));
        }
    }

    fn value(
        &mut self,
        emit: &Emit,
        kind: Kind,
        name: String,
        old: Option<(&Literal, &ArmForm<'m>)>,
        new: Option<(&Literal, &ArmForm<'m>)>,
    ) {
        if (emit.doubt_gone && new.is_none()) || (emit.doubt_added && old.is_none()) {
            self.doubts.insert(format!(
                "{name} may be a value of {} that could not be read",
                emit.spot.name
            ));
            return;
        }
        let old_home = old.map(|(_, arm)| self.home(true, emit, arm));
        let new_home = new.map(|(_, arm)| self.home(false, emit, arm));
        let json =
            |value: Option<(&Literal, &ArmForm<'_>)>| value.map_or(Value::Null, |(value, _)| literal_json(value));
        let line = new.or(old).map_or(0, |(_, arm)| arm.line);
        let marked = |side: Option<(&Literal, &ArmForm<'_>)>| side.is_none_or(|(_, arm)| arm.experimental);
        self.changes.add(Change {
            kind,
            old_site: old_home.map(|(_, site)| site),
            new_site: new_home.map(|(_, site)| site),
            name,
            before: json(old),
            after: json(new),
            old_owner: old_home.map(|(owner, _)| owner).or(Some(emit.spot.old_owner)),
            new_owner: new_home.map(|(owner, _)| owner).or(Some(emit.spot.new_owner)),
            line,
            experimental: emit.spot.experimental || (marked(old) && marked(new)),
            facts: Facts {
                open: emit.open,
                ..Facts::default()
            },
            role: emit.role,
            positions: vec![Position {
                pair: emit.spot.pair,
                tail: emit.spot.tail.clone(),
                old: old.map(|(_, arm)| arm.node),
                new: new.map(|(_, arm)| arm.node),
            }],
        });
    }
}

fn at(list: &[(&Literal, ArmForm<'_>)], value: &Literal) -> Option<usize> {
    list.iter().position(|(other, _)| *other == value)
}

/// A value by itself; a number, which says nothing, by the name it is declared under.
fn value_name(value: &Literal, arm: &ArmForm<'_>) -> String {
    match (value, arm.name) {
        (Literal::Number(_), Some(name)) => name.to_owned(),
        _ => value.to_string(),
    }
}
