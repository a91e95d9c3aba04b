//! How a change is reached from the events of the protocol.
//!
//! A way starts at an outermost type. Where that is a stream of events, or carries one, the arm that is entered is the
//! event, and the rest of the way is the path inside it. Each event gives its shortest way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::change::{PairId, Position, Seg};
use super::graph::{DeclId, Form, Graph, NodeId};
use super::roles::{Role, Roles, envelope};
use super::walk::{Link, Walk};
use crate::event::{Answer, EventType, SUBTYPE, TAGS};
use crate::model::Literal;
use crate::path::{Path, Step};

/// One way to a change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    /// How many steps it has; ways are sorted by it first.
    pub(super) length: usize,
    /// The event; the name of the outermost type when no event leads here.
    pub(super) event: String,
    /// Whether `event` is one.
    pub(super) is_event: bool,
    /// Whether it starts at an outermost type.
    pub(super) outermost: bool,
    pub(super) path: String,
    /// The arms it goes through that the path does not show.
    pub(super) arms: Vec<String>,
    /// Where it starts, and the pairs it goes through, for the witness.
    pub(super) start: PairId,
    pub(super) steps: Vec<(Vec<Seg>, PairId)>,
}

/// The links of a walk, read backwards.
pub(super) struct Reach<'a> {
    compared: &'a [(NodeId, NodeId)],
    back: Vec<Vec<&'a Link>>,
    /// The pairs that ways start at, with the event that the type itself is and its name.
    starts: BTreeMap<PairId, (Option<String>, String)>,
    /// Further roots, for what no outermost type leads to.
    inner: BTreeMap<PairId, (Option<String>, String)>,
    /// The pairs whose arms are events.
    streams: BTreeSet<PairId>,
    names: Vec<String>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(walk: &'a Walk<'_, '_>, roots: &[(PairId, DeclId, bool)]) -> Self {
        let mut back: Vec<Vec<&Link>> = vec![Vec::new(); walk.compared.len()];
        for link in &walk.links {
            back[link.to].push(link);
        }
        let is_stream = |pair: PairId| {
            let (a, b) = walk.compared[pair];
            let tells = |roles: &Roles<'_, '_>, node: NodeId| roles.of(node) > Role::Nested;
            tells(walk.old_roles, a) || tells(walk.new_roles, b)
        };
        let is_union = |pair: PairId| {
            let (a, b) = walk.compared[pair];
            matches!(walk.old.nodes[a].form, Form::Union(_)) || matches!(walk.new.nodes[b].form, Form::Union(_))
        };
        let mut streams = BTreeSet::new();
        let mut named = BTreeMap::new();
        let mut inner = BTreeMap::new();
        for (pair, decl, outermost) in roots {
            let (a, b) = walk.compared[*pair];
            // One event that became a choice of several is no event by itself.
            let event = own_event(walk.new, b)
                .or_else(|| own_event(walk.old, a))
                .filter(|_| !is_union(*pair));
            let start = (event, walk.new.decl(*decl).name.clone());
            if !outermost {
                inner.insert(*pair, start);
                continue;
            }
            named.insert(*pair, start);
            if is_union(*pair) && is_stream(*pair) {
                streams.insert(*pair);
            }
            let carried = envelope(walk.new, b)
                .or_else(|| envelope(walk.old, a))
                .map(|(name, _)| name);
            for link in walk.links.iter().filter(|link| link.from == *pair) {
                if let [Seg::Field(name)] = link.segs.as_slice()
                    && Some(name.as_str()) == carried
                    && is_union(link.to)
                {
                    streams.insert(link.to);
                }
            }
        }
        let names = walk
            .compared
            .iter()
            .map(|(_, b)| walk.new.decl(walk.new.nodes[*b].owner).name.clone())
            .collect();
        Self {
            compared: &walk.compared,
            back,
            starts: named,
            inner,
            streams,
            names,
        }
    }

    /// The ways to a position, shortest first, one for each event.
    pub(super) fn ways(&self, position: &Position) -> Vec<Way> {
        let next = self.steps_to(position.pair);
        let mut ways: BTreeMap<(String, bool), Way> = BTreeMap::new();
        let mut keep = |found: Vec<Way>| {
            for way in found {
                let key = (way.event.clone(), way.is_event);
                match ways.get(&key) {
                    Some(known) if *known <= way => {}
                    _ => {
                        ways.insert(key, way);
                    }
                }
            }
        };
        for pair in next.keys() {
            if let Some((event, name)) = self.starts.get(pair) {
                let steps = follow(&next, *pair);
                // An arm that leaves a stream is told by its event instead.
                if !self.streams.contains(pair) {
                    keep(self.way(*pair, event.as_deref(), name, steps, position));
                }
            }
            if self.streams.contains(pair) {
                for (segs, to) in self.leaving(*pair, &next) {
                    let mut steps = vec![(segs, to)];
                    steps.extend(follow(&next, to));
                    self.through_stream(*pair, steps, position, &mut keep);
                }
                if *pair == position.pair {
                    self.through_stream(*pair, Vec::new(), position, &mut keep);
                }
            }
        }
        let mut ways: Vec<Way> = ways.into_values().collect();
        if ways.iter().any(|way| way.is_event) {
            ways.retain(|way| way.is_event);
        }
        if ways.is_empty() {
            let inner = next.keys().filter_map(|pair| Some((*pair, self.inner.get(pair)?)));
            ways.extend(inner.flat_map(|(pair, (event, name))| {
                self.way(pair, event.as_deref(), name, follow(&next, pair), position)
            }));
        }
        if ways.is_empty() {
            ways = self.way(position.pair, None, &self.names[position.pair], Vec::new(), position);
        }
        ways.sort();
        ways
    }

    /// The next step from each pair that leads to `to`, along a shortest way.
    fn steps_to(&self, to: PairId) -> BTreeMap<PairId, Option<&'a Link>> {
        let mut next: BTreeMap<PairId, Option<&Link>> = BTreeMap::from([(to, None)]);
        let mut queue = VecDeque::from([to]);
        while let Some(pair) = queue.pop_front() {
            for link in &self.back[pair] {
                if let std::collections::btree_map::Entry::Vacant(free) = next.entry(link.from) {
                    free.insert(Some(link));
                    queue.push_back(link.from);
                }
            }
        }
        next
    }

    /// The arms of a stream that lead on, each by its own link.
    fn leaving(&self, pair: PairId, next: &BTreeMap<PairId, Option<&'a Link>>) -> Vec<(Vec<Seg>, PairId)> {
        next.keys()
            .flat_map(|to| self.back[*to].iter())
            .filter(|link| link.from == pair)
            .map(|link| (link.segs.clone(), link.to))
            .collect()
    }

    /// A way whose event is an arm of the stream `pair`.
    fn through_stream(
        &self,
        pair: PairId,
        steps: Vec<(Vec<Seg>, PairId)>,
        position: &Position,
        keep: &mut impl FnMut(Vec<Way>),
    ) {
        if self.starts.contains_key(&pair) {
            keep(self.way(pair, None, &self.starts[&pair].1, steps, position));
            return;
        }
        for link in &self.back[pair] {
            if let Some((_, name)) = self.starts.get(&link.from) {
                let mut all = vec![(link.segs.clone(), pair)];
                all.extend(steps.iter().cloned());
                keep(self.way(link.from, None, name, all, position));
            }
        }
    }

    /// A way, once for each event that it goes through.
    fn way(
        &self,
        start: PairId,
        event: Option<&str>,
        name: &str,
        steps: Vec<(Vec<Seg>, PairId)>,
        position: &Position,
    ) -> Vec<Way> {
        debug_assert!(start < self.compared.len());
        let segs: Vec<&Seg> = steps.iter().flat_map(|(segs, _)| segs).chain(&position.tail).collect();
        let streams = self.streams.contains(&start) || steps.iter().any(|(_, pair)| self.streams.contains(pair));
        let Rendered { events, path, arms } = render(&segs, streams, event);
        let way = Way {
            length: segs.len(),
            is_event: !events.is_empty(),
            outermost: self.starts.contains_key(&start),
            event: name.to_owned(),
            path: path.to_string(),
            arms,
            start,
            steps,
        };
        if events.is_empty() {
            return vec![way];
        }
        let named = |event: EventType| Way {
            event: event.to_string(),
            ..way.clone()
        };
        events.into_iter().map(named).collect()
    }
}

fn follow(next: &BTreeMap<PairId, Option<&Link>>, from: PairId) -> Vec<(Vec<Seg>, PairId)> {
    let mut steps = Vec::new();
    let mut at = from;
    while let Some(Some(link)) = next.get(&at) {
        steps.push((link.segs.clone(), link.to));
        at = link.to;
    }
    steps
}

/// The event that an object is by itself: its literal tag, with its subtype.
pub(super) fn own_event(graph: &Graph<'_>, node: NodeId) -> Option<String> {
    let Form::Object(object) = graph.form(node) else {
        return None;
    };
    let exact = |name: &str| {
        let field = object.fields.get(name).filter(|field| field.required)?;
        match graph.form(field.node) {
            Form::Literal(Literal::String(value)) => Some(value.as_str()),
            _ => None,
        }
    };
    let tag = TAGS.iter().find_map(|tag| exact(tag))?;
    Some(EventType::with_subtype(tag, exact(SUBTYPE)).name)
}

/// A way in words.
struct Rendered {
    events: Vec<EventType>,
    path: Path,
    arms: Vec<String>,
}

/// The events and the path of a way. With `streams`, the first arm on the way, behind members alone, is the event, or
/// each of its tag values one.
fn render(segs: &[&Seg], streams: bool, event: Option<&str>) -> Rendered {
    let mut events: Vec<EventType> = event.map(EventType::of).into_iter().collect();
    let mut entered = false;
    let mut arms = Vec::new();
    let mut steps: Vec<Step> = Vec::new();
    for (index, seg) in segs.iter().enumerate() {
        match seg {
            Seg::Arm { label, .. }
                if streams && !entered && segs[..index].iter().all(|seg| matches!(seg, Seg::Field(_))) =>
            {
                entered = true;
                // A model of a shape has whole names of events for its tags.
                let named = |label: &str| label.parse().unwrap_or_else(|_| EventType::of(label));
                events = label.split('|').map(named).collect();
            }
            Seg::Arm { label, item } => match (steps.last_mut(), item) {
                (Some(step @ Step::Items), Some(tag)) => *step = Step::Tagged(tag.clone()),
                _ => arms.push(label.clone()),
            },
            Seg::Field(name) => steps.push(Step::Member(name.clone())),
            Seg::Items | Seg::Index(_) => steps.push(Step::Items),
            Seg::Wild => steps.push(Step::AnyMember),
            Seg::Result => {
                events = events.into_iter().map(|event| event.answered(Answer::Result)).collect();
                steps = vec![Step::Member("result".to_owned())];
            }
        }
    }
    let path = steps.into_iter().collect();
    Rendered { events, path, arms }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::BTreeSet;

    use crate::notation::model;
    use crate::{DiffOptions, EventType, Path, diff};

    /// What it shows, the old and the new model, and each event, path and name.
    type Row = (
        &'static str,
        &'static str,
        &'static str,
        &'static [(&'static str, &'static str, &'static str)],
    );

    /// Where changes are, in the notation of shapes.
    const PLACES: &[Row] = &[
        (
            "an answer is the member `result` of its frame",
            "type ClientRequest = { method: \"a\", params: P } => R | { method: \"b\" } => { n: number }\ntype P = { x: string }\ntype R = { list: P[] }",
            "type ClientRequest = { method: \"a\", params: P } => R | { method: \"b\" } => { n: string }\ntype P = { x: string, y?: string }\ntype R = { list: P[] }",
            &[
                ("a", "params.y", "y"),
                ("a:result", "result.list[].y", "y"),
                ("b:result", "result.n", "n"),
            ],
        ),
        (
            "items are kept under their tag, without a step of their own",
            "type Event = { type: \"m\", content: Block[] } | { type: \"n\" }\ntype Block = { type: \"text\", text: string } | { type: \"image\", url: string }",
            "type Event = { type: \"m\", content: Block[] } | { type: \"n\" }\ntype Block = { type: \"text\", text: string, at?: number } | { type: \"image\", url: string }",
            &[("m", "content[text].at", "at")],
        ),
        (
            "items under a tag that shapes do not know",
            "type Event = { type: \"m\", list: ({ kind: \"a\", x: string } | { kind: \"b\" })[] } | { type: \"n\" }",
            "type Event = { type: \"m\", list: ({ kind: \"a\", x: number } | { kind: \"b\" })[] } | { type: \"n\" }",
            &[("m", "list[].x", "x")],
        ),
        (
            "a tag inside the tag of an item",
            "type Event = { type: \"m\", list: B[] } | { type: \"n\" }\ntype B = { type: \"s\", subtype: \"a\", x: string } | { type: \"s\", subtype: \"b\", y: string } | { type: \"t\" }",
            "type Event = { type: \"m\", list: B[] } | { type: \"n\" }\ntype B = { type: \"s\", subtype: \"a\", x: number } | { type: \"s\", subtype: \"b\", y: string } | { type: \"t\" }",
            &[("m", "list[s].x", "x")],
        ),
        (
            "items of one kind that carry a tag",
            "type Event = { type: \"m\", content: { type: \"text\", text: string }[] } | { type: \"n\" }",
            "type Event = { type: \"m\", content: { type: \"text\", text: number }[] } | { type: \"n\" }",
            &[("m", "content[text].text", "text")],
        ),
        (
            "a tuple is a list, a member is no arm",
            "type Event = { type: \"m\", pair: [string, { a: string }], src: { kind: \"x\", u: string } | { kind: \"y\" } } | { type: \"n\" }",
            "type Event = { type: \"m\", pair: [string, { a: number }], src: { kind: \"x\", u: number } | { kind: \"y\" } } | { type: \"n\" }",
            &[("m", "pair[].a", "a"), ("m", "src.u", "u")],
        ),
        (
            "arms that nothing tells apart share a path and are still two changes",
            "type Event = { type: \"m\", r: { a: string, b: string } | { c: string, d: string } } | { type: \"n\" }",
            "type Event = { type: \"m\", r: { a: string, b: string, z: string } | { c: string, d: string, z: string } } | { type: \"n\" }",
            &[("m", "r.z", "z"), ("m", "r.z", "z")],
        ),
        (
            "each value of a tag is an event",
            "type Event = { type: \"a\" | \"b\", x: string } | { type: \"n\" }",
            "type Event = { type: \"a\" | \"b\", x: number } | { type: \"n\" }",
            &[("a", "x", "x"), ("b", "x", "x")],
        ),
        (
            "odd names and maps",
            "type Event = { type: \"m\", d: map<{ \"x.y\": string }> } | { type: \"n\" }",
            "type Event = { type: \"m\", d: map<{ \"x.y\": number }> } | { type: \"n\" }",
            &[("m", "d.*[\"x.y\"]", "x.y")],
        ),
    ];

    #[test]
    fn places_are_written_in_the_notation_of_shapes() {
        for (name, old, new, expected) in PLACES {
            let found = diff(&model(old), &model(new), &DiffOptions::default());
            let mut places: Vec<(String, String, String)> = Vec::new();
            let mut ids = BTreeSet::new();
            for finding in &found.findings {
                ids.insert(finding.id.clone());
                for (event, path) in &finding.reached_by.as_ref().unwrap().first {
                    assert_eq!(event.parse::<EventType>().unwrap().to_string(), *event, "{name}");
                    assert_eq!(path.parse::<Path>().unwrap().to_string(), *path, "{name}");
                    places.push((event.clone(), path.clone(), finding.wire_name.clone().unwrap()));
                }
            }
            places.sort();
            let expected: Vec<_> = expected
                .iter()
                .map(|(event, path, name)| ((*event).to_owned(), (*path).to_owned(), (*name).to_owned()))
                .collect();
            assert_eq!(places, expected, "{name}");
            assert_eq!(ids.len(), found.findings.len(), "{name}");
        }
    }
}
