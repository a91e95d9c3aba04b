//! Constants of the handshake, compared as they are: `1.9` and `1.10` are two values, whatever their order.

use serde_json::Value;

use super::arms::literal_json;
use super::told::Told;
use crate::model::{Constant, WireModel};
use crate::rules::Facts;

/// Constants under these names come from observed shapes and stand under rules of their own.
pub const OBSERVED: [(&str, &str); 3] = [
    ("order", "order_changed"),
    ("exit_class", "exit_class_changed"),
    ("stderr_class", "stderr_class_changed"),
];

/// The constants that changed, came or went.
pub(super) fn changed(old: &WireModel, new: &WireModel) -> Vec<Told> {
    let mut told = Vec::new();
    let in_scope = |constant: Option<&Constant>| constant.is_some_and(|constant| constant.in_scope);
    let names: std::collections::BTreeSet<&String> = old.constants.keys().chain(new.constants.keys()).collect();
    for name in names {
        let (before, after) = (old.constants.get(name), new.constants.get(name));
        if before.map(|c| &c.value) == after.map(|c| &c.value) || !(in_scope(before) || in_scope(after)) {
            continue;
        }
        // A constant that is hidden by something unread, or that got another name, did not change.
        if before.is_none() || after.is_none() {
            let (one, others) = match (before, after) {
                (Some(one), _) => (one, &new.constants),
                (None, Some(one)) => (one, &old.constants),
                (None, None) => continue,
            };
            if others
                .iter()
                .any(|(other, c)| c.value == one.value && super::names::likeness(other, name) > 0.4)
            {
                continue;
            }
        }
        let observed = OBSERVED.iter().find(|(key, _)| key == name).map(|(_, rule)| *rule);
        let json = |constant: Option<&Constant>| constant.map_or(Value::Null, |constant| literal_json(&constant.value));
        let place = after
            .or(before)
            .map(|constant| constant.place.clone())
            .unwrap_or_default();
        // Where two constants share a name, the later one has its path behind it.
        let shown = name.split('@').next().unwrap_or(name);
        told.push(Told {
            rule: observed.unwrap_or("handshake_changed"),
            type_name: Some(shown.to_owned()),
            wire_name: Some(shown.to_owned()),
            before: json(before),
            after: json(after),
            facts: Facts {
                fresh: before.is_none(),
                ..Facts::default()
            },
            place,
            ..Told::default()
        });
    }
    told
}
