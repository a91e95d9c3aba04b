//! Ids of the declared types, once all are known: the same ones whatever order they were found in.

use std::collections::BTreeSet;

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::Type;

use super::Lower;

impl Lower<'_> {
    /// Hands the types over to `model`. Types of the scope get the plain names first, then those beyond, each by path.
    pub(super) fn finish(self, model: &mut WireModel) {
        let shown: Vec<String> = self.instances.iter().map(|instance| instance.name.clone()).collect();
        let mut order: Vec<usize> = (0..self.instances.len()).filter(|&index| self.instances[index].decl.is_some()).collect();
        let label = |index: usize| {
            let args: Vec<String> = self.instances[index].args.iter().map(|arg| with_names(arg, &shown).to_string()).collect();
            if args.is_empty() { shown[index].clone() } else { format!("{}<{}>", shown[index], args.join(", ")) }
        };
        let labels: Vec<String> = (0..self.instances.len()).map(label).collect();
        order.sort_by_key(|&index| {
            let instance = &self.instances[index];
            (!instance.in_scope, &instance.module, &labels[index], index)
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
        model.unresolved.extend(self.unresolved);
        for unresolved in &mut model.unresolved {
            unresolved.what = plain(&unresolved.what, &shown);
        }
        model.unresolved.sort();
        model.unresolved.dedup();
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

fn with_names(ty: &Type, shown: &[String]) -> Type {
    let mut ty = ty.clone();
    rename(&mut ty, &|name| Type::Named(index_of(name).and_then(|index| shown.get(index)).cloned().unwrap_or_default()));
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
