//! Holds values against a model.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::Direction;
use agent_contracts_wire::model::{Arm, Field, Literal, Object, Type, Union, WireModel};
use serde_json::{Map, Value};

/// A model, as who writes it or who reads it sees it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) model: &'a WireModel,
    pub(crate) direction: Direction,
}

/// What is wrong with the model of the type `T` when these values are all that is written: values that it does not
/// allow, and members and arms that no value has.
pub(crate) fn written(model: &WireModel, samples: &[Value]) -> Vec<String> {
    let Some(root) = model.types.get("T") else {
        return vec!["there is no T".to_owned()];
    };
    let view = View {
        model,
        direction: Direction::Output,
    };
    let mut wrong: Vec<String> = model
        .unresolved
        .iter()
        .map(|unresolved| format!("unresolved {}", unresolved.what))
        .collect();
    let mut seen = BTreeSet::new();
    for sample in samples {
        match fits(view, &root.body, sample, "") {
            Some(marks) => seen.extend(marks),
            None => wrong.push(format!("what is written does not fit: {sample}")),
        }
    }
    if !wrong.is_empty() {
        // What a value that does not fit would have shown is not known.
        return wrong;
    }
    let mut all = BTreeSet::new();
    places(model, &root.body, "", &mut all, &mut vec!["T".to_owned()]);
    wrong.extend(all.difference(&seen).map(|place| format!("never written: {place}")));
    wrong
}

/// Documents made from the samples, whether a reader takes them according to the model, and why.
pub(crate) fn readings(model: &WireModel, samples: &[Value]) -> Vec<(Value, bool, String)> {
    let mut documents = Vec::new();
    let view = View {
        model,
        direction: Direction::Output,
    };
    let Some(root) = model.types.get("T") else {
        return documents;
    };
    for sample in samples {
        let Value::Object(members) = sample else {
            for name in accepted_values(view, &root.body, sample) {
                documents.push((Value::String(name.clone()), true, format!("{name} is accepted")));
            }
            continue;
        };
        for flat in alternatives(model, &root.body, 0) {
            if !flat_fits(view, &flat, members, "").is_some_and(|_| true) {
                continue;
            }
            for (name, field) in &flat.fields {
                let Some(value) = members.get(name) else { continue };
                if field.required {
                    let mut without = members.clone();
                    without.remove(name);
                    documents.push((Value::Object(without), field.defaulted, format!("{name} is left out")));
                }
                for other in &field.accepts {
                    let mut renamed = members.clone();
                    renamed.remove(name);
                    renamed.insert(other.clone(), value.clone());
                    documents.push((Value::Object(renamed), true, format!("{other} stands for {name}")));
                }
            }
        }
    }
    documents
}

/// Other spellings of a value that is one of a union of strings.
fn accepted_values(view: View<'_>, ty: &Type, value: &Value) -> Vec<String> {
    match ty {
        Type::Named(id) => view
            .model
            .types
            .get(id)
            .map(|decl| accepted_values(view, &decl.body, value))
            .unwrap_or_default(),
        Type::Union(union) => {
            let arm = union.arms.iter().find(|arm| fits(view, &arm.ty, value, "").is_some());
            arm.map(|arm| arm.accepts.clone()).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The places of the model that a value goes through; `None` when it does not fit.
pub(crate) fn fits(view: View<'_>, ty: &Type, value: &Value, at: &str) -> Option<Vec<String>> {
    let simple = |fits: bool| fits.then(Vec::new);
    match ty {
        Type::Any => Some(Vec::new()),
        Type::Null => simple(value.is_null()),
        Type::Boolean => simple(value.is_boolean()),
        Type::Number => simple(value.is_number()),
        Type::String => simple(value.is_string()),
        Type::Literal(Literal::String(text)) => simple(value == text.as_str()),
        Type::Literal(Literal::Number(text)) => {
            simple(value.as_number().is_some_and(|number| number.to_string() == *text))
        }
        Type::Literal(Literal::Boolean(flag)) => simple(value == flag),
        Type::Unresolved(_) => None,
        Type::Named(id) => fits(view, &view.model.types.get(id)?.body, value, at),
        Type::Array(item) => each(
            value
                .as_array()?
                .iter()
                .map(|value| fits(view, item, value, &format!("{at}[]"))),
        ),
        Type::Tuple(items) => {
            let values = value.as_array()?;
            (values.len() == items.len()).then_some(())?;
            each(
                items
                    .iter()
                    .zip(values)
                    .enumerate()
                    .map(|(i, (item, value))| fits(view, item, value, &format!("{at}[{i}]"))),
            )
        }
        Type::Map(item) => each(
            value
                .as_object()?
                .values()
                .map(|value| fits(view, item, value, &format!("{at}.*"))),
        ),
        Type::Object(_) => {
            let members = value.as_object()?;
            alternatives(view.model, ty, 0)
                .iter()
                .find_map(|flat| flat_fits(view, flat, members, at))
        }
        Type::Union(union) => {
            let declared = union.arms.iter().enumerate().find_map(|(index, arm)| {
                let place = format!("{at}|{index}");
                let mut marks = fits(view, &arm.ty, value, &place)?;
                marks.push(place);
                Some(marks)
            });
            let is_text = |arm: &Arm| matches!(arm.ty, Type::Literal(Literal::String(_)) | Type::Null);
            // More values of the same kind may come.
            let more = union.open && (value.is_string() || !union.arms.iter().all(is_text));
            declared.or_else(|| more.then(Vec::new))
        }
    }
}

fn each(all: impl Iterator<Item = Option<Vec<String>>>) -> Option<Vec<String>> {
    let mut marks = Vec::new();
    for one in all {
        marks.extend(one?);
    }
    Some(marks)
}

/// An object whose parts are written out.
#[derive(Clone, Default)]
pub(crate) struct Flat {
    pub(crate) fields: BTreeMap<String, Field>,
    pub(crate) rest: Option<Type>,
}

/// The objects that a type may be at one level; nothing for what is no object.
pub(crate) fn alternatives(model: &WireModel, ty: &Type, depth: usize) -> Vec<Flat> {
    if depth > 8 {
        return Vec::new();
    }
    match ty {
        Type::Named(id) => model
            .types
            .get(id)
            .map(|decl| alternatives(model, &decl.body, depth + 1))
            .unwrap_or_default(),
        Type::Union(Union { arms, .. }) => arms
            .iter()
            .flat_map(|arm| alternatives(model, &arm.ty, depth + 1))
            .collect(),
        Type::Map(item) => vec![Flat {
            rest: Some((**item).clone()),
            ..Flat::default()
        }],
        Type::Object(Object { fields, parts, open }) => {
            let mut flats = vec![Flat {
                rest: open.then_some(Type::Any),
                ..Flat::default()
            }];
            for part in parts {
                let choices = alternatives(model, part, depth + 1);
                flats = flats
                    .iter()
                    .flat_map(|flat| {
                        choices.iter().map(|choice| {
                            let mut flat = flat.clone();
                            flat.fields.extend(choice.fields.clone());
                            flat.rest = flat.rest.or_else(|| choice.rest.clone());
                            flat
                        })
                    })
                    .collect();
            }
            for flat in &mut flats {
                flat.fields.extend(fields.clone());
            }
            flats
        }
        _ => Vec::new(),
    }
}

fn flat_fits(view: View<'_>, flat: &Flat, members: &Map<String, Value>, at: &str) -> Option<Vec<String>> {
    if flat
        .fields
        .iter()
        .any(|(name, field)| field.required_for(view.direction) && !members.contains_key(name))
    {
        return None;
    }
    each(
        members
            .iter()
            .map(|(name, value)| match (flat.fields.get(name), &flat.rest) {
                (Some(field), _) => {
                    let place = format!("{at}.{name}");
                    let mut marks = fits(view, &field.ty, value, &place)?;
                    marks.push(place);
                    Some(marks)
                }
                (None, Some(rest)) => fits(view, rest, value, &format!("{at}.*")),
                (None, None) => None,
            }),
    )
}

/// Every place of a type that a value can go through; `inside` are the types that hold it.
fn places(model: &WireModel, ty: &Type, at: &str, into: &mut BTreeSet<String>, inside: &mut Vec<String>) {
    match ty {
        Type::Named(id) => {
            // A type inside of itself shows nothing new.
            if let Some(decl) = model.types.get(id).filter(|_| !inside.contains(id)) {
                inside.push(id.clone());
                places(model, &decl.body, at, into, inside);
                inside.pop();
            }
        }
        Type::Array(item) => places(model, item, &format!("{at}[]"), into, inside),
        Type::Map(item) => places(model, item, &format!("{at}.*"), into, inside),
        Type::Tuple(items) => {
            for (index, item) in items.iter().enumerate() {
                places(model, item, &format!("{at}[{index}]"), into, inside);
            }
        }
        Type::Object(_) => {
            for flat in alternatives(model, ty, 0) {
                for (name, field) in &flat.fields {
                    let place = format!("{at}.{name}");
                    places(model, &field.ty, &place, into, inside);
                    into.insert(place);
                }
            }
        }
        Type::Union(union) => {
            for (index, arm) in union.arms.iter().enumerate() {
                let place = format!("{at}|{index}");
                places(model, &arm.ty, &place, into, inside);
                into.insert(place);
            }
        }
        _ => {}
    }
}
