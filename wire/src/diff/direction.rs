//! Which way each type travels.
//!
//! First what is said (the agent's file, the declaration), carried along references; an answer travels against its
//! request. Where nothing is said, a naming convention that these protocols share: requests, parameters, options and
//! commands go in; events, notifications, responses and results come out; a request that asks a person something
//! (permission, approval, elicitation, a question, a dialog) comes out. What is still unknown is rated as output.

use std::collections::BTreeMap;

use super::graph::{DeclId, Form, Graph, NodeId};
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
    // First the outermost types, since a reference says more than a name, and names that are surer than any reference;
    // then what only types without a way lead to.
    let sure = (0..graph.decls.len()).filter(|id| is_sure(&graph.decl(*id).name));
    let first = refs
        .tops
        .iter()
        .copied()
        .chain(sure)
        .filter_map(|id| by_name(id, &ways))
        .collect();
    carry(graph, &mut ways, &first);
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
        // A union that is an arm of another travels with it, although its arms are all that is left of it there.
        if let Form::Union(union) = &graph.nodes[node].form {
            let roots = union
                .components
                .iter()
                .map(|id| graph.resolved(graph.decls[*id].root).0);
            todo.extend(roots.filter(|root| !from.contains_key(root)).map(|root| (root, way)));
        }
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

/// Names that say more than who refers to them: configuration is echoed back only as it was given, and what asks a
/// person comes out among requests that go in.
fn is_sure(name: &str) -> bool {
    let words = names::words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [.., "config" | "settings" | "options" | "preferences"] | [.., "hook", "input"] => true,
        [.., asking, "request"] => ASKING.contains(asking),
        _ => false,
    }
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
    let first = before.first().copied().unwrap_or_default();
    let nearest = before.last().copied().unwrap_or_default();
    let (request, response, message) = (
        matches!(*last, "request" | "requests"),
        matches!(*last, "response" | "responses" | "result"),
        matches!(*last, "message" | "messages" | "notification"),
    );
    match *last {
        // A callback: its input comes out, its output goes in.
        "input" if nearest == "hook" => Some(OUT),
        "output" if nearest == "hook" => Some(IN),
        _ if request && (ASKING.contains(&nearest) || first == "server" || before == ["agent"]) => Some(OUT),
        _ if response && ASKING.contains(&nearest) => None,
        _ if first == "client" && (request || response || message) => Some(IN),
        _ if message && matches!(nearest, "in" | "input" | "inbound") => Some(IN),
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
const GOES_IN: [&str; 18] = [
    "query",
    "submission",
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
            ("AgentMailSendRequest", Direction::Input),
            ("ApprovalResolveRequest", Direction::Input),
            ("PreToolUseHookInput", Direction::Output),
            ("ClientControlMessage", Direction::Input),
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
