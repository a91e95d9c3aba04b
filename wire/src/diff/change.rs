//! A change as it is met while walking, and the list that keeps each change once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::graph::{DeclId, NodeId};
use super::roles::Role;
use crate::rules::Facts;

/// Index of a compared pair of nodes.
pub(super) type PairId = usize;

/// A step from a node to what it is made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seg {
    /// A member.
    Field(String),
    /// The items of a list.
    Items,
    /// One position of a tuple.
    Index(usize),
    /// The values of an object whose keys are data.
    Wild,
    /// An arm of a union; `label` are its tag values with `|` between, `item` the one that items of a list are kept
    /// under.
    Arm { label: String, item: Option<String> },
    /// The answer to a request.
    Result,
}

/// Where a change is: a compared pair, the steps from there, and the nodes they lead to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Position {
    pub(super) pair: PairId,
    pub(super) tail: Vec<Seg>,
    pub(super) old: Option<NodeId>,
    pub(super) new: Option<NodeId>,
}

/// What kind of change; with the declaring nodes and the name it says whether two changes are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    FieldAdded,
    FieldRemoved,
    FieldRenamed,
    TypeChanged,
    Optionality,
    EnumAdded,
    EnumRemoved,
    EnumRenamed,
    ArmAdded,
    ArmRemoved,
    ArmRenamed,
    Discriminator,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) kind: Kind,
    /// The nodes that declare it, in each model.
    pub(super) old_site: Option<NodeId>,
    pub(super) new_site: Option<NodeId>,
    /// The wire name, `old -> new` for a rename.
    pub(super) name: String,
    pub(super) before: Value,
    pub(super) after: Value,
    /// The declared types that hold it.
    pub(super) old_owner: Option<DeclId>,
    pub(super) new_owner: Option<DeclId>,
    pub(super) line: u32,
    pub(super) experimental: bool,
    pub(super) facts: Facts,
    /// What the union is, for arms and enum values.
    pub(super) role: Role,
    pub(super) positions: Vec<Position>,
}

type Key = (Kind, Option<NodeId>, Option<NodeId>, String);

/// The changes so far, in the order they were met.
#[derive(Debug, Default)]
pub(super) struct Changes {
    list: Vec<Change>,
    known: BTreeMap<Key, usize>,
}

impl Changes {
    /// Adds `change`, or its positions where it is known.
    pub(super) fn add(&mut self, change: Change) {
        let key = (change.kind, change.old_site, change.new_site, change.name.clone());
        if let Some(index) = self.known.get(&key) {
            let known = &mut self.list[*index];
            known.role = known.role.max(change.role);
            known.facts.collides |= change.facts.collides;
            for position in change.positions {
                if !known.positions.contains(&position) {
                    known.positions.push(position);
                }
            }
            return;
        }
        self.known.insert(key, self.list.len());
        self.list.push(change);
    }

    pub(super) fn into_list(self) -> Vec<Change> {
        self.list
    }
}
