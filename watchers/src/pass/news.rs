//! What is new, changed or gone between two passes. Pure.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_registry::release::{Release, ReleaseFile};

use super::{Input, latest_verified};
use crate::event::{EventKind, Standing};
use crate::join::{self, Joined};
use crate::place::is_cut_short;
use crate::scheme::{Reading, Scheme};
use crate::snapshot::{Coverage, Item, Listing, Role};
use crate::state::{AgentState, Place};

/// More unknown versions than this below the highest known one are a listing that has grown backwards, and no news.
const BACKFILL: usize = 10;

/// Versions that the record has of a place, that its whole listing does not show, where nothing else is remembered of it.
/// Only at the public default address: a mirror leaves out what it likes.
pub(super) fn forgotten(
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
pub(super) fn tag_moves(scheme: &Scheme, label: &str, before: &Place, after: &Place, events: &mut Vec<EventKind>) {
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
pub(super) fn news(
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
pub(super) fn changes(
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
