//! Telling what happened to the arms of a union.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::change::{Change, Kind, Position, Seg};
use super::graph::text::text;
use super::graph::{ArmForm, DeclId, FieldForm, Form, Graph, NodeId};
use super::groups::label_in;
use super::names;
use super::roles::Role;
use super::walk::{Spot, Walk};
use crate::model::Literal;
use crate::rules::Facts;

/// How alike two tag values must be to be one that was renamed.
const LIKE_VALUE: f64 = 0.6;
/// The share of payload that an arm keeps when it is renamed and changed at once.
const LIKE_PAYLOAD: f64 = 0.5;

/// The arms of one side.
pub(super) struct Arms<'m> {
    pub(super) all: Vec<ArmForm<'m>>,
    /// Those that are not accounted for yet.
    pub(super) left: Vec<ArmForm<'m>>,
}

impl Arms<'_> {
    pub(super) fn is_left(&self, node: NodeId) -> bool {
        self.left.iter().any(|arm| arm.node == node)
    }

    /// Takes the arm off what is left; whether it was there.
    pub(super) fn take(&mut self, node: NodeId) -> bool {
        let before = self.left.len();
        self.left.retain(|arm| arm.node != node);
        self.left.len() != before
    }
}

/// How the changes of one pair of unions are told.
#[derive(Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each with a meaning of its own"
)]
pub(super) struct Emit {
    pub(super) spot: Spot,
    pub(super) role: Role,
    pub(super) old_node: NodeId,
    pub(super) new_node: NodeId,
    /// Readers were told to expect other arms.
    pub(super) open: bool,
    pub(super) old_components: BTreeSet<DeclId>,
    pub(super) new_components: BTreeSet<DeclId>,
    /// The unions are declared elsewhere and did not change there: told at the spot that refers to them.
    pub(super) foreign: bool,
    /// The new side has arms that could not be read, so that what seems gone may be among them.
    pub(super) doubt_gone: bool,
    /// The same for the old side and what seems added.
    pub(super) doubt_added: bool,
    /// The arms are told apart by a tag, not by their only key.
    pub(super) shown: bool,
    /// That tag is one that items of a list are kept under.
    pub(super) listed: bool,
    /// The value of such a tag further out.
    pub(super) outer: Option<String>,
    /// The old side is one object without the tag that tells the new arms apart.
    pub(super) lone: bool,
}

impl Emit {
    /// The step into an arm.
    pub(super) fn arm(&self, label: &str) -> Seg {
        let first = || label.split('|').next().unwrap_or(label).to_owned();
        Seg::Arm {
            label: label.to_owned(),
            item: self.outer.clone().or_else(|| (self.shown && self.listed).then(first)),
        }
    }
}

/// Arms by the value of their tag.
pub(super) type Groups<'m> = BTreeMap<String, Vec<ArmForm<'m>>>;

/// A member of a payload: its name, whether it is required, its wire form, whether it may be `null`.
type Part = (String, bool, u64, bool);

/// The payloads of arms, by the node of the arm.
struct Payloads {
    whole: BTreeMap<NodeId, BTreeSet<Part>>,
    own: BTreeMap<NodeId, BTreeSet<Part>>,
}

impl<'m> Walk<'_, 'm> {
    /// Two arms that are one: whatever changed is inside.
    pub(super) fn arm_pair(&mut self, emit: &Emit, label: &str, from: &ArmForm<'m>, to: &ArmForm<'m>) {
        let mut segs = emit.spot.tail.clone();
        segs.push(emit.arm(label));
        self.visit(emit.spot.pair, segs.clone(), from.node, to.node);
        if let (Some(x), Some(y)) = (from.result, to.result) {
            segs.push(Seg::Result);
            let spot = Spot {
                tail: segs,
                name: label.to_owned(),
                old_owner: from.owner,
                new_owner: to.owner,
                old_site: x,
                new_site: y,
                line: to.line,
                experimental: from.experimental && to.experimental,
                ..emit.spot.clone()
            };
            self.relate(&spot, x, y);
        }
    }

    /// Groups of arms that are on one side only: renamed where the payload or the name says so, else gone and added.
    pub(super) fn come_and_go(
        &mut self,
        emit: &Emit,
        mut olds: Groups<'m>,
        mut news: Groups<'m>,
        prefix: &str,
        tags: (Option<&'m str>, Option<&'m str>),
        (old_all, new_all): (&[ArmForm<'m>], &[ArmForm<'m>]),
    ) {
        let payloads = (
            self.payloads(true, old_all, tags.0),
            self.payloads(false, new_all, tags.1),
        );
        // What is left alone after the sure ones may be one too.
        loop {
            let found = renames(&olds, &news, &payloads);
            if found.is_empty() {
                break;
            }
            for (from, to) in found {
                let (Some(old), Some(new)) = (olds.remove(&from), news.remove(&to)) else {
                    continue;
                };
                if let (Some(old_tag), Some(new_tag)) = tags {
                    self.tell_told(&old, &new, (old_tag, new_tag));
                }
                self.arms_renamed(emit, &from, &to, &old[0], &new[0]);
                if emit.shown {
                    self.arm_pair(emit, &label_in(prefix, &to), &old[0], &new[0]);
                }
            }
        }
        for (key, arms) in olds {
            self.arm_gone(emit, &key, &label_in(prefix, &key), &arms);
        }
        for (key, arms) in news {
            self.arm_added(emit, &key, &label_in(prefix, &key), &arms);
        }
    }

    /// What each arm carries beside its tag: all of it, and what not all of them carry.
    fn payloads(&self, old: bool, arms: &[ArmForm<'m>], tag: Option<&str>) -> Payloads {
        let whole: BTreeMap<NodeId, BTreeSet<Part>> = arms
            .iter()
            .map(|arm| (arm.node, self.payload(old, arm, tag).into_iter().collect()))
            .collect();
        let mut own = whole.clone();
        if whole.len() > 2 {
            let mut all = whole.values();
            let first = all.next().cloned().unwrap_or_default();
            let shared = all.fold(first, |shared, payload| &shared & payload);
            for payload in own.values_mut() {
                payload.retain(|part| !shared.contains(part));
            }
        }
        Payloads { whole, own }
    }

    /// What an arm carries beside its tag, comparable over both models.
    fn payload(&self, old: bool, arm: &ArmForm<'m>, tag: Option<&str>) -> Vec<Part> {
        let (graph, classes) = if old {
            (self.old, &self.classes.old)
        } else {
            (self.new, &self.classes.new)
        };
        let Form::Object(object) = graph.form(arm.node) else {
            return Vec::new();
        };
        let of = |node: NodeId| {
            let (target, null) = graph.resolved(node);
            (classes[target], null)
        };
        match (tag, object.fields.values().next()) {
            // Without a tag member the only key is the tag, and the payload is behind it.
            (None, Some(field)) if object.fields.len() == 1 => {
                let (class, null) = of(field.node);
                vec![(String::new(), field.required, class, null)]
            }
            _ => object
                .fields
                .iter()
                .filter(|(name, _)| Some(**name) != tag)
                .map(|(name, field)| {
                    let (class, null) = of(field.node);
                    ((*name).to_owned(), field.required, class, null)
                })
                .collect(),
        }
    }

    pub(super) fn arms_renamed(&mut self, emit: &Emit, from: &str, to: &str, x: &ArmForm<'m>, y: &ArmForm<'m>) {
        let (old_owner, old_site) = self.home(true, emit, x);
        let (new_owner, new_site) = self.home(false, emit, y);
        self.changes.add(Change {
            kind: Kind::ArmRenamed,
            old_site: Some(old_site),
            new_site: Some(new_site),
            name: format!("{from} -> {to}"),
            before: from.into(),
            after: to.into(),
            old_owner: Some(old_owner),
            new_owner: Some(new_owner),
            line: y.line,
            experimental: experimental(self.old, x) && experimental(self.new, y),
            facts: Facts {
                request: y.result.is_some(),
                ..Facts::default()
            },
            role: emit.role,
            positions: vec![position(emit, to, Some(x.node), Some(y.node))],
        });
    }

    /// An arm, or all arms under one tag value, that is gone.
    pub(super) fn arm_gone(&mut self, emit: &Emit, name: &str, label: &str, arms: &[ArmForm<'m>]) {
        let Some(arm) = arms.first() else { return };
        if emit.doubt_gone {
            self.doubts.insert(format!(
                "{name} may be an arm of {} that could not be read",
                emit.spot.name
            ));
            return;
        }
        let (owner, site) = self.home(true, emit, arm);
        self.changes.add(Change {
            kind: Kind::ArmRemoved,
            old_site: Some(site),
            new_site: None,
            name: name.to_owned(),
            before: arms_text(self.old, arms),
            after: Value::Null,
            old_owner: Some(owner),
            new_owner: self.pairs.new_of(owner).or(Some(emit.spot.new_owner)),
            line: arm.line,
            experimental: arms.iter().all(|arm| experimental(self.old, arm)),
            facts: Facts {
                open: emit.open,
                request: arm.result.is_some(),
                ..Facts::default()
            },
            role: emit.role,
            positions: vec![position(emit, label, Some(arm.node), None)],
        });
    }

    /// An arm, or all arms under one tag value, that is new.
    pub(super) fn arm_added(&mut self, emit: &Emit, name: &str, label: &str, arms: &[ArmForm<'m>]) {
        let Some(arm) = arms.first() else { return };
        if emit.doubt_added {
            self.doubts.insert(format!(
                "{name} may be an arm of {} that could not be read",
                emit.spot.name
            ));
            return;
        }
        let (owner, site) = self.home(false, emit, arm);
        self.changes.add(Change {
            kind: Kind::ArmAdded,
            old_site: None,
            new_site: Some(site),
            name: name.to_owned(),
            before: Value::Null,
            after: arms_text(self.new, arms),
            old_owner: self.pairs.old_of(owner).or(Some(emit.spot.old_owner)),
            new_owner: Some(owner),
            line: arm.line,
            // That there are several forms now changes a stable type, whatever the new ones are marked as.
            experimental: !emit.lone && arms.iter().all(|arm| experimental(self.new, arm)),
            facts: Facts {
                open: emit.open && !emit.lone,
                untold: emit.lone,
                request: arm.result.is_some(),
                ..Facts::default()
            },
            role: emit.role,
            positions: vec![position(emit, label, None, Some(arm.node))],
        });
    }

    /// An arm that is `null` on one side.
    pub(super) fn arm_retyped(
        &mut self,
        emit: &Emit,
        name: &str,
        new: Option<&ArmForm<'m>>,
        old: Option<&ArmForm<'m>>,
    ) {
        let shown = |graph: &Graph<'m>, arm: Option<&ArmForm<'m>>| match arm {
            Some(arm) => Value::from(text(graph, arm.node)),
            None => Value::from("null"),
        };
        let texts = (shown(self.old, old), shown(self.new, new));
        let mut spot = emit.spot.clone();
        spot.tail.push(emit.arm(name));
        let nodes = (
            old.map_or(emit.old_node, |arm| arm.node),
            new.map_or(emit.new_node, |arm| arm.node),
        );
        self.tell(
            &spot,
            Kind::TypeChanged,
            name.to_owned(),
            texts,
            Facts::default(),
            nodes,
        );
    }

    /// A variant that was just a string and is an object now, or the reverse.
    pub(super) fn arm_retyped_both(&mut self, emit: &Emit, name: &str, old: &ArmForm<'m>, new: &ArmForm<'m>) {
        self.arm_retyped(emit, name, Some(new), Some(old));
    }

    /// The declared type and the node that an arm belongs to: the union that lists it where the other side is made of
    /// that union too, else the one that is compared.
    pub(super) fn home(&self, old: bool, emit: &Emit, arm: &ArmForm<'m>) -> (DeclId, NodeId) {
        let (spot_owner, spot_site, node) = if old {
            (emit.spot.old_owner, emit.spot.old_site, emit.old_node)
        } else {
            (emit.spot.new_owner, emit.spot.new_site, emit.new_node)
        };
        if emit.foreign {
            return (spot_owner, spot_site);
        }
        let shared = |owner: DeclId| {
            let (other, components) = if old {
                (self.pairs.new_of(owner), &emit.new_components)
            } else {
                (self.pairs.old_of(owner), &emit.old_components)
            };
            other.is_some_and(|other| components.contains(&other))
        };
        std::iter::once((arm.owner, arm.site))
            .chain(arm.outer.iter().copied())
            .find(|(owner, site)| *site == node || *owner == spot_owner || shared(*owner))
            .unwrap_or((spot_owner, node))
    }

    /// The member that the arms of a union moved into or out of.
    pub(super) fn nested_member(&mut self, spot: &Spot, added: bool, name: &str, field: &FieldForm<'m>, facts: Facts) {
        let graph = if added { self.new } else { self.old };
        let mut tail = spot.tail.clone();
        tail.push(Seg::Field(name.to_owned()));
        let shown = Value::from(super::graph::text::field_text(graph, field.node, field.required));
        self.changes.add(Change {
            kind: if added { Kind::FieldAdded } else { Kind::FieldRemoved },
            old_site: (!added).then_some(field.site),
            new_site: added.then_some(field.site),
            name: name.to_owned(),
            before: if added { Value::Null } else { shown.clone() },
            after: if added { shown } else { Value::Null },
            old_owner: Some(if added { spot.old_owner } else { field.owner }),
            new_owner: Some(if added { field.owner } else { spot.new_owner }),
            line: field.line,
            experimental: field.experimental,
            facts,
            role: Role::Nested,
            positions: vec![Position {
                pair: spot.pair,
                tail,
                old: (!added).then_some(field.node),
                new: added.then_some(field.node),
            }],
        });
    }
}

/// The groups that are one arm under another name, each at most once, the surest first.
fn renames(olds: &Groups<'_>, news: &Groups<'_>, payloads: &(Payloads, Payloads)) -> Vec<(String, String)> {
    let alone = olds.len() == 1 && news.len() == 1;
    let mut ranked = Vec::new();
    for (from, old) in olds {
        for (to, new) in news {
            if let ([x], [y]) = (old.as_slice(), new.as_slice())
                && let Some(score) = rename_score((from, x.node), (to, y.node), alone, payloads)
            {
                ranked.push((score, from.clone(), to.clone()));
            }
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (&a.1, &a.2).cmp(&(&b.1, &b.2))));
    let (mut from, mut to) = (BTreeSet::new(), BTreeSet::new());
    let free = ranked.into_iter().filter(|(_, a, b)| {
        let free = !from.contains(a) && !to.contains(b);
        if free {
            from.insert(a.clone());
            to.insert(b.clone());
        }
        free
    });
    free.map(|(_, a, b)| (a, b)).collect()
}

/// How sure it is that one arm became the other under another name; `None` when it did not.
fn rename_score(
    (from, x): (&str, NodeId),
    (to, y): (&str, NodeId),
    alone: bool,
    (old, new): &(Payloads, Payloads),
) -> Option<f64> {
    let like = names::likeness(from, to);
    let (a, b) = (old.own.get(&x)?, new.own.get(&y)?);
    let equal = a == b || old.whole.get(&x) == new.whole.get(&y);
    // A payload that other arms have too says nothing; one of its own does.
    let only = |payloads: &Payloads, payload: &BTreeSet<Part>| {
        payloads.own.values().filter(|other| *other == payload).count() == 1
    };
    let telling = !a.is_empty() && a == b && only(old, a) && only(new, b);
    let most = a.len().max(b.len());
    #[expect(clippy::cast_precision_loss, reason = "counts of members")]
    let kept = if most == 0 {
        1.0
    } else {
        a.intersection(b).count() as f64 / most as f64
    };
    if equal && (telling || like >= LIKE_VALUE || alone) {
        Some(2.0 + like)
    } else if (kept >= LIKE_PAYLOAD && alone) || like >= 0.8 {
        Some(like + kept)
    } else {
        None
    }
}

fn position(emit: &Emit, label: &str, old: Option<NodeId>, new: Option<NodeId>) -> Position {
    let mut tail = emit.spot.tail.clone();
    tail.push(emit.arm(label));
    Position {
        pair: emit.spot.pair,
        tail,
        old,
        new,
    }
}

fn experimental(graph: &Graph<'_>, arm: &ArmForm<'_>) -> bool {
    arm.experimental || graph.nodes[arm.node].experimental
}

fn arms_text(graph: &Graph<'_>, arms: &[ArmForm<'_>]) -> Value {
    arms.iter()
        .map(|arm| text(graph, arm.node))
        .collect::<Vec<_>>()
        .join(" | ")
        .into()
}

/// The JSON value that a literal is.
pub(super) fn literal_json(literal: &Literal) -> Value {
    match literal {
        Literal::String(text) => Value::from(text.as_str()),
        Literal::Number(text) => text
            .parse::<serde_json::Number>()
            .map_or_else(|_| Value::from(text.as_str()), Value::from),
        Literal::Boolean(value) => Value::from(*value),
    }
}
