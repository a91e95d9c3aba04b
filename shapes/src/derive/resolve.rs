//! What a type expression can be on the wire, and which members an object has once its parts are joined in.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use agent_contracts_wire::{Direction, Literal, Object, Type, WireModel};

use crate::shape::PathType;

/// Reads a model. Counts its steps, so that no input makes it run away.
pub(super) struct Resolver<'a> {
    pub(super) model: &'a WireModel,
    work: Cell<usize>,
}

/// A type expression, and the declared types on the way to it from the frame.
#[derive(Clone)]
pub(super) struct At<'a> {
    pub(super) ty: &'a Type,
    pub(super) chain: Chain<'a>,
}

/// The declared types on the way from the frame, the nearest first.
#[derive(Clone, Default)]
pub(super) struct Chain<'a>(Option<Rc<Link<'a>>>);

struct Link<'a> {
    id: &'a str,
    above: Chain<'a>,
}

impl<'a> Chain<'a> {
    pub(super) fn below(&self, id: &'a str) -> Self {
        Self(Some(Rc::new(Link {
            id,
            above: self.clone(),
        })))
    }

    pub(super) fn holds(&self, id: &str) -> bool {
        let mut link = &self.0;
        while let Some(current) = link {
            if current.id == id {
                return true;
            }
            link = &current.above.0;
        }
        false
    }
}

/// Everything that one place on the wire can be.
#[derive(Default)]
pub(super) struct Alternatives<'a> {
    /// The JSON types.
    pub(super) kinds: BTreeSet<PathType>,
    /// Exact strings among them.
    pub(super) literals: BTreeSet<String>,
    /// Any other string may stand there as well.
    pub(super) any_string: bool,
    /// Objects with known keys.
    pub(super) objects: Vec<RootObject<'a>>,
    /// Values of maps.
    pub(super) maps: Vec<At<'a>>,
    /// Items of lists.
    pub(super) items: Vec<At<'a>>,
}

impl Alternatives<'_> {
    /// The closed set of strings, when that is all a string here can be.
    pub(super) fn closed_strings(&self) -> Option<&BTreeSet<String>> {
        let open = self.any_string || self.kinds.contains(&PathType::Unknown) || self.literals.is_empty();
        (!open).then_some(&self.literals)
    }
}

/// An object; where one of its parts is a union of events, with the arm that this event stands for.
#[derive(Clone)]
pub(super) struct RootObject<'a> {
    /// The same as `object`, as a type.
    pub(super) ty: &'a Type,
    pub(super) object: &'a Object,
    pub(super) chain: Chain<'a>,
    /// The part of this number is this arm.
    pub(super) pick: Option<(usize, Rc<RootObject<'a>>)>,
}

/// What a frame is.
#[derive(Clone)]
pub(super) enum Frame<'a> {
    /// An object of its own.
    Object(RootObject<'a>),
    /// An answer: an object whose member `result` is this.
    Answer(At<'a>),
    /// An object that is there for what one of its members carries: with the arm that this event stands for.
    Envelope(RootObject<'a>, &'a str, At<'a>),
}

/// The members of one or several objects.
#[derive(Default)]
pub(super) struct Members<'a> {
    pub(super) named: BTreeMap<&'a str, Member<'a>>,
    /// What members beyond the named ones hold, where that is said.
    pub(super) others: Vec<At<'a>>,
}

/// One member.
#[derive(Clone)]
pub(super) struct Member<'a> {
    pub(super) types: Vec<At<'a>>,
    pub(super) required: bool,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(model: &'a WireModel, work: usize) -> Self {
        Self {
            model,
            work: Cell::new(work),
        }
    }

    /// Takes one step; `false` when there are none left.
    fn step(&self) -> bool {
        let left = self.work.get();
        self.work.set(left.saturating_sub(1));
        left > 0
    }

    /// There are no steps left, so that what is found from now on is not all there is.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.get() == 0
    }

    /// Everything that the given types can be.
    pub(super) fn alternatives(&self, types: &[At<'a>]) -> Alternatives<'a> {
        let mut found = Alternatives::default();
        let mut seen = HashSet::new();
        for at in types {
            self.collect(at.ty, &at.chain, false, &mut seen, &mut found);
        }
        found
    }

    /// `closed`: inside a recursion, where only the kinds are wanted.
    fn collect(
        &self,
        ty: &'a Type,
        chain: &Chain<'a>,
        closed: bool,
        seen: &mut HashSet<(*const Type, bool)>,
        found: &mut Alternatives<'a>,
    ) {
        if !seen.insert((std::ptr::from_ref(ty), closed)) {
            return;
        }
        if !self.step() {
            found.kinds.insert(PathType::Unknown);
            return;
        }
        match ty {
            Type::Any | Type::Unresolved(_) => {
                found.kinds.insert(PathType::Unknown);
            }
            Type::Null => {
                found.kinds.insert(PathType::Null);
            }
            Type::Boolean | Type::Literal(Literal::Boolean(_)) => {
                found.kinds.insert(PathType::Boolean);
            }
            Type::Number | Type::Literal(Literal::Number(_)) => {
                found.kinds.insert(PathType::Number);
            }
            Type::String => {
                found.kinds.insert(PathType::String);
                found.any_string = true;
            }
            Type::Literal(Literal::String(text)) => {
                found.kinds.insert(PathType::String);
                found.literals.insert(text.clone());
            }
            Type::Named(id) => match self.model.types.get(id) {
                // A recursive type ends here: its kinds are said, what is inside is not said again.
                Some(decl) if closed || chain.holds(id) => self.collect(&decl.body, chain, true, seen, found),
                Some(decl) => self.collect(&decl.body, &chain.below(id), false, seen, found),
                None => {
                    found.kinds.insert(PathType::Unknown);
                }
            },
            Type::Array(item) => {
                found.kinds.insert(PathType::Array);
                if !closed {
                    found.items.push(at(item, chain));
                }
            }
            Type::Tuple(items) => {
                found.kinds.insert(PathType::Array);
                if !closed {
                    found.items.extend(items.iter().map(|item| at(item, chain)));
                }
            }
            Type::Map(value) => {
                found.kinds.insert(PathType::Object);
                if !closed {
                    found.maps.push(at(value, chain));
                }
            }
            Type::Object(object) => {
                found.kinds.insert(PathType::Object);
                if !closed {
                    found.objects.push(RootObject {
                        ty,
                        object,
                        chain: chain.clone(),
                        pick: None,
                    });
                }
            }
            Type::Union(union) => {
                for arm in &union.arms {
                    self.collect(&arm.ty, chain, closed, seen, found);
                }
                // An open union of strings accepts any string.
                found.any_string |= union.open && found.kinds.contains(&PathType::String);
            }
        }
    }

    /// The members of an object: parts in their order, later ones over earlier ones, its own over all.
    pub(super) fn members(&self, root: &RootObject<'a>, direction: Direction) -> Members<'a> {
        let mut members = Members::default();
        for (index, part) in root.object.parts.iter().enumerate() {
            let of_part = match &root.pick {
                Some((picked, arm)) if *picked == index => self.members(arm, direction),
                _ => self.part(&at(part, &root.chain), direction),
            };
            members.named.extend(of_part.named);
            members.others.extend(of_part.others);
        }
        for (name, field) in &root.object.fields {
            let member = Member {
                types: vec![at(&field.ty, &root.chain)],
                required: field.required_for(direction),
            };
            members.named.insert(name, member);
        }
        members
    }

    /// The members that a part brings in. One that need not be there, or has several forms, makes its members optional.
    fn part(&self, part: &At<'a>, direction: Direction) -> Members<'a> {
        let found = self.alternatives(std::slice::from_ref(part));
        let sure = found.kinds.len() == 1 && found.maps.is_empty();
        let mut members = self.united(&found.objects, direction);
        if !sure {
            for member in members.named.values_mut() {
                member.required = false;
            }
        }
        members.others.extend(found.maps);
        members
    }

    /// The members of several objects of which one stands there: required only where it is required in each.
    pub(super) fn united(&self, objects: &[RootObject<'a>], direction: Direction) -> Members<'a> {
        self.unite(objects.iter().map(|object| self.members(object, direction)))
    }

    /// The same for frames.
    pub(super) fn united_frames(&self, frames: &[Frame<'a>], direction: Direction) -> Members<'a> {
        self.unite(frames.iter().map(|frame| match frame {
            Frame::Object(object) => self.members(object, direction),
            Frame::Answer(result) => {
                let member = Member {
                    types: vec![result.clone()],
                    required: true,
                };
                Members {
                    named: BTreeMap::from([("result", member)]),
                    others: Vec::new(),
                }
            }
            Frame::Envelope(outer, name, arm) => {
                let mut members = self.members(outer, direction);
                if let Some(member) = members.named.get_mut(name) {
                    member.types = vec![arm.clone()];
                }
                members
            }
        }))
    }

    fn unite(&self, all: impl Iterator<Item = Members<'a>>) -> Members<'a> {
        let mut united = Members::default();
        let mut count: BTreeMap<&'a str, usize> = BTreeMap::new();
        let mut objects = 0;
        for members in all {
            if !self.step() {
                break;
            }
            objects += 1;
            united.others.extend(members.others);
            for (name, member) in members.named {
                *count.entry(name).or_default() += usize::from(member.required);
                united
                    .named
                    .entry(name)
                    .and_modify(|known| known.types.extend(member.types.iter().cloned()))
                    .or_insert(member);
            }
        }
        for (name, member) in &mut united.named {
            member.required = count.get(name) == Some(&objects);
        }
        united
    }

    /// The exact strings that the member `name` of an object can be, when it can be nothing else.
    pub(super) fn tag_values(&self, members: &Members<'a>, name: &str) -> Option<BTreeSet<String>> {
        let member = members.named.get(name)?;
        let found = self.alternatives(&member.types);
        let only_strings = found.kinds.iter().all(|kind| *kind == PathType::String);
        found.closed_strings().filter(|_| only_strings).cloned()
    }
}

pub(super) fn at<'a>(ty: &'a Type, chain: &Chain<'a>) -> At<'a> {
    At {
        ty,
        chain: chain.clone(),
    }
}
