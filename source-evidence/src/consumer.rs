//! How severe a finding is for one consumer: what it does not read cannot hurt it.
//!
//! A severity is only ever lowered, and only where every way to the change is known and none of it is read. What cannot
//! be judged keeps its severity.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_wire::{Direction, Domain, Finding, Severity};
use serde::{Deserialize, Serialize};

/// What a consumer reads of the frames of an agent, and what it sends.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What findings call it.
    pub name: String,
    /// The agent that it is about; of any when left out.
    #[serde(default)]
    pub agent: Option<String>,
    /// The protocol family that it is about; any when left out.
    #[serde(default)]
    pub family: Option<String>,
    /// Where the lists come from, for people.
    #[serde(default)]
    pub about: Option<String>,
    /// Events, forms and values that it does not know are skipped.
    #[serde(default)]
    pub skips_unknown: bool,
    /// Whole frames are decoded into typed structures, so that a changed type hurts where it is not read.
    #[serde(default)]
    pub typed: bool,
    /// Paths that are read, by event. A path stands for all that is below it; `*` is the whole frame.
    #[serde(default)]
    pub reads: BTreeMap<String, Vec<String>>,
    /// Paths that are sent, by request. Empty: not said, and nothing that goes in is lowered.
    #[serde(default)]
    pub sends: BTreeMap<String, Vec<String>>,
    /// Flags that are passed. Empty: not said.
    #[serde(default)]
    pub flags: Vec<String>,
}

/// A severity for one consumer, where it is lower.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForConsumer {
    /// The profile's name.
    pub profile: String,
    /// How much this consumer suffers.
    pub severity: Severity,
    /// Why it is less, in words.
    pub why: String,
}

/// A name of a profile that the protocol does not have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnknownName {
    /// The event that it stands under, or is.
    pub event: String,
    /// The path; `None` when the event itself is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl Profile {
    /// The lower severity for this consumer; `None` where it stays as it is.
    #[must_use]
    pub fn judge(&self, finding: &Finding) -> Option<ForConsumer> {
        let why = self.unread(finding)?;
        (finding.severity > Severity::None).then(|| ForConsumer {
            profile: self.name.clone(),
            severity: Severity::None,
            why,
        })
    }

    /// Why the finding is of no matter to this consumer.
    fn unread(&self, finding: &Finding) -> Option<String> {
        if let Some(flag) = &finding.flag {
            let unused = !self.flags.is_empty() && !self.flags.contains(flag);
            return unused.then(|| format!("it does not pass {flag}"));
        }
        let (names, verb) = match finding.direction {
            Direction::Output => (&self.reads, "read"),
            Direction::Input => (&self.sends, "send"),
            // On an unknown way it may be either.
            Direction::Both | Direction::Unknown => return None,
        };
        if names.is_empty() {
            return None;
        }
        let event = finding.event_type.as_deref()?;
        if self.skips_unknown && finding.rule == "event_added" {
            return (!is_named(names, event)).then(|| "it skips events that it does not know".to_owned());
        }
        if matches!(
            finding.rule.as_str(),
            "event_added" | "method_added" | "event_renamed" | "method_renamed"
        ) {
            // An unknown event reaches every consumer, and a new name may be read under the old one.
            return None;
        }
        let own = [(event.to_owned(), finding.path.clone().unwrap_or_default())];
        let ways = match &finding.reached_by {
            Some(reached) if reached.count > reached.first.len() => return None,
            Some(reached) if !reached.first.is_empty() => reached.first.as_slice(),
            _ => &own,
        };
        if self.typed && finding.domain == Domain::DecodeFatal {
            let decoded = ways.iter().any(|(event, _)| is_named(names, event));
            if decoded {
                return None;
            }
        }
        let touched =
            |(event, path): &(String, String)| names_of(names, event).iter().any(|known| touches(known, path));
        if ways.iter().any(touched) {
            return None;
        }
        let (event, path) = &ways[0];
        Some(match (!is_named(names, event), path.is_empty()) {
            (true, _) => format!("it does not {verb} {event}"),
            (false, true) => format!("it does not {verb} this form of {event}"),
            (false, false) => format!("it does not {verb} {path} of {event}"),
        })
    }

    /// What the profile names and the protocol does not have. `known` has the paths of each event.
    #[must_use]
    pub fn unknown(&self, known: &BTreeMap<String, BTreeSet<String>>) -> Vec<UnknownName> {
        let mut unknown = Vec::new();
        for (event, paths) in self.reads.iter().chain(&self.sends) {
            let of_event: Vec<&BTreeSet<String>> = known
                .iter()
                .filter(|(name, _)| bare(name) == bare(event))
                .map(|(_, paths)| paths)
                .collect();
            if of_event.is_empty() {
                unknown.push(UnknownName {
                    event: event.clone(),
                    path: None,
                });
                continue;
            }
            for path in paths.iter().filter(|path| *path != "*") {
                let mut all = of_event.iter().flat_map(|paths| paths.iter());
                if !all.any(|there| flat(there) == flat(path)) {
                    unknown.push(UnknownName {
                        event: event.clone(),
                        path: Some(path.clone()),
                    });
                }
            }
        }
        unknown
    }
}

/// The entries for an event, with or without its nested tags.
fn entries<'a>(
    names: &'a BTreeMap<String, Vec<String>>,
    event: &'a str,
) -> impl Iterator<Item = (&'a String, &'a Vec<String>)> {
    let exact = event.contains('[');
    names
        .iter()
        .filter(move |(name, _)| *name == event || (!(exact && name.contains('[')) && bare(name) == bare(event)))
}

/// Whether an event is named, be it without any path.
fn is_named(names: &BTreeMap<String, Vec<String>>, event: &str) -> bool {
    entries(names, event).next().is_some()
}

/// The paths that are named for an event.
fn names_of<'a>(names: &'a BTreeMap<String, Vec<String>>, event: &'a str) -> Vec<&'a str> {
    entries(names, event)
        .flat_map(|(_, paths)| paths.iter().map(String::as_str))
        .collect()
}

/// Whether a change at `changed` touches what is read at `read`: one is the other, or leads to it.
fn touches(read: &str, changed: &str) -> bool {
    if read == "*" {
        return true;
    }
    let (read, changed) = (flat(read), flat(changed));
    let below = |inner: &str, outer: &str| {
        outer.is_empty()
            || inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    below(&read, &changed) || below(&changed, &read)
}

/// An event without its nested tags: `item.completed[agent_message]` is an `item.completed`.
fn bare(event: &str) -> &str {
    event.split_once('[').map_or(event, |(event, _)| event)
}

/// A path in which the tags of items are left out: `content[text].text` is below `content[]`.
fn flat(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut inside = false;
    for c in path.chars() {
        if c == ']' {
            inside = false;
        }
        if !inside {
            out.push(c);
        }
        if c == '[' {
            inside = true;
        }
    }
    out
}
