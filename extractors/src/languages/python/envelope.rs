//! Class names as tags.
//!
//! Some programs write `{"type": type(message).__name__, "payload": …}`, or keep a table `{cls.__name__: cls for cls in
//! ALL}` and an envelope class beside it. Then the name of a class is what goes over the wire, and the unions that such
//! a place is about have one arm a class, with that name as its tag.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::{Arm, Field, Object, Type, Union};
use tree_sitter::Node;

use super::classes::{Kind, class_of, kind};
use super::convert::{Converter, Env};
use super::expr::annotation;
use super::facts::{ClassNames, Expr, Facts, What};
use super::modules::{Key, Target};
use crate::syntax::{Source, children, walk};

/// The members of an envelope: tag and payload.
pub(super) type Envelope = (String, Option<String>);
/// The envelope of each union whose classes are told apart by their names.
pub(super) type Envelopes = BTreeMap<Key, Envelope>;

/// Records the places of a file that make class names into tags.
pub(super) fn places(source: &Source<'_>, facts: &mut Facts) {
    if !source.text.contains("__name__") {
        return;
    }
    walk(source.tree.root_node(), &mut |node| {
        match node.kind() {
            "dictionary_comprehension" => {
                let key = node
                    .child_by_field_name("body")
                    .and_then(|pair| pair.child_by_field_name("key"));
                let all = children(node).into_iter().find(|child| child.kind() == "for_in_clause");
                let of = all.and_then(|clause| clause.child_by_field_name("right"));
                if let (Some(key), Some(of)) = (key, of)
                    && source.of(key).ends_with(".__name__")
                {
                    facts.class_names.push(ClassNames {
                        of: identifiers(source, of),
                        envelope: None,
                    });
                }
            }
            "dictionary" => spelled_out(source, node, facts),
            _ => {}
        }
        true
    });
}

/// `{"type": type(message).__name__, "payload": message.model_dump()}` in a function whose parameter is annotated.
fn spelled_out(source: &Source<'_>, node: Node<'_>, facts: &mut Facts) {
    let mut tag = None;
    let mut payload = None;
    let mut variable = None;
    for pair in children(node).into_iter().filter(|pair| pair.kind() == "pair") {
        let (Some(key), Some(value)) = (source.field(pair, "key"), source.field(pair, "value")) else {
            continue;
        };
        let key = key.trim_matches(['"', '\'']).to_owned();
        let name = value
            .strip_prefix("type(")
            .and_then(|rest| rest.strip_suffix(").__name__"))
            .or_else(|| value.strip_suffix(".__class__.__name__"));
        match name {
            Some(name) => {
                tag = Some(key);
                variable = Some(name.to_owned());
            }
            None => payload = payload.or(Some(key)),
        }
    }
    let (Some(tag), Some(variable)) = (tag, variable) else {
        return;
    };
    let mut function = node.parent();
    while let Some(around) = function.filter(|around| around.kind() != "function_definition") {
        function = around.parent();
    }
    let parameters = function
        .and_then(|function| function.child_by_field_name("parameters"))
        .map(children);
    for parameter in parameters.unwrap_or_default() {
        let named = parameter.named_child(0).is_some_and(|name| source.of(name) == variable);
        if let (true, Some(ty)) = (named, parameter.child_by_field_name("type")) {
            let mut of = vec![];
            annotation(source, ty).names(&mut of);
            facts.class_names.push(ClassNames {
                of,
                envelope: Some((tag.clone(), payload.clone())),
            });
        }
    }
}

fn identifiers(source: &Source<'_>, node: Node<'_>) -> Vec<String> {
    let mut names = vec![];
    walk(node, &mut |node| {
        if node.kind() == "identifier" {
            names.push(source.of(node).to_owned());
        }
        true
    });
    names
}

/// The unions that the class names of the files at `paths` are about, with those inside them.
pub(super) fn envelopes(converter: &Converter<'_, '_>, paths: &BTreeSet<String>) -> Envelopes {
    let mut found = Envelopes::new();
    for path in paths {
        let Some(module) = converter.world.module(path) else {
            continue;
        };
        for place in &module.facts().class_names {
            let envelope = place.envelope.clone().or_else(|| beside(converter, path));
            let Some(envelope) = envelope else { continue };
            let mut names = place.of.clone();
            for name in &place.of {
                let mentions = module.facts().mentions.iter().filter(|(variable, _)| variable == name);
                names.extend(mentions.flat_map(|(_, names)| names.clone()));
            }
            for name in names {
                if let Target::Decl(key, None) = converter.world.resolve(path, None, &name) {
                    take_in(converter, &key, &envelope, &mut found);
                }
            }
        }
    }
    found
}

/// A union, and every union that is one of its arms.
fn take_in(converter: &Converter<'_, '_>, key: &Key, envelope: &Envelope, found: &mut Envelopes) {
    if found.contains_key(key) {
        return;
    }
    let Some(module) = converter.world.module(&key.path) else {
        return;
    };
    let Some(What::Alias(alias)) = module.find(&key.name).map(|decl| &decl.what) else {
        return;
    };
    found.insert(key.clone(), envelope.clone());
    for arm in arms(&alias.expr) {
        if let Some(name) = arm.base_name()
            && let Target::Decl(inner, None) = converter.world.resolve(&key.path, None, name)
        {
            take_in(converter, &inner, envelope, found);
        }
    }
}

/// The envelope class of a module: two members, a string that names the kind and a payload without a form of its own.
fn beside(converter: &Converter<'_, '_>, path: &str) -> Option<Envelope> {
    let module = converter.world.module(path)?;
    module.decls().find_map(|decl| {
        let class = class_of(decl)?;
        let key = Key {
            path: path.to_owned(),
            name: decl.name.clone(),
        };
        let is_data = [Kind::Model, Kind::Dataclass, Kind::TypedDict].contains(&kind(converter, &key, class));
        let members: Vec<_> = class
            .members
            .iter()
            .filter(|member| member.annotation.is_some())
            .collect();
        let [tag, payload] = members[..] else { return None };
        let is_text = matches!(&tag.annotation, Some(Expr::Name(name)) if name == "str");
        let is_open = payload
            .annotation
            .as_ref()
            .and_then(Expr::last_name)
            .is_some_and(|name| ["dict", "Dict", "Any", "Mapping", "object", "JsonType", "JsonValue"].contains(&name));
        let is_tag =
            ["type", "kind", "name", "event", "event_type", "message_type", "tag"].contains(&tag.name.as_str());
        (is_data && is_text && is_open && is_tag).then(|| (tag.name.clone(), Some(payload.name.clone())))
    })
}

/// The arms of a union, or the one name of an alias.
fn arms(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Union(all) => all.iter().collect(),
        Expr::Subscript(_, arguments) if ["Union", "Optional"].iter().any(|name| expr.last_name() == Some(name)) => {
            arguments.iter().collect()
        }
        Expr::Subscript(_, arguments) if expr.last_name() == Some("Annotated") => {
            arguments.first().map(arms).unwrap_or_default()
        }
        one => vec![one],
    }
}

/// The wire form of a union whose classes are told apart by their names.
pub(super) fn tagged(converter: &Converter<'_, '_>, env: &Env, key: &Key, expr: &Expr, envelope: &Envelope) -> Type {
    let line = converter
        .world
        .module(&key.path)
        .and_then(|module| module.find(&key.name).map(|decl| decl.line))
        .unwrap_or(0);
    let mut union = Union::default();
    for arm in arms(expr) {
        let Some(name) = arm.base_name() else { continue };
        let target = converter.world.resolve(&key.path, None, name);
        if let Target::Decl(inner, None) = &target
            && converter.envelopes.contains_key(inner)
        {
            union.arms.push(Arm {
                line,
                ..Arm::of(converter.ty(env, arm))
            });
            continue;
        }
        // The class goes by its own name, whatever it is imported as.
        let class = match &target {
            Target::Decl(inner, _) => inner.name.clone(),
            Target::External(_, name) => super::convert::last(name).to_owned(),
        };
        let mut object = Object::default();
        let tag = Type::literal(class.clone());
        object.fields.insert(envelope.0.clone(), Field::new(tag, true, line));
        let payload = converter.ty(env, arm);
        match &envelope.1 {
            Some(name) => {
                object.fields.insert(name.clone(), Field::new(payload, true, line));
            }
            None => object.parts.push(payload),
        }
        union.tag = Some(envelope.0.clone());
        union.arms.push(Arm {
            name: Some(class),
            line,
            ..Arm::of(Type::Object(object))
        });
    }
    Type::Union(union)
}
