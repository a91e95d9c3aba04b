//! The wire model: protocol types by the names that go over the wire.
//!
//! Every extractor writes this and the diff reads it, so it knows no language. What a serialiser does with a
//! declaration (renames, tags, flattening, optional keys) is already applied here.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::finding::Direction;

mod print;

/// All protocol types of one version of one source, linked over its files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WireModel {
    /// Declared types by id. The id is the declared name; where two types of a scope share a name, the later ones (by
    /// path) get `Name@path` so that none hides another.
    pub types: BTreeMap<String, TypeDecl>,
    /// Named constants that are part of a handshake, such as a protocol version.
    pub constants: BTreeMap<String, Constant>,
    /// Flags of the command line, when the extraction was asked for them.
    pub flags: Vec<Flag>,
    /// What no rule of the extractor could resolve. A comparison that depends on it is inconclusive.
    pub unresolved: Vec<Unresolved>,
    /// Files or spans that could not be read in full (syntax errors, budgets, missing content).
    pub degraded: Vec<Degraded>,
    /// How many files of the scope were read.
    pub files: u32,
}

/// One declared type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeDecl {
    /// The declared name, in its own case.
    pub name: String,
    /// Where it is declared.
    pub place: Place,
    /// Declared in the files that were asked for. Types outside are there for resolution; changes inside them are not
    /// reported.
    pub in_scope: bool,
    /// What it looks like on the wire.
    pub body: Type,
    /// The side that writes it, where the declaration says so (a method table, a root of the agent's file).
    pub direction: Option<Direction>,
    /// What its source says of its stability.
    pub stability: Stability,
    /// Why this is believed to be on the wire.
    pub evidence: Evidence,
}

/// Why a type is believed to be on the wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A declaration of a data type.
    #[default]
    Declared,
    /// An event literal written in plain code; weaker, since nothing declares its closed shape.
    Literal,
    /// An in-process API (a class, an interface of functions, a struct without serialisation). Not compared by itself,
    /// only where a wire type refers to it.
    InProcess,
}

/// A type expression on the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Any JSON value (`unknown`, `serde_json::Value`, `interface{}`).
    Any,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number; integers are numbers on the wire.
    Number,
    /// A string.
    String,
    /// One exact value.
    Literal(Literal),
    /// A declared type, by its id in [`WireModel::types`].
    Named(String),
    /// A list.
    Array(Box<Type>),
    /// A list of fixed positions.
    Tuple(Vec<Type>),
    /// An object whose keys are data.
    Map(Box<Type>),
    /// An object with known keys.
    Object(Object),
    /// One of several.
    Union(Union),
    /// Something the extractor could not read, with its text. Equal to nothing and different from nothing.
    Unresolved(String),
}

/// One exact JSON value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    /// A string.
    String(String),
    /// A number, as its shortest text, so that it can be ordered and hashed.
    Number(String),
    /// A boolean.
    Boolean(bool),
}

/// An object with known keys.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// Own members, by wire name. An own member shadows one of the same name in `parts`.
    pub fields: BTreeMap<String, Field>,
    /// Objects (or unions) whose members stand at this level: `extends`, intersections, serde `flatten`, the payload
    /// of an internally tagged variant, Go embedding. Earlier parts are shadowed by later ones. Kept apart, so that a
    /// change is reported once, where it is declared.
    pub parts: Vec<Type>,
    /// Says that members beyond these may come (an index signature, `additionalProperties: true`).
    pub open: bool,
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Its value. A nullable member is a union with [`Type::Null`].
    pub ty: Type,
    /// The writer always sends the key and the reader may rely on it.
    pub required: bool,
    /// A reader of this type fills the key in when it is missing, although the writer always sends it (serde `default`,
    /// a plain `Option`): required on output, not on input. See [`Self::required_for`].
    pub defaulted: bool,
    /// What its source says of its stability.
    pub stability: Stability,
    /// Further names that a reader of this type accepts (serde `alias`).
    pub accepts: Vec<String>,
    /// The line it is declared at, in the file of its type.
    pub line: u32,
}

/// One of several types.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Union {
    /// The arms, in declared order.
    pub arms: Vec<Arm>,
    /// The member that tells the arms apart, where the source says it (serde `tag`, OpenAPI `discriminator`,
    /// `z.discriminatedUnion`). Otherwise the diff looks for it.
    pub tag: Option<String>,
    /// The source says that further arms may come (`#[serde(other)]`, `| string`, `#[non_exhaustive]` does not count).
    pub open: bool,
}

/// One arm of a union.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// Its declared name, where it has one: an enum variant, an enum member, a row of a method table. It does not go
    /// over the wire.
    pub name: Option<String>,
    /// What it looks like on the wire, the tag included: an internally tagged variant is an object that holds its
    /// literal tag and has its payload in `parts`.
    pub ty: Type,
    /// What the receiver answers, for a row of a request table.
    pub result: Option<Type>,
    /// What its source says of its stability.
    pub stability: Stability,
    /// Further tag values that a reader accepts for it (serde `alias`).
    pub accepts: Vec<String>,
    /// The line it is declared at, in the file of its type.
    pub line: u32,
}

/// What a source says of the stability of a declaration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// Nothing said.
    #[default]
    Stable,
    /// Marked experimental, unstable or behind a feature of such a name: its changes are one step less severe.
    Experimental,
    /// Marked deprecated.
    Deprecated,
}

/// A named constant that a handshake sends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    /// Its value.
    pub value: Literal,
    /// Where it is declared.
    pub place: Place,
    /// Declared in the files that were asked for.
    pub in_scope: bool,
}

/// A place in a file. Shown to people; never part of an identity.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Path from the repository's or the package's root, `/`-separated.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// Something that could not be resolved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unresolved {
    /// Where.
    pub place: Place,
    /// What, in the source's own words, shortened.
    pub what: String,
}

/// A file, or a span of it, that was not read in full.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Degraded {
    /// Path from the root.
    pub file: String,
    /// First and last line of the span, from 1; `None` for the whole file.
    pub lines: Option<(u32, u32)>,
    /// Why, for people: `syntax error`, `content unavailable: LFS pointer`, `over the budget of 5 MB`.
    pub why: String,
    /// Names of declarations inside the span, as far as they could be guessed. They are unknown, not removed.
    pub hides: Vec<String>,
}

/// One flag of a command line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and all combinations occur"
)]
pub struct Flag {
    /// The name that identifies it: `--long`, or `-s` when there is no long one.
    pub name: String,
    /// Every other spelling that is accepted, sorted: `-s`, `--alias`, `--no-long`.
    pub aliases: Vec<String>,
    /// The subcommand path it belongs to, `""` for the program itself.
    pub command: String,
    /// Other paths by which the same command is called, sorted.
    pub command_aliases: Vec<String>,
    /// Valid below its command too (clap `global`, cobra persistent, a yargs top-level option).
    pub inherited: bool,
    /// What it takes.
    pub value: FlagValue,
    /// The closed set of values, in declared order; empty when open.
    pub choices: Vec<String>,
    /// The default, where it is a literal.
    pub default: Option<String>,
    /// Left out of the help text.
    pub hidden: bool,
    /// Marked or described as deprecated.
    pub deprecated: bool,
    /// Where it is declared.
    pub place: Place,
    /// Declared in the files that were asked for. A flag from elsewhere that a command in the scope takes in is there so
    /// that its coming and going is seen; what changes inside it is not reported.
    pub in_scope: bool,
}

/// What a flag takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlagValue {
    /// Nothing.
    Switch,
    /// Exactly one value.
    One,
    /// A value or nothing.
    Optional,
    /// May be given several times or takes several values.
    Many,
    /// The source does not say in a way that can be read.
    Unknown,
}

impl Type {
    /// `self | null`, without doubling an existing `null`.
    #[must_use]
    pub fn nullable(self) -> Self {
        match self {
            Self::Null | Self::Any => self,
            Self::Union(mut union) => {
                if !union.arms.iter().any(|arm| arm.ty == Self::Null) {
                    union.arms.push(Arm::of(Self::Null));
                }
                Self::Union(union)
            }
            other => Self::union([other, Self::Null]),
        }
    }

    /// An untagged union of `types`.
    #[must_use]
    pub fn union(types: impl IntoIterator<Item = Self>) -> Self {
        Self::Union(Union {
            arms: types.into_iter().map(Arm::of).collect(),
            ..Union::default()
        })
    }

    /// The exact string `text`.
    #[must_use]
    pub fn literal(text: impl Into<String>) -> Self {
        Self::Literal(Literal::String(text.into()))
    }
}

impl Arm {
    /// An arm without a name.
    #[must_use]
    pub fn of(ty: Type) -> Self {
        Self {
            name: None,
            ty,
            result: None,
            stability: Stability::Stable,
            accepts: Vec::new(),
            line: 0,
        }
    }
}

impl Field {
    /// A stable field without aliases.
    #[must_use]
    pub fn new(ty: Type, required: bool, line: u32) -> Self {
        Self {
            ty,
            required,
            defaulted: false,
            stability: Stability::Stable,
            accepts: Vec::new(),
            line,
        }
    }

    /// Whether who receives this field may rely on the key (output), or refuses a frame without it (input).
    #[must_use]
    pub fn required_for(&self, direction: Direction) -> bool {
        self.required && !(self.defaulted && direction == Direction::Input)
    }
}

impl std::fmt::Display for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::String(text) | Self::Number(text) => f.write_str(text),
            Self::Boolean(value) => write!(f, "{value}"),
        }
    }
}
