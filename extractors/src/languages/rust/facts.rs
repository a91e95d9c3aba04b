//! What one Rust file says, before any name is resolved. Depends on the bytes alone and is kept by their hash.

use std::sync::Arc;

use agent_contracts_wire::Stability;
use serde::{Deserialize, Serialize};

use super::cases::Case;
use crate::content::Damage;
use crate::literals::EventLiteral;

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The file's own module.
    pub(super) root: Box<Scope>,
    /// Event literals in plain code.
    pub(super) literals: Vec<EventLiteral>,
    /// What could not be read in full.
    pub(super) degraded: Vec<Damage>,
    /// The package, when the file is a `Cargo.toml`.
    pub(super) manifest: Option<Box<Manifest>>,
}

/// The declarations of one module. Types and imports are in the order of their names, and declared order within one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Scope {
    pub(super) types: Vec<Arc<TypeItem>>,
    pub(super) mods: Vec<ModItem>,
    pub(super) imports: Vec<Import>,
    pub(super) consts: Vec<ConstItem>,
    pub(super) impls: Vec<ImplItem>,
    /// Functions that are handed a `Serializer` or `Deserializer`: `with`, `serialize_with`, `deserialize_with`.
    pub(super) codecs: Vec<Codec>,
    pub(super) macros: Vec<MacroDef>,
    /// Calls whose definition is not in the file.
    pub(super) calls: Vec<MacroCall>,
}

impl Scope {
    /// Puts names in order, those of inline modules too. To be called when all is read.
    pub(super) fn sort(&mut self) {
        self.types.sort_by(|a, b| a.name.cmp(&b.name));
        self.imports.sort_by(|a, b| a.name.cmp(&b.name));
        for module in &mut self.mods {
            if let Some(inline) = &mut module.inline {
                inline.sort();
            }
        }
    }

    /// The first type of this name.
    pub(super) fn type_item(&self, name: &str) -> Option<&Arc<TypeItem>> {
        let at = self.types.partition_point(|item| item.name.as_str() < name);
        self.types.get(at).filter(|item| item.name == name)
    }

    /// The imports of this name; `*` gives the globs.
    pub(super) fn imports_of(&self, name: &str) -> &[Import] {
        let start = self.imports.partition_point(|import| import.name.as_str() < name);
        let count = self.imports[start..].partition_point(|import| import.name == name);
        &self.imports[start..start + count]
    }
}

/// A struct, an enum or an alias.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TypeItem {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) attrs: Attrs,
    /// Type parameters, in order; lifetimes and constants are left out.
    pub(super) generics: Vec<String>,
    pub(super) body: TypeBody,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum TypeBody {
    Struct(Fields),
    Enum(Vec<Variant>),
    Alias(TypeExpr),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Fields {
    Unit,
    Tuple(Vec<FieldItem>),
    Named(Vec<FieldItem>),
}

/// A field; the name of a field by position is empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FieldItem {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) attrs: Attrs,
    pub(super) ty: TypeExpr,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) attrs: Attrs,
    pub(super) fields: Fields,
    /// The value of a fieldless variant, for `serde_repr`.
    pub(super) value: Option<i64>,
    /// What answers it, where it comes from a row of a method table.
    pub(super) answer: Option<TypeExpr>,
}

/// A type as it is written. References, parentheses and lifetimes are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum TypeExpr {
    /// `a::b::C<D, E>`.
    Path(Vec<String>, Vec<TypeExpr>),
    /// `<T as Trait>::Name`.
    Assoc(Box<TypeExpr>, String, String),
    Tuple(Vec<TypeExpr>),
    /// `[T]` and `[T; N]`.
    Array(Box<TypeExpr>),
    /// Anything else, as it is written.
    Other(String),
}

/// `mod name;` or `mod name { … }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ModItem {
    pub(super) name: String,
    pub(super) inline: Option<Scope>,
    /// `#[path = "…"]`.
    pub(super) path: Option<String>,
}

/// One name that a `use` brings in; the name is `*` for a glob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Vec<String>,
    /// Other modules see it too.
    pub(super) public: bool,
}

/// A constant whose name says that it is a protocol version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ConstItem {
    /// `NAME` or `Owner::NAME`.
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) value: ConstValue,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum ConstValue {
    Text(String),
    Number(String),
    /// Another constant, by its last name.
    Other(String),
}

/// An `impl Trait for Type` that says something of the wire: associated types, or a hand-written (de)serialisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ImplItem {
    /// The last name of the trait.
    pub(super) of: String,
    pub(super) ty: TypeExpr,
    pub(super) assoc: Vec<(String, TypeExpr)>,
    /// What the body of `serialize` writes or of `deserialize` reads, for those two traits.
    pub(super) forms: Vec<Form>,
}

/// A function that writes or reads a value by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Codec {
    pub(super) name: String,
    pub(super) forms: Vec<Form>,
}

/// One of the forms that hand-written code gives a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Form {
    Null,
    Boolean,
    Number,
    String,
    /// What the declaration says.
    Declared,
    /// The declared form of one field of `self`, by name or position.
    SelfField(String),
    /// What such a field holds when it is no `None`.
    SomeField(String),
    /// The payload of a variant of an enum (its path, then its name); the enum itself when the path is `Self`.
    Payload(Vec<String>, String),
    /// Another type.
    Of(TypeExpr),
    /// The function of another module, by path.
    Call(Vec<String>),
    /// What could not be read.
    Unknown,
}

/// A macro by example.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MacroDef {
    pub(super) name: String,
    /// Its rules, with their delimiters.
    pub(super) rules: String,
}

/// A call of a macro where items stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MacroCall {
    pub(super) path: Vec<String>,
    pub(super) line: u32,
    /// What it is given, without the delimiters.
    pub(super) input: String,
}

/// What attributes say that matters on the wire.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Attrs {
    pub(super) serde: Vec<Serde>,
    pub(super) derives: Derives,
    /// `serde_with::skip_serializing_none`.
    pub(super) skip_none: bool,
    pub(super) stability: Stability,
}

/// Which of serde's traits are derived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each says that one derive is there")]
pub(super) struct Derives {
    pub(super) ser: bool,
    pub(super) de: bool,
    /// By number (`serde_repr`).
    pub(super) repr: bool,
    /// As text (`SerializeDisplay` and `DeserializeFromStr` of `serde_with`).
    pub(super) text: bool,
}

/// Which of the two directions a serde attribute is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Side {
    Both,
    Ser,
    De,
}

/// One argument of a serde attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Serde {
    Rename(Side, String),
    RenameAll(Side, Case),
    RenameAllFields(Side, Case),
    Alias(String),
    Tag(String),
    Content(String),
    Untagged,
    Flatten,
    Default,
    /// Never written, never read, or neither.
    Skip(Side),
    /// The predicate's path.
    SkipIf(String),
    Other,
    Transparent,
    From(TypeExpr),
    Into(TypeExpr),
    /// A module, or a function of one side.
    With(Side, Vec<String>),
    /// `serde_with`'s `as`.
    As(Side, TypeExpr),
}

/// What a `Cargo.toml` says of where crates are. Names have `_` for `-`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// The name that other crates use; `None` when there is no package.
    pub(super) name: Option<String>,
    /// `lib.path`.
    pub(super) lib: Option<String>,
    /// Dependencies that name a place in the repository.
    pub(super) dependencies: Vec<Dependency>,
    /// Is the root of a workspace.
    pub(super) workspace: bool,
    /// `workspace.dependencies` that name a place in the repository.
    pub(super) shared: Vec<Dependency>,
}

/// A dependency with a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Dependency {
    /// The name it is used by.
    pub(super) name: String,
    /// Its directory, relative to the manifest; `None` when the workspace says it.
    pub(super) path: Option<String>,
}

impl Attrs {
    /// The name that is written, where one is given.
    pub(super) fn rename(&self, side: Side) -> Option<&str> {
        self.serde.iter().rev().find_map(|attr| match attr {
            Serde::Rename(of, name) if of.covers(side) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The case of the names inside.
    pub(super) fn rename_all(&self, side: Side) -> Option<Case> {
        self.serde.iter().rev().find_map(|attr| match attr {
            Serde::RenameAll(of, case) if of.covers(side) => Some(*case),
            _ => None,
        })
    }

    /// The case of the fields of the variants inside.
    pub(super) fn rename_all_fields(&self, side: Side) -> Option<Case> {
        self.serde.iter().rev().find_map(|attr| match attr {
            Serde::RenameAllFields(of, case) if of.covers(side) => Some(*case),
            _ => None,
        })
    }

    /// Further names that are read.
    pub(super) fn aliases(&self) -> impl Iterator<Item = &str> {
        self.serde.iter().filter_map(|attr| match attr {
            Serde::Alias(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The first value that `pick` finds.
    pub(super) fn find<'a, T>(&'a self, pick: impl FnMut(&'a Serde) -> Option<T>) -> Option<T> {
        self.serde.iter().find_map(pick)
    }

    /// Whether an argument without value is there.
    pub(super) fn has(&self, wanted: &Serde) -> bool {
        self.serde.contains(wanted)
    }

    /// Whether the value is left out on that side.
    pub(super) fn skips(&self, side: Side) -> bool {
        self.find(|attr| matches!(attr, Serde::Skip(of) if of.covers(side)).then_some(()))
            .is_some()
    }
}

impl Side {
    /// Whether what is said of `self` holds for `side`.
    pub(super) fn covers(self, side: Self) -> bool {
        self == Self::Both || self == side
    }
}
