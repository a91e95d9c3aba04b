//! Types that spell out what JSON is: `type Json = string | number | boolean | null | Json[] | { [key: string]: Json }`.
//!
//! They mean any value, so they become that; otherwise a change from `unknown` to such a type would look like a change.

use std::collections::BTreeSet;

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::Type;

/// Makes types that spell out JSON any value.
pub(super) fn widen(model: &mut WireModel) {
    let ids: Vec<String> = model
        .types
        .iter()
        .filter(|(id, decl)| matches!(decl.body, Type::Union(_)) && is_json(model, &mut BTreeSet::new(), id))
        .map(|(id, _)| id.clone())
        .collect();
    for id in ids {
        if let Some(decl) = model.types.get_mut(&id) {
            decl.body = Type::Any;
        }
    }
}

/// Whether a named union holds every scalar, every list and every object. A name that is being asked is taken to.
fn is_json<'m>(model: &'m WireModel, asked: &mut BTreeSet<&'m str>, id: &'m str) -> bool {
    if !asked.insert(id) {
        return true;
    }
    let Some(decl) = model.types.get(id) else { return false };
    let Type::Union(union) = &decl.body else {
        return decl.body == Type::Any;
    };
    let has = |wanted: &Type| union.arms.iter().any(|arm| arm.ty == *wanted);
    if !(has(&Type::String) && has(&Type::Number) && has(&Type::Boolean)) {
        return false;
    }
    let (mut lists, mut objects) = (false, false);
    for arm in &union.arms {
        match named(model, &arm.ty) {
            Type::Array(item) if holds_json(model, asked, item) => lists = true,
            Type::Map(value) if holds_json(model, asked, value) => objects = true,
            _ => {}
        }
    }
    lists && objects
}

/// What a name stands for, one step on: `type JsonArray = Json[]`.
fn named<'m>(model: &'m WireModel, ty: &'m Type) -> &'m Type {
    match ty {
        Type::Named(id) => model.types.get(id).map_or(ty, |decl| &decl.body),
        _ => ty,
    }
}

fn holds_json<'m>(model: &'m WireModel, asked: &mut BTreeSet<&'m str>, ty: &'m Type) -> bool {
    match ty {
        Type::Any => true,
        Type::Named(id) => is_json(model, asked, id),
        Type::Union(union) => union.arms.iter().any(|arm| holds_json(model, asked, &arm.ty)),
        _ => false,
    }
}
