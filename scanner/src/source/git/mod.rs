//! `git:`: one revision of a repository, read by `gix` from its object database. No checkout, no `git` program.
//!
//! Nothing of the user's environment or configuration takes part in reading, so that the same repository reads the
//! same everywhere.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{MAX_FILE, Opened, Unavailable};
use crate::error::{ScanError, chain};

mod lfs;
mod refs;
mod remote;
mod tree;
mod words;

pub use refs::{SkippedTag, Tag, Tags};
pub(crate) use remote::Remote;

/// Bytes of decoded objects that each reading thread keeps.
const OBJECT_CACHE: usize = 16 << 20;

/// Whether a folder is a repository: it holds `.git`, or is bare.
pub(crate) fn is_repository(path: &Path) -> bool {
    path.join(".git").exists()
        || (path.join("HEAD").is_file()
            && path.join("objects").is_dir()
            && (path.join("refs").is_dir() || path.join("packed-refs").is_file()))
}

/// An opened repository.
pub struct GitRepo {
    /// What it is called in messages: the path or address as it was given.
    name: String,
    shared: gix::ThreadSafeRepository,
    idle: Mutex<Vec<gix::Repository>>,
}

impl GitRepo {
    /// Opens the repository at `path`; `name` is what messages call it.
    pub fn open(path: &Path, name: &str) -> Result<Arc<Self>, ScanError> {
        let options = open_options().open_path_as_is(!path.join(".git").exists());
        let shared = options.open(path).map_err(|error| {
            ScanError::unreadable(
                name,
                chain(&error),
                "give the folder that holds `.git`, or a bare repository",
            )
        })?;
        Ok(Arc::new(Self {
            name: name.to_owned(),
            shared,
            idle: Mutex::default(),
        }))
    }

    /// What it is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Opens one revision of it.
    pub fn at(self: &Arc<Self>, revision: &str) -> Result<Opened, ScanError> {
        let found = self.with(|repo| refs::resolve(repo, &self.name, revision))?;
        let tree = tree::GitTree::new(Arc::clone(self), found.tree);
        tree.check_root()
            .map_err(|why| ScanError::unreadable(format!("{}@{revision}", self.name), why, LOST_OBJECTS))?;
        Ok(Opened {
            tree: Arc::new(tree),
            revision: Some(found.id),
        })
    }

    /// Every tag with the commit that it stands for.
    pub fn tags(&self) -> Result<Tags, ScanError> {
        self.with(|repo| refs::tags(repo, &self.name))
    }

    /// Whether it holds a commit or a tag object.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        gix::ObjectId::from_hex(id.as_bytes()).is_ok_and(|id| self.with(|repo| repo.has_object(id)))
    }

    /// The day of a commit, in UTC: `YYYY-MM-DD`. `None` when it cannot be read.
    #[must_use]
    pub fn day(&self, commit: &str) -> Option<String> {
        let id = gix::ObjectId::from_hex(commit.as_bytes()).ok()?;
        self.with(|repo| {
            let commit = object(repo, id).ok()?;
            let time = commit.try_to_commit_ref_iter()?.committer().ok()?.time().ok()?;
            let at = jiff::Timestamp::from_second(time.seconds).ok()?;
            Some(at.strftime("%F").to_string())
        })
    }

    /// Lends a handle; each thread that reads at the same time gets its own.
    fn with<R>(&self, read: impl FnOnce(&gix::Repository) -> R) -> R {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let repo = idle.unwrap_or_else(|| {
            let mut repo = self.shared.to_thread_local();
            repo.object_cache_size_if_unset(OBJECT_CACHE);
            // Looking at the disk again for each of many missing objects would make a partial clone slow.
            repo.objects.refresh_never();
            repo
        });
        let result = read(&repo);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(repo);
        result
    }

    /// The bytes of a blob.
    fn blob(&self, id: gix::ObjectId) -> Result<Vec<u8>, Unavailable> {
        self.with(|repo| {
            match repo.try_find_header(id) {
                Ok(Some(header)) if header.size() > MAX_FILE => {
                    return Err(Unavailable::TooLarge { size: header.size() });
                }
                Ok(Some(_)) => {}
                Ok(None) => return Err(Unavailable::MissingObject { id: id.to_string() }),
                Err(_) => return Err(Unavailable::Damaged { id: id.to_string() }),
            }
            object(repo, id).map(|mut object| std::mem::take(&mut object.data))
        })
    }
}

/// Only objects are read, and nothing that a configuration names is run. Without trust the format of the objects, which
/// stands in the configuration, would be ignored.
fn open_options() -> gix::open::Options {
    gix::open::Options::isolated().with(gix::sec::Trust::Full)
}

const LOST_OBJECTS: &str = "fetch it again, or take a clone without a filter";

fn object(repo: &gix::Repository, id: gix::ObjectId) -> Result<gix::Object<'_>, Unavailable> {
    match repo.try_find_object(id) {
        Ok(Some(object)) => Ok(object),
        Ok(None) => Err(Unavailable::MissingObject { id: id.to_string() }),
        Err(_) => Err(Unavailable::Damaged { id: id.to_string() }),
    }
}

/// Opens one revision of a repository on this machine.
pub fn open_path(path: &Path, revision: &str) -> Result<Opened, ScanError> {
    GitRepo::open(path, &format!("git:{}", path.display()))?.at(revision)
}
