//! Writing under the lock.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::{Put, Store, StoreError, Written, absent, io_error, path, pretty};

/// Tries for the lock, and the time between two of them: a minute in all.
const TRIES: u32 = 600;
const BETWEEN: Duration = Duration::from_millis(100);

/// The right to write. One exists at a time, over all processes; it ends when this is dropped or the process ends.
#[derive(Debug)]
pub struct Writer<'s> {
    pub(super) store: &'s Store,
    root: PathBuf,
    temporary: PathBuf,
    /// Holds the lock.
    _lock: File,
}

impl<'s> Writer<'s> {
    pub(super) fn new(store: &'s Store) -> Result<Self, StoreError> {
        let own = store.root.join(".store");
        let temporary = own.join("tmp");
        fs::create_dir_all(&temporary).map_err(io_error("make", &temporary))?;
        let root = fs::canonicalize(&store.root).map_err(io_error("find", &store.root))?;
        let lock_file = own.join("lock");
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock_file)
            .map_err(io_error("open", &lock_file))?;
        wait_for(&lock, &lock_file, &root)?;
        let writer = Self {
            store,
            root,
            temporary,
            _lock: lock,
        };
        writer.clean();
        // What stands in `.store` is no part of the tree.
        let ignore = own.join(".gitignore");
        if !ignore.exists() {
            fs::write(&ignore, "*\n").map_err(io_error("write", &ignore))?;
        }
        Ok(writer)
    }

    /// What a killed process left behind. Nobody else writes now, so it is nobody's. Left alone when it resists.
    fn clean(&self) {
        let Ok(entries) = fs::read_dir(&self.temporary) else {
            return;
        };
        for entry in entries.flatten() {
            let _ = fs::remove_file(entry.path());
        }
    }

    /// The tree, for reading what is to be changed.
    #[must_use]
    pub fn store(&self) -> &'s Store {
        self.store
    }

    /// Writes a text, unless it is there already.
    pub fn put_text(&self, path: &str, text: &str) -> Result<Put, StoreError> {
        let hits = self.store.rules.scan(text);
        if !hits.is_empty() {
            return Err(StoreError::NotPublishable {
                path: path.to_owned(),
                hits,
            });
        }
        let place = path::resolve(&self.root, path)?;
        let written = match fs::read(&place) {
            Ok(old) if old == text.as_bytes() => Written::Same,
            Ok(_) => Written::Changed,
            Err(error) if absent(&error) => Written::New,
            Err(error) => return Err(io_error("read", &place)(error)),
        };
        if written != Written::Same {
            self.replace(&place, text.as_bytes())?;
        }
        Ok(Put {
            path: path.to_owned(),
            written,
        })
    }

    /// Writes a record, unless it is there already.
    pub fn put_json<T: Serialize>(&self, path: &str, record: &T) -> Result<Put, StoreError> {
        let text = pretty(record).map_err(|source| StoreError::Json {
            path: path.to_owned(),
            source,
        })?;
        self.put_text(path, &text)
    }

    fn replace(&self, place: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(io_error("make", folder))?;
        }
        let mut file = tempfile::Builder::new()
            .prefix("new-")
            .tempfile_in(&self.temporary)
            .map_err(io_error("write to", &self.temporary))?;
        file.write_all(bytes)
            .and_then(|()| file.as_file().sync_data())
            .map_err(io_error("write", place))?;
        readable(file.as_file()).map_err(io_error("write", place))?;
        file.persist(place)
            .map_err(|error| io_error("write", place)(error.error))?;
        Ok(())
    }
}

/// Temporary files are for their owner only; records are for everybody.
#[cfg(unix)]
fn readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the same signature on every platform")]
fn readable(_file: &File) -> std::io::Result<()> {
    Ok(())
}

fn wait_for(lock: &File, lock_file: &Path, root: &Path) -> Result<(), StoreError> {
    for _ in 0..TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", lock_file)(error)),
        }
    }
    Err(StoreError::Locked { tree: root.to_owned() })
}
