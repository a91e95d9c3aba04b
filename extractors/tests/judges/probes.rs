//! Values that our model accepts or refuses, for a reader that must agree.

use std::collections::BTreeSet;

use agent_contracts_wire::Direction;
use agent_contracts_wire::model::{Field, Literal, Type, WireModel};
use serde_json::{Map, Value, json};

use crate::values::{View, alternatives, fits};

/// So many of one type.
const MOST: usize = 80;
/// How deep values go.
const DEPTH: usize = 4;
/// No literal of any table.
const OTHER: &str = "other!";

/// A value, and whether a reader of the type `name` takes it according to the model: whole values, values without each
/// member, and values with each part of another kind.
pub(crate) fn probes(model: &WireModel, name: &str) -> Vec<(Value, bool)> {
    let view = View {
        model,
        direction: Direction::Input,
    };
    let Some(decl) = model.types.get(name) else {
        return Vec::new();
    };
    let whole = samples(view, &decl.body, 0);
    let mut values = whole.clone();
    values.extend(whole.iter().take(12).flat_map(changed));
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.to_string()));
    values.truncate(MOST);
    values
        .into_iter()
        .map(|value| {
            let accepted = fits(view, &decl.body, &value, "").is_some();
            (value, accepted)
        })
        .collect()
}

/// A few values of a type; none where they would go too deep.
fn samples(view: View<'_>, ty: &Type, depth: usize) -> Vec<Value> {
    let below = |ty: &Type| samples(view, ty, depth + 1);
    match ty {
        Type::Any => vec![json!(1)],
        Type::Null => vec![Value::Null],
        Type::Boolean => vec![json!(true)],
        Type::Number => vec![json!(7)],
        Type::String => vec![json!("text")],
        Type::Literal(Literal::String(text)) => vec![json!(text)],
        Type::Literal(Literal::Number(text)) => serde_json::from_str(text).into_iter().collect(),
        Type::Literal(Literal::Boolean(value)) => vec![json!(value)],
        Type::Unresolved(_) => Vec::new(),
        Type::Named(id) => match view.model.types.get(id) {
            Some(decl) if depth <= DEPTH => samples(view, &decl.body, depth + 1),
            _ => Vec::new(),
        },
        Type::Array(item) => {
            let mut all = vec![json!([])];
            all.extend(below(item).into_iter().take(2).map(|item| json!([item])));
            all
        }
        Type::Tuple(items) => {
            let firsts: Option<Vec<Value>> = items.iter().map(|item| below(item).into_iter().next()).collect();
            firsts.map(Value::from).into_iter().collect()
        }
        Type::Map(item) => {
            let mut all = vec![json!({})];
            all.extend(below(item).into_iter().take(2).map(|item| json!({ "key": item })));
            all
        }
        Type::Union(union) => union.arms.iter().flat_map(|arm| below(&arm.ty)).take(12).collect(),
        Type::Object(_) => alternatives(view.model, ty, 0)
            .iter()
            .flat_map(|flat| objects(flat.fields.iter(), view, depth))
            .take(16)
            .collect(),
    }
}

/// The object with all members, with the required ones only, and with each other value of each member.
fn objects<'a>(fields: impl Iterator<Item = (&'a String, &'a Field)>, view: View<'_>, depth: usize) -> Vec<Value> {
    let (mut full, mut least, mut others) = (Map::new(), Map::new(), Vec::new());
    for (name, field) in fields {
        let mut values = samples(view, &field.ty, depth + 1).into_iter();
        let required = field.required_for(view.direction);
        match values.next() {
            Some(first) => {
                if required {
                    least.insert(name.clone(), first.clone());
                }
                full.insert(name.clone(), first);
                others.extend(values.map(|value| (name.clone(), value)));
            }
            // `never`, or too deep.
            None if required => return Vec::new(),
            None => {}
        }
    }
    let mut all = vec![Value::Object(full.clone()), Value::Object(least)];
    for (name, value) in others {
        let mut object = full.clone();
        object.insert(name, value);
        all.push(Value::Object(object));
    }
    all
}

/// The value with one thing changed, each thing once.
fn changed(value: &Value) -> Vec<Value> {
    let mut all = match value {
        Value::Null => vec![json!(OTHER)],
        Value::String(_) => vec![json!(7), json!(OTHER), Value::Null],
        Value::Number(_) => vec![json!(OTHER), json!(77), Value::Null],
        Value::Bool(flag) => vec![json!(OTHER), json!(!flag), Value::Null],
        Value::Array(_) | Value::Object(_) => vec![json!(OTHER), Value::Null],
    };
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                all.extend(changed(item).into_iter().map(|item| {
                    let mut items = items.clone();
                    items[index] = item;
                    Value::from(items)
                }));
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let mut without = members.clone();
                without.remove(name);
                all.push(Value::Object(without));
                all.extend(changed(member).into_iter().map(|member| {
                    let mut members = members.clone();
                    members.insert(name.clone(), member);
                    Value::Object(members)
                }));
            }
        }
        _ => {}
    }
    all
}
