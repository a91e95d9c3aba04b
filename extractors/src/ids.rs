//! Ids of declared types: unique within a model, and the declared name wherever that is free.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::TypeDecl;

/// The id of each declaration: what the scope declares comes first, by path; a name that is taken gets its path.
pub(crate) fn assign<K: Ord + Clone>(found: &BTreeMap<K, TypeDecl>) -> BTreeMap<K, String> {
    let mut order: Vec<(&K, &TypeDecl)> = found.iter().collect();
    order.sort_by_key(|(_, decl)| (!decl.in_scope, &decl.place));
    let mut ids = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (key, decl) in order {
        let id = if taken.contains(&decl.name) {
            format!("{}@{}", decl.name, decl.place.file)
        } else {
            decl.name.clone()
        };
        taken.insert(id.clone());
        ids.insert(key.clone(), id);
    }
    ids
}
