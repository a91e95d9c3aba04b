//! A source of which nothing can be read any more: not the same as a protocol that is gone.

use serde_json::Value;

use super::told::Told;
use crate::finding::Direction;
use crate::model::{Evidence, Place, WireModel};

/// The finding, when one side cannot be read at all while the other could.
pub(super) fn lost(old: &WireModel, new: &WireModel) -> Option<Told> {
    let told = |side: &WireModel, before: Value, after: Value| Told {
        rule: "source_lost",
        wire_name: first_file(side),
        direction: Direction::Unknown,
        before,
        after,
        place: Place {
            file: first_file(side).unwrap_or_default(),
            line: 1,
        },
        ..Told::default()
    };
    if size(old) > 0 && is_blank(new) {
        return Some(told(old, summary(old), Value::from(why(new))));
    }
    // An empty old side is the first version of a file; an unreadable one is a loss.
    if size(new) > 0 && is_blank(old) && !old.degraded.is_empty() {
        return Some(told(new, Value::from(why(old)), summary(new)));
    }
    None
}

/// How much of a protocol a model holds in its scope.
fn size(model: &WireModel) -> usize {
    let types = model
        .types
        .values()
        .filter(|ty| ty.in_scope && ty.evidence != Evidence::InProcess)
        .count();
    types + model.constants.values().filter(|constant| constant.in_scope).count() + model.flags.len()
}

/// Nothing of the scope could be read: no file, or none that is whole.
fn is_blank(model: &WireModel) -> bool {
    let unread = model
        .degraded
        .iter()
        .filter(|degraded| degraded.lines.is_none())
        .count();
    size(model) == 0 && (model.files == 0 || unread >= model.files as usize)
}

fn why(model: &WireModel) -> String {
    model.degraded.first().map_or_else(
        || "no file of the scope is there".to_owned(),
        |degraded| format!("{}: {}", degraded.file, degraded.why),
    )
}

fn summary(model: &WireModel) -> Value {
    let types = model.types.values().filter(|ty| ty.in_scope).count();
    Value::from(format!(
        "{} files, {types} types, {} flags",
        model.files,
        model.flags.len()
    ))
}

fn first_file(model: &WireModel) -> Option<String> {
    let types = model.types.values().filter(|ty| ty.in_scope).map(|ty| &ty.place.file);
    types
        .chain(model.flags.iter().map(|flag| &flag.place.file))
        .min()
        .cloned()
}
