//! Joining what the places of an agent show into its releases. Pure.
//!
//! What was recorded is never dropped: a release that no place shows any more stays in the record as it was. What is no
//! version is kept aside, and payloads of platforms are no releases of their own.

use std::collections::{BTreeMap, BTreeSet};

use agent_contracts_registry::release::{ChannelRelease, Release, ReleaseFile};
use jiff::Timestamp;

use crate::scheme::{Reading, Scheme, Version};
use crate::snapshot::{Item, Role};
use crate::state::Place;

/// The releases of an agent, and what was seen besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// Known and new releases, newest first.
    pub releases: ReleaseFile,
    /// Texts that look like versions of ours and are none, by place.
    pub aside: BTreeMap<String, Vec<String>>,
}

/// Three answers to "which is the newest", which are not the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Newest {
    /// What the channel itself calls the latest or stable one.
    pub latest_tag: Option<String>,
    /// The highest that is no prerelease.
    pub highest_stable: Option<String>,
    /// The highest.
    pub highest_any: Option<String>,
}

/// Joins `places` into what is `known`. `gone` names versions that a place had by the record and does not list any more.
pub fn join(
    scheme: &Scheme,
    known: &ReleaseFile,
    places: &BTreeMap<String, Place>,
    gone: &[(String, String)],
    now: Timestamp,
) -> Joined {
    let mut releases: BTreeMap<String, Release> = known
        .releases
        .iter()
        .map(|release| (release.version.clone(), release.clone()))
        .collect();
    let mut aside: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (label, place) in places
        .iter()
        .filter(|(_, place)| matches!(place.role, Role::Main | Role::Earlier))
    {
        // Two texts of one place may be one version (`1.27` and `1.27.0`); then the one that stands counts.
        let mut of_place: BTreeMap<String, ChannelRelease> = BTreeMap::new();
        for item in place.items.values() {
            match read(scheme, place, &item.text) {
                Reading::Release(version) => {
                    let entry = of_place.entry(version.text.clone());
                    let before = entry.or_insert_with(|| ChannelRelease {
                        withdrawn: true,
                        ..ChannelRelease::default()
                    });
                    if before.withdrawn {
                        *before = channel_release(item);
                    }
                    releases
                        .entry(version.text.clone())
                        .or_insert_with(|| new(version, now));
                }
                Reading::NotAVersion => aside.entry(label.clone()).or_default().push(item.text.clone()),
                Reading::Payload { .. } | Reading::NotOurs => {}
            }
        }
        for (version, shown) in of_place {
            if let Some(release) = releases.get_mut(&version) {
                release.channels.insert(label.clone(), shown);
            }
        }
    }
    for (label, version) in gone {
        if let Some(entry) = releases
            .get_mut(version)
            .and_then(|release| release.channels.get_mut(label))
        {
            entry.withdrawn = true;
        }
    }
    add_platforms(scheme, places, &mut releases);
    for release in releases.values_mut() {
        release.withdrawn = !release.channels.is_empty() && release.channels.values().all(|channel| channel.withdrawn);
    }
    let mut sorted: Vec<Release> = releases.into_values().collect();
    sorted.sort_by(|a, b| scheme.compare(&b.version, &a.version));
    Joined {
        releases: ReleaseFile {
            schema_version: 1,
            agent: known.agent.clone(),
            releases: sorted,
        },
        aside,
    }
}

/// Reads what a place shows.
pub(crate) fn read(scheme: &Scheme, place: &Place, text: &str) -> Reading {
    if place.tags_of_a_repository {
        scheme.read_tag(text)
    } else {
        scheme.read(text)
    }
}

/// The newest of one channel.
pub fn newest(scheme: &Scheme, releases: &ReleaseFile, label: &str, place: Option<&Place>) -> Newest {
    let shown = || {
        let of_channel = |release: &&Release| release.channels.get(label).is_some_and(|channel| !channel.withdrawn);
        releases.releases.iter().filter(of_channel)
    };
    let tag = place.filter(|place| !place.tags_unknown).and_then(|place| {
        let text = ["latest", "stable"].iter().find_map(|tag| place.tags.get(*tag))?;
        Some(match read(scheme, place, text) {
            Reading::Release(version) | Reading::Payload { version, .. } => version.text,
            Reading::NotOurs | Reading::NotAVersion => text.clone(),
        })
    });
    Newest {
        latest_tag: tag,
        highest_stable: shown()
            .find(|release| !release.prerelease)
            .map(|release| release.version.clone()),
        highest_any: shown().next().map(|release| release.version.clone()),
    }
}

/// The highest release that stands and is no prerelease.
pub fn highest_stable(releases: &ReleaseFile) -> Option<&Release> {
    releases
        .releases
        .iter()
        .find(|release| !release.prerelease && !release.withdrawn)
}

fn new(version: Version, now: Timestamp) -> Release {
    Release {
        version: version.text,
        prerelease: version.prerelease,
        channels: BTreeMap::new(),
        platforms: Vec::new(),
        missing_platforms: Vec::new(),
        first_seen: now.to_string(),
        withdrawn: false,
    }
}

fn channel_release(item: &Item) -> ChannelRelease {
    ChannelRelease {
        published_at: item.published_at.clone(),
        commit: item.commit.clone(),
        withdrawn: item.withdrawn,
        deprecated: item.deprecated.clone(),
    }
}

/// Which platforms have a payload of which version, and which should have one: those that a version names among its
/// dependencies, and those whose package had versions before. A version without any payload says nothing of platforms: it
/// is older than they are, or a mirror has none of them.
fn add_platforms(scheme: &Scheme, places: &BTreeMap<String, Place>, releases: &mut BTreeMap<String, Release>) {
    let mut have: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut want: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for place in places.values() {
        match &place.role {
            Role::Main | Role::Earlier => {
                for item in place.items.values() {
                    if let (false, Reading::Payload { version, platform }) =
                        (item.withdrawn, read(scheme, place, &item.text))
                    {
                        have.entry(version.text).or_default().insert(platform);
                    }
                    for need in &item.needs {
                        if let Reading::Payload { version, platform } = scheme.read(need) {
                            want.entry(version.text).or_default().insert(platform);
                        }
                    }
                }
            }
            Role::Payload(platform) => {
                let mut versions: Vec<String> = Vec::new();
                for item in place.items.values().filter(|item| !item.withdrawn) {
                    if let Reading::Release(version) = scheme.read(&item.text) {
                        have.entry(version.text.clone()).or_default().insert(platform.clone());
                        versions.push(version.text);
                    }
                }
                let Some(first) = versions.into_iter().min_by(|a, b| scheme.compare(a, b)) else {
                    continue;
                };
                for version in releases
                    .keys()
                    .filter(|version| scheme.compare(version, &first).is_ge())
                {
                    want.entry(version.clone()).or_default().insert(platform.clone());
                }
            }
            Role::Local => {}
        }
    }
    for (version, platforms) in have {
        let Some(release) = releases.get_mut(&version) else {
            continue;
        };
        let wanted = want.remove(&version).unwrap_or_default();
        release.missing_platforms = wanted.difference(&platforms).cloned().collect();
        let mut all = platforms;
        all.extend(
            release
                .platforms
                .iter()
                .filter(|known| !release.missing_platforms.contains(known))
                .cloned(),
        );
        release.platforms = all.into_iter().collect();
    }
}
