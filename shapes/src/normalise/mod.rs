//! From a transcript to its shape, frame by frame, in bounded memory.
//!
//! Lines are put together from chunks, frames get their name, and frames of one direction, pipe and name are merged into
//! one class. What a text says, how often something came and in how many pieces, ids, times and paths leave no trace.
//! Redaction placeholders are strings like any other: a string stays a string. What stands for a line of standard error
//! keeps its class ([`stderr`]).

mod class;
mod lines;
mod name;
pub mod stderr;
mod tape;

use std::collections::HashMap;

use agent_contracts_wire::event::{TEXT, UNKNOWN};
use agent_contracts_wire::{EventType, Family, Path, Transport};
use serde::Serialize;

use self::class::{Class, Marks};
use self::lines::{Line, Lines};
use self::name::{Name, Namer};
use self::stderr::Stderr;
use self::tape::{Scalar, Tape};
use crate::profile::{EventPattern, Profile, ProfileError};
use crate::shape::{Exit, FrameDirection, FrameShape, Shape, ShapeError, StderrClass, Stream, Validity};
use crate::transcript::{ProcessEvent, ProcessEventKind, TranscriptLine};

/// A longer line of a pipe is not read; it is a frame of which nothing is known.
pub const MAX_LINE: usize = 64 << 20;
/// More names of frames than this are not told apart.
const MAX_CLASSES: usize = 2_000;
/// At most so many notes are kept; all are counted.
const MAX_NOTES: usize = 50;
/// Where text stands before the first object of a line, so many of its braces are tried.
const MAX_GLUED: usize = 4;

/// What a transcript comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// Its shape.
    pub shape: Shape,
    /// Frames that the profile calls volatile, in the order of first occurrence. They are no part of the shape.
    pub volatile: Vec<Volatile>,
    /// What was odd, at most fifty.
    pub notes: Vec<Note>,
    /// How much was odd.
    pub oddities: u64,
}

/// Frames that come or stay away by chance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Volatile {
    /// Which way they go.
    pub direction: FrameDirection,
    /// Over which pipe.
    pub stream: Stream,
    /// Their name.
    pub event_type: String,
    /// How many there were.
    pub count: u64,
}

/// Something odd, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The pipe.
    pub stream: Stream,
    /// Which line of that pipe, from 1.
    pub line: u64,
    /// What, in words, without anything of the text.
    pub what: String,
}

/// Makes the shape of one transcript.
pub struct Normaliser {
    family: &'static Family,
    marks: Marks,
    floating: Vec<EventPattern>,
    volatile: Vec<EventPattern>,
    namer: Namer,
    pipes: [Pipe; 3],
    classes: Vec<Kept>,
    index: HashMap<String, usize>,
    stderr: Stderr,
    ending: Ending,
    notes: Vec<Note>,
    oddities: u64,
    // Memory that is used again for the next frame.
    tape: Tape<'static>,
    name: Name,
    key: String,
    limit: usize,
}

/// One pipe.
struct Pipe {
    lines: Lines,
    count: u64,
}

/// A class with what it is called.
struct Kept {
    direction: FrameDirection,
    stream: Stream,
    event: EventType,
    count: u64,
    floating: bool,
    volatile: bool,
    class: Class,
}

/// How the process ended, as far as is known.
#[derive(Default)]
struct Ending {
    timeout: bool,
    exit: Option<(Option<i64>, bool)>,
}

impl Normaliser {
    /// For transcripts of the family of `profile`.
    ///
    /// # Errors
    /// When the profile is not readable.
    pub fn new(profile: &Profile) -> Result<Self, ProfileError> {
        let family = profile.family()?;
        let rules = &profile.rules;
        let paths = |list: &'static str, paths: &[String]| -> Result<Vec<Path>, ProfileError> {
            paths
                .iter()
                .map(|path| path.parse().map_err(|source| ProfileError::Path { list, source }))
                .collect()
        };
        let events = |list: &'static str, events: &[String]| -> Result<Vec<EventPattern>, ProfileError> {
            events
                .iter()
                .map(|event| event.parse().map_err(|source| ProfileError::Event { list, source }))
                .collect()
        };
        let pipe = || Pipe {
            lines: Lines::default(),
            count: 0,
        };
        Ok(Self {
            family,
            marks: Marks {
                maps: paths("maps", &rules.maps)?,
                opaque: paths("opaque", &rules.opaque)?,
                ignored: paths("ignored", &rules.ignored)?,
                kept: rules.kept.iter().cloned().collect(),
            },
            floating: events("floating", &rules.floating)?,
            volatile: events("volatile", &rules.volatile)?,
            namer: Namer::new(family, paths("tags", &rules.tags)?),
            pipes: [pipe(), pipe(), pipe()],
            classes: Vec::new(),
            index: HashMap::new(),
            stderr: Stderr::default(),
            ending: Ending::default(),
            notes: Vec::new(),
            oddities: 0,
            tape: Tape::new(),
            name: Name::default(),
            key: String::new(),
            limit: MAX_LINE,
        })
    }

    /// Reads lines up to this many bytes instead of [`MAX_LINE`].
    #[must_use]
    pub fn with_line_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Takes one line of a transcript.
    pub fn push(&mut self, line: &TranscriptLine) {
        match line {
            TranscriptLine::Data(chunk) => self.bytes(chunk.stream, chunk.data.as_bytes()),
            TranscriptLine::Ref(chunk) => {
                self.pipes[pipe_of(chunk.stream)].count += 1;
                match chunk.stream {
                    Stream::Stdin => self.bare(Stream::Stdin, TEXT),
                    Stream::Stdout => {
                        self.note(Stream::Stdout, "its text stands elsewhere and was not read");
                        self.bare(
                            Stream::Stdout,
                            if self.is_text(Stream::Stdout) { TEXT } else { UNKNOWN },
                        );
                    }
                    Stream::Stderr => self.stderr.add(StderrClass::Unknown),
                }
            }
            TranscriptLine::Frame(frame) => {
                self.pipes[pipe_of(frame.stream)].count += 1;
                let mut tape = tape::emptied(std::mem::take(&mut self.tape));
                match tape::read(&frame.frame, &mut tape) {
                    Ok(()) => self.value(frame.stream, &tape),
                    Err(error) => {
                        self.note(frame.stream, error.to_string());
                        self.bare(frame.stream, UNKNOWN);
                    }
                }
                self.tape = tape::emptied(tape);
            }
            TranscriptLine::Process(event) => self.process(event),
        }
    }

    /// Takes a piece of a pipe.
    pub fn bytes(&mut self, stream: Stream, chunk: &[u8]) {
        let mut lines = std::mem::take(&mut self.pipes[pipe_of(stream)].lines);
        lines.push(chunk, self.limit, |line| self.line(stream, &line));
        self.pipes[pipe_of(stream)].lines = lines;
    }

    /// Takes what happened to the process.
    pub fn process(&mut self, event: &ProcessEvent) {
        match event.event {
            ProcessEventKind::Timeout => self.ending.timeout = true,
            ProcessEventKind::Exit => self.ending.exit = Some((event.exit_code, event.signal.is_some())),
            ProcessEventKind::Spawn | ProcessEventKind::Kill => {}
        }
    }

    /// The shape of all that was taken.
    ///
    /// # Errors
    /// When the shape cannot be written as JSON.
    pub fn finish(mut self, validity: Validity) -> Result<Normalised, ShapeError> {
        for stream in [Stream::Stdin, Stream::Stdout, Stream::Stderr] {
            let mut lines = std::mem::take(&mut self.pipes[pipe_of(stream)].lines);
            lines.finish(|line| self.line(stream, &line));
        }
        let exit = self.ending.class();
        let stderr = self.stderr.class(exit);
        let mut volatile = Vec::new();
        let (mut ordered, mut floating) = (Vec::new(), Vec::new());
        for kept in self.classes {
            let event_type = kept.event.to_string();
            if kept.volatile {
                volatile.push(Volatile {
                    direction: kept.direction,
                    stream: kept.stream,
                    event_type,
                    count: kept.count,
                });
                continue;
            }
            let (paths, enums) = kept.class.told();
            let frame = FrameShape {
                direction: kept.direction,
                stream: kept.stream,
                event_type,
                paths,
                enums,
            };
            if kept.floating { &mut floating } else { &mut ordered }.push(frame);
        }
        floating.sort_by(|a, b| {
            let key = |frame: &FrameShape| (frame.direction, frame.stream);
            key(a).cmp(&key(b)).then_with(|| a.event_type.cmp(&b.event_type))
        });
        ordered.append(&mut floating);
        if ordered.is_empty() {
            ordered.push(FrameShape::nothing_known());
        }
        Ok(Normalised {
            shape: Shape::new(self.family, validity, ordered, stderr, exit)?,
            volatile,
            notes: self.notes,
            oddities: self.oddities,
        })
    }

    /// Whether a pipe of this family carries text without frames.
    fn is_text(&self, stream: Stream) -> bool {
        match stream {
            Stream::Stderr => true,
            Stream::Stdout => self.family.transport == Transport::Plain,
            Stream::Stdin => !matches!(
                self.family.folder(),
                "claude-stream-json" | "acp-json-rpc" | "pi-rpc" | "codex-app-server" | "dsh-profile-jsonl"
            ),
        }
    }

    fn line(&mut self, stream: Stream, line: &Line<'_>) {
        self.pipes[pipe_of(stream)].count += 1;
        let bytes = match line {
            Line::Text(bytes) => bytes.trim_ascii(),
            Line::TooLong(bytes) => {
                self.note(stream, format!("a line of {bytes} bytes is too long and was not read"));
                match stream {
                    Stream::Stderr => self.stderr.add(StderrClass::Unknown),
                    _ => self.bare(stream, if self.is_text(stream) { TEXT } else { UNKNOWN }),
                }
                return;
            }
        };
        if bytes.is_empty() {
            return;
        }
        match stream {
            Stream::Stderr => self.stderr.line(bytes),
            _ if self.is_text(stream) => self.bare(stream, TEXT),
            _ => self.json(stream, bytes),
        }
    }

    fn json(&mut self, stream: Stream, line: &[u8]) {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut tape = tape::emptied(std::mem::take(&mut self.tape));
        match parse(line, &mut tape) {
            Ok(()) => self.value(stream, &tape),
            Err(error) => {
                // A prompt that is typed in is text; what is glued to the first object of a line is noise.
                if stream == Stream::Stdin && !line.starts_with(b"{") {
                    self.bare(stream, TEXT);
                } else if glued(line, &mut tape) {
                    self.note(stream, "text before the first object of the line");
                    self.value(stream, &tape);
                } else {
                    self.note(stream, format!("no JSON: {}", in_words(&error)));
                    self.bare(stream, UNKNOWN);
                }
            }
        }
        self.tape = tape::emptied(tape);
    }

    /// One JSON value that came over a pipe.
    fn value(&mut self, stream: Stream, tape: &Tape<'_>) {
        match tape[0].value {
            Scalar::Object => self.frame(stream, tape, 0),
            Scalar::Array if self.family.transport == Transport::JsonRpc => {
                for item in tape::inside(tape, 0) {
                    if tape[item].value == Scalar::Object {
                        self.frame(stream, tape, item);
                    } else {
                        self.bare(stream, UNKNOWN);
                    }
                }
            }
            _ => {
                self.note(stream, "JSON, but no object");
                self.bare(stream, UNKNOWN);
            }
        }
    }

    fn frame(&mut self, stream: Stream, tape: &Tape<'_>, at: usize) {
        let mut name = std::mem::take(&mut self.name);
        self.namer.name(tape, at, stream.direction(), &mut name);
        let class = self.class(stream, &name);
        self.name = name;
        let kept = &mut self.classes[class];
        kept.count += 1;
        if kept.volatile {
            return;
        }
        let was_cut = kept.class.cut;
        let twice = kept.class.merge(&self.marks, tape, at);
        let cut = kept.class.cut && !was_cut;
        if let Some(member) = twice {
            // The name of a member may be data, so only its length is told.
            self.note(
                stream,
                format!("a member of {} bytes comes twice in one object", member.len()),
            );
        }
        if cut {
            self.note(
                stream,
                "frames of this name have too many members; the rest is left out",
            );
        }
    }

    /// A frame of which only the name is known.
    fn bare(&mut self, stream: Stream, name: &str) {
        let name = Name {
            tag: name.to_owned(),
            ..Name::default()
        };
        let class = self.class(stream, &name);
        let kept = &mut self.classes[class];
        kept.count += 1;
    }

    fn class(&mut self, stream: Stream, name: &Name) -> usize {
        let mut key = std::mem::take(&mut self.key);
        name.key(stream, &mut key);
        let known = self.index.get(&key).copied();
        let class = known.unwrap_or_else(|| self.new_class(stream, name, &key));
        self.key = key;
        class
    }

    fn new_class(&mut self, stream: Stream, name: &Name, key: &str) -> usize {
        let full = self.classes.len() >= MAX_CLASSES;
        let event = if full { EventType::of(UNKNOWN) } else { name.event() };
        if full {
            self.note(stream, "too many names of frames; this one is not told apart");
            let unknown = self
                .classes
                .iter()
                .position(|kept| kept.stream == stream && kept.event == event);
            if let Some(unknown) = unknown {
                return unknown;
            }
        }
        let among = |patterns: &[EventPattern]| patterns.iter().any(|pattern| pattern.matches(&event));
        self.classes.push(Kept {
            direction: stream.direction(),
            stream,
            count: 0,
            floating: among(&self.floating),
            volatile: among(&self.volatile),
            class: Class::new(&self.marks),
            event,
        });
        let class = self.classes.len() - 1;
        if !full {
            self.index.insert(key.to_owned(), class);
        }
        class
    }

    fn note(&mut self, stream: Stream, what: impl Into<String>) {
        self.oddities += 1;
        if self.notes.len() < MAX_NOTES {
            self.notes.push(Note {
                stream,
                line: self.pipes[pipe_of(stream)].count,
                what: what.into(),
            });
        }
    }
}

impl Name {
    fn event(&self) -> EventType {
        EventType {
            answer: self.answer,
            nested: self.nested.clone(),
            ..EventType::with_subtype(&self.tag, self.subtype.as_deref())
        }
    }

    /// What tells the names of frames apart, in memory that is used again.
    fn key(&self, stream: Stream, key: &mut String) {
        key.clear();
        key.push(match stream {
            Stream::Stdin => '0',
            Stream::Stdout => '1',
            Stream::Stderr => '2',
        });
        key.push_str(match self.answer {
            None => "-",
            Some(agent_contracts_wire::Answer::Result) => "r",
            Some(agent_contracts_wire::Answer::Error) => "e",
        });
        key.push_str(&self.tag);
        if let Some(part) = &self.subtype {
            key.push('/');
            key.push_str(part);
        }
        // Tags hold no control characters.
        for part in &self.nested {
            key.push('\u{1f}');
            key.push_str(part);
        }
    }
}

impl Ending {
    fn class(&self) -> Exit {
        match self.exit {
            _ if self.timeout => Exit::Timeout,
            Some((_, true)) => Exit::Signal,
            Some((Some(0), _)) => Exit::Success,
            Some((Some(_), _)) => Exit::Nonzero,
            None | Some((None, false)) => Exit::Unknown,
        }
    }
}

fn parse<'a>(line: &'a [u8], tape: &mut Tape<'a>) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_slice(line);
    json.disable_recursion_limit();
    tape::read(&mut json, tape)?;
    json.end()
}

/// Finds the object that ends a line which begins with something else.
fn glued<'a>(line: &'a [u8], tape: &mut Tape<'a>) -> bool {
    let braces = line.iter().enumerate().filter(|(at, byte)| **byte == b'{' && *at > 0);
    braces.take(MAX_GLUED).any(|(at, _)| parse(&line[at..], tape).is_ok())
}

/// Where and how, without anything of the text.
fn in_words(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Data => "it is too large",
        serde_json::error::Category::Syntax | serde_json::error::Category::Io => "it is not written like JSON",
    };
    format!("{what}, at byte {}", error.column())
}

fn pipe_of(stream: Stream) -> usize {
    match stream {
        Stream::Stdin => 0,
        Stream::Stdout => 1,
        Stream::Stderr => 2,
    }
}
