//! Facts of files that were parsed before, so that each content is parsed once.
//!
//! A fact depends on the extractors, the language, the kind of file and the content, and on nothing else; these four
//! are its key. The store on disk is a cache: when it is missing, locked or damaged, a scan takes longer and says the
//! same.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use agent_contracts_extractors::FileFacts;
use agent_contracts_extractors::languages::{fingerprint, language_of, parse};
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::source::{ContentId, Unavailable};

/// Name of the file below the state directory.
const FILE: &str = "facts.sqlite";
/// How long to wait for another process that writes.
const LOCK_WAIT: Duration = Duration::from_millis(250);

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
        let disk = state.and_then(|folder| match open_disk(folder) {
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
        if sum != checksum(&bytes) {
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

fn checksum(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes)[..8].to_vec()
}

fn open_disk(folder: &Path) -> rusqlite::Result<Connection> {
    let to_sqlite = |error: std::io::Error| rusqlite::Error::ToSqlConversionFailure(Box::new(error));
    std::fs::create_dir_all(folder).map_err(to_sqlite)?;
    let path = folder.join(FILE);
    match prepare(&path) {
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(
                failure.code,
                rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt
            ) =>
        {
            // A damaged cache is thrown away; what it held can be made again.
            std::fs::remove_file(&path).map_err(to_sqlite)?;
            prepare(&path)
        }
        result => result,
    }
}

fn prepare(path: &Path) -> rusqlite::Result<Connection> {
    let disk = Connection::open(path)?;
    disk.busy_timeout(LOCK_WAIT)?;
    disk.pragma_update(None, "journal_mode", "WAL")?;
    disk.pragma_update(None, "synchronous", "NORMAL")?;
    disk.execute_batch(
        "CREATE TABLE IF NOT EXISTS facts (
            fingerprint TEXT NOT NULL, key TEXT NOT NULL, facts BLOB NOT NULL, sum BLOB NOT NULL,
            PRIMARY KEY (fingerprint, key)) WITHOUT ROWID",
    )?;
    Ok(disk)
}

fn store(disk: &mut Connection, fingerprint: &str, fresh: &[(String, Vec<u8>)]) -> rusqlite::Result<()> {
    let write = disk.transaction()?;
    // Facts of other extractors are of no use any more.
    write.execute("DELETE FROM facts WHERE fingerprint <> ?1", [fingerprint])?;
    {
        let mut insert = write.prepare("INSERT OR REPLACE INTO facts VALUES (?1, ?2, ?3, ?4)")?;
        for (key, bytes) in fresh {
            insert.execute((fingerprint, key, bytes, checksum(bytes)))?;
        }
    }
    write.commit()
}
