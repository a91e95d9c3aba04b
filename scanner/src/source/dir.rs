//! `dir:PATH`: a folder on this machine.
//!
//! `.git` is never read, `node_modules` only where the scope names it. Links are followed to files inside of the
//! folder and never out of it; folders behind links and things that are no files (pipes, sockets) are left out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use agent_contracts_wire::canonical::sha256;

use super::{ContentId, Listing, MAX_FILE, Opened, Skipped, Tree, Unavailable};
use crate::error::ScanError;
use crate::scope::Scope;

/// Opens a folder.
pub fn open(path: &Path) -> Result<Opened, ScanError> {
    let origin = format!("dir:{}", path.display());
    let root = path
        .canonicalize()
        .map_err(|error| ScanError::unreadable(&origin, error, "give a folder that exists"))?;
    if !root.is_dir() {
        return Err(ScanError::unreadable(
            origin,
            "it is a file",
            "give its folder, and its name as --scope",
        ));
    }
    fs::read_dir(&root).map_err(|error| ScanError::unreadable(&origin, error, "give a folder that can be read"))?;
    let tree = DirTree {
        root,
        read: Mutex::default(),
    };
    Ok(Opened {
        tree: Arc::new(tree),
        revision: None,
    })
}

struct DirTree {
    root: PathBuf,
    /// What was read, so that the content that was hashed is the content that is parsed.
    read: Mutex<BTreeMap<String, Arc<[u8]>>>,
}

impl Tree for DirTree {
    fn list(&self, scope: Option<&Scope>) -> Listing {
        let mut listing = Listing::default();
        self.walk(&self.root, "", scope, &mut listing);
        listing.paths.sort();
        listing.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        listing
    }

    fn content_id(&self, path: &str) -> Result<ContentId, Unavailable> {
        Ok(ContentId(sha256(&self.read(path)?)))
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, Unavailable> {
        let known = |this: &Self| {
            this.read
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get(path)
                .cloned()
        };
        if let Some(bytes) = known(self) {
            return Ok(bytes);
        }
        if path.split('/').any(|part| part == "..") || path.starts_with('/') {
            return Err(Unavailable::NotThere);
        }
        let full = self.inside(&self.root.join(path))?;
        let meta = fs::metadata(&full).map_err(|error| from_io(&error))?;
        if !meta.is_file() {
            return Err(Unavailable::NotThere);
        }
        if meta.len() > MAX_FILE {
            return Err(Unavailable::TooLarge { size: meta.len() });
        }
        let bytes: Arc<[u8]> = fs::read(&full).map_err(|error| from_io(&error))?.into();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(read.entry(path.to_owned()).or_insert(bytes).clone())
    }
}

impl DirTree {
    fn walk(&self, folder: &Path, at: &str, scope: Option<&Scope>, listing: &mut Listing) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                listing.skipped.push(Skipped {
                    path: at.to_owned(),
                    why: from_io(&error),
                });
                return;
            }
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let (text, utf8) = match name.to_str() {
                Some(text) => (text.to_owned(), true),
                None => (name.to_string_lossy().into_owned(), false),
            };
            let path = if at.is_empty() {
                text.clone()
            } else {
                format!("{at}/{text}")
            };
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let named = |glob: &String| glob.split('/').any(|step| step == "node_modules");
                let left_out = text == ".git"
                    || (text == "node_modules" && !scope.is_some_and(|scope| scope.globs().iter().any(named)));
                if left_out || !scope.is_none_or(|scope| scope.may_hold(&path)) {
                    continue;
                }
                if !utf8 {
                    let why = Unavailable::Name { content: None };
                    listing.skipped.push(Skipped { path, why });
                    continue;
                }
                self.walk(&entry.path(), &path, scope, listing);
                continue;
            }
            if !scope.is_none_or(|scope| scope.matches(&path)) {
                continue;
            }
            if !utf8 {
                listing.skipped.push(Skipped {
                    path,
                    why: Unavailable::Name { content: None },
                });
            } else if kind.is_symlink() {
                match self.link(&entry.path()) {
                    // Read under its own name already.
                    Ok(target) if scope.is_none_or(|scope| scope.matches(&target)) => {}
                    Ok(_) => listing.paths.push(path),
                    Err(why) => listing.skipped.push(Skipped { path, why }),
                }
            } else if kind.is_file() {
                listing.paths.push(path);
            }
        }
    }

    /// The path, from the root, of the file behind a link.
    fn link(&self, link: &Path) -> Result<String, Unavailable> {
        let target = fs::read_link(link).map_or_else(|_| String::new(), |target| target.display().to_string());
        let broken = |why| Unavailable::Link {
            target: target.clone(),
            why,
        };
        let full = link.canonicalize().map_err(|_| broken("there is nothing"))?;
        let inside = full
            .strip_prefix(&self.root)
            .map_err(|_| broken("it leads out of the source"))?;
        if full.is_dir() {
            return Err(broken("folders behind links are not read"));
        }
        inside
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| broken("its name is not UTF-8"))
    }

    /// The real place of `full`, when that is below the root.
    fn inside(&self, full: &Path) -> Result<PathBuf, Unavailable> {
        let real = full.canonicalize().map_err(|error| from_io(&error))?;
        if real.starts_with(&self.root) {
            Ok(real)
        } else {
            Err(Unavailable::Link {
                target: real.display().to_string(),
                why: "it leads out of the source",
            })
        }
    }
}

fn from_io(error: &std::io::Error) -> Unavailable {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Unavailable::NotThere,
        _ => Unavailable::Io(error.to_string()),
    }
}
