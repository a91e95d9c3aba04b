//! The tree on disk: reading for everybody, writing for one at a time.
//!
//! A file is written beside the tree's own (`.store/tmp`) and then renamed over the old one, so that a killed process or
//! a full disk leaves the old file or the new one. The same bytes are not written again. Paths that are no plain names,
//! or that leave the tree through a symlink, are refused, and so is every text in which a rule of `redact` finds
//! something that must not be published.

mod artifacts;
mod claims;
mod path;
mod records;
mod walk;
mod write;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agent_contracts_redact::{Hit, RuleError, Rules};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use walk::{Entry, EntryKind};
pub use write::Writer;

/// Larger files are no records of ours.
const LARGEST: u64 = 64 * 1024 * 1024;

/// The tree.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    rules: Rules,
}

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// There was no such file.
    New,
    /// It had other bytes.
    Changed,
    /// Nothing: it was there with the same bytes.
    Same,
}

/// A file that is now in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// Relative to the tree.
    pub path: String,
    /// What was done for it.
    pub written: Written,
}

/// What can go wrong with the tree. Names the file and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A path that is not made of plain names.
    #[error("`{path}` is no path of the tree: {why}")]
    Path {
        /// As it was asked for.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A symlink that leads out.
    #[error("`{path}` leads out of the tree {tree} through a symlink; remove the link")]
    Leaves {
        /// As it was asked for.
        path: String,
        /// The tree.
        tree: PathBuf,
    },
    /// Somebody else writes.
    #[error("another process has been writing to {tree} for a minute; wait for it or end it, the lock goes with it")]
    Locked {
        /// The tree.
        tree: PathBuf,
    },
    /// The operating system says no.
    #[error("cannot {what} {path}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file that is larger than any record.
    #[error("{path} is larger than {} MB and no record of ours; it was not read", LARGEST / 1024 / 1024)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A record that does not read back.
    #[error("{path} is not what it should be at `{at}`: {source}; mend it or delete it")]
    Record {
        /// The file.
        path: PathBuf,
        /// Where in it.
        at: String,
        /// Why.
        source: serde_json::Error,
    },
    /// A record that cannot be written as JSON.
    #[error("the record for {path} cannot be written as JSON: {source}")]
    Json {
        /// Where it should have gone.
        path: String,
        /// Why.
        source: serde_json::Error,
    },
    /// A record that contradicts what is stored.
    #[error("{path} is kept as it is: {why}")]
    Conflict {
        /// Relative to the tree.
        path: String,
        /// What contradicts what.
        why: String,
    },
    /// Something that must not be published.
    #[error("{path} was not written: it holds {}", list(.hits))]
    NotPublishable {
        /// Where it should have gone.
        path: String,
        /// What was found.
        hits: Vec<Hit>,
    },
    /// The rules of what may be published cannot be used.
    #[error(transparent)]
    Rules(#[from] RuleError),
}

fn list(hits: &[Hit]) -> String {
    let mut words: Vec<String> = hits.iter().take(3).map(ToString::to_string).collect();
    if hits.len() > 3 {
        words.push(format!("{} more", hits.len() - 3));
    }
    words.join("; ")
}

fn io_error(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |source| StoreError::Io { what, path, source }
}

impl Store {
    /// The tree at this path. It need not be there yet: reading finds nothing, the first write makes it.
    pub fn open(tree: &Path) -> Result<Self, StoreError> {
        let root = match fs::canonicalize(tree) {
            Ok(root) if root.is_dir() => root,
            Ok(root) => {
                return Err(io_error("open the tree", &root)(io::Error::from(
                    io::ErrorKind::NotADirectory,
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::path::absolute(tree).map_err(io_error("find", tree))?
            }
            Err(error) => return Err(io_error("open the tree", tree)(error)),
        };
        Ok(Self {
            root,
            rules: Rules::builtin()?,
        })
    }

    /// Where the tree is.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The rules of what may be published.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The bytes of a file; `None` when there is none.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let file = path::resolve(&self.root, path)?;
        match fs::metadata(&file) {
            Ok(found) if found.len() > LARGEST => Err(StoreError::TooLarge { path: file }),
            Ok(_) => fs::read(&file).map(Some).map_err(io_error("read", &file)),
            Err(error) if absent(&error) => Ok(None),
            Err(error) => Err(io_error("read", &file)(error)),
        }
    }

    /// A record; `None` when there is none.
    pub fn read_json<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, StoreError> {
        match self.read(path)? {
            Some(bytes) => self.parse(path, &bytes).map(Some),
            None => Ok(None),
        }
    }

    fn parse<T: DeserializeOwned>(&self, path: &str, bytes: &[u8]) -> Result<T, StoreError> {
        let mut json = serde_json::Deserializer::from_slice(bytes);
        let record = |at: String, source| StoreError::Record {
            path: self.root.join(path),
            at,
            source,
        };
        let value = serde_path_to_error::deserialize(&mut json)
            .map_err(|error| record(error.path().to_string(), error.into_inner()))?;
        json.end().map_err(|source| record("the end".to_owned(), source))?;
        Ok(value)
    }

    /// The files below `folder` whose names end in `ending`, sorted, as paths of the tree. Symlinks are not followed.
    pub fn list(&self, folder: &str, ending: &str) -> Result<Vec<String>, StoreError> {
        let mut found = Vec::new();
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            let place = path::resolve(&self.root, &folder)?;
            let entries = match fs::read_dir(&place) {
                Ok(entries) => entries,
                Err(error) if absent(&error) => continue,
                Err(error) => return Err(io_error("list", &place)(error)),
            };
            for entry in entries {
                let entry = entry.map_err(io_error("list", &place))?;
                // Names that are no UTF-8, or not ours, cannot be records.
                let Some(name) = entry
                    .file_name()
                    .to_str()
                    .filter(|name| path::is_plain(name))
                    .map(str::to_owned)
                else {
                    continue;
                };
                let kind = entry.file_type().map_err(io_error("look at", &entry.path()))?;
                if kind.is_dir() {
                    waiting.push(format!("{folder}/{name}"));
                } else if kind.is_file() && name.ends_with(ending) {
                    found.push(format!("{folder}/{name}"));
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// The only way to write. Waits up to a minute for whoever writes now.
    pub fn lock(&self) -> Result<Writer<'_>, StoreError> {
        Writer::new(self)
    }
}

fn absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// How every record is written: two spaces, members in the order of their type, a newline at the end.
pub fn pretty<T: Serialize>(record: &T) -> serde_json::Result<String> {
    serde_json::to_string_pretty(record).map(|text| text + "\n")
}
