//! Names over modules and crates of a tree.
//!
//! Modules are found as rustc finds them: `mod x;` is `x.rs` or `x/mod.rs`, `#[path]` wins, and a file that is there
//! without a declaration counts too, since the declaration may stand in a span that could not be read. Other crates are
//! found by the manifests (`path` of a dependency, of the workspace's too); without manifests by the directory's name.
//! What is not in the tree is external, with the path that the imports give it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use super::facts::{Codec, Facts, ImplItem, Import, MacroCall, Manifest, Scope, TypeItem};
use super::{parse, rows};
use crate::{FileFacts, SourceTree};

/// How many imports a name may go through.
const MAX_HOPS: usize = 24;
/// How many modules one look-up may visit.
const MAX_VISITS: usize = 5_000;

/// A module. The resolver gives each place one value, so that two are the same when they are one.
#[derive(Debug, Clone)]
pub(super) struct Module(Rc<ModulePlace>);

/// A file, and a path of inline modules in it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ModulePlace {
    pub(super) file: Rc<str>,
    pub(super) inline: Vec<String>,
}

impl Deref for Module {
    type Target = ModulePlace;

    fn deref(&self) -> &ModulePlace {
        &self.0
    }
}

impl PartialEq for Module {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Module {}

impl Hash for Module {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.0).hash(state);
    }
}

/// What a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A type declared in the tree.
    Type(Module, String),
    Module(Module),
    /// Something outside the tree, with its full path as far as imports say it.
    External(Vec<String>),
}

/// A crate of the tree.
#[derive(Debug)]
struct Crate {
    /// The directory of its manifest.
    dir: String,
    /// Its root file.
    root: Rc<str>,
    manifest: Option<Manifest>,
}

/// The directory of a crate, and the name that it uses for another.
type ExternKey = (String, String);
/// A module, whether a type is wanted, and whether imports that are not public count.
type NamesKey = (Module, bool, bool);

pub(super) struct Resolver<'t> {
    tree: &'t dyn SourceTree,
    files: RefCell<HashMap<Rc<str>, Option<Arc<FileFacts>>>>,
    crates: RefCell<HashMap<Rc<str>, Rc<Crate>>>,
    externs: RefCell<HashMap<ExternKey, Option<Rc<str>>>>,
    /// `None` while a name is being looked for, so that circles of imports end.
    names: RefCell<HashMap<NamesKey, HashMap<String, Option<Found>>>>,
    /// Circles that were cut: what was found around one may be less than there is.
    cuts: Cell<usize>,
    visits: Cell<usize>,
    expanded: RefCell<HashMap<Module, Rc<Scope>>>,
    modules: RefCell<HashMap<Rc<str>, Vec<Module>>>,
}

impl<'t> Resolver<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree) -> Self {
        Self {
            tree,
            files: RefCell::default(),
            crates: RefCell::default(),
            externs: RefCell::default(),
            names: RefCell::default(),
            cuts: Cell::new(0),
            visits: Cell::new(0),
            expanded: RefCell::default(),
            modules: RefCell::default(),
        }
    }

    /// The module at a place.
    pub(super) fn module(&self, file: &Rc<str>, inline: &[String]) -> Module {
        let mut modules = self.modules.borrow_mut();
        let known = modules.entry(file.clone()).or_default();
        if let Some(module) = known.iter().find(|module| module.inline == inline) {
            return module.clone();
        }
        let module = Module(Rc::new(ModulePlace {
            file: file.clone(),
            inline: inline.to_vec(),
        }));
        known.push(module.clone());
        module
    }

    /// Calls `with` on the facts of a file.
    pub(super) fn with_facts<T>(&self, file: &str, with: impl FnOnce(&Facts) -> T) -> Option<T> {
        let known = self.files.borrow().get(file).cloned();
        let facts = if let Some(facts) = known {
            facts
        } else {
            let facts = if self.exists(file) { self.tree.facts(file) } else { None };
            self.files.borrow_mut().insert(Rc::from(file), facts.clone());
            facts
        };
        match facts.as_deref() {
            Some(FileFacts::Rust(facts)) => Some(with(facts)),
            _ => None,
        }
    }

    /// What `pick` finds in the declarations of a module, those of macro calls included.
    pub(super) fn in_scope<T>(&self, module: &Module, mut pick: impl FnMut(&Scope) -> Option<T>) -> Option<T> {
        let (found, calls) = self.with_facts(&module.file, |facts| {
            let scope = scope_of(&facts.root, &module.inline)?;
            Some((pick(scope), !scope.calls.is_empty()))
        })??;
        if found.is_some() || !calls {
            return found;
        }
        pick(&self.expansions(module))
    }

    /// A declared type.
    pub(super) fn type_item(&self, module: &Module, name: &str) -> Option<Arc<TypeItem>> {
        self.in_scope(module, |scope| scope.type_item(name).cloned())
    }

    /// What the impls in the file of `module` say, as far as `pick` wants it.
    pub(super) fn in_impls<T>(&self, module: &Module, mut pick: impl FnMut(&ImplItem) -> Option<T>) -> Option<T> {
        fn search<T>(scope: &Scope, pick: &mut impl FnMut(&ImplItem) -> Option<T>) -> Option<T> {
            scope.impls.iter().find_map(&mut *pick).or_else(|| {
                scope
                    .mods
                    .iter()
                    .filter_map(|module| module.inline.as_ref())
                    .find_map(|inner| search(inner, pick))
            })
        }
        let found = self
            .with_facts(&module.file, |facts| search(&facts.root, &mut pick))
            .flatten();
        found.or_else(|| self.in_scope(module, |scope| scope.impls.iter().find_map(&mut pick)))
    }

    /// A function that writes or reads by hand.
    pub(super) fn codec(&self, from: &Module, path: &[String]) -> Option<Codec> {
        let (name, owner) = path.split_last()?;
        let mut module = from.clone();
        if !owner.is_empty() {
            match self.resolve(from, owner) {
                Found::Module(found) => module = found,
                _ => return None,
            }
        }
        let own = self.in_scope(&module, |scope| {
            scope.codecs.iter().find(|codec| codec.name == *name).cloned()
        });
        own.or_else(|| {
            let path = self.in_scope(&module, |scope| {
                scope.imports_of(name).first().map(|import| import.path.clone())
            })?;
            let (name, owner) = path.split_last()?;
            let Found::Module(module) = self.resolve(&module, owner) else {
                return None;
            };
            self.in_scope(&module, |scope| {
                scope.codecs.iter().find(|codec| codec.name == *name).cloned()
            })
        })
    }

    /// What `path` names when it is written in `from`.
    pub(super) fn resolve(&self, from: &Module, path: &[String]) -> Found {
        self.visits.set(0);
        self.path(from, path, 0)
    }

    fn path(&self, from: &Module, path: &[String], hops: usize) -> Found {
        let external = || Found::External(path.to_vec());
        let Some((first, rest)) = path.split_first().filter(|_| hops < MAX_HOPS) else {
            return external();
        };
        let start = match first.as_str() {
            "crate" => Found::Module(self.module(&self.crate_of(&from.file).root, &[])),
            "self" => Found::Module(from.clone()),
            "super" => self.parent(from).map_or_else(external, Found::Module),
            name => match self.name(from, name, rest.is_empty(), true, hops) {
                Some(found) => found,
                None => match self.extern_crate(from, name) {
                    Some(root) => Found::Module(self.module(&root, &[])),
                    None => return external(),
                },
            },
        };
        self.descend(start, rest, hops).unwrap_or_else(external)
    }

    fn descend(&self, start: Found, rest: &[String], hops: usize) -> Option<Found> {
        let mut at = start;
        for (index, name) in rest.iter().enumerate() {
            at = match at {
                Found::Module(module) if name == "super" => Found::Module(self.parent(&module)?),
                Found::Module(module) => self.name(&module, name, index + 1 == rest.len(), true, hops)?,
                Found::External(mut path) => {
                    path.extend_from_slice(&rest[index..]);
                    return Some(Found::External(path));
                }
                Found::Type(..) => return None,
            };
        }
        Some(at)
    }

    /// What a name stands for in a module. The last one of a path is a type rather than a module; through a glob, only
    /// public imports count.
    fn name(&self, module: &Module, name: &str, last: bool, private: bool, hops: usize) -> Option<Found> {
        let key = (module.clone(), last, private);
        if let Some(known) = self.names.borrow().get(&key).and_then(|names| names.get(name)) {
            if known.is_none() {
                self.cuts.set(self.cuts.get() + 1);
            }
            return known.clone();
        }
        self.visits.set(self.visits.get() + 1);
        if self.visits.get() > MAX_VISITS {
            return None;
        }
        self.names
            .borrow_mut()
            .entry(key.clone())
            .or_default()
            .insert(name.to_owned(), None);
        let cuts = self.cuts.get();
        let found = self.look_up(module, name, last, private, hops);
        let certain = matches!(found, Some(Found::Type(..) | Found::Module(_))) || self.cuts.get() == cuts || hops == 0;
        let mut names = self.names.borrow_mut();
        let names = names.entry(key).or_default();
        if certain {
            names.insert(name.to_owned(), found.clone());
        } else {
            names.remove(name);
        }
        found
    }

    fn look_up(&self, module: &Module, name: &str, last: bool, private: bool, hops: usize) -> Option<Found> {
        if last
            && self
                .in_scope(module, |scope| scope.type_item(name).map(|_| ()))
                .is_some()
        {
            return Some(Found::Type(module.clone(), name.to_owned()));
        }
        if let Some(child) = self.child(module, name) {
            return Some(Found::Module(child));
        }
        let visible = |import: &&Import| private || import.public;
        let explicit = self.in_scope(module, |scope| {
            scope
                .imports_of(name)
                .iter()
                .find(visible)
                .map(|import| import.path.clone())
        });
        if let Some(path) = explicit {
            return Some(self.path(module, &path, hops + 1));
        }
        let globs = self.in_scope(module, |scope| {
            let globs: Vec<Import> = scope.imports_of("*").iter().filter(visible).cloned().collect();
            (!globs.is_empty()).then_some(globs)
        });
        let globs = globs.unwrap_or_default();
        globs.iter().find_map(|glob| {
            // What is private to a module is seen by those inside it.
            let inside = glob.path.iter().all(|part| part == "super");
            match self.path(module, &glob.path, hops + 1) {
                Found::Module(other) if other != *module && hops < MAX_HOPS => {
                    self.name(&other, name, last, inside, hops + 1)
                }
                _ => None,
            }
        })
    }

    fn exists(&self, path: &str) -> bool {
        self.tree
            .paths()
            .binary_search_by(|probe| probe.as_str().cmp(path))
            .is_ok()
    }

    /// The module `name` right below `module`.
    fn child(&self, module: &Module, name: &str) -> Option<Module> {
        let declared = self.in_scope(module, |scope| {
            scope
                .mods
                .iter()
                .find(|item| item.name == name)
                .map(|item| (item.inline.is_some(), item.path.clone()))
        });
        if let Some((true, _)) = declared {
            let mut inline = module.inline.clone();
            inline.push(name.to_owned());
            return Some(self.module(&module.file, &inline));
        }
        let (dir, stem) = split_file(&module.file);
        if let Some((_, Some(path))) = declared {
            let file = join(dir, &path);
            return self.exists(&file).then(|| self.module(&Rc::from(file), &[]));
        }
        let mut base = if stem == "mod" || self.crate_of(&module.file).root == module.file {
            dir.to_owned()
        } else {
            join(dir, stem)
        };
        for part in &module.inline {
            base = join(&base, part);
        }
        [
            join(&base, &format!("{name}.rs")),
            join(&base, &format!("{name}/mod.rs")),
        ]
        .into_iter()
        .find(|file| *file != *module.file && self.exists(file))
        .map(|file| self.module(&Rc::from(file), &[]))
    }

    /// The module that holds `module`.
    fn parent(&self, module: &Module) -> Option<Module> {
        if !module.inline.is_empty() {
            let inline = module.inline[..module.inline.len() - 1].to_vec();
            return Some(self.module(&module.file, &inline));
        }
        let krate = self.crate_of(&module.file);
        if krate.root == module.file {
            return None;
        }
        let (mut dir, stem) = split_file(&module.file);
        if stem == "mod" {
            dir = split_dir(dir).0;
        }
        let root_dir = split_file(&krate.root).0;
        let candidates = [format!("{dir}.rs"), join(dir, "mod.rs")];
        let file = candidates
            .into_iter()
            .find(|file| dir != root_dir && *file != *module.file && self.exists(file));
        Some(self.module(&file.map_or_else(|| krate.root.clone(), Rc::from), &[]))
    }

    /// The crate that a file belongs to.
    fn crate_of(&self, file: &Rc<str>) -> Rc<Crate> {
        if let Some(known) = self.crates.borrow().get(file) {
            return known.clone();
        }
        let found = Rc::new(self.find_crate(file));
        self.crates.borrow_mut().insert(file.clone(), found.clone());
        found
    }

    fn find_crate(&self, file: &Rc<str>) -> Crate {
        let (mut dir, _) = split_file(file);
        let own = Crate {
            dir: dir.to_owned(),
            root: file.clone(),
            manifest: None,
        };
        loop {
            let manifest_file = join(dir, "Cargo.toml");
            if self.exists(&manifest_file) {
                let manifest = self.manifest(&manifest_file);
                let root = self.root_file(dir, manifest.as_ref()).unwrap_or_else(|| file.clone());
                // Tests, examples and binaries beside the library are crates of their own.
                let below = file.starts_with(split_file(&root).0) && !file.contains("/src/bin/");
                let root = if below { root } else { file.clone() };
                return Crate {
                    dir: dir.to_owned(),
                    root,
                    manifest,
                };
            }
            let root = ["lib.rs", "main.rs"]
                .iter()
                .map(|name| join(dir, name))
                .find(|path| self.exists(path));
            if let Some(root) = root {
                // A manifest further up still says what the crate depends on.
                let manifest_file = join(split_dir(dir).0, "Cargo.toml");
                if !self.exists(&manifest_file) {
                    return Crate {
                        dir: dir.to_owned(),
                        root: Rc::from(root),
                        manifest: None,
                    };
                }
            }
            if dir.is_empty() {
                return own;
            }
            dir = split_dir(dir).0;
        }
    }

    fn manifest(&self, file: &str) -> Option<Manifest> {
        self.with_facts(file, |facts| facts.manifest.as_deref().cloned())
            .flatten()
    }

    fn root_file(&self, dir: &str, manifest: Option<&Manifest>) -> Option<Rc<str>> {
        let named = manifest.and_then(|manifest| manifest.lib.as_deref());
        named
            .into_iter()
            .chain(["src/lib.rs", "src/main.rs", "lib.rs", "main.rs"])
            .map(|path| join(dir, path))
            .find(|path| self.exists(path))
            .map(Rc::from)
    }

    /// The root file of another crate by the name that code uses for it.
    fn extern_crate(&self, from: &Module, name: &str) -> Option<Rc<str>> {
        if matches!(
            name,
            "std" | "core" | "alloc" | "serde" | "serde_json" | "serde_with" | "schemars"
        ) {
            return None;
        }
        let krate = self.crate_of(&from.file);
        let key = (krate.dir.clone(), name.to_owned());
        if let Some(known) = self.externs.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find_extern(&krate, name);
        self.externs.borrow_mut().insert(key, found.clone());
        found
    }

    fn find_extern(&self, krate: &Crate, name: &str) -> Option<Rc<str>> {
        let Some(manifest) = &krate.manifest else {
            return self.crate_by_directory(krate, name);
        };
        if manifest.name.as_deref() == Some(name) {
            return self.root_file(&krate.dir, Some(manifest));
        }
        let dependency = manifest
            .dependencies
            .iter()
            .find(|dependency| dependency.name == name)?;
        let dir = match &dependency.path {
            Some(path) => join(&krate.dir, path),
            None => self.shared_place(&krate.dir, name)?,
        };
        self.root_file(&dir, self.manifest(&join(&dir, "Cargo.toml")).as_ref())
    }

    /// Where the workspace says that a dependency is.
    fn shared_place(&self, dir: &str, name: &str) -> Option<String> {
        let mut dir = dir;
        loop {
            let file = join(dir, "Cargo.toml");
            if self.exists(&file)
                && let Some(manifest) = self.manifest(&file).filter(|manifest| manifest.workspace)
            {
                let shared = manifest.shared.iter().find(|dependency| dependency.name == name)?;
                return shared.path.as_ref().map(|path| join(dir, path));
            }
            if dir.is_empty() {
                return None;
            }
            dir = split_dir(dir).0;
        }
    }

    /// A crate whose directory is named like it, or like the end of its name (`codex_protocol` in `protocol`), nearest
    /// first.
    fn crate_by_directory(&self, krate: &Crate, name: &str) -> Option<Rc<str>> {
        let near = |dir: &str| dir.bytes().zip(krate.dir.bytes()).take_while(|(a, b)| a == b).count();
        let mut candidates: Vec<(bool, usize, &str)> = self
            .tree
            .paths()
            .iter()
            .filter_map(|path| path.strip_suffix("/src/lib.rs"))
            .filter_map(|dir| {
                let last = split_dir(dir).1.replace('-', "_");
                let tail = name
                    .strip_suffix(&last)
                    .is_some_and(|head| head.is_empty() || head.ends_with('_'));
                tail.then(|| (last == name, near(dir), dir))
            })
            .collect();
        candidates.sort_by(|a, b| (b.0, b.1, a.2).cmp(&(a.0, a.1, b.2)));
        candidates.first().map(|(_, _, dir)| Rc::from(join(dir, "src/lib.rs")))
    }

    /// What the macro calls of a module expand to, for macros that are declared elsewhere; tables of rows otherwise.
    pub(super) fn expansions(&self, module: &Module) -> Rc<Scope> {
        if let Some(known) = self.expanded.borrow().get(module) {
            return known.clone();
        }
        // While the rules are looked for, the module has nothing more.
        self.expanded.borrow_mut().insert(module.clone(), Rc::default());
        let calls: Vec<MacroCall> = self
            .with_facts(&module.file, |facts| {
                scope_of(&facts.root, &module.inline).map(|scope| scope.calls.clone())
            })
            .flatten()
            .unwrap_or_default();
        let mut all = Scope::default();
        for call in calls {
            let expansion = self
                .rules(module, &call.path)
                .and_then(|rules| parse::expand_call(&call, &rules));
            if let Some(mut scope) = expansion {
                all.types.append(&mut scope.types);
                all.impls.append(&mut scope.impls);
                all.mods.append(&mut scope.mods);
                all.imports.append(&mut scope.imports);
            } else if let Some(name) = call.path.last() {
                all.types
                    .extend(rows::table(name, call.line, &call.input).map(Arc::new));
            }
        }
        all.sort();
        let all = Rc::new(all);
        self.expanded.borrow_mut().insert(module.clone(), all.clone());
        all
    }

    /// The rules of a macro of another file of the tree.
    fn rules(&self, from: &Module, path: &[String]) -> Option<String> {
        let name = path.last()?;
        let rules_in = |file: &Rc<str>| {
            fn search(scope: &Scope, name: &str) -> Option<String> {
                let own = scope
                    .macros
                    .iter()
                    .find(|rules| rules.name == name)
                    .map(|rules| rules.rules.clone());
                own.or_else(|| {
                    scope
                        .mods
                        .iter()
                        .filter_map(|module| module.inline.as_ref())
                        .find_map(|inner| search(inner, name))
                })
            }
            self.with_facts(file, |facts| search(&facts.root, name)).flatten()
        };
        // By path: the crate, or the module that an import names.
        let imported = self.in_scope(from, |scope| {
            scope.imports_of(name).first().map(|import| import.path.clone())
        });
        let full = if path.len() > 1 { Some(path.to_vec()) } else { imported };
        if let Some((_, owner)) = full.as_deref().and_then(<[String]>::split_last)
            && !owner.is_empty()
            && let Found::Module(module) = self.resolve(from, owner)
        {
            let beside = || self.macro_files(&module.file).iter().find_map(rules_in);
            return rules_in(&module.file).or_else(beside);
        }
        // By order of declaration: the modules above, and those that look like a place for macros.
        let mut above = Some(from.clone());
        while let Some(module) = above {
            if let Some(found) = rules_in(&module.file) {
                return Some(found);
            }
            above = self.parent(&module);
        }
        self.macro_files(&self.crate_of(&from.file).root)
            .iter()
            .find_map(rules_in)
    }

    /// Modules right below a crate's root whose name speaks of macros.
    fn macro_files(&self, root: &Rc<str>) -> Vec<Rc<str>> {
        let module = self.module(root, &[]);
        let names = self.in_scope(&module, |scope| {
            Some(
                scope
                    .mods
                    .iter()
                    .filter(|item| item.name.contains("macro"))
                    .map(|item| item.name.clone())
                    .collect::<Vec<_>>(),
            )
        });
        names
            .unwrap_or_default()
            .iter()
            .filter_map(|name| self.child(&module, name))
            .map(|module| module.file.clone())
            .collect()
    }
}

/// The declarations of a path of inline modules.
pub(super) fn scope_of<'s>(scope: &'s Scope, inline: &[String]) -> Option<&'s Scope> {
    inline.iter().try_fold(scope, |scope, name| {
        scope.mods.iter().find(|module| module.name == *name)?.inline.as_ref()
    })
}

/// `a/b` and `c` of `a/b/c.rs`.
fn split_file(file: &str) -> (&str, &str) {
    let (dir, name) = split_dir(file);
    (dir, name.strip_suffix(".rs").unwrap_or(name))
}

fn split_dir(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// A path below a directory, with `.` and `..` worked out.
fn join(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
