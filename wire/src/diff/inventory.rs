//! Every name that goes over the wire in one model, each once, where it is declared, under its shortest way.
//!
//! The same graph, roles and tags as the comparison has, so that what is listed here has the names that findings have: an
//! event, a path inside of it, a name. A type that many events share is listed once, as a change of it is told once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::direction::{self, Ways};
use super::graph::text::field_text;
use super::graph::{ArmForm, DeclId, Form, Graph, NodeId};
use super::reach::own_event;
use super::refs::Refs;
use super::roles::{Role, Roles, envelope};
use super::{DiffOptions, roots, tags};
use crate::event::{Answer, EventType, ITEM_TAGS};
use crate::finding::Direction;
use crate::model::{Literal, WireModel};
use crate::path::{Path, Step};

/// What kind of name it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameKind {
    /// An event of a stream.
    Event,
    /// A row of a table of requests or commands.
    Method,
    /// A declared type that is no event and stands in no other.
    Type,
    /// One of several forms inside something else.
    Variant,
    /// A member of an object.
    Field,
    /// One of the values that a string may have.
    EnumValue,
    /// A constant that a handshake sends.
    Constant,
    /// A flag of the command line.
    Flag,
    /// A value that a flag takes.
    Choice,
}

/// One name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WireName {
    /// What it is.
    pub kind: NameKind,
    /// The event it belongs to, the declared type where there is none, the subcommand of a flag (`""` for the program).
    pub holder: String,
    /// The shortest path to it inside of the holder, and for a variant or a value to where it stands; `""` for an event, a
    /// method or a type.
    pub path: String,
    /// The name alone, as it goes over the wire.
    pub name: String,
    /// The declared type that holds it.
    pub type_name: String,
    /// The nearest name around it in that type; with `type_name` and `name` it says which declaration it is.
    pub around: String,
    /// Which way it travels.
    pub direction: Direction,
    /// What it is made of, in a few words; `""` where the name says all.
    pub value: String,
}

/// The names of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// Sorted.
    pub names: Vec<WireName>,
    /// Holders and paths behind which names may stand that could not be read, sorted.
    pub unread: Vec<(String, String)>,
    /// Declared types that stand in spans that could not be read, sorted.
    pub hidden: Vec<String>,
}

/// Lists the names of `model`. `options` says where to start, as for the comparison.
pub fn inventory(model: &WireModel, options: &DiffOptions) -> Inventory {
    let graph = Graph::new(model);
    let refs = Refs::new(&graph);
    let ways = direction::directions(&graph, &refs, &options.directions);
    let roles = Roles::new(&graph, &refs, &ways);
    let mut walk = Walk {
        graph: &graph,
        ways: &ways,
        roles: &roles,
        told: BTreeMap::new(),
        unread: BTreeSet::new(),
        seen: BTreeSet::new(),
        queue: VecDeque::new(),
    };
    let starts: Vec<DeclId> = if options.roots.is_empty() {
        refs.tops.iter().copied().collect()
    } else {
        roots(&graph, &options.roots)
    };
    for start in starts {
        walk.start(start);
    }
    while let Some(spot) = walk.queue.pop_front() {
        walk.look_into(&spot);
    }
    let mut names: Vec<WireName> = walk.told.into_values().collect();
    names.extend(constants(model));
    names.extend(flags(model));
    names.sort();
    // Arms of a union share the path of the member it stands in.
    names.dedup_by(|b, a| (a.kind, &a.holder, &a.path, &a.name) == (b.kind, &b.holder, &b.path, &b.name));
    let hidden: BTreeSet<String> = model
        .degraded
        .iter()
        .flat_map(|one| one.hides.iter().cloned())
        .collect();
    Inventory {
        names,
        unread: walk.unread.into_iter().collect(),
        hidden: hidden.into_iter().collect(),
    }
}

/// A node on its shortest way.
struct Spot {
    node: NodeId,
    holder: EventType,
    path: Path,
    /// The arms of the node are events.
    stream: bool,
    /// The member that told it apart from its siblings.
    tag: Option<String>,
}

struct Walk<'a, 'm> {
    graph: &'a Graph<'m>,
    ways: &'a [Ways],
    roles: &'a Roles<'a, 'm>,
    /// By the node that declares it and its name.
    told: BTreeMap<(NodeId, NameKind, String), WireName>,
    unread: BTreeSet<(String, String)>,
    seen: BTreeSet<NodeId>,
    queue: VecDeque<Spot>,
}

impl Walk<'_, '_> {
    fn start(&mut self, decl: DeclId) {
        let graph = self.graph;
        let (node, _) = graph.resolved(graph.decls[decl].root);
        let ty = graph.decl(decl);
        let stream = matches!(graph.form(node), Form::Union(_)) && self.roles.of(node) > Role::Nested;
        let event = own_event(graph, node);
        let name = event.clone().unwrap_or_else(|| ty.name.clone());
        let holder = EventType::of(name.clone());
        if !stream {
            let kind = if event.is_some() {
                NameKind::Event
            } else {
                NameKind::Type
            };
            self.tell(node, kind, decl, node, &holder, &Path::frame(), &name, String::new());
        }
        self.queue.push_back(Spot {
            node,
            holder,
            path: Path::frame(),
            stream,
            tag: None,
        });
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one name")]
    fn tell(
        &mut self,
        site: NodeId,
        kind: NameKind,
        owner: DeclId,
        node: NodeId,
        holder: &EventType,
        path: &Path,
        name: &str,
        value: String,
    ) {
        let graph = self.graph;
        self.told
            .entry((site, kind, name.to_owned()))
            .or_insert_with(|| WireName {
                kind,
                holder: holder.to_string(),
                path: path.to_string(),
                name: name.to_owned(),
                type_name: graph.decl(owner).name.clone(),
                around: graph.nodes[site].name.to_owned(),
                direction: direction::direction(self.ways[graph.nodes[node].target]),
                value,
            });
    }

    fn look_into(&mut self, spot: &Spot) {
        let graph = self.graph;
        let node = graph.nodes[spot.node].target;
        if !self.seen.insert(node) {
            return;
        }
        match &graph.nodes[node].form {
            Form::Array(item) => self.below(spot, *item, Some(Step::Items)),
            Form::Map(value) => self.below(spot, *value, Some(Step::AnyMember)),
            Form::Tuple(items) => {
                for item in items {
                    self.below(spot, *item, Some(Step::Items));
                }
            }
            Form::Object(object) => {
                if !object.holes.is_empty() {
                    self.unread.insert(spot.address());
                }
                let carried = (spot.path == Path::frame()).then(|| envelope(graph, node)).flatten();
                for (name, field) in &object.fields {
                    let exact = matches!(graph.form(field.node), Form::Literal(Literal::String(_)));
                    if exact && spot.tag.as_deref() == Some(*name) {
                        continue;
                    }
                    let path = spot.path.member(name);
                    self.tell(
                        field.site,
                        NameKind::Field,
                        field.owner,
                        field.node,
                        &spot.holder,
                        &path,
                        name,
                        field_text(graph, field.node, field.required),
                    );
                    self.queue.push_back(Spot {
                        node: field.node,
                        holder: spot.holder.clone(),
                        path,
                        stream: carried.is_some_and(|(carrier, _)| carrier == *name),
                        tag: None,
                    });
                }
            }
            Form::Union(_) => self.arms(spot, node),
            Form::Unresolved(_) => {
                self.unread.insert(spot.address());
            }
            _ => {}
        }
    }

    fn below(&mut self, spot: &Spot, node: NodeId, step: Option<Step>) {
        self.queue.push_back(Spot {
            node,
            holder: spot.holder.clone(),
            path: spot.path.steps().iter().cloned().chain(step).collect(),
            stream: false,
            tag: None,
        });
    }

    fn arms(&mut self, spot: &Spot, node: NodeId) {
        let graph = self.graph;
        let arms = graph.arms(node);
        let table = spot.stream && self.roles.of(node) == Role::Table;
        let literals = arms
            .iter()
            .filter(|arm| matches!(graph.form(arm.node), Form::Literal(_)))
            .count();
        for (label, tag, arm) in labelled(graph, node, &arms) {
            if let Form::Literal(literal) = graph.form(arm.node) {
                if literals > 1 {
                    let value = match literal {
                        Literal::String(value) => value.clone(),
                        other => other.to_string(),
                    };
                    let kind = NameKind::EnumValue;
                    self.tell(
                        arm.site,
                        kind,
                        arm.owner,
                        arm.node,
                        &spot.holder,
                        &spot.path,
                        &value,
                        String::new(),
                    );
                }
                continue;
            }
            let Some(label) = label else {
                self.below(spot, arm.node, None);
                continue;
            };
            let (kind, holder, path) = match (spot.stream, table) {
                (true, true) => (NameKind::Method, EventType::of(label.clone()), spot.path.clone()),
                (true, false) => (NameKind::Event, EventType::of(label.clone()), spot.path.clone()),
                (false, _) => (
                    NameKind::Variant,
                    spot.holder.clone(),
                    into_arm(&spot.path, &label, tag.as_deref()),
                ),
            };
            let told = if spot.stream { Path::frame() } else { spot.path.clone() };
            self.tell(
                arm.site,
                kind,
                arm.owner,
                arm.node,
                &holder,
                &told,
                &label,
                String::new(),
            );
            if let Some(result) = arm.result {
                self.queue.push_back(Spot {
                    node: result,
                    holder: holder.clone().answered(Answer::Result),
                    path: Path::frame().member("result"),
                    stream: false,
                    tag: None,
                });
            }
            self.queue.push_back(Spot {
                node: arm.node,
                holder,
                path,
                stream: false,
                tag,
            });
        }
    }
}

impl Spot {
    fn address(&self) -> (String, String) {
        (self.holder.to_string(), self.path.to_string())
    }
}

/// The path into an arm: items of a list are kept under their tag, all other arms share the path of their union.
fn into_arm(path: &Path, label: &str, tag: Option<&str>) -> Path {
    match path.steps().split_last() {
        Some((Step::Items, before)) if tag.is_some_and(|tag| ITEM_TAGS.contains(&tag)) => {
            let value = label.split('/').next().unwrap_or(label);
            before.iter().cloned().chain([Step::Tagged(value.to_owned())]).collect()
        }
        _ => path.clone(),
    }
}

/// The arms of a union with what tells each apart, and the member that holds it.
fn labelled<'m>(
    graph: &Graph<'m>,
    node: NodeId,
    arms: &[ArmForm<'m>],
) -> Vec<(Option<String>, Option<String>, ArmForm<'m>)> {
    let Some(tag) = tags::of_one(graph, node) else {
        let by_name = |arm: &ArmForm<'m>| {
            if !matches!(graph.form(arm.node), Form::Object(_)) {
                return None;
            }
            let declared = graph.decl_of(arm.node).map(|decl| graph.decl(decl).name.as_str());
            let key = tags::only_key(graph, arm.node).map(|(key, _)| key);
            key.or(declared).or(arm.name).map(str::to_owned)
        };
        return arms.iter().map(|arm| (by_name(arm), None, arm.clone())).collect();
    };
    let mut groups: BTreeMap<&str, Vec<&ArmForm<'m>>> = BTreeMap::new();
    let mut rest = Vec::new();
    for arm in arms {
        match tags::values(graph, arm.node, tag) {
            Some(values) => values
                .into_iter()
                .for_each(|value| groups.entry(value).or_default().push(arm)),
            None => rest.push((None, None, arm.clone())),
        }
    }
    let mut all = Vec::new();
    for (value, group) in groups {
        let group: Vec<ArmForm<'m>> = group.into_iter().cloned().collect();
        let second = (group.len() > 1)
            .then(|| tags::find(graph, &group, None, &BTreeSet::from([tag])))
            .flatten();
        for arm in group {
            let inner = second.and_then(|second| tags::values(graph, arm.node, second));
            match inner {
                Some(inner) => {
                    for one in inner {
                        all.push((Some(format!("{value}/{one}")), Some(tag.to_owned()), arm.clone()));
                    }
                }
                None => all.push((Some(value.to_owned()), Some(tag.to_owned()), arm)),
            }
        }
    }
    all.extend(rest);
    all
}

fn constants(model: &WireModel) -> impl Iterator<Item = WireName> {
    let in_scope = model.constants.iter().filter(|(_, constant)| constant.in_scope);
    in_scope.map(|(name, constant)| WireName {
        kind: NameKind::Constant,
        holder: String::new(),
        path: String::new(),
        name: name.clone(),
        type_name: String::new(),
        around: String::new(),
        direction: Direction::Unknown,
        value: constant.value.to_string(),
    })
}

/// Flags are told with those that a command of the scope takes from elsewhere.
fn flags(model: &WireModel) -> impl Iterator<Item = WireName> {
    model.flags.iter().flat_map(|flag| {
        let one = |kind: NameKind, path: String, name: &str, value: String| WireName {
            kind,
            holder: flag.command.clone(),
            path,
            name: name.to_owned(),
            type_name: String::new(),
            around: flag.name.clone(),
            direction: Direction::Input,
            value,
        };
        let aliases = flag.aliases.join(", ");
        let choices = flag
            .choices
            .iter()
            .map(move |choice| one(NameKind::Choice, flag.name.clone(), choice, String::new()));
        std::iter::once(one(NameKind::Flag, String::new(), &flag.name, aliases)).chain(choices)
    })
}
