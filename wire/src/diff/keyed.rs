//! Arms that are told apart by their only key, or by their declared name alone.

use std::collections::BTreeMap;

use super::arms::{Arms, Emit, Groups};
use super::graph::{ArmForm, Form, Graph, UnionForm};
use super::tags;
use super::walk::Walk;
use crate::model::Literal;

impl<'m> Walk<'_, 'm> {
    /// An arm that was `null` under a declared name and is something else under it now, or the reverse.
    pub(super) fn named_nulls(
        &mut self,
        emit: &Emit,
        (old, new): (&UnionForm<'m>, &UnionForm<'m>),
        old_arms: &mut Arms<'m>,
        new_arms: &mut Arms<'m>,
    ) {
        for (nulls, others, arms, came) in [
            (&old.nulls, &new.nulls, &mut new_arms.left, true),
            (&new.nulls, &old.nulls, &mut old_arms.left, false),
        ] {
            let graph = if came { self.new } else { self.old };
            let names: Vec<&str> = nulls.difference(others).copied().collect();
            let mut found = Vec::new();
            arms.retain(|arm| {
                let declared = graph.decl_of(arm.node).map(|decl| graph.decl(decl).name.as_str());
                let name = names
                    .iter()
                    .find(|name| arm.name == Some(name) || declared == Some(name));
                found.extend(name.map(|name| (*name, arm.clone())));
                name.is_none()
            });
            for (name, arm) in found {
                self.arm_retyped(emit, name, came.then_some(&arm), (!came).then_some(&arm));
            }
        }
    }

    /// Variants that are told apart by their only key; one without payload is just a string.
    pub(super) fn keyed(&mut self, emit: &Emit, old: &mut Arms<'m>, new: &mut Arms<'m>) {
        let keys_of = |graph: &Graph<'m>, arms: &[ArmForm<'m>]| -> Option<BTreeMap<&'m str, ArmForm<'m>>> {
            let mut keys = BTreeMap::new();
            for arm in arms {
                match graph.form(arm.node) {
                    Form::Object(_) => {
                        // A declared object with one member is just that.
                        if graph.decl_of(arm.node).is_some() {
                            return None;
                        }
                        let (key, _) = tags::only_key(graph, arm.node)?;
                        if keys.insert(key, arm.clone()).is_some() {
                            return None;
                        }
                    }
                    Form::Literal(Literal::String(_)) => {}
                    _ => return None,
                }
            }
            Some(keys)
        };
        let texts = |graph: &Graph<'m>, arms: &[ArmForm<'m>]| -> BTreeMap<&'m str, ArmForm<'m>> {
            arms.iter()
                .filter_map(|arm| match graph.form(arm.node) {
                    Form::Literal(Literal::String(value)) => Some((value.as_str(), arm.clone())),
                    _ => None,
                })
                .collect()
        };
        let (Some(old_keys), Some(new_keys)) = (keys_of(self.old, &old.all), keys_of(self.new, &new.all)) else {
            return;
        };
        if old_keys.is_empty() && new_keys.is_empty() || old.all.len().max(new.all.len()) < 2 {
            return;
        }
        let emit = &Emit {
            shown: false,
            ..emit.clone()
        };
        let (old_texts, new_texts) = (texts(self.old, &old.left), texts(self.new, &new.left));
        for (key, arm) in &new_keys {
            if let Some(text) = old_texts.get(key) {
                self.arm_retyped_both(emit, key, text, arm);
                old.take(text.node);
                new.take(arm.node);
            }
        }
        for (key, arm) in &old_keys {
            if let Some(text) = new_texts.get(key) {
                self.arm_retyped_both(emit, key, arm, text);
                new.take(text.node);
                old.take(arm.node);
            }
        }
        let group = |arms: &Arms<'m>, keys: BTreeMap<&'m str, ArmForm<'m>>| -> Groups<'m> {
            keys.into_iter()
                .filter(|(_, arm)| arms.left.iter().any(|left| left.node == arm.node))
                .map(|(key, arm)| (key.to_owned(), vec![arm]))
                .collect()
        };
        let (mut olds, mut news) = (group(old, old_keys), group(new, new_keys));
        for key in olds.keys().cloned().collect::<Vec<_>>() {
            if let Some(to) = news.remove(&key) {
                let from = olds.remove(&key).unwrap_or_default();
                self.arm_pair(emit, &key, &from[0], &to[0]);
                old.take(from[0].node);
                new.take(to[0].node);
            }
        }
        for arm in olds.values().flatten() {
            old.take(arm.node);
        }
        for arm in news.values().flatten() {
            new.take(arm.node);
        }
        self.come_and_go(emit, olds, news, "", (None, None), (&old.all, &new.all));
    }
}
