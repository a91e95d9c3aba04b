//! What `normalize` and `compare` may be given: a transcript, what a CLI wrote, a shape, an observation or a record of
//! source evidence; by file, by its path in the tree or by the name of a shape.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use agent_contracts_config::{AgentDef, Agents};
use agent_contracts_registry::records::{Observation, RedactionStatus};
use agent_contracts_shapes::transcript::{ProcessEventKind, Transcript};
use agent_contracts_shapes::{Normalised, Normaliser, Profile, Shape, Stream, TranscriptLine, Validity};
use agent_contracts_source_evidence::SourceEvidence;
use agent_contracts_wire::Family;
use agent_contracts_wire::family::SCAN_ONLY;
use anyhow::Context as _;
use serde_json::Value;

use crate::cli::Common;
use crate::context;
use crate::failure::{Exit, Failure};
use crate::output;

/// Larger files are no records.
const LARGEST_RECORD: u64 = 64 << 20;
/// How much of a file is looked at to see what it is.
const PEEK: usize = 64 << 10;

/// How transcripts are read.
pub(crate) struct Wanted {
    tree: PathBuf,
    agents: Agents,
    family: Option<&'static Family>,
    agent: Option<String>,
}

/// What was found.
pub(crate) enum Given {
    Transcript(Box<Made>),
    /// A shape, or the one that a record of source evidence names.
    Shape(Box<Shape>),
    Observation(Box<Observation>, Box<Shape>),
    /// An observation whose redaction did not pass.
    Unredacted(Box<Observation>),
}

/// A transcript with its shape.
pub(crate) struct Made {
    pub(crate) normalised: Normalised,
    pub(crate) profile: Profile,
}

impl Given {
    pub(crate) fn shape(&self) -> Option<&Shape> {
        match self {
            Self::Transcript(made) => Some(&made.normalised.shape),
            Self::Shape(shape) | Self::Observation(_, shape) => Some(shape),
            Self::Unredacted(_) => None,
        }
    }

    pub(crate) fn observation(&self) -> Option<&Observation> {
        match self {
            Self::Observation(observation, _) | Self::Unredacted(observation) => Some(observation),
            _ => None,
        }
    }
}

impl Wanted {
    pub(crate) fn new(common: &Common, family: Option<&str>, agent: Option<&str>) -> Result<Self, Failure> {
        let agents = context::agents(common)?;
        if let Some(id) = agent {
            agents.get(id).map_err(Failure::usage)?;
        }
        let family = family.map(family_of).transpose()?;
        Ok(Self {
            tree: common.tree.clone(),
            agents,
            family,
            agent: agent.map(str::to_owned),
        })
    }

    /// The agent that was named, or the one of a record.
    pub(crate) fn agent(&self, of_record: Option<&str>) -> Option<&AgentDef> {
        let id = self.agent.as_deref().or(of_record)?;
        self.agents.get(id).ok()
    }

    pub(crate) fn read(&self, name: &str) -> Result<Given, Failure> {
        if let Some(digits) = name.strip_prefix("sha256:").or_else(|| name.strip_prefix("sha256-")) {
            return self.by_signature(name, digits);
        }
        let path = [PathBuf::from(name), self.tree.join(name)]
            .into_iter()
            .find(|path| path.is_file())
            .ok_or_else(|| {
                Failure::usage_text(format!(
                    "there is no file {name}, neither here nor in the tree {}\nhint: a file, its path in the tree, or \
                     the signature of a shape of the tree (sha256:…)",
                    self.tree.display()
                ))
            })?;
        self.open(&path).map_err(|mut failure| {
            failure.error = failure.error.context(format!("cannot read {name}"));
            failure
        })
    }

    fn open(&self, path: &Path) -> Result<Given, Failure> {
        let mut file = BufReader::with_capacity(PEEK, File::open(path)?);
        let size = file.get_ref().metadata()?.len();
        let beginning = file.fill_buf()?;
        if size <= LARGEST_RECORD && !is_lines(beginning) {
            let mut text = Vec::new();
            file.read_to_end(&mut text)?;
            if let Ok(value) = serde_json::from_slice::<Value>(&text)
                && let Some(given) = self.record(&value)?
            {
                return Ok(given);
            }
            return self.transcript(text.as_slice(), is_transcript(&text));
        }
        let of_records = is_transcript(beginning);
        self.transcript(file, of_records)
    }

    /// A record of the tree; `None` when it is none of those that have a shape.
    fn record(&self, value: &Value) -> Result<Option<Given>, Failure> {
        let has = |name: &str| value.get(name).is_some();
        if has("frame_shapes") {
            let shape: Shape = serde_json::from_value(value.clone()).context("it is no shape record")?;
            return Ok(Some(Given::Shape(Box::new(checked(shape)?))));
        }
        if has("derived_shape") {
            let record: SourceEvidence =
                serde_json::from_value(value.clone()).context("it is no record of source evidence")?;
            return Ok(Some(Given::Shape(self.shape(&record.derived_shape.path)?)));
        }
        if has("redaction") && has("capture") {
            let record: Observation = serde_json::from_value(value.clone()).context("it is no observation")?;
            if record.redaction.status != RedactionStatus::Passed {
                return Ok(Some(Given::Unredacted(Box::new(record))));
            }
            let shape = self.shape(record.shape.path.as_str())?;
            return Ok(Some(Given::Observation(Box::new(record), shape)));
        }
        Ok(None)
    }

    fn by_signature(&self, name: &str, digits: &str) -> Result<Given, Failure> {
        let wrong = |why: &str| Failure::usage_text(format!("{name}: {why}"));
        if digits.len() < 8 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong(
                "a signature is `sha256:` and its hexadecimal digits, or at least eight of them",
            ));
        }
        let wanted = format!("sha256-{}", digits.to_lowercase());
        let mut found = Vec::new();
        for folder in std::fs::read_dir(self.tree.join("shapes")).into_iter().flatten() {
            for entry in std::fs::read_dir(folder?.path()).into_iter().flatten() {
                let entry = entry?;
                let file = entry.file_name().to_string_lossy().into_owned();
                if file.starts_with(&wanted) && file.ends_with(".shape.json") {
                    found.push(entry.path());
                }
            }
        }
        found.sort();
        match found.as_slice() {
            [path] => self.open(path),
            [] => Err(wrong(&format!(
                "no shape of the tree {} has this name",
                self.tree.display()
            ))),
            _ => Err(wrong("several shapes begin like this; write more digits")),
        }
    }

    /// The shape at a path of the tree.
    fn shape(&self, path: &str) -> Result<Box<Shape>, Failure> {
        let plain = !path.split('/').any(|part| matches!(part, "" | "." | ".."));
        if !plain {
            return Err(Failure::usage_text(format!("`{path}` is no path of the tree")));
        }
        let text = std::fs::read(self.tree.join(path))
            .with_context(|| format!("cannot read the shape {path} of the tree {}", self.tree.display()))?;
        let shape = serde_json::from_slice(&text).with_context(|| format!("{path} is no shape record"))?;
        Ok(Box::new(checked(shape)?))
    }

    /// What a transcript, or the standard output of a CLI, comes to.
    fn transcript(&self, input: impl BufRead, of_records: bool) -> Result<Given, Failure> {
        let profile = self.profile()?;
        let mut normaliser = Normaliser::new(&profile).map_err(Failure::usage)?;
        let mut ended = false;
        if of_records {
            for line in Transcript::new(input) {
                let (_, line) = line?;
                ended |= matches!(&line, TranscriptLine::Process(event) if event.event == ProcessEventKind::Exit);
                normaliser.push(&line);
            }
            if !ended {
                output::note("note: the transcript does not say how the process ended");
            }
        } else {
            output::note("note: these are no lines of a transcript; read as what the CLI wrote on standard output");
            let mut input = input;
            loop {
                let piece = input.fill_buf()?;
                if piece.is_empty() {
                    break;
                }
                normaliser.bytes(Stream::Stdout, piece);
                let read = piece.len();
                input.consume(read);
            }
        }
        let normalised = normaliser.finish(Validity::RuntimeObserved)?;
        Ok(Given::Transcript(Box::new(Made { normalised, profile })))
    }

    /// The profile of the agent and the family that were named; an agent has a first family.
    fn profile(&self) -> Result<Profile, Failure> {
        let agent = self.agent(None);
        let family = match (self.family, agent) {
            (Some(family), Some(agent)) if !agent.families.iter().any(|id| id == family.id) => {
                return Err(Failure::usage_text(format!(
                    "{} does not speak {}\nhint: it speaks {}",
                    agent.name,
                    family.id,
                    agent.families.join(", ")
                )));
            }
            (Some(family), _) => family,
            (None, Some(agent)) => agent
                .families
                .first()
                .and_then(|id| Family::of(id))
                .filter(|family| family.id != SCAN_ONLY)
                .ok_or_else(|| Failure::usage_text(format!("{} is scanned and never captured", agent.name)))?,
            (None, None) => {
                return Err(Failure::usage_text(
                    "a transcript does not say which protocol it is of\nhint: --agent AGENT, or --family FAMILY as in \
                     json-event-stream/v1",
                ));
            }
        };
        let profile = match agent {
            Some(agent) => agent.profile_for(family),
            None => Profile::new(None, family, &agent_contracts_shapes::Rules::default()),
        };
        profile.map_err(Failure::usage)
    }
}

fn family_of(id: &str) -> Result<&'static Family, Failure> {
    let captured = || {
        agent_contracts_wire::family::FAMILIES
            .iter()
            .filter(|family| family.id != SCAN_ONLY)
    };
    captured()
        .find(|family| family.id == id || family.folder() == id)
        .ok_or_else(|| {
            let known: Vec<&str> = captured().map(|family| family.id).collect();
            let near = agent_contracts_config::nearest(id, known.iter().copied())
                .map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
            Failure::usage_text(format!("there is no family `{id}`{near}\nhint: {}", known.join(", ")))
        })
}

/// A shape whose name is not that of its content is a lie, and not compared.
fn checked(shape: Shape) -> Result<Shape, Failure> {
    let own = shape.sign()?;
    if own == shape.signature {
        return Ok(shape);
    }
    Err(Failure {
        exit: Exit::Failed,
        error: anyhow::anyhow!("the shape says it is {} and is {own}; it was edited", shape.signature),
    })
}

/// Whether a file that begins like this has one JSON object a line.
fn is_lines(beginning: &[u8]) -> bool {
    let mut lines = beginning
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    let whole = |line: &[u8]| serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok();
    lines.next().is_some_and(whole) && lines.next().is_some()
}

/// Whether a file that begins like this has the records of a transcript: its first object says which way it went.
fn is_transcript(beginning: &[u8]) -> bool {
    let start = beginning.trim_ascii_start();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head = &line[..line.len().min(400)];
    let head = String::from_utf8_lossy(head);
    head.starts_with('{')
        && ["\"cli->server\"", "\"server->cli\"", "\"process\""]
            .iter()
            .any(|dir| head.contains(dir))
}
