//! The walk over pairs of types, from paired roots down.
//!
//! A pair of nodes is compared once, whatever leads to it, so circles end and shared types cost nothing twice. Pairs of
//! the same class are never entered. Each pair that is entered is kept with the steps that lead to it, for the paths
//! that findings show.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use super::change::{Change, Changes, Kind, PairId, Position, Seg};
use super::graph::classes::Classes;
use super::graph::text::{spelled, text};
use super::graph::{DeclId, FieldForm, Form, Graph, NodeId};
use super::pairs::{self, Pairs};
use super::retype;
use super::roles::{Role, Roles};
use super::tags;
use crate::event::ITEM_TAGS;
use crate::rules::Facts;

/// Beyond this many pairs of types the rest is left out, and said to be.
const PAIR_BUDGET: usize = 1_000_000;
/// How alike two types must be to be compared in detail although their names were never the same type.
const LIKE_FRESH: f64 = 0.3;
const LIKE_INLINED: f64 = 0.7;

/// Steps from one pair to another.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) from: PairId,
    pub(super) segs: Vec<Seg>,
    pub(super) to: PairId,
}

/// A place that has a name on the wire, in both models: where a change is told.
#[derive(Clone)]
pub(super) struct Spot {
    pub(super) pair: PairId,
    pub(super) tail: Vec<Seg>,
    pub(super) name: String,
    pub(super) old_owner: DeclId,
    pub(super) new_owner: DeclId,
    pub(super) old_site: NodeId,
    pub(super) new_site: NodeId,
    pub(super) line: u32,
    pub(super) experimental: bool,
}

/// The walk and what it has found.
pub(super) struct Walk<'a, 'm> {
    pub(super) old: &'a Graph<'m>,
    pub(super) new: &'a Graph<'m>,
    pub(super) classes: &'a Classes,
    pub(super) pairs: &'a Pairs,
    pub(super) old_roles: &'a Roles<'a, 'm>,
    pub(super) new_roles: &'a Roles<'a, 'm>,
    /// The compared pairs of nodes, aliases followed.
    pub(super) compared: Vec<(NodeId, NodeId)>,
    index: BTreeMap<(NodeId, NodeId), PairId>,
    queue: VecDeque<PairId>,
    pub(super) links: Vec<Link>,
    pub(super) changes: Changes,
    /// Comparisons that came down to something unread, in words.
    pub(super) doubts: BTreeSet<String>,
    /// Tag members whose change is told at their union.
    pub(super) told_old: BTreeSet<(NodeId, String)>,
    pub(super) told_new: BTreeSet<(NodeId, String)>,
}

impl<'a, 'm> Walk<'a, 'm> {
    pub(super) fn new(
        (old, new): (&'a Graph<'m>, &'a Graph<'m>),
        classes: &'a Classes,
        pairs: &'a Pairs,
        (old_roles, new_roles): (&'a Roles<'a, 'm>, &'a Roles<'a, 'm>),
    ) -> Self {
        Self {
            old,
            new,
            classes,
            pairs,
            old_roles,
            new_roles,
            compared: Vec::new(),
            index: BTreeMap::new(),
            queue: VecDeque::new(),
            links: Vec::new(),
            changes: Changes::default(),
            doubts: BTreeSet::new(),
            told_old: BTreeSet::new(),
            told_new: BTreeSet::new(),
        }
    }

    /// Compares two declared types and all they lead to. Gives their pair when they differ. `outer` says for each
    /// whether nothing else leads to it.
    pub(super) fn root(&mut self, old: DeclId, new: DeclId, outer: (bool, bool)) -> Option<PairId> {
        let (a, b) = (self.old.decls[old].root, self.new.decls[new].root);
        let ((a, a_null), (b, b_null)) = (self.old.resolved(a), self.new.resolved(b));
        let same = self.classes.old[a] == self.classes.new[b];
        if same && a_null == b_null {
            return None;
        }
        let (from, to) = (&self.old.nodes[a].form, &self.new.nodes[b].form);
        let compound = is_compound(from, to) && *from != Form::Any && *to != Form::Any;
        // What became another name for another type is told where it is referred to.
        let named = (self.old.decl_of(a) != Some(old), self.new.decl_of(b) != Some(new));
        if !compound
            && matches!(
                (named, outer),
                ((true, false), (_, false)) | ((false, true), (false, _))
            )
        {
            return None;
        }
        let pair = self.enter(a, b);
        let spot = Spot {
            name: self.new.decl(new).name.clone(),
            old_owner: old,
            new_owner: new,
            ..self.spot_of(pair)
        };
        if a_null != b_null {
            self.optionality(&spot, (Presence::always(a_null), a), (Presence::always(b_null), b));
        }
        if same {
            return Some(pair);
        }
        // Scalars and lists as roots have no pair of their own to be told in.
        if !compound {
            self.compare_at(&spot, a, b, true);
        }
        Some(pair)
    }

    /// Works off everything that was entered.
    pub(super) fn run(&mut self) {
        while let Some(pair) = self.queue.pop_front() {
            let (a, b) = self.compared[pair];
            let spot = self.spot_of(pair);
            match (&self.old.nodes[a].form, &self.new.nodes[b].form) {
                (Form::Object(_), Form::Object(_)) => self.objects(pair, a, b),
                (Form::Array(x), Form::Array(y)) => self.items(&spot, *x, *y),
                (Form::Map(x), Form::Map(y)) => self.below(&spot, Seg::Wild, *x, *y),
                (Form::Tuple(xs), Form::Tuple(ys)) => {
                    for (index, (x, y)) in xs.clone().into_iter().zip(ys.clone()).enumerate() {
                        self.below(&spot, Seg::Index(index), x, y);
                    }
                }
                (Form::Union(_), _) | (_, Form::Union(_)) => {
                    self.unions(&spot, a, b, false);
                }
                _ => {}
            }
        }
    }

    /// The index of the pair of two targets; a new one is queued.
    fn enter(&mut self, a: NodeId, b: NodeId) -> PairId {
        if let Some(pair) = self.index.get(&(a, b)) {
            return *pair;
        }
        let pair = self.compared.len();
        self.compared.push((a, b));
        self.index.insert((a, b), pair);
        if pair >= PAIR_BUDGET {
            self.doubts.insert(format!(
                "more than {PAIR_BUDGET} pairs of types differ; the rest was not compared"
            ));
        } else {
            self.queue.push_back(pair);
        }
        pair
    }

    /// Compares two nodes one or more steps below a pair, in full.
    pub(super) fn visit(&mut self, from: PairId, segs: Vec<Seg>, a: NodeId, b: NodeId) {
        let ((a, _), (b, _)) = (self.old.resolved(a), self.new.resolved(b));
        if self.classes.old[a] == self.classes.new[b] {
            return;
        }
        let to = self.enter(a, b);
        if to != from || !segs.is_empty() {
            self.links.push(Link { from, segs, to });
        }
    }

    /// The spot that the nodes of a pair stand at by themselves.
    fn spot_of(&self, pair: PairId) -> Spot {
        let (a, b) = self.compared[pair];
        let (old, new) = (&self.old.nodes[a], &self.new.nodes[b]);
        Spot {
            pair,
            tail: Vec::new(),
            name: new.name.to_owned(),
            old_owner: old.owner,
            new_owner: new.owner,
            old_site: a,
            new_site: b,
            line: new.line,
            experimental: old.experimental && new.experimental,
        }
    }

    /// Compares what lists, maps and tuples are made of. What changes as a whole is told at the spot around it.
    fn below(&mut self, around: &Spot, seg: Seg, a: NodeId, b: NodeId) {
        let mut spot = around.clone();
        spot.tail.push(seg);
        self.relate(&spot, a, b);
    }

    /// Compares the items of two lists. Those of one kind, which carry their tag, are kept under it.
    fn items(&mut self, around: &Spot, a: NodeId, b: NodeId) {
        let tag = |graph: &Graph<'_>, node: NodeId| {
            let node = graph.resolved(node).0;
            let values = ITEM_TAGS.iter().find_map(|tag| tags::values(graph, node, tag))?;
            Some(values.into_iter().collect::<Vec<_>>().join("|"))
        };
        let (old, new) = (tag(self.old, a), tag(self.new, b));
        let mut spot = around.clone();
        spot.tail.push(Seg::Items);
        if let Some(label) = old.filter(|old| Some(old) == new.as_ref()) {
            let item = label.split('|').next().map(str::to_owned);
            spot.tail.push(Seg::Arm { label, item });
        }
        self.relate(&spot, a, b);
    }

    /// Compares the types that stand at a spot.
    pub(super) fn relate(&mut self, spot: &Spot, a: NodeId, b: NodeId) {
        let ((x, x_null), (y, y_null)) = (self.old.resolved(a), self.new.resolved(b));
        if self.classes.old[x] == self.classes.new[y] {
            if x_null != y_null {
                self.optionality(spot, (Presence::always(x_null), a), (Presence::always(y_null), b));
            }
            return;
        }
        let whole = self.compare_at(spot, a, b, false);
        if !whole && x_null != y_null {
            self.optionality(spot, (Presence::always(x_null), a), (Presence::always(y_null), b));
        }
    }

    /// Compares two types that are not of one class, leaving aside whether `null` may stand there. Gives whether the
    /// change is told as a whole at the spot.
    pub(super) fn compare_at(&mut self, spot: &Spot, a: NodeId, b: NodeId, own: bool) -> bool {
        let (x, y) = (self.old.resolved(a).0, self.new.resolved(b).0);
        let (from, to) = (&self.old.nodes[x].form, &self.new.nodes[y].form);
        if let Form::Unresolved(what) = from {
            self.doubts
                .insert(format!("the old type of {} could not be read: {what}", spot.name));
            return false;
        }
        if let Form::Unresolved(what) = to {
            self.doubts
                .insert(format!("the new type of {} could not be read: {what}", spot.name));
            return false;
        }
        let unions = matches!((from, to), (Form::Union(_), _) | (_, Form::Union(_)));
        let literals = matches!((from, to), (Form::Literal(_), _) | (_, Form::Literal(_)));
        match (from, to) {
            (Form::Any, Form::Union(union)) | (Form::Union(union), Form::Any) if union.open => false,
            (Form::Object(object), Form::Map(_)) | (Form::Map(_), Form::Object(object)) if object.fields.is_empty() => {
                false
            }
            _ if from == &Form::Any || to == &Form::Any => self.type_changed(spot, a, b),
            _ if own && (unions || literals) => self.unions(spot, x, y, false),
            _ => match self.step(x, y) {
                Step::Whole => self.type_changed(spot, a, b),
                Step::Spot if unions || literals => self.unions(spot, x, y, true),
                Step::Near if unions || literals => self.unions(spot, x, y, false),
                _ if unions => {
                    self.visit(spot.pair, spot.tail.clone(), x, y);
                    false
                }
                _ if literals && same_family(from, to) => self.unions(spot, x, y, false),
                _ if is_compound(from, to) => {
                    self.visit(spot.pair, spot.tail.clone(), x, y);
                    false
                }
                Step::Own if self.old.decl_of(x).is_some() && self.new.decl_of(y).is_some() => {
                    self.declared_changed(spot, x, y)
                }
                _ => self.type_changed(spot, a, b),
            },
        }
    }

    /// Tells that a declared type which holds no members became another, where it is declared.
    fn declared_changed(&mut self, spot: &Spot, x: NodeId, y: NodeId) -> bool {
        let (Some(old), Some(new)) = (self.old.decl_of(x), self.new.decl_of(y)) else {
            return self.type_changed(spot, x, y);
        };
        let at = Spot {
            name: self.new.decl(new).name.clone(),
            old_owner: old,
            new_owner: new,
            old_site: x,
            new_site: y,
            line: self.new.nodes[y].line,
            experimental: self.old.nodes[x].experimental && self.new.nodes[y].experimental,
            ..spot.clone()
        };
        let facts = Facts {
            fit: retype::fit(self.old, x, self.new, y, self.classes),
            ..Facts::default()
        };
        let (mut before, mut after) = (text(self.old, x), text(self.new, y));
        if before == after {
            (before, after) = (spelled(self.old, x), spelled(self.new, y));
        }
        let texts = (before.into(), after.into());
        self.tell(&at, Kind::TypeChanged, at.name.clone(), texts, facts, (x, y));
        true
    }

    /// Whether a reference still means the type it meant.
    fn step(&self, x: NodeId, y: NodeId) -> Step {
        let (a, b) = (self.old.decl_of(x), self.new.decl_of(y));
        let known_old = a.is_some_and(|a| self.pairs.new_of(a).is_some());
        let known_new = b.is_some_and(|b| self.pairs.old_of(b).is_some());
        let objects = |form: &Form<'_>| matches!(form, Form::Object(_));
        let both_objects = objects(&self.old.nodes[x].form) && objects(&self.new.nodes[y].form);
        let like = |least: f64| pairs::likeness(self.old, x, self.new, y) >= least;
        match (a, b) {
            (None, None) => Step::Own,
            (Some(a), Some(b)) if self.pairs.new_of(a) == Some(b) => Step::Own,
            (Some(_), Some(_)) if known_old || known_new => {
                if self.is_enum(x, y) {
                    Step::Spot
                } else {
                    Step::Whole
                }
            }
            (Some(_), Some(_)) => {
                if like(LIKE_FRESH) || !both_objects {
                    Step::Own
                } else {
                    Step::Whole
                }
            }
            _ if !(known_old || known_new) => {
                if both_objects {
                    Step::Own
                } else {
                    Step::Near
                }
            }
            _ if !both_objects => Step::Spot,
            _ => {
                if like(LIKE_INLINED) {
                    Step::Own
                } else {
                    Step::Whole
                }
            }
        }
    }

    /// Both are nothing but exact values.
    fn is_enum(&self, x: NodeId, y: NodeId) -> bool {
        let literals = |graph: &Graph<'_>, node: NodeId| {
            graph
                .arms(node)
                .iter()
                .all(|arm| matches!(graph.form(arm.node), Form::Literal(_) | Form::String))
        };
        literals(self.old, x) && literals(self.new, y)
    }

    /// Tells that a type changed as a whole. Always true.
    pub(super) fn type_changed(&mut self, spot: &Spot, a: NodeId, b: NodeId) -> bool {
        let facts = Facts {
            fit: retype::fit(self.old, a, self.new, b, self.classes),
            ..Facts::default()
        };
        let (mut before, mut after) = (self.site_text(true, spot, a), self.site_text(false, spot, b));
        if before == after {
            (before, after) = (spelled(self.old, a), spelled(self.new, b));
        }
        self.tell(
            spot,
            Kind::TypeChanged,
            spot.name.clone(),
            (before.into(), after.into()),
            facts,
            (a, b),
        );
        true
    }

    /// The text of a node with the list around it, so that `X[]` does not read as `X`.
    fn site_text(&self, old: bool, spot: &Spot, node: NodeId) -> String {
        let graph = if old { self.old } else { self.new };
        let inner = text(graph, node);
        spot.tail
            .iter()
            .rev()
            .take_while(|seg| matches!(seg, Seg::Items | Seg::Wild))
            .fold(inner, |inner, seg| match seg {
                Seg::Items if inner.contains(" | ") => format!("({inner})[]"),
                Seg::Items => format!("{inner}[]"),
                _ => format!("map<{inner}>"),
            })
    }

    /// Tells that a value may now be absent or `null`, or may no longer be.
    pub(super) fn optionality(&mut self, spot: &Spot, (old, a): (Presence, NodeId), (new, b): (Presence, NodeId)) {
        // A `null` that has a declared name is an arm, and told there.
        let named =
            |graph: &Graph<'_>, node: NodeId| matches!(graph.form(node), Form::Union(union) if !union.nulls.is_empty());
        if old.required == new.required && (named(self.old, a) || named(self.new, b)) {
            return;
        }
        // A type that is `null` or not by its own declaration is told there, not wherever it is referred to.
        if old.required == new.required
            && old.defaulted == new.defaulted
            && let (Some(x), Some(y)) = (self.old.decl_of(a), self.new.decl_of(b))
            && (a, b) != (self.old.decls[x].root, self.new.decls[y].root)
            && self.pairs.new_of(x) == Some(y)
            && self.old.nodes[self.old.decls[x].root].null == old.null
            && self.new.nodes[self.new.decls[y].root].null == new.null
            && old.null != new.null
        {
            return;
        }
        // Who did without the key and took `null` for it does so still, where the key may be left out.
        let lost_null = old.null && !new.null;
        let facts = Facts {
            stricter: (new.required && !old.required) || (old.null && !new.null),
            looser: (old.required && !new.required) || (new.null && !old.null),
            asked: (new.asked() && !old.asked()) || (lost_null && (new.required || !old.defaulted)),
            unasked: (old.asked() && !new.asked()) || (new.null && !old.null),
            ..Facts::default()
        };
        let texts = (old.text().into(), new.text().into());
        self.tell(spot, Kind::Optionality, spot.name.clone(), texts, facts, (a, b));
    }

    /// Adds a change that both sides hold.
    pub(super) fn tell(
        &mut self,
        spot: &Spot,
        kind: Kind,
        name: String,
        (before, after): (Value, Value),
        facts: Facts,
        (a, b): (NodeId, NodeId),
    ) {
        self.changes.add(Change {
            kind,
            old_site: Some(spot.old_site),
            new_site: Some(spot.new_site),
            name,
            before,
            after,
            old_owner: Some(spot.old_owner),
            new_owner: Some(spot.new_owner),
            line: spot.line,
            experimental: spot.experimental,
            facts,
            role: Role::Nested,
            positions: vec![Position {
                pair: spot.pair,
                tail: spot.tail.clone(),
                old: Some(a),
                new: Some(b),
            }],
        });
    }
}

enum Step {
    /// Follow it: the change, if any, is inside.
    Own,
    /// Compare its arms here: a type got a name of its own, or lost it.
    Near,
    /// Compare its arms here, since what is inside did not change.
    Spot,
    /// It means another type now.
    Whole,
}

/// Whether a value is there.
#[derive(Clone, Copy)]
pub(super) struct Presence {
    /// It is always written.
    pub(super) required: bool,
    /// A reader can do without it all the same.
    pub(super) defaulted: bool,
    /// It may be `null`.
    pub(super) null: bool,
}

impl Presence {
    fn always(null: bool) -> Self {
        Self {
            required: true,
            defaulted: false,
            null,
        }
    }

    pub(super) fn of(field: &FieldForm<'_>) -> Self {
        Self {
            required: field.required,
            defaulted: field.defaulted,
            null: false,
        }
    }

    /// A reader refuses a frame without it.
    fn asked(self) -> bool {
        self.required && !self.defaulted
    }

    fn text(self) -> String {
        let mut text = if self.required { "required" } else { "optional" }.to_owned();
        if self.defaulted {
            text.push_str(", with a default");
        }
        if self.null {
            text.push_str(", may be null");
        }
        text
    }
}

/// Both are made of other nodes in the same way, so that the change can be told inside them.
fn is_compound(a: &Form<'_>, b: &Form<'_>) -> bool {
    match (a, b) {
        (Form::Tuple(xs), Form::Tuple(ys)) => xs.len() == ys.len(),
        (Form::Object(_), Form::Object(_))
        | (Form::Array(_), Form::Array(_))
        | (Form::Map(_), Form::Map(_))
        | (Form::Union(_), _)
        | (_, Form::Union(_)) => true,
        _ => false,
    }
}

/// Literals of one JSON kind, which are compared as values.
fn same_family(a: &Form<'_>, b: &Form<'_>) -> bool {
    matches!((a, b), (Form::Literal(_), Form::Literal(_))) && retype::same_kind(a, b)
}
