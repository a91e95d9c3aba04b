//! The promises of a signature, over protocols that nobody wrote: what a run may do without a new name, and what it may
//! not.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod transcripts;

use agent_contracts_shapes::TranscriptLine;
use agent_contracts_shapes::transcript::Transcript;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use transcripts::{Run, profile, run};

/// What stands at a place of a made protocol.
#[derive(Debug, Clone)]
enum Form {
    Null,
    Flag,
    Count,
    Text,
    List(Box<Form>),
    /// Items of two kinds, told apart by `type`.
    Tagged(Vec<Form>),
    /// An object whose keys are data.
    Map(Box<Form>),
    Object(Vec<(String, Form)>),
}

/// One event: its name, what it holds, and how often it comes.
#[derive(Debug, Clone)]
struct Event {
    name: String,
    members: Vec<(String, Form)>,
    times: usize,
}

fn form() -> impl Strategy<Value = Form> {
    let leaf = prop_oneof![Just(Form::Null), Just(Form::Flag), Just(Form::Count), Just(Form::Text)];
    leaf.prop_recursive(3, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|form| Form::List(Box::new(form))),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Form::Tagged),
            inner.clone().prop_map(|form| Form::Map(Box::new(form))),
            members(inner).prop_map(Form::Object),
        ]
    })
}

fn members(form: impl Strategy<Value = Form>) -> impl Strategy<Value = Vec<(String, Form)>> {
    prop::collection::btree_map("[b-j]{1,3}", form, 0..4).prop_map(|members| members.into_iter().collect())
}

fn protocol() -> impl Strategy<Value = Vec<Event>> {
    let event = ("[a-z]{2,6}(\\.[a-z]{2,6})?", members(form()), 1usize..4);
    prop::collection::vec(event, 1..5).prop_map(|events| {
        let mut known = std::collections::BTreeSet::new();
        events
            .into_iter()
            .filter(|(name, ..)| known.insert(name.clone()))
            .map(|(name, members, times)| Event { name, members, times })
            .collect()
    })
}

/// What varies from run to run.
#[derive(Debug, Clone)]
struct Luck {
    numbers: Vec<i64>,
    texts: Vec<String>,
    keys: Vec<String>,
    lengths: Vec<usize>,
    reversed: bool,
    cuts: Vec<usize>,
    more: usize,
}

fn luck() -> impl Strategy<Value = Luck> {
    (
        prop::collection::vec(any::<i64>(), 4),
        prop::collection::vec("\\PC{0,12}", 4),
        prop::collection::vec("[a-z][a-z0-9./-]{0,10}", 4),
        prop::collection::vec(1usize..4, 4),
        any::<bool>(),
        prop::collection::vec(1usize..60, 0..12),
        0usize..4,
    )
        .prop_map(|(numbers, texts, keys, lengths, reversed, cuts, more)| Luck {
            numbers,
            texts,
            keys,
            lengths,
            reversed,
            cuts,
            more,
        })
}

/// Deals out the luck of a run, round and round.
struct Dealer<'a> {
    luck: &'a Luck,
    turn: usize,
}

impl Dealer<'_> {
    fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        self.turn += 1;
        &list[self.turn % list.len()]
    }

    fn value(&mut self, form: &Form) -> Value {
        let luck = self.luck;
        match form {
            Form::Null => Value::Null,
            Form::Flag => json!(*self.of(&luck.numbers) > 0),
            Form::Count => json!(*self.of(&luck.numbers)),
            Form::Text => json!(self.of(&luck.texts)),
            Form::List(item) => {
                let length = *self.of(&luck.lengths);
                Value::Array((0..length).map(|_| self.value(item)).collect())
            }
            Form::Tagged(kinds) => {
                let mut items: Vec<Value> = kinds
                    .iter()
                    .enumerate()
                    .map(|(kind, form)| json!({"type": format!("kind_{kind}"), "v": self.value(form)}))
                    .collect();
                if luck.reversed {
                    items.reverse();
                }
                Value::Array(items)
            }
            Form::Map(value) => {
                let length = *self.of(&luck.lengths);
                let members = (0..length).map(|n| (format!("{}{n}", self.of(&luck.keys)), self.value(value)));
                // A key of a listed map may look like anything.
                Value::Object(Map::from_iter([(
                    "models".to_owned(),
                    Value::Object(members.collect()),
                )]))
            }
            Form::Object(members) => Value::Object(self.object(members)),
        }
    }

    fn object(&mut self, members: &[(String, Form)]) -> Map<String, Value> {
        members
            .iter()
            .map(|(name, form)| (name.clone(), self.value(form)))
            .collect()
    }
}

/// A frame as one line, its members in one order or the other.
fn line(event: &Event, dealer: &mut Dealer<'_>) -> String {
    let mut members: Vec<(String, Value)> = vec![("type".to_owned(), json!(event.name))];
    members.extend(dealer.object(&event.members));
    if dealer.luck.reversed {
        members.reverse();
    }
    let members: Vec<String> = members
        .iter()
        .map(|(name, value)| format!("{}:{value}", json!(name)))
        .collect();
    format!("{{{}}}\n", members.join(","))
}

fn written(protocol: &[Event], luck: &Luck) -> Run {
    let mut dealer = Dealer { luck, turn: 0 };
    let mut text = String::new();
    for event in protocol {
        for _ in 0..event.times + luck.more {
            text.push_str(&line(event, &mut dealer));
        }
    }
    let mut run = Run::default();
    let mut rest = text.as_str();
    for cut in &luck.cuts {
        let mut at = (*cut).min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let (piece, more) = rest.split_at(at);
        run.text("stdout", piece);
        rest = more;
    }
    run.text("stdout", rest);
    run.exit(Some(0), None);
    run
}

/// The signature of a run, under a profile that lists the maps of its protocol.
fn signature(protocol: &[Event], run_: &Run) -> String {
    let mut profile = profile("copilot-stream-json/v1");
    for (name, form) in protocol.iter().flat_map(|event| &event.members) {
        maps(form, name, &mut profile.rules.maps);
    }
    run(run_, &profile).shape.signature
}

/// The paths of the objects whose keys are data, in what stands at `path`.
fn maps(form: &Form, path: &str, found: &mut Vec<String>) {
    match form {
        Form::Null | Form::Flag | Form::Count | Form::Text => {}
        Form::List(item) => maps(item, &format!("{path}[]"), found),
        Form::Tagged(kinds) => kinds.iter().for_each(|kind| maps(kind, &format!("{path}[].v"), found)),
        Form::Map(value) => {
            found.push(format!("{path}.models"));
            maps(value, &format!("{path}.models.*"), found);
        }
        Form::Object(members) => members
            .iter()
            .for_each(|(name, form)| maps(form, &format!("{path}.{name}"), found)),
    }
}

/// A change that a reader could notice.
#[derive(Debug, Clone, Copy)]
enum Edit {
    AddMember,
    RemoveMember,
    RenameMember,
    RetypeMember,
    RenameEvent,
    AddEvent,
    RemoveEvent,
    SwapEvents,
}

fn edited(protocol: &[Event], edit: Edit, at: usize) -> Option<Vec<Event>> {
    let mut events = protocol.to_vec();
    let count = events.len();
    let event = &mut events[at % count];
    let member = |event: &Event| (!event.members.is_empty()).then(|| at % event.members.len());
    match edit {
        Edit::AddMember => event.members.push(("zz".to_owned(), Form::Text)),
        Edit::RemoveMember => drop(event.members.remove(member(event)?)),
        Edit::RenameMember => {
            let index = member(event)?;
            event.members[index].0.push_str("zz");
        }
        Edit::RetypeMember => {
            let index = member(event)?;
            let (_, form) = &mut event.members[index];
            *form = match form {
                Form::Count => Form::Text,
                Form::Text => Form::Null,
                _ => Form::Count,
            };
        }
        Edit::RenameEvent => event.name.push_str("zz"),
        Edit::AddEvent => events.push(Event {
            name: "zzz".to_owned(),
            members: Vec::new(),
            times: 1,
        }),
        Edit::RemoveEvent => {
            events.remove(at % count);
            if events.is_empty() {
                return None;
            }
        }
        Edit::SwapEvents => {
            if count < 2 {
                return None;
            }
            events.swap(0, count - 1);
        }
    }
    Some(events)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 192,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_run_has_the_signature_of_its_protocol(protocol in protocol(), one in luck(), other in luck()) {
        let one = signature(&protocol, &written(&protocol, &one));
        prop_assert_eq!(one, signature(&protocol, &written(&protocol, &other)));
    }

    #[test]
    fn another_protocol_has_another_signature(
        protocol in protocol(),
        luck in luck(),
        at in 0usize..8,
        edit in prop_oneof![
            Just(Edit::AddMember),
            Just(Edit::RemoveMember),
            Just(Edit::RenameMember),
            Just(Edit::RetypeMember),
            Just(Edit::RenameEvent),
            Just(Edit::AddEvent),
            Just(Edit::RemoveEvent),
            Just(Edit::SwapEvents),
        ],
    ) {
        let Some(other) = edited(&protocol, edit, at) else {
            return Ok(());
        };
        let before = signature(&protocol, &written(&protocol, &luck));
        prop_assert_ne!(before, signature(&other, &written(&other, &luck)));
    }

    #[test]
    fn ids_of_a_conversation_are_free(ids in prop::collection::btree_set(prop_oneof![
        any::<i32>().prop_map(|id| json!(id)).prop_map(|id| id.to_string()),
        Just(0).prop_map(|id: i32| id.to_string()),
    ], 3), interleaved in any::<bool>()) {
        let ids: Vec<Value> = ids.iter().map(|id| id.parse::<i64>().unwrap().into()).collect();
        let ask = |id: &Value, method: &str| json!({"jsonrpc": "2.0", "id": id, "method": method});
        let answer = |id: &Value| json!({"jsonrpc": "2.0", "id": id, "result": {}});
        let talk = |ids: &[Value]| {
            let mut run_ = Run::default();
            for (id, method) in ids.iter().zip(["a", "b", "c"]) {
                run_.input(&ask(id, method));
                // Answers may wait; they come in the order that was asked.
                if !interleaved {
                    run_.output(&answer(id));
                }
            }
            if interleaved {
                for id in ids {
                    run_.output(&answer(id));
                }
            }
            run(&run_, &profile("acp-json-rpc/v1")).shape.signature
        };
        prop_assert_eq!(talk(&ids), talk(&[json!(0), json!(1), json!(2)]));
    }

    #[test]
    fn no_bytes_make_it_panic(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..8)) {
        for family in ["plain/v1", "json-event-stream/v1", "acp-json-rpc/v1", "pi-rpc/v1", "claude-stream-json/v1"] {
            let mut normaliser = agent_contracts_shapes::Normaliser::new(&profile(family)).unwrap();
            for (index, piece) in pieces.iter().enumerate() {
                let streams = [
                    agent_contracts_shapes::Stream::Stdout,
                    agent_contracts_shapes::Stream::Stdin,
                    agent_contracts_shapes::Stream::Stderr,
                ];
                normaliser.bytes(streams[index % 3], piece);
            }
            let found = normaliser.finish(agent_contracts_shapes::Validity::SyntheticMock).unwrap();
            prop_assert_eq!(found.shape.sign().unwrap(), found.shape.signature);
        }
    }

    #[test]
    fn a_transcript_reads_back_as_it_was_written(text in "\\PC{0,20}", at in any::<u64>(), code in any::<i64>()) {
        let lines: Vec<TranscriptLine> = [
            json!({"dir": "process", "event": "spawn", "at_ms": at}),
            json!({"dir": "server->cli", "stream": "stdin", "at_ms": at, "data_ref": "prompt"}),
            json!({"dir": "cli->server", "stream": "stderr", "at_ms": at, "data": text}),
            json!({"dir": "cli->server", "stream": "stdout", "at_ms": at, "frame": {"id": 1, "result": text}}),
            json!({"dir": "process", "event": "exit", "at_ms": at, "exit_code": code}),
        ].into_iter().map(|line| serde_json::from_value(line).unwrap()).collect();
        let mut written = Vec::new();
        for line in &lines {
            serde_json::to_writer(&mut written, line).unwrap();
            written.push(b'\n');
        }
        let read: Vec<TranscriptLine> = Transcript::new(written.as_slice()).map(|line| line.unwrap().1).collect();
        prop_assert_eq!(read, lines);
    }

    #[test]
    fn any_bytes_are_a_transcript_or_refused_with_their_line(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for line in Transcript::with_limit(bytes.as_slice(), 100) {
            if let Err(error) = line {
                prop_assert!(error.line >= 1);
            }
        }
    }
}
