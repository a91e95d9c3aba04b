//! The paths of one frame class, nearest first, so that a frame that is too large loses what is deepest.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agent_contracts_wire::event::ITEM_TAGS;
use agent_contracts_wire::{Direction, Path, Step};

use super::Limits;
use super::resolve::{Alternatives, At, Frame, Members, Resolver, RootObject};
use crate::shape::{FrameDirection, PathShape, PathType};

/// What one frame class holds, nearest paths first.
pub(super) struct Found {
    pub(super) paths: Vec<PathShape>,
    pub(super) enums: BTreeMap<String, Vec<String>>,
    /// Something did not fit.
    pub(super) cut: bool,
}

impl Found {
    /// Leaves at most `largest` paths, those nearest to the frame. The types of one path stay together.
    pub(super) fn cut_to(&mut self, largest: usize) {
        if self.paths.len() <= largest {
            return;
        }
        self.cut = true;
        let last = self.paths.get(largest).map(|path| path.path.clone());
        self.paths.truncate(largest);
        while self.paths.last().is_some_and(|path| Some(&path.path) == last.as_ref()) {
            self.paths.pop();
        }
        let kept: BTreeSet<&str> = self.paths.iter().map(|path| path.path.as_str()).collect();
        self.enums.retain(|path, _| kept.contains(path.as_str()));
    }
}

/// Something that is still to be looked into.
struct Waiting<'a> {
    path: Path,
    types: Vec<At<'a>>,
    required: bool,
    depth: usize,
}

/// The paths of a frame that is one of `frames`.
pub(super) fn paths<'a>(
    resolver: &Resolver<'a>,
    frames: &[Frame<'a>],
    direction: FrameDirection,
    limits: Limits,
) -> Found {
    let mut walk = Walk {
        resolver,
        direction: match direction {
            FrameDirection::Output => Direction::Output,
            FrameDirection::Input => Direction::Input,
        },
        limits,
        queue: VecDeque::new(),
        work: 0,
        found: Found {
            paths: Vec::new(),
            enums: BTreeMap::new(),
            cut: false,
        },
    };
    let members = resolver.united_frames(frames, walk.direction);
    walk.members(&Path::frame(), members, 1);
    while let Some(next) = walk.queue.pop_front() {
        walk.look_into(&next);
    }
    walk.found
}

struct Walk<'r, 'a> {
    resolver: &'r Resolver<'a>,
    direction: Direction,
    limits: Limits,
    queue: VecDeque<Waiting<'a>>,
    work: usize,
    found: Found,
}

impl<'a> Walk<'_, 'a> {
    fn members(&mut self, base: &Path, members: Members<'a>, depth: usize) {
        for (name, member) in members.named {
            self.wait(base.member(name), member.types, member.required, depth);
        }
        if !members.others.is_empty() {
            self.wait(base.then(Step::AnyMember), members.others, false, depth);
        }
    }

    fn wait(&mut self, path: Path, types: Vec<At<'a>>, required: bool, depth: usize) {
        self.queue.push_back(Waiting {
            path,
            types,
            required,
            depth,
        });
    }

    fn look_into(&mut self, place: &Waiting<'a>) {
        self.work += place.types.len();
        if self.found.paths.len() >= self.limits.paths || self.work > self.limits.work {
            self.found.cut = true;
            return;
        }
        let mut found = self.resolver.alternatives(&place.types);
        let path = place.path.to_string();
        for kind in &found.kinds {
            self.found.paths.push(PathShape {
                path: path.clone(),
                ty: *kind,
                required: place.required,
            });
        }
        if let Some(values) = found.closed_strings() {
            self.found.enums.insert(path, values.iter().cloned().collect());
        }
        let deeper = !(found.objects.is_empty() && found.maps.is_empty() && found.items.is_empty());
        if deeper && place.depth >= self.limits.depth {
            self.found.cut = true;
            return;
        }
        let depth = place.depth + 1;
        let mut members = self.resolver.united(&found.objects, self.direction);
        members.others.append(&mut found.maps);
        self.members(&place.path, members, depth);
        self.items(&place.path, &found.items, depth);
    }

    /// Items that carry a discriminator stand under it, all others under `[]`.
    fn items(&mut self, base: &Path, items: &[At<'a>], depth: usize) {
        if items.is_empty() {
            return;
        }
        if depth > self.limits.depth {
            self.found.cut = true;
            return;
        }
        let found = self.resolver.alternatives(items);
        match self.tagged(&found) {
            Some(by_tag) => {
                for (tag, objects) in by_tag {
                    let path = base.then(Step::Tagged(tag));
                    self.found.paths.push(PathShape {
                        path: path.to_string(),
                        ty: PathType::Object,
                        required: false,
                    });
                    let members = self.resolver.united(&objects, self.direction);
                    self.members(&path, members, depth + 1);
                }
                let path = base.then(Step::Items);
                for kind in found.kinds.into_iter().filter(|kind| *kind != PathType::Object) {
                    self.found.paths.push(PathShape {
                        path: path.to_string(),
                        ty: kind,
                        required: false,
                    });
                }
                if !found.items.is_empty() {
                    self.items(&path, &found.items, depth + 1);
                }
            }
            None => self.wait(base.then(Step::Items), items.to_vec(), false, depth),
        }
    }

    /// The objects by the value of a tag, when each of them has one.
    fn tagged(&self, found: &Alternatives<'a>) -> Option<BTreeMap<String, Vec<RootObject<'a>>>> {
        if found.objects.is_empty() || !found.maps.is_empty() {
            return None;
        }
        let members: Vec<Members<'a>> = found
            .objects
            .iter()
            .map(|object| self.resolver.members(object, self.direction))
            .collect();
        ITEM_TAGS.iter().find_map(|name| {
            let mut by_tag: BTreeMap<String, Vec<RootObject<'a>>> = BTreeMap::new();
            for (object, members) in found.objects.iter().zip(&members) {
                for value in self.resolver.tag_values(members, name)? {
                    by_tag.entry(value).or_default().push(object.clone());
                }
            }
            Some(by_tag)
        })
    }
}
