//! Ids of the declared types, once all are known: the same ones whatever order they were found in.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::{Arm, Type, TypeDecl, Union};

use super::Lower;

impl Lower<'_> {
    /// Hands the types over to `model`. Types of the scope get the plain names first, then those beyond, each by path.
    pub(super) fn finish(self, model: &mut WireModel) {
        let shown: Vec<String> = self.instances.iter().map(|instance| instance.name.clone()).collect();
        let mut order: Vec<usize> = (0..self.instances.len())
            .filter(|&index| self.instances[index].decl.is_some())
            .collect();
        // Arguments are found before what they are given to, so their labels are known.
        let mut labels: Vec<String> = Vec::with_capacity(self.instances.len());
        for (index, instance) in self.instances.iter().enumerate() {
            let args: Vec<String> = instance
                .args
                .iter()
                .map(|arg| with_names(arg, &labels).to_string())
                .collect();
            labels.push(if args.is_empty() {
                shown[index].clone()
            } else {
                format!("{}<{}>", shown[index], args.join(", "))
            });
        }
        order.sort_by_key(|&index| {
            let instance = &self.instances[index];
            (!instance.in_scope, &*instance.module, &labels[index], index)
        });
        let mut ids: Vec<Option<String>> = vec![None; self.instances.len()];
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for &index in &order {
            let module = &self.instances[index].module;
            let label = &labels[index];
            let mut id = label.clone();
            if taken.contains(&id) {
                id = format!("{label}@{}", module.file);
            }
            if taken.contains(&id) {
                id = format!("{label}@{}:{}", module.file, module.inline.join("::"));
            }
            while taken.contains(&id) {
                id.push('\'');
            }
            taken.insert(id.clone());
            ids[index] = Some(id);
        }
        for (index, instance) in self.instances.into_iter().enumerate() {
            if let (Some(id), Some(mut decl)) = (ids[index].clone(), instance.decl) {
                decl.in_scope = instance.in_scope;
                rename(&mut decl.body, &|name| replaced(name, &ids));
                model.types.insert(id, decl);
            }
        }
        let nothing: BTreeSet<String> = model
            .types
            .iter()
            .filter(|(_, decl)| decl.body == Type::Null)
            .map(|(id, _)| id.clone())
            .collect();
        for decl in model.types.values_mut() {
            if let Type::Union(union) = &mut decl.body {
                for arm in &mut union.arms {
                    if let Type::Object(object) = &mut arm.ty {
                        // A unit struct inside a tagged variant adds nothing to it.
                        object
                            .parts
                            .retain(|part| !matches!(part, Type::Named(id) if nothing.contains(id)));
                    }
                }
            }
        }
        let shadowed: Vec<(String, usize)> = model
            .types
            .iter()
            .flat_map(|(id, decl)| {
                shadowed_tags(&decl.body, &model.types)
                    .into_iter()
                    .map(|arm| (id.clone(), arm))
            })
            .collect();
        for (id, arm) in shadowed {
            if let Some(Type::Union(Union {
                arms, tag: Some(tag), ..
            })) = model.types.get_mut(&id).map(|decl| &mut decl.body)
                && let Some(Type::Object(object)) = arms.get_mut(arm).map(|arm| &mut arm.ty)
            {
                object.fields.remove(tag);
            }
        }
        model.unresolved.extend(self.unresolved);
        for unresolved in &mut model.unresolved {
            unresolved.what = plain(&unresolved.what, &shown);
        }
        model.unresolved.sort();
        model.unresolved.dedup();
    }
}

/// The arms of a tagged union whose payload has a member of the tag's name. serde writes both, the payload's last, so
/// that a reader of JSON never sees the tag.
fn shadowed_tags(body: &Type, types: &BTreeMap<String, TypeDecl>) -> Vec<usize> {
    let Type::Union(Union {
        arms, tag: Some(tag), ..
    }) = body
    else {
        return Vec::new();
    };
    let shadowed = |arm: &Arm| match &arm.ty {
        Type::Object(object) if object.fields.contains_key(tag) => {
            object.parts.iter().any(|part| has_member(part, tag, types, 0))
        }
        _ => false,
    };
    arms.iter()
        .enumerate()
        .filter(|(_, arm)| shadowed(arm))
        .map(|(index, _)| index)
        .collect()
}

fn has_member(ty: &Type, name: &str, types: &BTreeMap<String, TypeDecl>, depth: usize) -> bool {
    match ty {
        Type::Named(id) if depth < 8 => types
            .get(id)
            .is_some_and(|decl| has_member(&decl.body, name, types, depth + 1)),
        Type::Object(object) => {
            object.fields.contains_key(name) || object.parts.iter().any(|part| has_member(part, name, types, depth + 1))
        }
        _ => false,
    }
}

/// A reference by index.
pub(super) fn reference(index: usize) -> Type {
    Type::Named(format!("#{index}"))
}

/// The index of a reference.
pub(super) fn index_of(name: &str) -> Option<usize> {
    name.strip_prefix('#')?.parse().ok()
}

fn replaced(name: &str, ids: &[Option<String>]) -> Type {
    match index_of(name).and_then(|index| ids.get(index).cloned().flatten()) {
        Some(id) => Type::Named(id),
        None => Type::Unresolved(name.to_owned()),
    }
}

/// A type with the labels of what it refers to.
fn with_names(ty: &Type, shown: &[String]) -> Type {
    let mut ty = ty.clone();
    rename(&mut ty, &|name| {
        Type::Named(
            index_of(name)
                .and_then(|index| shown.get(index))
                .cloned()
                .unwrap_or_default(),
        )
    });
    ty
}

/// A text without the references that may stand in it.
fn plain(text: &str, shown: &[String]) -> String {
    text.split_inclusive(|char: char| !char.is_ascii_digit() && char != '#')
        .map(|part| match index_of(part).and_then(|index| shown.get(index)) {
            Some(name) => name.clone(),
            None => part.to_owned(),
        })
        .collect()
}

/// Replaces every reference in a type.
fn rename(ty: &mut Type, with: &dyn Fn(&str) -> Type) {
    match ty {
        Type::Named(name) => *ty = with(name),
        Type::Array(item) | Type::Map(item) => rename(item, with),
        Type::Tuple(items) => items.iter_mut().for_each(|item| rename(item, with)),
        Type::Object(object) => {
            object.fields.values_mut().for_each(|field| rename(&mut field.ty, with));
            object.parts.iter_mut().for_each(|part| rename(part, with));
        }
        Type::Union(union) => {
            for arm in &mut union.arms {
                rename(&mut arm.ty, with);
                arm.result.iter_mut().for_each(|result| rename(result, with));
            }
        }
        _ => {}
    }
}
