//! Conditional types, and what fits into what.

use agent_contracts_wire::model::{Literal, Type};

use super::ast::{Conditional, Keyword, MemberKind, Ty};
use super::eval::{Cx, Env, Val};
use super::linker::Linker;
use super::objects::Flat;
use super::unions::UnionBuilder;

impl Linker<'_> {
    /// `check extends pattern ? yes : no`, arm by arm when `check` is a parameter that stands for a union. What cannot be
    /// decided is unresolved.
    pub(super) fn conditional(&mut self, conditional: &Conditional, cx: &Cx<'_>) -> Val {
        let check = self.eval(&conditional.check, cx);
        if let Ty::Ref { name, args } = &conditional.check
            && args.is_empty()
            && cx.env.get(name).is_some()
        {
            if check.is_nothing() && !check.absent && !check.callable {
                return Val::never();
            }
            // `boolean` is `true | false` to who asks for one of them.
            let by_flag = matches!(conditional.extends, Ty::Literal(Literal::Boolean(_)));
            let arms = match check.ty {
                Type::Boolean if by_flag => [true, false].map(|flag| Type::Literal(Literal::Boolean(flag))).into(),
                _ => self.arms(&check.ty, 0),
            };
            let absent = check.absent && !check.is_nothing();
            if arms.len() > 1 || absent {
                let mut result = UnionBuilder::default();
                let undefined = absent.then(|| Val::never().or_absent());
                for val in arms.into_iter().map(Val::of).chain(undefined) {
                    let cx = Cx {
                        env: cx.env.with(name, val.clone()),
                        ..cx.clone()
                    };
                    let val = self.decide(conditional, &val, &cx);
                    result.add(val);
                }
                return result.build(self);
            }
        }
        self.decide(conditional, &check, cx)
    }

    /// The arms of a union, those of named unions among them included; `"a" | string` has `string` as one.
    fn arms(&mut self, ty: &Type, depth: u32) -> Vec<Type> {
        let Flat::Union(union) = self.flat(ty) else {
            return vec![ty.clone()];
        };
        if depth > 16 {
            return vec![ty.clone()];
        }
        let mut arms = Vec::new();
        for arm in union.arms {
            arms.extend(self.arms(&arm.ty, depth + 1));
        }
        if union.open && !arms.contains(&Type::String) {
            arms.push(Type::String);
        }
        arms
    }

    fn decide(&mut self, conditional: &Conditional, check: &Val, cx: &Cx<'_>) -> Val {
        let mut env = cx.env.clone();
        let answer = if check.ty == Type::Any {
            for name in inferred(&conditional.extends) {
                env = env.with(name, Val::of(Type::Any));
            }
            None
        } else {
            self.fits(check, &conditional.extends, cx, &mut env)
        };
        let yes_cx = Cx { env, ..cx.clone() };
        match answer {
            Some(true) => self.eval(&conditional.yes, &yes_cx),
            Some(false) => self.eval(&conditional.no, cx),
            // The compiler takes both ways for `any`.
            None if check.ty == Type::Any => {
                let mut both = UnionBuilder::default();
                both.add(self.eval(&conditional.yes, &yes_cx));
                both.add(self.eval(&conditional.no, cx));
                both.build(self)
            }
            None => self.unresolved(&format!("a condition on {}", check.ty), cx),
        }
    }

    /// Whether a value fits a pattern, whose `infer` parts are bound in `env`.
    fn fits(&mut self, check: &Val, pattern: &Ty, cx: &Cx<'_>, env: &mut Env) -> Option<bool> {
        if !infers(pattern) {
            if matches!(pattern, Ty::Function(_)) {
                return Some(check.callable && check.is_nothing());
            }
            if matches!(pattern, Ty::Keyword(Keyword::Object)) && !check.is_nothing() {
                return match self.flat(&check.ty) {
                    Flat::Scalar => Some(false),
                    Flat::Object { .. } | Flat::List(_) | Flat::Tuple(_) => Some(true),
                    _ => None,
                };
            }
            let pattern = self.eval(pattern, cx);
            if check.is_nothing() {
                return Some(!check.absent || pattern.absent || pattern.ty == Type::Any);
            }
            return self.assignable(&check.ty, &pattern.ty, 0);
        }
        match pattern {
            Ty::Infer(name) => {
                *env = env.with(name, check.clone());
                Some(true)
            }
            Ty::Array(item) => self.items_fit(check, item, cx, env),
            Ty::Ref { name, args } => match (name.as_str(), args.as_slice()) {
                ("Array" | "ReadonlyArray", [item]) => self.items_fit(check, item, cx, env),
                // What a promise gives is what stands on the wire.
                ("Promise" | "PromiseLike" | "Readonly", [inner]) => self.fits(check, inner, cx, env),
                _ => None,
            },
            Ty::Object(shape) if shape.extends.is_empty() => {
                let Flat::Object { fields, unread, .. } = self.flat(&check.ty) else {
                    return Some(false);
                };
                for member in &shape.members {
                    let MemberKind::Field { name, ty } = &member.kind else {
                        return None;
                    };
                    let Some(field) = fields.get(name) else {
                        return match (member.optional, unread.is_empty()) {
                            (true, _) => continue,
                            (false, true) => Some(false),
                            (false, false) => None,
                        };
                    };
                    let val = Val {
                        absent: !field.required,
                        ..Val::of(field.ty.clone())
                    };
                    match self.fits(&val, ty, cx, env) {
                        Some(true) => {}
                        other => return other,
                    }
                }
                Some(true)
            }
            Ty::Function(_) => Some(false).filter(|_| !check.callable),
            _ => None,
        }
    }

    fn items_fit(&mut self, check: &Val, item: &Ty, cx: &Cx<'_>, env: &mut Env) -> Option<bool> {
        match self.flat(&check.ty) {
            Flat::List(_) | Flat::Tuple(_) => {
                let of = Val::of(self.item(&check.ty));
                self.fits(&of, item, cx, env)
            }
            Flat::Unread(_) => None,
            _ => Some(false),
        }
    }

    /// Whether every value of `a` is one of `b`; `None` when that cannot be told.
    pub(super) fn assignable(&mut self, a: &Type, b: &Type, depth: u32) -> Option<bool> {
        if depth > 24 {
            return None;
        }
        let depth = depth + 1;
        match (a, b) {
            (Type::Unresolved(_), _) | (_, Type::Unresolved(_)) => None,
            (_, Type::Any) => Some(true),
            (Type::Any, _) => None,
            _ if a == b => Some(true),
            (Type::Named(id), _) => {
                let body = self.body_of_id(id)?;
                self.assignable(&body.val.ty.clone(), b, depth)
            }
            (Type::Union(union), _) => {
                let mut answer = Some(!union.open);
                for arm in union.arms.clone() {
                    match self.assignable(&arm.ty, b, depth) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => answer = None,
                    }
                }
                answer
            }
            (_, Type::Named(id)) => {
                let body = self.body_of_id(id)?;
                self.assignable(a, &body.val.ty.clone(), depth)
            }
            (_, Type::Union(union)) => {
                let mut answer = Some(false);
                for arm in union.arms.clone() {
                    match self.assignable(a, &arm.ty, depth) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => answer = None,
                    }
                }
                answer
            }
            (Type::Literal(Literal::String(_)), Type::String)
            | (Type::Literal(Literal::Number(_)), Type::Number)
            | (Type::Literal(Literal::Boolean(_)), Type::Boolean) => Some(true),
            (Type::Array(a), Type::Array(b)) => self.assignable(a, b, depth),
            (Type::Tuple(items), Type::Array(b)) => {
                for item in items {
                    match self.assignable(item, b, depth) {
                        Some(true) => {}
                        other => return other,
                    }
                }
                Some(true)
            }
            (Type::Tuple(items), Type::Tuple(wanted)) if items.len() == wanted.len() => {
                let mut answer = Some(true);
                for (item, wanted) in items.iter().zip(wanted) {
                    match self.assignable(item, wanted, depth) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => answer = None,
                    }
                }
                answer
            }
            (Type::Object(_) | Type::Map(_), Type::Object(_) | Type::Map(_)) => self.object_fits(a, b, depth),
            _ => Some(false),
        }
    }

    fn object_fits(&mut self, a: &Type, b: &Type, depth: u32) -> Option<bool> {
        let (
            Flat::Object {
                fields: mine,
                others,
                unread,
            },
            Flat::Object {
                fields: wanted,
                unread: b_unread,
                ..
            },
        ) = (self.flat(a), self.flat(b))
        else {
            return None;
        };
        let mut answer = if b_unread.is_empty() { Some(true) } else { None };
        for (name, field) in wanted {
            match mine.get(&name) {
                Some(own) if field.required && !own.required => return Some(false),
                Some(own) => match self.assignable(&own.ty, &field.ty, depth) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => answer = None,
                },
                None if !field.required => {}
                None if unread.is_empty() && others.is_none() => return Some(false),
                None => answer = None,
            }
        }
        answer
    }
}

/// Whether a pattern holds `infer`.
fn infers(ty: &Ty) -> bool {
    !inferred(ty).is_empty()
}

/// The names that a pattern infers.
fn inferred(ty: &Ty) -> Vec<&str> {
    match ty {
        Ty::Infer(name) => vec![name],
        Ty::Array(inner) | Ty::KeyOf(inner) => inferred(inner),
        Ty::Ref { args, .. } | Ty::Import { args, .. } => args.iter().flat_map(inferred).collect(),
        Ty::Object(shape) => shape
            .members
            .iter()
            .flat_map(|member| match &member.kind {
                MemberKind::Field { ty, .. } => inferred(ty),
                MemberKind::Index { value, .. } => inferred(value),
                _ => Vec::new(),
            })
            .collect(),
        Ty::Tuple(items) => items.iter().flat_map(|item| inferred(&item.ty)).collect(),
        Ty::Union { arms, .. } => arms.iter().flat_map(|arm| inferred(&arm.ty)).collect(),
        Ty::Intersection(all) | Ty::Template(all) => all.iter().flat_map(inferred).collect(),
        Ty::Function(Some(returned)) => inferred(returned),
        _ => Vec::new(),
    }
}
