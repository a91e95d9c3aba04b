//! What a channel shows at one time: the common words of all channels. No judgement is made here.

use std::collections::BTreeMap;

use agent_contracts_net::NetError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What came of asking one place.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The place as people write it, `npm:@openai/codex`.
    pub label: String,
    /// What the place is to the agent.
    pub role: Role,
    /// What it shows.
    pub result: Result<Listing, NetError>,
}

/// What a place is to an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A channel of the agent.
    #[default]
    Main,
    /// A name that the channel had before; nothing new is expected there.
    Earlier,
    /// A package that holds the payload for this platform.
    Payload(String),
    /// The binary on this machine: shown, and never recorded.
    Local,
}

/// How much of a channel a listing covers. Only what is covered can be missed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Everything.
    All,
    /// Everything that the channel sorts after this time.
    Since(Timestamp),
    /// Some of it: absence says nothing.
    Part,
}

/// What a channel shows at one time.
#[derive(Debug, Clone)]
pub struct Listing {
    /// How much it covers.
    pub coverage: Coverage,
    /// Whether the texts are tags or versions.
    pub tags_of_a_repository: bool,
    /// The releases it shows, in any order.
    pub items: Vec<Item>,
    /// What the channel's own tags point at: npm's dist-tags, the `latest` of GitHub and Homebrew.
    pub tags: BTreeMap<String, String>,
    /// They could not be asked for this time; what was known of them is old.
    pub tags_unknown: bool,
    /// Who answered, as a hash: two registries are not compared with each other.
    pub endpoint: String,
    /// Whether it was the public default, which is the same for everyone.
    pub endpoint_is_default: bool,
    /// The number of the repository, which a move does not change.
    pub repository: Option<u64>,
    /// The new name, when the place has moved.
    pub moved_to: Option<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// One release as a channel shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The version or tag, as written.
    pub text: String,
    /// When it was published, UTC.
    pub published_at: Option<String>,
    /// The time by which the channel sorts it, where a listing may cover only what is newer.
    pub listed_at: Option<String>,
    /// The commit that its tag points at, peeled.
    pub commit: Option<String>,
    /// The object that the tag points at, where the commit is not known.
    pub object: Option<String>,
    /// Unpublished, yanked as a whole, or otherwise taken back, and the channel says so.
    pub withdrawn: bool,
    /// The vendor's words when it is deprecated or yanked.
    pub deprecated: Option<String>,
    /// Versions of the same package that this one cannot do without: its platform payloads.
    pub needs: Vec<String>,
}

impl Item {
    /// An item of which only the text is known.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

impl Listing {
    /// An empty listing that was answered by `endpoint`.
    pub fn new(endpoint: &agent_contracts_net::Endpoint) -> Self {
        Self::of(endpoint.base().expose().as_str(), endpoint.origin() == "the default")
    }

    /// An empty listing that was answered at `address`, which is kept as a hash only.
    pub fn of(address: &str, endpoint_is_default: bool) -> Self {
        Self {
            coverage: Coverage::Part,
            tags_of_a_repository: false,
            items: Vec::new(),
            tags: BTreeMap::new(),
            tags_unknown: false,
            endpoint: agent_contracts_wire::canonical::sha256(address.as_bytes()),
            endpoint_is_default,
            repository: None,
            moved_to: None,
            notes: Vec::new(),
        }
    }
}

/// A time in UTC without fractions, or none when the text is no time.
pub fn utc(text: &str) -> Option<String> {
    let time: Timestamp = text.trim().parse().ok()?;
    Timestamp::from_second(time.as_second())
        .ok()
        .map(|time| time.to_string())
}
