//! Bodies and their validators, kept together in `STATE/http.sqlite3`.
//!
//! A cache and nothing more: what cannot be opened or read is set aside and begun anew, with a note, and costs requests
//! only. Keys are hashes of the address, so the file tells no address. A body is written in one statement with its
//! validators: there is never a validator without the body that it belongs to.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

/// The version of the tables below; another one makes us begin anew.
const SCHEMA: i64 = 1;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS answer (
  key TEXT PRIMARY KEY, source TEXT NOT NULL, etag TEXT, last_modified TEXT, next TEXT, moved TEXT,
  fetched_at INTEGER NOT NULL, checked_at INTEGER NOT NULL, poll_after INTEGER, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS silence (lane TEXT PRIMARY KEY, until INTEGER NOT NULL);
";

/// A good answer of an earlier time.
#[derive(Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
    /// The address of the next page, from its `Link` header.
    pub next: Option<String>,
    /// Where a permanent redirect had led.
    pub moved: Option<String>,
    /// When the body came.
    pub fetched_at: Timestamp,
    /// When the host last said that it still holds.
    pub checked_at: Timestamp,
    /// The host does not want to be asked before.
    pub poll_after: Option<Timestamp>,
    /// The body.
    pub body: Vec<u8>,
}

/// The store of one state directory, or none.
pub struct Cache {
    path: Option<PathBuf>,
    connection: Mutex<Option<Connection>>,
    notes: Mutex<Vec<String>>,
}

impl Cache {
    /// Keeps nothing.
    pub fn none() -> Self {
        Self {
            path: None,
            connection: Mutex::new(None),
            notes: Mutex::default(),
        }
    }

    /// Opens the store in `directory`, which is made when it is missing. Never fails: without a usable file it keeps
    /// nothing, and [`Cache::notes`] says so.
    pub fn open(directory: &Path) -> Self {
        let path = directory.join("http.sqlite3");
        let cache = Self {
            path: Some(path.clone()),
            ..Self::none()
        };
        let opened = std::fs::create_dir_all(directory)
            .map_err(|error| error.to_string())
            .and_then(|()| connect(&path).or_else(|error| cache.begin_anew(&path, &error)));
        match opened {
            Ok(connection) => *cache.lock() = Some(connection),
            Err(error) => cache.note(format!("{}: nothing is kept: {error}", path.display())),
        }
        cache
    }

    /// What a person should know about the store, once each.
    pub fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The stored answer to `key`.
    pub fn get(&self, key: &str) -> Option<Stored> {
        self.with(|connection| {
            connection
                .query_row(
                    "SELECT etag, last_modified, next, moved, fetched_at, checked_at, poll_after, body FROM answer \
                     WHERE key = ?1",
                    [key],
                    |row| {
                        Ok(Stored {
                            etag: row.get(0)?,
                            last_modified: row.get(1)?,
                            next: row.get(2)?,
                            moved: row.get(3)?,
                            fetched_at: time(row.get(4)?),
                            checked_at: time(row.get(5)?),
                            poll_after: row.get::<_, Option<i64>>(6)?.map(time),
                            body: row.get(7)?,
                        })
                    },
                )
                .optional()
        })
        .flatten()
    }

    /// Replaces the answer to `key`. `source` is for people who look into the file.
    pub fn put(&self, key: &str, source: &str, stored: &Stored) {
        self.with(|connection| {
            connection.execute(
                "INSERT OR REPLACE INTO answer VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                params![
                    key,
                    source,
                    stored.etag,
                    stored.last_modified,
                    stored.next,
                    stored.moved,
                    stored.fetched_at.as_second(),
                    stored.checked_at.as_second(),
                    stored.poll_after.map(Timestamp::as_second),
                    stored.body,
                ],
            )
        });
    }

    /// The host said that the stored answer still holds.
    pub fn touch(&self, key: &str, at: Timestamp, poll_after: Option<Timestamp>) {
        self.with(|connection| {
            connection.execute(
                "UPDATE answer SET checked_at = ?2, poll_after = ?3 WHERE key = ?1",
                params![key, at.as_second(), poll_after.map(Timestamp::as_second)],
            )
        });
    }

    /// Until when `lane` is silent, as remembered.
    pub fn silence(&self, lane: &str) -> Option<Timestamp> {
        self.with(|connection| {
            connection
                .query_row("SELECT until FROM silence WHERE lane = ?1", [lane], |row| {
                    row.get::<_, i64>(0)
                })
                .optional()
        })
        .flatten()
        .map(time)
    }

    /// Remembers that `lane` is silent.
    pub fn set_silence(&self, lane: &str, until: Timestamp) {
        self.with(|connection| {
            connection.execute(
                "INSERT OR REPLACE INTO silence VALUES (?1, ?2)",
                params![lane, until.as_second()],
            )
        });
    }

    /// Runs `work`; an error is noted once and reads as "not stored". Damage that shows only now is handled as at the start.
    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Option<T> {
        let mut slot = self.lock();
        let error = match work(slot.as_ref()?) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let damaged = matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
        );
        match &self.path {
            Some(path) if damaged => {
                *slot = None;
                *slot = self.begin_anew(path, &error.to_string()).ok();
            }
            _ => self.note(format!("the store of answers could not be used: {error}")),
        }
        None
    }

    fn begin_anew(&self, path: &Path, why: &str) -> Result<Connection, String> {
        let aside = set_aside(path)?;
        self.note(format!(
            "{}: begun anew ({why}); the old file is {}",
            path.display(),
            aside.display()
        ));
        connect(path)
    }

    fn note(&self, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !notes.contains(&text) {
            notes.push(text);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Connection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn connect(path: &Path) -> Result<Connection, String> {
    let open = || -> rusqlite::Result<(Connection, i64)> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
            connection.execute_batch(TABLES)?;
            connection.pragma_update(None, "user_version", SCHEMA)?;
        }
        Ok((connection, version))
    };
    match open() {
        Ok((connection, 0 | SCHEMA)) => Ok(connection),
        Ok((_, version)) => Err(format!("it has version {version}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Moves the file out of the way: it may be of a newer version of ours.
fn set_aside(path: &Path) -> Result<PathBuf, String> {
    let aside = path.with_extension("unusable");
    for suffix in ["-wal", "-shm"] {
        let mut side = path.as_os_str().to_owned();
        side.push(suffix);
        let _ = std::fs::remove_file(side);
    }
    std::fs::rename(path, &aside).map_err(|error| error.to_string())?;
    Ok(aside)
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn stored(body: &str) -> Stored {
        let at = Timestamp::from_second(1_800_000_000).unwrap();
        Stored {
            etag: Some("\"a\"".into()),
            last_modified: None,
            next: None,
            moved: None,
            fetched_at: at,
            checked_at: at,
            poll_after: None,
            body: body.into(),
        }
    }

    #[test]
    fn keeps_over_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        Cache::open(dir.path()).put("k", "npm:x", &stored("one"));
        let cache = Cache::open(dir.path());
        assert!(cache.get("k").unwrap() == stored("one"));
        assert!(cache.get("other").is_none());
        cache.set_silence("lane", Timestamp::from_second(1_900_000_000).unwrap());
        assert_eq!(
            Cache::open(dir.path()).silence("lane").unwrap().as_second(),
            1_900_000_000
        );
        assert_eq!(cache.notes(), Vec::<String>::new());
    }

    #[test]
    fn a_damaged_file_is_set_aside_with_a_note() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("http.sqlite3"), vec![b'x'; 5000]).unwrap();
        let cache = Cache::open(dir.path());
        assert!(cache.notes()[0].contains("begun anew"), "{:?}", cache.notes());
        cache.put("k", "npm:x", &stored("one"));
        assert!(cache.get("k").is_some());
        assert!(dir.path().join("http.unusable").exists());
    }

    #[test]
    fn a_lost_directory_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("deep/state");
        Cache::open(&state).put("k", "npm:x", &stored("one"));
        std::fs::remove_dir_all(&state).unwrap();
        assert!(Cache::open(&state).get("k").is_none());
        assert!(state.exists());
    }

    #[test]
    fn without_a_usable_place_it_keeps_nothing_and_says_so() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "").unwrap();
        let cache = Cache::open(&dir.path().join("file"));
        cache.put("k", "npm:x", &stored("one"));
        assert!(cache.get("k").is_none());
        assert!(cache.notes()[0].contains("nothing is kept"), "{:?}", cache.notes());
    }
}
