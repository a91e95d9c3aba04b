//! Joins the packages of a scope into one model.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::{Constant, Evidence, Unresolved};
use agent_contracts_wire::{Arm, Literal, Place, Stability, Type, TypeDecl, Union, WireModel};

use super::enums;
use super::facts::{Const, GoType, Member, Value};
use super::packages::{File, Key, Package, World, folder};
use super::read::is_exported;
use super::wire::Converter;
use crate::literals::{Placed, declare, is_test};
use crate::{SourceTree, types};

pub(super) fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    let world = World::new(tree, scope);
    let mut converter = Converter::new(&world);
    let mut model = WireModel::default();
    let folders: BTreeSet<&str> = scope.iter().map(|path| folder(path)).collect();
    let mut loose = vec![];
    for dir in &folders {
        let package = world.package(dir);
        for file in package.files.iter().filter(|file| file.in_scope) {
            say(&mut model, &package, file);
            untyped_groups(&package, file, &mut converter, &mut loose);
        }
    }
    let mut found = declarations(&world, &converter, &folders);
    mark_evidence(&world, &mut found);
    give_ids(&mut model, found);
    let mut literals: Vec<Placed> = vec![];
    for dir in &folders {
        let package = world.package(dir);
        for file in package
            .files
            .iter()
            .filter(|file| file.in_scope && !is_test(&file.path))
        {
            let found = file.facts().literals.iter().cloned();
            literals.extend(found.map(|literal| (file.path.clone(), literal)));
        }
    }
    let events = declare(&literals, "map")
        .into_iter()
        .map(|decl| (decl.name.clone(), decl));
    model.types.extend(events);
    for (name, decl) in loose {
        model.types.entry(name).or_insert(decl);
    }
    for decl in model.types.values_mut().filter(|decl| decl.in_scope) {
        let place = decl.place.clone();
        types::walk(&mut decl.body, &mut |ty| {
            if let Type::Unresolved(what) = ty {
                model.unresolved.push(Unresolved {
                    place: place.clone(),
                    what: what.clone(),
                });
            }
        });
    }
    model
}

/// Every type of the scope, then every type beyond it that one of them refers to.
fn declarations(world: &World<'_>, converter: &Converter<'_, '_>, folders: &BTreeSet<&str>) -> BTreeMap<Key, TypeDecl> {
    let mut queue: Vec<Key> = vec![];
    for dir in folders {
        let package = world.package(dir);
        for (file, def) in package.names() {
            if package.files[file].in_scope {
                queue.push(Key {
                    dir: (*dir).to_owned(),
                    name: def.name.clone(),
                });
            }
        }
    }
    let mut found = BTreeMap::new();
    while let Some(key) = queue.pop() {
        if found.contains_key(&key) {
            continue;
        }
        let package = world.package(&key.dir);
        let Some((file, def)) = package.find(&key.name) else {
            continue;
        };
        let mut body = converter.declaration(&key);
        types::walk(&mut body, &mut |ty| {
            if let Type::Named(text) = ty {
                queue.extend(Key::of(text));
            }
        });
        let file = &package.files[file];
        let decl = TypeDecl {
            name: def.name.clone(),
            place: Place {
                file: file.path.clone(),
                line: def.line,
            },
            in_scope: file.in_scope,
            body,
            direction: crate::side::direction_of_table(&def.name).filter(|_| matches!(def.ty, GoType::Interface(_))),
            stability: def.stability,
            evidence: Evidence::InProcess,
        };
        found.insert(key, decl);
    }
    found
}

/// A type is on the wire when its tags or its methods say so, or when such a type refers to it.
fn mark_evidence(world: &World<'_>, found: &mut BTreeMap<Key, TypeDecl>) {
    let mut queue: Vec<Key> = found.keys().filter(|key| says_so(world, key)).cloned().collect();
    while let Some(key) = queue.pop() {
        let Some(decl) = found.get_mut(&key).filter(|decl| decl.evidence == Evidence::InProcess) else {
            continue;
        };
        decl.evidence = Evidence::Declared;
        types::walk(&mut decl.body.clone(), &mut |ty| {
            if let Type::Named(text) = ty {
                queue.extend(Key::of(text));
            }
        });
    }
    // Another name for such a type is one too.
    let aliases: Vec<Key> = found
        .iter()
        .filter(|(_, decl)| match &decl.body {
            Type::Named(text) => Key::of(text)
                .and_then(|target| found.get(&target))
                .is_some_and(|target| target.evidence == Evidence::Declared),
            _ => false,
        })
        .map(|(key, _)| key.clone())
        .collect();
    for key in aliases {
        if let Some(decl) = found.get_mut(&key) {
            decl.evidence = Evidence::Declared;
        }
    }
}

fn says_so(world: &World<'_>, key: &Key) -> bool {
    let package = world.package(&key.dir);
    let tagged = package.find(&key.name).is_some_and(|(_, def)| match &def.ty {
        GoType::Struct(members) => is_tagged(members),
        _ => false,
    });
    tagged
        || ["MarshalJSON", "MarshalText"]
            .iter()
            .any(|name| package.method(&key.name, name).is_some())
}

fn is_tagged(members: &[Member]) -> bool {
    members.iter().any(|member| {
        let tag = &member.tag;
        let inner = match &member.ty {
            GoType::Struct(members) => is_tagged(members),
            GoType::Slice(item) | GoType::Pointer(item) | GoType::Map(item) => {
                matches!(&**item, GoType::Struct(members) if is_tagged(members))
            }
            _ => false,
        };
        tag.json && !tag.skipped || tag.parameter.is_some() || inner
    })
}

/// Names become ids.
fn give_ids(model: &mut WireModel, found: BTreeMap<Key, TypeDecl>) {
    let ids = crate::ids::assign(&found);
    for (key, mut decl) in found {
        types::walk(&mut decl.body, &mut |ty| {
            if let Type::Named(text) = ty {
                *ty = match Key::of(text).and_then(|key| ids.get(&key)) {
                    Some(id) => Type::Named(id.clone()),
                    None => Type::Unresolved(text.replace('\u{1}', ".")),
                };
            }
        });
        if let Some(id) = ids.get(&key) {
            model.types.insert(id.clone(), decl);
        }
    }
}

/// What a file says beside its types.
fn say(model: &mut WireModel, package: &Package, file: &File) {
    model.files += 1;
    let facts = file.facts();
    model
        .degraded
        .extend(facts.damage.iter().map(|damage| damage.at(&file.path)));
    for constant in &facts.consts {
        let plain: String = constant.name.chars().filter(|c| *c != '_').collect();
        if plain.to_ascii_lowercase().contains("protocolversion")
            && let Some(value) = enums::literal(package, &constant.value, 0)
        {
            let constant_place = Place {
                file: file.path.clone(),
                line: constant.line,
            };
            model.constants.entry(constant.name.clone()).or_insert(Constant {
                value,
                place: constant_place,
                in_scope: true,
            });
        }
    }
}

/// Groups of untyped string constants with a common prefix: the known values of a string field when the prefix names a
/// struct or one of its fields, else an open enum of that name.
fn untyped_groups(
    package: &Package,
    file: &File,
    converter: &mut Converter<'_, '_>,
    loose: &mut Vec<(String, TypeDecl)>,
) {
    let mut groups: BTreeMap<u32, Vec<&Const>> = BTreeMap::new();
    for constant in &file.facts().consts {
        groups.entry(constant.group).or_default().push(constant);
    }
    for group in groups.into_values() {
        let texts: Option<Vec<(&Const, &str)>> = group
            .iter()
            .map(|constant| match (&constant.ty, &constant.value) {
                (None, Value::Text(text)) if is_exported(&constant.name) && is_wire_name(text) => {
                    Some((*constant, text.as_str()))
                }
                _ => None,
            })
            .collect();
        let Some(texts) = texts.filter(|texts| texts.len() > 1) else {
            continue;
        };
        let Some(prefix) = common_prefix(&texts) else { continue };
        let arms = texts.iter().map(|(constant, text)| Arm {
            name: Some(constant.name.clone()),
            stability: constant.stability,
            line: constant.line,
            ..Arm::of(Type::Literal(Literal::String((*text).to_owned())))
        });
        let values = Type::Union(Union {
            arms: arms.collect(),
            tag: None,
            open: true,
        });
        if let Some((name, field)) = field_of(package, &prefix) {
            let key = Key {
                dir: package.dir.clone(),
                name,
            };
            converter.known_values.insert((key, field), values);
        } else if package.find(&prefix).is_none() {
            let decl = TypeDecl {
                name: prefix.clone(),
                place: Place {
                    file: file.path.clone(),
                    line: texts[0].0.line,
                },
                in_scope: true,
                body: values,
                direction: None,
                stability: Stability::Stable,
                evidence: Evidence::Literal,
            };
            loose.push((prefix, decl));
        }
    }
}

/// Words of a wire name: `shutdown_if_idle`, `session.create`.
fn is_wire_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .split(['_', '.', '-', '/', '$'])
            .all(|word| word.chars().all(|c| c.is_ascii_alphanumeric()))
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$')
}

/// The longest common start of the names that ends before a capital in each of them.
fn common_prefix(texts: &[(&Const, &str)]) -> Option<String> {
    let first = &texts[0].0.name;
    let mut end = first.len();
    for (constant, _) in texts {
        let same = first
            .bytes()
            .zip(constant.name.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        end = end.min(same);
    }
    let ends_word = |end: usize| {
        texts
            .iter()
            .all(|(constant, _)| constant.name[end..].starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
    };
    while end > 0 && !(first.is_char_boundary(end) && ends_word(end)) {
        end -= 1;
    }
    (end >= 4).then(|| first[..end].to_owned())
}

/// The plain string field that a prefix names: `ServerControl` (its only string field), `ServerControlCommand`.
fn field_of(package: &Package, prefix: &str) -> Option<(String, String)> {
    for (_, def) in package.names() {
        let (GoType::Struct(members), Some(rest)) = (&def.ty, prefix.strip_prefix(def.name.as_str())) else {
            continue;
        };
        let mut strings = members
            .iter()
            .filter(|member| member.tag.json && member.ty == GoType::Name("string".to_owned()))
            .filter(|member| rest.is_empty() || member.name == rest);
        if let (Some(only), None) = (strings.next(), strings.next()) {
            return Some((def.name.clone(), only.name.clone()));
        }
    }
    None
}
