//! Interfaces that only types of their own package can have, as unions, and the structs that carry them.

use std::collections::BTreeMap;

use agent_contracts_wire::{Arm, Literal, Object, Type, Union};

use super::enums;
use super::facts::{GoType, Marshal, TypeDef, Value};
use super::packages::{Key, Package};
use super::read::is_exported;
use super::wire::named;
use crate::types;

/// Replaces a sealed interface by the struct that carries its values beside a discriminator.
pub(super) fn wrapped(package: &Package, mut ty: Type) -> Type {
    types::walk(&mut ty, &mut |inner| {
        let Type::Named(text) = inner else { return };
        let Some(interface) = Key::of(text).filter(|key| key.dir == package.dir) else {
            return;
        };
        let wrapper = package.names().find(|(_, def)| match &def.ty {
            GoType::Struct(members) => {
                let holds = |name: &str| members.iter().any(|member| member.ty == GoType::Name(name.to_owned()));
                holds(&interface.name)
                    && members.len() == 2
                    && package
                        .names()
                        .any(|(_, other)| holds(&other.name) && package.constants(&other.name).next().is_some())
            }
            _ => false,
        });
        if let Some((_, def)) = wrapper {
            *inner = named(package, &def.name);
        }
    });
    ty
}

/// The types of the package that have an unexported method of an interface, as a union.
pub(super) fn sealed(package: &Package, methods: &[String]) -> Type {
    let Some(marker) = methods.iter().find(|name| !is_exported(name)) else {
        return Type::Any;
    };
    let mut union = Union::default();
    for (_, def) in package.names() {
        if package.method(&def.name, marker).is_none() {
            continue;
        }
        if is_raw(package, &def.name) {
            union.open = true;
            continue;
        }
        union.arms.push(Arm {
            name: Some(def.name.clone()),
            stability: def.stability,
            line: 0,
            ..Arm::of(named(package, &def.name))
        });
    }
    if union.arms.is_empty() {
        Type::Any
    } else {
        Type::Union(union)
    }
}

/// Whether a type holds bytes that it does not look into.
fn is_raw(package: &Package, name: &str) -> bool {
    let marshal = package
        .method(name, "MarshalJSON")
        .and_then(|method| method.marshal.as_ref());
    matches!(marshal, Some(Marshal::Raw))
}

/// A struct that holds a discriminator beside a sealed interface is one arm a constant, when switches or methods
/// say which constant stands for which type.
pub(super) fn discriminated(package: &Package, mut object: Object) -> Type {
    let local = |ty: &Type| match ty {
        Type::Named(text) => Key::of(text).filter(|key| key.dir == package.dir).map(|key| key.name),
        _ => None,
    };
    let mut tags = object.fields.iter().filter_map(|(name, field)| {
        let ty = local(&field.ty)?;
        let has_values = package.constants(&ty).next().is_some();
        has_values.then(|| (name.clone(), ty))
    });
    let mut payloads = object.fields.iter().filter_map(|(name, field)| {
        let ty = local(&field.ty)?;
        matches!(package.find(&ty)?.1.ty, GoType::Interface(_)).then(|| (name.clone(), ty))
    });
    let (Some((tag, tag_type)), None) = (tags.next(), tags.next()) else {
        return Type::Object(object);
    };
    let (Some((payload, interface)), None) = (payloads.next(), payloads.next()) else {
        return Type::Object(object);
    };
    drop((tags, payloads));
    let Some((
        _,
        TypeDef {
            ty: GoType::Interface(methods),
            ..
        },
    )) = package.find(&interface)
    else {
        return Type::Object(object);
    };
    let Type::Union(sealed) = sealed(package, methods) else {
        return Type::Object(object);
    };
    let (Some(tag_field), Some(payload_field)) = (object.fields.get(&tag), object.fields.get(&payload)) else {
        return Type::Object(object);
    };
    let mut union = Union {
        tag: Some(tag.clone()),
        open: sealed.open,
        ..Union::default()
    };
    for arm in &sealed.arms {
        let name = arm.name.as_deref().unwrap_or_default();
        for (constant, literal, line) in stands_for(package, &tag_type, name) {
            let mut tag_field = tag_field.clone();
            tag_field.ty = Type::Literal(literal);
            tag_field.line = line;
            tag_field.required = true;
            let mut payload_field = payload_field.clone();
            payload_field.ty = arm.ty.clone();
            let fields = BTreeMap::from([(tag.clone(), tag_field), (payload.clone(), payload_field)]);
            union.arms.push(Arm {
                name: Some(constant),
                stability: arm.stability,
                line,
                ..Arm::of(Type::Object(Object {
                    fields,
                    ..Object::default()
                }))
            });
        }
    }
    if union.arms.is_empty() {
        return Type::Object(object);
    }
    object.fields.remove(&tag);
    object.fields.remove(&payload);
    if object.fields.is_empty() && object.parts.is_empty() {
        return Type::Union(union);
    }
    object.parts.push(Type::Union(union));
    Type::Object(object)
}

/// The constants of `tag_type` that stand for the type `name`.
fn stands_for(package: &Package, tag_type: &str, name: &str) -> Vec<(String, Literal, u32)> {
    let beside = package.constants_beside(name);
    let returned: Vec<&str> = package
        .methods(name)
        .filter_map(|method| match &method.returns {
            Some(Value::Name(constant)) => Some(constant.as_str()),
            _ => None,
        })
        .collect();
    package
        .constants(tag_type)
        .filter(|constant| beside.contains(constant.name.as_str()) || returned.contains(&constant.name.as_str()))
        .filter_map(|constant| {
            let literal = enums::literal(package, &constant.value, 0)?;
            Some((constant.name.clone(), literal, constant.line))
        })
        .collect()
}
