//! Objects: shapes, their members, and types that are computed from members (`keyof`, `A["b"]`, mapped types).

use std::collections::BTreeMap;

use agent_contracts_wire::model::{Field, Literal, Object, Type, Union};

use super::ast::{DeclKind, Mapped, MemberKind, Shape, Ty};
use super::eval::{Cx, Env, Val, list_of};
use super::linker::Linker;
use super::modules::{Found, Want};
use super::unions::UnionBuilder;

/// A type with its names and parts looked through, as far as they can be.
#[derive(Debug, Clone)]
pub(super) enum Flat {
    Object {
        fields: BTreeMap<String, Field>,
        /// What other members look like, where there may be some.
        others: Option<Type>,
        /// Parts that could not be looked into.
        unread: Vec<Type>,
    },
    Union(Union),
    List(Type),
    Tuple(Vec<Type>),
    Scalar,
    /// It cannot be looked into.
    Unread(Type),
}

impl Linker<'_> {
    /// The object that declarations of one name make together, and whether it has required methods.
    pub(super) fn shape(&mut self, shapes: &[&Shape], cx: &Cx<'_>) -> (Type, bool) {
        let mut object = Object::default();
        let mut others: Option<Type> = None;
        let mut behaves = false;
        let mut callbacks = false;
        for shape in shapes {
            for member in &shape.members {
                let cx = Cx {
                    line: member.line,
                    ..cx.clone()
                };
                let fields = match &member.kind {
                    MemberKind::Method | MemberKind::Call => {
                        behaves |= !member.optional;
                        callbacks = true;
                        continue;
                    }
                    MemberKind::Open => {
                        object.open = true;
                        continue;
                    }
                    MemberKind::Field { name, ty } => vec![(name.clone(), self.eval(ty, &cx))],
                    MemberKind::Index { key, value } => {
                        let key = self.member_key(key, &cx);
                        let value = self.eval(value, &cx);
                        match self.literals(&key) {
                            Some(names) => names
                                .into_iter()
                                .map(|name| (name.to_string(), value.clone()))
                                .collect(),
                            None if value.is_nothing() => Vec::new(),
                            None => {
                                others = Some(value.ty);
                                Vec::new()
                            }
                        }
                    }
                };
                for (name, val) in fields {
                    if val.is_nothing() {
                        // A callback may be missing on the wire only when it may be missing at all.
                        behaves |= val.callable && !member.optional && !val.absent;
                        callbacks |= val.callable;
                        continue;
                    }
                    let required = !member.optional && !val.absent;
                    let field = Field {
                        stability: member.stability,
                        defaulted: required && val.defaulted,
                        ..Field::new(val.ty, required, member.line)
                    };
                    object.fields.insert(name, field);
                }
            }
            for base in &shape.extends {
                let val = self.eval(base, cx);
                match val.ty {
                    Type::Any => {}
                    Type::Map(_) => object.open = true,
                    _ if val.is_nothing() => {}
                    ty => object.parts.push(ty),
                }
            }
        }
        absorb(&mut object);
        // Nothing but callbacks.
        behaves |= callbacks && object.fields.is_empty() && object.parts.is_empty() && others.is_none();
        if let Some(value) = others {
            if object.fields.is_empty() && object.parts.is_empty() && !object.open {
                return (Type::Map(Box::new(value)), behaves);
            }
            object.open = true;
        }
        (Type::Object(object), behaves)
    }

    /// The type of a key, which may be a constant: `[Events.Start]: …`.
    fn member_key(&mut self, key: &Ty, cx: &Cx<'_>) -> Type {
        if let Ty::Ref { name, args } = key
            && args.is_empty()
            && let Found::Unknown | Found::Outside(..) = self.modules.resolve(cx.module, cx.space, name, Want::Type)
            && let Found::Decl(..) = self.modules.resolve(cx.module, cx.space, name, Want::Value)
        {
            return self.eval(&Ty::TypeOf(name.clone()), cx).ty;
        }
        self.eval(key, cx).ty
    }

    /// Looks through names and parts.
    pub(super) fn flat(&mut self, ty: &Type) -> Flat {
        self.flat_to(ty, 0)
    }

    fn flat_to(&mut self, ty: &Type, depth: u32) -> Flat {
        if depth > 32 {
            return Flat::Unread(ty.clone());
        }
        match ty {
            Type::Named(id) => match self.body_of_id(id) {
                Some(body) => self.flat_to(&body.val.ty.clone(), depth + 1),
                None => Flat::Unread(ty.clone()),
            },
            Type::Object(object) => self.flat_object(object, depth),
            Type::Map(value) => Flat::Object {
                fields: BTreeMap::new(),
                others: Some((**value).clone()),
                unread: Vec::new(),
            },
            Type::Union(union) => Flat::Union(union.clone()),
            Type::Array(item) => Flat::List((**item).clone()),
            Type::Tuple(items) => Flat::Tuple(items.clone()),
            Type::Unresolved(_) | Type::Any => Flat::Unread(ty.clone()),
            _ => Flat::Scalar,
        }
    }

    fn flat_object(&mut self, object: &Object, depth: u32) -> Flat {
        let mut all: BTreeMap<String, Field> = BTreeMap::new();
        let mut all_others = object.open.then_some(Type::Any);
        let mut all_unread = Vec::new();
        for part in &object.parts {
            match self.flat_to(part, depth + 1) {
                Flat::Object { fields, others, unread } => {
                    all.extend(fields);
                    all_others = all_others.or(others);
                    all_unread.extend(unread);
                }
                // A union at this level: what its arms have in common is not worked out.
                _ => all_unread.push(part.clone()),
            }
        }
        all.extend(object.fields.iter().map(|(name, field)| (name.clone(), field.clone())));
        Flat::Object {
            fields: all,
            others: all_others,
            unread: all_unread,
        }
    }

    /// The members of an object, its parts' included.
    pub(super) fn fields(&mut self, ty: &Type) -> Option<BTreeMap<String, Field>> {
        match self.flat(ty) {
            Flat::Object { fields, .. } => Some(fields),
            _ => None,
        }
    }

    /// The values of a type that is closed and made of literals alone.
    pub(super) fn literals(&mut self, ty: &Type) -> Option<Vec<Literal>> {
        match ty {
            Type::Literal(literal) => Some(vec![literal.clone()]),
            Type::Union(union) if !union.open => {
                let mut all = Vec::new();
                for arm in &union.arms {
                    all.extend(self.literals(&arm.ty)?);
                }
                Some(all)
            }
            Type::Named(id) => {
                let body = self.body_of_id(id)?;
                match &body.val.ty {
                    // Only scalars: looking into objects here would evaluate everything.
                    ty @ (Type::Literal(_) | Type::Union(_) | Type::Named(_)) => self.literals(&ty.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `keyof ty`. Of what cannot be read, that.
    pub(super) fn keys(&mut self, ty: &Type, cx: &Cx<'_>) -> Val {
        let mut union = UnionBuilder::default();
        match self.flat(ty) {
            Flat::Object { fields, others, unread } if unread.is_empty() => {
                for (name, field) in fields {
                    union.add_arm(Val::of(Type::literal(name)), field.line, field.stability);
                }
                if others.is_some() {
                    union.add(Val::of(Type::String));
                }
                union.build(self)
            }
            Flat::Union(of) => {
                let mut common: Option<BTreeMap<String, Field>> = None;
                for arm in &of.arms {
                    let Some(fields) = self.fields(&arm.ty) else {
                        return self.unresolved("keyof a union", cx);
                    };
                    common = Some(match common {
                        None => fields,
                        Some(mut common) => {
                            common.retain(|name, _| fields.contains_key(name));
                            common
                        }
                    });
                }
                for name in common.unwrap_or_default().into_keys() {
                    union.add(Val::of(Type::literal(name)));
                }
                union.build(self)
            }
            Flat::List(_) | Flat::Tuple(_) => Val::of(Type::Number),
            Flat::Unread(Type::Any) => Val::of(Type::String),
            // Methods of scalars are no data.
            Flat::Scalar => Val::never(),
            Flat::Unread(ty @ Type::Unresolved(_)) => Val::of(ty),
            _ => self.unresolved(&format!("keyof {ty}"), cx),
        }
    }

    /// `base[at]`.
    pub(super) fn index(&mut self, base: &Ty, at: &Ty, cx: &Cx<'_>) -> Val {
        if let Ty::KeyOf(of) = at
            && **of == *base
        {
            return self.all_values(base, cx);
        }
        if let Some(val) = self.own_member(base, at, cx) {
            return val;
        }
        let base = self.eval(base, cx);
        let at = self.eval(at, cx);
        self.index_types(&base.ty, &at.ty, cx)
    }

    /// `base[keyof base]`: the union of all members. An empty interface is a hook for others to add to.
    pub(super) fn all_values(&mut self, base: &Ty, cx: &Cx<'_>) -> Val {
        if let Ty::TypeOf(name) = base
            && let Found::Decl(key, rest) = self.modules.resolve(cx.module, cx.space, name, Want::Value)
            && rest.is_empty()
            && matches!(
                self.modules.get(key.module).decl(key.index).map(|decl| &decl.kind),
                Some(DeclKind::Enum(_))
            )
        {
            return self.by_name(key);
        }
        let val = self.eval(base, cx);
        match self.flat(&val.ty) {
            Flat::Object { fields, others, unread } if unread.is_empty() => {
                let is_hook = fields.is_empty() && others.is_none() && self.is_interface(base, cx);
                let mut union = UnionBuilder::default();
                for (name, field) in fields {
                    let val = Val {
                        absent: !field.required,
                        ..Val::of(field.ty)
                    };
                    union.add_member(&name, val, field.line, field.stability);
                }
                match others {
                    Some(others) => union.add(Val::of(others)),
                    None if is_hook => union.add(Val::of(Type::Union(Union {
                        open: true,
                        ..Default::default()
                    }))),
                    None => {}
                }
                union.build(self)
            }
            _ => {
                let keys = self.keys(&val.ty, cx);
                self.index_types(&val.ty, &keys.ty, cx)
            }
        }
    }

    /// A member of a type that is just being made (`interface A { b: string; c: A["b"] }`), from its text.
    fn own_member(&mut self, base: &Ty, at: &Ty, cx: &Cx<'_>) -> Option<Val> {
        let (Ty::Ref { name, args }, Ty::Literal(Literal::String(member))) = (base, at) else {
            return None;
        };
        if !args.is_empty() {
            return None;
        }
        let Found::Decl(key, _) = self.modules.resolve(cx.module, cx.space, name, Want::Type) else {
            return None;
        };
        if !self.open_bodies.contains(&key) {
            return None;
        }
        let module = self.modules.get(key.module);
        let mut shapes = module.merged(key.index).filter_map(|decl| match &decl.kind {
            DeclKind::Interface { shape, .. }
            | DeclKind::Class { shape, .. }
            | DeclKind::Alias {
                ty: Ty::Object(shape), ..
            } => Some((decl, shape)),
            _ => None,
        });
        let (decl, ty, optional) = shapes.find_map(|(decl, shape)| {
            let (ty, optional) = shape.field(member)?;
            Some((decl, ty, optional))
        })?;
        let inside = Cx {
            module: key.module,
            space: &decl.space,
            env: Env::default(),
            line: cx.line,
        };
        let val = self.eval(ty, &inside);
        Some(if optional { val.or_absent() } else { val })
    }

    fn is_interface(&mut self, ty: &Ty, cx: &Cx<'_>) -> bool {
        let Ty::Ref { name, .. } = ty else { return false };
        let Found::Decl(key, _) = self.modules.resolve(cx.module, cx.space, name, Want::Type) else {
            return false;
        };
        let module = self.modules.get(key.module);
        matches!(
            module.decl(key.index).map(|decl| &decl.kind),
            Some(DeclKind::Interface { .. })
        )
    }

    fn index_types(&mut self, base: &Type, at: &Type, cx: &Cx<'_>) -> Val {
        match self.flat(base) {
            Flat::List(item) => Val::of(item),
            Flat::Tuple(items) => {
                let wanted = self.literals(at).unwrap_or_default();
                let mut union = UnionBuilder::default();
                for (place, item) in items.into_iter().enumerate() {
                    if wanted.is_empty() || wanted.contains(&Literal::Number(place.to_string())) {
                        union.add(Val::of(item));
                    }
                }
                union.build(self)
            }
            Flat::Union(of) => {
                let mut union = UnionBuilder::default();
                for arm in of.arms {
                    let val = self.index_types(&arm.ty, at, cx);
                    union.add_arm(val, arm.line, arm.stability);
                }
                union.build(self)
            }
            Flat::Object { fields, others, unread } => {
                let Some(names) = self.literals(at) else {
                    return match others {
                        Some(others) => Val::of(others),
                        None => self.unresolved(&format!("{base}[{at}]"), cx),
                    };
                };
                let mut union = UnionBuilder::default();
                for name in names {
                    let val = match (fields.get(&name.to_string()), &others) {
                        (Some(field), _) => Val {
                            absent: !field.required,
                            ..Val::of(field.ty.clone())
                        },
                        (None, Some(others)) if unread.is_empty() => Val::of(others.clone()),
                        // The compiler has checked that it is there, so it is something that was left out.
                        (None, None) if unread.is_empty() => Val::function().or_absent(),
                        _ => self.unresolved(&format!("{base}[{at}]"), cx),
                    };
                    union.add(val);
                }
                union.build(self)
            }
            Flat::Unread(ty @ (Type::Any | Type::Unresolved(_))) => Val::of(ty),
            Flat::Scalar | Flat::Unread(_) => self.unresolved(&format!("{base}[{at}]"), cx),
        }
    }

    /// What stands at any position of a list.
    pub(super) fn item(&mut self, list: &Type) -> Type {
        match self.flat(list) {
            Flat::List(item) => item,
            Flat::Tuple(items) => {
                let mut union = UnionBuilder::default();
                for item in items {
                    union.add(Val::of(item));
                }
                union.build(self).ty
            }
            Flat::Unread(ty @ Type::Unresolved(_)) => ty,
            _ => Type::Any,
        }
    }

    /// A mapped type: one member for each key, whose value may depend on it.
    pub(super) fn mapped(&mut self, mapped: &Mapped, cx: &Cx<'_>) -> Val {
        let cx = Cx {
            line: mapped.line,
            ..cx.clone()
        };
        let mut source: Option<Type> = None;
        let mut fields_before: Option<BTreeMap<String, Field>> = None;
        if let Ty::KeyOf(of) = &mapped.over {
            let of = self.eval(of, &cx);
            if let Flat::Union(union) = self.flat(&of.ty)
                && let Ty::KeyOf(inner) = &mapped.over
                && let Ty::Ref { name, args } = &**inner
                && args.is_empty()
                && cx.env.get(name).is_some()
            {
                // Over the keys of a parameter it is made arm by arm.
                let mut result = UnionBuilder::tagged(union.tag.clone());
                for arm in union.arms {
                    let cx = Cx {
                        env: cx.env.with(name, Val::of(arm.ty)),
                        ..cx.clone()
                    };
                    let val = self.mapped(mapped, &cx);
                    result.add_arm(val, arm.line, arm.stability);
                }
                return result.build(self);
            }
            match self.flat(&of.ty) {
                // A mapped type leaves scalars as they are, and goes into lists.
                Flat::Scalar => return of,
                Flat::List(_) => {
                    let cx = Cx {
                        env: cx.env.with(&mapped.param, Val::of(Type::Number)),
                        ..cx
                    };
                    return list_of(self.eval(&mapped.value, &cx));
                }
                Flat::Object { fields, .. } => fields_before = Some(fields),
                _ => {}
            }
            source = Some(of.ty);
        }
        let keys = match &source {
            Some(of) => self.keys(of, &cx),
            None => self.eval(&mapped.over, &cx),
        };
        let Some(names) = self.literals(&keys.ty) else {
            return self.mapped_over_any(mapped, &keys.ty, &cx);
        };
        let mut object = Object::default();
        for name in names {
            let key = Type::Literal(name.clone());
            let cx = Cx {
                env: cx.env.with(&mapped.param, Val::of(key.clone())),
                ..cx.clone()
            };
            let before = fields_before.as_ref().and_then(|fields| fields.get(&name.to_string()));
            let val = self.eval(&mapped.value, &cx);
            if val.is_nothing() {
                continue;
            }
            let required = match (mapped.optional, before) {
                (Some(optional), _) => !optional,
                (None, Some(before)) => before.required,
                (None, None) => !val.absent,
            };
            let new_names = match &mapped.name {
                None => vec![name],
                Some(new) => {
                    let new = self.eval(new, &cx);
                    self.literals(&new.ty).unwrap_or_default()
                }
            };
            for new in new_names {
                let line = before.map_or(mapped.line, |before| before.line);
                let stability = before.map(|before| before.stability).unwrap_or_default();
                let field = Field {
                    stability,
                    ..Field::new(val.ty.clone(), required, line)
                };
                object.fields.insert(new.to_string(), field);
            }
        }
        Val::of(Type::Object(object))
    }

    fn mapped_over_any(&mut self, mapped: &Mapped, keys: &Type, cx: &Cx<'_>) -> Val {
        if let Type::Unresolved(_) = keys {
            return Val::of(keys.clone());
        }
        let cx = Cx {
            env: cx.env.with(&mapped.param, Val::of(Type::String)),
            ..cx.clone()
        };
        let val = self.eval(&mapped.value, &cx);
        Val::of(Type::Map(Box::new(val.ty)))
    }
}

/// Takes objects without a name among the parts in, later ones first, since those shadow earlier ones.
fn absorb(object: &mut Object) {
    let mut named = Vec::new();
    for part in std::mem::take(&mut object.parts).into_iter().rev() {
        match part {
            Type::Object(inner) if named.is_empty() => {
                for (name, field) in inner.fields {
                    object.fields.entry(name).or_insert(field);
                }
                object.open |= inner.open;
                named.extend(inner.parts.into_iter().rev());
            }
            other => named.push(other),
        }
    }
    named.reverse();
    object.parts = named;
}
