//! Joins the modules of a scope into one model.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::model::{Constant, Evidence, Unresolved};
use agent_contracts_wire::{Literal, Place, Type, TypeDecl, WireModel};

use super::classes::{self, Kind};
use super::convert::{Converter, Env, value};
use super::envelope;
use super::facts::{Alias, Decl, Expr, What};
use super::modules::{Key, Target, World};
use crate::literals::{Placed, declare, is_test};
use crate::side::direction_of_table;
use crate::{SourceTree, types};

pub(super) fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    let world = World::new(tree);
    let mut converter = Converter::new(&world);
    let scope: BTreeSet<String> = scope.iter().map(|&path| path.to_owned()).collect();
    converter.envelopes = envelope::envelopes(&converter, &with_imports(&world, &scope));
    let mut model = WireModel::default();
    for path in &scope {
        say(&mut model, &world, path);
    }
    let literals = literals(&world, &scope);
    let mut found = declarations(&world, &converter, &scope);
    mark_reached(&mut found);
    give_ids(&mut model, found);
    model.types.extend(
        declare(&literals, "dict")
            .into_iter()
            .map(|decl| (decl.name.clone(), decl)),
    );
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

/// The event literals of the scope that stand in no test.
fn literals(world: &World<'_>, scope: &BTreeSet<String>) -> Vec<Placed> {
    let mut all = vec![];
    for path in scope.iter().filter(|path| !is_test(path)) {
        let Some(module) = world.module(path) else { continue };
        let found = module.facts().literals.iter().cloned();
        all.extend(found.map(|literal| (path.clone(), literal)));
    }
    all
}

/// The files of the scope, and those that they import from: a place that makes class names into tags may stand there.
fn with_imports(world: &World<'_>, scope: &BTreeSet<String>) -> BTreeSet<String> {
    let mut all = scope.clone();
    for path in scope {
        let Some(module) = world.module(path) else { continue };
        for import in &module.facts().imports {
            if let Target::Decl(key, _) = world.resolve(path, None, &import.local) {
                all.insert(key.path);
            }
        }
    }
    all
}

/// Every type of the scope, then every type beyond it that one of them refers to.
fn declarations(world: &World<'_>, converter: &Converter<'_, '_>, scope: &BTreeSet<String>) -> BTreeMap<Key, TypeDecl> {
    let mut queue = vec![];
    for path in scope {
        let Some(module) = world.module(path) else { continue };
        queue.extend(module.decls().map(|decl| Key {
            path: path.clone(),
            name: decl.name.clone(),
        }));
    }
    let mut found = BTreeMap::new();
    while let Some(key) = queue.pop() {
        if found.contains_key(&key) {
            continue;
        }
        let Some(module) = world.module(&key.path) else {
            continue;
        };
        let Some(decl) = module.find(&key.name) else { continue };
        let Some((mut body, evidence)) = body(converter, &key, decl) else {
            continue;
        };
        types::walk(&mut body, &mut |ty| {
            if let Type::Named(text) = ty {
                queue.extend(Key::of(text));
            }
        });
        let last = decl.name.rsplit('.').next().unwrap_or(&decl.name);
        let is_table = matches!(body, Type::Union(_));
        let decl = TypeDecl {
            name: decl.name.clone(),
            place: Place {
                file: key.path.clone(),
                line: decl.line,
            },
            in_scope: scope.contains(&key.path),
            body,
            direction: direction_of_table(last).filter(|_| is_table),
            stability: decl.stability,
            evidence,
        };
        found.insert(key, decl);
    }
    found
}

/// The wire form of a declaration, and why it is believed to be one; `None` for what is no type.
fn body(converter: &Converter<'_, '_>, key: &Key, decl: &Decl) -> Option<(Type, Evidence)> {
    match &decl.what {
        What::Class(class) => {
            let env = Env {
                params: classes::open_params(converter, key, class),
                ..Env::of(key, &[])
            };
            let kind = classes::kind(converter, key, class);
            let in_process = kind == Kind::InProcess
                || kind == Kind::Builtin
                || kind == Kind::Dataclass && classes::mentions_process(class);
            let evidence = if in_process {
                Evidence::InProcess
            } else {
                Evidence::Declared
            };
            Some((classes::body(converter, &env, key, class), evidence))
        }
        What::Alias(alias) => {
            if !alias.explicit && !is_type(converter, key, alias) {
                return None;
            }
            let env = Env {
                // Names of a nested alias are looked up in the class around it.
                class: key.name.rsplit_once('.').map(|(outer, _)| outer.to_owned()),
                ..Env::of(key, &alias.params)
            };
            if let Some(envelope) = converter.envelopes.get(key) {
                let body = envelope::tagged(converter, &env, key, &alias.expr, envelope);
                return Some((body, Evidence::Declared));
            }
            let body = converter.ty(&env, &alias.expr);
            // Another name for a type is not on the wire by itself; `mark_reached` knows the unions that are.
            Some((body, Evidence::InProcess))
        }
        What::Variable(_) | What::Constant(_) => None,
    }
}

/// Whether the value of a plain assignment is a type.
fn is_type(converter: &Converter<'_, '_>, key: &Key, alias: &Alias) -> bool {
    const FORMS: [&str; 12] = [
        "Union",
        "Optional",
        "Literal",
        "Annotated",
        "list",
        "List",
        "dict",
        "Dict",
        "tuple",
        "Tuple",
        "Sequence",
        "Mapping",
    ];
    let names_type = |expr: &Expr| -> bool {
        match (expr, expr.base_name()) {
            (Expr::None, _) => true,
            (_, Some(name)) => match converter.world.resolve(&key.path, None, name) {
                Target::Decl(target, None) => converter.world.module(&target.path).is_some_and(|module| {
                    module
                        .find(&target.name)
                        .is_some_and(|decl| matches!(decl.what, What::Class(_) | What::Alias(_)))
                }),
                Target::Decl(_, Some(_)) => false,
                Target::External(module, name) => {
                    let last = super::convert::last(&name);
                    FORMS.contains(&last)
                        || module == "builtins" && ["str", "int", "float", "bool", "bytes"].contains(&last)
                        || module != "builtins" && last.starts_with(|c: char| c.is_uppercase())
                }
            },
            _ => false,
        }
    };
    match &alias.expr {
        Expr::Union(all) => all.iter().all(names_type),
        subscript @ Expr::Subscript(..) => {
            subscript.last_name().is_some_and(|name| FORMS.contains(&name)) && names_type(subscript)
        }
        // Of `A = B` the other name itself is used wherever this one is.
        _ => false,
    }
}

/// A union of objects is what readers take apart, and what a wire type refers to is on the wire.
fn mark_reached(found: &mut BTreeMap<Key, TypeDecl>) {
    let unions: Vec<Key> = found
        .iter()
        .filter(|(_, decl)| matches!(&decl.body, Type::Union(_)) && holds_object(found, &decl.body, 0))
        .map(|(key, _)| key.clone())
        .collect();
    for key in unions {
        if let Some(decl) = found.get_mut(&key) {
            decl.evidence = Evidence::Declared;
        }
    }
    let mut queue: Vec<Key> = vec![];
    let named = |decl: &TypeDecl, queue: &mut Vec<Key>| {
        types::walk(&mut decl.body.clone(), &mut |ty| {
            if let Type::Named(text) = ty {
                queue.extend(Key::of(text));
            }
        });
    };
    for decl in found.values().filter(|decl| decl.evidence == Evidence::Declared) {
        named(decl, &mut queue);
    }
    let mut seen = BTreeSet::new();
    while let Some(key) = queue.pop() {
        let Some(decl) = found.get_mut(&key).filter(|_| seen.insert(key.clone())) else {
            continue;
        };
        // An alias stays what it is: its changes are seen where it is used.
        if decl.body != Type::Any && matches!(decl.body, Type::Object(_)) {
            decl.evidence = Evidence::Declared;
        }
        named(decl, &mut queue);
    }
}

/// Whether one of the arms of a type is an object, through other names.
fn holds_object(found: &BTreeMap<Key, TypeDecl>, ty: &Type, depth: usize) -> bool {
    match ty {
        Type::Object(_) => true,
        Type::Union(union) => union.arms.iter().any(|arm| holds_object(found, &arm.ty, depth)),
        Type::Named(text) if depth < 8 => Key::of(text)
            .and_then(|key| found.get(&key))
            .is_some_and(|decl| holds_object(found, &decl.body, depth + 1)),
        _ => false,
    }
}

/// Names become ids.
fn give_ids(model: &mut WireModel, found: BTreeMap<Key, TypeDecl>) {
    let ids = crate::ids::assign(&found);
    for (key, mut decl) in found {
        types::walk(&mut decl.body, &mut |ty| {
            if let Type::Named(text) = ty {
                *ty = match Key::of(text) {
                    Some(target) => match ids.get(&target) {
                        Some(id) => Type::Named(id.clone()),
                        None => Type::Unresolved(target.name),
                    },
                    None => Type::Unresolved(text.clone()),
                };
            }
        });
        if let Some(id) = ids.get(&key) {
            model.types.insert(id.clone(), decl);
        }
    }
}

/// What a file says beside its types.
fn say(model: &mut WireModel, world: &World<'_>, path: &str) {
    let Some(module) = world.module(path) else { return };
    model.files += 1;
    model
        .degraded
        .extend(module.facts().damage.iter().map(|damage| damage.at(path)));
    for decl in module.decls() {
        let What::Constant(expr) = &decl.what else { continue };
        let name = decl.name.to_uppercase();
        if let Some(Type::Literal(literal @ (Literal::String(_) | Literal::Number(_)))) = value(expr)
            && name.contains("PROTOCOL")
            && name.contains("VERSION")
        {
            model.constants.entry(decl.name.clone()).or_insert(Constant {
                value: literal,
                place: Place {
                    file: path.to_owned(),
                    line: decl.line,
                },
                in_scope: true,
            });
        }
    }
}
