//! The rules that no schema can say, one file a kind of record. Each rule stands in one place and has one code.

mod agents;
mod alert;
mod error_case;
mod evidence;
pub(super) mod fixture;
mod manifest;
mod matrix;
mod observation;
mod probe;
mod profile;
mod promotion;
mod release;
mod shape;

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_shapes::{Profile, Shape};
use agent_contracts_source_evidence::SourceEvidence;
use agent_contracts_wire::formats::{Sha256, UtcTime};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::index::{Index, ObservationFacts};
use super::problem::{Problem, Teller};
use super::{Options, schemas};
use crate::index::EvidenceIndex;
use crate::matrix::{Decided, Seen};
use crate::outbox::OutboxEntry;
use crate::records::{
    AlertReceipt, EnvPolicy, ErrorCase, ExpectedMinEvents, Kind, Manifest, Observation, ProbeDefinition, Promotion,
    SupportMatrix,
};
use crate::release::ReleaseFile;
use crate::store::Store;

/// A record that could be read.
#[derive(Debug)]
pub(super) enum Record {
    Agents(AgentsFile),
    Release(ReleaseFile),
    Probe(ProbeDefinition),
    ExpectedMinEvents(ExpectedMinEvents),
    Profile(Profile),
    Shape(Box<Shape>),
    Observation(Box<Observation>),
    Evidence(Box<SourceEvidence>),
    ErrorCase(ErrorCase),
    Promotion(Promotion),
    Matrix(SupportMatrix),
    Alert(OutboxEntry),
    Receipt(AlertReceipt),
    Manifest(Manifest),
    /// Of a kind without rules of its own.
    Plain,
}

/// The record, when its schema allows it.
pub(super) fn parse(kind: &Kind, value: Value, teller: &mut Teller<'_>) -> Option<Record> {
    let value = schemas::check(kind, value, teller)?;
    match kind.id {
        "agents" => read(&value, teller).map(Record::Agents),
        "release" => read(&value, teller).map(Record::Release),
        "probe" => read(&value, teller).map(Record::Probe),
        "expected-min-events" => read(&value, teller).map(Record::ExpectedMinEvents),
        "env-policy" => read::<EnvPolicy>(&value, teller).map(|_| Record::Plain),
        "profile" => read(&value, teller).map(Record::Profile),
        "shape" => read(&value, teller).map(|shape| Record::Shape(Box::new(shape))),
        "observation" => read(&value, teller).map(|one| Record::Observation(Box::new(one))),
        "source-evidence" => read(&value, teller).map(|one| Record::Evidence(Box::new(one))),
        "evidence-index" => read::<EvidenceIndex>(&value, teller).map(|_| Record::Plain),
        "error-case" => read(&value, teller).map(Record::ErrorCase),
        "promotion" => read(&value, teller).map(Record::Promotion),
        "support-matrix" => read(&value, teller).map(Record::Matrix),
        "alert" => read(&value, teller).map(Record::Alert),
        "alert-receipt" => read(&value, teller).map(Record::Receipt),
        "manifest" => read(&value, teller).map(Record::Manifest),
        _ => Some(Record::Plain),
    }
}

fn read<T: DeserializeOwned>(value: &Value, teller: &mut Teller<'_>) -> Option<T> {
    match serde_path_to_error::deserialize(value) {
        Ok(record) => Some(record),
        Err(error) => {
            let at = error.path().to_string();
            teller.error(
                "FIL012",
                format!("/{}", at.replace('.', "/")),
                error.into_inner().to_string(),
                "a record of its type",
            );
            None
        }
    }
}

/// The rules that need the record, and perhaps what was read before it.
pub(super) fn alone(record: &Record, teller: &mut Teller<'_>, index: &Index, options: &Options) {
    match record {
        Record::Agents(agents) => agents::check(agents, teller, index),
        Record::Release(releases) => release::check(releases, teller),
        Record::Probe(probe) => probe::check(probe, teller, index),
        Record::ExpectedMinEvents(expected) => probe::check_expected(expected, teller),
        Record::Profile(profile) => profile::check(profile, teller),
        Record::Shape(shape) => shape::check(shape, teller),
        Record::Observation(observation) => observation::check(observation, teller, index, options),
        Record::Manifest(manifest) => manifest::check(manifest, teller),
        Record::Receipt(receipt) => alert::check_receipt(receipt, teller),
        _ => {}
    }
}

/// Keeps what later rules need of a record. Tells what contradicts what was kept before.
pub(super) fn keep(index: &mut Index, file: &str, record: Record, sha256: Option<Sha256>) -> Vec<Problem> {
    let mut teller = Teller::new(file);
    match record {
        Record::Agents(agents) => {
            index.claims.agents = Some(agents.clone());
            index.agents = Some(
                agents
                    .agents
                    .into_iter()
                    .map(|agent| (agent.id.clone(), agent))
                    .collect(),
            );
        }
        Record::Release(releases) => {
            index.claims.releases.push(releases.clone());
            index.releases.insert(releases.agent.clone(), releases);
        }
        Record::Probe(probe) => {
            index.probes.insert(probe.id.to_string(), probe);
        }
        Record::Profile(profile) => {
            index.profiles.insert(profile.signature.clone(), profile);
        }
        Record::Shape(shape) => {
            if let Ok(signature) = shape.signature.parse() {
                index.claims.shapes.insert(signature, shape.validity_level);
            }
            shape::keep(index, &shape, &mut teller);
        }
        Record::Observation(observation) => {
            if let Some(sha256) = sha256 {
                if let Ok(path) = file.parse() {
                    let seen = Seen::of(path, sha256.clone(), &observation);
                    index.claims.observations.push(seen);
                }
                index
                    .observations
                    .push(ObservationFacts::of(file, &observation, sha256));
            }
        }
        Record::Evidence(evidence) => evidence::keep(index, &evidence, &mut teller),
        Record::ErrorCase(case) => {
            index.errors.insert(file.to_owned(), case);
        }
        Record::Promotion(promotion) => {
            if let Some(sha256) = sha256 {
                if let Ok(path) = file.parse() {
                    index.claims.decisions.push(Decided {
                        path,
                        sha256: sha256.clone(),
                        record: promotion.clone(),
                    });
                }
                index.promotions.insert(file.to_owned(), (promotion, sha256));
            }
        }
        Record::Matrix(matrix) => index.matrix = Some(matrix),
        Record::Alert(alert) => {
            index.alerts.insert(file.to_owned(), alert);
        }
        _ => {}
    }
    teller.into_problems()
}

/// What is asked of a tree without errors alone: records that are not true give no matrix.
pub(super) fn generated(index: &Index) -> Vec<Problem> {
    matrix::generated(index)
}

/// The rules that need the whole tree.
pub(super) fn across(index: &Index, options: &Options, store: &Store) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(agents::across(index));
    problems.extend(release::across(index));
    problems.extend(probe::across(index));
    problems.extend(shape::across(index));
    problems.extend(observation::across(index));
    problems.extend(evidence::across(index, options, store));
    problems.extend(error_case::across(index));
    problems.extend(promotion::across(index, options));
    problems.extend(matrix::across(index));
    problems.extend(alert::across(index, store));
    problems.extend(manifest::across(index, store));
    problems.extend(fixture::across(index));
    problems
}

/// The folders and files of the tree that hold no records, by the ending of their names.
const TEXTS: &[(&str, &[&str])] = &[
    ("probes/", &[]),
    ("fixtures/", &[".jsonl"]),
    ("goldens/", &[".events.json"]),
    ("reports/", &[".md", ".card.json", ".html", ".svg", ".json"]),
    ("schemas/", &[".schema.json", ".md"]),
    ("docs/", &[".md", ".svg"]),
];

/// Files that are no records: whether they may stand where they stand, and what is in them.
pub(super) fn other(path: &str, value: Option<&Value>, teller: &mut Teller<'_>) {
    let known = TEXTS.iter().any(|(folder, endings)| {
        path.starts_with(folder) && (endings.is_empty() || endings.iter().any(|ending| path.ends_with(ending)))
    });
    if !known && !matches!(path, "README.md" | "LICENSE" | "CHANGELOG.md") {
        teller.error("FIL011", "", path, "a file of one of the folders of the tree");
    }
    if let Some(name) = path
        .strip_prefix("schemas/")
        .and_then(|name| name.strip_suffix(".schema.json"))
    {
        let own = Kind::of_id(name).map(|kind| (kind.schema)(kind));
        if own.as_ref() != value {
            teller.error("SCH020", "", "another schema", "the schema that the program generates");
        }
    }
}

/// Whether `time` is more than a day after now; clocks may differ by less.
fn in_the_future(time: &str, options: &Options) -> bool {
    let Some(now) = &options.now else { return false };
    match (time.parse::<UtcTime>(), seconds(now.as_str())) {
        (Ok(time), Some(now)) => seconds(time.as_str()).is_some_and(|time| time > now + 86_400),
        _ => false,
    }
}

/// Seconds since 1970, by the civil calendar.
fn seconds(time: &str) -> Option<i64> {
    let number = |from: usize, to: usize| time.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    // Days from civil, after Howard Hinnant's description of the calendar: years begin in March.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_count_from_1970() {
        for (time, want) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-03-01T00:00:00Z", 951_868_800),
            ("2026-06-27T10:00:00Z", 1_782_554_400),
            ("2024-02-29T23:59:59Z", 1_709_251_199),
        ] {
            assert_eq!(seconds(time), Some(want), "{time}");
        }
    }

    #[test]
    fn a_day_of_difference_is_no_future() {
        let options = Options {
            now: "2026-06-27T10:00:00Z".parse().ok(),
            ..Options::default()
        };
        assert!(!in_the_future("2026-06-28T09:59:59Z", &options));
        assert!(in_the_future("2026-06-28T10:00:01Z", &options));
        assert!(!in_the_future("2099-01-01T00:00:00Z", &Options::default()));
    }
}
