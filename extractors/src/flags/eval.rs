//! What a name stands for: constants, enumerations and functions, over files.
//!
//! Only what is certain is replaced. A name that leads nowhere stays a name, so that a reader sees that it is no literal.

use std::ops::Range;
use std::rc::Rc;

use super::code::Import;
use super::expr::{Chain, Entry, Expr, Step, positional};
use super::files::{File, Files};

/// Names that lead to names; more in a row go in a circle.
const MAX_STEPS: usize = 24;
/// How many expressions one value may be made of; lists of lists of names grow fast.
const MAX_WORK: usize = 20_000;
/// The most items that spreading may give.
const MAX_ITEMS: usize = 10_000;

/// What a name leads to, and the file in which it means that.
type Meaning = (Rc<File>, Expr);

impl Files<'_> {
    /// An expression with its names replaced by what they stand for.
    pub(crate) fn value(&self, file: &Rc<File>, expr: &Expr) -> Expr {
        self.fuel.set(MAX_WORK);
        self.evaluate(file, expr, MAX_STEPS)
    }

    fn evaluate(&self, file: &Rc<File>, expr: &Expr, left: usize) -> Expr {
        let (Some(left), Some(fuel)) = (left.checked_sub(1), self.fuel.get().checked_sub(1)) else {
            return expr.clone();
        };
        self.fuel.set(fuel);
        match expr {
            Expr::Name(name) => match self.meaning(file, name) {
                Some((home, meaning)) if !matches!(meaning, Expr::Function(_)) => self.evaluate(&home, &meaning, left),
                _ => expr.clone(),
            },
            Expr::List(items) => {
                let mut all = Vec::new();
                for item in items {
                    match item {
                        Expr::Spread(inner) => match self.evaluate(file, inner, left) {
                            Expr::List(more) if all.len() + more.len() < MAX_ITEMS => all.extend(more),
                            other => all.push(Expr::Spread(Box::new(other))),
                        },
                        item => all.push(self.evaluate(file, item, left)),
                    }
                }
                Expr::List(all)
            }
            Expr::Table(entries) => {
                let mut all: Vec<Entry> = Vec::new();
                for entry in entries {
                    let value = self.evaluate(file, &entry.value, left);
                    match value {
                        Expr::Table(more) if entry.key == "..." && all.len() + more.len() < MAX_ITEMS => {
                            all.extend(more);
                        }
                        value => all.push(Entry { value, ..entry.clone() }),
                    }
                }
                Expr::Table(all)
            }
            Expr::Typed(kind, body) => {
                let body = self.evaluate(file, body, left);
                match kind.as_str() {
                    "values" => members(&body, |entry| entry.value.clone()).unwrap_or_else(|| expr.clone()),
                    "names" => members(&body, |entry| Expr::Text(entry.key.clone())).unwrap_or_else(|| expr.clone()),
                    _ => Expr::Typed(kind.clone(), Box::new(body)),
                }
            }
            Expr::Joined(parts) => join(parts.iter().map(|part| self.evaluate(file, part, left)).collect()),
            Expr::Either(parts) => {
                let mut all: Vec<Expr> = Vec::new();
                for part in parts {
                    let part = self.evaluate(file, part, left);
                    if !all.contains(&part) {
                        all.push(part);
                    }
                }
                if all.len() == 1 {
                    all.remove(0)
                } else {
                    Expr::Either(all)
                }
            }
            Expr::Chain(chain) => self.follow(file, chain, left).unwrap_or_else(|| expr.clone()),
            other => other.clone(),
        }
    }

    /// What a chain comes to, when that can be known.
    fn follow(&self, file: &Rc<File>, chain: &Chain, left: usize) -> Option<Expr> {
        if let Some(value) = self.call_of_known(file, chain, left) {
            return Some(value);
        }
        // `module.NAME`
        let mut steps = chain.steps.as_slice();
        let mut value = match (&chain.base, steps) {
            (Expr::Name(base), [Step::Member(name), rest @ ..]) if self.is_module(file, base) => {
                steps = rest;
                let import = file.bindings().imports.get(base)?;
                let (home, meaning) = self.module_member(file, import, name)?;
                self.evaluate(&home, &meaning, left)
            }
            (base, _) => self.evaluate(file, base, left),
        };
        while let Some((step, rest)) = steps.split_first() {
            value = match (step, &value) {
                (Step::Member(name), Expr::Typed(kind, _)) if kind == "enum" && name == "value" => value.clone(),
                (Step::Member(name), Expr::Text(_)) if keeps_text(name) => value.clone(),
                (Step::Call(..), Expr::Text(_)) => value.clone(),
                (Step::Member(name), Expr::Text(_)) if name == "value" => value.clone(),
                (Step::Member(name), _) => value.get(name)?.clone(),
                (Step::Index(keys), _) => match (keys.first()?, &value) {
                    (Expr::Text(key), _) => value.get(key)?.clone(),
                    (Expr::Number(index), Expr::List(items)) => items.get(index.parse::<usize>().ok()?)?.clone(),
                    _ => return None,
                },
                (Step::Call(..), _) => return None,
            };
            steps = rest;
        }
        Some(value)
    }

    /// Calls that only hand on what they are given.
    fn call_of_known(&self, file: &Rc<File>, chain: &Chain, left: usize) -> Option<Expr> {
        let (name, args, _) = chain.callee()?;
        let calls = chain.steps.iter().filter(|step| matches!(step, Step::Call(..))).count();
        if calls != 1 || !matches!(chain.steps.last(), Some(Step::Call(..))) {
            return None;
        }
        let first = |left| positional(args, 0).map(|arg| self.evaluate(file, arg, left));
        match name.as_str() {
            "Object.values" => members(&first(left)?, |entry| entry.value.clone()),
            "Object.keys" => members(&first(left)?, |entry| Expr::Text(entry.key.clone())),
            "list" | "tuple" | "sorted" | "set" | "frozenset" => match first(left)? {
                Expr::Typed(kind, body) if kind == "enum" => members(&body, |entry| entry.value.clone()),
                Expr::Table(entries) => Some(Expr::List(
                    entries.into_iter().map(|entry| Expr::Text(entry.key)).collect(),
                )),
                list @ Expr::List(_) => Some(list),
                _ => None,
            },
            "get_args" | "typing.get_args" => match first(left)? {
                Expr::Chain(chain) => match (chain.base.path()?.as_str(), chain.steps.first()?) {
                    ("Literal" | "typing.Literal" | "t.Literal", Step::Index(items)) => Some(Expr::List(items.clone())),
                    _ => None,
                },
                _ => None,
            },
            "Object.freeze" | "String" | "str" | "String::from" | "dedent" | "textwrap.dedent" => first(left),
            _ => None,
        }
    }

    fn is_module(&self, file: &File, name: &str) -> bool {
        !file.bindings().values.contains_key(name)
            && file.bindings().imports.get(name).is_some_and(|import| {
                import.name.is_none()
                    || import
                        .name
                        .as_ref()
                        .is_some_and(|name| self.submodule(file, import, name).is_some())
            })
    }

    /// `from . import mcp` may name a module.
    fn submodule(&self, file: &File, import: &Import, name: &str) -> Option<Rc<File>> {
        if file.code.id != "python" {
            return None;
        }
        let dot = if import.module.ends_with('.') { "" } else { "." };
        let paths = (file.code.locate)(self, file, &format!("{}{dot}{name}", import.module));
        self.open(paths.first()?)
    }

    fn module_member(&self, file: &Rc<File>, import: &Import, name: &str) -> Option<Meaning> {
        if let Some(inner) = &import.name
            && let Some(home) = self.submodule(file, import, inner)
        {
            return self.meaning_within(&home, name, MAX_STEPS);
        }
        self.exported(file, &import.module, name, MAX_STEPS)
    }

    /// What a name stands for in a file.
    pub(crate) fn meaning(&self, file: &Rc<File>, name: &str) -> Option<Meaning> {
        self.meaning_within(file, name, MAX_STEPS)
    }

    /// Where a name is bound: the file, and its name there.
    pub(crate) fn origin(&self, file: &Rc<File>, name: &str) -> Option<(Rc<File>, String)> {
        let (mut file, mut name) = (Rc::clone(file), name.to_owned());
        for _ in 0..MAX_STEPS {
            if file.bindings().values.contains_key(&name) {
                return Some((file, name));
            }
            let import = file.bindings().imports.get(&name)?.clone();
            let there = import.name?;
            let paths = (file.code.locate)(self, &file, &import.module);
            file = paths.iter().find_map(|path| self.open(path))?;
            name = there;
        }
        None
    }

    fn meaning_within(&self, file: &Rc<File>, name: &str, left: usize) -> Option<Meaning> {
        let left = left.checked_sub(1)?;
        if let Some(value) = file.bindings().values.get(name) {
            return Some((Rc::clone(file), value.clone()));
        }
        if let Some(Import {
            module,
            name: Some(name),
        }) = file.bindings().imports.get(name)
        {
            return self.exported(file, module, name, left);
        }
        let stars = file.bindings().stars.iter();
        if let Some(meaning) = stars
            .into_iter()
            .find_map(|module| self.exported(file, module, name, left))
        {
            return Some(meaning);
        }
        // The files of a Go package share their names.
        if file.code.id == "go" {
            return self.package(file).iter().find_map(|other| {
                let value = other.bindings().values.get(name)?;
                Some((Rc::clone(other), value.clone()))
            });
        }
        None
    }

    /// The files of the package that a file of Go belongs to.
    pub(crate) fn package(&self, file: &File) -> Vec<Rc<File>> {
        (file.code.locate)(self, file, "")
            .iter()
            .filter_map(|path| self.open(path))
            .collect()
    }

    fn exported(&self, file: &Rc<File>, module: &str, name: &str, left: usize) -> Option<Meaning> {
        let left = left.checked_sub(1)?;
        let paths = (file.code.locate)(self, file, module);
        paths
            .iter()
            .filter_map(|path| self.open(path))
            .find_map(|home| self.meaning_within(&home, name, left))
    }

    /// The file of a module that a name is bound to.
    pub(crate) fn module_file(&self, file: &Rc<File>, name: &str) -> Option<Rc<File>> {
        let import = file.bindings().imports.get(name)?;
        if let Some(inner) = &import.name {
            return self.submodule(file, import, inner);
        }
        let paths = (file.code.locate)(self, file, &import.module);
        paths.iter().find_map(|path| self.open(path))
    }

    /// The function that an expression stands for.
    pub(crate) fn function(&self, file: &Rc<File>, expr: &Expr) -> Option<(Rc<File>, Range<usize>)> {
        match expr {
            Expr::Function(range) => Some((Rc::clone(file), range.clone())),
            Expr::Name(name) => match self.meaning(file, name)? {
                (home, Expr::Function(range)) => Some((home, range)),
                (home, Expr::Name(other)) if other != *name => self.function(&home, &Expr::Name(other)),
                _ => None,
            },
            Expr::Chain(chain) => match (&chain.base, chain.steps.as_slice()) {
                (Expr::Name(base), [Step::Member(name)]) => {
                    let import = file.bindings().imports.get(base)?;
                    match self.module_member(file, import, name)? {
                        (home, Expr::Function(range)) => Some((home, range)),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Methods of a string that leave it as it is, as far as a flag is concerned.
fn keeps_text(name: &str) -> bool {
    matches!(
        name,
        "to_string" | "to_owned" | "into" | "as_str" | "trim" | "strip" | "toString" | "clone"
    )
}

/// One expression for each member of an enumeration or a table.
fn members(table: &Expr, of: impl Fn(&Entry) -> Expr) -> Option<Expr> {
    match table {
        Expr::Table(_) | Expr::Typed(..) => Some(Expr::List(table.entries().iter().map(of).collect())),
        _ => None,
    }
}

/// Text of text, a list of lists, or what it was.
fn join(parts: Vec<Expr>) -> Expr {
    if let Some(texts) = parts.iter().map(Expr::text).collect::<Option<Vec<_>>>() {
        return Expr::Text(texts.concat());
    }
    if parts.iter().all(|part| matches!(part, Expr::List(_))) {
        let lists = parts.into_iter().filter_map(|part| match part {
            Expr::List(items) => Some(items),
            _ => None,
        });
        return Expr::List(lists.flatten().take(MAX_ITEMS).collect());
    }
    Expr::Joined(parts)
}
