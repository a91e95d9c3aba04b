//! A walk over type expressions, and a text that tells them apart.

use agent_contracts_wire::Type;

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
