//! Type expressions of Python as they are written to JSON.

use std::cell::RefCell;
use std::collections::BTreeMap;

use agent_contracts_wire::{Literal, Type};

use super::classes;
use super::envelope::Envelopes;
use super::facts::{Decl, Expr, What};
use super::modules::{Key, Target, World};
use crate::types::choice;

/// How deep generic types and aliases may be put into each other.
const MAX_DEPTH: usize = 12;

/// Where an expression stands.
#[derive(Clone, Default)]
pub(super) struct Env {
    pub(super) path: String,
    /// The class around it.
    pub(super) class: Option<String>,
    /// What the type parameters stand for.
    pub(super) params: BTreeMap<String, Type>,
    pub(super) depth: usize,
}

impl Env {
    /// The place of a declaration, its type parameters open.
    pub(super) fn of(key: &Key, params: &[String]) -> Self {
        Self {
            path: key.path.clone(),
            class: Some(key.name.clone()),
            params: params.iter().map(|name| (name.clone(), Type::Any)).collect(),
            depth: 0,
        }
    }
}

/// Turns expressions into wire types. References are left as the text of a [`Key`].
pub(super) struct Converter<'w, 't> {
    pub(super) world: &'w World<'t>,
    pub(super) envelopes: Envelopes,
    /// Generic declarations that are being put in place, so that a recursive one ends.
    instances: RefCell<Vec<Key>>,
}

impl<'w, 't> Converter<'w, 't> {
    pub(super) fn new(world: &'w World<'t>) -> Self {
        Self {
            world,
            envelopes: Envelopes::default(),
            instances: RefCell::default(),
        }
    }

    /// The type that an expression stands for.
    pub(super) fn ty(&self, env: &Env, expr: &Expr) -> Type {
        if env.depth > MAX_DEPTH {
            return Type::Any;
        }
        match expr {
            Expr::None => Type::Null,
            Expr::Name(name) => self.named(env, name, &[]),
            Expr::Subscript(base, arguments) => match base.base_name() {
                Some(name) => self.named(env, name, arguments),
                None => Type::Unresolved("a subscript".to_owned()),
            },
            Expr::Union(all) => choice(all.iter().map(|inner| self.ty(env, inner)).collect(), false),
            Expr::Call(name, arguments) => self.call(env, name, arguments),
            Expr::Ellipsis | Expr::List(_) | Expr::Dict(_) => Type::Any,
            Expr::Text(text) | Expr::Other(text) => Type::Unresolved(text.clone()),
            Expr::Number(_) | Expr::Boolean(_) => Type::Unresolved("a value in the place of a type".to_owned()),
        }
    }

    fn named(&self, env: &Env, name: &str, arguments: &[Expr]) -> Type {
        if let Some(ty) = env.params.get(name) {
            return ty.clone();
        }
        match self.world.resolve(&env.path, env.class.as_deref(), name) {
            Target::Decl(key, None) => self.declared(env, &key, arguments),
            Target::Decl(_, Some(_)) => Type::Unresolved(last(name).to_owned()),
            Target::External(module, found) => self.external(env, &module, &found, arguments),
        }
    }

    fn declared(&self, env: &Env, key: &Key, arguments: &[Expr]) -> Type {
        let Some(module) = self.world.module(&key.path) else {
            return Type::Unresolved(key.name.clone());
        };
        let Some(decl) = module.find(&key.name) else {
            return Type::Unresolved(key.name.clone());
        };
        match &decl.what {
            What::Variable(bound) => {
                let inside = Env {
                    depth: env.depth + 1,
                    ..Env::of(key, &[])
                };
                bound.as_ref().map_or(Type::Any, |bound| self.ty(&inside, bound))
            }
            What::Constant(_) => Type::Unresolved(key.name.clone()),
            // `ToolCall = message.ToolCall` is the other name itself.
            What::Alias(alias) if !alias.explicit && matches!(alias.expr, Expr::Name(_)) => {
                let inside = Env {
                    depth: env.depth + 1,
                    class: None,
                    ..Env::of(key, &[])
                };
                self.ty(&inside, &alias.expr)
            }
            What::Alias(alias) if alias.params.is_empty() || arguments.is_empty() => Type::Named(key.text()),
            What::Alias(alias) => self.instance(env, key, decl, &alias.params, arguments),
            What::Class(class) => {
                let params = classes::params(self, key, class);
                if params.is_empty() || arguments.is_empty() {
                    Type::Named(key.text())
                } else {
                    self.instance(env, key, decl, &params, arguments)
                }
            }
        }
    }

    /// A generic declaration with its arguments put in.
    fn instance(&self, env: &Env, key: &Key, decl: &Decl, params: &[String], arguments: &[Expr]) -> Type {
        if self.instances.borrow().contains(key) {
            return Type::Named(key.text());
        }
        let arguments = arguments.iter().map(|argument| self.ty(env, argument));
        let inside = Env {
            params: params.iter().cloned().zip(arguments).collect(),
            depth: env.depth + 1,
            ..Env::of(key, &[])
        };
        self.instances.borrow_mut().push(key.clone());
        let body = match &decl.what {
            What::Class(class) => classes::body(self, &inside, key, class),
            What::Alias(alias) => self.ty(&inside, &alias.expr),
            _ => Type::Any,
        };
        self.instances.borrow_mut().pop();
        body
    }

    /// Something from outside the tree: the builtins, `typing`, pydantic and what everybody uses, by its name.
    fn external(&self, env: &Env, module: &str, name: &str, arguments: &[Expr]) -> Type {
        let name = last(name);
        let inner = |at: usize| arguments.get(at).map_or(Type::Any, |argument| self.ty(env, argument));
        match name {
            "Optional" => inner(0).nullable(),
            "Union" => choice((0..arguments.len()).map(inner).collect(), false),
            "Literal" => self.literals(env, arguments),
            "Annotated" => {
                let mut ty = inner(0);
                if let (Type::Union(union), Some(tag)) = (&mut ty, discriminator(arguments)) {
                    union.tag = Some(tag);
                }
                ty
            }
            "Required" | "NotRequired" | "ReadOnly" | "Final" | "ClassVar" | "InitVar" | "SerializeAsAny"
            | "SkipValidation" | "OnErrorOmit" | "FailFast" | "RootModel" | "Json" => inner(0),
            "list" | "List" | "set" | "Set" | "frozenset" | "FrozenSet" | "Sequence" | "MutableSequence"
            | "AbstractSet" | "MutableSet" | "Iterable" | "Collection" | "deque" | "Deque" => {
                Type::Array(Box::new(inner(0)))
            }
            "tuple" | "Tuple" => match arguments {
                [] => Type::Array(Box::new(Type::Any)),
                [_, Expr::Ellipsis] => Type::Array(Box::new(inner(0))),
                [Expr::List(none)] if none.is_empty() => Type::Tuple(vec![]),
                _ => Type::Tuple((0..arguments.len()).map(inner).collect()),
            },
            "dict" | "Dict" | "Mapping" | "MutableMapping" | "OrderedDict" | "defaultdict" | "DefaultDict" => {
                Type::Map(Box::new(inner(1)))
            }
            "Counter" => Type::Map(Box::new(Type::Number)),
            _ => plain(module, name).unwrap_or_else(|| Type::Unresolved(name.to_owned())),
        }
    }

    /// A type that a call makes: `constr(min_length=1)`, `conlist(int)`.
    fn call(&self, env: &Env, name: &str, arguments: &[(Option<String>, Expr)]) -> Type {
        match last(name) {
            "constr" | "conbytes" => Type::String,
            "conint" | "confloat" | "condecimal" => Type::Number,
            "conlist" | "conset" | "confrozenset" => {
                let item = arguments.first().map_or(Type::Any, |(_, item)| self.ty(env, item));
                Type::Array(Box::new(item))
            }
            other => Type::Unresolved(format!("{other}(…)")),
        }
    }

    /// The values of a `Literal`.
    fn literals(&self, env: &Env, arguments: &[Expr]) -> Type {
        let mut all = vec![];
        for argument in arguments {
            all.push(match argument {
                Expr::Name(name) => self.enum_member(env, name),
                Expr::Subscript(..) | Expr::Union(_) => self.ty(env, argument),
                other => value(other).unwrap_or_else(|| Type::Unresolved("a value of Literal".to_owned())),
            });
        }
        choice(all, false)
    }

    /// `Kind.A` as the value of that member; another name may be an alias of a `Literal`.
    pub(super) fn enum_member(&self, env: &Env, name: &str) -> Type {
        if let Target::Decl(key, Some(member)) = self.world.resolve(&env.path, env.class.as_deref(), name)
            && let Some(module) = self.world.module(&key.path)
            && let Some(Decl {
                what: What::Class(class),
                ..
            }) = module.find(&key.name)
        {
            let member = member.strip_suffix(".value").unwrap_or(&member);
            let members = classes::enum_members(self, &key, class);
            if let Some((_, literal, _)) = members.into_iter().find(|(name, ..)| name == member) {
                return Type::Literal(literal);
            }
        }
        self.named(env, name, &[])
    }
}

/// The type of an expression that is a value.
pub(super) fn value(expr: &Expr) -> Option<Type> {
    Some(match expr {
        Expr::Text(text) => Type::literal(text.clone()),
        Expr::Number(text) => Type::Literal(Literal::Number(text.clone())),
        Expr::Boolean(value) => Type::Literal(Literal::Boolean(*value)),
        Expr::None => Type::Null,
        _ => return None,
    })
}

/// The discriminator that the metadata of `Annotated` names.
fn discriminator(arguments: &[Expr]) -> Option<String> {
    arguments.iter().skip(1).find_map(|metadata| match metadata {
        Expr::Call(name, given) if last(name) == "Discriminator" => given.first()?.1.text().map(str::to_owned),
        call => call.keyword("discriminator")?.text().map(str::to_owned),
    })
}

/// The last part of a dotted name.
pub(super) fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Types without arguments. `module` tells a builtin from a class of the same name elsewhere.
fn plain(module: &str, name: &str) -> Option<Type> {
    let root = module.split('.').next().unwrap_or(module);
    if root == "builtins" {
        return Some(match name {
            "str" | "bytes" | "bytearray" => Type::String,
            "int" | "float" => Type::Number,
            "bool" => Type::Boolean,
            "object" | "complex" | "type" => Type::Any,
            _ => return None,
        });
    }
    Some(match name {
        "LiteralString" | "Text" | "AnyStr" | "datetime" | "date" | "time" | "timedelta" | "UUID" | "UUID1"
        | "UUID3" | "UUID4" | "UUID5" | "Decimal" | "Path" | "PurePath" | "PurePosixPath" | "PosixPath"
        | "FilePath" | "DirectoryPath" | "NewPath" | "AwareDatetime" | "NaiveDatetime" | "PastDatetime"
        | "FutureDatetime" | "AnyUrl" | "AnyHttpUrl" | "HttpUrl" | "FileUrl" | "WebsocketUrl" | "AnyWebsocketUrl"
        | "EmailStr" | "SecretStr" | "StrictStr" | "StrictBytes" | "IPv4Address" | "IPv6Address" | "IPvAnyAddress"
        | "Base64Str" | "Base64Bytes" | "ByteString" => Type::String,
        "StrictInt" | "StrictFloat" | "PositiveInt" | "NonNegativeInt" | "NegativeInt" | "NonPositiveInt"
        | "PositiveFloat" | "NonNegativeFloat" | "NegativeFloat" | "NonPositiveFloat" | "FiniteFloat" | "ByteSize" => {
            Type::Number
        }
        "StrictBool" => Type::Boolean,
        "Any" | "JsonValue" | "Type" | "Self" | "BaseModel" | "Callable" | "Awaitable" | "Coroutine"
        | "AsyncIterator" | "AsyncIterable" | "AsyncGenerator" | "Iterator" | "Generator" | "Future" | "Task"
        | "Lock" | "Queue" => Type::Any,
        "NoneType" => Type::Null,
        _ => return None,
    })
}
