//! Conditions: what holds for as long as it holds, and is told once when it begins. Pure.

use std::collections::BTreeMap;

use agent_contracts_registry::release::{Release, ReleaseFile};
use jiff::{SignedDuration, Timestamp};

use super::{Input, latest_verified};
use crate::event::EventKind;
use crate::join::{self, Newest};
use crate::scheme::Scheme;
use crate::snapshot::Role;
use crate::state::Place;

/// A channel may take so long to follow the others before it lags.
const LAG_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// A payload may take so long to follow its release.
const PAYLOAD_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// Something that holds for as long as it holds, and is told once.
pub(super) struct Condition {
    pub(super) told: String,
    pub(super) event: EventKind,
}

/// The conditions that hold now, by key.
pub(super) fn conditions(
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
        if let (Some(since), Some(why)) = (place.blind_since(input.watch), &place.why) {
            let event = EventKind::BlindSince {
                channel: label.clone(),
                since,
                why: why.clone(),
            };
            hold(format!("blind {label}"), since.to_string(), event);
        }
        let newest = join::newest(scheme, releases, label, Some(place));
        if let (Some(lag), Some(highest)) = (lag(scheme, releases, &newest), highest)
            && is_older_than(&lag.since, LAG_AFTER, input.now)
        {
            let event = EventKind::ChannelLag {
                channel: label.clone(),
                latest: lag.gives.clone(),
                highest: highest.version.clone(),
                behind: lag.behind,
                since: lag.since,
            };
            hold(format!("lag {label}"), lag.gives, event);
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

/// How far a channel is behind the agent's releases.
pub(crate) struct Lag {
    /// What it gives.
    pub(crate) gives: String,
    /// How many stable releases are newer.
    pub(crate) behind: usize,
    /// When the oldest of them came out.
    pub(crate) since: String,
}

/// `None` when the channel is not behind, or gives nothing.
pub(crate) fn lag(scheme: &Scheme, releases: &ReleaseFile, newest: &Newest) -> Option<Lag> {
    let gives = newest.latest_tag.as_ref().or(newest.highest_stable.as_ref())?;
    let stable = releases
        .releases
        .iter()
        .filter(|release| !release.prerelease && !release.withdrawn);
    let newer: Vec<&Release> = stable
        .filter(|release| scheme.compare(&release.version, gives).is_gt())
        .collect();
    let since = newer.iter().map(|release| came_out(release)).min()?;
    Some(Lag {
        gives: gives.clone(),
        behind: newer.len(),
        since: since.to_owned(),
    })
}

/// When a release came out: the first time that a channel gives, or else when we first saw it.
fn came_out(release: &Release) -> &str {
    let published = release
        .channels
        .values()
        .filter_map(|channel| channel.published_at.as_deref())
        .min();
    published.unwrap_or(&release.first_seen)
}

fn is_older_than(time: &str, limit: SignedDuration, now: Timestamp) -> bool {
    time.parse::<Timestamp>()
        .is_ok_and(|time| now.duration_since(time) >= limit)
}
