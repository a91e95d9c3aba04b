//! Steps that were compared before, and what versions were seen to stand for.
//!
//! A step depends on the two revisions, on what of them is read, and on the readers and the comparison; these are its key.
//! The store is a cache like the memo: without it a history takes longer and says the same, but for versions that are
//! gone or were moved since an earlier look.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use agent_contracts_extractors::languages::fingerprint;
use agent_contracts_wire::canonical::sha256;
use rusqlite::{Connection, OptionalExtension};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::disk;

/// Name of the file below the state directory.
const FILE: &str = "history.sqlite";

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS kept (
        key TEXT NOT NULL PRIMARY KEY, made_by TEXT NOT NULL, body BLOB NOT NULL, sum BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS seen (
        line TEXT NOT NULL, version TEXT NOT NULL, revision TEXT NOT NULL, turn INTEGER NOT NULL,
        PRIMARY KEY (line, version, revision)) WITHOUT ROWID;";

/// The store.
pub(crate) struct Kept {
    disk: Option<Mutex<Connection>>,
    made_by: String,
    /// What is new since the last [`Kept::flush`].
    fresh: Mutex<Vec<(String, Vec<u8>)>>,
}

/// What versions of a line stood for at earlier looks: for each the revisions, oldest first.
pub(super) type Earlier = BTreeMap<String, Vec<String>>;

impl Kept {
    /// The store below `state`, or none.
    pub(crate) fn open(state: Option<&Path>) -> Self {
        let disk = state.and_then(|folder| match disk::open(folder, FILE, TABLES) {
            Ok(disk) => Some(Mutex::new(disk)),
            Err(error) => {
                tracing::warn!("steps are not kept: {}: {error}", folder.join(FILE).display());
                None
            }
        });
        Self {
            disk,
            made_by: sha256(format!("{}\n{}", fingerprint(), env!("AGENT_CONTRACTS_STEPS")).as_bytes()),
            fresh: Mutex::default(),
        }
    }

    /// What was kept under `key` by the same readers.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let disk = self.disk.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let found: rusqlite::Result<Option<(Vec<u8>, Vec<u8>)>> = disk
            .prepare_cached("SELECT body, sum FROM kept WHERE key = ?1 AND made_by = ?2")
            .and_then(|mut statement| {
                statement
                    .query_row((key, &self.made_by), |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()
            });
        drop(disk);
        let (body, sum) = found.ok()??;
        if sum != disk::checksum(&body) {
            return None;
        }
        serde_json::from_slice(&body).ok()
    }

    /// Keeps `value` under `key` from the next flush on.
    pub(super) fn put<T: Serialize>(&self, key: String, value: &T) {
        if self.disk.is_none() {
            return;
        }
        match serde_json::to_vec(value) {
            Ok(body) => self
                .fresh
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((key, body)),
            Err(error) => tracing::debug!("a step is not kept: {error}"),
        }
    }

    /// Writes what is new. A failure loses nothing but time.
    pub(super) fn flush(&self) {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(disk) = self.disk.as_ref().filter(|_| !fresh.is_empty()) else {
            return;
        };
        let mut disk = disk.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = (|| {
            let write = disk.transaction()?;
            // What other readers made is of no use any more.
            write.execute("DELETE FROM kept WHERE made_by <> ?1", [&self.made_by])?;
            {
                let mut insert = write.prepare("INSERT OR REPLACE INTO kept VALUES (?1, ?2, ?3, ?4)")?;
                for (key, body) in &fresh {
                    insert.execute((key, &self.made_by, body, disk::checksum(body)))?;
                }
            }
            write.commit()
        })();
        if let Err(error) = stored {
            tracing::debug!("{} steps are not kept: {error}", fresh.len());
        }
    }

    /// What the versions of `line` stood for at earlier looks, and notes what they stand for now.
    pub(super) fn look(&self, line: &str, now: &[(String, String)]) -> Earlier {
        let Some(disk) = &self.disk else {
            return Earlier::new();
        };
        let mut disk = disk.lock().unwrap_or_else(PoisonError::into_inner);
        let looked = (|| {
            let write = disk.transaction()?;
            let mut earlier = Earlier::new();
            let turn: i64;
            {
                let mut read = write
                    .prepare("SELECT version, revision, turn FROM seen WHERE line = ?1 ORDER BY turn, revision")?;
                let mut last = 0;
                let mut rows = read.query([line])?;
                while let Some(row) = rows.next()? {
                    earlier.entry(row.get(0)?).or_default().push(row.get(1)?);
                    last = row.get(2)?;
                }
                turn = last + 1;
                let mut insert = write.prepare("INSERT OR IGNORE INTO seen VALUES (?1, ?2, ?3, ?4)")?;
                for (version, revision) in now {
                    if !earlier.get(version).is_some_and(|known| known.contains(revision)) {
                        insert.execute((line, version, revision, turn))?;
                    }
                }
            }
            write.commit()?;
            Ok::<_, rusqlite::Error>(earlier)
        })();
        looked.unwrap_or_else(|error| {
            tracing::debug!("earlier looks at {line} cannot be read: {error}");
            Earlier::new()
        })
    }
}
