//! What was marked experimental and is no longer: there for everyone now, without a change of its form.

use std::collections::BTreeMap;

use super::graph::{DeclId, Form, Graph};
use super::roles::{Role, Roles};
use super::tags;
use super::told::Told;
use crate::model::{Place, Stability};
use crate::rules::Facts;

/// The members, arms and values of a declared type that are experimental or not, with the rule they stand under.
fn marks<'m>(graph: &Graph<'m>, id: DeclId, roles: &Roles<'_, 'm>) -> BTreeMap<(&'static str, String), (bool, u32)> {
    let root = graph.decls[id].root;
    let mut marks = BTreeMap::new();
    match graph.form(root) {
        Form::Object(object) => {
            for (name, field) in object.fields.iter().filter(|(_, field)| field.owner == id) {
                marks.insert(("field_added", (*name).to_owned()), (field.experimental, field.line));
            }
        }
        Form::Union(union) => {
            let tag = tags::of_one(graph, root);
            let rule = match roles.of(graph.resolved(root).0) {
                Role::Stream => "event_added",
                Role::Table | Role::Answers => "method_added",
                Role::Nested => "variant_added",
            };
            for arm in union.arms.iter().filter(|arm| arm.owner == id) {
                let names: Vec<(&'static str, String)> = match graph.form(arm.node) {
                    Form::Literal(literal) => vec![("enum_value_added", literal.to_string())],
                    _ => tag
                        .and_then(|tag| tags::values(graph, arm.node, tag))
                        .into_iter()
                        .flatten()
                        .map(|value| (rule, value.to_owned()))
                        .collect(),
                };
                marks.extend(names.into_iter().map(|name| (name, (arm.experimental, arm.line))));
            }
        }
        _ => {}
    }
    marks
}

/// What lost its mark between two declarations of one type.
pub(super) fn stabilised<'m>(
    (old, a, old_roles): (&Graph<'m>, DeclId, &Roles<'_, 'm>),
    (new, b, new_roles): (&Graph<'m>, DeclId, &Roles<'_, 'm>),
) -> Vec<Told> {
    let experimental = |stability: Stability| stability == Stability::Experimental;
    let (before, after) = (old.decl(a), new.decl(b));
    let told = |rule: &'static str, name: Option<String>, line: u32| Told {
        rule,
        type_name: Some(after.name.clone()),
        wire_name: name,
        before: "experimental".into(),
        after: "stable".into(),
        facts: Facts {
            stabilised: true,
            ..Facts::default()
        },
        place: Place {
            file: after.place.file.clone(),
            line: if line > 0 { line } else { after.place.line },
        },
        ..Told::default()
    };
    if experimental(before.stability) != experimental(after.stability) {
        let whole = experimental(before.stability).then(|| told("type_added", None, after.place.line));
        return whole.into_iter().collect();
    }
    let now = marks(new, b, new_roles);
    marks(old, a, old_roles)
        .into_iter()
        .filter(|(_, (marked, _))| *marked)
        .filter_map(|(key, _)| {
            now.get(&key)
                .filter(|(marked, _)| !marked)
                .map(|(_, line)| told(key.0, Some(key.1), *line))
        })
        .collect()
}
