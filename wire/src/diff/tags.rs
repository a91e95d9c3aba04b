//! Which member tells the arms of a union apart.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{ArmForm, Form, Graph, NodeId};
use crate::model::Literal;

/// Members that commonly hold a tag, the likeliest first.
const WELL_KNOWN: [&str; 10] = [
    "type",
    "kind",
    "method",
    "event",
    "sessionUpdate",
    "command",
    "op",
    "action",
    "role",
    "subtype",
];

/// The first so many of them tell events apart.
const EVENT_TAGS: usize = 7;

/// Whether a tag of this name commonly tells events apart, rather than states or roles.
pub(super) fn names_events(tag: &str) -> bool {
    WELL_KNOWN[..EVENT_TAGS].contains(&tag)
}

/// The share of arms (in per cent) that must hold a literal in a member before it counts as their tag.
const LEAST_COVERAGE: usize = 60;

/// The exact strings that `field` may hold in the object `node`; `None` when it is open or there is none.
pub(super) fn values<'m>(graph: &Graph<'m>, node: NodeId, field: &str) -> Option<BTreeSet<&'m str>> {
    let Form::Object(object) = graph.form(node) else {
        return None;
    };
    let field = object.fields.get(field)?;
    if !field.required {
        return None;
    }
    match graph.form(field.node) {
        Form::Literal(Literal::String(value)) => Some(BTreeSet::from([value.as_str()])),
        Form::Union(union) if !union.open => union
            .arms
            .iter()
            .map(|arm| match graph.form(arm.node) {
                Form::Literal(Literal::String(value)) => Some(value.as_str()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

/// The member of one object that looks like its tag: a common name, and exact strings.
pub(super) fn own(graph: &Graph<'_>, node: NodeId) -> Option<&'static str> {
    let mut names = WELL_KNOWN.iter().copied();
    names.find(|name| values(graph, node, name).is_some())
}

/// How many of `arms` (in per cent) hold exact strings in `field`.
fn coverage(graph: &Graph<'_>, arms: &[ArmForm<'_>], field: &str) -> usize {
    let objects: Vec<_> = arms
        .iter()
        .filter(|arm| matches!(graph.form(arm.node), Form::Object(_)))
        .collect();
    let holding = objects
        .iter()
        .filter(|arm| values(graph, arm.node, field).is_some())
        .count();
    (holding * 100).checked_div(objects.len()).unwrap_or(0)
}

/// The member that tells `arms` apart: the source's own word for it, else the one that most of them hold with the most
/// distinct values. `used` are members that were already used further up.
pub(super) fn find<'m>(
    graph: &Graph<'m>,
    arms: &[ArmForm<'m>],
    hint: Option<&'m str>,
    used: &BTreeSet<&str>,
) -> Option<&'m str> {
    let mut distinct: BTreeMap<&'m str, BTreeSet<Vec<&str>>> = BTreeMap::new();
    for arm in arms {
        let Form::Object(object) = graph.form(arm.node) else {
            continue;
        };
        for name in object.fields.keys().filter(|name| !used.contains(**name)) {
            if let Some(values) = values(graph, arm.node, name) {
                distinct.entry(name).or_default().insert(values.into_iter().collect());
            }
        }
    }
    if let Some(hint) = hint.filter(|hint| distinct.contains_key(hint) && coverage(graph, arms, hint) >= LEAST_COVERAGE)
    {
        return Some(hint);
    }
    distinct
        .into_iter()
        .filter(|(_, values)| values.len() > 1)
        .map(|(name, values)| (name, values.len(), coverage(graph, arms, name)))
        .filter(|(_, _, coverage)| *coverage >= LEAST_COVERAGE)
        .min_by_key(|(name, distinct, coverage)| {
            let rank = WELL_KNOWN
                .iter()
                .position(|known| known == name)
                .unwrap_or(WELL_KNOWN.len());
            (
                *coverage < 100,
                rank,
                usize::MAX - distinct,
                usize::MAX - coverage,
                *name,
            )
        })
        .map(|(name, _, _)| name)
}

/// The tags of both sides. Two different names mean that the tag itself was renamed.
pub(super) fn of_both<'m>(
    old: (&Graph<'m>, &[ArmForm<'m>], Option<&'m str>),
    new: (&Graph<'m>, &[ArmForm<'m>], Option<&'m str>),
    used: (&BTreeSet<&str>, &BTreeSet<&str>),
) -> Option<(&'m str, &'m str)> {
    let tag_old = find(old.0, old.1, old.2, used.0);
    let tag_new = find(new.0, new.1, new.2, used.1);
    let held = |side: (&Graph<'m>, &[ArmForm<'m>], Option<&'m str>), tag: &str| coverage(side.0, side.1, tag);
    match (tag_old, tag_new) {
        (None, None) => None,
        (Some(tag), None) => (held(new, tag) > 0 || new.1.len() <= 1).then_some((tag, tag)),
        (None, Some(tag)) => (held(old, tag) > 0 || old.1.len() <= 1).then_some((tag, tag)),
        (Some(a), Some(b)) if a == b => Some((a, b)),
        (Some(a), Some(b)) => {
            let (values_old, values_new) = (all_values(old.0, old.1, a), all_values(new.0, new.1, b));
            let both = values_old.intersection(&values_new).count();
            if both * 2 >= values_old.len().min(values_new.len()) {
                Some((a, b))
            } else if held(old, b) >= LEAST_COVERAGE {
                Some((b, b))
            } else if held(new, a) >= LEAST_COVERAGE {
                Some((a, a))
            } else {
                None
            }
        }
    }
}

/// Every value of `tag` among `arms`.
pub(super) fn all_values<'m>(graph: &Graph<'m>, arms: &[ArmForm<'m>], tag: &str) -> BTreeSet<&'m str> {
    arms.iter()
        .filter_map(|arm| values(graph, arm.node, tag))
        .flatten()
        .collect()
}

/// The tag of one side alone.
pub(super) fn of_one<'m>(graph: &Graph<'m>, node: NodeId) -> Option<&'m str> {
    let hint = match graph.form(node) {
        Form::Union(union) => union.tag,
        _ => None,
    };
    find(graph, &graph.arms(node), hint, &BTreeSet::new())
}

/// A literal that is the same in all object arms of a union, under a name that commonly holds a tag: the outer half of
/// a tag of two members (`type: "response"` beside `command`).
pub(super) fn constant<'m>(graph: &Graph<'m>, arms: &[ArmForm<'m>]) -> Option<(&'static str, &'m str)> {
    WELL_KNOWN.iter().find_map(|name| {
        let values = all_values(graph, arms, name);
        match (values.first(), values.len()) {
            (Some(value), 1) if arms.len() > 1 && coverage(graph, arms, name) == 100 => Some((*name, *value)),
            _ => None,
        }
    })
}

/// The one required member of an object that has no other: the tag of an externally tagged variant.
pub(super) fn only_key<'m>(graph: &Graph<'m>, node: NodeId) -> Option<(&'m str, NodeId)> {
    let Form::Object(object) = graph.form(node) else {
        return None;
    };
    if object.fields.len() != 1 || !object.holes.is_empty() {
        return None;
    }
    let (name, field) = object.fields.iter().next()?;
    field.required.then_some((name, field.node))
}
