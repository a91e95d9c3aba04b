//! One version of a source as the extractors see it: paths, and facts that are parsed on demand and once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use agent_contracts_extractors::languages::language_of;
use agent_contracts_extractors::{FileFacts, SourceTree};

use crate::memo::Memo;
use crate::scope::Scope;
use crate::source::{Listing, Opened, Skipped, Tree, Unavailable};

/// One version of a source.
pub struct Snapshot {
    name: String,
    revision: Option<String>,
    tree: Arc<dyn Tree>,
    memo: Arc<Memo>,
    paths: OnceLock<Vec<String>>,
    /// Facts by path; linking asks for the same file many times.
    facts: Mutex<HashMap<String, Option<Arc<FileFacts>>>>,
    /// Paths that were asked for and could not be had.
    missed: Mutex<BTreeMap<String, Unavailable>>,
}

impl Snapshot {
    /// A snapshot of `opened`, which messages call `name`.
    #[must_use]
    pub fn new(name: &str, opened: Opened, memo: Arc<Memo>) -> Self {
        Self {
            name: name.to_owned(),
            revision: opened.revision,
            tree: opened.tree,
            memo,
            paths: OnceLock::new(),
            facts: Mutex::default(),
            missed: Mutex::default(),
        }
    }

    /// The text of its source.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The commit or the hash of the archive.
    #[must_use]
    pub fn revision(&self) -> Option<&str> {
        self.revision.as_deref()
    }

    /// The files that `scope` names.
    #[must_use]
    pub fn list(&self, scope: &Scope) -> Listing {
        self.tree.list(Some(scope))
    }

    /// Lets go of the facts that were asked for; they are found again when they are asked for again.
    pub(crate) fn forget(&self) {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Whether `scope` names anything, readable or not.
    pub(crate) fn has_files(&self, scope: &Scope) -> bool {
        let listing = self.list(scope);
        !listing.paths.is_empty() || !listing.skipped.is_empty()
    }

    /// Paths that were asked for so far and whose content could not be had.
    #[must_use]
    pub fn missed(&self) -> Vec<Skipped> {
        let missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        missed
            .iter()
            .map(|(path, why)| Skipped {
                path: path.clone(),
                why: why.clone(),
            })
            .collect()
    }

    fn miss(&self, path: &str, why: Unavailable) {
        if why != Unavailable::NotThere {
            self.missed
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(path.to_owned(), why);
        }
    }
}

impl SourceTree for Snapshot {
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| self.tree.list(None).paths)
    }

    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        language_of(path)?;
        if let Some(known) = self.facts.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        let facts = self.find(path);
        let mut known = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(path.to_owned()).or_insert(facts).clone()
    }

    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        match self.tree.read(path) {
            Ok(text) => Some(text),
            Err(why) => {
                self.miss(path, why);
                None
            }
        }
    }
}

impl Snapshot {
    fn find(&self, path: &str) -> Option<Arc<FileFacts>> {
        let id = match self.tree.content_id(path) {
            Ok(id) => id,
            Err(why) => {
                self.miss(path, why);
                return None;
            }
        };
        match self.memo.facts(path, &id, || self.tree.read(path))? {
            Ok(facts) => Some(facts),
            Err(why) => {
                self.miss(path, why);
                None
            }
        }
    }
}
