//! Everything that stands in the tree, whatever it is.

use std::fs;
use std::path::Path;

use super::{Store, StoreError, absent, io_error, path};

/// Something in the tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Relative to the tree, `/`-separated. A name that is no UTF-8 is shown with replacement characters.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its length in bytes.
    pub bytes: u64,
}

/// What something in the tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// A plain file with a portable name.
    File,
    /// A file whose name is hidden or not portable.
    OddName,
    /// A symlink, device, pipe or socket.
    NotPlain,
}

impl Store {
    /// Every file of the tree, sorted by path. The store's own folder is left out; links are not followed.
    pub fn walk(&self) -> Result<Vec<Entry>, StoreError> {
        let mut entries = Vec::new();
        walk(&self.root, "", &mut entries)?;
        entries.sort();
        Ok(entries)
    }
}

fn walk(folder: &Path, prefix: &str, entries: &mut Vec<Entry>) -> Result<(), StoreError> {
    let found = match fs::read_dir(folder) {
        Ok(found) => found,
        Err(error) if absent(&error) => return Ok(()),
        Err(error) => return Err(io_error("list", folder)(error)),
    };
    for entry in found {
        let entry = entry.map_err(io_error("list", folder))?;
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        if prefix.is_empty() && (shown == ".store" || shown == ".git") {
            continue;
        }
        let path = if prefix.is_empty() {
            shown.to_string()
        } else {
            format!("{prefix}/{shown}")
        };
        let kind = entry.file_type().map_err(io_error("look at", &entry.path()))?;
        let plain = name.to_str().is_some_and(path::is_plain);
        if kind.is_dir() && plain {
            walk(&entry.path(), &path, entries)?;
            continue;
        }
        let bytes = entry.metadata().map_or(0, |found| found.len());
        entries.push(Entry {
            path,
            kind: match (kind.is_file(), plain) {
                (true, true) => EntryKind::File,
                (true, false) => EntryKind::OddName,
                (false, _) if kind.is_dir() => EntryKind::OddName,
                _ => EntryKind::NotPlain,
            },
            bytes,
        });
    }
    Ok(())
}
