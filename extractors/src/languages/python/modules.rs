//! Modules of a source tree, and what a name means in one.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::facts::{Decl, Facts, Import};
use crate::SourceTree;
use crate::languages::FileFacts;

/// How many times a name may be handed on by imports.
const MAX_HOPS: usize = 12;

/// A declaration of the tree: path and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) path: String,
    pub(super) name: String,
}

impl Key {
    /// The key as the name of a type expression, until ids are given.
    pub(super) fn text(&self) -> String {
        format!("{}\u{1}{}", self.path, self.name)
    }

    /// The key that such a name stands for.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (path, name) = text.split_once('\u{1}')?;
        Some(Self {
            path: path.to_owned(),
            name: name.to_owned(),
        })
    }
}

/// One file.
pub(super) struct Module {
    facts: Arc<FileFacts>,
    by_name: BTreeMap<String, usize>,
}

impl Module {
    fn new(facts: Arc<FileFacts>) -> Self {
        let mut module = Self {
            facts,
            by_name: BTreeMap::new(),
        };
        let names: Vec<String> = module.facts().decls.iter().map(|decl| decl.name.clone()).collect();
        // A later declaration of a name replaces an earlier one, as it does when the module runs.
        module.by_name = names.into_iter().enumerate().map(|(at, name)| (name, at)).collect();
        module
    }

    pub(super) fn facts(&self) -> &Facts {
        static NONE: std::sync::LazyLock<Facts> = std::sync::LazyLock::new(Facts::default);
        match self.facts.as_ref() {
            FileFacts::Python(facts) => facts,
            _ => &NONE,
        }
    }

    /// A declaration by its full name.
    pub(super) fn find(&self, name: &str) -> Option<&Decl> {
        self.by_name.get(name).map(|&at| &self.facts().decls[at])
    }

    /// Every declaration that counts, in the order of the file.
    pub(super) fn decls(&self) -> impl Iterator<Item = &Decl> {
        let decls = self.facts().decls.iter().enumerate();
        decls
            .filter(|(at, decl)| self.by_name.get(&decl.name) == Some(at))
            .map(|(_, decl)| decl)
    }
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A declaration, and what is left of a dotted name behind it.
    Decl(Key, Option<String>),
    /// Something of a module that is not in the tree; `builtins` for a plain name.
    External(String, String),
}

/// All modules, read when they are asked for.
pub(super) struct World<'t> {
    tree: &'t dyn SourceTree,
    modules: RefCell<BTreeMap<String, Option<Rc<Module>>>>,
    /// Paths by the last part of their module name.
    by_last: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> World<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree) -> Self {
        let mut by_last: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in tree.paths().iter().filter(|path| super::reads(path)) {
            by_last.entry(last_of(path)).or_default().push(path);
        }
        Self {
            tree,
            modules: RefCell::default(),
            by_last,
        }
    }

    /// The module at a path.
    pub(super) fn module(&self, path: &str) -> Option<Rc<Module>> {
        if let Some(known) = self.modules.borrow().get(path) {
            return known.clone();
        }
        let module = self.tree.facts(path).map(|facts| Rc::new(Module::new(facts)));
        self.modules.borrow_mut().insert(path.to_owned(), module.clone());
        module
    }

    /// What `name` means in the file at `path`, inside the class `class`.
    pub(super) fn resolve(&self, path: &str, class: Option<&str>, name: &str) -> Target {
        let mut seen = BTreeSet::new();
        self.look_up(path, class, name, &mut seen)
            .unwrap_or_else(|| Target::External("builtins".to_owned(), name.to_owned()))
    }

    fn look_up(
        &self,
        path: &str,
        class: Option<&str>,
        name: &str,
        seen: &mut BTreeSet<(String, String)>,
    ) -> Option<Target> {
        if seen.len() > MAX_HOPS || !seen.insert((path.to_owned(), name.to_owned())) {
            return None;
        }
        let module = self.module(path)?;
        // Inside a class its own names come first, then those of the module.
        let mut scope = class;
        while let Some(outer) = scope {
            if let Some(found) = declared(&module, path, &format!("{outer}.{name}"), outer.len() + 1) {
                return Some(found);
            }
            scope = outer.rsplit_once('.').map(|(outer, _)| outer);
        }
        if let Some(found) = declared(&module, path, name, 0) {
            return Some(found);
        }
        let facts = module.facts();
        // The longest import that the name starts with: `import a.b` beside `import a`.
        let mut imports: Vec<&Import> = facts
            .imports
            .iter()
            .filter(|import| import.local == name || name.starts_with(&format!("{}.", import.local)))
            .collect();
        imports.sort_by_key(|import| std::cmp::Reverse(import.local.len()));
        if let Some(import) = imports.first() {
            let rest = name[import.local.len()..].trim_start_matches('.');
            return Some(self.imported(path, import, rest, seen));
        }
        for import in facts.imports.iter().filter(|import| import.local == "*") {
            if let Some(file) = self.file_of(path, import.dots, &import.module)
                && let Some(found) = self.look_up(&file, None, name, seen)
            {
                return Some(found);
            }
        }
        None
    }

    /// What an imported name means, with the rest of a dotted name.
    fn imported(&self, path: &str, import: &Import, rest: &str, seen: &mut BTreeSet<(String, String)>) -> Target {
        let mut wanted: Vec<&str> = import.name.iter().map(String::as_str).collect();
        wanted.extend(rest.split('.').filter(|part| !part.is_empty()));
        let external = || Target::External(import.module.clone(), wanted.join("."));
        // Any start of the dotted name may be a module: `from kosong import message` and then `message.ToolCall`.
        for split in (0..wanted.len()).rev() {
            let mut module = import.module.clone();
            for part in &wanted[..split] {
                if !module.is_empty() {
                    module.push('.');
                }
                module.push_str(part);
            }
            if let Some(file) = self.file_of(path, import.dots, &module)
                && let Some(found) = self.look_up(&file, None, &wanted[split..].join("."), seen)
            {
                return found;
            }
        }
        external()
    }

    /// The file of a module, as it is named in the file at `from`.
    fn file_of(&self, from: &str, dots: usize, module: &str) -> Option<String> {
        let tail = module.replace('.', "/");
        if dots > 0 {
            let mut folder: Vec<&str> = from.split('/').collect();
            for _ in 0..dots {
                folder.pop()?;
            }
            let mut base = folder.join("/");
            if !tail.is_empty() {
                if !base.is_empty() {
                    base.push('/');
                }
                base.push_str(&tail);
            }
            let candidates = [
                format!("{base}.py"),
                format!("{base}/__init__.py"),
                format!("{base}.pyi"),
            ];
            let init = candidates[1].trim_start_matches('/').to_owned();
            return [candidates[0].clone(), init, candidates[2].clone()]
                .into_iter()
                .find(|file| self.tree.paths().binary_search(file).is_ok());
        }
        let last = module.rsplit('.').next().filter(|last| !last.is_empty())?;
        let ends = [
            format!("{tail}.py"),
            format!("{tail}/__init__.py"),
            format!("{tail}.pyi"),
        ];
        // Of several, the one nearest to the file that asks.
        self.by_last
            .get(last)?
            .iter()
            .filter(|path| {
                ends.iter()
                    .any(|end| **path == end || path.strip_suffix(end.as_str()).is_some_and(|root| root.ends_with('/')))
            })
            .max_by_key(|path| {
                let same = path.split('/').zip(from.split('/')).take_while(|(a, b)| a == b).count();
                (same, std::cmp::Reverse(path.len()))
            })
            .map(|path| (*path).to_owned())
    }
}

/// A declaration of the module that the dotted `name` starts with; `from` is where a rest may begin.
fn declared(module: &Module, path: &str, name: &str, from: usize) -> Option<Target> {
    let mut end = name.len();
    loop {
        if module.find(&name[..end]).is_some() {
            let rest = name[end..].trim_start_matches('.');
            let key = Key {
                path: path.to_owned(),
                name: name[..end].to_owned(),
            };
            return Some(Target::Decl(key, (!rest.is_empty()).then(|| rest.to_owned())));
        }
        end = name[..end].rfind('.').filter(|&dot| dot > from)?;
    }
}

/// The last part of the module name of a path.
fn last_of(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or(file);
    if stem == "__init__" {
        parts.next().unwrap_or_default()
    } else {
        stem
    }
}
