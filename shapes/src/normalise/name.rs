//! What a frame is called: its tag, its method, or the answer to a method, with the nested tags that the profile lists.

use std::collections::HashMap;

use agent_contracts_wire::event::{SUBTYPE, TAGS, UNKNOWN};
use agent_contracts_wire::{Answer, Family, Path, Step, Transport};

use super::tape::{Scalar, Tape, inside, member, text};
use crate::shape::FrameDirection;

/// Requests that still wait for an answer. More are forgotten, and their answers are of an unknown request.
const MAX_WAITING: usize = 100_000;
/// A longer tag is no name.
const MAX_TAG: usize = 96;

/// How a family tells its frames apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// By a member of the frame.
    Tagged,
    /// By method; answers by id.
    JsonRpc,
    /// By type; answers are of type `response` and name their command, or have its id.
    Pi,
}

/// Names frames. Keeps the requests that wait for an answer.
pub(super) struct Namer {
    dialect: Dialect,
    nested: Vec<Path>,
    waiting: HashMap<(FrameDirection, Id), String>,
}

/// The parts of a name, as the frame holds them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) tag: String,
    pub(super) subtype: Option<String>,
    pub(super) answer: Option<Answer>,
    pub(super) nested: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Id {
    Number(i64),
    Text(String),
}

impl Namer {
    pub(super) fn new(family: &Family, nested: Vec<Path>) -> Self {
        let dialect = match family.transport {
            Transport::JsonRpc => Dialect::JsonRpc,
            Transport::PiRpc => Dialect::Pi,
            Transport::Plain | Transport::Jsonl | Transport::Json => Dialect::Tagged,
        };
        Self {
            dialect,
            nested,
            waiting: HashMap::new(),
        }
    }

    /// Writes the name of the object at `at` into `name`.
    pub(super) fn name(&mut self, tape: &Tape<'_>, at: usize, direction: FrameDirection, name: &mut Name) {
        name.tag.clear();
        name.subtype = None;
        name.answer = None;
        name.nested.clear();
        match self.dialect {
            Dialect::Tagged => tagged(tape, at, name),
            Dialect::JsonRpc => self.json_rpc(tape, at, direction, name),
            Dialect::Pi => self.pi(tape, at, direction, name),
        }
        for path in &self.nested {
            let from = name.nested.len();
            collect(tape, at, path.steps(), &mut name.nested);
            name.nested[from..].sort();
            name.nested.dedup();
        }
        if name.tag.is_empty() {
            if name.nested.is_empty() || name.answer.is_some() {
                name.tag.push_str(UNKNOWN);
            } else {
                name.tag = name.nested.remove(0);
            }
        }
    }

    fn json_rpc(&mut self, tape: &Tape<'_>, at: usize, direction: FrameDirection, name: &mut Name) {
        let id = member(tape, at, "id").and_then(|id| id_of(tape, id));
        if let Some(method) = member(tape, at, "method").and_then(|method| tag_of(tape, method)) {
            name.tag.push_str(method);
            if let Some(id) = id {
                self.wait(direction, id, method);
            }
            return;
        }
        name.answer = if member(tape, at, "error").is_some() {
            Some(Answer::Error)
        } else {
            member(tape, at, "result").map(|_| Answer::Result)
        };
        if name.answer.is_some()
            && let Some(method) = id.and_then(|id| self.waiting.remove(&(turned(direction), id)))
        {
            name.tag = method;
        }
    }

    fn pi(&mut self, tape: &Tape<'_>, at: usize, direction: FrameDirection, name: &mut Name) {
        tagged(tape, at, name);
        let id = member(tape, at, "id").and_then(|id| id_of(tape, id));
        if name.tag != "response" || name.subtype.is_some() {
            if let (Some(id), FrameDirection::Input) = (id, direction)
                && !name.tag.is_empty()
            {
                self.wait(direction, id, &name.tag);
            }
            return;
        }
        let failed = member(tape, at, "success").is_some_and(|at| tape[at].value == Scalar::Boolean(false));
        name.answer = Some(if failed { Answer::Error } else { Answer::Result });
        let asked = id.and_then(|id| self.waiting.remove(&(turned(direction), id)));
        let command = member(tape, at, "command").and_then(|command| tag_of(tape, command));
        name.tag = command.map(str::to_owned).or(asked).unwrap_or_default();
    }

    fn wait(&mut self, direction: FrameDirection, id: Id, method: &str) {
        if self.waiting.len() < MAX_WAITING {
            self.waiting.insert((direction, id), method.to_owned());
        }
    }
}

/// The first of the usual tags that the object has, with its subtype.
fn tagged(tape: &Tape<'_>, at: usize, name: &mut Name) {
    let find = |tag: &&str| member(tape, at, tag).and_then(|tag| tag_of(tape, tag));
    if let Some(tag) = TAGS.iter().find_map(find) {
        name.tag.push_str(tag);
        name.subtype = find(&SUBTYPE).map(str::to_owned);
    }
}

/// The tags at the end of a path; all of them where it leads through lists.
fn collect(tape: &Tape<'_>, at: usize, steps: &[Step], found: &mut Vec<String>) {
    let Some((step, rest)) = steps.split_first() else {
        found.extend(tag_of(tape, at).map(str::to_owned));
        return;
    };
    match step {
        Step::Member(name) => {
            if let Some(next) = member(tape, at, name) {
                collect(tape, next, rest, found);
            }
        }
        Step::Items | Step::Tagged(_) if tape[at].value == Scalar::Array => {
            for item in inside(tape, at) {
                collect(tape, item, rest, found);
            }
        }
        Step::AnyMember if tape[at].value == Scalar::Object => {
            for member in inside(tape, at) {
                collect(tape, member, rest, found);
            }
        }
        _ => {}
    }
}

/// The string at `at`, when it can be a tag: short, and without blanks or the marks of placeholders.
pub(super) fn tag_of<'t>(tape: &'t Tape<'_>, at: usize) -> Option<&'t str> {
    text(tape, at).filter(|tag| is_tag(tag))
}

fn is_tag(tag: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '\\');
    !tag.is_empty() && tag.len() <= MAX_TAG && !tag.contains(odd)
}

fn id_of(tape: &Tape<'_>, at: usize) -> Option<Id> {
    match &tape[at].value {
        Scalar::Number(Some(id)) => Some(Id::Number(*id)),
        Scalar::String(Some(id)) => Some(Id::Text(id.clone().into_owned())),
        _ => None,
    }
}

fn turned(direction: FrameDirection) -> FrameDirection {
    match direction {
        FrameDirection::Output => FrameDirection::Input,
        FrameDirection::Input => FrameDirection::Output,
    }
}
