//! Arms that a member tells apart: grouped by its value, and again inside a group.

use std::collections::{BTreeMap, BTreeSet};

use super::arms::{Arms, Emit, Groups};
use super::change::{Kind, Seg};
use super::graph::{ArmForm, Form, Graph, NodeId};
use super::roles::Role;
use super::tags;
use super::unions::{LIKE_ARM, carrier, keys};
use super::walk::{Spot, Walk};
use crate::event::ITEM_TAGS;
use crate::rules::{Facts, Fit};

impl<'m> Walk<'_, 'm> {
    /// Objects with a tag, group by group. `prefix` is the tag of the group around, `used` the tags that led here.
    pub(super) fn tagged(
        &mut self,
        emit: &Emit,
        old: &mut Arms<'m>,
        new: &mut Arms<'m>,
        hints: (Option<&'m str>, Option<&'m str>),
        prefix: &str,
        used: &(BTreeSet<&'m str>, BTreeSet<&'m str>),
    ) {
        let found = tags::of_both(
            (self.old, &old.all, hints.0),
            (self.new, &new.all, hints.1),
            (&used.0, &used.1),
        );
        let Some((old_tag, new_tag)) = found else {
            // What all arms share may still have changed.
            if prefix.is_empty() {
                self.constant_renamed(emit, (&old.all, &new.all), (&Groups::new(), &Groups::new()));
            }
            return;
        };
        let (old_groups, new_groups) = (group(self.old, &old.all, old_tag), group(self.new, &new.all, new_tag));
        let emit = &Emit {
            listed: ITEM_TAGS.contains(&new_tag),
            ..emit.clone()
        };
        if old_tag != new_tag {
            self.discriminator_renamed(emit, (old_tag, new_tag), &old.all, &new.all);
        }
        self.constant_renamed(emit, (&old.all, &new.all), (&old_groups, &new_groups));
        let used = {
            let mut used = used.clone();
            used.0.insert(old_tag);
            used.1.insert(new_tag);
            used
        };
        let (mut olds, mut news) = (old_groups.clone(), new_groups.clone());
        let mut pairs = Vec::new();
        for key in old_groups.keys() {
            if news.contains_key(key) {
                pairs.push((key.clone(), key.clone()));
                olds.remove(key);
                news.remove(key);
            }
        }
        // A tag that takes several values may have gained or lost one, and one arm may have become several or the reverse.
        let shares = |a: &str, b: &str| {
            let values: BTreeSet<&str> = a.split('|').collect();
            b.split('|').any(|value| values.contains(value))
        };
        for from in old_groups.keys() {
            let joined: Vec<&String> = new_groups.keys().filter(|to| *to != from && shares(from, to)).collect();
            for to in joined {
                olds.remove(from);
                news.remove(to);
                pairs.push((from.clone(), to.clone()));
                if from.contains('|') != to.contains('|') {
                    self.tell_told(&old_groups[from], &new_groups[to], (old_tag, new_tag));
                }
            }
        }
        for (from, to) in pairs {
            let key = if from.len() < to.len() { &from } else { &to };
            let (label, from) = (label_in(prefix, key), &old_groups[&from]);
            self.group_pair(emit, &label, from, &new_groups[&to], old, new, &used);
        }
        // Only what is not the same elsewhere has come or gone.
        let whole = |arms: &Arms<'m>, group: &[ArmForm<'m>]| group.iter().any(|arm| arms.is_left(arm.node));
        olds.retain(|_, arms| whole(old, arms));
        news.retain(|_, arms| whole(new, arms));
        for arm in olds.values().flatten() {
            old.take(arm.node);
        }
        for arm in news.values().flatten() {
            new.take(arm.node);
        }
        let all = (old.all.clone(), new.all.clone());
        let (mut olds, mut news) = self.tag_gained((emit, prefix), olds, news, old, new);
        if old_tag != new_tag {
            self.lost_with_tag(emit, prefix, &mut olds, &mut news);
        }
        self.come_and_go(
            emit,
            olds,
            news,
            prefix,
            (Some(old_tag), Some(new_tag)),
            (&all.0, &all.1),
        );
    }

    /// Two groups under one tag value.
    #[expect(clippy::too_many_arguments, reason = "two groups inside two unions")]
    pub(super) fn group_pair(
        &mut self,
        emit: &Emit,
        label: &str,
        from: &[ArmForm<'m>],
        to: &[ArmForm<'m>],
        old: &mut Arms<'m>,
        new: &mut Arms<'m>,
        used: &(BTreeSet<&'m str>, BTreeSet<&'m str>),
    ) {
        let old_left: Vec<_> = from.iter().filter(|arm| old.take(arm.node)).cloned().collect();
        let new_left: Vec<_> = to.iter().filter(|arm| new.take(arm.node)).cloned().collect();
        if let ([from], [to]) = (from, to) {
            // Arms of one form were set aside; visiting those again tells nothing.
            self.arm_pair(emit, label, from, to);
            return;
        }
        if old_left.is_empty() && new_left.is_empty() {
            return;
        }
        if self.nested_group(emit, label, from, to) {
            return;
        }
        let mut old = Arms {
            all: from.to_vec(),
            left: old_left,
        };
        let mut new = Arms {
            all: to.to_vec(),
            left: new_left,
        };
        let Seg::Arm { item: outer, .. } = emit.arm(label) else {
            return;
        };
        let emit = &Emit { outer, ..emit.clone() };
        self.tagged(emit, &mut old, &mut new, (None, None), label, used);
        self.untagged(emit, &mut old, &mut new, label);
        for arm in old.left {
            self.arm_gone(emit, label, label, &[arm]);
        }
        for arm in new.left {
            self.arm_added(emit, label, label, &[arm]);
        }
    }

    /// Where the tag itself was renamed, arms may have lost their value with it: paired by what they are made of.
    fn lost_with_tag(&mut self, emit: &Emit, prefix: &str, olds: &mut Groups<'m>, news: &mut Groups<'m>) {
        let mut ranked = Vec::new();
        for (from, old) in olds.iter() {
            for (to, new) in news.iter() {
                if let ([x], [y]) = (old.as_slice(), new.as_slice()) {
                    ranked.push((self.arm_likeness(x, y), from.clone(), to.clone()));
                }
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (&a.1, &a.2).cmp(&(&b.1, &b.2))));
        for (score, from, to) in ranked {
            if score >= LIKE_ARM && olds.contains_key(&from) && news.contains_key(&to) {
                let (Some(old), Some(new)) = (olds.remove(&from), news.remove(&to)) else {
                    continue;
                };
                self.arm_pair(emit, &label_in(prefix, &from), &old[0], &new[0]);
            }
        }
    }

    /// Several objects under one tag value that stand in one member of a single object now, or the reverse.
    fn nested_group(&mut self, emit: &Emit, label: &str, from: &[ArmForm<'m>], to: &[ArmForm<'m>]) -> bool {
        let (inner, many, outer, one, added) = match (from, to) {
            ([_, _, ..], [one]) => (self.old, from, self.new, one, true),
            ([one], [_, _, ..]) => (self.new, to, self.old, one, false),
            _ => return false,
        };
        let Form::Object(object) = outer.form(one.node) else {
            return false;
        };
        let known: BTreeSet<&str> = many.iter().flat_map(|arm| keys(inner, arm.node)).collect();
        let Some((name, field)) = carrier(outer, object, &known) else {
            return false;
        };
        let facts = Facts {
            nested: true,
            required: field.required,
            ..Facts::default()
        };
        let mut spot = emit.spot.clone();
        spot.tail.push(emit.arm(label));
        self.nested_member(&spot, added, name, &field, facts);
        true
    }

    /// Arms that had no tag and have one now, or the reverse, by what they are made of.
    fn tag_gained(
        &mut self,
        (emit, prefix): (&Emit, &str),
        mut olds: Groups<'m>,
        mut news: Groups<'m>,
        old: &mut Arms<'m>,
        new: &mut Arms<'m>,
    ) -> (Groups<'m>, Groups<'m>) {
        let objects = |graph: &Graph<'_>, arms: &[ArmForm<'m>]| -> Vec<ArmForm<'m>> {
            arms.iter()
                .filter(|arm| matches!(graph.form(arm.node), Form::Object(_)))
                .cloned()
                .collect()
        };
        let mut ranked = Vec::new();
        for (key, arms) in &news {
            for arm in objects(self.old, &old.left) {
                if let [only] = arms.as_slice() {
                    ranked.push((self.arm_likeness(&arm, only), arm, only.clone(), key.clone(), true));
                }
            }
        }
        for (key, arms) in &olds {
            for arm in objects(self.new, &new.left) {
                if let [only] = arms.as_slice() {
                    ranked.push((self.arm_likeness(only, &arm), only.clone(), arm, key.clone(), false));
                }
            }
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (score, from, to, key, gained) in ranked {
            let free = if gained {
                old.is_left(from.node) && news.contains_key(&key)
            } else {
                new.is_left(to.node) && olds.contains_key(&key)
            };
            if score >= LIKE_ARM && free {
                old.take(from.node);
                new.take(to.node);
                if gained {
                    news.remove(&key)
                } else {
                    olds.remove(&key)
                };
                self.arm_pair(emit, &label_in(prefix, &key), &from, &to);
            }
        }
        (olds, news)
    }

    /// The outer half of a tag of two members, changed in all arms alike.
    fn constant_renamed(
        &mut self,
        emit: &Emit,
        (old, new): (&[ArmForm<'m>], &[ArmForm<'m>]),
        (old_groups, new_groups): (&Groups<'m>, &Groups<'m>),
    ) {
        let (Some((name, from)), Some((other, to))) = (tags::constant(self.old, old), tags::constant(self.new, new))
        else {
            return;
        };
        let survive = old_groups.keys().filter(|key| new_groups.contains_key(*key)).count();
        if name != other || from == to || survive * 2 < old_groups.len().min(new_groups.len()) {
            return;
        }
        self.tell_told(old, new, (name, name));
        let emit = Emit {
            role: emit.role.max(Role::Stream),
            ..emit.clone()
        };
        self.arms_renamed(&emit, from, to, &old[0], &new[0]);
    }

    /// The tag itself got another name.
    fn discriminator_renamed(
        &mut self,
        emit: &Emit,
        (from, to): (&str, &str),
        old: &[ArmForm<'m>],
        new: &[ArmForm<'m>],
    ) {
        self.tell_told(old, new, (from, to));
        let (Some(x), Some(y)) = (old.first(), new.first()) else {
            return;
        };
        let (old_owner, old_site) = self.home(true, emit, x);
        let (new_owner, new_site) = self.home(false, emit, y);
        let spot = Spot {
            old_owner,
            new_owner,
            old_site,
            new_site,
            ..emit.spot.clone()
        };
        self.tell(
            &spot,
            Kind::Discriminator,
            format!("{from} -> {to}"),
            (from.into(), to.into()),
            Facts {
                fit: Fit::Apart,
                ..Facts::default()
            },
            (emit.old_node, emit.new_node),
        );
    }

    /// Notes that what changes in these members of these arms is told at the union.
    pub(super) fn tell_told(&mut self, old: &[ArmForm<'m>], new: &[ArmForm<'m>], (from, to): (&str, &str)) {
        for arm in old {
            note(self.old, arm, from, &mut self.told_old);
        }
        for arm in new {
            note(self.new, arm, to, &mut self.told_new);
        }
    }
}

fn note(graph: &Graph<'_>, arm: &ArmForm<'_>, tag: &str, told: &mut BTreeSet<(NodeId, String)>) {
    told.insert((arm.node, tag.to_owned()));
    if let Form::Object(object) = graph.form(arm.node)
        && let Some(field) = object.fields.get(tag)
    {
        told.insert((field.site, tag.to_owned()));
    }
}

/// The label of a tag value inside a group. Where one arm has several values, all of them, with `|` between.
pub(super) fn label_in(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        return key.to_owned();
    }
    let under = |outer: &str| -> Vec<String> { key.split('|').map(|inner| format!("{outer}/{inner}")).collect() };
    prefix.split('|').flat_map(under).collect::<Vec<_>>().join("|")
}

fn group<'m>(graph: &Graph<'m>, arms: &[ArmForm<'m>], tag: &str) -> Groups<'m> {
    let mut groups: Groups<'m> = BTreeMap::new();
    for arm in arms {
        if let Some(values) = tags::values(graph, arm.node, tag) {
            let key = values.into_iter().collect::<Vec<_>>().join("|");
            groups.entry(key).or_default().push(arm.clone());
        }
    }
    groups
}
