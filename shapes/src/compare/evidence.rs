//! What a source predicted and what runs reached: which of the observed places a source declares, and which of the
//! declared places a probe has seen.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::{EventType, Path, Step, Transport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shape::{FrameShape, Shape};

/// What observations and source evidence of one family say of each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Places that were observed and that the source declares.
    pub confirmed: usize,
    /// Places that the source declares in events that were seen.
    pub predicted: usize,
    /// How many of those were reached.
    pub reached: usize,
    /// Places that were observed and that no source declares, by event; all places of an event that is not declared.
    pub not_predicted: BTreeMap<String, Vec<String>>,
    /// Places that are declared and were not reached, by event that was seen.
    pub not_reached: BTreeMap<String, Vec<String>>,
    /// Events that are declared and were never seen.
    pub events_not_reached: Vec<String>,
}

/// Sets observed shapes beside the one that a source declares.
#[must_use]
pub fn coverage(observed: &[&Shape], predicted: &Shape) -> Coverage {
    let declared: Vec<Declared<'_>> = predicted.frame_shapes.iter().map(Declared::of).collect();
    let is_rpc = predicted.transport == Transport::JsonRpc;
    let mut seen: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut unknown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut confirmed: BTreeSet<(&str, &str)> = BTreeSet::new();
    for frame in observed.iter().flat_map(|shape| &shape.frame_shapes) {
        let found = find(&declared, frame);
        if let Some((index, _)) = &found {
            seen.entry(*index).or_default();
        }
        for path in &frame.paths {
            let place = found.as_ref().and_then(|(index, base)| {
                let steps = path.path.parse::<Path>().ok()?;
                let inner = steps.steps().strip_prefix(base.as_slice());
                // What is around a payload that the source declares by itself is not the source's to declare.
                let around = inner.is_none_or(<[Step]>::is_empty) && !base.is_empty();
                let envelope = is_rpc && ["id", "jsonrpc"].contains(&path.path.as_str());
                if around || envelope {
                    return Some(None);
                }
                declared[*index].place(inner?).map(|place| Some((*index, place)))
            });
            match place {
                Some(Some((index, place))) => {
                    confirmed.insert((&frame.event_type, &path.path));
                    seen.entry(index).or_default().insert(place);
                }
                Some(None) => {}
                None => {
                    unknown
                        .entry(frame.event_type.clone())
                        .or_default()
                        .insert(path.path.clone());
                }
            }
        }
        if found.is_none() {
            unknown.entry(frame.event_type.clone()).or_default();
        }
    }
    let mut coverage = Coverage {
        confirmed: confirmed.len(),
        not_predicted: unknown
            .into_iter()
            .map(|(event, paths)| (event, paths.into_iter().collect()))
            .collect(),
        ..Coverage::default()
    };
    for (index, event) in declared.iter().enumerate() {
        let name = event.frame.event_type.clone();
        let Some(reached) = seen.get(&index) else {
            coverage.events_not_reached.push(name);
            continue;
        };
        coverage.predicted += event.open.len();
        coverage.reached += reached.len();
        let left: Vec<String> = event
            .open
            .keys()
            .filter(|path| !reached.contains(*path))
            .cloned()
            .collect();
        if !left.is_empty() {
            coverage.not_reached.entry(name).or_default().extend(left);
        }
    }
    coverage
}

/// An event that a source declares.
struct Declared<'a> {
    frame: &'a FrameShape,
    event: Option<EventType>,
    /// Its places, and whether nothing is said of what stands below: a value of any kind, a recursion that ends.
    open: BTreeMap<String, bool>,
}

impl<'a> Declared<'a> {
    fn of(frame: &'a FrameShape) -> Self {
        let inner: BTreeSet<String> = frame
            .paths
            .iter()
            .filter_map(|path| Some(path.path.parse::<Path>().ok()?.parent()?.to_string()))
            .collect();
        Self {
            frame,
            event: frame.event_type.parse().ok(),
            open: frame
                .paths
                .iter()
                .map(|path| (path.path.clone(), !inner.contains(&path.path)))
                .collect(),
        }
    }

    /// The declared place that an observed one is, or stands below.
    fn place(&self, steps: &[Step]) -> Option<String> {
        (1..=steps.len()).rev().find_map(|length| {
            let here = |place: &String| self.open.get(place).is_some_and(|open| length == steps.len() || *open);
            spellings(&steps[..length]).into_iter().find(here)
        })
    }
}

/// The declared event that an observed frame is, and the steps to the payload that it declares: the event of that name;
/// else of that name with fewer nested tags; else the one that a nested tag names, for a source that declares what a
/// method carries and not the method.
fn find(declared: &[Declared<'_>], frame: &FrameShape) -> Option<(usize, Vec<Step>)> {
    let find = |fits: &dyn Fn(&EventType) -> bool| {
        let fitting = declared
            .iter()
            .enumerate()
            .filter(|(_, event)| event.event.as_ref().is_some_and(fits));
        fitting
            .min_by_key(|(_, event)| event.frame.direction != frame.direction)
            .map(|(index, _)| index)
    };
    let observed: EventType = frame.event_type.parse().ok()?;
    let fewer = |event: &EventType| {
        let tags = event.nested.iter().all(|tag| observed.nested.contains(tag));
        event.name == observed.name && event.answer == observed.answer && tags
    };
    if let Some(index) = find(&|event| *event == observed).or_else(|| find(&fewer)) {
        return Some((index, Vec::new()));
    }
    observed.nested.iter().find_map(|tag| {
        let index = find(&|event| event.name == *tag && event.answer.is_none())?;
        let holds = |(_, values): &(&String, &Vec<String>)| values.len() == 1 && values[0] == *tag;
        let (path, _) = frame.enums.iter().find(holds)?;
        Some((index, path.parse::<Path>().ok()?.parent()?.steps().to_vec()))
    })
}

/// A path, and the same with items under no tag and members under any name.
fn spellings(steps: &[Step]) -> Vec<String> {
    let loose: Vec<Step> = steps
        .iter()
        .map(|step| match step {
            Step::Tagged(_) => Step::Items,
            other => other.clone(),
        })
        .collect();
    let text = |steps: &[Step]| steps.iter().cloned().collect::<Path>().to_string();
    let any = (0..loose.len()).filter_map(|index| {
        let mut any = loose.clone();
        let Step::Member(_) = any[index] else {
            return None;
        };
        any[index] = Step::AnyMember;
        Some(text(&any))
    });
    [text(steps), text(&loose)].into_iter().chain(any).collect()
}
