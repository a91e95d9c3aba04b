//! What the extractors share in handling type expressions.

use agent_contracts_wire::{Arm, Literal, Type, Union};

/// Calls `visit` on every type expression inside `ty`, `ty` first.
pub(crate) fn walk(ty: &mut Type, visit: &mut dyn FnMut(&mut Type)) {
    visit(ty);
    match ty {
        Type::Array(inner) | Type::Map(inner) => walk(inner, visit),
        Type::Tuple(all) => all.iter_mut().for_each(|inner| walk(inner, visit)),
        Type::Object(object) => {
            object.fields.values_mut().for_each(|field| walk(&mut field.ty, visit));
            object.parts.iter_mut().for_each(|part| walk(part, visit));
        }
        Type::Union(union) => {
            for arm in &mut union.arms {
                walk(&mut arm.ty, visit);
                if let Some(result) = &mut arm.result {
                    walk(result, visit);
                }
            }
        }
        _ => {}
    }
}

/// A text that two types share when they are the same but for lines, the names of arms and the types they refer to.
pub(crate) fn form(ty: &Type) -> String {
    let mut ty = ty.clone();
    walk(&mut ty, &mut |inner| match inner {
        Type::Named(name) => name.clear(),
        Type::Union(union) => union.arms.iter_mut().for_each(|arm| arm.name = None),
        _ => {}
    });
    ty.to_string()
}

/// One of `types`; a choice of one is that one, unless `keep_single`.
pub(crate) fn choice(types: Vec<Type>, keep_single: bool) -> Type {
    let (mut arms, mut open) = (vec![], false);
    for ty in types {
        match ty {
            Type::Union(inner) if inner.tag.is_none() => {
                open |= inner.open;
                arms.extend(inner.arms);
            }
            ty => arms.push(Arm::of(ty)),
        }
    }
    let mut union = tidy(arms);
    union.open |= open;
    if union.arms.len() == 1 && !union.open && !keep_single {
        return union.arms.into_iter().next().map_or(Type::Any, |arm| arm.ty);
    }
    Type::Union(union)
}

/// Arms each once, `null` last, and a plain `string` beside string values as openness.
pub(crate) fn tidy(arms: Vec<Arm>) -> Union {
    let mut union = Union::default();
    let mut nulls: Vec<Arm> = vec![];
    for arm in arms {
        let kept = if arm.ty == Type::Null {
            &mut nulls
        } else {
            &mut union.arms
        };
        // Two objects may look alike before their references are known; two named arms may grow apart.
        if matches!(arm.ty, Type::Object(_)) || !kept.iter().any(|old| old.ty == arm.ty && old.name == arm.name) {
            kept.push(arm);
        }
    }
    for (plain, is_value) in [
        (
            Type::String,
            (|literal| matches!(literal, Literal::String(_))) as fn(&Literal) -> bool,
        ),
        (Type::Number, |literal| matches!(literal, Literal::Number(_))),
    ] {
        let values = |arm: &Arm| matches!(&arm.ty, Type::Literal(literal) if is_value(literal));
        if union.arms.iter().any(|arm| arm.ty == plain)
            && union.arms.iter().all(|arm| arm.ty == plain || values(arm))
            && union.arms.iter().any(values)
        {
            union.arms.retain(|arm| arm.ty != plain);
            union.open = true;
        }
    }
    union.arms.extend(nulls);
    union
}
