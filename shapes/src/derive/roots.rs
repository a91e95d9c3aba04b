//! Where a shape starts: the given roots, or every wire type of the scope that no other one leads to.

use std::collections::BTreeSet;

use agent_contracts_wire::model::Evidence;
use agent_contracts_wire::{DiffOptions, Type, WireModel};

/// Ids of the types to start from, sorted. A given root that this version does not have is left out; the diff says so.
pub(super) fn roots<'a>(model: &'a WireModel, options: &DiffOptions) -> Vec<&'a str> {
    if !options.roots.is_empty() {
        let wanted: BTreeSet<&str> = options.roots.iter().map(String::as_str).collect();
        return model
            .types
            .iter()
            .filter(|(id, decl)| wanted.contains(id.as_str()) || wanted.contains(decl.name.as_str()))
            .map(|(id, _)| id.as_str())
            .collect();
    }
    let candidates: Vec<&str> = model
        .types
        .iter()
        .filter(|(_, decl)| decl.in_scope && decl.evidence != Evidence::InProcess)
        .map(|(id, _)| id.as_str())
        .collect();
    let mut led_to = BTreeSet::new();
    for id in &candidates {
        let mut names = BTreeSet::new();
        if let Some(decl) = model.types.get(*id) {
            mentions(&decl.body, &mut names);
        }
        names.remove(id);
        led_to.extend(names);
    }
    let mut roots: Vec<&str> = candidates.iter().copied().filter(|id| !led_to.contains(id)).collect();
    // Types that only lead to each other: the first of them by name stands for all.
    let mut reached = BTreeSet::new();
    for id in &roots {
        reach(model, id, &mut reached);
    }
    for id in candidates {
        if !reached.contains(id) {
            roots.push(id);
            reach(model, id, &mut reached);
        }
    }
    roots.sort_unstable();
    roots
}

fn reach<'a>(model: &'a WireModel, from: &'a str, reached: &mut BTreeSet<&'a str>) {
    let mut waiting = vec![from];
    while let Some(id) = waiting.pop() {
        if !reached.insert(id) {
            continue;
        }
        if let Some(decl) = model.types.get(id) {
            let mut names = BTreeSet::new();
            mentions(&decl.body, &mut names);
            waiting.extend(names);
        }
    }
}

/// The declared types that an expression names. Without recursion: expressions can be nested a thousand deep.
fn mentions<'a>(ty: &'a Type, names: &mut BTreeSet<&'a str>) {
    let mut waiting = vec![ty];
    while let Some(ty) = waiting.pop() {
        match ty {
            Type::Named(id) => {
                names.insert(id);
            }
            Type::Array(inner) | Type::Map(inner) => waiting.push(inner),
            Type::Tuple(items) => waiting.extend(items),
            Type::Object(object) => {
                waiting.extend(object.fields.values().map(|field| &field.ty));
                waiting.extend(&object.parts);
            }
            Type::Union(union) => {
                waiting.extend(union.arms.iter().map(|arm| &arm.ty));
                waiting.extend(union.arms.iter().filter_map(|arm| arm.result.as_ref()));
            }
            _ => {}
        }
    }
}
