//! The shape that source code declares: one frame class per event of the root unions, `required` as declared.
//!
//! What a source does not say stays unsaid: `exit` and `stderr_class` are `unknown`, and a version without any readable
//! event gives one frame of event type `unknown`, never an empty shape. Sizes are bounded ([`Limits`]); what was cut off
//! ends as `object` or `array`, the event is listed in [`Derived::cut`], and the same input is always cut at the same
//! place, nearest members first.

mod events;
mod paths;
mod resolve;
mod roots;

use std::collections::BTreeMap;

use agent_contracts_wire::{DiffOptions, Direction, Family, WireModel};

use crate::shape::{Exit, FrameDirection, FrameShape, Shape, ShapeError, StderrClass, Stream, Validity};
use resolve::{Frame, Resolver};

/// The shape of one version's source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The shape.
    pub shape: Shape,
    /// Event types whose members are not all in the shape, because it would have become too large.
    pub cut: Vec<String>,
}

/// How large a derived shape may become.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Steps from the frame to a member.
    depth: usize,
    /// Paths of one frame class.
    paths: usize,
    /// Types looked at, over all frames.
    work: usize,
}

/// Paths of all frames together; the share of one frame follows from it.
const ALL_PATHS: usize = 20_000;

/// Derives the shape of `model`. `options` says where to start and who writes what, as for the diff.
pub fn derive(
    model: &WireModel,
    options: &DiffOptions,
    family: &Family,
    validity: Validity,
) -> Result<Derived, ShapeError> {
    let resolver = Resolver::new(model, 2_000_000);
    let mut frames: BTreeMap<(FrameDirection, String), Vec<Frame<'_>>> = BTreeMap::new();
    for event in events::events(&resolver, &roots::roots(model, options), options) {
        for direction in directions(event.direction) {
            frames
                .entry((*direction, event.name.clone()))
                .or_default()
                .push(event.frame.clone());
        }
    }
    let limits = Limits {
        depth: 10,
        paths: (ALL_PATHS / frames.len().max(1)).clamp(40, 1_000),
        work: 200_000,
    };
    let mut cut = Vec::new();
    let mut shapes = Vec::new();
    for ((direction, event_type), forms) in frames {
        let found = paths::paths(&resolver, &forms, direction, limits);
        if found.cut {
            cut.push(event_type.clone());
        }
        shapes.push(FrameShape {
            direction,
            stream: stream(direction),
            event_type,
            paths: found.paths,
            enums: found.enums,
        });
    }
    if shapes.is_empty() {
        shapes.push(nothing_known());
    }
    cut.dedup();
    let shape = Shape::new(family, validity, shapes, StderrClass::Unknown, Exit::Unknown)?;
    Ok(Derived { shape, cut })
}

/// The frame of a source that declares no event that we can read.
fn nothing_known() -> FrameShape {
    FrameShape {
        direction: FrameDirection::Output,
        stream: Stream::Stdout,
        event_type: "unknown".to_owned(),
        paths: Vec::new(),
        enums: BTreeMap::new(),
    }
}

fn directions(direction: Direction) -> &'static [FrameDirection] {
    match direction {
        Direction::Input => &[FrameDirection::Input],
        Direction::Both => &[FrameDirection::Output, FrameDirection::Input],
        Direction::Output | Direction::Unknown => &[FrameDirection::Output],
    }
}

fn stream(direction: FrameDirection) -> Stream {
    match direction {
        FrameDirection::Output => Stream::Stdout,
        FrameDirection::Input => Stream::Stdin,
    }
}
