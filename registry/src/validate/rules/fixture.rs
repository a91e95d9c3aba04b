//! `fixtures/FAMILY/sha256-….jsonl`: sanitised transcripts.

use std::collections::HashSet;

use agent_contracts_redact::Rules;
use agent_contracts_wire::formats::Sha256;
use agent_contracts_wire::{Family, Transport, family};

use crate::store::Store;
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};
use crate::validate::{read, scan};

pub(super) const ENDINGS: [&str; 2] = [".sanitized.jsonl", ".transcript.jsonl"];

/// Checks the lines of a fixture, and its name.
pub(in crate::validate) fn check(
    text: &str,
    _sha256: Option<&Sha256>,
    rules: &Rules,
    teller: &mut Teller<'_>,
    index: &Index,
    _store: &Store,
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
    if !index.shapes.contains_key(&signature) {
        teller.error("FIX022", "", &signature, "a shape of the tree");
    }
    for (at, line) in text.lines().enumerate() {
        let place = format!("line {}", at + 1);
        if let Some(value) = read::parse(line, teller, &place)
            && line.contains('\\')
        {
            scan(line, Some(&value), rules, teller);
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
    let observed: HashSet<&str> = index.observations.iter().map(|one| one.shape.as_str()).collect();
    let mut problems = Vec::new();
    for file in index.files.keys().filter(|file| file.starts_with("fixtures/")) {
        if let Some((_, signature)) = name(file).filter(|(_, signature)| !observed.contains(signature.as_str())) {
            let mut teller = Teller::new(file);
            teller.error("FIX026", "", signature, "an observation with this shape");
            problems.extend(teller.into_problems());
        }
    }
    problems
}
