//! Unions and intersections of wire types.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::{Arm, Field, Literal, Object, Stability, Type, Union};

use super::eval::Val;
use super::linker::Linker;
use super::objects::Flat;

/// How deep members of members are made one.
const MAX_NARROWING: usize = 16;
/// How many objects an intersection of unions may spell out.
const MAX_SPELLED: usize = 2_000;

/// How many arms a new one is compared with.
const MAX_COMPARED: usize = 1_000;

/// Collects the arms of a union.
#[expect(clippy::struct_excessive_bools, reason = "facts that hold in any mixture")]
#[derive(Debug, Default)]
pub(super) struct UnionBuilder {
    arms: Vec<Arm>,
    /// What has been added, as far as it is cheap to know.
    literals: BTreeSet<Literal>,
    names: BTreeSet<String>,
    /// The member that tells the arms apart.
    tag: Option<String>,
    /// The tag was taken over from a nested union, and holds for its arms alone.
    tag_is_nested: bool,
    absent: bool,
    callable: bool,
    defaulted: bool,
    grows: Grows,
}

/// What a union has beside its arms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Grows {
    /// Nothing.
    #[default]
    Closed,
    /// Further arms that nobody lists.
    Open,
    /// Everything.
    Any,
}

impl UnionBuilder {
    /// A union whose arms `tag` tells apart.
    pub(super) fn tagged(tag: Option<String>) -> Self {
        Self { tag, ..Self::default() }
    }

    pub(super) fn add(&mut self, val: Val) {
        self.add_arm(val, 0, Stability::Stable);
    }

    /// Adds one arm, or the arms of a union.
    pub(super) fn add_arm(&mut self, val: Val, line: u32, stability: Stability) {
        self.absent |= val.absent;
        self.callable |= val.callable;
        self.defaulted |= val.defaulted;
        match val.ty {
            Type::Any => self.grows = Grows::Any,
            Type::Union(union) => {
                if union.open {
                    self.grows = self.grows.max(Grows::Open);
                }
                if self.arms.is_empty() && self.tag.is_none() {
                    self.tag = union.tag;
                    self.tag_is_nested = self.tag.is_some();
                } else if self.tag_is_nested && !union.arms.is_empty() {
                    self.tag = None;
                }
                for mut arm in union.arms {
                    if arm.line == 0 {
                        arm.line = line;
                    }
                    arm.stability = arm.stability.max(stability);
                    self.push(arm);
                }
            }
            ty => {
                if self.tag_is_nested && ty != Type::Null {
                    self.tag = None;
                }
                self.push(Arm {
                    line,
                    stability,
                    ..Arm::of(ty)
                });
            }
        }
    }

    /// Adds what a member of an object holds. A literal keeps the member's name, as in an enum.
    pub(super) fn add_member(&mut self, name: &str, val: Val, line: u32, stability: Stability) {
        if let Type::Literal(_) = val.ty {
            self.absent |= val.absent;
            self.push(Arm {
                name: Some(name.to_owned()),
                line,
                stability,
                ..Arm::of(val.ty)
            });
        } else {
            self.add_arm(val, line, stability);
        }
    }

    fn push(&mut self, mut arm: Arm) {
        let is_known = match &arm.ty {
            // Two types that cannot be read are not known to be the same.
            Type::Unresolved(_) => false,
            Type::Literal(Literal::Boolean(value)) => {
                let other = Literal::Boolean(!value);
                if !self.has(&Type::Boolean) && self.literals.contains(&other) {
                    arm = Arm {
                        ty: Type::Boolean,
                        name: None,
                        ..arm
                    };
                    false
                } else {
                    self.has(&Type::Boolean) || !self.literals.insert(Literal::Boolean(*value))
                }
            }
            Type::Literal(literal) => !self.literals.insert(literal.clone()),
            Type::Named(id) => !self.names.insert(id.clone()),
            // In a union of very many objects, a repeated one does no harm.
            ty => self.arms.len() < MAX_COMPARED && self.has(ty),
        };
        if is_known {
            return;
        }
        if arm.ty == Type::Boolean {
            self.arms
                .retain(|other| !matches!(other.ty, Type::Literal(Literal::Boolean(_))));
        }
        self.arms.push(arm);
    }

    fn has(&self, ty: &Type) -> bool {
        self.arms.iter().any(|arm| arm.ty == *ty)
    }

    /// The union of what was added. `"a" | string` is a set of values that may grow.
    pub(super) fn build(mut self, linker: &mut Linker<'_>) -> Val {
        let of = |ty| Val {
            ty,
            absent: self.absent,
            callable: self.callable,
            defaulted: self.defaulted,
        };
        if self.grows == Grows::Any {
            return of(Type::Any);
        }
        for scalar in [Type::String, Type::Number] {
            if !self.has(&scalar) {
                continue;
            }
            let is_value_of_it = |arm: &Arm| {
                let literals = linker.literals(&arm.ty).unwrap_or_default();
                !literals.is_empty() && literals.iter().all(|literal| scalar_of(literal) == scalar)
            };
            if self.arms.iter().any(is_value_of_it) {
                self.arms.retain(|arm| arm.ty != scalar);
                self.grows = Grows::Open;
            }
        }
        match self.arms.as_slice() {
            [only] if self.grows == Grows::Closed && only.name.is_none() && self.tag.is_none() => of(only.ty.clone()),
            _ => of(Type::Union(Union {
                arms: self.arms,
                tag: self.tag,
                open: self.grows == Grows::Open,
            })),
        }
    }
}

impl Linker<'_> {
    /// What fits all of `vals`.
    pub(super) fn intersect(&mut self, vals: Vec<Val>) -> Val {
        let absent = vals.iter().all(|val| val.absent);
        let mut types = Vec::new();
        for val in vals {
            if val.is_nothing() {
                // An object that can also be called is an object on the wire.
                if val.callable {
                    continue;
                }
                return Val { absent, ..Val::never() };
            }
            if val.ty != Type::Any {
                types.push(val.ty);
            }
        }
        // `{}` takes nothing away.
        if types.iter().any(|ty| !is_empty_object(ty)) {
            types.retain(|ty| !is_empty_object(ty));
        } else {
            types.truncate(1);
        }
        let mut val = self.intersect_types(types);
        val.absent = absent;
        val
    }

    fn intersect_types(&mut self, mut types: Vec<Type>) -> Val {
        if types.len() <= 1 {
            return Val::of(types.pop().unwrap_or(Type::Any));
        }
        if let Some(at) = types.iter().position(|ty| matches!(ty, Type::Union(_))) {
            return self.distribute(types, at);
        }
        // Two names of values: only what both allow is left of them.
        if types.len() > 1
            && types.iter().all(|ty| self.is_scalar(ty))
            && let Some(at) = types.iter().position(|ty| matches!(ty, Type::Named(_)))
            && let Flat::Union(union) = self.flat(&types[at])
        {
            types[at] = Type::Union(union);
            return self.distribute(types, at);
        }
        let mut object = Object::default();
        let mut scalar: Option<Type> = None;
        for ty in types {
            match ty {
                Type::Object(other) => {
                    if !self.merge(&mut object, other) {
                        return Val::never();
                    }
                }
                Type::Map(_) => object.open = true,
                Type::Named(_) if !self.is_scalar(&ty) => {
                    if !object.parts.contains(&ty) {
                        object.parts.push(ty);
                    }
                }
                Type::Unresolved(_) => object.parts.push(ty),
                ty => {
                    scalar = Some(match scalar {
                        None => ty,
                        Some(other) => match (self.assignable(&ty, &other, 0), self.assignable(&other, &ty, 0)) {
                            (Some(true), _) => ty,
                            (_, Some(true)) => other,
                            _ => return Val::never(),
                        },
                    });
                }
            }
        }
        if let Some(scalar) = scalar {
            // `string & { __brand: "id" }` is a string.
            return Val::of(scalar);
        }
        if !self.reconcile(&mut object) {
            return Val::never();
        }
        match object.parts.as_slice() {
            [only] if object.fields.is_empty() && !object.open => Val::of(only.clone()),
            _ => Val::of(Type::Object(object)),
        }
    }

    fn distribute(&mut self, mut types: Vec<Type>, at: usize) -> Val {
        let Type::Union(union) = types.remove(at) else {
            return Val::of(Type::Any);
        };
        let mut result = UnionBuilder::tagged(union.tag);
        if union.open {
            result.grows = Grows::Open;
        }
        let mut spelled = 0;
        for arm in union.arms {
            spelled += 1;
            if spelled > MAX_SPELLED {
                result.grows = Grows::Any;
                break;
            }
            let mut types = types.clone();
            types.insert(at, arm.ty);
            let val = self.intersect_types(types);
            result.add_arm(val, arm.line, arm.stability);
        }
        result.build(self)
    }

    /// Whether a name stands for a value without members.
    fn is_scalar(&mut self, ty: &Type) -> bool {
        let mut ty = ty.clone();
        for _ in 0..16 {
            match ty {
                Type::Named(id) => match self.body_of_id(&id) {
                    Some(body) => ty = body.val.ty.clone(),
                    None => return false,
                },
                Type::Union(union) => {
                    return !union.arms.is_empty() && union.arms.iter().all(|arm| matches!(arm.ty, Type::Literal(_)));
                }
                Type::String | Type::Number | Type::Boolean | Type::Literal(_) | Type::Null | Type::Array(_) => {
                    return true;
                }
                _ => return false,
            }
        }
        false
    }

    /// Adds the members of `other`; `false` when no object can have both.
    fn merge(&mut self, object: &mut Object, other: Object) -> bool {
        for (name, field) in other.fields {
            let merged = match object.fields.remove(&name) {
                None => field,
                Some(mine) => match self.narrower(&mine, &field) {
                    Some(both) => both,
                    None => return false,
                },
            };
            object.fields.insert(name, merged);
        }
        for part in other.parts {
            if !object.parts.contains(&part) {
                object.parts.push(part);
            }
        }
        object.open |= other.open;
        true
    }

    /// A member that is declared twice; `None` when it must be there and no value is both.
    fn narrower(&mut self, first: &Field, second: &Field) -> Option<Field> {
        let required = first.required || second.required;
        let pair = (first.ty.clone(), second.ty.clone());
        let mut ty = if self.narrowing.contains(&pair) || self.narrowing.len() >= MAX_NARROWING {
            Val::of(second.ty.clone())
        } else {
            self.narrowing.push(pair);
            let both = self.intersect(vec![Val::of(first.ty.clone()), Val::of(second.ty.clone())]);
            self.narrowing.pop();
            both
        };
        if ty.is_nothing() {
            // Only of literals it is sure that none is both.
            if self.literals(&first.ty).is_none() || self.literals(&second.ty).is_none() {
                ty = Val::of(second.ty.clone());
            } else if required {
                return None;
            }
        }
        Some(Field {
            ty: ty.ty,
            required,
            defaulted: first.defaulted && second.defaulted,
            stability: first.stability.max(second.stability),
            line: second.line.max(first.line),
            accepts: Vec::new(),
        })
    }

    /// An intersection takes what fits both of two members of one name, while in the model a later part shadows an
    /// earlier one and own members shadow both. Where that makes a difference, the object gets the member as its own.
    /// `false` when no object can have both.
    fn reconcile(&mut self, object: &mut Object) -> bool {
        let mut earlier: BTreeMap<String, Field> = BTreeMap::new();
        for part in object.parts.clone() {
            let Some(fields) = self.fields(&part) else { continue };
            for (name, field) in fields {
                let own = object.fields.get(&name);
                if let Some(before) = own.or_else(|| earlier.get(&name)).cloned()
                    && (before.ty != field.ty || before.required != field.required)
                {
                    let Some(both) = self.narrower(&before, &field) else {
                        return false;
                    };
                    if own.is_some() || both.ty != field.ty || both.required != field.required {
                        object.fields.insert(
                            name.clone(),
                            Field {
                                line: before.line,
                                ..both
                            },
                        );
                    }
                }
                earlier.insert(name, field);
            }
        }
        true
    }
}

const fn scalar_of(literal: &Literal) -> Type {
    match literal {
        Literal::String(_) => Type::String,
        Literal::Number(_) => Type::Number,
        Literal::Boolean(_) => Type::Boolean,
    }
}

fn is_empty_object(ty: &Type) -> bool {
    matches!(ty, Type::Object(object) if object.fields.is_empty() && object.parts.is_empty())
}
