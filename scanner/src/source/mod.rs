//! Where code of one version is read from, one file per kind.
//!
//! A kind opens its source and gives a [`Tree`]: the paths of one version, and the content behind each. A tree never
//! mistakes content that cannot be had for content that is empty.

use std::sync::Arc;

use crate::error::ScanError;
use crate::scope::Scope;

pub mod dir;
pub mod git;
mod npm;
pub(crate) mod package;
pub mod spec;

pub use spec::{Registry, SourceSpec};

/// Larger files are not read: a protocol is not written in a file of this size.
pub(crate) const MAX_FILE: u64 = 128 << 20;

/// One version of one source. Reads only; safe to ask from several threads.
pub trait Tree: Send + Sync {
    /// The files that `scope` names, or all of them. Folders that the scope cannot reach are not opened.
    fn list(&self, scope: Option<&Scope>) -> Listing;

    /// What names the content of `path`: the same content has the same name, in this and in other versions. Asks for
    /// the content itself only where nothing else names it.
    fn content_id(&self, path: &str) -> Result<ContentId, Unavailable>;

    /// The content of `path`.
    fn read(&self, path: &str) -> Result<Arc<[u8]>, Unavailable>;
}

/// The name of a content: its hash, with the kind of the hash before it, as in `git-sha1:…` or `sha256:…`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId(pub String);

/// The files of a version.
#[derive(Debug, Default)]
pub struct Listing {
    /// Readable paths, sorted.
    pub paths: Vec<String>,
    /// Paths that are there and are no readable files, sorted by path.
    pub skipped: Vec<Skipped>,
}

/// A path that is there and cannot be read as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The path; with replacement characters where its name is no UTF-8.
    pub path: String,
    /// Why.
    pub why: Unavailable,
}

/// Why the content of a path cannot be had. Unavailable is never the same as empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unavailable {
    /// There is no such path.
    #[error("there is no such file")]
    NotThere,
    /// The content is kept by git LFS, and the repository holds a pointer to it.
    #[error("content unavailable: git LFS pointer to {size} bytes")]
    Lfs {
        /// What the pointer names.
        oid: String,
        /// Size of the content, in bytes.
        size: u64,
    },
    /// The object is not in the repository (a partial clone, a damaged one).
    #[error("content unavailable: the clone lacks object {id}")]
    MissingObject {
        /// The object.
        id: String,
    },
    /// The object is there and cannot be decoded.
    #[error("content unavailable: object {id} is damaged")]
    Damaged {
        /// The object.
        id: String,
    },
    /// The path is a submodule; its content is in another repository.
    #[error("content unavailable: submodule at {commit}")]
    Submodule {
        /// The commit that it is pinned to.
        commit: String,
    },
    /// A symbolic link that leads nowhere useful.
    #[error("symbolic link to `{target}`: {why}")]
    Link {
        /// Where it points.
        target: String,
        /// What is wrong with that.
        why: &'static str,
    },
    /// A manifest names the file, and it is not there.
    #[error("declared file missing: package.json names it as `{member}`")]
    Declared {
        /// The member that names it.
        member: &'static str,
    },
    /// The name is no UTF-8.
    #[error("skipped: its name is not UTF-8")]
    Name {
        /// What is behind the name, where known.
        content: Option<ContentId>,
    },
    /// The file is too large to be read.
    #[error("content unavailable: {size} bytes are over the limit of {MAX_FILE}")]
    TooLarge {
        /// Its size, in bytes.
        size: u64,
    },
    /// The operating system refused.
    #[error("content unavailable: {0}")]
    Io(String),
}

impl Unavailable {
    /// What names the content that cannot be had, where it has a name: two versions with the same name there hold the
    /// same content, although neither can be read.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        match self {
            Self::Lfs { oid, .. } => Some(format!("lfs {oid}")),
            Self::MissingObject { id } | Self::Damaged { id } => Some(format!("git {id}")),
            Self::Submodule { commit } => Some(format!("submodule {commit}")),
            Self::Link { target, .. } => Some(format!("link {target}")),
            Self::Name { content } => content.as_ref().map(|id| id.0.clone()),
            Self::NotThere | Self::Declared { .. } | Self::TooLarge { .. } | Self::Io(_) => None,
        }
    }
}

/// An opened source.
pub struct Opened {
    /// Its files.
    pub tree: Arc<dyn Tree>,
    /// What exactly was opened: a commit, the hash of an archive. `None` for a folder.
    pub revision: Option<String>,
}

/// Joins `target`, as a link in `folder` writes it, to a path from the root. `None` when it leaves the root.
pub(crate) fn resolve_link(folder: &str, target: &str) -> Option<String> {
    if target.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Paths of `all` that look like what a scope was meant to name, best first, at most five.
pub(crate) fn near_paths(scope: &Scope, all: &[String]) -> Vec<String> {
    let words: Vec<String> = scope
        .globs()
        .iter()
        .flat_map(|glob| glob.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.len() > 2)
        .map(str::to_lowercase)
        .collect();
    let mut rated: Vec<(usize, &String)> = all
        .iter()
        .map(|path| {
            let lower = path.to_lowercase();
            (words.iter().filter(|word| lower.contains(word.as_str())).count(), path)
        })
        .filter(|(hits, _)| *hits > 0 || words.is_empty())
        .collect();
    rated.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.len().cmp(&b.1.len())).then(a.1.cmp(b.1)));
    rated.into_iter().take(5).map(|(_, path)| path.clone()).collect()
}

impl ScanError {
    pub(crate) fn missing_version(origin: &str, wanted: &str, all: &[String]) -> Self {
        Self::NoSuchVersion {
            origin: origin.to_owned(),
            wanted: wanted.to_owned(),
            near: near_names(wanted, all),
        }
    }
}

/// Names of `all` that share the longest beginning or end with `wanted`, at most five, in their own order.
fn near_names(wanted: &str, all: &[String]) -> Vec<String> {
    let shared = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let shared_end = |a: &str, b: &str| a.bytes().rev().zip(b.bytes().rev()).take_while(|(x, y)| x == y).count();
    let mut rated: Vec<(usize, usize)> = all
        .iter()
        .enumerate()
        .map(|(index, name)| (shared(name, wanted).max(shared_end(name, wanted)), index))
        .collect();
    // With equal likeness the last ones, which are the newest in most listings.
    rated.sort_by(|a, b| b.cmp(a));
    let mut best: Vec<usize> = rated.into_iter().take(5).map(|(_, index)| index).collect();
    best.sort_unstable();
    best.into_iter().map(|index| all[index].clone()).collect()
}
