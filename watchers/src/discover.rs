//! The rows of `discover`: where each agent stands, as data for `--json` and as cells for a table. Pure.

use agent_contracts_config::AgentDef;
use agent_contracts_config::settings::Watch;
use agent_contracts_registry::release::ReleaseFile;
use jiff::Timestamp;
use serde::Serialize;

use crate::join;
use crate::pass::{self, Outcome};
use crate::scheme::Scheme;
use crate::snapshot::Role;
use crate::state::{AgentState, Place, Quarantine};
use crate::watch::Watched;

/// Where one agent stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The agent.
    pub agent: String,
    /// What people call it.
    pub name: String,
    /// Its channels, in the order of its file.
    pub channels: Vec<ChannelRow>,
    /// The highest release that is no prerelease, over all channels.
    pub highest_stable: Option<String>,
    /// The highest release at all.
    pub highest_any: Option<String>,
    /// The highest version that observations verified.
    pub latest_verified: Option<String>,
    /// How many stable releases are newer than that; all of them when none was verified.
    pub unverified: usize,
    /// Set while it is asked less often.
    pub quarantine: Option<Quarantine>,
}

/// Where one channel stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChannelRow {
    /// As people write it, `npm:@openai/codex`.
    pub channel: String,
    /// What it calls the latest itself.
    pub latest_tag: Option<String>,
    /// The highest in it that is no prerelease.
    pub highest_stable: Option<String>,
    /// The highest in it.
    pub highest_any: Option<String>,
    /// How many stable releases it is behind the agent's highest.
    pub behind: usize,
    /// When the oldest of them came out, UTC.
    pub behind_since: Option<String>,
    /// Whether it can be believed.
    pub sight: Sight,
    /// Its new name, when it has moved.
    pub moved_to: Option<String>,
    /// What a person should know of its last answer.
    pub notes: Vec<String>,
}

/// Whether what a channel shows can be believed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Sight {
    /// It answered the last time that it was asked.
    Seen {
        /// When. Before this pass where nobody was asked, as with `--offline`.
        at: Timestamp,
    },
    /// It failed the last few times; what is shown is from before.
    Missed {
        /// How often in a row.
        polls: u32,
        /// When it first failed.
        since: Timestamp,
        /// What it said last.
        why: String,
    },
    /// It failed so often that nothing it announces is seen.
    Blind {
        /// When it first failed.
        since: Timestamp,
        /// What it said last.
        why: String,
    },
    /// It cannot be asked on this machine.
    Unavailable {
        /// Why, and what would help.
        why: String,
    },
    /// It was not asked yet.
    NotAsked,
}

/// The rows of all agents, in the order of `watched`: from the outcome of a pass, or from what is remembered where an agent
/// was not asked.
pub fn rows(watched: &[Watched], outcomes: &[Option<Outcome>], watch: Watch) -> Vec<Row> {
    let outcomes = outcomes.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let row_of = |(one, outcome): (&Watched, Option<&Outcome>)| match outcome {
        Some(outcome) => row(&one.agent, &outcome.state, &outcome.releases, &one.verified, watch),
        None => row(&one.agent, &one.state, &one.known, &one.verified, watch),
    };
    watched.iter().zip(outcomes).map(row_of).collect()
}

/// The row of one agent.
pub fn row(agent: &AgentDef, state: &AgentState, releases: &ReleaseFile, verified: &[String], watch: Watch) -> Row {
    let scheme = Scheme::new(&agent.version);
    let highest = join::highest_stable(releases).map(|release| release.version.clone());
    let latest_verified = pass::latest_verified(&scheme, verified);
    let channels = agent
        .channels
        .iter()
        .map(|channel| channel_row(&channel.label(), state, releases, &scheme, watch));
    let stable = releases
        .releases
        .iter()
        .filter(|release| !release.prerelease && !release.withdrawn);
    let newer = stable.filter(|r| latest_verified.is_none_or(|verified| scheme.compare(&r.version, verified).is_gt()));
    Row {
        agent: agent.id.clone(),
        name: agent.name.clone(),
        channels: channels.collect(),
        highest_stable: highest,
        highest_any: releases
            .releases
            .iter()
            .find(|release| !release.withdrawn)
            .map(|release| release.version.clone()),
        latest_verified: latest_verified.cloned(),
        unverified: newer.count(),
        quarantine: state.quarantine.clone(),
    }
}

fn channel_row(label: &str, state: &AgentState, releases: &ReleaseFile, scheme: &Scheme, watch: Watch) -> ChannelRow {
    let place = state.places.get(label);
    let is_local = place.is_some_and(|place| place.role == Role::Local);
    let mut newest = join::newest(scheme, releases, label, place);
    if is_local {
        newest.highest_any = place.and_then(|place| place.tags.get("installed").cloned());
    }
    let lag = pass::lag(scheme, releases, &newest);
    ChannelRow {
        channel: label.to_owned(),
        behind: lag.as_ref().map_or(0, |lag| lag.behind),
        behind_since: lag.map(|lag| lag.since),
        latest_tag: newest.latest_tag,
        highest_stable: newest.highest_stable,
        highest_any: newest.highest_any,
        sight: place.map_or(Sight::NotAsked, |place| sight(place, watch)),
        moved_to: place.and_then(|place| place.moved_to.clone()),
        notes: place.map(|place| place.notes.clone()).unwrap_or_default(),
    }
}

fn sight(place: &Place, watch: Watch) -> Sight {
    let why = || place.why.clone().unwrap_or_default();
    match (place.blind_since(watch), place.missing_since, place.last_good) {
        _ if place.unavailable => Sight::Unavailable { why: why() },
        (Some(since), ..) => Sight::Blind { since, why: why() },
        (None, Some(since), _) => Sight::Missed {
            polls: place.missed,
            since,
            why: why(),
        },
        (None, None, Some(at)) => Sight::Seen { at },
        (None, None, None) => Sight::NotAsked,
    }
}

/// The heads of the table, for [`Row::cells`].
pub const HEADS: [&str; 6] = [
    "agent",
    "latest by channel",
    "highest stable",
    "verified",
    "unverified",
    "not seen",
];

impl Row {
    /// The cells of the table; several lines where an agent has several channels.
    pub fn cells(&self) -> [String; 6] {
        let shown = self.channels.iter().filter_map(ChannelRow::line);
        let dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
        let unverified = match (&self.latest_verified, self.unverified) {
            (_, 0) => "-".to_owned(),
            (None, all) => format!("all {all}"),
            (Some(_), some) => some.to_string(),
        };
        [
            self.agent.clone(),
            shown.collect::<Vec<_>>().join("\n"),
            dash(&self.highest_stable),
            dash(&self.latest_verified),
            unverified,
            self.not_seen().join("\n"),
        ]
    }

    /// What is not seen, why and since when; channels with one reason share a line.
    fn not_seen(&self) -> Vec<String> {
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for channel in &self.channels {
            let Some(reason) = channel.not_seen() else { continue };
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, channels)) => channels.push(&channel.channel),
                None => reasons.push((reason, vec![&channel.channel])),
            }
        }
        let mut lines: Vec<String> = reasons
            .into_iter()
            .map(|(reason, channels)| format!("{}: {reason}", channels.join(", ")))
            .collect();
        if let Some(quarantine) = &self.quarantine {
            let (since, next) = (minute(quarantine.since), minute(quarantine.next_try));
            lines.push(format!("in quarantine since {since}, next try {next}"));
        }
        lines
    }
}

impl ChannelRow {
    fn line(&self) -> Option<String> {
        let version = self
            .latest_tag
            .as_ref()
            .or(self.highest_stable.as_ref())
            .or(self.highest_any.as_ref())?;
        let lag = match (&self.behind_since, self.behind) {
            (Some(since), 1) => format!(" (1 release behind since {})", day(since)),
            (Some(since), behind) => format!(" ({behind} releases behind since {})", day(since)),
            (None, _) => String::new(),
        };
        let ahead = self
            .highest_stable
            .as_ref()
            .filter(|highest| self.latest_tag.is_some() && *highest != version);
        let ahead = ahead.map(|highest| format!(", highest {highest}")).unwrap_or_default();
        Some(format!("{} {version}{ahead}{lag}", self.channel))
    }

    fn not_seen(&self) -> Option<String> {
        match &self.sight {
            Sight::Seen { .. } => None,
            Sight::Missed { since, why, .. } => Some(format!("{why}, since {}", minute(*since))),
            Sight::Blind { since, why } => Some(format!("{why}, BLIND since {}", minute(*since))),
            Sight::Unavailable { why } => Some(why.clone()),
            Sight::NotAsked => Some("not asked yet".to_owned()),
        }
    }
}

/// The day of a time in UTC.
fn day(time: &str) -> &str {
    time.split('T').next().unwrap_or(time)
}

/// To the minute.
fn minute(time: Timestamp) -> String {
    time.to_string()
        .get(..16)
        .map(|text| format!("{text}Z"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use std::collections::BTreeMap;

    use super::*;
    use crate::pass::{Input, pass};
    use crate::snapshot::{Answer, Coverage, Listing};
    use crate::testing::{at, listing_of};
    use agent_contracts_config::agent::Channel;
    use agent_contracts_net::NetError;

    fn example() -> Row {
        let npm = Channel::Npm {
            package: "a".into(),
            earlier: vec![],
            platforms: BTreeMap::new(),
        };
        let cask = Channel::HomebrewCask { name: "a".into() };
        let releases = Channel::GithubReleases {
            repo: "o/n".into(),
            rolling: vec![],
        };
        let tags = Channel::GithubTags {
            repo: "o/n".into(),
            rolling: vec![],
        };
        let formula = Channel::HomebrewFormula { name: "a".into() };
        let channels = vec![npm, cask, releases, tags, formula];
        let agent = AgentDef {
            id: "a".into(),
            name: "A".into(),
            channels,
            ..AgentDef::default()
        };
        let with_tag = |tag: &str, version: &str, mut listing: Listing| {
            listing.tags.insert(tag.into(), version.into());
            listing
        };
        let mut state = AgentState::default();
        let mut releases = ReleaseFile::default();
        let verified = ["1.0.0".to_owned()];
        for hour in 0..3 {
            let npm = with_tag(
                "latest",
                "1.2.0",
                listing_of(&["1.0.0", "1.1.0", "1.2.0", "1.2.1", "2.0.0-rc.1"]),
            );
            let cask = Listing {
                coverage: Coverage::Part,
                ..with_tag("stable", "1.1.0", listing_of(&["1.1.0"]))
            };
            let answer = |label: &str, result| Answer {
                label: label.into(),
                role: Role::Main,
                result,
            };
            let far = |name: &str| NetError::Unreachable {
                name: name.into(),
                why: "timed out".into(),
                status: None,
            };
            let answers = [
                answer("npm:a", Ok(npm)),
                answer("homebrew-cask:a", Ok(cask)),
                answer("github-releases:o/n", Err(far("github-releases:o/n"))),
                answer("github-tags:o/n", Err(far("github-tags:o/n"))),
                answer(
                    "homebrew-formula:a",
                    Err(NetError::Unavailable {
                        name: "homebrew".into(),
                        why: "no client".into(),
                    }),
                ),
            ];
            let now = at(hour);
            let outcome = pass(&Input {
                agent: &agent,
                before: &state,
                known: &releases,
                verified: &verified,
                answers: &answers,
                watch: Watch::default(),
                now,
            });
            (state, releases) = (outcome.state, outcome.releases);
        }
        row(&agent, &state, &releases, &verified, Watch::default())
    }

    #[test]
    fn the_cells_of_the_table() {
        insta::assert_snapshot!(example().cells().join("\n---\n"), @r"
        a
        ---
        npm:a 1.2.0, highest 1.2.1 (1 release behind since 2026-12-01)
        homebrew-cask:a 1.1.0 (2 releases behind since 2026-12-01)
        ---
        1.2.1
        ---
        1.0.0
        ---
        3
        ---
        github-releases:o/n, github-tags:o/n: could not be reached (timed out), BLIND since 2026-12-01T00:00Z
        homebrew-formula:a: unavailable: no client
        ");
    }

    #[test]
    fn the_data_of_a_row() {
        let row = serde_json::to_value(example()).unwrap();
        let sights: Vec<_> = (0..5)
            .map(|n| row["channels"][n]["sight"]["state"].as_str().unwrap())
            .collect();
        assert_eq!(sights, ["seen", "seen", "blind", "blind", "unavailable"]);
        insta::assert_snapshot!(serde_json::to_string_pretty(&row["channels"][0]).unwrap(), @r#"
        {
          "behind": 1,
          "behind_since": "2026-12-01T00:00:00Z",
          "channel": "npm:a",
          "highest_any": "2.0.0-rc.1",
          "highest_stable": "1.2.1",
          "latest_tag": "1.2.0",
          "moved_to": null,
          "notes": [],
          "sight": {
            "at": "2026-12-01T02:00:00Z",
            "state": "seen"
          }
        }
        "#);
    }
}
