//! The files of one extraction, parsed when asked for.
//!
//! A reader starts at the files of the scope and may open any other file of the tree to resolve a name. It refuses to
//! open files of tests: what they declare is no command line of the product.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::LazyLock;

use agent_contracts_wire::model::Place;
use regex::Regex;
use tree_sitter::Node;

use super::code::{self, Bindings, Code};
use super::collect::Found;
use super::expr::Expr;
use crate::SourceTree;
use crate::content;
use crate::syntax::{Source, line, walk};

/// The most names that a span with a syntax error may hide.
const MAX_HIDDEN: usize = 2000;

/// The files of one extraction.
pub(crate) struct Files<'t> {
    pub(crate) tree: &'t dyn SourceTree,
    scope: BTreeSet<&'t str>,
    open: RefCell<BTreeMap<String, Option<Rc<File>>>>,
    by_name: OnceCell<BTreeMap<String, Vec<String>>>,
    crates: OnceCell<BTreeMap<String, String>>,
    /// What is left for the value that is being worked out.
    pub(crate) fuel: Cell<usize>,
}

/// One parsed file.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) code: &'static Code,
    pub(crate) source: Source<'static>,
    bindings: OnceCell<Bindings>,
}

impl File {
    /// Parses a text; `None` when it cannot be read at all.
    pub(crate) fn parse(path: &str, code: &'static Code, bytes: &[u8]) -> Option<Self> {
        let parsed = Source::parse(&(code.grammar)(path), bytes).ok()?;
        Some(Self {
            path: path.to_owned(),
            code,
            source: Source {
                text: parsed.text.into_owned().into(),
                tree: parsed.tree,
            },
            bindings: OnceCell::new(),
        })
    }

    /// The names that the file gives to values, and those it imports.
    pub(crate) fn bindings(&self) -> &Bindings {
        self.bindings.get_or_init(|| (self.code.bindings)(self))
    }

    /// A node as an expression.
    pub(crate) fn lower(&self, node: Node<'_>) -> Expr {
        code::lower(self, node, 0)
    }

    /// The text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &str {
        self.source.of(node)
    }

    /// Where a node starts.
    pub(crate) fn place(&self, node: Node<'_>) -> Place {
        self.place_at(line(node))
    }

    /// A line of the file.
    pub(crate) fn place_at(&self, line: u32) -> Place {
        Place {
            file: self.path.clone(),
            line,
        }
    }

    /// The whole tree.
    pub(crate) fn root(&self) -> Node<'_> {
        self.source.tree.root_node()
    }

    /// The node that has exactly these bytes: the outermost one, without a wrapper that adds nothing.
    pub(crate) fn node_at(&self, range: &std::ops::Range<usize>) -> Option<Node<'_>> {
        self.root().descendant_for_byte_range(range.start, range.end)
    }

    /// Every node of one of these kinds, in the order of the text.
    #[expect(clippy::unused_self, reason = "a node belongs to its file, and reads so")]
    pub(crate) fn nodes<'f>(&'f self, within: Node<'f>, kinds: &[&str]) -> Vec<Node<'f>> {
        let mut all = Vec::new();
        walk(within, &mut |node| {
            if kinds.contains(&node.kind()) {
                all.push(node);
            }
            true
        });
        all
    }
}

impl<'t> Files<'t> {
    /// The files of `tree`, of which `scope` was asked for.
    pub(crate) fn new(tree: &'t dyn SourceTree, scope: &'t [String]) -> Self {
        Self {
            tree,
            scope: scope.iter().map(String::as_str).filter(|path| !is_test(path)).collect(),
            open: RefCell::default(),
            by_name: OnceCell::new(),
            crates: OnceCell::new(),
            fuel: Cell::new(0),
        }
    }

    /// The paths that were asked for, sorted, without tests.
    pub(crate) fn scope(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.scope.iter().copied()
    }

    /// Whether a path was asked for.
    pub(crate) fn in_scope(&self, path: &str) -> bool {
        self.scope.contains(path)
    }

    /// The files of the scope in this language that hold one of `hints`, parsed.
    pub(crate) fn hinting(&self, language: &'static Code, hints: &[&str]) -> Vec<Rc<File>> {
        let reads = |path: &&str| code::of(path).is_some_and(|code| code.id == language.id);
        let holds = |path: &&str| {
            let text = self.tree.text(path);
            text.is_some_and(|text| hints.iter().any(|hint| contains(&text, hint.as_bytes())))
        };
        self.scope()
            .filter(reads)
            .filter(holds)
            .filter_map(|path| self.open(path))
            .collect()
    }

    /// A file, parsed. `None` when it is not there, a test, in no language that we read, or no text.
    pub(crate) fn open(&self, path: &str) -> Option<Rc<File>> {
        if let Some(known) = self.open.borrow().get(path) {
            return known.clone();
        }
        let file = (!is_test(path))
            .then(|| code::of(path))
            .flatten()
            .and_then(|code| File::parse(path, code, &self.tree.text(path)?))
            .map(Rc::new);
        self.open.borrow_mut().insert(path.to_owned(), file.clone());
        file
    }

    /// Whether the tree has this path.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.tree
            .paths()
            .binary_search_by(|known| known.as_str().cmp(path))
            .is_ok()
    }

    /// Paths of the tree by the name of their file.
    pub(crate) fn named(&self, name: &str) -> &[String] {
        let index = self.by_name.get_or_init(|| {
            let mut index: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for path in self.tree.paths() {
                let name = path.rsplit('/').next().unwrap_or(path);
                index.entry(name.to_owned()).or_default().push(path.clone());
            }
            index
        });
        index.get(name).map_or(&[], Vec::as_slice)
    }

    /// The paths below a folder (`""` is the root), in order.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &'t String> {
        let paths = self.tree.paths();
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let start = paths.partition_point(|path| path.as_str() < prefix.as_str());
        paths
            .iter()
            .skip(start)
            .take_while(move |path| path.starts_with(&prefix))
    }

    /// The nearest folder at or above the one of `path` that holds one of `names`.
    pub(crate) fn folder_with(&self, path: &str, names: &[&str]) -> Option<String> {
        let mut folder = parent(path);
        loop {
            if names.iter().any(|name| self.has(&join(folder, name))) {
                return Some(folder.to_owned());
            }
            if folder.is_empty() {
                return None;
            }
            folder = parent(folder);
        }
    }

    /// The folders of crates by their names, as code writes them.
    pub(crate) fn crates(&self) -> &BTreeMap<String, String> {
        self.crates.get_or_init(|| {
            let manifests = self.named("Cargo.toml").iter();
            let name = |path: &String| {
                let text = self.tree.text(path)?;
                let table = std::str::from_utf8(&text).ok()?.parse::<toml::Table>().ok()?;
                let name = |section: &str| {
                    table
                        .get(section)?
                        .get("name")?
                        .as_str()
                        .map(|name| name.replace('-', "_"))
                };
                Some((name("lib").or_else(|| name("package"))?, parent(path).to_owned()))
            };
            manifests.filter_map(name).collect()
        })
    }

    /// Says what of the scope could not be read. A span with a syntax error hides the names that stand in it; one
    /// without any hides nothing and is not told.
    pub(crate) fn damage(&self, found: &mut Found) {
        for path in self.scope() {
            let Some(code) = code::of(path) else { continue };
            let Some(text) = self.tree.text(path) else { continue };
            if let Err(damage) = content::text(&text) {
                found.degraded.push(damage.at(path));
                continue;
            }
            // A file that no reader opened holds no flags.
            if !self.open.borrow().contains_key(path) {
                continue;
            }
            let Some(file) = self.open(path) else {
                let whole = content::Damage::whole("over the budget of 4000000 syntax nodes");
                found.degraded.push(whole.at(path));
                continue;
            };
            let hidden = |_: Node<'_>, text: &str| {
                let hidden = hidden_names(code, text);
                (!hidden.is_empty()).then_some(hidden)
            };
            let damage = file.source.damage(hidden);
            found.degraded.extend(damage.iter().map(|damage| damage.at(path)));
        }
    }
}

/// Every flag that a text may declare: spelled with its dashes, as a word in quotes, or as the name of a field.
fn hidden_names(code: &Code, text: &str) -> Vec<String> {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(--?[A-Za-z0-9][\w-]*)|["'`]([A-Za-z0-9][\w-]*)["'`]|\b([a-z][a-z0-9_]*)\s*:"#).ok()
    });
    let Some(words) = WORDS.as_ref() else { return Vec::new() };
    let mut all = BTreeSet::new();
    for word in words.captures_iter(text) {
        let name = match (word.get(1), word.get(2), word.get(3)) {
            (Some(spelled), _, _) => spelled.as_str().to_owned(),
            (_, Some(quoted), _) => super::draft::dashed(quoted.as_str()),
            // Only where a field or a parameter names its flag.
            (_, _, Some(field)) if matches!(code.id, "rust" | "python") => {
                super::draft::dashed(&field.as_str().replace('_', "-"))
            }
            _ => continue,
        };
        all.insert(name);
        if all.len() >= MAX_HIDDEN {
            break;
        }
    }
    all.into_iter().collect()
}

/// Whether a file belongs to tests, by how the ecosystems name them.
pub(crate) fn is_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name);
    let marked = name.contains(".test.") || name.contains(".spec.") || stem.ends_with("_test") || stem == "conftest";
    marked
        || (stem.starts_with("test_") && code::PYTHON.reads(name))
        || path
            .split('/')
            .rev()
            .skip(1)
            .any(|folder| matches!(folder, "__tests__" | "node_modules" | "__mocks__"))
}

/// The folder of a path, `""` for the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Whether `text` holds `part`.
pub(crate) fn contains(text: &[u8], part: &[u8]) -> bool {
    let Some(&first) = part.first() else { return true };
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| byte == first) {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(part) {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryTree;

    #[test]
    fn tests_are_told_by_their_names() {
        for (path, expected) in [
            ("src/cli.ts", false),
            ("src/cli.test.ts", true),
            ("cmd/root_test.go", true),
            ("src/__tests__/cli.ts", true),
            ("tests/test_cli.py", true),
            ("src/test_utils.rs", false),
            ("src/latest.py", false),
        ] {
            assert_eq!(is_test(path), expected, "{path}");
        }
    }

    #[test]
    fn folders_and_names() {
        let tree = MemoryTree::new(&[("a/Cargo.toml", ""), ("a/b/c.rs", ""), ("ab.rs", ""), ("x/c.rs", "")]);
        let files = Files::new(&tree, &[]);
        assert_eq!(files.named("c.rs"), ["a/b/c.rs", "x/c.rs"]);
        assert_eq!(files.folder_with("a/b/c.rs", &["Cargo.toml"]).as_deref(), Some("a"));
        assert_eq!(files.folder_with("x/c.rs", &["Cargo.toml"]), None);
        assert_eq!(files.below("a").collect::<Vec<_>>(), ["a/Cargo.toml", "a/b/c.rs"]);
        assert_eq!(files.below("").count(), 4);
        assert!(contains(b"a--bc", b"-b") && !contains(b"ab", b"abc") && contains(b"", b""));
    }

    #[test]
    fn a_broken_span_hides_the_names_that_stand_in_it() {
        let typescript = r#".option("model", { alias: 'm' }) || arg === "--json""#;
        let hidden = code::of("a.ts").map(|code| hidden_names(code, typescript));
        assert_eq!(hidden, Some(["--json", "--model", "-m"].map(str::to_owned).to_vec()));
        let rust = "pub add_dir: Vec<PathBuf>,";
        let hidden = code::of("a.rs").map(|code| hidden_names(code, rust));
        assert_eq!(hidden, Some(vec!["--add-dir".to_owned()]));
    }
}
