//! Two versions whose output speaks different dialects of one family, as the agent's file says: one finding for all of
//! it.

use std::collections::BTreeSet;

use super::direction::{self, directions};
use super::graph::{DeclId, Form, Graph, NodeId};
use super::refs::Refs;
use super::roles::envelope;
use super::told::Told;
use super::witness::{Leaf, witness};
use super::{Diff, DiffOptions, diff, find, settled, streams, tags, unread};
use crate::finding::Direction;
use crate::model::WireModel;

/// Compares two models of different dialects, each from its own roots. What comes out is told by one
/// `output_format_changed` with the events of both; what goes in is compared as usual, where both sides name roots for
/// it. It is inconclusive when no events can be found on one of the sides.
pub fn dialects(old: &WireModel, new: &WireModel, (asked_old, asked_new): (&DiffOptions, &DiffOptions)) -> Diff {
    let (result, lost) = unread(old, new);
    if lost {
        return result;
    }
    let (old_side, new_side) = (Spoken::new(old, asked_old), Spoken::new(new, asked_new));
    let mut doubts = BTreeSet::new();
    for (side, spoken) in [("old", &old_side), ("new", &new_side)] {
        if spoken.streams.is_empty() {
            doubts.insert(format!("no events can be found in the {side} dialect"));
        }
    }
    let told = match new_side.streams.first() {
        Some((decl, stream)) if doubts.is_empty() => vec![Told {
            direction: Direction::Output,
            witness: witness(&new_side.graph, *stream, &[], &[], Leaf::Node(*stream)),
            ..streams::format_changed(new_side.graph.decl(*decl), &old_side.events(), &new_side.events())
        }],
        _ => Vec::new(),
    };
    let mut result = settled(result, told, doubts);
    let (in_old, in_new) = (inputs(asked_old), inputs(asked_new));
    if !in_old.is_empty() && !in_new.is_empty() {
        let mut directions = asked_old.directions.clone();
        directions.extend(asked_new.directions.clone());
        let asked = DiffOptions {
            roots: in_old.union(&in_new).cloned().collect(),
            directions,
        };
        let input = diff(old, new, &asked);
        result.findings.extend(input.findings);
        result
            .findings
            .sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        result.moves = input.moves;
        result.doubts.extend(input.doubts);
    }
    result
}

/// The roots that a host writes.
fn inputs(asked: &DiffOptions) -> BTreeSet<String> {
    let is_input = |root: &&String| asked.directions.get(*root) == Some(&Direction::Input);
    asked.roots.iter().filter(is_input).cloned().collect()
}

/// What one side writes.
struct Spoken<'m> {
    graph: Graph<'m>,
    /// The declared root and the union of events that it is or carries.
    streams: Vec<(DeclId, NodeId)>,
}

impl<'m> Spoken<'m> {
    fn new(model: &'m WireModel, asked: &DiffOptions) -> Self {
        let graph = Graph::new(model);
        let refs = Refs::new(&graph);
        let ways = directions(&graph, &refs, &asked.directions);
        let roots: Vec<DeclId> = asked.roots.iter().flat_map(|root| find(&graph, root)).collect();
        let streams = roots
            .into_iter()
            .filter_map(|id| {
                let root = graph.resolved(graph.decls[id].root).0;
                let out = direction::direction(ways[root]) != Direction::Input;
                let stream = envelope(&graph, root).map_or(root, |(_, carried)| carried);
                let tagged = matches!(graph.form(stream), Form::Union(_)) || tags::of_one(&graph, stream).is_some();
                (out && tagged && !streams::events(&graph, stream).is_empty()).then_some((id, stream))
            })
            .collect();
        Self { graph, streams }
    }

    fn events(&self) -> BTreeSet<String> {
        let all = self.streams.iter();
        all.flat_map(|(_, stream)| streams::events(&self.graph, *stream))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Severity, Verdict};
    use crate::notation::model;

    const CORE: &str = r#"type Event = { id: string, msg: EventMsg }
type EventMsg = { type: "task_started" } | { type: "agent_message", message: string } | { type: "error", message: string }
type Submission = { op: "interrupt" } | { op: "user_turn", text: string }"#;
    const THREAD: &str = r#"type ThreadEvent = { type: "thread.started", thread_id: string } | { type: "error", message: string }
type EventMsg = { type: "task_started" } | { type: "agent_message", message: number }
type Submission = { op: "interrupt" } | { op: "user_turn", text: string, cwd: string }"#;

    fn asked(roots: &[(&str, Direction)]) -> DiffOptions {
        DiffOptions {
            roots: roots.iter().map(|(root, _)| (*root).to_owned()).collect(),
            directions: roots.iter().map(|(root, way)| ((*root).to_owned(), *way)).collect(),
        }
    }

    fn rules(diff: &Diff) -> Vec<&str> {
        diff.findings.iter().map(|finding| finding.rule.as_str()).collect()
    }

    #[test]
    fn one_finding_stands_for_all_of_the_output() {
        let (old, new) = (model(CORE), model(THREAD));
        let from = asked(&[("Event", Direction::Output)]);
        let to = asked(&[("ThreadEvent", Direction::Output)]);
        let diff = dialects(&old, &new, (&from, &to));
        assert_eq!(rules(&diff), ["output_format_changed"]);
        let finding = &diff.findings[0];
        assert_eq!(
            finding.before,
            serde_json::json!(["agent_message", "error", "task_started"])
        );
        assert_eq!(finding.after, serde_json::json!(["error", "thread.started"]));
        assert_eq!(
            (finding.severity, finding.direction),
            (Severity::Breaking, Direction::Output)
        );
        assert!(finding.witness.is_some());
        assert_eq!(diff.verdict, Verdict::Changes);
    }

    #[test]
    fn what_goes_in_is_compared_as_usual() {
        let (old, new) = (model(CORE), model(THREAD));
        let from = asked(&[("Event", Direction::Output), ("Submission", Direction::Input)]);
        let to = asked(&[("ThreadEvent", Direction::Output), ("Submission", Direction::Input)]);
        let diff = dialects(&old, &new, (&from, &to));
        assert_eq!(rules(&diff), ["output_format_changed", "field_added"]);
        assert_eq!(diff.findings[1].path.as_deref(), Some("cwd"));
    }

    #[test]
    fn a_side_without_events_leaves_it_open() {
        let (old, new) = (model(CORE), model(THREAD));
        let diff = dialects(
            &old,
            &new,
            (
                &asked(&[("Evnt", Direction::Output)]),
                &asked(&[("ThreadEvent", Direction::Output)]),
            ),
        );
        assert_eq!(rules(&diff), [""; 0]);
        assert_eq!(diff.doubts, ["no events can be found in the old dialect"]);
        assert_eq!(diff.verdict, Verdict::Inconclusive);
        let lost = dialects(
            &old,
            &model("files 0"),
            (&DiffOptions::default(), &DiffOptions::default()),
        );
        assert_eq!(
            (rules(&lost), lost.verdict),
            (vec!["source_lost"], Verdict::Inconclusive)
        );
    }
}
