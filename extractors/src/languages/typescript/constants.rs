//! Enums, protocol versions and tables of names.

use std::collections::BTreeSet;

use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::{Arm, Constant, Evidence, Field, Literal, Object, Place, Type, TypeDecl, Union};

use super::ast::{DeclKind, EnumMember, MemberKind, Ty};
use super::eval::{Cx, Env};
use super::linker::Linker;

/// The type of an enum: its values, under the names of its members.
pub(super) fn enum_type(members: &[EnumMember]) -> Type {
    let arms = members.iter().map(|member| Arm {
        name: Some(member.name.clone()),
        line: member.line,
        stability: member.stability,
        ..Arm::of(member_type(member))
    });
    Type::Union(Union {
        arms: arms.collect(),
        ..Union::default()
    })
}

/// The object that an enum is as a value.
pub(super) fn enum_object(members: &[EnumMember]) -> Type {
    let field = |member: &EnumMember| (member.name.clone(), Field::new(member_type(member), true, member.line));
    Type::Object(Object {
        fields: members.iter().map(field).collect(),
        ..Object::default()
    })
}

fn member_type(member: &EnumMember) -> Type {
    match &member.value {
        Some(value) => Type::Literal(value.clone()),
        None => Type::Unresolved(format!("the value of {}", member.name)),
    }
}

/// Adds what constants of the scope say: versions that a handshake sends, and tables of the names of methods or events.
pub(super) fn add(linker: &mut Linker<'_>, model: &mut WireModel) {
    let mut known: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    for decl in model.types.values() {
        known.extend(literal_set(&decl.body));
    }
    for (index, module) in linker.scope() {
        for decl in &module.facts().decls {
            let DeclKind::Const(ty) = &decl.kind else { continue };
            let place = Place {
                file: module.path.clone(),
                line: decl.line,
            };
            if is_version(&decl.name) {
                let cx = Cx {
                    module: index,
                    space: &decl.space,
                    env: Env::default(),
                    line: decl.line,
                };
                if !matches!(ty, Ty::Unread(_) | Ty::Schema(_) | Ty::Keyword(_))
                    && let Type::Literal(value) = linker.eval(ty, &cx).ty
                {
                    let constant = Constant {
                        value,
                        place,
                        in_scope: true,
                    };
                    let name = if model.constants.contains_key(&decl.name) {
                        format!("{}@{}", decl.name, module.path)
                    } else {
                        decl.name.clone()
                    };
                    model.constants.insert(name, constant);
                }
            } else if names_a_table(&decl.name)
                && let Some(body) = table(ty)
                && literal_set(&body).is_some_and(|set| known.insert(set))
            {
                let id = if model.types.contains_key(&decl.name) {
                    format!("{}@{}", decl.name, module.path)
                } else {
                    decl.name.clone()
                };
                let table = TypeDecl {
                    name: decl.name.clone(),
                    place,
                    in_scope: true,
                    body,
                    direction: None,
                    stability: decl.stability,
                    evidence: Evidence::Declared,
                };
                model.types.entry(id).or_insert(table);
            }
        }
    }
}

/// The parts of a name, in lower case: `protocolVersion` and `PROTOCOL_VERSION` are the same.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = '_';
    for char in name.chars() {
        if char == '_' || char == '$' || char == '-' {
            previous = '_';
            continue;
        }
        let starts = previous == '_' || (char.is_uppercase() && previous.is_lowercase());
        match words.last_mut() {
            Some(word) if !starts => word.extend(char.to_lowercase()),
            _ => words.push(char.to_lowercase().collect()),
        }
        previous = char;
    }
    words
}

/// Whether a constant is a version that a handshake sends: `PROTOCOL_VERSION`, `wireProtocolVersion`.
fn is_version(name: &str) -> bool {
    let words = words(name);
    let has = |word: &str| words.iter().any(|found| found == word);
    let is_error = has("unsupported") || has("invalid") || has("mismatch") || has("error");
    has("version") && (has("protocol") || has("wire") || has("handshake")) && !is_error
}

/// Whether a constant is named like a table of methods or events: `AGENT_METHODS`.
fn names_a_table(name: &str) -> bool {
    words(name).iter().any(|word| {
        matches!(
            word.as_str(),
            "methods" | "method" | "events" | "notifications" | "requests"
        )
    })
}

/// The names in a constant object of fixed strings, as in an enum.
fn table(ty: &Ty) -> Option<Type> {
    let Ty::Object(shape) = ty else { return None };
    let mut arms = Vec::new();
    for member in &shape.members {
        let MemberKind::Field {
            name,
            ty: Ty::Literal(value @ Literal::String(_)),
        } = &member.kind
        else {
            return None;
        };
        arms.push(Arm {
            name: Some(name.clone()),
            line: member.line,
            stability: member.stability,
            ..Arm::of(Type::Literal(value.clone()))
        });
    }
    let is_table = !arms.is_empty() && shape.extends.is_empty();
    is_table.then(|| {
        Type::Union(Union {
            arms,
            ..Union::default()
        })
    })
}

/// The values of a type that is made of string literals alone.
fn literal_set(ty: &Type) -> Option<BTreeSet<String>> {
    let Type::Union(union) = ty else { return None };
    let value = |arm: &Arm| match &arm.ty {
        Type::Literal(Literal::String(text)) => Some(text.clone()),
        _ => None,
    };
    union.arms.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::typescript::ast::Keyword;

    #[test]
    fn versions_and_tables_are_known_by_their_names() {
        for name in [
            "PROTOCOL_VERSION",
            "LATEST_PROTOCOL_VERSION",
            "SDK_PROTOCOL_VERSION",
            "wireVersion",
            "protocolVersion",
        ] {
            assert!(is_version(name), "{name}");
        }
        for name in [
            "VERSION",
            "SDK_VERSION",
            "UNSUPPORTED_PROTOCOL_VERSION",
            "protocol",
            "conversionProtocol",
        ] {
            assert!(!is_version(name), "{name}");
        }
        assert!(names_a_table("AGENT_METHODS") && !names_a_table("METHODOLOGY"));
        let says_nothing = Ty::Keyword(Keyword::String);
        assert_eq!(table(&says_nothing), None);
    }
}
