//! Reading transcripts line by line, each line bounded.

use std::io::{self, BufRead, Read};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{DataChunk, ProcessDir, ProcessEvent, ProcessEventKind, RefChunk, RpcFrame, TranscriptLine};
use crate::shape::{FrameDirection, Stream};

/// A longer line is refused, so that no file can fill the memory.
pub(super) const MAX_LINE: usize = 128 << 20;

/// The lines of a transcript with their numbers. Stops at the first that is none.
pub struct Transcript<R> {
    input: R,
    line: u64,
    buffer: Vec<u8>,
    limit: usize,
    failed: bool,
}

/// Why a line is no line of a transcript.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TranscriptError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub what: What,
}

/// What can be wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum What {
    /// It is no JSON, or none of the records.
    #[error("{}{message}", column.map_or_else(String::new, |column| format!("column {column}: ")))]
    Record {
        /// In bytes, from 1; `None` when it is about the record as a whole.
        column: Option<usize>,
        /// In words.
        message: String,
    },
    /// It is not UTF-8.
    #[error("column {column}: the bytes from here are not UTF-8")]
    NotUtf8 {
        /// In bytes, from 1.
        column: usize,
    },
    /// The file begins with a byte order mark.
    #[error("the file begins with a byte order mark; save it as UTF-8 without one")]
    ByteOrderMark,
    /// It is longer than any record.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// It could not be read.
    #[error("{0}")]
    Io(io::Error),
}

impl<R: BufRead> Transcript<R> {
    /// The lines of `input`.
    pub fn new(input: R) -> Self {
        Self::with_limit(input, MAX_LINE)
    }

    /// The lines of `input`, of which none may be longer than `limit` bytes.
    pub fn with_limit(input: R, limit: usize) -> Self {
        Self {
            input,
            line: 0,
            buffer: Vec::new(),
            limit,
            failed: false,
        }
    }

    /// The next line that is not blank.
    fn read(&mut self) -> Option<Result<(u64, TranscriptLine), What>> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let most = u64::try_from(self.limit).unwrap_or(u64::MAX).saturating_add(1);
            match self.input.by_ref().take(most).read_until(b'\n', &mut self.buffer) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(What::Io(error))),
            }
            if self.buffer.len() > self.limit && self.buffer.last() != Some(&b'\n') {
                return Some(Err(What::TooLong(self.limit)));
            }
            if self.line == 1 && self.buffer.starts_with(b"\xef\xbb\xbf") {
                return Some(Err(What::ByteOrderMark));
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            let text = match std::str::from_utf8(&self.buffer) {
                Ok(text) => text,
                Err(error) => {
                    let column = error.valid_up_to() + 1;
                    return Some(Err(What::NotUtf8 { column }));
                }
            };
            let record = serde_json::from_str(text).map_err(|error| What::Record {
                column: Some(error.column()).filter(|column| *column > 0),
                message: bare(&error),
            });
            return Some(record.map(|record| (self.line, record)));
        }
    }
}

/// The message without the place, which is told apart.
fn bare(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ")
        .map_or_else(|| text.clone(), |(message, _)| message.to_owned())
}

impl<R: BufRead> Iterator for Transcript<R> {
    type Item = Result<(u64, TranscriptLine), TranscriptError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let line = self.read()?;
        self.failed = line.is_err();
        Some(line.map_err(|what| TranscriptError { line: self.line, what }))
    }
}

/// The members of all records.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    dir: Dir,
    at_ms: u64,
    stream: Option<Stream>,
    data: Option<String>,
    data_ref: Option<String>,
    frame: Option<Map<String, Value>>,
    event: Option<ProcessEventKind>,
    exit_code: Option<i64>,
    signal: Option<String>,
}

#[derive(Deserialize, PartialEq, Eq)]
enum Dir {
    #[serde(rename = "cli->server")]
    Output,
    #[serde(rename = "server->cli")]
    Input,
    #[serde(rename = "process")]
    Process,
}

impl<'de> Deserialize<'de> for TranscriptLine {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::of(Record::deserialize(from)?).map_err(D::Error::custom)
    }
}

impl TranscriptLine {
    fn of(record: Record) -> Result<Self, &'static str> {
        let dir = match record.dir {
            Dir::Process => return process(record),
            Dir::Output => FrameDirection::Output,
            Dir::Input => FrameDirection::Input,
        };
        let Record {
            at_ms,
            stream,
            data,
            data_ref,
            frame,
            ..
        } = record;
        if record.event.is_some() || record.exit_code.is_some() || record.signal.is_some() {
            return Err("`event`, `exit_code` and `signal` belong to `dir` \"process\"");
        }
        let stream = stream.ok_or("`stream` is missing")?;
        if (stream == Stream::Stdin) != (dir == FrameDirection::Input) {
            return Err("`stdin` goes `server->cli`, `stdout` and `stderr` go `cli->server`");
        }
        match (data, data_ref, frame) {
            (Some(data), None, None) => Ok(Self::Data(DataChunk {
                dir,
                stream,
                at_ms,
                data,
            })),
            (None, Some(data_ref), None) if data_ref.is_empty() => Err("`data_ref` is empty"),
            (None, Some(data_ref), None) => Ok(Self::Ref(RefChunk {
                dir,
                stream,
                at_ms,
                data_ref,
            })),
            (None, None, Some(frame)) => Ok(Self::Frame(RpcFrame {
                dir,
                stream,
                at_ms,
                frame,
            })),
            _ => Err("exactly one of `data`, `data_ref` and `frame` must be there"),
        }
    }
}

fn process(record: Record) -> Result<TranscriptLine, &'static str> {
    let content = record.data.is_some() || record.data_ref.is_some() || record.frame.is_some();
    if record.stream.is_some() || content {
        return Err("a process event has no `stream`, `data`, `data_ref` or `frame`");
    }
    let event = record.event.ok_or("`event` is missing")?;
    if event == ProcessEventKind::Exit && record.exit_code.is_none() && record.signal.is_none() {
        return Err("`exit` needs `exit_code` or `signal`");
    }
    Ok(TranscriptLine::Process(ProcessEvent {
        dir: ProcessDir::Process,
        event,
        at_ms: record.at_ms,
        exit_code: record.exit_code,
        signal: record.signal,
    }))
}
