//! `validate`: every rule of the registry over a whole tree, all problems in one run.
//!
//! Three passes, each over many files at a time: first everything that others refer to, then the observations (which are
//! many, so a few facts are kept of each), then fixtures and what needs all of it. A file is read, checked and dropped;
//! memory grows with the number of records and not with their size.

pub mod codes;
mod index;
mod problem;
mod read;
mod rules;
mod schemas;

use std::collections::BTreeMap;

use agent_contracts_redact::Rules;
use agent_contracts_wire::formats::{Sha256, UtcTime};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

pub use problem::{Level, Problem};
pub use schemas::is_valid;

use crate::records::Kind;
use crate::store::{Entry, EntryKind, Store, StoreError};
use index::Index;
use problem::Teller;

/// How many files are checked before what is kept of them is kept.
const CHUNK: usize = 4096;
/// Larger files are no records.
const LARGEST: u64 = 64 * 1024 * 1024;

/// What a run may know besides the tree.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Now. Without it nothing is said about records from the future.
    pub now: Option<UtcTime>,
    /// Only problems of these files and of files below these folders are told; all when it is empty.
    pub only: Vec<String>,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// How many files were looked at.
    pub files: usize,
    /// How many records of each kind there are.
    pub records: BTreeMap<String, usize>,
    /// What is wrong, by file, place and code.
    pub problems: Vec<Problem>,
}

impl Report {
    /// Whether nothing but warnings was found.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.problems.iter().all(|problem| problem.level == Level::Warning)
    }
}

/// Checks a whole tree.
pub fn tree(store: &Store, options: &Options) -> Result<Report, StoreError> {
    let entries = store.walk()?;
    let mut index = Index {
        files: entries.iter().map(|entry| (entry.path.clone(), entry.bytes)).collect(),
        ..Index::default()
    };
    let run = Run { store, options };
    let (observations, others): (Vec<&Entry>, Vec<&Entry>) = entries
        .iter()
        .partition(|entry| entry.path.starts_with("observations/"));
    let (fixtures, first): (Vec<&Entry>, Vec<&Entry>) = others
        .into_iter()
        .partition(|entry| entry.path.starts_with("fixtures/"));

    let mut problems = Vec::new();
    let mut records = BTreeMap::new();
    let keep_hashes = index.has("manifest.json");
    for pass in [&first, &observations, &fixtures] {
        // In chunks, so that no more than a few thousand whole records are in memory at once.
        for chunk in pass.chunks(CHUNK) {
            let checked: Vec<Checked> = chunk.par_iter().map(|entry| run.check(entry, &index)).collect();
            for one in checked {
                problems.extend(one.problems);
                if let Some(kind) = one.kind {
                    *records.entry(kind.id.to_owned()).or_default() += 1;
                }
                if let (true, Some(sha256)) = (keep_hashes, &one.sha256) {
                    index.hashes.insert(one.file.clone(), sha256.clone());
                }
                if let Some(record) = one.record {
                    problems.extend(rules::keep(&mut index, &one.file, record, one.sha256));
                }
            }
        }
        index.order_observations();
    }
    problems.extend(rules::across(&index, options, store));
    if problems.iter().all(|problem| problem.level == Level::Warning) {
        problems.extend(rules::generated(&index));
    }
    problems.retain(|problem| options.only.is_empty() || options.only.iter().any(|path| is_below(&problem.file, path)));
    problems.sort();
    problems.dedup();
    Ok(Report {
        files: entries.len(),
        records,
        problems,
    })
}

fn is_below(file: &str, path: &str) -> bool {
    file.strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || path.ends_with('/'))
}

/// Checks the bytes of one record that stands in no tree: its text, its schema, and the rules that need nothing else.
#[must_use]
pub fn record(kind: &Kind, name: &str, bytes: &[u8], rules: &Rules) -> Vec<Problem> {
    let mut teller = Teller::new(name);
    if let Some(value) = publishable(bytes, rules, &mut teller) {
        rules::parse(kind, value, &mut teller);
    }
    masked(teller, rules)
}

/// What is said about a file that is larger than any record.
#[must_use]
pub fn too_large(name: &str, bytes: u64) -> Vec<Problem> {
    let mut teller = Teller::new(name);
    tell_too_large(bytes, &mut teller);
    teller.into_problems()
}

fn tell_too_large(bytes: u64, teller: &mut Teller<'_>) {
    teller.error(
        "FIL002",
        "",
        format!("{bytes} bytes"),
        format!("at most {LARGEST} bytes"),
    );
}

/// Reads a record; says what in it must not be published.
fn publishable(bytes: &[u8], rules: &Rules, teller: &mut Teller<'_>) -> Option<Value> {
    let value = read::json(bytes, teller);
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    scan(text, value.as_ref(), rules, teller);
    value
}

/// Tells what must not be published: in the text, and in the strings that it stands for where they are written otherwise.
fn scan(text: &str, value: Option<&Value>, rules: &Rules, teller: &mut Teller<'_>) {
    let mut hits = rules.scan(text);
    if hits.is_empty()
        && text.contains('\\')
        && let Some(value) = value
    {
        let mut strings = String::new();
        collect(value, &mut strings);
        hits = rules.scan(&strings);
        for hit in &mut hits {
            hit.line = 1;
        }
    }
    for hit in hits {
        teller.error(
            "PUB001",
            format!("line {}", hit.line),
            format!("{} (rule {})", hit.about, hit.rule),
            "nothing that must not be published",
        );
    }
}

fn collect(value: &Value, strings: &mut String) {
    match value {
        Value::String(text) => {
            strings.push_str(text);
            strings.push('\n');
            // A chunk of a stream holds JSON that has escapes of its own.
            if text.contains('\\') {
                for line in text.lines() {
                    if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(line) {
                        collect(&inner, strings);
                    }
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, strings)),
        Value::Object(members) => {
            for (name, member) in members {
                strings.push_str(name);
                strings.push('\n');
                collect(member, strings);
            }
        }
        _ => {}
    }
}

/// The problems, without what must not be seen.
fn masked(teller: Teller<'_>, rules: &Rules) -> Vec<Problem> {
    let mut problems = teller.into_problems();
    for problem in &mut problems {
        rules.mask_string(&mut problem.found);
    }
    problems
}

/// What one file came to.
struct Checked {
    file: String,
    kind: Option<&'static Kind>,
    problems: Vec<Problem>,
    record: Option<rules::Record>,
    sha256: Option<Sha256>,
}

struct Run<'a> {
    store: &'a Store,
    options: &'a Options,
}

impl Run<'_> {
    fn check(&self, entry: &Entry, index: &Index) -> Checked {
        let mut teller = Teller::new(&entry.path);
        let mut checked = Checked {
            file: entry.path.clone(),
            kind: None,
            problems: Vec::new(),
            record: None,
            sha256: None,
        };
        if let Some(bytes) = self.bytes(entry, &mut teller) {
            checked.sha256 = Some(Sha256::of(&bytes));
            checked.kind = Kind::of_path(&entry.path);
            checked.record = self.content(entry, &bytes, &mut teller, index, checked.sha256.as_ref());
        }
        checked.problems = masked(teller, self.store.rules());
        checked
    }

    fn bytes(&self, entry: &Entry, teller: &mut Teller<'_>) -> Option<Vec<u8>> {
        match entry.kind {
            EntryKind::NotPlain => {
                teller.error("FIL009", "", "a link or something else", "a plain file");
                return None;
            }
            EntryKind::OddName => {
                teller.error("FIL010", "", &entry.path, "a portable name that is not hidden");
                return None;
            }
            EntryKind::File => {}
        }
        if entry.bytes > LARGEST {
            tell_too_large(entry.bytes, teller);
            return None;
        }
        match self.store.read(&entry.path) {
            Ok(bytes) => bytes,
            Err(error) => {
                teller.error("FIL001", "", error.to_string(), "a file that can be read");
                None
            }
        }
    }

    fn content(
        &self,
        entry: &Entry,
        bytes: &[u8],
        teller: &mut Teller<'_>,
        index: &Index,
        sha256: Option<&Sha256>,
    ) -> Option<rules::Record> {
        let rules = self.store.rules();
        if let Some(kind) = Kind::of_path(&entry.path) {
            let value = publishable(bytes, rules, teller)?;
            let record = rules::parse(kind, value, teller)?;
            rules::alone(&record, teller, index, self.options);
            return Some(record);
        }
        let text = read::text(bytes, teller)?;
        if entry.path.starts_with("fixtures/") {
            scan(text, None, rules, teller);
            rules::fixture::check(text, sha256, rules, teller, index, self.store);
            return None;
        }
        let is_json = std::path::Path::new(&entry.path)
            .extension()
            .is_some_and(|ending| ending == "json");
        let value = if is_json { read::parse(text, teller, "") } else { None };
        scan(text, value.as_ref(), rules, teller);
        rules::other(&entry.path, value.as_ref(), teller);
        None
    }
}
