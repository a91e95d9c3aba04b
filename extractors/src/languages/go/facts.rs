//! What one Go file says, before any name is resolved.

use agent_contracts_wire::Stability;
use serde::{Deserialize, Serialize};

use crate::content::Damage;
use crate::literals::EventLiteral;

/// What stands in [`Method::cases`] for every constant that has no case of its own.
pub(super) const OTHERWISE: &str = "";

/// The facts of one file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Facts {
    /// Name in this file and path of each import.
    pub(super) imports: Vec<(String, String)>,
    pub(super) types: Vec<TypeDef>,
    /// Event literals in plain code.
    pub(super) literals: Vec<EventLiteral>,
    pub(super) consts: Vec<Const>,
    pub(super) methods: Vec<Method>,
    /// Package variables that map constants to texts.
    pub(super) tables: Vec<(String, Vec<(String, String)>)>,
    /// Types and constants that stand for each other in a switch: `case TextContent: typ = textType`.
    pub(super) pairs: Vec<(String, String)>,
    pub(super) damage: Vec<Damage>,
}

/// A declared type.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct TypeDef {
    pub(super) name: String,
    /// Names of its type parameters.
    pub(super) params: Vec<String>,
    /// `type A = B`.
    pub(super) alias: bool,
    pub(super) ty: GoType,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

/// A type expression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum GoType {
    Name(String),
    /// `pkg.Name`.
    Qualified(String, String),
    Pointer(Box<GoType>),
    Slice(Box<GoType>),
    /// With a fixed length.
    Array(Box<GoType>),
    /// The value; keys are strings on the wire.
    Map(Box<GoType>),
    Struct(Vec<Member>),
    /// The names of its methods.
    Interface(Vec<String>),
    /// `Name[Args]`.
    Instance(Box<GoType>, Vec<GoType>),
    /// In a `MarshalJSON`: the fields of the receiver's type, without its methods.
    Receiver,
    /// Functions and channels, which have no JSON form.
    NotOnWire,
    /// What the grammar could not read.
    Unreadable(String),
}

/// A field of a struct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Member {
    /// Its Go name; of an embedded type its last part.
    pub(super) name: String,
    pub(super) embedded: bool,
    pub(super) ty: GoType,
    pub(super) tag: super::tags::Tag,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

/// A constant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Const {
    pub(super) name: String,
    /// The type it is declared with, or converted to.
    pub(super) ty: Option<String>,
    pub(super) value: Value,
    /// The number of its `const (…)` in the file.
    pub(super) group: u32,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

/// A constant expression, as far as the file alone tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Value {
    Text(String),
    Integer(i64),
    /// Another constant, `Name` or `pkg.Name`.
    Name(String),
    Unknown,
}

/// A method, and what matters of its body.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Method {
    /// The type it belongs to.
    pub(super) on: String,
    pub(super) name: String,
    /// Constants and the texts that a switch or a list gives for them; `#0` for the first of a list.
    pub(super) cases: Vec<(String, String)>,
    /// What its only statement returns, when that is a constant.
    pub(super) returns: Option<Value>,
    /// It converts the receiver to text: `string(t)`, `[]byte(t)`.
    pub(super) as_text: bool,
    /// Methods that it calls on the receiver.
    pub(super) calls: Vec<String>,
    /// Package variables that it indexes.
    pub(super) indexes: Vec<String>,
    /// What a `MarshalJSON` writes.
    pub(super) marshal: Option<Marshal>,
}

/// What a `MarshalJSON` writes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Marshal {
    /// A struct of its own: its members, and what is written into them, by Go name.
    Struct(Vec<Member>, Vec<(String, Written)>),
    /// One value.
    One(Written),
    /// One of the receiver's fields, whichever is set.
    OneOfFields,
    /// Bytes that it was given.
    Raw,
    /// Something that is not understood.
    Unknown,
}

/// An expression that is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Written {
    Constant(Value),
    /// A method of the receiver.
    Call(String),
    /// A field of the receiver.
    Field(String),
    /// Some text.
    Text,
    Other,
}
