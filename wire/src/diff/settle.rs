//! From what the walk met to what is told: duplicates dropped, changes of a whole kind folded into one, ways and
//! witnesses added.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::change::{Change, Kind, PairId, Seg};
use super::direction::{self, Ways};
use super::graph::{DeclId, Form, Graph, NodeId};
use super::names;
use super::reach::{Reach, Way};
use super::roles::Role;
use super::streams;
use super::tags;
use super::told::Told;
use super::walk::Walk;
use super::witness::{Leaf, Step, witness};
use crate::finding::{Direction, ReachedBy};
use crate::model::{Evidence, Literal, Place, Stability};
use crate::rules::Facts;

/// At most this many ways are listed with a finding.
const WAYS: usize = 20;

/// The models as the settling needs them.
pub(super) struct Settle<'a, 'm> {
    pub(super) walk: &'a Walk<'a, 'm>,
    pub(super) reach: Reach<'a>,
    pub(super) old_ways: &'a [Ways],
    pub(super) new_ways: &'a [Ways],
    /// Declared lists of the new model that are open wherever they stand.
    pub(super) open_lists: BTreeSet<DeclId>,
}

impl Settle<'_, '_> {
    pub(super) fn tell(&self, changes: Vec<Change>) -> Vec<Told> {
        let mut changes: Vec<Change> = changes.into_iter().filter(|change| self.in_scope(change)).collect();
        self.drop_told_tags(&mut changes);
        self.drop_repeating_enums(&mut changes);
        self.drop_told_payloads(&mut changes);
        join_spelled_out(&mut changes);
        let mut told = self.fold_formats(&mut changes);
        told.extend(self.fold_usage(&mut changes));
        told.extend(changes.iter().map(|change| self.told(change)));
        told
    }

    fn in_scope(&self, change: &Change) -> bool {
        let (old, new) = (change.old_owner, change.new_owner);
        old.is_some_and(|id| self.walk.old.decl(id).in_scope) || new.is_some_and(|id| self.walk.new.decl(id).in_scope)
    }

    /// What changed in a tag is told at its union.
    fn drop_told_tags(&self, changes: &mut Vec<Change>) {
        let walk = self.walk;
        let members = |graph: &Graph<'_>, told: &BTreeSet<(NodeId, String)>| -> BTreeSet<NodeId> {
            told.iter()
                .filter_map(|(node, tag)| match graph.form(*node) {
                    Form::Object(object) => object.fields.get(tag.as_str()),
                    _ => None,
                })
                .map(|field| graph.resolved(field.node).0)
                .collect()
        };
        let (old_tags, new_tags) = (members(walk.old, &walk.told_old), members(walk.new, &walk.told_new));
        for change in changes.iter_mut() {
            let values = matches!(change.kind, Kind::EnumAdded | Kind::EnumRemoved | Kind::EnumRenamed);
            if matches!(
                change.kind,
                Kind::ArmAdded | Kind::ArmRemoved | Kind::ArmRenamed | Kind::Discriminator
            ) {
                continue;
            }
            change.positions.retain(|position| {
                let (a, b) = walk.compared[position.pair];
                match position.tail.first() {
                    Some(Seg::Field(name)) => {
                        !walk.told_old.contains(&(a, name.clone())) && !walk.told_new.contains(&(b, name.clone()))
                    }
                    // The values of a tag that have a pair of their own.
                    _ => !(values && (old_tags.contains(&a) || new_tags.contains(&b))),
                }
            });
        }
        changes.retain(|change| !change.positions.is_empty());
    }

    /// An enum that only repeats the tags of a stream is told there.
    fn drop_repeating_enums(&self, changes: &mut Vec<Change>) {
        let polarity = |kind: Kind| match kind {
            Kind::ArmAdded | Kind::EnumAdded => 1,
            Kind::ArmRemoved | Kind::EnumRemoved => 2,
            Kind::ArmRenamed | Kind::EnumRenamed => 3,
            _ => 0,
        };
        let mut arms: BTreeMap<(u8, String), Vec<BTreeSet<String>>> = BTreeMap::new();
        for change in changes.iter() {
            if matches!(change.kind, Kind::ArmAdded | Kind::ArmRemoved | Kind::ArmRenamed) {
                let events = change.positions.iter().map(|position| {
                    let (a, b) = self.walk.compared[position.pair];
                    let mut events = streams::events(self.walk.old, a);
                    events.extend(streams::events(self.walk.new, b));
                    events
                });
                arms.entry((polarity(change.kind), change.name.clone()))
                    .or_default()
                    .extend(events);
            }
        }
        changes.retain(|change| {
            if !matches!(change.kind, Kind::EnumAdded | Kind::EnumRemoved | Kind::EnumRenamed) {
                return true;
            }
            let Some(streams) = arms.get(&(polarity(change.kind), change.name.clone())) else {
                return true;
            };
            let mut values = change
                .old_owner
                .map(|id| literals(self.walk.old, id))
                .unwrap_or_default();
            values.extend(
                change
                    .new_owner
                    .map(|id| literals(self.walk.new, id))
                    .unwrap_or_default(),
            );
            !streams.iter().any(|events| repeats(events, &values))
        });
    }

    /// What a method takes and gives is told with the method, not again in a list of all that is taken or given.
    fn drop_told_payloads(&self, changes: &mut Vec<Change>) {
        let mut told: BTreeSet<(Kind, String)> = BTreeSet::new();
        for change in changes.iter().filter(|change| change.role == Role::Table) {
            let (graph, added) = match change.kind {
                Kind::ArmAdded => (self.walk.new, true),
                Kind::ArmRemoved => (self.walk.old, false),
                _ => continue,
            };
            for position in &change.positions {
                let Some(row) = (if added { position.new } else { position.old }) else {
                    continue;
                };
                let (a, b) = self.walk.compared[position.pair];
                let table = graph.arms(if added { b } else { a });
                let answer = table.iter().find(|arm| arm.node == row).and_then(|arm| arm.result);
                let taken = match graph.form(row) {
                    Form::Object(object) => object.fields.get("params").map(|field| field.node),
                    _ => None,
                };
                let names = taken.into_iter().chain(answer).filter_map(|node| graph.decl_of(node));
                told.extend(names.map(|decl| (change.kind, graph.decl(decl).name.clone())));
            }
        }
        changes.retain(|change| change.role != Role::Nested || !told.contains(&(change.kind, change.name.clone())));
    }

    /// A stream of which fewer than a fifth of the events survive is told once.
    fn fold_formats(&self, changes: &mut Vec<Change>) -> Vec<Told> {
        let mut told = Vec::new();
        for (pair, (a, b)) in self.walk.compared.iter().enumerate() {
            let stream = self.walk.old_roles.of(*a) == Role::Stream && self.walk.new_roles.of(*b) == Role::Stream;
            let ways = self.old_ways[*a] | self.new_ways[*b];
            if !stream || direction::direction(ways) == Direction::Input {
                continue;
            }
            let (before, after) = (streams::events(self.walk.old, *a), streams::events(self.walk.new, *b));
            let here = |change: &Change| {
                matches!(change.kind, Kind::ArmAdded | Kind::ArmRemoved | Kind::ArmRenamed)
                    && change
                        .positions
                        .iter()
                        .any(|position| position.pair == pair && position.tail.len() == 1)
            };
            if !streams::is_another(&before, &after) || !changes.iter().any(here) {
                continue;
            }
            let decl = self.walk.new.nodes[*b].owner;
            told.push(Told {
                direction: direction::direction(ways),
                ..streams::format_changed(self.walk.new.decl(decl), &before, &after)
            });
            changes.retain(|change| !here(change));
        }
        told
    }

    /// A usage object that lost most of its counters is told as a whole.
    fn fold_usage(&self, changes: &mut Vec<Change>) -> Vec<Told> {
        let mut lost: BTreeMap<(DeclId, PairId), usize> = BTreeMap::new();
        for change in changes.iter() {
            if let (Kind::FieldRemoved | Kind::FieldRenamed, Some(owner)) = (change.kind, change.old_owner)
                && is_usage(&self.walk.old.decl(owner).name)
            {
                for position in &change.positions {
                    *lost.entry((owner, position.pair)).or_default() += 1;
                }
            }
        }
        let mut told = Vec::new();
        let mut folded = BTreeSet::new();
        for ((owner, pair), count) in lost {
            let (a, b) = self.walk.compared[pair];
            let (Form::Object(before), Form::Object(after)) = (self.walk.old.form(a), self.walk.new.form(b)) else {
                continue;
            };
            if count < 2 || count * 2 < before.fields.len() || !folded.insert(owner) {
                continue;
            }
            let here = |change: &Change| {
                matches!(change.kind, Kind::FieldAdded | Kind::FieldRemoved | Kind::FieldRenamed)
                    && change.positions.iter().any(|position| position.pair == pair)
            };
            let Some(first) = changes.iter().find(|change| here(change)).cloned() else {
                continue;
            };
            let mut whole = first;
            for position in &mut whole.positions {
                position.tail.clear();
                (position.old, position.new) = (Some(a), Some(b));
            }
            whole.facts = Facts::default();
            let names =
                |fields: Vec<&&str>| Value::from(fields.into_iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
            whole.before = names(before.fields.keys().collect());
            whole.after = names(after.fields.keys().collect());
            self.walk.new.nodes[b].name.clone_into(&mut whole.name);
            changes.retain(|change| !here(change));
            told.push(Told {
                rule: "usage_shape_changed",
                ..self.told(&whole)
            });
        }
        told
    }

    fn told(&self, change: &Change) -> Told {
        let (old, new) = (self.walk.old, self.walk.new);
        let removed = matches!(change.kind, Kind::FieldRemoved | Kind::ArmRemoved | Kind::EnumRemoved);
        let owner = match (removed, change.old_owner, change.new_owner) {
            (true, Some(id), _) | (false, Some(id), None) => Some(old.decl(id)),
            (_, _, Some(id)) => Some(new.decl(id)),
            _ => None,
        };
        let ways = self.ways(change);
        let best = ways.first();
        let place = owner.map_or_else(Place::default, |ty| Place {
            file: ty.place.file.clone(),
            line: if change.line > 0 { change.line } else { ty.place.line },
        });
        let mut direction = 0;
        for position in &change.positions {
            let (a, b) = self.walk.compared[position.pair];
            let ways = self.old_ways[a] | self.new_ways[b];
            direction |= if position.tail.contains(&Seg::Result) {
                direction::turned(ways)
            } else {
                ways
            };
        }
        let marked = |id: Option<DeclId>, graph: &Graph<'_>| {
            id.is_none_or(|id| graph.decl(id).stability == Stability::Experimental)
        };
        let (rule, mut facts) = rule_of(change, owner.map_or("", |ty| ty.name.as_str()));
        facts.request |= self.asks(change);
        facts.open |= matches!(change.kind, Kind::EnumAdded | Kind::EnumRemoved)
            && change.new_owner.is_some_and(|id| self.open_lists.contains(&id));
        Told {
            rule,
            type_name: owner.map(|ty| ty.name.clone()),
            wire_name: Some(change.name.clone()),
            event_type: best.filter(|way| way.is_event).map(|way| way.event.clone()),
            path: best.map(|way| way.path.clone()).filter(|path| !path.is_empty()),
            arms: best.map(|way| way.arms.clone()).unwrap_or_default(),
            reached_by: best.is_some().then(|| ReachedBy {
                count: ways.len(),
                first: ways
                    .iter()
                    .take(WAYS)
                    .map(|way| (way.event.clone(), way.path.clone()))
                    .collect(),
            }),
            direction: direction::direction(direction),
            before: change.before.clone(),
            after: change.after.clone(),
            facts,
            experimental: change.experimental || (marked(change.old_owner, old) && marked(change.new_owner, new)),
            weak: owner.is_some_and(|ty| ty.evidence == Evidence::Literal),
            place,
            witness: best.and_then(|way| self.witness(change, way, removed)),
            ..Told::default()
        }
    }

    fn ways(&self, change: &Change) -> Vec<Way> {
        let mut ways: Vec<Way> = change
            .positions
            .iter()
            .flat_map(|position| self.reach.ways(position))
            .collect();
        if ways.iter().any(|way| way.is_event) {
            ways.retain(|way| way.is_event);
        } else if ways.iter().any(|way| way.outermost) {
            ways.retain(|way| way.outermost);
        }
        ways.sort();
        let mut seen = BTreeSet::new();
        ways.retain(|way| seen.insert((way.event.clone(), way.path.clone())));
        ways
    }

    /// Whether an arm is a request that waits for its answer: a method with an id.
    fn asks(&self, change: &Change) -> bool {
        change.kind == Kind::ArmAdded
            && change.positions.iter().filter_map(|position| position.new).any(|node| {
                let Form::Object(object) = self.walk.new.form(node) else {
                    return false;
                };
                object.fields.get("id").is_some_and(|id| id.required)
                    && tags::values(self.walk.new, node, "method").is_some()
                    && !object.fields.contains_key("type")
            })
    }

    /// The smallest frame on the side that has the change.
    fn witness(&self, change: &Change, way: &Way, removed: bool) -> Option<Value> {
        let position = change
            .positions
            .iter()
            .find(|position| way.steps.last().map_or(way.start, |(_, pair)| *pair) == position.pair)?;
        let side = |old: bool, leaf: Leaf<'_>| {
            let graph = if old { self.walk.old } else { self.walk.new };
            let node = |pair: PairId| {
                let (a, b) = self.walk.compared[pair];
                if old { a } else { b }
            };
            let steps: Vec<Step<'_>> = way
                .steps
                .iter()
                .map(|(segs, pair)| (segs.as_slice(), node(*pair)))
                .collect();
            witness(graph, node(way.start), &steps, &position.tail, leaf)
        };
        match change.kind {
            Kind::Optionality
                if change.facts.looser && change.after.as_str().is_some_and(|text| text.starts_with("optional")) =>
            {
                side(false, Leaf::Absent)
            }
            Kind::Optionality if change.facts.looser => side(false, Leaf::Value(&Value::Null)),
            Kind::Optionality if change.before.as_str().is_some_and(|text| text.starts_with("optional")) => {
                side(true, Leaf::Absent)
            }
            Kind::Optionality => side(true, Leaf::Value(&Value::Null)),
            Kind::EnumRemoved => side(true, Leaf::Value(&change.before)),
            Kind::EnumAdded | Kind::EnumRenamed => side(false, Leaf::Value(&change.after)),
            _ if removed => side(true, Leaf::Node(position.old?)),
            _ => side(false, Leaf::Node(position.new?)),
        }
    }
}

/// One change of one declaration that the other side spells out in several places.
fn join_spelled_out(changes: &mut Vec<Change>) {
    for side in [|change: &Change| change.new_site, |change: &Change| change.old_site] {
        let mut first: BTreeMap<_, usize> = BTreeMap::new();
        let mut kept: Vec<Change> = Vec::with_capacity(changes.len());
        for change in changes.drain(..) {
            let both = change.old_site.is_some() && change.new_site.is_some();
            let Some(site) = side(&change).filter(|_| both) else {
                kept.push(change);
                continue;
            };
            let texts = (change.before.to_string(), change.after.to_string());
            let key = (change.kind, site, change.name.clone(), texts);
            if let Some(index) = first.get(&key) {
                kept[*index].positions.extend(change.positions);
            } else {
                first.insert(key, kept.len());
                kept.push(change);
            }
        }
        *changes = kept;
    }
}

/// The rule of a change, `owner` being the declared type that holds it.
fn rule_of(change: &Change, owner: &str) -> (&'static str, Facts) {
    let facts = Facts {
        answer: change.role == Role::Answers,
        ..change.facts
    };
    let by_role = |event, method, variant| match change.role {
        Role::Stream => event,
        Role::Table | Role::Answers => method,
        Role::Nested => variant,
    };
    let names_events = is_event_enum(owner);
    let rule = match change.kind {
        Kind::FieldAdded => "field_added",
        Kind::FieldRemoved => "field_removed",
        Kind::FieldRenamed => "field_renamed",
        Kind::TypeChanged => "field_type_changed",
        Kind::Optionality => "field_optionality_changed",
        Kind::Discriminator => "discriminator_renamed",
        Kind::EnumAdded if is_output_format(owner) => {
            return ("output_format_changed", Facts { fresh: true, ..facts });
        }
        Kind::EnumAdded if names_events => "event_added",
        Kind::EnumRemoved if names_events => "event_removed",
        Kind::EnumRenamed if names_events => "event_renamed",
        Kind::EnumAdded => "enum_value_added",
        Kind::EnumRemoved => "enum_value_removed",
        Kind::EnumRenamed => "enum_value_renamed",
        Kind::ArmAdded => by_role("event_added", "method_added", "variant_added"),
        Kind::ArmRemoved => by_role("event_removed", "method_removed", "variant_removed"),
        Kind::ArmRenamed => by_role("event_renamed", "method_renamed", "variant_renamed"),
    };
    (rule, facts)
}

/// Whether one of two sets of names is, but for a few, a part of the other.
fn repeats(events: &BTreeSet<String>, values: &BTreeSet<String>) -> bool {
    let both = events.intersection(values).count();
    both * 4 >= events.len().min(values.len()) * 3 && (both > 2 || both == events.len())
}

/// Every exact string that a declared type is made of.
fn literals(graph: &Graph<'_>, id: DeclId) -> BTreeSet<String> {
    graph
        .arms(graph.decls[id].root)
        .iter()
        .filter_map(|arm| match graph.form(arm.node) {
            Form::Literal(Literal::String(value)) => Some(value.clone()),
            _ => None,
        })
        .collect()
}

fn is_usage(name: &str) -> bool {
    names::words(name)
        .iter()
        .any(|word| matches!(word.as_str(), "usage" | "stats" | "tokens" | "token"))
}

fn is_output_format(name: &str) -> bool {
    names::bare(name).ends_with("outputformat")
}

/// An enum whose values are the names of events, by its own name: `PayloadType`, `SessionEventType`.
fn is_event_enum(name: &str) -> bool {
    let words = names::words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    matches!(
        words.as_slice(),
        [
            ..,
            "event" | "payload" | "message" | "notification" | "frame",
            "type" | "kind"
        ]
    )
}
