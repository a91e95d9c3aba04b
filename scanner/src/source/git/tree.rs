//! The files of one revision. Folders are read when something is wanted below them, blobs once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::{BString, ByteSlice};
use gix::object::tree::EntryKind;

use super::{GitRepo, lfs, object};
use crate::scope::Scope;
use crate::source::{ContentId, Listing, Skipped, Tree, Unavailable, resolve_link};

/// A chain of more symbolic links than this goes in a circle.
const MAX_LINKS: usize = 16;
/// Folders nested deeper than this are damage or an attack.
const MAX_DEPTH: usize = 200;

pub(super) struct GitTree {
    repo: Arc<GitRepo>,
    root: gix::ObjectId,
    folders: Mutex<HashMap<gix::ObjectId, Folder>>,
}

type Folder = Arc<Vec<Entry>>;

#[derive(Clone)]
struct Entry {
    name: BString,
    kind: EntryKind,
    id: gix::ObjectId,
}

impl GitTree {
    pub(super) fn new(repo: Arc<GitRepo>, root: gix::ObjectId) -> Self {
        Self {
            repo,
            root,
            folders: Mutex::default(),
        }
    }

    /// Reads the root folder, without which nothing can be said.
    pub(super) fn check_root(&self) -> Result<(), Unavailable> {
        self.folder(self.root).map(drop)
    }

    fn folder(&self, id: gix::ObjectId) -> Result<Folder, Unavailable> {
        let lock = |this: &Self| {
            this.folders
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get(&id)
                .cloned()
        };
        if let Some(folder) = lock(self) {
            return Ok(folder);
        }
        let folder: Folder = self.repo.with(|repo| {
            let tree = object(repo, id)?;
            let damaged = || Unavailable::Damaged { id: id.to_string() };
            let tree = tree.try_into_tree().map_err(|_| damaged())?;
            let decoded = tree.decode().map_err(|_| damaged())?;
            let entries = decoded.entries.iter().map(|entry| Entry {
                name: entry.filename.to_owned(),
                kind: entry.mode.kind(),
                id: entry.oid.to_owned(),
            });
            Ok(Arc::new(entries.collect()))
        })?;
        self.folders
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id, Arc::clone(&folder));
        Ok(folder)
    }

    /// The entry at `path`, without following a link there. Folders on the way are never links.
    fn entry(&self, path: &str) -> Result<Entry, Unavailable> {
        let mut id = self.root;
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let folder = self.folder(id)?;
            let entry = folder
                .iter()
                .find(|entry| entry.name == part)
                .ok_or(Unavailable::NotThere)?;
            if parts.peek().is_none() {
                return Ok(entry.clone());
            }
            match entry.kind {
                EntryKind::Tree => id = entry.id,
                EntryKind::Commit => {
                    return Err(Unavailable::Submodule {
                        commit: entry.id.to_string(),
                    });
                }
                _ => return Err(Unavailable::NotThere),
            }
        }
        Err(Unavailable::NotThere)
    }

    /// The blob at `path`, through links, and the path that it has itself.
    fn blob(&self, path: &str) -> Result<(gix::ObjectId, String), Unavailable> {
        let mut path = path.to_owned();
        let mut first_target = None;
        for _ in 0..MAX_LINKS {
            let broken = |why| Unavailable::Link {
                target: first_target.clone().unwrap_or_default(),
                why,
            };
            let entry = match self.entry(&path) {
                Err(Unavailable::NotThere) if first_target.is_some() => return Err(broken("there is nothing")),
                entry => entry?,
            };
            match entry.kind {
                EntryKind::Blob | EntryKind::BlobExecutable => return Ok((entry.id, path)),
                EntryKind::Commit => {
                    return Err(Unavailable::Submodule {
                        commit: entry.id.to_string(),
                    });
                }
                EntryKind::Tree if first_target.is_some() => return Err(broken("folders behind links are not read")),
                EntryKind::Tree => return Err(Unavailable::NotThere),
                EntryKind::Link => {
                    let bytes = self.repo.blob(entry.id)?;
                    let target = bytes.to_str_lossy().into_owned();
                    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                    let next = resolve_link(folder, &target);
                    first_target.get_or_insert(target.clone());
                    path = next.ok_or(Unavailable::Link {
                        target,
                        why: "it leads out of the source",
                    })?;
                }
            }
        }
        Err(Unavailable::Link {
            target: first_target.unwrap_or_default(),
            why: "it leads in a circle",
        })
    }

    fn walk(&self, id: gix::ObjectId, at: &[u8], depth: usize, scope: Option<&Scope>, listing: &mut Listing) {
        let skipped = |path: &[u8], why: Unavailable| Skipped {
            path: path.to_str_lossy().into_owned(),
            why,
        };
        let folder = match self.folder(id) {
            Ok(folder) if depth < MAX_DEPTH => folder,
            Ok(_) => {
                let why = Unavailable::Io(format!("folders are nested more than {MAX_DEPTH} deep"));
                listing.skipped.push(skipped(at, why));
                return;
            }
            Err(why) => {
                listing.skipped.push(skipped(at, why));
                return;
            }
        };
        for entry in folder.iter() {
            let mut path = at.to_vec();
            if !at.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(&entry.name);
            let named = scope.is_none_or(|scope| scope.matches(&path));
            let reached = named || scope.is_none_or(|scope| scope.may_hold(&path));
            match entry.kind {
                EntryKind::Tree if reached => self.walk(entry.id, &path, depth + 1, scope, listing),
                EntryKind::Commit if reached => {
                    let commit = entry.id.to_string();
                    listing.skipped.push(skipped(&path, Unavailable::Submodule { commit }));
                }
                EntryKind::Blob | EntryKind::BlobExecutable if named => {
                    if let Ok(path) = std::str::from_utf8(&path) {
                        listing.paths.push(path.to_owned());
                    } else {
                        let content = Some(content_id(entry.id));
                        listing.skipped.push(skipped(&path, Unavailable::Name { content }));
                    }
                }
                EntryKind::Link if named => {
                    let Ok(path) = std::str::from_utf8(&path) else {
                        listing
                            .skipped
                            .push(skipped(&path, Unavailable::Name { content: None }));
                        continue;
                    };
                    match self.blob(path) {
                        // Read under its own name already.
                        Ok((_, target)) if scope.is_none_or(|scope| scope.matches(&target)) => {}
                        Ok(_) => listing.paths.push(path.to_owned()),
                        Err(why) => listing.skipped.push(skipped(path.as_bytes(), why)),
                    }
                }
                _ => {}
            }
        }
    }
}

impl Tree for GitTree {
    fn list(&self, scope: Option<&Scope>) -> Listing {
        let mut listing = Listing::default();
        self.walk(self.root, b"", 0, scope, &mut listing);
        listing.paths.sort();
        listing.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        listing
    }

    fn content_id(&self, path: &str) -> Result<ContentId, Unavailable> {
        Ok(content_id(self.blob(path)?.0))
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, Unavailable> {
        let bytes = self.repo.blob(self.blob(path)?.0)?;
        match lfs::pointer(&bytes) {
            Some(pointer) => Err(Unavailable::Lfs {
                oid: pointer.oid,
                size: pointer.size,
            }),
            None => Ok(bytes.into()),
        }
    }
}

fn content_id(id: gix::ObjectId) -> ContentId {
    ContentId(format!("git-{}:{id}", id.kind()))
}
