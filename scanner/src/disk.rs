//! Caches on disk: opened, made anew when damaged, and checked when read.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use sha2::{Digest, Sha256};

/// How long to wait for another process that writes.
const LOCK_WAIT: Duration = Duration::from_millis(250);

/// Opens `file` below `folder` with `tables`. A damaged one is thrown away; what it held can be made again.
pub(crate) fn open(folder: &Path, file: &str, tables: &str) -> rusqlite::Result<Connection> {
    let to_sqlite = |error: std::io::Error| rusqlite::Error::ToSqlConversionFailure(Box::new(error));
    std::fs::create_dir_all(folder).map_err(to_sqlite)?;
    let path = folder.join(file);
    match prepare(&path, tables) {
        Err(rusqlite::Error::SqliteFailure(failure, _))
            if matches!(
                failure.code,
                rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt
            ) =>
        {
            std::fs::remove_file(&path).map_err(to_sqlite)?;
            prepare(&path, tables)
        }
        result => result,
    }
}

fn prepare(path: &Path, tables: &str) -> rusqlite::Result<Connection> {
    let disk = Connection::open(path)?;
    disk.busy_timeout(LOCK_WAIT)?;
    disk.pragma_update(None, "journal_mode", "WAL")?;
    disk.pragma_update(None, "synchronous", "NORMAL")?;
    disk.execute_batch(tables)?;
    Ok(disk)
}

/// What a kept body is checked by.
pub(crate) fn checksum(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes)[..8].to_vec()
}
