//! What each name did over all steps: when it came, changed, left and came back.
//!
//! A name is the same one while its address stays (event, path, kind, name) or while its declaration does (declared type,
//! the name around it, the name itself), so that neither a type that gets another name nor a shorter way to it makes it
//! leave and come. What the comparison did not call a change is none here either.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use agent_contracts_registry::history::{Happened, NameEvent, NameHistory, Presence, SourceHistory};
use agent_contracts_wire::Severity;
use agent_contracts_wire::diff::inventory::{NameKind, WireName};

use super::told::{Told, changes, tells_of};
use super::{StepRecord, Walked, WalkedStep};

/// A name by its address.
type Address = (NameKind, String, String, String);
/// A name by its declaration.
type Declared = (NameKind, String, String, String);

type Id = usize;
/// The names that a version has.
type Names = Rc<BTreeSet<Id>>;

fn address(name: &WireName) -> Address {
    (name.kind, name.holder.clone(), name.path.clone(), name.name.clone())
}

/// `None` for what no declared type holds.
fn declared(name: &WireName) -> Option<Declared> {
    let key = (
        name.kind,
        name.type_name.clone(),
        name.around.clone(),
        name.name.clone(),
    );
    (!name.type_name.is_empty()).then_some(key)
}

impl Walked {
    /// What each name did.
    #[must_use]
    pub fn history(&self) -> SourceHistory {
        let mut track = Track {
            walked: self,
            releases: self.line.versions.iter().any(|one| !one.prerelease),
            tracked: Vec::new(),
            by_address: HashMap::new(),
            by_declaration: HashMap::new(),
            versions: HashMap::new(),
            released_before: false,
        };
        let mut steps = self.steps.iter().peekable();
        for (index, same) in self.same.iter().enumerate() {
            if let Some(step) = steps.next_if(|step| step.to == index) {
                track.step(step);
            } else if let Some(names) = same.and_then(|base| track.versions.get(&base)).cloned() {
                track.versions.insert(index, names);
            }
        }
        SourceHistory {
            line: self.line.clone(),
            names: track.finish(),
        }
    }
}

/// One name that is followed.
struct Tracked {
    name: WireName,
    /// It was in the first version that was read.
    from_the_first: bool,
    since: Option<String>,
    previewed: Option<String>,
    /// It was there and left, in releases and in prereleases.
    left: (bool, bool),
    flips: u32,
    prerelease_flips: u32,
    unknown: bool,
    events: Vec<NameEvent>,
}

struct Track<'a> {
    walked: &'a Walked,
    /// The line has releases; else its prereleases count as such.
    releases: bool,
    tracked: Vec<Tracked>,
    by_address: HashMap<Address, Id>,
    by_declaration: HashMap<Declared, Id>,
    versions: HashMap<usize, Names>,
    /// A release was seen.
    released_before: bool,
}

impl Track<'_> {
    fn step(&mut self, step: &WalkedStep) {
        let record = std::sync::Arc::clone(&step.record);
        let base = step
            .from
            .and_then(|from| self.versions.get(&from))
            .cloned()
            .unwrap_or_default();
        if record.added.is_empty() && record.removed.is_empty() {
            self.changed(step, &record);
            self.released(step, &base);
            self.versions.insert(step.to, base);
            return;
        }
        let mut names: BTreeSet<Id> = (*base).clone();
        let mut gone: BTreeMap<Id, &WireName> = BTreeMap::new();
        for name in &record.removed {
            if let Some(id) = self.find(name).filter(|id| names.contains(id)) {
                gone.insert(id, name);
            }
        }
        let mut come: Vec<(Id, &WireName)> = Vec::new();
        let (once_gone, once_come) = (unique(&record.removed), unique(&record.added));
        for name in &record.added {
            let moved = declared(name).filter(|key| once_gone.contains(key) && once_come.contains(key));
            if let Some(id) = moved.and_then(|key| gone.keys().copied().find(|id| self.is(*id, &key))) {
                gone.remove(&id);
                self.rename(id, name);
                continue;
            }
            match self.find(name) {
                Some(id) if gone.contains_key(&id) => {
                    gone.remove(&id);
                }
                Some(id) if names.contains(&id) => {}
                Some(id) => {
                    self.rename(id, name);
                    come.push((id, name));
                }
                None => come.push((self.new_name(name), name)),
            }
        }
        for (id, name) in gone {
            let told = tells_of(&record.findings, name, true);
            if told.is_none() && (!record.doubts.is_empty() || may_stand_unread(&record, name)) {
                self.tracked[id].unknown = true;
                continue;
            }
            names.remove(&id);
            self.left(id, step, told);
        }
        for (id, name) in come {
            names.insert(id);
            self.came(id, step, tells_of(&record.findings, name, false));
        }
        self.changed(step, &record);
        self.released(step, &names);
        self.versions.insert(step.to, Rc::new(names));
    }

    /// The first release of a line may be compared with a prerelease: what both have is in a release from then on.
    fn released(&mut self, step: &WalkedStep, names: &BTreeSet<Id>) {
        if self.apart(step) {
            return;
        }
        let versions = &self.walked.line.versions;
        let first = !self.released_before;
        self.released_before = true;
        for id in names {
            let tracked = &mut self.tracked[*id];
            if tracked.since.is_none() {
                tracked.since = Some(versions[step.to].version.clone());
                tracked.from_the_first |= first;
            }
        }
    }

    fn is(&self, id: Id, key: &Declared) -> bool {
        declared(&self.tracked[id].name).as_ref() == Some(key)
    }

    fn find(&self, name: &WireName) -> Option<Id> {
        self.by_address.get(&address(name)).copied().or_else(|| {
            let id = *self.by_declaration.get(&declared(name)?)?;
            // A declaration whose address is another's is that other's.
            (self.by_address.get(&address(&self.tracked[id].name)) == Some(&id)).then_some(id)
        })
    }

    fn rename(&mut self, id: Id, name: &WireName) {
        self.by_address.insert(address(name), id);
        if let Some(key) = declared(name) {
            self.by_declaration.insert(key, id);
        }
        self.tracked[id].name = name.clone();
    }

    fn new_name(&mut self, name: &WireName) -> Id {
        self.tracked.push(Tracked {
            name: name.clone(),
            from_the_first: false,
            since: None,
            previewed: None,
            left: (false, false),
            flips: 0,
            prerelease_flips: 0,
            unknown: false,
            events: Vec::new(),
        });
        let id = self.tracked.len() - 1;
        self.by_address.insert(address(name), id);
        if let Some(key) = declared(name) {
            self.by_declaration.entry(key).or_insert(id);
        }
        id
    }

    /// Whether the newer version of a step is told apart from the releases.
    fn apart(&self, step: &WalkedStep) -> bool {
        self.releases && self.walked.line.versions[step.to].prerelease
    }

    fn event(&self, step: &WalkedStep, what: Happened, told: Option<Told>) -> NameEvent {
        let version = &self.walked.line.versions[step.to];
        let told = told.unwrap_or_default();
        NameEvent {
            version: version.version.clone(),
            date: version.date.clone(),
            prerelease: version.prerelease,
            what,
            severity: told.severity,
            rule: told.rule,
            with: told.with,
            other_name: told.other_name,
            before: told.before,
            after: told.after,
        }
    }

    fn came(&mut self, id: Id, step: &WalkedStep, told: Option<Told>) {
        let apart = self.apart(step);
        let version = self.walked.line.versions[step.to].version.clone();
        let back = {
            let (releases, prereleases) = self.tracked[id].left;
            if apart { prereleases } else { releases }
        };
        let what = if back { Happened::CameBack } else { Happened::Appeared };
        let event = self.event(step, what, told);
        let tracked = &mut self.tracked[id];
        tracked.unknown = false;
        if apart {
            tracked.prerelease_flips += u32::from(back);
            // Once it was in a release, its coming back in prereleases is no news.
            if tracked.since.is_none() && tracked.previewed.is_none() {
                tracked.previewed = Some(version);
                tracked.events.push(event);
            }
            return;
        }
        tracked.flips += u32::from(back);
        tracked.since.get_or_insert(version);
        if step.from.is_none() {
            tracked.from_the_first = true;
        } else {
            tracked.events.push(event);
        }
    }

    fn left(&mut self, id: Id, step: &WalkedStep, told: Option<Told>) {
        let apart = self.apart(step);
        let event = self.event(step, Happened::Left, told);
        let tracked = &mut self.tracked[id];
        tracked.unknown = false;
        if apart {
            tracked.left.1 = true;
            // What was in no release leaves where its last prerelease leaves it.
            if tracked.since.is_none() {
                tracked.events.retain(|event| event.what != Happened::Left);
                tracked.events.push(event);
            }
        } else {
            tracked.left.0 = true;
            tracked.events.push(event);
        }
    }

    /// Notes the findings that say that something is another.
    fn changed(&mut self, step: &WalkedStep, record: &StepRecord) {
        if self.apart(step) {
            return;
        }
        for change in changes(&record.findings) {
            let by_address = change
                .addresses
                .iter()
                .find_map(|address| self.by_address.get(address).copied());
            let id = by_address.or_else(|| {
                // By its declaration where just one name has it.
                let mut same = (0..self.tracked.len()).filter(|id| change.is_of(&self.tracked[*id].name));
                same.next().filter(|_| same.next().is_none())
            });
            let id = id.unwrap_or_else(|| {
                let id = self.new_name(&change.name);
                self.tracked[id].from_the_first = true;
                self.tracked[id].since = self.walked.line.versions.first().map(|first| first.version.clone());
                id
            });
            let event = self.event(step, Happened::Changed, Some(change.told));
            self.tracked[id].events.push(event);
        }
    }

    fn finish(self) -> Vec<NameHistory> {
        let line = &self.walked.line;
        let last = |releases: bool| {
            let read = (0..line.versions.len()).rev();
            read.filter(|index| !releases || !line.versions[*index].prerelease)
                .find_map(|index| self.versions.get(&index))
        };
        let (release, newest) = (last(self.releases), last(false));
        let mut all: Vec<NameHistory> = self
            .tracked
            .iter()
            .enumerate()
            .map(|(id, tracked)| {
                let names = if tracked.since.is_some() { release } else { newest };
                let now = if names.is_none_or(|names| !names.contains(&id)) && !tracked.only_changed() {
                    Presence::Gone
                } else if tracked.unknown {
                    Presence::Unknown
                } else {
                    Presence::Present
                };
                let name = &tracked.name;
                let before_release = tracked.previewed.clone().filter(|_| tracked.since.is_some());
                NameHistory {
                    kind: name.kind,
                    holder: name.holder.clone(),
                    path: name.path.clone(),
                    name: name.name.clone(),
                    type_name: name.type_name.clone(),
                    direction: name.direction,
                    since: tracked.since.clone(),
                    from_the_first: tracked.from_the_first,
                    previewed: before_release,
                    now,
                    flips: tracked.flips,
                    prerelease_flips: tracked.prerelease_flips,
                    severity: tracked
                        .events
                        .iter()
                        .map(|event| event.severity)
                        .max()
                        .unwrap_or(Severity::None),
                    events: tracked.told_events(),
                }
            })
            .collect();
        all.sort_by(|a, b| {
            let key = |one: &NameHistory| (one.holder.clone(), one.path.clone(), one.kind, one.name.clone());
            key(a).cmp(&key(b))
        });
        all
    }
}

impl Tracked {
    /// It is known by findings alone.
    fn only_changed(&self) -> bool {
        self.name.type_name.is_empty()
            && self.events.iter().all(|event| event.what == Happened::Changed)
            && !self.events.is_empty()
    }

    /// Its events; the prerelease that showed it first is told by itself once a release has it.
    fn told_events(&self) -> Vec<NameEvent> {
        let mut events = self.events.clone();
        if self.since.is_some() {
            events.retain(|event| !event.prerelease || self.previewed.is_none());
        }
        events
    }
}

/// The declarations that stand in a list just once.
fn unique(names: &[WireName]) -> BTreeSet<Declared> {
    let mut once = BTreeSet::new();
    let mut more = BTreeSet::new();
    for key in names.iter().filter_map(declared) {
        if !once.insert(key.clone()) {
            more.insert(key);
        }
    }
    &once - &more
}

/// Whether what could not be read of the newer version may hold a name.
fn may_stand_unread(record: &StepRecord, name: &WireName) -> bool {
    record.hidden.contains(&name.type_name)
        || record
            .unread
            .iter()
            .any(|(holder, path)| *holder == name.holder && name.path.starts_with(path.as_str()))
}

/// A name that only a finding tells of.
pub(super) fn bare(kind: NameKind, holder: &str, path: &str, name: &str) -> WireName {
    WireName {
        kind,
        holder: holder.to_owned(),
        path: path.to_owned(),
        name: name.to_owned(),
        type_name: String::new(),
        around: String::new(),
        direction: agent_contracts_wire::Direction::Unknown,
        value: String::new(),
    }
}
