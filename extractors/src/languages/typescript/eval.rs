//! Types of the language to types on the wire.
//!
//! Evaluation is eager but for names: a reference to a declared type stays a name, and is only looked into when something
//! is computed from it. Depth and work are bounded; what goes beyond is unresolved.

use std::rc::Rc;

use agent_contracts_wire::model::{Literal, Type};

use super::ast::{DeclKind, Element, Keyword, Param, Ty, UnionArm};
use super::linker::Linker;
use super::modules::{DeclKey, Found, Want};
use super::schemas::SchemaRole;
use super::unions::UnionBuilder;
use super::utilities;

/// How deep evaluation may go.
const MAX_DEPTH: u32 = 150;
/// How many generic types may be filled in inside each other, and how large a type may be that fills one in.
const MAX_INSTANCES: usize = 24;
const MAX_ARGUMENT: usize = 5_000;
/// How many combinations a template literal type may spell out.
const MAX_SPELLED: usize = 200;

/// The value of a type expression: what it looks like on the wire, and what of it never gets there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Val {
    pub(super) ty: Type,
    /// `undefined` is possible: the key may be absent.
    pub(super) absent: bool,
    /// A function is possible; it is left out.
    pub(super) callable: bool,
    /// Who reads it fills it in.
    pub(super) defaulted: bool,
}

impl Val {
    pub(super) const fn of(ty: Type) -> Self {
        Self {
            ty,
            absent: false,
            callable: false,
            defaulted: false,
        }
    }

    pub(super) fn never() -> Self {
        Self::of(Type::union([]))
    }

    pub(super) fn function() -> Self {
        Self {
            callable: true,
            ..Self::never()
        }
    }

    /// No value of it goes over a wire.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(&self.ty, Type::Union(union) if union.arms.is_empty() && !union.open)
    }

    pub(super) const fn or_absent(mut self) -> Self {
        self.absent = true;
        self
    }
}

/// Type parameters and what they stand for.
#[derive(Debug, Clone, Default)]
pub(super) struct Env(Option<Rc<Binding>>);

#[derive(Debug)]
struct Binding {
    name: String,
    val: Val,
    outer: Env,
}

impl Env {
    pub(super) fn with(&self, name: &str, val: Val) -> Self {
        Self(Some(Rc::new(Binding {
            name: name.to_owned(),
            val,
            outer: self.clone(),
        })))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Val> {
        let mut env = self;
        while let Some(binding) = &env.0 {
            if binding.name == name {
                return Some(&binding.val);
            }
            env = &binding.outer;
        }
        None
    }
}

/// Where a type expression stands.
#[derive(Debug, Clone)]
pub(super) struct Cx<'a> {
    pub(super) module: usize,
    pub(super) space: &'a str,
    pub(super) env: Env,
    pub(super) line: u32,
}

impl Linker<'_> {
    /// What `ty` looks like on the wire.
    pub(super) fn eval(&mut self, ty: &Ty, cx: &Cx<'_>) -> Val {
        if self.depth >= MAX_DEPTH || self.fuel == 0 {
            return self.unresolved("a type that computes without end", cx);
        }
        self.fuel -= 1;
        self.depth += 1;
        let val = self.eval_inner(ty, cx);
        self.depth -= 1;
        val
    }

    fn eval_inner(&mut self, ty: &Ty, cx: &Cx<'_>) -> Val {
        match ty {
            Ty::Keyword(keyword) => of_keyword(*keyword),
            Ty::Literal(literal) => Val::of(Type::Literal(literal.clone())),
            Ty::Template(pieces) => self.template(pieces, cx),
            Ty::Ref { name, args } => self.reference(name, args, cx),
            Ty::Import { module, name, args } => match self.modules.target(cx.module, module) {
                Some(target) => {
                    let found = self.modules.exported(target, name, Want::Type);
                    self.found(found, name, args, cx)
                }
                None => self.found(Found::Outside(module.clone(), name.clone()), name, args, cx),
            },
            Ty::Object(shape) if shape.is_function() => Val::function(),
            Ty::Object(shape) => Val::of(self.shape(&[shape], cx).0),
            Ty::Mapped(mapped) => self.mapped(mapped, cx),
            Ty::Array(item) => {
                let item = self.eval(item, cx);
                list_of(item)
            }
            Ty::Tuple(items) => self.tuple(items, cx),
            Ty::Union { arms, tag } => self.union(arms, tag.as_ref(), cx),
            Ty::Intersection(operands) => {
                let vals = operands.iter().map(|operand| self.eval(operand, cx)).collect();
                self.intersect(vals)
            }
            Ty::KeyOf(of) => {
                let of = self.eval(of, cx);
                self.keys(&of.ty, cx)
            }
            Ty::Index(pair) => self.index(&pair.0, &pair.1, cx),
            // In a function that makes schemas, a parameter.
            Ty::TypeOf(name) => match cx.env.get(name) {
                Some(val) => val.clone(),
                None => self.type_of(name, cx),
            },
            Ty::Twin(pair) => {
                let is_named = self.names_type_of_scope(&pair.0, cx.module, cx.space);
                self.eval(if is_named { &pair.0 } else { &pair.1 }, cx)
            }
            Ty::Conditional(conditional) => self.conditional(conditional, cx),
            // Only where a pattern is matched.
            Ty::Infer(_) => Val::of(Type::Any),
            Ty::Function(_) | Ty::Maker { .. } => Val::function(),
            Ty::Schema(inner) => self.eval(inner, cx),
            Ty::Defaulted(inner) => {
                let val = self.eval(inner, cx);
                Val {
                    absent: false,
                    defaulted: true,
                    ..val
                }
            }
            Ty::Unread(text) => self.unresolved(text, cx),
        }
    }

    fn reference(&mut self, name: &str, args: &[Ty], cx: &Cx<'_>) -> Val {
        if args.is_empty()
            && let Some(val) = cx.env.get(name)
        {
            return val.clone();
        }
        match self.modules.resolve(cx.module, cx.space, name, Want::Type) {
            Found::Unknown => match utilities::of(name) {
                Some(utility) => self.utility(utility, args, cx),
                None => self.unresolved(name, cx),
            },
            found => self.found(found, name, args, cx),
        }
    }

    fn found(&mut self, found: Found, name: &str, args: &[Ty], cx: &Cx<'_>) -> Val {
        match found {
            Found::Decl(key, rest) if rest.is_empty() => self.declared(key, args, cx),
            Found::Decl(key, rest) => match self.member_of(key, &rest) {
                Some(val) => val,
                None => self.unresolved(name, cx),
            },
            Found::Outside(module, name) => match utilities::imported(&module, &name) {
                Some(utility) => self.utility(utility, args, cx),
                None => self.unresolved(&name, cx),
            },
            Found::Unknown => self.unresolved(name, cx),
        }
    }

    /// A reference to a declaration: its name, unless its arguments make it another type.
    pub(super) fn declared(&mut self, key: DeclKey, args: &[Ty], cx: &Cx<'_>) -> Val {
        let module = self.modules.get(key.module);
        let Some(decl) = module.decl(key.index) else {
            return Val::of(Type::Any);
        };
        let params: &[Param] = match &decl.kind {
            DeclKind::Alias { params, .. } | DeclKind::Interface { params, .. } | DeclKind::Class { params, .. } => {
                params
            }
            DeclKind::Enum(_) => &[],
            DeclKind::Const(_) | DeclKind::Function(_) => return self.type_of_decl(key, &[], cx),
        };
        if args.is_empty() || params.is_empty() {
            return self.by_name(key);
        }
        let mut inside = Cx {
            module: key.module,
            space: &decl.space,
            env: Env::default(),
            line: decl.line,
        };
        let mut as_declared = true;
        for (index, param) in params.iter().enumerate() {
            let default = param
                .default
                .as_ref()
                .or(param.constraint.as_ref())
                .map(|ty| self.eval(ty, &inside));
            let val = match args.get(index) {
                Some(arg) => {
                    let val = self.eval(arg, cx);
                    as_declared &= val.ty == Type::Any || default.as_ref().is_some_and(|default| *default == val);
                    val
                }
                None => default.unwrap_or(Val::of(Type::Any)),
            };
            inside.env = inside.env.with(&param.name, val);
        }
        if as_declared && !matches!(&decl.kind, DeclKind::Alias { ty, .. } if is_helper(ty)) {
            return self.by_name(key);
        }
        let is_large = |param: &Param| {
            inside
                .env
                .get(&param.name)
                .is_some_and(|val| size(&val.ty, MAX_ARGUMENT) == 0)
        };
        if self.instances.len() >= MAX_INSTANCES || params.iter().any(is_large) {
            return self.unresolved(&format!("{}, which computes without end", decl.name), cx);
        }
        let text: Vec<String> = params
            .iter()
            .filter_map(|param| inside.env.get(&param.name))
            .map(|val| val.ty.to_string())
            .collect();
        let instance = (key, text.join(", "));
        // Large arguments cost what they weigh.
        self.fuel = self
            .fuel
            .saturating_sub(u32::try_from(instance.1.len()).unwrap_or(u32::MAX));
        if self.instances.contains(&instance) {
            return self.by_name(key);
        }
        self.instances.push(instance);
        let val = match &decl.kind {
            DeclKind::Alias { ty, .. } => self.eval(ty, &inside),
            _ => Val::of(self.merged_shape(key, &inside).0),
        };
        self.instances.pop();
        val
    }

    /// A declaration by its id, with what the id does not say: that it may be absent, or is a function.
    pub(super) fn by_name(&mut self, key: DeclKey) -> Val {
        let flags = self.flags(key, 0);
        if flags.nothing {
            return Val {
                absent: flags.absent,
                callable: flags.callable,
                ..Val::never()
            };
        }
        Val {
            ty: Type::Named(self.id(key)),
            absent: flags.absent,
            callable: flags.callable,
            defaulted: flags.defaulted,
        }
    }

    /// What of an alias never gets onto the wire, told from its text alone: making its body here could go round in
    /// circles.
    fn flags(&mut self, key: DeclKey, depth: u32) -> Flags {
        let module = self.modules.get(key.module);
        match module.decl(key.index) {
            Some(decl) if depth < 16 => match &decl.kind {
                DeclKind::Alias { ty, .. } => self.flags_of(ty, key.module, &decl.space, depth + 1),
                DeclKind::Interface { shape, .. } if shape.is_function() => FUNCTION,
                DeclKind::Const(Ty::Schema(inner)) => self.flags_of(inner, key.module, &decl.space, depth + 1),
                _ => Flags::default(),
            },
            _ => Flags::default(),
        }
    }

    fn flags_of(&mut self, ty: &Ty, module: usize, space: &str, depth: u32) -> Flags {
        match ty {
            Ty::Keyword(Keyword::Undefined) => Flags {
                absent: true,
                nothing: true,
                ..Flags::default()
            },
            Ty::Twin(pair) => self.flags_of(&pair.1, module, space, depth),
            Ty::Defaulted(inner) => {
                let flags = self.flags_of(inner, module, space, depth);
                Flags {
                    absent: false,
                    defaulted: true,
                    ..flags
                }
            }
            Ty::Keyword(Keyword::Never) => Flags {
                nothing: true,
                ..Flags::default()
            },
            Ty::Function(_) => FUNCTION,
            Ty::Object(shape) if shape.is_function() => FUNCTION,
            Ty::Array(item) => match self.flags_of(item, module, space, depth) {
                flags if flags.nothing && flags.callable => FUNCTION,
                _ => Flags::default(),
            },
            Ty::Union { arms, .. } => {
                let mut all = Flags {
                    nothing: true,
                    ..Flags::default()
                };
                for arm in arms {
                    let flags = self.flags_of(&arm.ty, module, space, depth);
                    all.absent |= flags.absent;
                    all.callable |= flags.callable;
                    all.defaulted |= flags.defaulted;
                    all.nothing &= flags.nothing;
                }
                all
            }
            Ty::Ref { name, args } if args.is_empty() => match self.modules.resolve(module, space, name, Want::Type) {
                Found::Decl(key, rest) if rest.is_empty() => self.flags(key, depth),
                Found::Unknown if utilities::of(name) == Some(utilities::Utility::Behaviour) => FUNCTION,
                _ => Flags::default(),
            },
            Ty::TypeOf(name) => match self.modules.resolve(module, space, name, Want::Value) {
                Found::Decl(key, rest) if rest.is_empty() => self.flags(key, depth),
                _ => Flags::default(),
            },
            _ => Flags::default(),
        }
    }

    fn type_of(&mut self, name: &str, cx: &Cx<'_>) -> Val {
        match self.modules.resolve(cx.module, cx.space, name, Want::Value) {
            Found::Decl(key, rest) => self.type_of_decl(key, &rest, cx),
            Found::Outside(..) | Found::Unknown => self.unresolved(&format!("typeof {name}"), cx),
        }
    }

    /// `typeof` of a declaration, and of a path into it.
    fn type_of_decl(&mut self, key: DeclKey, rest: &[String], cx: &Cx<'_>) -> Val {
        let module = self.modules.get(key.module);
        let Some(decl) = module.decl(key.index) else {
            return Val::of(Type::Any);
        };
        if !rest.is_empty() {
            return match self.member_of(key, rest) {
                Some(val) => val,
                None => self.unresolved(&format!("typeof {}.{}", decl.name, rest.join(".")), cx),
            };
        }
        let inside = Cx {
            module: key.module,
            space: &decl.space,
            env: Env::default(),
            line: decl.line,
        };
        match &decl.kind {
            DeclKind::Const(ty) => match self.schema_role(key) {
                Some(SchemaRole::Alias(alias)) => self.by_name(alias),
                Some(SchemaRole::Itself) => self.by_name(key),
                Some(SchemaRole::Other) | None => self.eval(ty, &inside),
            },
            DeclKind::Enum(members) => Val::of(super::constants::enum_object(members)),
            _ => Val::function(),
        }
    }

    /// A member of an enum, or of a constant object.
    fn member_of(&mut self, key: DeclKey, path: &[String]) -> Option<Val> {
        let module = self.modules.get(key.module);
        let decl = module.decl(key.index)?;
        let inside = Cx {
            module: key.module,
            space: &decl.space,
            env: Env::default(),
            line: decl.line,
        };
        match &decl.kind {
            DeclKind::Enum(members) => {
                let [name] = path else { return None };
                let member = members.iter().find(|member| member.name == *name)?;
                Some(match &member.value {
                    Some(value) => Val::of(Type::Literal(value.clone())),
                    None => self.unresolved(&format!("{}.{name}", decl.name), &inside),
                })
            }
            DeclKind::Const(Ty::Schema(schema)) => match path {
                // What zod keeps of the values of an enum.
                [list] if list == "options" => Some(self.eval(schema, &inside)),
                [table, name] if ["enum", "Enum", "Values"].contains(&table.as_str()) => {
                    let values = self.eval(schema, &inside);
                    let value = Literal::String(name.clone());
                    let held = self.literals(&values.ty)?.contains(&value);
                    held.then(|| Val::of(Type::Literal(value)))
                }
                _ => None,
            },
            DeclKind::Const(ty) => {
                let mut ty = ty;
                for name in path {
                    ty = match ty {
                        Ty::Object(shape) => shape.field(name)?.0,
                        _ => return None,
                    };
                }
                Some(self.eval(ty, &inside))
            }
            _ => None,
        }
    }

    /// The type parameter list of a function value: what it returns.
    pub(super) fn returned(&mut self, of: &Ty, cx: &Cx<'_>) -> Option<Val> {
        let (module, space, ty) = match of {
            Ty::Function(Some(returned)) => return Some(self.eval(returned, cx)),
            Ty::TypeOf(name) => match self.modules.resolve(cx.module, cx.space, name, Want::Value) {
                Found::Decl(key, rest) if rest.is_empty() => {
                    let module = self.modules.get(key.module);
                    let decl = module.decl(key.index)?;
                    match &decl.kind {
                        DeclKind::Function(returned) => (key.module, decl.space.clone(), returned.clone()),
                        DeclKind::Const(Ty::Function(Some(returned))) => {
                            (key.module, decl.space.clone(), (**returned).clone())
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            },
            _ => return None,
        };
        let inside = Cx {
            module,
            space: &space,
            env: Env::default(),
            line: cx.line,
        };
        Some(self.eval(&ty, &inside))
    }

    fn tuple(&mut self, items: &[Element], cx: &Cx<'_>) -> Val {
        let mut fixed = Vec::new();
        let mut open = false;
        for item in items {
            let val = self.eval(&item.ty, cx);
            if item.rest {
                match val.ty {
                    Type::Tuple(more) => fixed.extend(more),
                    Type::Array(of) => {
                        open = true;
                        fixed.push(*of);
                    }
                    other => {
                        open = true;
                        fixed.push(self.item(&other));
                    }
                }
            } else {
                open |= item.optional;
                fixed.push(val.ty);
            }
        }
        if !open {
            return Val::of(Type::Tuple(fixed));
        }
        // Positions that may be missing have no word in the model: a list of whatever can stand there.
        let mut union = UnionBuilder::default();
        for ty in fixed {
            union.add(Val::of(ty));
        }
        let item = union.build(self);
        Val::of(Type::Array(Box::new(item.ty)))
    }

    fn union(&mut self, arms: &[UnionArm], tag: Option<&String>, cx: &Cx<'_>) -> Val {
        let mut union = UnionBuilder::tagged(tag.cloned());
        for arm in arms {
            let line = if arm.line == 0 { cx.line } else { arm.line };
            let cx = Cx { line, ..cx.clone() };
            let val = self.eval(&arm.ty, &cx);
            union.add_arm(val, arm.line, arm.stability);
        }
        union.build(self)
    }

    /// A template literal type: its spellings when they are few and closed, else any string.
    fn template(&mut self, pieces: &[Ty], cx: &Cx<'_>) -> Val {
        let mut spelled = vec![String::new()];
        for piece in pieces {
            let val = self.eval(piece, cx);
            let Some(choices) = self.literals(&val.ty) else {
                return Val::of(Type::String);
            };
            if choices.len() * spelled.len() > MAX_SPELLED {
                return Val::of(Type::String);
            }
            spelled = spelled
                .iter()
                .flat_map(|start| choices.iter().map(move |choice| format!("{start}{choice}")))
                .collect();
        }
        let mut union = UnionBuilder::default();
        for text in spelled {
            union.add(Val::of(Type::Literal(Literal::String(text))));
        }
        union.build(self)
    }
}

/// What of a type never gets onto the wire.
#[expect(clippy::struct_excessive_bools, reason = "four facts that hold in any mixture")]
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    absent: bool,
    callable: bool,
    defaulted: bool,
    /// Nothing of it does.
    nothing: bool,
}

const FUNCTION: Flags = Flags {
    absent: false,
    callable: true,
    defaulted: false,
    nothing: true,
};

/// What is left of `limit` when a type is counted; 0 when it is larger.
fn size(ty: &Type, limit: usize) -> usize {
    let mut left = limit.saturating_sub(1);
    let mut count = |ty: &Type| {
        if left > 0 {
            left = size(ty, left);
        }
    };
    match ty {
        Type::Array(inner) | Type::Map(inner) => count(inner),
        Type::Tuple(items) => items.iter().for_each(count),
        Type::Object(object) => {
            object.fields.values().for_each(|field| count(&field.ty));
            object.parts.iter().for_each(count);
        }
        Type::Union(union) => union.arms.iter().for_each(|arm| count(&arm.ty)),
        _ => {}
    }
    left
}

/// Whether a generic alias computes its type from its parameters, so that its name alone says nothing.
const fn is_helper(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::Mapped(_) | Ty::Conditional(_) | Ty::Index(_) | Ty::KeyOf(_) | Ty::Ref { .. }
    )
}

/// A list; one of functions is as little on a wire as they are.
pub(super) fn list_of(item: Val) -> Val {
    if item.is_nothing() && item.callable {
        return Val::function();
    }
    Val::of(Type::Array(Box::new(item.ty)))
}

fn of_keyword(keyword: Keyword) -> Val {
    match keyword {
        Keyword::Any | Keyword::Object => Val::of(Type::Any),
        Keyword::String => Val::of(Type::String),
        Keyword::Number => Val::of(Type::Number),
        Keyword::Boolean => Val::of(Type::Boolean),
        Keyword::Null => Val::of(Type::Null),
        Keyword::Undefined => Val::never().or_absent(),
        Keyword::Never => Val::never(),
    }
}
