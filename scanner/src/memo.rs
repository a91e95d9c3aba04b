//! Facts of files that were parsed before, so that each content is parsed once.
//!
//! A fact depends on the extractors, the language, the kind of file and the content, and on nothing else; these four
//! are its key. The store on disk is a cache: when it is missing, locked or damaged, a scan takes longer and says the
//! same.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use agent_contracts_extractors::FileFacts;
use agent_contracts_extractors::languages::{fingerprint, language_of, parse};
use rusqlite::{Connection, OptionalExtension};

use crate::disk;
use crate::source::{ContentId, Unavailable};

/// Name of the file below the state directory.
const FILE: &str = "facts.sqlite";
const TABLES: &str = "CREATE TABLE IF NOT EXISTS facts (
    fingerprint TEXT NOT NULL, key TEXT NOT NULL, facts BLOB NOT NULL, sum BLOB NOT NULL,
    PRIMARY KEY (fingerprint, key)) WITHOUT ROWID";

/// The facts that are known.
pub struct Memo {
    cells: Mutex<HashMap<String, Cell>>,
    disk: Option<Mutex<Connection>>,
    /// What was parsed since the last [`Memo::flush`], by key.
    fresh: Mutex<Vec<(String, Vec<u8>)>>,
    fingerprint: String,
}

type Cell = Arc<OnceLock<Result<Arc<FileFacts>, Unavailable>>>;

impl Memo {
    /// A memo with its store below `state`, or without one.
    #[must_use]
    pub fn open(state: Option<&Path>) -> Self {
        let fingerprint = fingerprint();
        let disk = state.and_then(|folder| match disk::open(folder, FILE, TABLES) {
            Ok(disk) => Some(Mutex::new(disk)),
            Err(error) => {
                tracing::warn!("parsed files are not kept: {}: {error}", folder.join(FILE).display());
                None
            }
        });
        Self {
            cells: Mutex::default(),
            disk,
            fresh: Mutex::default(),
            fingerprint,
        }
    }

    /// The facts of a file named `path` whose content is `id`; `read` gives the content when it has to be parsed.
    /// `None` when no language reads such a file.
    pub fn facts(
        &self,
        path: &str,
        id: &ContentId,
        read: impl FnOnce() -> Result<Arc<[u8]>, Unavailable>,
    ) -> Option<Result<Arc<FileFacts>, Unavailable>> {
        let key = format!("{}\n{}\n{}", language_of(path)?, kind_of(path), id.0);
        let cell = Arc::clone(
            self.cells
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(key.clone())
                .or_default(),
        );
        Some(cell.get_or_init(|| self.find_or_parse(path, key, read)).clone())
    }

    fn find_or_parse(
        &self,
        path: &str,
        key: String,
        read: impl FnOnce() -> Result<Arc<[u8]>, Unavailable>,
    ) -> Result<Arc<FileFacts>, Unavailable> {
        if let Some(facts) = self.find(&key) {
            return Ok(Arc::new(facts));
        }
        let text = read()?;
        // A reader that fails on one file must not end the scan of all others.
        let facts = catch_unwind(AssertUnwindSafe(|| parse(path, &text)))
            .map_err(|_| Unavailable::Io("the reader of this language failed; please report the file".to_owned()))?
            .ok_or(Unavailable::NotThere)?;
        if self.disk.is_some() {
            match postcard::to_stdvec(&facts) {
                Ok(bytes) => self
                    .fresh
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push((key, bytes)),
                Err(error) => tracing::debug!("the facts of {path} are not kept: {error}"),
            }
        }
        Ok(Arc::new(facts))
    }

    fn find(&self, key: &str) -> Option<FileFacts> {
        let disk = self.disk.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let found: Result<Option<(Vec<u8>, Vec<u8>)>, _> = disk
            .prepare_cached("SELECT facts, sum FROM facts WHERE fingerprint = ?1 AND key = ?2")
            .and_then(|mut statement| {
                statement
                    .query_row((&self.fingerprint, key), |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()
            });
        drop(disk);
        let (bytes, sum) = found.ok()??;
        if sum != disk::checksum(&bytes) {
            return None;
        }
        postcard::from_bytes(&bytes).ok()
    }

    /// Writes what is new to the disk. A failure loses nothing but time.
    pub fn flush(&self) {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(disk) = self.disk.as_ref().filter(|_| !fresh.is_empty()) else {
            return;
        };
        let mut disk = disk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = store(&mut disk, &self.fingerprint, &fresh) {
            tracing::debug!("{} parsed files are not kept: {error}", fresh.len());
        }
    }
}

impl Drop for Memo {
    fn drop(&mut self) {
        self.flush();
    }
}

/// What of its name decides how a file is parsed, beside its language: everything from the first dot.
fn kind_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.find('.').map_or(name, |dot| &name[dot..])
}

fn store(disk: &mut Connection, fingerprint: &str, fresh: &[(String, Vec<u8>)]) -> rusqlite::Result<()> {
    let write = disk.transaction()?;
    // Facts of other extractors are of no use any more.
    write.execute("DELETE FROM facts WHERE fingerprint <> ?1", [fingerprint])?;
    {
        let mut insert = write.prepare("INSERT OR REPLACE INTO facts VALUES (?1, ?2, ?3, ?4)")?;
        for (key, bytes) in fresh {
            insert.execute((fingerprint, key, bytes, disk::checksum(bytes)))?;
        }
    }
    write.commit()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const SCHEMA: &str = r#"{"$defs":{"A":{"type":"object","properties":{"a":{"type":"string"}}}}}"#;

    /// Asks for one file and says how often it had to be read.
    fn ask(memo: &Memo, path: &str, id: &str) -> u32 {
        let reads = AtomicU32::new(0);
        let read = || {
            reads.fetch_add(1, Ordering::Relaxed);
            Ok(SCHEMA.as_bytes().into())
        };
        let facts = memo.facts(path, &ContentId(id.to_owned()), read).unwrap().unwrap();
        let expected = parse(path, SCHEMA.as_bytes()).unwrap();
        assert_eq!(format!("{facts:?}"), format!("{expected:?}"));
        reads.into_inner()
    }

    #[test]
    fn a_content_is_parsed_once_in_a_process_and_once_on_a_machine() {
        let state = tempfile::tempdir().unwrap();
        let memo = Memo::open(Some(state.path()));
        assert_eq!(ask(&memo, "a.json", "1"), 1);
        assert_eq!(ask(&memo, "elsewhere/b.json", "1"), 0, "its place does not matter");
        assert_eq!(ask(&memo, "a.schema.json", "1"), 1, "its kind does");
        assert_eq!(ask(&memo, "a.json", "2"), 1);
        drop(memo);
        let memo = Memo::open(Some(state.path()));
        assert_eq!(ask(&memo, "c.json", "1"), 0);
        assert_eq!(ask(&Memo::open(None), "c.json", "1"), 1);
    }

    #[test]
    fn the_facts_of_every_language_survive_the_disk() {
        let samples = [
            ("a.json", SCHEMA),
            (
                "a.ts",
                "export type A = { type: 'a'; b?: string[] } | { type: 'c' }; export enum E { X = 'x' }",
            ),
            (
                "a.rs",
                "#[derive(Serialize)] #[serde(tag = \"type\")] enum A { B { c: Option<u8> }, #[serde(other)] D }",
            ),
            (
                "a.go",
                "package a\ntype A struct { B []string `json:\"b,omitempty\"` }\n",
            ),
            ("a.py", "class A(BaseModel):\n    b: Literal['x'] | None = None\n"),
        ];
        for (path, text) in samples {
            let Some(facts) = parse(path, text.as_bytes()) else {
                continue;
            };
            let bytes = postcard::to_stdvec(&facts).unwrap();
            let again: FileFacts = postcard::from_bytes(&bytes).unwrap();
            assert_eq!(format!("{facts:?}"), format!("{again:?}"), "{path}");
        }
    }

    #[test]
    fn a_store_that_cannot_be_used_costs_time_only() {
        let state = tempfile::tempdir().unwrap();
        let file = state.path().join(FILE);
        std::fs::write(
            &file,
            "this is no database, and long enough to be taken for a damaged one",
        )
        .unwrap();
        let memo = Memo::open(Some(state.path()));
        assert_eq!(ask(&memo, "a.json", "1"), 1);
        drop(memo);
        assert_eq!(
            ask(&Memo::open(Some(state.path())), "a.json", "1"),
            0,
            "it was made again"
        );

        let disk = Connection::open(&file).unwrap();
        disk.execute("UPDATE facts SET facts = X'00'", ()).unwrap();
        assert_eq!(
            ask(&Memo::open(Some(state.path())), "a.json", "1"),
            1,
            "what was changed is not believed"
        );

        disk.execute_batch("BEGIN EXCLUSIVE").unwrap();
        assert_eq!(
            ask(&Memo::open(Some(state.path())), "a.json", "2"),
            1,
            "another process writes"
        );
        disk.execute_batch("COMMIT").unwrap();
        assert_eq!(
            ask(&Memo::open(Some(state.path())), "a.json", "2"),
            1,
            "so nothing was kept"
        );

        let occupied = state.path().join("occupied");
        std::fs::write(&occupied, "a file where a folder should be").unwrap();
        assert_eq!(ask(&Memo::open(Some(&occupied)), "a.json", "1"), 1);
    }

    #[test]
    fn facts_of_other_extractors_are_not_used() {
        let state = tempfile::tempdir().unwrap();
        let mut memo = Memo::open(Some(state.path()));
        memo.fingerprint = "older".to_owned();
        ask(&memo, "a.json", "1");
        drop(memo);
        let memo = Memo::open(Some(state.path()));
        assert_eq!(ask(&memo, "a.json", "1"), 1);
        memo.flush();
        let disk = memo.disk.as_ref().unwrap().lock().unwrap();
        let rows: u32 = disk
            .query_row("SELECT count(*) FROM facts", (), |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
    }

    #[test]
    fn content_that_cannot_be_had_is_no_fact() {
        let memo = Memo::open(None);
        let why = Unavailable::MissingObject { id: "1".to_owned() };
        let facts = memo.facts("a.json", &ContentId("1".to_owned()), || Err(why.clone()));
        assert_eq!(facts.unwrap().unwrap_err(), why);
        assert!(memo.facts("a.md", &ContentId("1".to_owned()), || Err(why)).is_none());
    }
}
