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

/// How large one frame, and the search for its paths, may become.
const LIMITS: Limits = Limits {
    depth: 10,
    paths: 1_000,
    work: 200_000,
};

/// Types that are looked at over all frames. A protocol of 700 frames takes a tenth of it; a model that doubles at every
/// level would take for ever.
const WORK: usize = 1_000_000;

/// Paths of all frames together. Where there are more, the largest frames lose some, down to one size for all of them.
const ALL_PATHS: usize = 12_000;

/// Derives the shape of `model`. `options` says where to start and who writes what, as for the diff.
pub fn derive(
    model: &WireModel,
    options: &DiffOptions,
    family: &Family,
    validity: Validity,
) -> Result<Derived, ShapeError> {
    let resolver = Resolver::new(model, WORK);
    let mut frames: BTreeMap<(FrameDirection, String), Vec<Frame<'_>>> = BTreeMap::new();
    for event in events::events(&resolver, &roots::roots(model, options), options) {
        for direction in directions(event.direction) {
            frames
                .entry((*direction, event.name.to_string()))
                .or_default()
                .push(event.frame.clone());
        }
    }
    let mut found: Vec<_> = frames
        .into_iter()
        .map(|((direction, event_type), forms)| {
            let mut found = paths::paths(&resolver, &forms, direction, LIMITS);
            found.cut |= resolver.is_exhausted();
            (direction, event_type, found)
        })
        .collect();
    let sizes: Vec<usize> = found.iter().map(|(_, _, found)| found.paths.len()).collect();
    let largest = share(&sizes, ALL_PATHS);
    let mut cut = Vec::new();
    let mut shapes = Vec::new();
    for (direction, event_type, found) in &mut found {
        found.cut_to(largest);
        if found.cut {
            cut.push(event_type.clone());
        }
        shapes.push(FrameShape {
            direction: *direction,
            stream: stream(*direction),
            event_type: std::mem::take(event_type),
            paths: std::mem::take(&mut found.paths),
            enums: std::mem::take(&mut found.enums),
        });
    }
    if shapes.is_empty() {
        shapes.push(FrameShape::nothing_known());
    }
    cut.dedup();
    let shape = Shape::new(family, validity, shapes, StderrClass::Unknown, Exit::Unknown)?;
    Ok(Derived { shape, cut })
}

/// The largest size that each frame may have so that all of them together have at most `all`.
fn share(sizes: &[usize], all: usize) -> usize {
    let mut sorted = sizes.to_vec();
    sorted.sort_unstable();
    let (mut left, mut frames) = (all, sorted.len());
    for size in sorted {
        if size * frames > left {
            return left / frames;
        }
        left -= size;
        frames -= 1;
    }
    usize::MAX
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_largest_frames_lose_paths() {
        assert_eq!(share(&[], 10), usize::MAX);
        assert_eq!(share(&[1, 2, 3], 6), usize::MAX);
        assert_eq!(share(&[1, 2, 30], 13), 10);
        assert_eq!(share(&[20, 1, 30], 13), 6);
        assert_eq!(share(&[5; 10], 7), 0);
    }
}
