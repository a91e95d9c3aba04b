//! What one TypeScript file says: its declarations with a small type language, its imports and its exports.
//!
//! It is what the memo keeps on disk, so it depends on the bytes of the file alone and holds no tree of the grammar.
//! Types nest at most [`MAX_DEPTH`] deep, so that code which follows them may recurse.

use agent_contracts_wire::model::{Literal, Stability};
use serde::{Deserialize, Serialize};

use crate::literals::EventLiteral;

/// How deep types and values may nest. Real protocol files stay below 20.
pub(super) const MAX_DEPTH: u32 = 64;

/// What one file says, before any name is resolved.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// In the order of the file.
    pub(super) decls: Vec<Decl>,
    pub(super) imports: Vec<Import>,
    pub(super) exports: Vec<Export>,
    pub(super) gaps: Vec<Gap>,
    /// Event literals in plain code.
    pub(super) literals: Vec<EventLiteral>,
}

/// A span that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Gap {
    /// First and last line, from 1; `None` for the whole file.
    pub(super) lines: Option<(u32, u32)>,
    pub(super) why: String,
    /// Names that are probably declared in there.
    pub(super) hides: Vec<String>,
}

/// A local name that stands for something of another module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Import {
    pub(super) local: String,
    pub(super) module: String,
    /// The name over there (`default` for a default import); `None` for the module itself.
    pub(super) name: Option<String>,
}

/// A name that other modules see, beside the declarations themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Export {
    /// `export * from "module"`.
    All { module: String },
    /// `export * as name from "module"`.
    Module { name: String, module: String },
    /// `export { from as name } from "module"`.
    From { name: String, from: String, module: String },
    /// `export { from as name }`, `export default from`. In a namespace the name has it in front.
    Local { name: String, from: String },
}

/// One declaration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Decl {
    pub(super) name: String,
    /// The namespace it stands in (`A.B`), `""` at the top. A block `declare module "x"` gives the namespace `"x"`, with
    /// its quotes.
    pub(super) space: String,
    pub(super) line: u32,
    pub(super) stability: Stability,
    pub(super) kind: DeclKind,
}

/// What is declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum DeclKind {
    Alias {
        params: Vec<Param>,
        ty: Ty,
    },
    Interface {
        params: Vec<Param>,
        shape: Shape,
    },
    Class {
        params: Vec<Param>,
        shape: Shape,
    },
    Enum(Vec<EnumMember>),
    /// A constant, by the type of its value.
    Const(Ty),
    /// A function, by what it returns.
    Function(Ty),
}

/// A type parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) constraint: Option<Ty>,
    pub(super) default: Option<Ty>,
}

/// One member of an enum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct EnumMember {
    pub(super) name: String,
    /// `None` when it is computed in a way that is not followed.
    pub(super) value: Option<Literal>,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

/// A type expression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Ty {
    Keyword(Keyword),
    Literal(Literal),
    /// A template literal type: its texts and its types in turn.
    Template(Vec<Self>),
    /// A name, dotted when it goes through namespaces.
    Ref {
        name: String,
        args: Vec<Self>,
    },
    /// `import("module").name<args>`.
    Import {
        module: String,
        name: String,
        args: Vec<Self>,
    },
    Object(Shape),
    Mapped(Box<Mapped>),
    Array(Box<Self>),
    Tuple(Vec<Element>),
    Union {
        arms: Vec<UnionArm>,
        tag: Option<String>,
    },
    Intersection(Vec<Self>),
    KeyOf(Box<Self>),
    Index(Box<(Self, Self)>),
    /// `typeof a.b`.
    TypeOf(String),
    Conditional(Box<Conditional>),
    /// `infer T`.
    Infer(String),
    /// A function or constructor, with what it returns where that may matter.
    Function(Option<Box<Self>>),
    /// A function that makes a schema from those it is given, by its parameters and what it returns.
    Maker {
        params: Vec<String>,
        returns: Box<Self>,
    },
    /// A schema that its source says to describe a declared type (`satisfies z.ZodType<Thing>`): the type, and the schema
    /// as it is built.
    Twin(Box<(Self, Self)>),
    /// A zod schema, by the type of the data that it describes.
    Schema(Box<Self>),
    /// A member with a default: who reads it fills it in.
    Defaulted(Box<Self>),
    /// What is not read, in its own words.
    Unread(String),
}

/// Types with a name of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Keyword {
    /// `any`, `unknown`, `this`.
    Any,
    /// `object`: anything but a scalar.
    Object,
    String,
    /// `number`, `bigint`.
    Number,
    Boolean,
    Null,
    /// `undefined`, `void`, `symbol`: what JSON leaves out.
    Undefined,
    Never,
}

/// The members of an object type, an interface or a class, and what it extends.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) extends: Vec<Ty>,
    pub(super) members: Vec<Member>,
}

/// One member of a shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) kind: MemberKind,
    pub(super) optional: bool,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

/// What a member is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum MemberKind {
    Field {
        name: String,
        ty: Ty,
    },
    /// An index signature.
    Index {
        key: Ty,
        value: Ty,
    },
    /// A method: nothing of it goes over a wire.
    Method,
    /// A call signature or a constructor: the object is a function.
    Call,
    /// `...value` in an object literal, or a zod `passthrough`: members that are not named here.
    Open,
}

/// A mapped type, `{ [param in over as name]?: value }`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Mapped {
    pub(super) param: String,
    pub(super) over: Ty,
    pub(super) name: Option<Ty>,
    /// `Some(true)` for `?` and `+?`, `Some(false)` for `-?`.
    pub(super) optional: Option<bool>,
    pub(super) value: Ty,
    pub(super) line: u32,
}

/// A conditional type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Conditional {
    pub(super) check: Ty,
    pub(super) extends: Ty,
    pub(super) yes: Ty,
    pub(super) no: Ty,
}

/// One position of a tuple.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Element {
    pub(super) ty: Ty,
    pub(super) optional: bool,
    /// `...T[]`; then `ty` is the array type.
    pub(super) rest: bool,
}

/// One arm of a union.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct UnionArm {
    pub(super) ty: Ty,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

impl Ty {
    /// A reference without type arguments.
    pub(super) fn named(name: impl Into<String>) -> Self {
        Self::Ref {
            name: name.into(),
            args: Vec::new(),
        }
    }

    /// An utility type of the language applied to `args`.
    pub(super) fn apply(name: &str, args: Vec<Self>) -> Self {
        Self::Ref {
            name: name.to_owned(),
            args,
        }
    }

    /// The exact string `text`.
    pub(super) fn string(text: impl Into<String>) -> Self {
        Self::Literal(Literal::String(text.into()))
    }

    /// A union without places of its own.
    pub(super) fn union(types: Vec<Self>) -> Self {
        let arm = |ty| UnionArm {
            ty,
            line: 0,
            stability: Stability::Stable,
        };
        Self::Union {
            arms: types.into_iter().map(arm).collect(),
            tag: None,
        }
    }

    /// `self`, filled in by who reads it.
    pub(super) fn or_default(self) -> Self {
        Self::Defaulted(Box::new(self))
    }

    /// `self | undefined`.
    pub(super) fn or_undefined(self) -> Self {
        Self::union(vec![self, Self::Keyword(Keyword::Undefined)])
    }

    /// `self | null`.
    pub(super) fn or_null(self) -> Self {
        Self::union(vec![self, Self::Keyword(Keyword::Null)])
    }

    /// It only says which other type it is.
    pub(super) fn is_name(&self) -> bool {
        match self {
            Self::Ref { args, .. } | Self::Import { args, .. } => args.is_empty(),
            Self::TypeOf(_) => true,
            _ => false,
        }
    }

    /// What a schema describes; any other type as it is.
    pub(super) fn described(self) -> Self {
        match self {
            Self::Schema(inner) => *inner,
            other => other,
        }
    }
}

impl Decl {
    /// Its name with its namespace in front.
    pub(super) fn path(&self) -> String {
        if self.space.is_empty() {
            self.name.clone()
        } else {
            format!("{}.{}", self.space, self.name)
        }
    }
}
