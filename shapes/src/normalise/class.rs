//! One class of frames: a tree of the places in it, into which every frame is merged.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::event::ITEM_TAGS;
use agent_contracts_wire::{Path, Step};

use super::name::tag_of;
use super::tape::{Node, Scalar, Tape, inside, member};
use crate::shape::{PathShape, PathType};

/// An object with more members than this has data for keys.
const MAX_MEMBERS: usize = 256;
/// More values than this are no closed set.
const MAX_VALUES: usize = 64;
/// A class has at most so many places; what is beyond is left out, and said to be.
const MAX_PLACES: usize = 20_000;
/// A longer string is no value of a closed set.
const MAX_VALUE: usize = 64;

/// What the profile says of places, as paths.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) maps: Vec<Path>,
    pub(super) opaque: Vec<Path>,
    pub(super) ignored: Vec<Path>,
    pub(super) kept: BTreeSet<String>,
}

/// The places of one class.
#[derive(Debug)]
pub(super) struct Class {
    places: Vec<Place>,
    /// Counts the objects that were merged, to tell members that come twice.
    objects: u64,
    /// Something did not fit.
    pub(super) cut: bool,
}

type PlaceId = usize;

/// One place of a frame.
#[derive(Debug, Default)]
struct Place {
    types: BTreeSet<PathType>,
    /// How many objects stood here.
    objects: u64,
    /// In how many objects the member that this is was there.
    present: u64,
    /// The object in which it was last there.
    seen: u64,
    members: Vec<(Box<str>, PlaceId)>,
    any: Option<PlaceId>,
    items: Option<PlaceId>,
    tagged: Vec<(Box<str>, PlaceId)>,
    values: Values,
    /// The patterns of the profile that lead on from here, and what they say of this place.
    marks: Marked,
}

/// The strings that stood at a place whose values are kept.
#[derive(Debug, Default)]
struct Values {
    kept: bool,
    /// Something else than a value of a closed set stood there.
    open: bool,
    set: BTreeSet<String>,
}

/// Which patterns match up to here, as (list, pattern, steps matched).
#[derive(Debug, Default, Clone)]
struct Marked {
    on: Vec<(List, usize, usize)>,
    map: bool,
    opaque: bool,
    ignored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Maps,
    Opaque,
    Ignored,
}

/// A step that is taken, and the name it goes by.
enum Taken<'a> {
    Member(&'a str),
    Any,
    Items,
    Tagged(&'a str),
}

impl Marks {
    fn list(&self, list: List) -> &[Path] {
        match list {
            List::Maps => &self.maps,
            List::Opaque => &self.opaque,
            List::Ignored => &self.ignored,
        }
    }

    fn start(&self) -> Marked {
        let mut marked = Marked::default();
        for list in [List::Maps, List::Opaque, List::Ignored] {
            for index in 0..self.list(list).len() {
                marked.take(self, list, index, 0);
            }
        }
        marked
    }

    fn after(&self, marked: &Marked, taken: &Taken<'_>) -> Marked {
        let mut next = Marked::default();
        for (list, index, at) in &marked.on {
            let step = &self.list(*list)[*index].steps()[*at];
            let fits = match (step, taken) {
                (Step::Member(name), Taken::Member(taken)) => name == taken,
                (Step::AnyMember, Taken::Member(_) | Taken::Any) | (Step::Items, Taken::Items | Taken::Tagged(_)) => {
                    true
                }
                (Step::Tagged(tag), Taken::Tagged(taken)) => tag == taken,
                _ => false,
            };
            if fits {
                next.take(self, *list, *index, at + 1);
            }
        }
        next
    }
}

impl Marked {
    fn take(&mut self, marks: &Marks, list: List, index: usize, at: usize) {
        if at < marks.list(list)[index].steps().len() {
            self.on.push((list, index, at));
            return;
        }
        match list {
            List::Maps => self.map = true,
            List::Opaque => self.opaque = true,
            List::Ignored => self.ignored = true,
        }
    }
}

impl Class {
    pub(super) fn new(marks: &Marks) -> Self {
        let root = Place {
            marks: marks.start(),
            ..Place::default()
        };
        Self {
            places: vec![root],
            objects: 0,
            cut: false,
        }
    }

    /// Merges the frame at `at`. Gives the first member that its object has twice.
    pub(super) fn merge(&mut self, marks: &Marks, tape: &Tape<'_>, at: usize) -> Option<String> {
        let mut twice = None;
        self.visit(marks, tape, at, 0, &mut twice);
        twice
    }

    fn visit(&mut self, marks: &Marks, tape: &Tape<'_>, at: usize, place: PlaceId, twice: &mut Option<String>) {
        let kind = kind_of(&tape[at]);
        let here = &mut self.places[place];
        here.types.insert(kind);
        match &tape[at].value {
            Scalar::String(text) => here.values.add(text.as_deref()),
            Scalar::Object => {
                here.objects += 1;
                if !here.marks.opaque {
                    self.members(marks, tape, at, place, twice);
                }
            }
            Scalar::Array if !here.marks.opaque => self.items(marks, tape, at, place, twice),
            _ => {}
        }
    }

    fn members(&mut self, marks: &Marks, tape: &Tape<'_>, at: usize, place: PlaceId, twice: &mut Option<String>) {
        self.objects += 1;
        let object = self.objects;
        let mut expected = 0;
        for index in inside(tape, at) {
            let key = tape[index].key.as_ref();
            let Some(child) = self.member(marks, place, key, &mut expected) else {
                continue;
            };
            let there = &mut self.places[child];
            if there.marks.ignored {
                continue;
            }
            if there.seen == object {
                if self.places[place].any != Some(child) && twice.is_none() {
                    *twice = Some(key.to_owned());
                }
            } else {
                there.seen = object;
                there.present += 1;
            }
            self.visit(marks, tape, index, child, twice);
        }
    }

    fn items(&mut self, marks: &Marks, tape: &Tape<'_>, at: usize, place: PlaceId, twice: &mut Option<String>) {
        for index in inside(tape, at) {
            let tag = ITEM_TAGS
                .iter()
                .find_map(|tag| member(tape, index, tag).and_then(|tag| tag_of(tape, tag)));
            if let Some(child) = self.item(marks, place, tag) {
                self.visit(marks, tape, index, child, twice);
            }
        }
    }

    /// The place of a member. `expected` is where the last object of the class had it.
    fn member(&mut self, marks: &Marks, place: PlaceId, key: &str, expected: &mut usize) -> Option<PlaceId> {
        let here = &self.places[place];
        // A name that is known is no data; most are known, and most come in the order of the last object.
        if let Some((name, child)) = here.members.get(*expected)
            && **name == *key
        {
            *expected += 1;
            return Some(*child);
        }
        if let Some(at) = here.members.iter().position(|(name, _)| **name == *key) {
            *expected = at + 1;
            return Some(here.members[at].1);
        }
        if !here.marks.map && !is_data(key) {
            if here.members.len() < MAX_MEMBERS {
                let child = self.add(marks, place, &Taken::Member(key))?;
                self.places[child].values.kept = marks.kept.contains(key);
                let members = &mut self.places[place].members;
                members.push((key.into(), child));
                *expected = members.len();
                return Some(child);
            }
            self.give_up_names(place);
        }
        if self.places[place].any.is_none() {
            let child = self.add(marks, place, &Taken::Any)?;
            self.places[place].any = Some(child);
        }
        self.places[place].any
    }

    fn item(&mut self, marks: &Marks, place: PlaceId, tag: Option<&str>) -> Option<PlaceId> {
        if let Some(tag) = tag {
            let here = &self.places[place];
            if let Some((_, child)) = here.tagged.iter().find(|(name, _)| **name == *tag) {
                return Some(*child);
            }
            if here.tagged.len() < MAX_MEMBERS {
                let child = self.add(marks, place, &Taken::Tagged(tag))?;
                self.places[place].tagged.push((tag.into(), child));
                return Some(child);
            }
        }
        if self.places[place].items.is_none() {
            let child = self.add(marks, place, &Taken::Items)?;
            self.places[child].values.kept = self.places[place].values.kept;
            self.places[place].items = Some(child);
        }
        self.places[place].items
    }

    fn add(&mut self, marks: &Marks, place: PlaceId, taken: &Taken<'_>) -> Option<PlaceId> {
        if self.places.len() >= MAX_PLACES {
            self.cut = true;
            return None;
        }
        let marks = marks.after(&self.places[place].marks, taken);
        self.places.push(Place {
            marks,
            ..Place::default()
        });
        Some(self.places.len() - 1)
    }

    /// An object with too many members: from now on all of them are one.
    fn give_up_names(&mut self, place: PlaceId) {
        let here = &mut self.places[place];
        here.marks.map = true;
        let mut members = std::mem::take(&mut here.members).into_iter().map(|(_, child)| child);
        let Some(first) = here.any.or_else(|| members.next()) else {
            return;
        };
        self.places[place].any = Some(first);
        self.places[first].values.kept = false;
        for child in members {
            self.unite(first, child);
        }
    }

    /// Makes one place of two. The second is not used any more.
    fn unite(&mut self, into: PlaceId, from: PlaceId) {
        let mut taken = std::mem::take(&mut self.places[from]);
        let here = &mut self.places[into];
        here.types.append(&mut taken.types);
        here.objects += taken.objects;
        here.present += taken.present;
        here.marks.map |= taken.marks.map;
        here.marks.opaque |= taken.marks.opaque;
        here.values.open |= taken.values.open;
        here.values.set.append(&mut taken.values.set);
        for (name, child) in taken.members {
            let known = self.places[into].members.iter().find(|(known, _)| *known == name);
            match known.map(|(_, known)| *known) {
                Some(known) => self.unite(known, child),
                None => self.places[into].members.push((name, child)),
            }
        }
        for (name, child) in taken.tagged {
            let known = self.places[into].tagged.iter().find(|(known, _)| *known == name);
            match known.map(|(_, known)| *known) {
                Some(known) => self.unite(known, child),
                None => self.places[into].tagged.push((name, child)),
            }
        }
        for (child, slot) in [(taken.any, 0), (taken.items, 1)] {
            let Some(child) = child else { continue };
            let here = &mut self.places[into];
            let slot = if slot == 0 { &mut here.any } else { &mut here.items };
            match *slot {
                Some(known) => self.unite(known, child),
                None => *slot = Some(child),
            }
        }
    }

    /// What was there, in every frame or in some, and the closed sets of values.
    pub(super) fn told(&self) -> (Vec<PathShape>, BTreeMap<String, Vec<String>>) {
        let (mut paths, mut enums) = (Vec::new(), BTreeMap::new());
        self.tell(0, &Path::frame(), &mut paths, &mut enums);
        (paths, enums)
    }

    fn tell(&self, at: PlaceId, path: &Path, paths: &mut Vec<PathShape>, enums: &mut BTreeMap<String, Vec<String>>) {
        let here = &self.places[at];
        let mut say = |child: PlaceId, step: Step, always: bool| {
            let path = path.then(step);
            let place = &self.places[child];
            if place.types.is_empty() {
                return;
            }
            let text = path.to_string();
            paths.extend(place.types.iter().map(|ty| PathShape {
                path: text.clone(),
                ty: *ty,
                required: always && place.present == here.objects,
            }));
            if let Some(values) = place.values.closed() {
                enums.insert(text, values);
            }
            self.tell(child, &path, paths, enums);
        };
        for (name, child) in &here.members {
            say(*child, Step::Member(name.to_string()), true);
        }
        if let Some(child) = here.any {
            say(child, Step::AnyMember, false);
        }
        if let Some(child) = here.items {
            say(child, Step::Items, false);
        }
        for (tag, child) in &here.tagged {
            say(*child, Step::Tagged(tag.to_string()), false);
        }
    }
}

impl Values {
    fn add(&mut self, text: Option<&str>) {
        if !self.kept || self.open {
            return;
        }
        match text {
            Some(text) if self.set.contains(text) => {}
            Some(text) if self.set.len() < MAX_VALUES && is_value(text) => {
                self.set.insert(text.to_owned());
            }
            _ => {
                self.open = true;
                self.set.clear();
            }
        }
    }

    fn closed(&self) -> Option<Vec<String>> {
        (self.kept && !self.open && !self.set.is_empty()).then(|| self.set.iter().cloned().collect())
    }
}

fn kind_of(node: &Node<'_>) -> PathType {
    match node.value {
        Scalar::Null => PathType::Null,
        Scalar::Boolean(_) => PathType::Boolean,
        Scalar::Number(_) => PathType::Number,
        Scalar::String(_) => PathType::String,
        Scalar::Array => PathType::Array,
        Scalar::Object => PathType::Object,
    }
}

/// Whether a string can be a value of a closed set: short, written like a name, and not made up at run time.
fn is_value(text: &str) -> bool {
    text.len() <= MAX_VALUE
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '+'))
        && !is_made_up(text)
}

/// Ids and hashes: six digits in a row, or a group of eight hexadecimal digits with a digit among them.
fn is_made_up(text: &str) -> bool {
    let long = |is: fn(char) -> bool, least: usize, needs_digit: bool| {
        text.split(|c| !is(c))
            .any(|run| run.len() >= least && (!needs_digit || run.contains(|c: char| c.is_ascii_digit())))
    };
    long(|c| c.is_ascii_digit(), 6, false) || long(|c| c.is_ascii_hexdigit(), 8, true)
}

/// Whether a key is data by itself: a path, an id, a number, a text or a placeholder.
fn is_data(key: &str) -> bool {
    key.is_empty()
        || key.len() > 128
        || key.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '/' | '\\' | '<' | '>' | '@'))
        || key.bytes().all(|byte| byte.is_ascii_digit())
        || is_made_up(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_names_and_no_ids() {
        for value in ["end_turn", "in_progress", "2.0", "read-only", "success", "openai/gpt"] {
            assert!(is_value(value), "{value}");
        }
        for value in [
            "",
            "two words",
            "<text>",
            "8f14e45fceea",
            "req_0123456789",
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "/home/x",
        ] {
            assert!(!is_value(value), "{value}");
        }
    }

    #[test]
    fn keys_are_data_when_nobody_would_declare_them() {
        for key in [
            "src/main.rs",
            "12",
            "<path>",
            "a b",
            "me@x",
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        ] {
            assert!(is_data(key), "{key}");
        }
        for key in [
            "type",
            "$schema",
            "com.example.x",
            "cache_5m",
            "x-y",
            "deadbeef",
            "sha256",
        ] {
            assert!(!is_data(key), "{key}");
        }
    }
}
