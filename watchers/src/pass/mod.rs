//! A pass over one agent: a pure function of (agent, what was remembered, what is known, answers, time) to (what to
//! remember, what is known then, events).
//!
//! It refuses to read silence as news: a failed, partial or throttled answer changes nothing but the count of misses. The
//! first look at an agent, or at a channel, is a baseline and no storm of news.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use agent_contracts_config::AgentDef;
use agent_contracts_net::NetError;
use agent_contracts_registry::release::{Release, ReleaseFile};
use jiff::{SignedDuration, Timestamp};

use crate::event::{Event, EventKind, Standing};
use crate::join::{self, Joined, Newest};
use crate::place::{absorb, is_cut_short, miss};
use crate::scheme::{Reading, Scheme};
use crate::snapshot::{Answer, Coverage, Item, Listing, Role};
use crate::state::{AgentState, Place, Quarantine};

/// A place is blind after so many polls without a good answer.
pub const BLIND_AFTER: u32 = 3;
/// An agent is put into quarantine after so many passes in which none of its channels answered.
pub const QUARANTINE_AFTER: u32 = 5;
/// A channel may take so long to follow the others before it lags.
const LAG_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// A payload may take so long to follow its release.
const PAYLOAD_AFTER: SignedDuration = SignedDuration::from_mins(30);
/// More unknown versions than this below the highest known one are a listing that has grown backwards, and no news.
const BACKFILL: usize = 10;

/// What a pass starts from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The agent.
    pub agent: &'a AgentDef,
    /// What was remembered of it.
    pub before: &'a AgentState,
    /// Its known releases, from the public tree.
    pub known: &'a ReleaseFile,
    /// The versions that observations verified, in any order.
    pub verified: &'a [String],
    /// What its places answered.
    pub answers: &'a [Answer],
    /// Now.
    pub now: Timestamp,
}

/// What a pass ends with.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What to remember.
    pub state: AgentState,
    /// The known releases, old and new.
    pub releases: ReleaseFile,
    /// What to tell, in a fixed order.
    pub events: Vec<Event>,
    /// What a person should know of how it went.
    pub notes: Vec<String>,
}

/// Makes the pass.
pub fn pass(input: &Input<'_>) -> Outcome {
    let scheme = Scheme::new(&input.agent.version);
    let known = ReleaseFile {
        schema_version: 1,
        agent: input.agent.id.clone(),
        releases: input.known.releases.clone(),
    };
    let mut state = input.before.clone();
    let mut events = Vec::new();
    let mut notes = Vec::new();
    let mut gone = Vec::new();
    for answer in input.answers {
        let before = input.before.places.get(&answer.label);
        let place = match &answer.result {
            Ok(listing) => {
                let absorbed = absorb(before, &answer.role, listing, input.now);
                match before.filter(|_| absorbed.comparable) {
                    Some(before) => tag_moves(&scheme, &answer.label, before, &absorbed.place, &mut events),
                    None => gone.extend(forgotten(&scheme, &known, &answer.label, listing, &absorbed.place)),
                }
                absorbed.place
            }
            Err(error) => {
                notes.push(error.to_string());
                miss(before, &answer.role, error, input.now)
            }
        };
        if answer.result.is_ok() && answer.role != Role::Local {
            notes.extend(place.notes.iter().cloned());
        }
        state.places.insert(answer.label.clone(), place);
    }
    let joined = join::join(&scheme, &known, &state.places, &gone, input.now);
    for (label, texts) in &joined.aside {
        notes.push(format!(
            "{label}: no versions by the agent's scheme, kept aside: {}",
            some(texts)
        ));
    }
    news(input, &scheme, &known, &joined, &mut events, &mut notes);
    changes(input, &scheme, &known, &joined.releases, &mut events);
    let conditions = conditions(input, &scheme, &joined.releases, &state.places);
    events.extend(
        conditions
            .iter()
            .filter(|(key, condition)| state.told.get(*key) != Some(&condition.told))
            .map(|(_, condition)| condition.event.clone()),
    );
    state.told = conditions
        .into_iter()
        .map(|(key, condition)| (key, condition.told))
        .collect();
    quarantine(&mut state, input);
    let events = events
        .into_iter()
        .map(|kind| Event {
            agent: input.agent.id.clone(),
            kind,
        })
        .collect();
    Outcome {
        state,
        releases: joined.releases,
        events,
        notes,
    }
}

/// Whether the agent is to be asked now: not while it is in quarantine, unless a person asks for it by name.
pub fn is_due(state: &AgentState, now: Timestamp, by_name: bool) -> bool {
    by_name
        || state
            .quarantine
            .as_ref()
            .is_none_or(|quarantine| quarantine.next_try <= now)
}

/// Versions that the record has of a place, that its whole listing does not show, where nothing else is remembered of it.
/// Only at the public default address: a mirror leaves out what it likes.
fn forgotten(
    scheme: &Scheme,
    known: &ReleaseFile,
    label: &str,
    listing: &Listing,
    place: &Place,
) -> Vec<(String, String)> {
    if listing.coverage != Coverage::All || !listing.endpoint_is_default {
        return Vec::new();
    }
    let shown: BTreeSet<String> = versions(scheme, place).collect();
    let recorded = known
        .releases
        .iter()
        .filter(|release| release.channels.get(label).is_some_and(|c| !c.withdrawn));
    let (mut alive, mut gone) = (0, Vec::new());
    for release in recorded {
        alive += 1;
        if !shown.contains(&release.version) {
            gone.push((label.to_owned(), release.version.clone()));
        }
    }
    if is_cut_short(gone.len(), alive) {
        Vec::new()
    } else {
        gone
    }
}

/// The releases among the items of a place.
fn versions<'a>(scheme: &'a Scheme, place: &'a Place) -> impl Iterator<Item = String> + 'a {
    place
        .items
        .values()
        .filter_map(|item| match join::read(scheme, place, &item.text) {
            Reading::Release(version) => Some(version.text),
            _ => None,
        })
}

/// Tags of the channel that point elsewhere, and tags of the repository that were moved.
fn tag_moves(scheme: &Scheme, label: &str, before: &Place, after: &Place, events: &mut Vec<EventKind>) {
    for (tag, to) in &after.tags {
        let from = before.tags.get(tag);
        // A platform's tag follows its releases and says nothing of its own.
        let (to_read, from_read) = (
            join::read(scheme, after, to),
            from.map(|from| join::read(scheme, before, from)),
        );
        if from == Some(to) || matches!(to_read, Reading::Payload { .. }) || before.tags.is_empty() {
            continue;
        }
        let backwards = match (&from_read, &to_read) {
            (Some(Reading::Release(from)), Reading::Release(to)) => scheme.compare(&to.text, &from.text).is_lt(),
            _ => false,
        };
        events.push(EventKind::TagMoved {
            channel: label.to_owned(),
            tag: tag.clone(),
            from: from.cloned(),
            to: to.clone(),
            backwards,
        });
    }
    for item in after.items.values().filter(|item| !item.withdrawn) {
        let old = before.items.get(&item.text);
        let target = |item: &Item| item.object.clone().or_else(|| item.commit.clone());
        let ours = !matches!(join::read(scheme, after, &item.text), Reading::NotOurs);
        if let (true, Some(from), Some(to)) = (ours, old.and_then(target), target(item))
            && from != to
        {
            let (channel, tag) = (label.to_owned(), item.text.clone());
            events.push(EventKind::TagMoved {
                channel,
                tag,
                from: Some(from),
                to,
                backwards: false,
            });
        }
    }
}

/// Versions that nobody knew.
fn news(
    input: &Input<'_>,
    scheme: &Scheme,
    known: &ReleaseFile,
    joined: &Joined,
    events: &mut Vec<EventKind>,
    notes: &mut Vec<String>,
) {
    let mut recorded: BTreeSet<String> = known.releases.iter().map(|release| release.version.clone()).collect();
    // The record may have been lost while the state was not.
    for place in input
        .before
        .places
        .values()
        .filter(|place| matches!(place.role, Role::Main | Role::Earlier))
    {
        recorded.extend(versions(scheme, place));
    }
    if recorded.is_empty() {
        if let Some(highest) = joined.releases.releases.first() {
            let count = joined.releases.releases.len();
            notes.push(format!(
                "first look: {count} releases, the highest is {}",
                highest.version
            ));
        }
        return;
    }
    let prereleases: BTreeSet<&str> = known
        .releases
        .iter()
        .filter(|r| r.prerelease)
        .map(|r| r.version.as_str())
        .collect();
    let highest = recorded.iter().max_by(|a, b| scheme.compare(a, b));
    let highest_stable = recorded
        .iter()
        .filter(|version| !prereleases.contains(version.as_str()))
        .max_by(|a, b| scheme.compare(a, b));
    let above = |version: &str, mark: Option<&String>| mark.is_none_or(|mark| scheme.compare(version, mark).is_gt());
    let unknown = |release: &&Release| !recorded.contains(&release.version) && !release.withdrawn;
    let (above_all, below): (Vec<&Release>, Vec<&Release>) = joined
        .releases
        .releases
        .iter()
        .filter(unknown)
        .partition(|release| above(&release.version, highest));
    // A channel that is looked at for the first time shows its past.
    let (below, past): (Vec<&Release>, Vec<&Release>) = below.into_iter().partition(|release| {
        release
            .channels
            .keys()
            .any(|label| known_place(input.before, known, label))
    });
    let mut told = above_all;
    if below.len() > BACKFILL {
        notes.push(format!(
            "{} older versions are listed that were not before; taken as no news",
            below.len()
        ));
    } else {
        told.extend(below);
    }
    if !past.is_empty() {
        notes.push(format!(
            "first look at a channel: {} versions that no other channel has shown",
            past.len()
        ));
    }
    told.sort_by(|a, b| scheme.compare(&a.version, &b.version));
    for release in told {
        let standing = if release.prerelease {
            Standing::Prerelease
        } else if above(&release.version, highest_stable) {
            Standing::Newest
        } else {
            Standing::Maintenance
        };
        let channels = release
            .channels
            .iter()
            .filter(|(_, channel)| !channel.withdrawn)
            .map(|(label, _)| label.clone());
        let (version, channels) = (release.version.clone(), channels.collect());
        events.push(EventKind::ReleaseSeen {
            version,
            channels,
            standing,
        });
    }
}

fn known_place(before: &AgentState, known: &ReleaseFile, label: &str) -> bool {
    before.places.get(label).is_some_and(|place| place.last_good.is_some())
        || known
            .releases
            .iter()
            .any(|release| release.channels.contains_key(label))
}

/// What changed about known versions: withdrawn, deprecated.
fn changes(
    input: &Input<'_>,
    scheme: &Scheme,
    known: &ReleaseFile,
    releases: &ReleaseFile,
    events: &mut Vec<EventKind>,
) {
    let verified = latest_verified(scheme, input.verified);
    let recorded: BTreeMap<&str, &Release> = known.releases.iter().map(|r| (r.version.as_str(), r)).collect();
    let mut deprecated: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for release in &releases.releases {
        let Some(old) = recorded.get(release.version.as_str()) else {
            continue;
        };
        for (label, channel) in &release.channels {
            let Some(before) = old.channels.get(label) else {
                continue;
            };
            if channel.withdrawn && !before.withdrawn {
                events.push(EventKind::ReleaseWithdrawn {
                    version: release.version.clone(),
                    channel: label.clone(),
                    everywhere: release.withdrawn,
                    latest_verified: verified == Some(&release.version),
                });
            }
            if let (Some(words), None, false) = (&channel.deprecated, &before.deprecated, channel.withdrawn) {
                deprecated
                    .entry((label.clone(), words.clone()))
                    .or_default()
                    .push(release.version.clone());
            }
        }
    }
    events.extend(
        deprecated
            .into_iter()
            .map(|((channel, message), versions)| EventKind::Deprecated {
                channel,
                versions,
                message,
            }),
    );
}

/// Something that holds for as long as it holds, and is told once.
struct Condition {
    told: String,
    event: EventKind,
}

/// The conditions that hold now, by key.
fn conditions(
    input: &Input<'_>,
    scheme: &Scheme,
    releases: &ReleaseFile,
    places: &BTreeMap<String, Place>,
) -> BTreeMap<String, Condition> {
    let mut all = BTreeMap::new();
    let mut hold = |key: String, told: String, event| drop(all.insert(key, Condition { told, event }));
    let highest = join::highest_stable(releases);
    for (label, place) in places {
        if let Some(to) = &place.moved_to {
            let event = EventKind::SourceMoved {
                channel: label.clone(),
                to: to.clone(),
            };
            hold(format!("moved {label}"), to.clone(), event);
        }
        if place.role != Role::Main {
            continue;
        }
        if let (Some(since), Some(why)) = (place.blind_since(), &place.why) {
            let event = EventKind::BlindSince {
                channel: label.clone(),
                since,
                why: why.clone(),
            };
            hold(format!("blind {label}"), since.to_string(), event);
        }
        let newest = join::newest(scheme, releases, label, Some(place));
        if let (Some(lag), Some(highest)) = (lag(scheme, releases, &newest), highest)
            && is_older_than(&highest.first_seen, LAG_AFTER, input.now)
        {
            let event = EventKind::ChannelLag {
                channel: label.clone(),
                latest: lag.0.clone(),
                highest: highest.version.clone(),
                behind: lag.1,
            };
            hold(format!("lag {label}"), lag.0, event);
        }
        for version in [&newest.latest_tag, &newest.highest_stable].into_iter().flatten() {
            let release = releases.releases.iter().find(|release| release.version == *version);
            let Some(release) = release.filter(|release| !release.missing_platforms.is_empty()) else {
                continue;
            };
            let published = release
                .channels
                .get(label)
                .and_then(|channel| channel.published_at.as_ref());
            if is_older_than(published.unwrap_or(&release.first_seen), PAYLOAD_AFTER, input.now) || published.is_none()
            {
                let platforms = release.missing_platforms.clone();
                let told = platforms.join(" ");
                let event = EventKind::PlatformPayloadMissing {
                    version: version.clone(),
                    channel: label.clone(),
                    platforms,
                };
                hold(format!("payload {version}"), told, event);
            }
        }
    }
    if let (Some(highest), Some(verified)) = (highest, latest_verified(scheme, input.verified))
        && scheme.compare(&highest.version, verified).is_gt()
    {
        let (latest_seen, latest_verified) = (highest.version.clone(), verified.clone());
        hold(
            "stale".into(),
            latest_seen.clone(),
            EventKind::StaleCoverage {
                latest_seen,
                latest_verified,
            },
        );
    }
    all
}

/// What a channel gives, and how many stable releases it is behind. `None` when it is not behind or gives nothing.
pub(crate) fn lag(scheme: &Scheme, releases: &ReleaseFile, newest: &Newest) -> Option<(String, usize)> {
    let gives = newest.latest_tag.as_ref().or(newest.highest_stable.as_ref())?;
    let stable = releases
        .releases
        .iter()
        .filter(|release| !release.prerelease && !release.withdrawn);
    let behind = stable
        .filter(|release| scheme.compare(&release.version, gives).is_gt())
        .count();
    (behind > 0).then(|| (gives.clone(), behind))
}

/// The highest of `verified`.
pub(crate) fn latest_verified<'a>(scheme: &Scheme, verified: &'a [String]) -> Option<&'a String> {
    verified.iter().max_by(|a, b| scheme.compare(a, b))
}

fn is_older_than(time: &str, limit: SignedDuration, now: Timestamp) -> bool {
    time.parse::<Timestamp>()
        .is_ok_and(|time| now.duration_since(time) >= limit)
}

/// An agent none of whose channels answers is asked less and less often, up to every six hours.
fn quarantine(state: &mut AgentState, input: &Input<'_>) {
    let mut failed = Vec::new();
    for answer in input.answers.iter().filter(|answer| answer.role == Role::Main) {
        match &answer.result {
            Ok(_) => {
                state.failures = 0;
                state.quarantine = None;
                return;
            }
            Err(NetError::Unavailable { .. } | NetError::Offline { .. }) => {}
            Err(error) => failed.push(error.to_string()),
        }
    }
    if failed.is_empty() {
        return;
    }
    state.failures = state.failures.saturating_add(1);
    if state.failures >= QUARANTINE_AFTER {
        let doubled = 2u32.saturating_pow((state.failures - QUARANTINE_AFTER).min(5));
        let pause = Duration::from_secs(15 * 60)
            .saturating_mul(doubled)
            .min(Duration::from_secs(6 * 3600));
        state.quarantine = Some(Quarantine {
            since: state
                .quarantine
                .as_ref()
                .map_or(input.now, |quarantine| quarantine.since),
            why: failed.join("; "),
            next_try: input.now.saturating_add(pause).unwrap_or(input.now),
        });
    }
}

/// The first few of a list, and how many more.
fn some(texts: &[String]) -> String {
    const SHOWN: usize = 5;
    let first = texts
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match texts.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests;
