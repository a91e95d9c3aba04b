//! Where a type is declared: through `use`, modules and the crates of the tree.
//!
//! A file is looked up by the path of its module; where re-exports make that impossible, the crate is searched for the
//! one file that declares the name. A name that several files declare is not guessed at.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::items::{Item, Uses, items, uses};
use crate::flags::code::RUST;
use crate::flags::files::{File, Files, contains, join};

/// Uses that lead to uses; more in a row go in a circle.
const MAX_STEPS: usize = 16;

/// One file with its declarations.
pub(super) struct Home {
    pub(super) file: Rc<File>,
    pub(super) items: Vec<Item>,
    uses: Uses,
    /// The folder of its crate.
    pub(super) krate: String,
}

/// A declaration: its file and its index there.
pub(super) type Found = (Rc<Home>, usize);

/// The crates of a tree, read when asked for.
pub(super) struct Crates<'c, 'f> {
    files: &'c Files<'f>,
    homes: RefCell<BTreeMap<String, Option<Rc<Home>>>>,
    /// Files of a crate that declare a name, by (crate, name).
    declaring: RefCell<BTreeMap<(String, String), Vec<String>>>,
}

impl<'c, 'f> Crates<'c, 'f> {
    pub(super) fn new(files: &'c Files<'f>) -> Self {
        Self {
            files,
            homes: RefCell::default(),
            declaring: RefCell::default(),
        }
    }

    /// The declarations of a file.
    pub(super) fn home(&self, path: &str) -> Option<Rc<Home>> {
        if let Some(known) = self.homes.borrow().get(path) {
            return known.clone();
        }
        let home = self.files.open(path).map(|file| {
            Rc::new(Home {
                items: items(&file),
                uses: uses(&file),
                krate: self.files.folder_with(path, &["Cargo.toml"]).unwrap_or_default(),
                file,
            })
        });
        self.homes.borrow_mut().insert(path.to_owned(), home.clone());
        home
    }

    /// The declaration of a type, by its path as written in `home`.
    pub(super) fn resolve(&self, home: &Rc<Home>, ty: &str) -> Option<Found> {
        let plain = ty.split('<').next().unwrap_or(ty);
        let path: Vec<String> = plain
            .split("::")
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        self.follow(home, &path, MAX_STEPS)
    }

    fn follow(&self, home: &Rc<Home>, path: &[String], left: usize) -> Option<Found> {
        let left = left.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        if rest.is_empty() {
            if let Some(index) = home.items.iter().position(|item| item.name == *first) {
                return Some((Rc::clone(home), index));
            }
            if let Some(used) = home.uses.names.get(first) {
                return self.absolute(home, used, left);
            }
            let globs = home.uses.globs.iter();
            return globs.into_iter().find_map(|glob| {
                let path: Vec<String> = glob.iter().chain([first]).cloned().collect();
                self.absolute(home, &path, left)
            });
        }
        match home.uses.names.get(first) {
            // `use codex_tui as tui;` and `use crate::args;`
            Some(used) if used.last() != Some(first) || used.len() > 1 => {
                let path: Vec<String> = used.iter().chain(rest).cloned().collect();
                self.absolute(home, &path, left)
            }
            _ => self.absolute(home, path, left),
        }
    }

    /// A path that starts at a crate or a module.
    fn absolute(&self, home: &Rc<Home>, path: &[String], left: usize) -> Option<Found> {
        let left = left.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        if rest.is_empty() {
            return None;
        }
        match first.as_str() {
            "crate" => self.within(&home.krate, rest, left),
            "self" => self.within_modules(home, 0, rest, left),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                self.within_modules(home, ups, path.get(ups..)?, left)
            }
            name => match self.files.crates().get(name) {
                Some(folder) => self.within(folder, rest, left),
                // A module of this crate, declared here or at its root.
                None => self
                    .within_modules(home, 0, path, left)
                    .or_else(|| self.within_known(&home.krate, path, left)),
            },
        }
    }

    /// A path below the module of `home`, or some modules above it.
    fn within_modules(&self, home: &Rc<Home>, ups: usize, path: &[String], left: usize) -> Option<Found> {
        let source = join(&home.krate, "src");
        let own = home
            .file
            .path
            .strip_prefix(&source)?
            .trim_start_matches('/')
            .strip_suffix(".rs")?;
        let mut modules: Vec<String> = own.split('/').map(str::to_owned).collect();
        if modules
            .last()
            .is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main"))
        {
            modules.pop();
        }
        // Inline modules are not followed: `super` of a test module stays in the file.
        modules.truncate(modules.len().saturating_sub(ups));
        if let [name] = path
            && ups > 0
            && let Some(index) = home.items.iter().position(|item| item.name == *name)
        {
            return Some((Rc::clone(home), index));
        }
        modules.extend(path.iter().cloned());
        self.within_known(&home.krate, &modules, left)
    }

    /// A path whose modules have files of their own.
    fn within_known(&self, krate: &str, path: &[String], left: usize) -> Option<Found> {
        let (name, modules) = path.split_last()?;
        let source = join(krate, "src");
        let files = if modules.is_empty() {
            vec![join(&source, "lib.rs"), join(&source, "main.rs")]
        } else {
            let stem = join(&source, &modules.join("/"));
            vec![format!("{stem}.rs"), format!("{stem}/mod.rs")]
        };
        files
            .iter()
            .filter(|path| self.files.has(path))
            .filter_map(|path| self.home(path))
            .find_map(|home| self.follow(&home, std::slice::from_ref(name), left))
    }

    /// A path within a crate, whose modules may be inline or re-exported.
    fn within(&self, krate: &str, path: &[String], left: usize) -> Option<Found> {
        let left = left.checked_sub(1)?;
        if let Some(found) = self.within_known(krate, path, left) {
            return Some(found);
        }
        let (name, modules) = path.split_last()?;
        let mut declaring = self.declaring(krate, name);
        if declaring.len() > 1
            && let Some(module) = modules.last()
        {
            declaring.retain(|path| path.split(['/', '.']).any(|part| part == module));
        }
        let [path] = declaring.as_slice() else { return None };
        let home = self.home(path)?;
        let index = home.items.iter().position(|item| item.name == *name)?;
        Some((home, index))
    }

    /// The files of a crate that declare a struct or an enum of this name.
    fn declaring(&self, krate: &str, name: &str) -> Vec<String> {
        let key = (krate.to_owned(), name.to_owned());
        if let Some(known) = self.declaring.borrow().get(&key) {
            return known.clone();
        }
        let words = [format!("struct {name}"), format!("enum {name}")];
        let paths = self.files.below(krate).filter(|path| RUST.reads(path));
        let holds = |path: &&String| {
            let text = self.files.tree.text(path);
            text.is_some_and(|text| words.iter().any(|word| contains(&text, word.as_bytes())))
        };
        let declares = |path: &&String| {
            let home = self.home(path);
            home.is_some_and(|home| home.items.iter().any(|item| item.name == name))
        };
        let found: Vec<String> = paths.filter(holds).filter(declares).cloned().collect();
        self.declaring.borrow_mut().insert(key, found.clone());
        found
    }
}
