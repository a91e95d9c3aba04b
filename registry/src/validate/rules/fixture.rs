//! `fixtures/FAMILY/sha256-….jsonl`: sanitised transcripts, and whether each has the shape that its name says.

use std::sync::LazyLock;

use agent_contracts_redact::Rules;
use agent_contracts_shapes::{Normaliser, Profile, Rules as ProfileRules, Shape, TranscriptLine, Validity};
use agent_contracts_wire::formats::Sha256;
use agent_contracts_wire::{Family, Transport, family};
use regex::Regex;
use serde_json::Value;

use crate::records::Kind;
use crate::store::Store;
use crate::validate::index::{Index, ObservationFacts};
use crate::validate::problem::{Problem, Teller};
use crate::validate::{collect, read, schemas};

/// The endings of fixtures: of streams, and of both sides of an RPC.
const ENDINGS: [&str; 2] = [".sanitized.jsonl", ".transcript.jsonl"];

/// A credential that is given a value. Too common in source to be a rule for every text; in a transcript it is one.
static ASSIGNED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(?:token|secret|password|passwd|api[_-]?key)=[A-Za-z0-9._~+/-]{4,}").ok());

/// Checks a fixture: its name, its lines, what must not be published, and its shape.
pub(in crate::validate) fn check(
    text: &str,
    sha256: Option<&Sha256>,
    rules: &Rules,
    teller: &mut Teller<'_>,
    index: &Index,
    store: &Store,
) {
    let Some((family, signature)) = name(teller.file()) else {
        teller.error(
            "FIL011",
            "",
            teller.file(),
            "fixtures/FAMILY/sha256-DIGITS.sanitized.jsonl or .transcript.jsonl",
        );
        return;
    };
    let rpc = matches!(family.transport, Transport::JsonRpc | Transport::PiRpc);
    let wanted = if rpc { ENDINGS[1] } else { ENDINGS[0] };
    if !teller.file().ends_with(wanted) {
        teller.error("FIX024", "", teller.file(), format!("a name that ends in {wanted}"));
    }
    let transcript = lines(text, family, rules, teller);
    let Some(shape) = index.shapes.get(&signature) else {
        teller.error("FIX022", "", &signature, "a shape of the tree");
        return;
    };
    let observed: Vec<&ObservationFacts> = index.of_shape(&signature).collect();
    let own = observed
        .iter()
        .find(|one| one.sanitized.as_deref() == sha256.map(Sha256::as_str));
    if own.is_none() && !observed.is_empty() && observed.iter().all(|one| one.sanitized.is_some()) {
        teller.error(
            "FIX027",
            "",
            sha256.map_or("", Sha256::as_str),
            "the hash that an observation names",
        );
    }
    if let (Some(transcript), Some(observation)) = (transcript, own.or(observed.first())) {
        let stored = store.read_json::<Shape>(&shape.file).ok().flatten();
        normalises(&transcript, observation, family, stored.as_ref(), teller, index);
    }
}

/// The lines of a transcript; `None` when one of them is none.
fn lines(text: &str, family: &Family, rules: &Rules, teller: &mut Teller<'_>) -> Option<Vec<TranscriptLine>> {
    let kind = Kind::of_id("transcript")?;
    let mut transcript = Vec::new();
    let mut whole = true;
    let mut last = 0;
    for (at, line) in text.lines().enumerate() {
        let place = format!("line {}", at + 1);
        let Some(value) = read::parse(line, teller, &place) else {
            whole = false;
            continue;
        };
        secrets(line, &value, &place, rules, teller);
        if !schemas::check_at(kind, &place, &value, teller) {
            whole = false;
            continue;
        }
        let time = value.get("at_ms").and_then(Value::as_u64).unwrap_or(last);
        if time < last {
            teller.error(
                "FIX025",
                format!("{place}/at_ms"),
                time.to_string(),
                format!("at least {last}"),
            );
        }
        last = time;
        match serde_json::from_value::<TranscriptLine>(value) {
            Ok(line) => {
                if let TranscriptLine::Frame(frame) = &line
                    && let Some(problem) = frame.problem(family)
                {
                    teller.error("FIX028", format!("{place}/frame"), problem, "a message of its family");
                }
                transcript.push(line);
            }
            Err(error) => {
                whole = false;
                teller.error(
                    "FIX020",
                    place,
                    error.to_string(),
                    "a chunk of a stream, a frame, or an event of the process",
                );
            }
        }
    }
    whole.then_some(transcript)
}

/// What the text of a line stands for; the text itself was scanned with the whole file.
fn secrets(line: &str, value: &Value, place: &str, rules: &Rules, teller: &mut Teller<'_>) {
    let mut strings = String::new();
    collect(value, &mut strings);
    let wanted = "nothing that must not be published";
    if line.contains('\\') {
        for hit in rules.scan(&strings) {
            teller.error("PUB001", place, format!("{} (rule {})", hit.about, hit.rule), wanted);
        }
    }
    if ASSIGNED.as_ref().is_some_and(|pattern| pattern.is_match(&strings)) {
        teller.error(
            "PUB001",
            place,
            "a credential with a value (rule assigned-secret)",
            wanted,
        );
    }
}

/// Normalises with the profile of the observation, and compares with the shape.
fn normalises(
    transcript: &[TranscriptLine],
    observation: &ObservationFacts,
    family: &Family,
    stored: Option<&Shape>,
    teller: &mut Teller<'_>,
    index: &Index,
) {
    let plain = || Profile::new(None, family, &ProfileRules::default()).ok();
    let profile = match &observation.profile {
        Some(signature) => index.profiles.get(signature).cloned(),
        None => plain(),
    };
    // A profile that is not there is told at the observation.
    let Some(mut normaliser) = profile.and_then(|profile| Normaliser::new(&profile).ok()) else {
        return;
    };
    for line in transcript {
        normaliser.push(line);
    }
    let (Ok(made), Some(stored)) = (normaliser.finish(Validity::RuntimeObserved), stored) else {
        return;
    };
    if made.shape.signature == stored.signature {
        return;
    }
    teller.error("FIX021", "", &made.shape.signature, &stored.signature);
    for (at, frame) in stored.frame_shapes.iter().enumerate() {
        let seen = made.shape.frame_shapes.iter().find(|seen| {
            seen.event_type == frame.event_type && seen.direction == frame.direction && seen.stream == frame.stream
        });
        for (path_at, path) in frame.paths.iter().enumerate().filter(|(_, path)| path.required) {
            let is_there =
                seen.is_some_and(|seen| seen.paths.iter().any(|other| other.path == path.path && other.required));
            if !is_there {
                let place = format!("/frame_shapes/{at}/paths/{path_at}");
                teller.error(
                    "FIX023",
                    place,
                    format!("`{}` is absent, or not always there", path.path),
                    "a path that every frame of its kind has",
                );
            }
        }
    }
}

/// The family and the signature that a fixture's name gives.
fn name(file: &str) -> Option<(&'static Family, String)> {
    let (folder, name) = file.strip_prefix("fixtures/")?.split_once('/')?;
    let family = family::FAMILIES.iter().find(|family| family.folder() == folder)?;
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))?;
    let signature = stem.replacen('-', ":", 1);
    Sha256::is(&signature).then_some((family, signature))
}

/// A fixture is of an observation.
pub(super) fn across(index: &Index) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in index.files.keys().filter(|file| file.starts_with("fixtures/")) {
        if let Some((_, signature)) = name(file).filter(|(_, signature)| index.of_shape(signature).next().is_none()) {
            let mut teller = Teller::new(file);
            teller.error("FIX026", "", signature, "an observation with this shape");
            problems.extend(teller.into_problems());
        }
    }
    problems
}
