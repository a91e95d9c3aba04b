//! What one Python file says, before any name is resolved.

use agent_contracts_wire::Stability;
use serde::{Deserialize, Serialize};

use crate::content::Damage;
use crate::literals::EventLiteral;

/// The facts of one file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Facts {
    pub(super) imports: Vec<Import>,
    /// Event literals in plain code.
    pub(super) literals: Vec<EventLiteral>,
    pub(super) decls: Vec<Decl>,
    /// Where class names are made into tags.
    pub(super) class_names: Vec<ClassNames>,
    /// Names that the value of a module variable mentions, for variables that are no declarations.
    pub(super) mentions: Vec<(String, Vec<String>)>,
    pub(super) damage: Vec<Damage>,
}

/// One imported name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Import {
    /// The name in this file; `*` for everything.
    pub(super) local: String,
    /// How many dots the module has in front.
    pub(super) dots: usize,
    /// The module, without the dots.
    pub(super) module: String,
    /// The name inside the module; `None` when the module itself is meant.
    pub(super) name: Option<String>,
}

/// A declaration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Decl {
    /// `Outer.Inner` for a nested one.
    pub(super) name: String,
    pub(super) line: u32,
    pub(super) stability: Stability,
    pub(super) what: What,
}

/// What is declared.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum What {
    Class(Class),
    Alias(Alias),
    /// A type variable, with its bound.
    Variable(Option<Expr>),
    /// A module constant.
    Constant(Expr),
}

/// Another name for a type expression.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Alias {
    pub(super) params: Vec<String>,
    pub(super) expr: Expr,
    /// Said to be a type (`type X = …`, `X: TypeAlias = …`); a plain assignment may be anything.
    pub(super) explicit: bool,
}

/// A class.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Class {
    pub(super) params: Vec<String>,
    pub(super) bases: Vec<Expr>,
    /// Keyword arguments of the class (`total=False`) and of its `model_config`.
    pub(super) config: Vec<(String, Expr)>,
    pub(super) decorators: Vec<Expr>,
    pub(super) members: Vec<Member>,
    /// Its methods: name, names of decorators, return type, line.
    pub(super) methods: Vec<Method>,
}

/// A method of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) decorators: Vec<Expr>,
    pub(super) returns: Option<Expr>,
    pub(super) line: u32,
}

/// An assignment or annotation in a class body.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) annotation: Option<Expr>,
    pub(super) value: Option<Expr>,
    pub(super) line: u32,
    pub(super) stability: Stability,
}

/// An expression, as far as types and defaults need it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Expr {
    /// `a` or `a.b.c`.
    Name(String),
    /// `base[arguments]`.
    Subscript(Box<Expr>, Vec<Expr>),
    /// `a | b`.
    Union(Vec<Expr>),
    /// `function(arguments)`, with the names of keyword arguments.
    Call(String, Vec<(Option<String>, Expr)>),
    Text(String),
    Number(String),
    Boolean(bool),
    None,
    Ellipsis,
    /// `[a, b]`, `(a, b)`.
    List(Vec<Expr>),
    /// `{"a": b}`.
    Dict(Vec<(Expr, Expr)>),
    /// Anything else, shortened.
    Other(String),
}

/// A place that makes class names into tags: `{cls.__name__: cls for cls in ALL}`,
/// `{"type": type(message).__name__, "payload": …}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ClassNames {
    /// Names whose classes are meant: a variable, or the annotation of a parameter.
    pub(super) of: Vec<String>,
    /// The members of the envelope, when the place spells it out: tag and payload.
    pub(super) envelope: Option<(String, Option<String>)>,
}

impl Expr {
    /// The dotted name of a name, or of the base of a subscript or call.
    pub(super) fn base_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) | Self::Call(name, _) => Some(name),
            Self::Subscript(base, _) => base.base_name(),
            _ => None,
        }
    }

    /// The last part of [`Self::base_name`].
    pub(super) fn last_name(&self) -> Option<&str> {
        self.base_name().map(|name| name.rsplit('.').next().unwrap_or(name))
    }

    /// A keyword argument of a call.
    pub(super) fn keyword(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Call(_, arguments) => arguments
                .iter()
                .find(|(key, _)| key.as_deref() == Some(name))
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a string.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Every dotted name inside.
    pub(super) fn names(&self, found: &mut Vec<String>) {
        match self {
            Self::Name(name) => found.push(name.clone()),
            Self::Subscript(base, arguments) => {
                base.names(found);
                for argument in arguments {
                    argument.names(found);
                }
            }
            Self::Union(all) | Self::List(all) => all.iter().for_each(|inner| inner.names(found)),
            Self::Call(name, arguments) => {
                found.push(name.clone());
                for (_, argument) in arguments {
                    argument.names(found);
                }
            }
            Self::Dict(pairs) => pairs.iter().for_each(|(_, value)| value.names(found)),
            _ => {}
        }
    }
}
