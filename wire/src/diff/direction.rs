//! Which way each type travels.
//!
//! First what is said (the agent's file, the declaration), carried along references; an answer travels against its
//! request. Where nothing is said, a naming convention that these protocols share: requests, parameters, options and
//! commands go in; events, notifications, responses and results come out; a request that asks a person something
//! (permission, approval, elicitation, a question, a dialog) comes out. What is still unknown is rated as output.

use std::collections::BTreeMap;

use super::graph::{DeclId, Graph, NodeId};
use super::names;
use super::refs::Refs;
use crate::finding::Direction;

/// Bits: 1 comes out, 2 goes in.
pub(super) type Ways = u8;
const OUT: Ways = 1;
const IN: Ways = 2;

/// The ways of every node of `graph`; only those of targets mean something.
pub(super) fn directions(graph: &Graph<'_>, refs: &Refs, said: &BTreeMap<String, Direction>) -> Vec<Ways> {
    let mut ways = vec![0; graph.nodes.len()];
    let fixed: BTreeMap<NodeId, Ways> = (0..graph.decls.len())
        .filter_map(|id| {
            let said = said_of(graph, id, said)?;
            Some((graph.resolved(graph.decls[id].root).0, said))
        })
        .collect();
    carry(graph, &mut ways, &fixed);
    let by_name = |id: DeclId, ways: &[Ways]| {
        let (target, _) = graph.resolved(graph.decls[id].root);
        (ways[target] == 0)
            .then(|| convention(&graph.decl(id).name))
            .flatten()
            .map(|way| (target, way))
    };
    // The tops first, since a reference says more than a name; then what only unnamed types lead to.
    // Configuration is echoed back only as it was given, wherever it turns up.
    let given = (0..graph.decls.len())
        .filter(|id| is_configuration(&graph.decl(*id).name))
        .filter_map(|id| by_name(id, &ways))
        .collect();
    carry(graph, &mut ways, &given);
    let tops = refs.tops.iter().filter_map(|id| by_name(*id, &ways)).collect();
    carry(graph, &mut ways, &tops);
    let rest = (0..graph.decls.len()).filter_map(|id| by_name(id, &ways)).collect();
    carry(graph, &mut ways, &rest);
    ways
}

fn said_of(graph: &Graph<'_>, id: DeclId, said: &BTreeMap<String, Direction>) -> Option<Ways> {
    let ty = graph.decl(id);
    match said.get(&ty.name).copied().or(ty.direction)? {
        Direction::Output => Some(OUT),
        Direction::Input => Some(IN),
        Direction::Both => Some(OUT | IN),
        Direction::Unknown => None,
    }
}

/// Carries the ways of `from` to all they lead to. Nodes that already have one, and those of `from`, keep their own.
fn carry(graph: &Graph<'_>, ways: &mut [Ways], from: &BTreeMap<NodeId, Ways>) {
    let before = ways.to_vec();
    let mut todo: Vec<(NodeId, Ways)> = from.iter().map(|(node, way)| (*node, *way)).collect();
    while let Some((node, way)) = todo.pop() {
        if before[node] != 0 || ways[node] & way == way {
            continue;
        }
        ways[node] |= way;
        let way = ways[node];
        for (child, answer) in graph.children(node) {
            if !from.contains_key(&child) {
                todo.push((child, if answer { turned(way) } else { way }));
            }
        }
    }
}

/// The ways of an answer to what travels `ways`.
pub(super) fn turned(ways: Ways) -> Ways {
    (ways & OUT) << 1 | (ways & IN) >> 1
}

pub(super) fn direction(ways: Ways) -> Direction {
    match ways {
        OUT => Direction::Output,
        IN => Direction::Input,
        0 => Direction::Unknown,
        _ => Direction::Both,
    }
}

fn is_configuration(name: &str) -> bool {
    let words = names::words(name);
    words
        .last()
        .is_some_and(|word| matches!(word.as_str(), "config" | "settings" | "options" | "preferences"))
}

/// What a name says of the way.
fn convention(name: &str) -> Option<Ways> {
    let words = names::words(name);
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !matches!(*word, "schema" | "type"))
        .collect();
    let (last, before) = words.split_last()?;
    let first_is = |words: &[&str]| before.first().is_some_and(|first| words.contains(first));
    let last_is = |words: &[&str]| before.last().is_some_and(|last| words.contains(last));
    let asks = before.iter().any(|word| ASKING.contains(word));
    match *last {
        "request" | "requests" if asks || first_is(&["server", "agent"]) => Some(OUT),
        "response" | "responses" | "result" if asks => None,
        "notification" | "response" | "result" if first_is(&["client"]) => Some(IN),
        "message" if last_is(&["in", "input", "inbound"]) => Some(IN),
        last if GOES_IN.contains(&last) => Some(IN),
        last if COMES_OUT.contains(&last) => Some(OUT),
        _ => None,
    }
}

/// Words of a request in which the agent asks its host, or the person in front of it.
const ASKING: [&str; 10] = [
    "permission",
    "approval",
    "elicitation",
    "question",
    "ui",
    "dialog",
    "hook",
    "confirm",
    "confirmation",
    "sampling",
];
const GOES_IN: [&str; 16] = [
    "request",
    "requests",
    "params",
    "param",
    "input",
    "options",
    "config",
    "settings",
    "command",
    "commands",
    "op",
    "args",
    "arguments",
    "compat",
    "preferences",
    "overrides",
];
const COMES_OUT: [&str; 15] = [
    "event",
    "events",
    "msg",
    "message",
    "messages",
    "notification",
    "response",
    "responses",
    "result",
    "results",
    "output",
    "update",
    "chunk",
    "delta",
    "error",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_way_only_where_the_convention_is_plain() {
        for (name, expected) in [
            ("ThreadForkParams", Direction::Input),
            ("ProviderConfig", Direction::Input),
            ("RpcCommand", Direction::Input),
            ("Op", Direction::Input),
            ("ClientRequest", Direction::Input),
            ("ServerRequest", Direction::Output),
            ("JSONRPCInMessage", Direction::Input),
            ("AgentEvent", Direction::Output),
            ("LoginAccountResponse", Direction::Output),
            ("ServerNotification", Direction::Output),
            ("ClientNotification", Direction::Input),
            ("RpcExtensionUIRequest", Direction::Output),
            ("RequestPermissionResponse", Direction::Unknown),
            ("Usage", Direction::Unknown),
        ] {
            assert_eq!(direction(convention(name).unwrap_or(0)), expected, "{name}");
        }
    }

    #[test]
    fn an_answer_travels_against_its_request() {
        assert_eq!(turned(OUT), IN);
        assert_eq!(turned(IN), OUT);
        assert_eq!(turned(OUT | IN), OUT | IN);
    }
}
