//! Types with constants: their values as they are written.

use agent_contracts_wire::{Arm, Literal, Type, Union};

use super::facts::{Const, GoType, Marshal, Method, OTHERWISE, TypeDef, Value, Written};
use super::packages::Package;

/// What a builtin type is on the wire.
pub(super) fn builtin(name: &str) -> Option<Type> {
    Some(match name {
        "string" | "error" => Type::String,
        "bool" => Type::Boolean,
        "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32" | "uint64"
        | "uintptr" | "float32" | "float64" | "byte" | "rune" => Type::Number,
        "any" => Type::Any,
        _ => return None,
    })
}

/// The literal that a constant stands for, through other constants of the package.
pub(super) fn literal(package: &Package, value: &Value, depth: usize) -> Option<Literal> {
    match value {
        Value::Text(text) => Some(Literal::String(text.clone())),
        Value::Integer(number) => Some(Literal::Number(number.to_string())),
        Value::Name(name) if depth < 8 => {
            let other = package.consts().find(|other| other.name == *name)?;
            literal(package, &other.value, depth + 1)
        }
        _ => None,
    }
}

/// The wire form of a type whose underlying type is a builtin one; `None` for any other.
pub(super) fn named_builtin(package: &Package, def: &TypeDef) -> Option<Type> {
    let GoType::Name(base) = &def.ty else { return None };
    if package.find(base).is_some() {
        return None;
    }
    let plain = builtin(base)?;
    let values: Vec<(&Const, Literal)> = package
        .constants(&def.name)
        .filter_map(|constant| Some((constant, literal(package, &constant.value, 0)?)))
        .collect();
    let writes = |name| package.method(&def.name, name).filter(|_| !def.alias);
    let rewritten = match (writes("MarshalJSON"), writes("MarshalText")) {
        (Some(method), _) => Some(json_texts(package, def, method)),
        (None, Some(method)) => Some(texts(package, def, method, 0)),
        (None, None) => None,
    };
    let arms = match rewritten {
        // Its own text: what the constant holds.
        None | Some(Texts::Own) if plain == Type::String || rewritten.is_none() => values,
        Some(Texts::Mapped(rows)) => values
            .into_iter()
            .filter_map(|(constant, literal)| {
                let position = format!("#{literal}");
                let row = rows
                    .iter()
                    .find(|(key, _)| *key == constant.name || *key == position)
                    .or_else(|| rows.iter().find(|(key, _)| key == OTHERWISE))?;
                Some((constant, Literal::String(row.1.clone())))
            })
            .collect(),
        _ => return Some(Type::String),
    };
    if arms.is_empty() {
        return Some(plain);
    }
    let mut union = Union::default();
    for (constant, literal) in arms {
        let ty = Type::Literal(literal);
        if union.arms.iter().any(|arm: &Arm| arm.ty == ty) {
            continue;
        }
        union.arms.push(Arm {
            name: Some(constant.name.clone()),
            stability: constant.stability,
            line: constant.line,
            ..Arm::of(ty)
        });
    }
    Some(Type::Union(union))
}

/// How a type turns itself into text.
enum Texts {
    /// As it is.
    Own,
    /// By a table over its constants.
    Mapped(Vec<(String, String)>),
    /// In a way that is not understood.
    Unknown,
}

/// What `MarshalText` (or a method that it calls) gives.
fn texts(package: &Package, def: &TypeDef, method: &Method, depth: usize) -> Texts {
    let mut rows = method.cases.clone();
    for table in &method.indexes {
        rows.extend_from_slice(package.table(table));
    }
    if !rows.is_empty() {
        return Texts::Mapped(rows);
    }
    for name in &method.calls {
        if depth < 4
            && let Some(called) = package.method(&def.name, name)
        {
            return texts(package, def, called, depth + 1);
        }
    }
    if method.as_text { Texts::Own } else { Texts::Unknown }
}

/// What `MarshalJSON` of such a type gives.
fn json_texts(package: &Package, def: &TypeDef, method: &Method) -> Texts {
    match &method.marshal {
        Some(Marshal::One(Written::Call(name))) => match package.method(&def.name, name) {
            Some(called) => texts(package, def, called, 0),
            None => Texts::Unknown,
        },
        Some(Marshal::One(Written::Text)) => match texts(package, def, method, 0) {
            // `return []byte("\"a\"")`: the text is JSON already.
            Texts::Mapped(rows) => {
                let rows = rows.into_iter().map(|(key, text)| {
                    let decoded = serde_json::from_str(&text).unwrap_or(text);
                    (key, decoded)
                });
                Texts::Mapped(rows.collect())
            }
            other => other,
        },
        _ => Texts::Unknown,
    }
}
