//! What a union is in its protocol: a stream of events, a table of methods, the answers to them, or just one of several
//! forms somewhere inside. The rule an arm stands under follows from it.

use std::collections::BTreeSet;

use super::direction::Ways;
use super::graph::{Form, Graph, NodeId};
use super::names;
use super::refs::Refs;
use super::tags;
use crate::model::Literal;

/// What a union is. Later ones win when a union is several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// One of several forms inside something else.
    Nested,
    /// Answers, keyed by what was asked.
    Answers,
    /// Requests and commands.
    Table,
    /// Events and notifications.
    Stream,
}

/// The roles of the unions of one model.
pub(super) struct Roles<'a, 'm> {
    graph: &'a Graph<'m>,
    refs: &'a Refs,
    ways: &'a [Ways],
    enveloped: BTreeSet<NodeId>,
}

/// Only into the CLI.
const IN: Ways = 2;

impl<'a, 'm> Roles<'a, 'm> {
    pub(super) fn new(graph: &'a Graph<'m>, refs: &'a Refs, ways: &'a [Ways]) -> Self {
        let enveloped = refs
            .tops
            .iter()
            .filter_map(|top| envelope(graph, graph.resolved(graph.decls[*top].root).0).map(|(_, union)| union))
            .collect();
        Self {
            graph,
            refs,
            ways,
            enveloped,
        }
    }

    /// The role of `node`, which is a union or the only arm of one.
    pub(super) fn of(&self, node: NodeId) -> Role {
        let graph = self.graph;
        let arms = graph.arms(node);
        let decl = graph.decl_of(node);
        let name = decl.map_or(graph.nodes[node].name, |decl| graph.decl(decl).name.as_str());
        let words = names::words(name);
        let outermost = decl.is_some_and(|decl| self.refs.tops.contains(&decl)) || self.enveloped.contains(&node);
        let tag = tags::of_one(graph, node);
        let constant = tags::constant(graph, &arms);
        let goes_in = self.ways[node] == IN;
        if arms.iter().any(|arm| arm.result.is_some()) {
            return Role::Table;
        }
        if constant.is_some_and(|(_, value)| {
            matches!(
                names::words(value).last().map(String::as_str),
                Some("response" | "result")
            )
        }) {
            return Role::Answers;
        }
        // A request that is part of something else is no table of methods.
        let part = !outermost && tag.is_some_and(|tag| tag != "method");
        if let Some(role) = role_of_words(&words, constant.is_some()).filter(|role| *role != Role::Table || !part) {
            return role;
        }
        let speaks = words.iter().any(|word| SPEAKING.contains(&word.as_str()));
        match tag {
            None if constant.is_some() && outermost && speaks && !goes_in => Role::Stream,
            Some("role") | None => Role::Nested,
            Some("method") if constant.is_none() && goes_in => Role::Table,
            Some("method") if constant.is_none() => Role::Stream,
            Some(tag) if tags::names_events(tag) && (outermost && speaks || self.enveloped.contains(&node)) => {
                if goes_in && constant.is_none() {
                    Role::Table
                } else {
                    Role::Stream
                }
            }
            Some(_) => Role::Nested,
        }
    }

    /// Whether the name of a declared type says that it is a stream or a table.
    pub(super) fn says_so(name: &str) -> bool {
        let words = names::words(name);
        role_of_words(&words, false).is_some() || words.iter().any(|word| SPEAKING.contains(&word.as_str()))
    }
}

/// Words of types that are spoken over a pipe as a whole, rather than parts of something.
const SPEAKING: [&str; 14] = [
    "event",
    "events",
    "message",
    "messages",
    "msg",
    "notification",
    "notifications",
    "response",
    "request",
    "frame",
    "packet",
    "rpc",
    "stream",
    "wire",
];

/// What the last words of a name say. `paired`: its arms share one tag value and are told apart by another.
fn role_of_words(words: &[String], paired: bool) -> Option<Role> {
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| *word != "schema")
        .collect();
    match words.as_slice() {
        [.., "command" | "commands" | "op" | "methods"] => Some(Role::Table),
        [.., "request" | "requests"] if !paired => Some(Role::Table),
        [
            ..,
            "event" | "events" | "notification" | "notifications" | "update" | "updates" | "msg",
        ]
        | [
            ..,
            "event" | "notification",
            "frame" | "envelope" | "payload" | "message",
        ] => Some(Role::Stream),
        _ => None,
    }
}

/// Members that carry the payload of an envelope.
const CARRIERS: [&str; 10] = [
    "msg",
    "message",
    "event",
    "payload",
    "update",
    "op",
    "command",
    "notification",
    "request",
    "frame",
];

/// The union that an object carries, when that is all the object is for: it has no tag of its own, and exactly one
/// required member is a union of tagged objects, under a name that says so. Gives the member too.
pub(super) fn envelope<'m>(graph: &Graph<'m>, node: NodeId) -> Option<(&'m str, NodeId)> {
    let Form::Object(object) = graph.form(node) else {
        return None;
    };
    let tagged = |field: NodeId| matches!(graph.form(field), Form::Literal(Literal::String(_)));
    if object.fields.values().any(|field| field.required && tagged(field.node)) {
        return None;
    }
    let mut carried = object.fields.iter().filter(|(name, field)| {
        let (target, _) = graph.resolved(field.node);
        names::words(name)
            .last()
            .is_some_and(|word| CARRIERS.contains(&word.as_str()))
            && field.required
            && matches!(graph.nodes[target].form, Form::Union(_))
            && tags::of_one(graph, target).is_some()
    });
    match (carried.next(), carried.next()) {
        (Some((name, field)), None) => Some((name, graph.resolved(field.node).0)),
        _ => None,
    }
}
