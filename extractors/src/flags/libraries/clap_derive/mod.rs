//! Flags of structs that derive clap's `Parser`, `Args` or `Subcommand`.
//!
//! The structs and enums of all files are joined by their types: a flattened struct gives its flags to its holder, the
//! payload of a variant to the subcommand of that name. A struct that is flattened is looked for beyond the scope; a
//! subcommand that is declared beyond it is left out. Source: clap's derive reference (docs.rs/clap, `_derive`).

mod attrs;
mod case;
mod fields;
mod items;
mod resolve;

use std::collections::BTreeSet;
use std::rc::Rc;

use agent_contracts_wire::model::Place;

pub(super) use self::fields::{number, possible};
pub(super) use self::items::in_tests;

use self::attrs::Attrs;
use self::case::convert;
use self::items::{Field, Item, Kind, Variant, bare};
use self::resolve::{Crates, Home};
use super::Library;
use crate::flags::code::RUST;
use crate::flags::collect::Found;
use crate::flags::expr::Expr;
use crate::flags::files::{File, Files};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &RUST,
    hints: &["Parser", "Subcommand", "Args", "StructOpt", "ValueEnum"],
    read,
};

/// Subcommands and flattened structs that nest deeper go in a circle.
const MAX_DEPTH: usize = 12;

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let crates = Crates::new(files);
    let homes: Vec<Rc<Home>> = scope.iter().filter_map(|file| crates.home(&file.path)).collect();
    let containers = || {
        let all = homes
            .iter()
            .flat_map(|home| home.items.iter().map(move |item| (home, item)));
        all.filter(|(_, item)| item.is_container())
    };
    // What another struct of the scope holds is part of that one, and no program of its own.
    let mut held: BTreeSet<Place> = BTreeSet::new();
    for (home, item) in containers() {
        let inner = item.holds().into_iter().filter_map(|ty| crates.resolve(home, ty));
        let places = inner.filter_map(|(home, index)| Some(home.items.get(index)?.place.clone()));
        held.extend(places.filter(|place| *place != item.place));
    }
    let mut reader = Reader {
        files,
        crates: &crates,
        found,
        program: String::new(),
    };
    for (home, item) in containers() {
        if !held.contains(&item.place) {
            reader.program = program(files, home, item);
            // A package's further binaries are beside the one that it is about.
            if !home.file.path.contains("src/bin/") {
                reader.found.binary(&reader.program);
            }
            reader.container(home, item, "", 0);
        }
    }
}

struct Reader<'r, 'f> {
    files: &'r Files<'f>,
    crates: &'r Crates<'r, 'f>,
    found: &'r mut Found,
    /// The program that is being read.
    program: String,
}

/// What tells a program from others: the name it gives itself, else that of its binary or crate. What only a program
/// takes in has none.
fn program(files: &Files<'_>, home: &Home, item: &Item) -> String {
    let parser = |derive: &String| matches!(derive.as_str(), "Parser" | "StructOpt");
    if !item.attrs.derives.iter().any(parser) {
        return String::new();
    }
    let given = |key: &str| item.attrs.get(key)?.value.as_ref()?.text().map(str::to_owned);
    let binary = || {
        let (_, name) = home.file.path.rsplit_once("src/bin/")?;
        let name = name.strip_suffix("/main.rs").or_else(|| name.strip_suffix(".rs"))?;
        (!name.contains('/')).then(|| name.to_owned())
    };
    let package = || {
        let mut crates = files.crates().iter();
        crates
            .find(|(_, folder)| **folder == home.krate)
            .map(|(name, _)| name.replace('_', "-"))
    };
    given("name")
        .or_else(|| given("bin_name"))
        .or_else(binary)
        .or_else(package)
        .unwrap_or_default()
}

impl Reader<'_, '_> {
    /// Everything that a struct or an enum gives to `command`.
    fn container(&mut self, home: &Rc<Home>, item: &Item, command: &str, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        if let Some(other) = &item.stands_for {
            self.flatten(home, other, &item.place, command, depth);
            return;
        }
        let case = case(&item.attrs);
        match &item.kind {
            Kind::Struct(fields) => self.fields(home, fields, case, command, depth),
            Kind::Enum(variants) => {
                for variant in variants {
                    self.variant(home, variant, case, command, depth);
                }
            }
        }
    }

    fn fields(&mut self, home: &Rc<Home>, fields: &[Field], case: Option<&str>, command: &str, depth: usize) {
        for field in fields {
            if field.attrs.is("skip") {
                continue;
            }
            let place = home.file.place_at(field.line);
            if field.attrs.is("flatten") {
                self.flatten(home, bare(&field.ty), &place, command, depth);
            } else if field.attrs.is("subcommand") {
                self.subcommands(home, bare(&field.ty), command, depth);
            } else if let Some(mut flag) = fields::flag(self.files, self.crates, home, case, field) {
                command.clone_into(&mut flag.command);
                self.program.clone_into(&mut flag.program);
                flag.in_scope = self.files.in_scope(&home.file.path);
                self.found.flag(flag);
            } else if field.attrs.get("long").is_some() {
                self.found
                    .unresolved(place, &format!("the name of the flag of {}", field.name));
            }
        }
    }

    /// The flags of a struct that is taken in, wherever it is declared.
    fn flatten(&mut self, home: &Rc<Home>, ty: &str, place: &Place, command: &str, depth: usize) {
        let inner = self.crates.resolve(home, ty);
        match inner
            .as_ref()
            .and_then(|(home, index)| Some((home, home.items.get(*index)?)))
        {
            Some((home, item)) => self.container(home, item, command, depth + 1),
            None => self.found.unresolved(place.clone(), &format!("the flags of {ty}")),
        }
    }

    /// The subcommands of an enum in the scope.
    fn subcommands(&mut self, home: &Rc<Home>, ty: &str, command: &str, depth: usize) {
        let Some((home, index)) = self.crates.resolve(home, ty) else {
            return;
        };
        if let Some(item) = home
            .items
            .get(index)
            .filter(|item| self.files.in_scope(&item.place.file))
        {
            self.container(&home, item, command, depth + 1);
        }
    }

    fn variant(&mut self, home: &Rc<Home>, variant: &Variant, case: Option<&str>, command: &str, depth: usize) {
        let attrs = &variant.attrs;
        if attrs.is("skip") || attrs.is("external_subcommand") {
            return;
        }
        let payload = match variant.fields.as_slice() {
            [only] if only.name.is_empty() => Some(bare(&only.ty)),
            _ => None,
        };
        if attrs.is("flatten") {
            if let Some(ty) = payload {
                self.subcommands(home, ty, command, depth);
            }
            return;
        }
        let name = attrs.get("name").and_then(|attr| attr.value.as_ref()?.text());
        let name = name.map_or_else(|| convert(&variant.name, case), str::to_owned);
        let command = format!("{command} {name}");
        for attr in attrs.all(&["alias", "aliases", "visible_alias", "visible_aliases"]) {
            let names = attr.value.as_ref().map(|value| self.files.value(&home.file, value));
            for name in names.and_then(|names| names.texts()).unwrap_or_default() {
                self.found.command_alias(&self.program, &command, &name);
            }
        }
        match payload {
            Some(ty) => self.subcommands(home, ty, &command, depth),
            None => self.fields(home, &variant.fields, self::case(attrs), &command, depth),
        }
    }
}

/// What `rename_all` asks for.
fn case(attrs: &Attrs) -> Option<&str> {
    attrs
        .get("rename_all")
        .and_then(|attr| attr.value.as_ref())
        .and_then(Expr::text)
}
