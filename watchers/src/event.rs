//! What a pass has to tell, as data and in words.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One thing to tell of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The agent.
    pub agent: String,
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// A version that no channel had shown before.
    ReleaseSeen {
        /// The version.
        version: String,
        /// The channels that show it, sorted.
        channels: Vec<String>,
        /// What it is among the others.
        standing: Standing,
    },
    /// A channel took a version back.
    ReleaseWithdrawn {
        /// The version.
        version: String,
        /// The channel.
        channel: String,
        /// No channel has it any more.
        everywhere: bool,
        /// It is the newest version that we have verified: a claim of ours rests on it.
        latest_verified: bool,
    },
    /// A tag of a channel, or a tag of a repository, points elsewhere.
    TagMoved {
        /// The channel.
        channel: String,
        /// The tag.
        tag: String,
        /// Where it pointed, a version or an object; `null` for a tag that is new.
        from: Option<String>,
        /// Where it points.
        to: String,
        /// It went to an older version.
        backwards: bool,
    },
    /// The vendor says that versions should not be used any more.
    Deprecated {
        /// The channel.
        channel: String,
        /// The versions, newest first.
        versions: Vec<String>,
        /// The vendor's words.
        message: String,
    },
    /// A current version lacks its payload for some platforms.
    PlatformPayloadMissing {
        /// The version.
        version: String,
        /// The channel that shows the version. What a mirror leaves out, it lacks as well.
        channel: String,
        /// The platforms, sorted.
        platforms: Vec<String>,
    },
    /// A channel is behind the others.
    ChannelLag {
        /// The channel.
        channel: String,
        /// What it gives.
        latest: String,
        /// The highest stable version of the agent.
        highest: String,
        /// How many stable releases are between, the highest included.
        behind: usize,
        /// When the oldest of them came out, UTC.
        since: String,
    },
    /// A place has a new name.
    SourceMoved {
        /// The channel, by its old name.
        channel: String,
        /// The new name.
        to: String,
    },
    /// A channel has not answered for several polls: what it announces is not seen.
    BlindSince {
        /// The channel.
        channel: String,
        /// The first poll that was missed.
        since: Timestamp,
        /// What it said last.
        why: String,
    },
    /// The newest release is newer than what was verified.
    StaleCoverage {
        /// The highest stable version that was seen.
        latest_seen: String,
        /// The highest version that was verified.
        latest_verified: String,
    },
}

/// What a new version is among the known ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Higher than every stable version.
    Newest,
    /// Stable, and lower than one that is known: an old line is maintained.
    Maintenance,
    /// A prerelease by the agent's scheme.
    Prerelease,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agent = &self.agent;
        match &self.kind {
            EventKind::ReleaseSeen {
                version,
                channels,
                standing,
            } => {
                let what = match standing {
                    Standing::Newest => "new release",
                    Standing::Maintenance => "maintenance release of an older line",
                    Standing::Prerelease => "prerelease",
                };
                write!(f, "{agent} {version}: {what}, in {}", channels.join(", "))
            }
            EventKind::ReleaseWithdrawn {
                version,
                channel,
                everywhere,
                latest_verified,
            } => {
                write!(f, "{agent} {version}: withdrawn from {channel}")?;
                f.write_str(if *everywhere {
                    ", and no other channel has it"
                } else {
                    ", other channels still have it"
                })?;
                f.write_str(if *latest_verified {
                    "; it is the newest version that was verified"
                } else {
                    ""
                })
            }
            EventKind::TagMoved {
                channel,
                tag,
                from,
                to,
                backwards,
            } => {
                write!(f, "{agent}: the tag {tag} of {channel} ")?;
                f.write_str(if *backwards { "moved back" } else { "moved" })?;
                match from {
                    Some(from) => write!(f, " from {from} to {to}"),
                    None => write!(f, " to {to}; it is new"),
                }
            }
            EventKind::Deprecated {
                channel,
                versions,
                message,
            } => {
                let more = versions.len().saturating_sub(1);
                write!(f, "{agent} {}", versions.first().map_or("", String::as_str))?;
                if more > 0 {
                    write!(f, " and {more} more")?;
                }
                write!(f, ": deprecated in {channel}: {message}")
            }
            EventKind::PlatformPayloadMissing {
                version,
                channel,
                platforms,
            } => {
                write!(
                    f,
                    "{agent} {version}: no payload for {}, as {channel} shows it",
                    platforms.join(", ")
                )
            }
            EventKind::ChannelLag {
                channel,
                latest,
                highest,
                behind,
                since,
            } => {
                write!(
                    f,
                    "{agent}: {channel} has {latest}, {behind} stable release{} behind {highest}, since {since}",
                    if *behind == 1 { "" } else { "s" }
                )
            }
            EventKind::SourceMoved { channel, to } => write!(f, "{agent}: {channel} has moved to {to}"),
            EventKind::BlindSince { channel, since, why } => {
                write!(f, "{agent}: {channel} is blind since {since}: {why}")
            }
            EventKind::StaleCoverage {
                latest_seen,
                latest_verified,
            } => {
                write!(f, "{agent}: {latest_seen} is out, verified up to {latest_verified}")
            }
        }
    }
}
