//! The events of a model: the arms of discriminated root unions by their tag, plain root types by their name.

use std::collections::BTreeSet;
use std::rc::Rc;

use agent_contracts_wire::event::{SUBTYPE, TAGS};
use agent_contracts_wire::{Answer, DiffOptions, Direction, EventType, Type, Union};

use super::resolve::{Chain, Frame, Members, Resolver, RootObject, at};

/// One event.
pub(super) struct Event<'a> {
    pub(super) name: EventType,
    pub(super) direction: Direction,
    pub(super) frame: Frame<'a>,
}

/// What is known on the way from a root to an event.
#[derive(Clone, Copy)]
struct Way<'a> {
    /// The nearest declared name.
    name: &'a str,
    direction: Direction,
    /// The tag of the union above.
    tag: Option<&'a str>,
    /// The arms of the union above are objects with one member each, whose key is the tag.
    keyed: bool,
}

/// Every event of the given roots, in the order of the roots and of their arms.
pub(super) fn events<'a>(resolver: &Resolver<'a>, roots: &[&'a str], options: &DiffOptions) -> Vec<Event<'a>> {
    let mut found = Finder {
        resolver,
        options,
        events: Vec::new(),
        seen: BTreeSet::new(),
    };
    for id in roots {
        let way = Way {
            name: id,
            direction: Direction::Unknown,
            tag: None,
            keyed: false,
        };
        found.named(id, way, &Chain::default());
    }
    found.events
}

struct Finder<'r, 'a> {
    resolver: &'r Resolver<'a>,
    options: &'r DiffOptions,
    events: Vec<Event<'a>>,
    /// Declared types already split, with the direction they were split under.
    seen: BTreeSet<(&'a str, Direction)>,
}

impl<'a> Finder<'_, 'a> {
    fn named(&mut self, id: &'a str, way: Way<'a>, chain: &Chain<'a>) {
        let Some(decl) = self.resolver.model.types.get(id) else {
            return;
        };
        let direction = self.options.directions.get(&decl.name).copied().or(decl.direction);
        let way = Way {
            name: &decl.name,
            direction: direction.unwrap_or(way.direction),
            ..way
        };
        if self.seen.insert((id, way.direction)) {
            self.split(&decl.body, way, &chain.below(id));
        }
    }

    fn split(&mut self, ty: &'a Type, way: Way<'a>, chain: &Chain<'a>) {
        match ty {
            Type::Named(id) => self.named(id, way, chain),
            Type::Union(union) => self.union(union, way, chain),
            Type::Object(object) => {
                let root = RootObject {
                    ty,
                    object,
                    chain: chain.clone(),
                    pick: None,
                };
                self.object(&root, way);
            }
            // Scalars, lists and maps are no frames.
            _ => {}
        }
    }

    fn union(&mut self, union: &'a Union, way: Way<'a>, chain: &Chain<'a>) {
        let arms: Vec<RootObject<'a>> = union
            .arms
            .iter()
            .filter_map(|arm| self.one_object(&arm.ty, chain))
            .collect();
        let tag = union.tag.as_deref().or_else(|| self.tag_of(&arms)).or(way.tag);
        let one_key = |arm: &RootObject<'a>| arm.object.parts.is_empty() && arm.object.fields.len() == 1;
        let keyed = tag.is_none() && arms.len() > 1 && arms.iter().all(one_key);
        for arm in &union.arms {
            let name = arm.name.as_deref().unwrap_or(way.name);
            let before = self.events.len();
            self.split(
                &arm.ty,
                Way {
                    name,
                    tag,
                    keyed,
                    ..way
                },
                chain,
            );
            if let Some(result) = &arm.result {
                let methods: Vec<EventType> = self.events[before..].iter().map(|event| event.name.clone()).collect();
                self.answers(&methods, result, way.direction, chain);
            }
        }
    }

    /// What the receiver of a request answers, which goes the other way.
    fn answers(&mut self, methods: &[EventType], result: &'a Type, asked: Direction, chain: &Chain<'a>) {
        let direction = match asked {
            Direction::Output => Direction::Input,
            Direction::Input => Direction::Output,
            other => other,
        };
        for method in methods {
            self.events.push(Event {
                name: method.clone().answered(Answer::Result),
                direction,
                frame: Frame::Answer(at(result, chain)),
            });
        }
    }

    /// The member by which the arms of a union can be told apart, where its source does not say.
    fn tag_of(&self, arms: &[RootObject<'a>]) -> Option<&'a str> {
        let members: Vec<Members<'a>> = arms
            .iter()
            .map(|arm| self.resolver.members(arm, Direction::Unknown))
            .collect();
        let mut names: Vec<&'a str> = members.get(1).and(members.first())?.named.keys().copied().collect();
        names.sort_by_key(|name| (TAGS.iter().position(|tag| tag == name).unwrap_or(TAGS.len()), *name));
        names.into_iter().find(|name| {
            let mut taken = BTreeSet::new();
            members.iter().all(|arm| {
                let Some(values) = self.resolver.tag_values(arm, name) else {
                    return false;
                };
                // Arms may share one of the usual tags and be told apart by a second member, as `type` and `subtype`.
                let new = values.is_disjoint(&taken);
                taken.extend(values);
                new || TAGS.contains(name)
            })
        })
    }

    /// The object that an arm is, when it is exactly one.
    fn one_object(&self, ty: &'a Type, chain: &Chain<'a>) -> Option<RootObject<'a>> {
        let mut objects = self.resolver.alternatives(&[at(ty, chain)]).objects;
        if objects.len() == 1 { objects.pop() } else { None }
    }

    fn object(&mut self, root: &RootObject<'a>, way: Way<'a>) {
        if let Some((index, arms)) = self.flattened_union(root) {
            for arm in arms {
                let picked = RootObject {
                    pick: Some((index, Rc::new(arm))),
                    ..root.clone()
                };
                self.frame(&picked, way);
            }
        } else if !self.envelope(root, way) {
            self.frame(root, way);
        }
    }

    /// An object without a tag of its own, with exactly one required member that is a union of tagged objects, is there
    /// for what it carries: then each arm is an event. Says whether it is one.
    fn envelope(&mut self, root: &RootObject<'a>, way: Way<'a>) -> bool {
        let members = self.resolver.members(root, Direction::Unknown);
        let tagged = |members: &Members<'a>| TAGS.iter().any(|tag| self.resolver.tag_values(members, tag).is_some());
        if tagged(&members) {
            return false;
        }
        let mut carried = members
            .named
            .iter()
            .filter(|(_, member)| member.required)
            .filter_map(|(name, member)| {
                let found = self.resolver.alternatives(&member.types);
                let arms: Vec<(RootObject<'a>, Members<'a>)> = found
                    .objects
                    .into_iter()
                    .map(|arm| (arm.clone(), self.resolver.members(&arm, Direction::Unknown)))
                    .collect();
                let is_union = found.kinds.len() == 1 && arms.len() > 1;
                (is_union && arms.iter().all(|(_, members)| tagged(members))).then_some((*name, arms))
            });
        let (Some((name, arms)), None) = (carried.next(), carried.next()) else {
            return false;
        };
        drop(carried);
        for (arm, members) in arms {
            for event in self.names(&members, Way { tag: None, ..way }) {
                self.events.push(Event {
                    name: event,
                    direction: way.direction,
                    frame: Frame::Envelope(root.clone(), name, at(arm.ty, &arm.chain)),
                });
            }
        }
        true
    }

    /// The part of an object that is a union of tagged objects: then each arm is an event of its own.
    fn flattened_union(&self, root: &RootObject<'a>) -> Option<(usize, Vec<RootObject<'a>>)> {
        root.object.parts.iter().enumerate().find_map(|(index, part)| {
            let objects = self.resolver.alternatives(&[at(part, &root.chain)]).objects;
            let tagged = objects.iter().all(|object| {
                let members = self.resolver.members(object, Direction::Unknown);
                TAGS.iter().any(|tag| self.resolver.tag_values(&members, tag).is_some())
            });
            (objects.len() > 1 && tagged).then_some((index, objects))
        })
    }

    fn frame(&mut self, object: &RootObject<'a>, way: Way<'a>) {
        let members = self.resolver.members(object, Direction::Unknown);
        for name in self.names(&members, way) {
            self.events.push(Event {
                name,
                direction: way.direction,
                frame: Frame::Object(object.clone()),
            });
        }
    }

    /// `tag`, `tag/subtype`, the only key of an externally tagged variant, or the declared name.
    fn names(&self, members: &Members<'a>, way: Way<'a>) -> Vec<EventType> {
        let tags = way.tag.into_iter().chain(TAGS);
        for tag in tags {
            let Some(values) = self.resolver.tag_values(members, tag) else {
                continue;
            };
            return match self.resolver.tag_values(members, SUBTYPE).filter(|_| tag != SUBTYPE) {
                Some(subtypes) => values
                    .iter()
                    .flat_map(|value| {
                        subtypes
                            .iter()
                            .map(move |subtype| EventType::with_subtype(value, Some(subtype)))
                    })
                    .collect(),
                None => values.into_iter().map(EventType::of).collect(),
            };
        }
        match members.named.keys().next() {
            Some(key) if way.keyed => vec![EventType::of(*key)],
            _ => vec![EventType::of(way.name)],
        }
    }
}
