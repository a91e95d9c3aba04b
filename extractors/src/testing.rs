//! A source tree in memory, for the tests of every language.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use agent_contracts_wire::WireModel;

use crate::{FileFacts, SourceTree, languages};

/// Files by path, parsed when asked for.
pub(crate) struct MemoryTree {
    paths: Vec<String>,
    files: BTreeMap<String, Arc<[u8]>>,
    facts: Mutex<BTreeMap<String, Option<Arc<FileFacts>>>>,
}

impl MemoryTree {
    /// A tree of `(path, text)` pairs.
    pub(crate) fn new<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Self {
        let files: BTreeMap<String, Arc<[u8]>> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), Arc::from(text.as_ref())))
            .collect();
        Self {
            paths: files.keys().cloned().collect(),
            files,
            facts: Mutex::default(),
        }
    }

    /// Links the given paths of the tree, whatever their language.
    pub(crate) fn link(&self, scope: &[&str]) -> WireModel {
        let scope: Vec<String> = scope.iter().map(|&path| path.to_owned()).collect();
        languages::link(self, &scope)
    }
}

impl SourceTree for MemoryTree {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        let text = self.files.get(path)?;
        let mut facts = self.facts.lock().ok()?;
        facts
            .entry(path.to_owned())
            .or_insert_with(|| languages::parse(path, text).map(Arc::new))
            .clone()
    }

    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path).cloned()
    }
}

/// The model of one file, printed: see [`WireModel::print`].
pub(crate) fn print_file(path: &str, text: &str) -> String {
    MemoryTree::new(&[(path, text)]).link(&[path]).print()
}

mod tests {
    use super::*;

    #[test]
    fn a_tree_hands_out_its_files_and_nothing_else() {
        let tree = MemoryTree::new(&[("b.txt", "b"), ("a.txt", "a")]);
        assert_eq!(tree.paths(), ["a.txt", "b.txt"]);
        assert_eq!(tree.text("a.txt").as_deref(), Some(b"a".as_slice()));
        assert!(tree.facts("a.txt").is_none() && tree.text("c").is_none());
        assert_eq!(print_file("a.txt", ""), "");
    }
}
