//! What a class is, by what it is derived from or decorated with, and what it looks like on the wire.

use std::collections::BTreeMap;

use agent_contracts_wire::{Arm, Field, Literal, Object, Stability, Type, Union};

use super::aliases::{alias_of, generator};
use super::convert::{Converter, Env, last, value};
use super::facts::{Class, Decl, Expr, Member, What};
use super::modules::{Key, Target};

/// How long a chain of bases may be.
const MAX_DEPTH: usize = 20;

/// What a class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A pydantic model, or another whose fields are annotated members.
    Model,
    TypedDict,
    Dataclass,
    NamedTuple,
    /// With what `auto()` gives.
    Enum(Auto),
    /// Derived from a builtin: `class Id(str)`.
    Builtin,
    /// Plain constants: `class Codes: A = 1`.
    Constants,
    /// Exceptions, protocols, services.
    InProcess,
}

/// What `auto()` gives in an enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Auto {
    Count,
    /// The name in lower case, in a `StrEnum`.
    LowerName,
}

/// A base of a class, as far as the tree knows it.
enum Base {
    Class(Key, Box<Class>),
    Outside(String),
}

fn bases(converter: &Converter<'_, '_>, key: &Key, class: &Class) -> Vec<(Base, Expr)> {
    let mut found = vec![];
    for expr in &class.bases {
        let Some(name) = expr.base_name() else { continue };
        let outer = key.name.rsplit_once('.').map(|(outer, _)| outer);
        let base = match converter.world.resolve(&key.path, outer, name) {
            Target::Decl(target, _) => match class_at(converter, &target, 0) {
                Some((target, class)) if target != *key => Base::Class(target, Box::new(class)),
                _ => continue,
            },
            Target::External(_, name) => Base::Outside(last(&name).to_owned()),
        };
        found.push((base, expr.clone()));
    }
    found
}

/// The class that a key names, through plain aliases.
fn class_at(converter: &Converter<'_, '_>, key: &Key, depth: usize) -> Option<(Key, Class)> {
    let module = converter.world.module(&key.path)?;
    match &module.find(&key.name)?.what {
        What::Class(class) => Some((key.clone(), class.clone())),
        What::Alias(alias) if depth < MAX_DEPTH => {
            let name = alias.expr.base_name()?;
            match converter.world.resolve(&key.path, None, name) {
                Target::Decl(target, None) => class_at(converter, &target, depth + 1),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What a class is.
pub(super) fn kind(converter: &Converter<'_, '_>, key: &Key, class: &Class) -> Kind {
    kind_of(converter, key, class, 0).unwrap_or_else(|| {
        let constants = class.methods.is_empty()
            && class.members.len() > 1
            && class.members.iter().all(|member| {
                let is_value = matches!(member.value, Some(Expr::Text(_) | Expr::Number(_)));
                is_value && member.annotation.is_none() && member.name == member.name.to_uppercase()
            });
        if constants { Kind::Constants } else { Kind::InProcess }
    })
}

fn kind_of(converter: &Converter<'_, '_>, key: &Key, class: &Class, depth: usize) -> Option<Kind> {
    if depth > MAX_DEPTH {
        return None;
    }
    let decorated = class.decorators.iter().any(|decorator| {
        let name = decorator.base_name().unwrap_or_default();
        ["dataclass", "define", "frozen", "mutable"].contains(&last(name))
            || ["attr.s", "attr.attrs", "attrs"].contains(&name)
    });
    if decorated {
        return Some(Kind::Dataclass);
    }
    let mut unknown = false;
    let mut found = None;
    for (base, _) in bases(converter, key, class) {
        let kind = match base {
            Base::Class(target, class) => kind_of(converter, &target, &class, depth + 1),
            Base::Outside(name) => match made_by(&name) {
                Made::Of(kind) => Some(kind),
                Made::Nothing => None,
                Made::Unknown => {
                    unknown = true;
                    None
                }
            },
        };
        // `class Kind(str, Enum)`: the enum counts.
        if let (None | Some(Kind::Builtin), Some(_)) = (found, kind) {
            found = kind;
        }
    }
    // Derived from something that the tree does not hold, with annotated members: most likely a model.
    let has_fields = class.members.iter().any(|member| member.annotation.is_some());
    found.or((unknown && has_fields).then_some(Kind::Model))
}

/// What a base from outside the tree makes of a class.
enum Made {
    Of(Kind),
    /// Nothing by itself: `object`, `ABC`.
    Nothing,
    Unknown,
}

fn made_by(name: &str) -> Made {
    Made::Of(match name {
        "BaseModel" | "RootModel" | "BaseSettings" | "GenericModel" | "SQLModel" | "Struct" => Kind::Model,
        "TypedDict" => Kind::TypedDict,
        "NamedTuple" => Kind::NamedTuple,
        "StrEnum" => Kind::Enum(Auto::LowerName),
        "Enum" | "IntEnum" | "Flag" | "IntFlag" | "ReprEnum" => Kind::Enum(Auto::Count),
        "Protocol" => Kind::InProcess,
        "str" | "int" | "float" | "bool" | "bytes" => Kind::Builtin,
        "object" | "ABC" | "Generic" => return Made::Nothing,
        _ if ["Exception", "Error", "Warning", "Group", "Interrupt"]
            .iter()
            .any(|end| name.ends_with(end)) =>
        {
            Kind::InProcess
        }
        _ => return Made::Unknown,
    })
}

/// The names of the type parameters: `class A[T]`, `class A(Generic[T])`, `class A(Base[T])`.
pub(super) fn params(converter: &Converter<'_, '_>, key: &Key, class: &Class) -> Vec<String> {
    if !class.params.is_empty() {
        return class.params.clone();
    }
    let mut found = vec![];
    for base in &class.bases {
        let Expr::Subscript(of, arguments) = base else { continue };
        for name in arguments.iter().filter_map(Expr::base_name) {
            let is_variable = match converter.world.resolve(&key.path, None, name) {
                Target::Decl(target, None) => converter
                    .world
                    .module(&target.path)
                    .and_then(|module| {
                        module
                            .find(&target.name)
                            .map(|decl| matches!(decl.what, What::Variable(_)))
                    })
                    .unwrap_or(false),
                _ => false,
            };
            let named = of.last_name() == Some("Generic") || is_variable;
            if named && !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
    }
    found
}

/// The wire form of a class.
pub(super) fn body(converter: &Converter<'_, '_>, env: &Env, key: &Key, class: &Class) -> Type {
    match kind(converter, key, class) {
        Kind::InProcess => Type::Any,
        Kind::Builtin => class
            .bases
            .iter()
            .find_map(Expr::last_name)
            .map_or(Type::Any, |name| converter.ty(env, &Expr::Name(name.to_owned()))),
        Kind::NamedTuple => {
            let fields = class.members.iter().filter_map(|member| member.annotation.as_ref());
            Type::Tuple(fields.map(|ty| converter.ty(env, ty)).collect())
        }
        Kind::Enum(_) => values(enum_members(converter, key, class), false),
        Kind::Constants => {
            let members = class.members.iter().filter_map(|member| {
                let Some(Type::Literal(literal)) = member.value.as_ref().and_then(value) else {
                    return None;
                };
                Some((member.name.clone(), literal, (member.line, member.stability)))
            });
            // Nothing says that no other value may come.
            values(members.collect(), true)
        }
        kind @ (Kind::Model | Kind::TypedDict | Kind::Dataclass) => {
            let root = class.bases.iter().find(|base| base.last_name() == Some("RootModel"));
            if let Some(Expr::Subscript(_, arguments)) = root
                && let Some(of) = arguments.first()
            {
                return converter.ty(env, of);
            }
            Type::Object(object(converter, env, key, class, kind))
        }
    }
}

fn values(members: Vec<(String, Literal, (u32, Stability))>, open: bool) -> Type {
    let mut union = Union {
        open,
        ..Union::default()
    };
    for (name, literal, (line, stability)) in members {
        let ty = Type::Literal(literal);
        if !union.arms.iter().any(|arm| arm.ty == ty) {
            union.arms.push(Arm {
                name: Some(name),
                stability,
                line,
                ..Arm::of(ty)
            });
        }
    }
    if union.arms.is_empty() {
        Type::Any
    } else {
        Type::Union(union)
    }
}

/// The members of an enum with their values.
pub(super) fn enum_members(
    converter: &Converter<'_, '_>,
    key: &Key,
    class: &Class,
) -> Vec<(String, Literal, (u32, Stability))> {
    let Kind::Enum(auto) = kind(converter, key, class) else {
        return vec![];
    };
    let mut count = 0_i64;
    let mut found: Vec<(String, Literal, (u32, Stability))> = vec![];
    for member in class
        .members
        .iter()
        .filter(|member| member.annotation.is_none() && !member.name.starts_with('_'))
    {
        let literal = match &member.value {
            Some(Expr::Call(name, _)) if last(name) == "auto" => match auto {
                Auto::Count => Literal::Number((count + 1).to_string()),
                Auto::LowerName => Literal::String(member.name.to_lowercase()),
            },
            Some(Expr::Name(other)) => match found.iter().find(|(name, ..)| name == other) {
                Some((_, literal, _)) => literal.clone(),
                None => continue,
            },
            // A member with several values is told by the first.
            Some(Expr::List(all)) => match all.first().and_then(value) {
                Some(Type::Literal(literal)) => literal,
                _ => continue,
            },
            Some(other) => match value(other) {
                Some(Type::Literal(literal)) => literal,
                _ => continue,
            },
            None => continue,
        };
        if let Literal::Number(text) = &literal {
            count = text.parse().unwrap_or(count);
        }
        found.push((member.name.clone(), literal, (member.line, member.stability)));
    }
    found
}

fn object(converter: &Converter<'_, '_>, env: &Env, key: &Key, class: &Class, kind: Kind) -> Object {
    let mut object = Object {
        open: config(converter, key, class, "extra", 0)
            .is_some_and(|extra| extra.text() == Some("allow") || extra.last_name() == Some("allow")),
        ..Object::default()
    };
    for (base, expr) in bases(converter, key, class) {
        let Base::Class(target, class) = base else { continue };
        let is_data = matches!(
            self::kind(converter, &target, &class),
            Kind::Model | Kind::TypedDict | Kind::Dataclass
        );
        if is_data {
            let part = converter.ty(env, &expr);
            if matches!(part, Type::Named(_) | Type::Object(_)) {
                object.parts.push(part);
            }
        }
    }
    let total = class
        .config
        .iter()
        .all(|(name, value)| name != "total" || *value != Expr::Boolean(false));
    let aliases = generator(config(converter, key, class, "alias_generator", 0).as_ref());
    let by_name = ["populate_by_name", "validate_by_name", "allow_population_by_field_name"]
        .iter()
        .any(|name| config(converter, key, class, name, 0) == Some(Expr::Boolean(true)));
    for member in &class.members {
        let Some(annotation) = &member.annotation else { continue };
        if member.name.starts_with('_')
            || member
                .value
                .as_ref()
                .is_some_and(|value| value.last_name() == Some("PrivateAttr"))
        {
            continue;
        }
        let Some(field) = FieldInfo::of(annotation, member.value.as_ref(), kind, total) else {
            continue;
        };
        let mut ty = converter.ty(env, annotation);
        if let (Type::Union(union), Some(tag)) = (&mut ty, field.setting("discriminator").and_then(Expr::text)) {
            union.tag = Some(tag.to_owned());
        }
        let mut required = !field.defaulted;
        if let Some(literal) = tag_value(converter, key, class, member, &ty) {
            ty = literal;
        }
        // A member that can hold one value only is always written with it.
        if matches!(ty, Type::Literal(_)) && field.defaulted && kind != Kind::TypedDict {
            required = true;
        }
        let (name, mut accepts) = alias_of(&field.settings, &member.name, aliases);
        if by_name && name != member.name {
            accepts.push(member.name.clone());
        }
        let mut wire = Field::new(ty, required, member.line);
        wire.defaulted = required && field.defaulted;
        wire.accepts = accepts;
        wire.stability = if field
            .setting("deprecated")
            .is_some_and(|value| *value != Expr::Boolean(false))
        {
            Stability::Deprecated
        } else {
            member.stability
        };
        object.fields.insert(name, wire);
    }
    for method in &class.methods {
        let computed = |decorator: &&Expr| decorator.base_name().map(last) == Some("computed_field");
        if let Some(decorator) = method.decorators.iter().find(computed) {
            let ty = decorator
                .keyword("return_type")
                .or(method.returns.as_ref())
                .map_or(Type::Any, |returns| converter.ty(env, returns));
            let name = match (decorator.keyword("alias").and_then(Expr::text), aliases.write) {
                (Some(alias), _) => alias.to_owned(),
                (None, Some(rename)) => rename(&method.name),
                (None, None) => method.name.clone(),
            };
            // Always written, and nothing that a reader needs.
            let mut field = Field::new(ty, true, method.line);
            field.defaulted = true;
            object.fields.insert(name, field);
        }
    }
    object
}

/// What stands around the type of a field.
struct FieldInfo<'e> {
    /// It has a default, or may be left out.
    defaulted: bool,
    /// The calls that describe it, the one in the place of the default first.
    settings: Vec<&'e Expr>,
}

impl<'e> FieldInfo<'e> {
    /// `None` for what is no field: class variables, excluded members.
    fn of(annotation: &'e Expr, value: Option<&'e Expr>, kind: Kind, total: bool) -> Option<Self> {
        let mut settings = vec![];
        let mut may_be_missing = kind == Kind::TypedDict && !total;
        let mut inner = annotation;
        // `Required[Annotated[T, Field(…)]]`: the marks may stand in any order.
        for _ in 0..8 {
            let Expr::Subscript(_, arguments) = inner else { break };
            match inner.last_name() {
                Some("ClassVar" | "InitVar") => return None,
                Some("Final") if value.is_some() && kind == Kind::Model => return None,
                Some("Required") => may_be_missing = false,
                Some("NotRequired") => may_be_missing = true,
                Some("Annotated") => {
                    settings.extend(arguments.iter().skip(1).filter(|call| matches!(call, Expr::Call(..))));
                }
                Some("ReadOnly" | "Final") => {}
                _ => break,
            }
            inner = arguments.first()?;
        }
        if ["ClassVar", "KW_ONLY"]
            .iter()
            .any(|name| inner.last_name() == Some(name))
        {
            return None;
        }
        let mut defaulted = may_be_missing;
        match value {
            None | Some(Expr::Ellipsis) => {}
            Some(call @ Expr::Call(name, arguments)) if is_field_call(name) => {
                settings.insert(0, call);
                let positional = arguments.iter().find(|(key, _)| key.is_none()).map(|(_, value)| value);
                let default = call.keyword("default").or(positional);
                defaulted |= default.is_some_and(|value| *value != Expr::Ellipsis)
                    || ["default_factory", "factory"]
                        .iter()
                        .any(|key| call.keyword(key).is_some());
            }
            Some(_) => defaulted = true,
        }
        let in_metadata = settings.iter().any(|call| {
            ["default", "default_factory"]
                .iter()
                .any(|key| call.keyword(key).is_some_and(|value| *value != Expr::Ellipsis))
        });
        let info = Self {
            defaulted: defaulted || in_metadata,
            settings,
        };
        (info.setting("exclude") != Some(&Expr::Boolean(true))).then_some(info)
    }

    fn setting(&self, name: &str) -> Option<&'e Expr> {
        self.settings.iter().find_map(|call| call.keyword(name))
    }
}

fn is_field_call(name: &str) -> bool {
    ["Field", "field", "ib", "attrib", "Body", "Query"].contains(&last(name))
}

/// The value of a member that tells classes of one family apart: declared as a plain string in a base, without a
/// default, and given one here: `type: str = "diff"`. A base outside the tree is taken to declare a `type` or `kind`.
fn tag_value(converter: &Converter<'_, '_>, key: &Key, class: &Class, member: &Member, ty: &Type) -> Option<Type> {
    let Some(Expr::Text(text)) = &member.value else {
        return None;
    };
    if *ty != Type::String {
        return None;
    }
    let told = match inherited(converter, key, class, &member.name, 0) {
        Some(declared) => declared.value.is_none(),
        None => ["type", "kind"].contains(&member.name.as_str()) && has_unknown_base(converter, key, class, 0),
    };
    told.then(|| Type::literal(text.clone()))
}

fn has_unknown_base(converter: &Converter<'_, '_>, key: &Key, class: &Class, depth: usize) -> bool {
    depth < MAX_DEPTH
        && bases(converter, key, class).into_iter().any(|(base, _)| match base {
            Base::Class(target, class) => has_unknown_base(converter, &target, &class, depth + 1),
            Base::Outside(name) => matches!(made_by(&name), Made::Unknown),
        })
}

/// The nearest declaration of a member in the bases.
fn inherited(converter: &Converter<'_, '_>, key: &Key, class: &Class, name: &str, depth: usize) -> Option<Member> {
    if depth > MAX_DEPTH {
        return None;
    }
    bases(converter, key, class)
        .into_iter()
        .find_map(|(base, _)| match base {
            Base::Class(target, class) => {
                let own = class
                    .members
                    .iter()
                    .find(|member| member.name == name && member.annotation.is_some());
                own.cloned()
                    .or_else(|| inherited(converter, &target, &class, name, depth + 1))
            }
            Base::Outside(_) => None,
        })
}

/// A setting of a class, or of the nearest base that has it.
fn config(converter: &Converter<'_, '_>, key: &Key, class: &Class, name: &str, depth: usize) -> Option<Expr> {
    if let Some((_, value)) = class.config.iter().rev().find(|(own, _)| own == name) {
        return Some(value.clone());
    }
    if depth > MAX_DEPTH {
        return None;
    }
    bases(converter, key, class)
        .into_iter()
        .find_map(|(base, _)| match base {
            Base::Class(target, class) => config(converter, &target, &class, name, depth + 1),
            Base::Outside(_) => None,
        })
}

/// The declarations of classes that a key stands for, for the diagnosis of in-process ones.
pub(super) fn mentions_process(class: &Class) -> bool {
    const PROCESS: [&str; 10] = [
        "Callable",
        "Awaitable",
        "Coroutine",
        "Future",
        "Task",
        "Lock",
        "Queue",
        "Logger",
        "AsyncIterator",
        "Iterator",
    ];
    class
        .members
        .iter()
        .filter_map(|member| member.annotation.as_ref())
        .any(|annotation| {
            let mut names = vec![];
            annotation.names(&mut names);
            names.iter().any(|name| PROCESS.contains(&last(name)))
        })
}

/// The class of a declaration.
pub(super) fn class_of(decl: &Decl) -> Option<&Class> {
    match &decl.what {
        What::Class(class) => Some(class),
        _ => None,
    }
}

/// Type parameters standing for anything.
pub(super) fn open_params(converter: &Converter<'_, '_>, key: &Key, class: &Class) -> BTreeMap<String, Type> {
    params(converter, key, class)
        .into_iter()
        .map(|name| (name, Type::Any))
        .collect()
}
