//! Source text to wire model: every language, and the readers of flags.
//!
//! The bytes are one file, or several where lines `=== PATH` stand before each.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_contracts_extractors::{FileFacts, SourceTree, extract, languages};
use agent_contracts_wire::{DiffOptions, WireModel, diff};

/// Files by path.
struct Tree {
    paths: Vec<String>,
    files: BTreeMap<String, Arc<[u8]>>,
    facts: BTreeMap<String, Arc<FileFacts>>,
}

impl Tree {
    fn new(data: &[u8], path: &str) -> Self {
        let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let mut name = path.to_owned();
        for line in data.split_inclusive(|&byte| byte == b'\n') {
            let header = line
                .strip_prefix(b"=== ")
                .map(|rest| String::from_utf8_lossy(rest).trim().to_owned());
            match header {
                Some(path) => name = path,
                None => files.entry(name.clone()).or_default().extend(line),
            }
        }
        let facts = files
            .iter()
            .filter_map(|(path, text)| Some((path.clone(), Arc::new(languages::parse(path, text)?))))
            .collect();
        Self {
            paths: files.keys().cloned().collect(),
            files: files.into_iter().map(|(path, text)| (path, text.into())).collect(),
            facts,
        }
    }

    /// The same with facts that went to the disk and back.
    fn kept(&self) -> Self {
        let again = |facts: &FileFacts| {
            let bytes = postcard::to_stdvec(facts).expect("facts can be kept");
            postcard::from_bytes(&bytes).expect("facts can be read back")
        };
        Self {
            paths: self.paths.clone(),
            files: self.files.clone(),
            facts: self
                .facts
                .iter()
                .map(|(path, facts)| (path.clone(), Arc::new(again(facts))))
                .collect(),
        }
    }
}

impl SourceTree for Tree {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        self.facts.get(path).cloned()
    }

    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path).cloned()
    }
}

/// Reads the files and holds what must be true of every model against it.
fn read(data: &[u8], path: &str, flags: bool) {
    let tree = Tree::new(data, path);
    let model = extract(&tree, &tree.paths, flags);
    if !flags {
        assert_same(&model, &extract(&tree.kept(), &tree.paths, false));
    }
    let nothing = diff(&model, &model, &DiffOptions::default());
    assert!(
        nothing.findings.is_empty(),
        "a model differs from itself: {:#?}",
        nothing.findings
    );
}

fn assert_same(model: &WireModel, again: &WireModel) {
    assert!(model == again, "{}\n{}", model.print(), again.print());
}

/// TypeScript and zod.
pub fn typescript(data: &[u8]) {
    read(data, "src/main.ts", false);
}

/// Rust with serde.
pub fn rust(data: &[u8]) {
    read(data, "src/lib.rs", false);
}

/// JSON Schema and OpenAPI.
pub fn json_schema(data: &[u8]) {
    read(data, "schema.json", false);
}

/// Go with encoding/json.
pub fn go(data: &[u8]) {
    read(data, "wire.go", false);
}

/// Python with pydantic and the standard library.
pub fn python(data: &[u8]) {
    read(data, "wire.py", false);
}

/// Command-line flags. The first byte says which language a file without a name is in.
pub fn flags(data: &[u8]) {
    let paths = ["src/main.rs", "src/cli.ts", "cmd/root.go", "app/cli.py"];
    if let Some((first, rest)) = data.split_first() {
        read(
            if data.starts_with(b"=== ") { data } else { rest },
            paths[usize::from(*first) % paths.len()],
            true,
        );
    }
}
