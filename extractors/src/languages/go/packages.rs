//! Packages of a source tree: the files of one folder share their names, imports lead to folders of a module.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use super::facts::{Const, Facts, Method, TypeDef};
use crate::SourceTree;
use crate::languages::FileFacts;

/// A type of the tree: folder and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) dir: String,
    pub(super) name: String,
}

impl Key {
    /// The key as the name of a type expression, until ids are given.
    pub(super) fn text(&self) -> String {
        format!("{}\u{1}{}", self.dir, self.name)
    }

    /// The key that such a name stands for.
    pub(super) fn of(text: &str) -> Option<Self> {
        let (dir, name) = text.split_once('\u{1}')?;
        Some(Self {
            dir: dir.to_owned(),
            name: name.to_owned(),
        })
    }
}

/// One file of a package.
pub(super) struct File {
    pub(super) path: String,
    pub(super) in_scope: bool,
    facts: Arc<FileFacts>,
}

impl File {
    pub(super) fn facts(&self) -> &Facts {
        static NONE: std::sync::LazyLock<Facts> = std::sync::LazyLock::new(Facts::default);
        match self.facts.as_ref() {
            FileFacts::Go(facts) => facts,
            _ => &NONE,
        }
    }
}

/// The files of one folder.
pub(super) struct Package {
    pub(super) dir: String,
    pub(super) files: Vec<File>,
    types: BTreeMap<String, (usize, usize)>,
    /// Where the methods of a type are.
    methods: BTreeMap<String, Vec<(usize, usize)>>,
    /// Where the constants of a type are.
    consts: BTreeMap<String, Vec<(usize, usize)>>,
}

impl Package {
    fn new(dir: &str, files: Vec<File>) -> Self {
        let mut types = BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            for (index, def) in file.facts().types.iter().enumerate() {
                // Files for different systems may declare a type each; the first counts, one in the scope before others.
                let known = types
                    .get(&def.name)
                    .is_some_and(|&(known, _): &(usize, usize)| files[known].in_scope || !file.in_scope);
                if !known {
                    types.insert(def.name.clone(), (at, index));
                }
            }
        }
        let mut methods: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        let mut consts: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            for (index, method) in file.facts().methods.iter().enumerate() {
                methods.entry(method.on.clone()).or_default().push((at, index));
            }
            for (index, constant) in file.facts().consts.iter().enumerate() {
                if let Some(ty) = &constant.ty {
                    consts.entry(ty.clone()).or_default().push((at, index));
                }
            }
        }
        Self {
            dir: dir.to_owned(),
            files,
            types,
            methods,
            consts,
        }
    }

    /// A declared type and the number of its file.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &TypeDef)> {
        let &(file, index) = self.types.get(name)?;
        Some((file, &self.files[file].facts().types[index]))
    }

    /// The methods of a type.
    pub(super) fn methods(&self, on: &str) -> impl Iterator<Item = &Method> {
        let places = self.methods.get(on).map(Vec::as_slice).unwrap_or_default();
        places
            .iter()
            .map(|&(file, index)| &self.files[file].facts().methods[index])
    }

    /// One method of a type.
    pub(super) fn method(&self, on: &str, name: &str) -> Option<&Method> {
        let places = self.methods.get(on).map(Vec::as_slice).unwrap_or_default();
        let mut all = places
            .iter()
            .map(|&(file, index)| &self.files[file].facts().methods[index]);
        all.find(|method| method.name == name)
    }

    /// The constants of a type.
    pub(super) fn constants(&self, ty: &str) -> impl Iterator<Item = &Const> {
        let places = self.consts.get(ty).map(Vec::as_slice).unwrap_or_default();
        places
            .iter()
            .map(|&(file, index)| &self.files[file].facts().consts[index])
    }

    /// Every constant, in the order of the files.
    pub(super) fn consts(&self) -> impl Iterator<Item = &Const> {
        self.files.iter().flat_map(|file| &file.facts().consts)
    }

    /// The constants that a switch puts beside a type.
    pub(super) fn constants_beside(&self, ty: &str) -> BTreeSet<&str> {
        let pairs = self.files.iter().flat_map(|file| &file.facts().pairs);
        pairs
            .filter(|(name, _)| name == ty)
            .map(|(_, constant)| constant.as_str())
            .collect()
    }

    /// A package variable that maps constants to texts.
    pub(super) fn table(&self, name: &str) -> &[(String, String)] {
        let mut tables = self.files.iter().flat_map(|file| &file.facts().tables);
        tables.find(|(known, _)| known == name).map_or(&[], |(_, rows)| rows)
    }

    /// Every type name with its file, in the order of the files.
    pub(super) fn names(&self) -> impl Iterator<Item = (usize, &TypeDef)> {
        let files = self.files.iter().enumerate();
        files.flat_map(|(at, file)| file.facts().types.iter().map(move |def| (at, def)))
    }
}

/// All packages, read when they are asked for.
pub(super) struct World<'t> {
    tree: &'t dyn SourceTree,
    scope: BTreeSet<&'t str>,
    /// Path and folder of each module.
    modules: Vec<(String, String)>,
    packages: RefCell<BTreeMap<String, Rc<Package>>>,
}

impl<'t> World<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree, scope: &[&'t str]) -> Self {
        let mut modules = vec![];
        for path in tree
            .paths()
            .iter()
            .filter(|path| path.rsplit('/').next() == Some("go.mod"))
        {
            let Some(text) = tree.text(path) else { continue };
            let text = String::from_utf8_lossy(&text);
            let name = text.lines().find_map(|line| line.trim().strip_prefix("module "));
            if let Some(name) = name {
                modules.push((name.trim().trim_matches('"').to_owned(), folder(path).to_owned()));
            }
        }
        // The longest module path that fits is the nearest module.
        modules.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self {
            tree,
            scope: scope.iter().copied().collect(),
            modules,
            packages: RefCell::default(),
        }
    }

    /// The package of a folder; an empty one when there is none.
    pub(super) fn package(&self, dir: &str) -> Rc<Package> {
        if let Some(known) = self.packages.borrow().get(dir) {
            return Rc::clone(known);
        }
        let mut files = vec![];
        for path in self.tree.paths() {
            if folder(path) == dir
                && super::reads(path)
                && let Some(facts) = self.tree.facts(path)
            {
                files.push(File {
                    path: path.clone(),
                    in_scope: self.scope.contains(path.as_str()),
                    facts,
                });
            }
        }
        let package = Rc::new(Package::new(dir, files));
        self.packages.borrow_mut().insert(dir.to_owned(), Rc::clone(&package));
        package
    }

    /// The folder that an import path means, when it lies in the tree.
    pub(super) fn folder_of(&self, import: &str) -> Option<String> {
        for (module, dir) in &self.modules {
            if let Some(rest) = import.strip_prefix(module.as_str()) {
                let rest = match rest.strip_prefix('/') {
                    Some(rest) => rest,
                    None if rest.is_empty() => "",
                    None => continue,
                };
                let parts = [dir.as_str(), rest].into_iter().filter(|part| !part.is_empty());
                return Some(parts.collect::<Vec<_>>().join("/"));
            }
        }
        if !self.modules.is_empty() {
            return None;
        }
        // Without a `go.mod` (a partial tree) the longest folder that ends the import path.
        let folders: BTreeSet<&str> = self
            .tree
            .paths()
            .iter()
            .filter(|path| super::reads(path))
            .map(|path| folder(path))
            .collect();
        let mut rest = import;
        while let Some((_, shorter)) = rest.split_once('/') {
            if folders.contains(rest) {
                return Some(rest.to_owned());
            }
            rest = shorter;
        }
        folders.contains(rest).then(|| rest.to_owned())
    }
}

/// The folder of a path, `""` for the root.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}
