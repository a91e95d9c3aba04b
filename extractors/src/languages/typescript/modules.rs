//! The files of a tree as modules, and which declaration a name means in one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::ast::{Decl, DeclKind, Export, Facts};
use super::paths::Paths;
use crate::{FileFacts, SourceTree};

/// A declaration: its module and its place in the facts. Merged declarations have the place of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DeclKey {
    pub(super) module: usize,
    pub(super) index: usize,
}

/// One file.
pub(super) struct Module {
    pub(super) path: String,
    facts: Arc<FileFacts>,
    /// Places of declarations by their path; several when types and values share a name, or declarations merge.
    by_name: BTreeMap<String, Vec<usize>>,
}

impl Module {
    fn new(path: &str, facts: Arc<FileFacts>) -> Option<Self> {
        let FileFacts::TypeScript(read) = &*facts else {
            return None;
        };
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, decl) in read.decls.iter().enumerate() {
            by_name.entry(decl.path()).or_default().push(index);
        }
        Some(Self {
            path: path.to_owned(),
            facts,
            by_name,
        })
    }

    pub(super) fn facts(&self) -> &Facts {
        static NONE: Facts = Facts {
            decls: Vec::new(),
            imports: Vec::new(),
            exports: Vec::new(),
            gaps: Vec::new(),
            literals: Vec::new(),
        };
        match &*self.facts {
            FileFacts::TypeScript(facts) => facts,
            _ => &NONE,
        }
    }

    pub(super) fn decl(&self, index: usize) -> Option<&Decl> {
        self.facts().decls.get(index)
    }

    /// Every declaration that merges with the one at `index`, itself first.
    pub(super) fn merged(&self, index: usize) -> impl Iterator<Item = &Decl> {
        let first = self.decl(index);
        let all = first
            .and_then(|decl| self.by_name.get(&decl.path()))
            .map_or(&[][..], Vec::as_slice);
        first.into_iter().chain(
            all.iter()
                .filter(move |&&other| other != index)
                .filter_map(|&other| self.decl(other)),
        )
    }
}

/// Whether a name is looked for among types or among values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Type,
    Value,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A declaration, and the rest of the path behind it.
    Decl(DeclKey, Vec<String>),
    /// It comes from this module, which is not in the tree or does not have it, under this name.
    Outside(String, String),
    /// Nothing here says what it is: a name of the language, or a dangling one.
    Unknown,
}

/// Modules, loaded when they are first needed.
pub(super) struct Modules<'a> {
    tree: &'a dyn SourceTree,
    paths: Paths<'a>,
    list: Vec<Rc<Module>>,
    by_path: BTreeMap<String, Option<usize>>,
    targets: BTreeMap<(usize, String), Option<usize>>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(tree: &'a dyn SourceTree) -> Self {
        Self {
            tree,
            paths: Paths::new(tree),
            list: Vec::new(),
            by_path: BTreeMap::new(),
            targets: BTreeMap::new(),
        }
    }

    pub(super) fn get(&self, index: usize) -> Rc<Module> {
        Rc::clone(&self.list[index])
    }

    /// The module of a file of the tree.
    pub(super) fn load(&mut self, path: &str) -> Option<usize> {
        if let Some(&known) = self.by_path.get(path) {
            return known;
        }
        let module = self.tree.facts(path).and_then(|facts| Module::new(path, facts));
        let index = module.map(|module| {
            self.list.push(Rc::new(module));
            self.list.len() - 1
        });
        self.by_path.insert(path.to_owned(), index);
        index
    }

    /// The module that `name` means in an import of module `from`.
    pub(super) fn target(&mut self, from: usize, name: &str) -> Option<usize> {
        let key = (from, name.to_owned());
        if let Some(&known) = self.targets.get(&key) {
            return known;
        }
        let path = self.paths.find(&self.get(from).path, name);
        let index = path.and_then(|path| self.load(&path));
        self.targets.insert(key, index);
        index
    }

    /// What the dotted `name` means in namespace `space` of module `module`.
    pub(super) fn resolve(&mut self, module: usize, space: &str, name: &str, want: Want) -> Found {
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        self.resolve_path(module, space, &path, want, &mut BTreeSet::new())
    }

    fn resolve_path(
        &mut self,
        module: usize,
        space: &str,
        path: &[String],
        want: Want,
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Found {
        let here = self.get(module);
        let mut space = Some(space);
        while let Some(inside) = space {
            if let Some((index, rest)) = local(&here, inside, path, want) {
                return Found::Decl(DeclKey { module, index }, rest);
            }
            space = match inside {
                "" => None,
                _ => Some(inside.rsplit_once('.').map_or("", |(outer, _)| outer)),
            };
        }
        // `declare namespace N { export { A } }` gives `A` of the file the name `N.A`.
        for length in 2..=path.len() {
            let wanted = path[..length].join(".");
            let from = here.facts().exports.iter().find_map(|export| match export {
                Export::Local { name, from } if *name == wanted => Some(from),
                _ => None,
            });
            if let Some(from) = from.filter(|_| seen.insert((module, wanted))) {
                let path: Vec<String> = from
                    .split('.')
                    .map(str::to_owned)
                    .chain(path[length..].iter().cloned())
                    .collect();
                return self.resolve_path(module, "", &path, want, seen);
            }
        }
        let Some((first, rest)) = path.split_first() else {
            return Found::Unknown;
        };
        let Some(import) = here.facts().imports.iter().find(|import| import.local == *first) else {
            return Found::Unknown;
        };
        let behind: Vec<String> = import.name.iter().cloned().chain(rest.iter().cloned()).collect();
        // `declare module "name" { … }` in the same file.
        if let Some((index, rest)) = local(&here, &format!("\"{}\"", import.module), &behind, want) {
            return Found::Decl(DeclKey { module, index }, rest);
        }
        let outside = || Found::Outside(import.module.clone(), behind.join("."));
        match self.target(module, &import.module) {
            Some(target) => self.export(target, &behind, want, seen).unwrap_or_else(outside),
            None => outside(),
        }
    }

    /// What `path` means to those who import it from `module`.
    pub(super) fn exported(&mut self, module: usize, name: &str, want: Want) -> Found {
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        self.export(module, &path, want, &mut BTreeSet::new())
            .unwrap_or(Found::Unknown)
    }

    fn export(
        &mut self,
        module: usize,
        path: &[String],
        want: Want,
        seen: &mut BTreeSet<(usize, String)>,
    ) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        if !seen.insert((module, path.join("."))) {
            return None;
        }
        let here = self.get(module);
        let mut stars = Vec::new();
        for export in &here.facts().exports {
            match export {
                Export::Local { name, from } if name == first => {
                    let path: Vec<String> = from.split('.').map(str::to_owned).chain(rest.iter().cloned()).collect();
                    match self.resolve_path(module, "", &path, want, seen) {
                        Found::Unknown => {}
                        found => return Some(found),
                    }
                }
                Export::From {
                    name,
                    from,
                    module: target,
                } if name == first => {
                    let path: Vec<String> = std::iter::once(from.clone()).chain(rest.iter().cloned()).collect();
                    return match self.target(module, target) {
                        Some(target) => self.export(target, &path, want, seen),
                        None => Some(Found::Outside(target.clone(), path.join("."))),
                    };
                }
                Export::Module { name, module: target } if name == first => {
                    return match self.target(module, target) {
                        Some(target) => self.export(target, rest, want, seen),
                        None => Some(Found::Outside(target.clone(), rest.join("."))),
                    };
                }
                Export::All { module: target } => stars.push(target.clone()),
                _ => {}
            }
        }
        // Whether it says `export` does not matter: who imports it will know.
        if let Some((index, rest)) = local(&here, "", path, want) {
            return Some(Found::Decl(DeclKey { module, index }, rest));
        }
        for target in stars {
            if let Some(target) = self.target(module, &target)
                && let Some(found) = self.export(target, path, want, seen)
            {
                return Some(found);
            }
        }
        None
    }
}

/// The declaration of `module` that the longest start of `path` names, and the rest of the path.
fn local(module: &Module, space: &str, path: &[String], want: Want) -> Option<(usize, Vec<String>)> {
    for length in (1..=path.len()).rev() {
        let mut name = path[..length].join(".");
        if !space.is_empty() {
            name = format!("{space}.{name}");
        }
        let Some(places) = module.by_name.get(&name) else {
            continue;
        };
        // Behind a type of its own name, an enum or a constant has members.
        let want = if length < path.len() { Want::Value } else { want };
        let fits = |place: &&usize| {
            module.decl(**place).is_some_and(|decl| match decl.kind {
                DeclKind::Alias { .. } | DeclKind::Interface { .. } => want == Want::Type,
                DeclKind::Class { .. } | DeclKind::Enum(_) => true,
                DeclKind::Const(_) | DeclKind::Function(_) => want == Want::Value,
            })
        };
        if let Some(&place) = places.iter().find(fits) {
            return Some((place, path[length..].to_vec()));
        }
    }
    None
}
