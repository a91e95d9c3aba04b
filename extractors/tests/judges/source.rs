//! What our extractor says of a source text.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_contracts_extractors::{FileFacts, SourceTree, extract, languages};
use agent_contracts_wire::WireModel;

struct Files(Vec<String>, BTreeMap<String, Arc<[u8]>>);

impl SourceTree for Files {
    fn paths(&self) -> &[String] {
        &self.0
    }

    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        languages::parse(path, self.1.get(path)?).map(Arc::new)
    }

    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.1.get(path).cloned()
    }
}

/// The model of one file.
pub(crate) fn model(path: &str, text: &str) -> WireModel {
    let paths = vec![path.to_owned()];
    let tree = Files(paths.clone(), [(path.to_owned(), Arc::from(text.as_bytes()))].into());
    extract(&tree, &paths, false)
}

/// The model of some files, of which the first is the scope.
pub(crate) fn model_of(files: &[(String, String)]) -> WireModel {
    let texts: BTreeMap<String, Arc<[u8]>> = files
        .iter()
        .map(|(path, text)| (path.clone(), Arc::from(text.as_bytes())))
        .collect();
    let tree = Files(texts.keys().cloned().collect(), texts);
    extract(&tree, &[files[0].0.clone()], false)
}
