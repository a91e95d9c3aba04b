//! Joins the declarations of many schema files.
//!
//! Generators copy the same definitions into every file they write. Equal copies are one type; where copies of one name
//! differ, the first by path keeps the name and the others get `Name@path`. Equality looks through references.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use agent_contracts_wire::model::{Constant, Evidence, Unresolved};
use agent_contracts_wire::{Arm, Place, Type, TypeDecl, WireModel};

use super::{Decl, Facts};
use crate::languages::FileFacts;
use crate::{SourceTree, types};

/// A declaration and the file it stands in.
struct Entry {
    path: String,
    in_scope: bool,
    /// It stands in a collection of types, not in a file of its own.
    in_bundle: bool,
    decl: Decl,
    /// The entries that its body names, in order; `None` for what is not there.
    targets: Vec<Option<usize>>,
}

pub(super) fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    let mut model = WireModel::default();
    let mut entries = load(tree, scope, &mut model);
    let index: HashMap<(String, String), usize> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| ((entry.path.clone(), entry.decl.pointer.clone()), at))
        .collect();
    for entry in &mut entries {
        let path = entry.path.clone();
        let mut targets = vec![];
        types::walk(&mut entry.decl.body, &mut |ty| {
            if let Type::Named(target) = ty {
                let found = place_of(&path, target).and_then(|place| index.get(&place).copied());
                targets.push(found);
            }
        });
        entry.targets = targets;
    }
    let classes = classes(&entries);
    let ids = ids(&entries, &classes);
    for (at, entry) in entries.into_iter().enumerate() {
        add(&mut model, entry, &ids[at], &ids);
    }
    model
}

/// Every declaration of the scope, and of the files that these refer to.
fn load(tree: &dyn SourceTree, scope: &[&str], model: &mut WireModel) -> Vec<Entry> {
    let mut entries = vec![];
    let mut seen: BTreeSet<String> = scope.iter().map(|&path| path.to_owned()).collect();
    let mut queue: Vec<(String, bool)> = seen.iter().rev().map(|path| (path.clone(), true)).collect();
    while let Some((path, in_scope)) = queue.pop() {
        let Some(facts) = tree.facts(&path) else { continue };
        let FileFacts::JsonSchema(facts) = facts.as_ref() else {
            continue;
        };
        if in_scope {
            say(model, &path, facts);
        }
        let mut further = BTreeSet::new();
        for decl in declarations(tree, &path, facts, &seen) {
            types::walk(&mut decl.body.clone(), &mut |ty| {
                if let Type::Named(target) = ty
                    && let Some((file, _)) = place_of(&path, target)
                {
                    further.insert(file);
                }
            });
            entries.push(Entry {
                path: path.clone(),
                in_scope,
                in_bundle: facts.is_bundle,
                decl,
                targets: vec![],
            });
        }
        queue.extend(
            further
                .into_iter()
                .filter(|file| seen.insert(file.clone()))
                .map(|file| (file, false)),
        );
    }
    entries
}

/// The declarations of a file. Where `meta.json` and `schema.json` of one folder both hold the methods of a side, they
/// are one table: that of the schema, with the rows that only the other has.
fn declarations(tree: &dyn SourceTree, path: &str, facts: &Facts, loaded: &BTreeSet<String>) -> Vec<Decl> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let twin = |from: &str, to: &str| -> Option<Arc<FileFacts>> {
        let rest = file.strip_prefix(from)?;
        let twin = [folder, "/", to, rest].concat();
        let twin = twin.trim_start_matches('/');
        loaded.contains(twin).then(|| tree.facts(twin)).flatten()
    };
    let mut decls = facts.decls.clone();
    if let Some(FileFacts::JsonSchema(schema)) = twin("meta", "schema").as_deref() {
        decls.retain(|decl| !is_table(decl) || !schema.decls.iter().any(|other| other.pointer == decl.pointer));
    }
    if let Some(FileFacts::JsonSchema(meta)) = twin("schema", "meta").as_deref() {
        for decl in decls.iter_mut().filter(|decl| is_table(decl)) {
            if let Some(bare) = meta.decls.iter().find(|other| other.pointer == decl.pointer)
                && let (Type::Union(union), Type::Union(bare)) = (&mut decl.body, &bare.body)
            {
                let known: BTreeSet<String> = union.arms.iter().filter_map(method).collect();
                let missing = bare
                    .arms
                    .iter()
                    .filter(|arm| method(arm).is_some_and(|name| !known.contains(&name)));
                union.arms.extend(missing.cloned());
            }
        }
    }
    decls
}

fn is_table(decl: &Decl) -> bool {
    decl.pointer.ends_with("Methods") && !decl.pointer.contains('/')
}

/// The method of a row.
fn method(arm: &Arm) -> Option<String> {
    match &arm.ty {
        Type::Object(object) => Some(object.fields.get("method")?.ty.to_string()),
        _ => None,
    }
}

/// What a file of the scope says beside its types.
fn say(model: &mut WireModel, path: &str, facts: &Facts) {
    model.files += 1;
    let place = |line| Place {
        file: path.to_owned(),
        line,
    };
    model.degraded.extend(facts.damage.iter().map(|damage| damage.at(path)));
    for (line, what) in &facts.unresolved {
        model.unresolved.push(Unresolved {
            place: place(*line),
            what: what.clone(),
        });
    }
    for (name, value, line) in &facts.constants {
        let same = model.constants.get(name).is_some_and(|old| old.value == *value);
        if same {
            continue;
        }
        let name = if model.constants.contains_key(name) {
            format!("{name}@{path}")
        } else {
            name.clone()
        };
        let constant = Constant {
            value: value.clone(),
            place: place(*line),
            in_scope: true,
        };
        model.constants.insert(name, constant);
    }
}

/// The file and the pointer that a reference of `path` means; `None` for one to another host.
fn place_of(path: &str, target: &str) -> Option<(String, String)> {
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    if file.is_empty() {
        return Some((path.to_owned(), fragment.to_owned()));
    }
    if file.contains("://") || file.starts_with('/') {
        return None;
    }
    let mut segments: Vec<&str> = path.split('/').collect();
    segments.pop();
    for segment in file.split('/') {
        match segment {
            "." => {}
            ".." => {
                segments.pop()?;
            }
            name => segments.push(name),
        }
    }
    Some((segments.join("/"), fragment.to_owned()))
}

/// A number for each entry, the same for entries that are equal all the way down. Starts from the bodies alone and tells
/// entries apart whose references differ, until nothing changes.
fn classes(entries: &[Entry]) -> Vec<usize> {
    let mut seen = HashMap::new();
    let mut classes: Vec<usize> = entries
        .iter()
        .map(|entry| {
            let mut body = types::form(&entry.decl.body);
            for (target, to) in entry.targets.iter().zip(0..) {
                if target.is_none() {
                    let _ = write!(body, "\u{1}{to} of {}", entry.path);
                }
            }
            let _ = write!(body, "{:?} {:?}", entry.decl.direction, entry.decl.stability);
            number(&mut seen, (entry.decl.name.clone(), body))
        })
        .collect();
    let mut count = seen.len();
    loop {
        let mut seen = HashMap::new();
        let next: Vec<usize> = entries
            .iter()
            .zip(&classes)
            .map(|(entry, &class)| {
                let targets: Vec<usize> = entry.targets.iter().flatten().map(|&target| classes[target]).collect();
                number(&mut seen, (class, targets))
            })
            .collect();
        classes = next;
        if seen.len() == count {
            return classes;
        }
        count = seen.len();
    }
}

fn number<K: std::hash::Hash + Eq>(seen: &mut HashMap<K, usize>, key: K) -> usize {
    let next = seen.len();
    *seen.entry(key).or_insert(next)
}

/// The id of each entry, the same for entries of one class.
fn ids(entries: &[Entry], classes: &[usize]) -> Vec<String> {
    let mut of_class: BTreeMap<usize, String> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    // What the scope declares comes first, so that a file read for resolution never takes its names.
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&at| !entries[at].in_scope);
    for at in order {
        let Entry { path, decl, .. } = &entries[at];
        if of_class.contains_key(&classes[at]) {
            continue;
        }
        let candidates = [
            decl.name.clone(),
            format!("{}@{path}", decl.name),
            format!("{}@{path}#{}", decl.name, decl.pointer),
        ];
        let id = candidates
            .iter()
            .find(|id| !taken.contains(*id))
            .unwrap_or(&candidates[2]);
        taken.insert(id.clone());
        of_class.insert(classes[at], id.clone());
    }
    classes.iter().map(|class| of_class[class].clone()).collect()
}

fn add(model: &mut WireModel, entry: Entry, id: &str, ids: &[String]) {
    if let Some(known) = model.types.get_mut(id) {
        known.in_scope |= entry.in_scope;
        if entry.decl.evidence == Evidence::Declared {
            known.evidence = Evidence::Declared;
        }
        if entry.in_bundle && known.place.file != entry.path {
            note_copy(model, &entry, id);
        }
        return;
    }
    let mut targets = entry.targets.iter();
    let mut body = entry.decl.body;
    let place = Place {
        file: entry.path,
        line: entry.decl.line,
    };
    types::walk(&mut body, &mut |ty| {
        if let Type::Named(target) = ty {
            if let Some(found) = targets.next().copied().flatten() {
                *ty = Type::Named(ids[found].clone());
                return;
            }
            let what = format!("$ref {target}");
            if entry.in_scope {
                model.unresolved.push(Unresolved {
                    place: place.clone(),
                    what: what.clone(),
                });
            }
            *ty = Type::Unresolved(what);
        }
    });
    let decl = TypeDecl {
        name: entry.decl.name,
        place,
        in_scope: entry.in_scope,
        body,
        direction: entry.decl.direction,
        stability: entry.decl.stability,
        evidence: entry.decl.evidence,
    };
    model.types.insert(id.to_owned(), decl);
}

/// Keeps the place of an equal copy in another collection (a stable and an unstable schema), so that the copy of this
/// version is found again when the copies of another version differ. It says nothing by itself.
fn note_copy(model: &mut WireModel, entry: &Entry, id: &str) {
    let copy = TypeDecl {
        name: entry.decl.name.clone(),
        place: Place {
            file: entry.path.clone(),
            line: entry.decl.line,
        },
        in_scope: entry.in_scope,
        body: Type::Named(id.to_owned()),
        direction: entry.decl.direction,
        stability: entry.decl.stability,
        evidence: Evidence::InProcess,
    };
    model
        .types
        .entry(format!("{}@{}", entry.decl.name, entry.path))
        .or_insert(copy);
}
