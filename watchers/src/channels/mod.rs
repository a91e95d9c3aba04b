//! One file per channel. A new channel is one file here, one line in the list below, and its variant in the format of an
//! agent's file (`config/src/agent/channel.rs`).
//!
//! Each file asks its place and turns the answer into [`Listing`]s, without judging them. What a channel cannot read is a
//! note or an error that names the place; it never panics and never reads a short answer as an empty one.

use agent_contracts_config::AgentDef;
use agent_contracts_config::agent::Channel;
use agent_contracts_config::settings::Watch;
use agent_contracts_net::{Client, Endpoint, Endpoints, NetError, Request};

use crate::snapshot::{Answer, Listing, Role};
use crate::state::AgentState;

/// What a channel may use.
pub(crate) struct Context<'a> {
    /// The agent.
    pub(crate) agent: &'a AgentDef,
    /// The way out.
    pub(crate) client: &'a Client,
    /// Where things are.
    pub(crate) endpoints: &'a Endpoints,
    /// What was seen before, for channels that are read from the newest on.
    pub(crate) before: &'a AgentState,
    /// How far back such channels are read again.
    pub(crate) watch: Watch,
}

impl Context<'_> {
    /// Where something is. A client may have to be asked, which must not hold up the threads that wait for the network.
    async fn endpoint(
        &self,
        find: impl FnOnce(&Endpoints) -> Result<Endpoint, NetError> + Send + 'static,
    ) -> Result<Endpoint, NetError> {
        let endpoints = self.endpoints.clone();
        let found = tokio::task::spawn_blocking(move || find(&endpoints)).await;
        found.unwrap_or_else(|_| {
            let why = "looking for its address ended in a fault of ours; please report it".to_owned();
            Err(NetError::Unavailable {
                name: "network".into(),
                why,
            })
        })
    }
}

/// Metadata from `endpoint`.
fn request(source: &str, endpoint: &Endpoint, segments: &[&str]) -> Request {
    Request::new(source, endpoint.join(segments)).with_auth_of(endpoint)
}

/// One line per file: the name of the file is the channel's `kind` in an agent's file, with `_` for `-`.
macro_rules! channels {
    ($($name:ident),+ $(,)?) => {
        $(mod $name;)+

        /// The channels that there are.
        #[cfg(test)]
        const CHANNELS: &[&str] = &[$(stringify!($name)),+];

        /// Asks the place of `channel`. One channel may give several answers: its earlier names and platform packages are
        /// places of their own.
        pub(crate) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
            match kind(channel).as_str() {
                $(stringify!($name) => $name::poll(channel, context).await,)+
                other => {
                    let why = format!("no file of watchers/src/channels reads the kind {other}");
                    vec![main(channel, Err(NetError::Unavailable { name: channel.label(), why }))]
                }
            }
        }
    };
}

channels!(
    crates,
    endpoint,
    github_releases,
    github_tags,
    homebrew_cask,
    homebrew_formula,
    local_binary,
    npm,
    pypi,
);

mod github;

pub use local_binary::installed;

/// The `kind` of a channel as the name of its file.
fn kind(channel: &Channel) -> String {
    let value = serde_json::to_value(channel).unwrap_or_default();
    value
        .get("kind")
        .and_then(|kind| kind.as_str())
        .unwrap_or_default()
        .replace('-', "_")
}

/// The answer of the channel itself.
fn main(channel: &Channel, result: Result<Listing, NetError>) -> Answer {
    Answer {
        label: channel.label(),
        role: Role::Main,
        result,
    }
}

/// For a file that was handed another kind of channel: a slip in the list.
fn not_mine(channel: &Channel) -> Vec<Answer> {
    let why = "handed to the file of another channel".to_owned();
    vec![main(
        channel,
        Err(NetError::Unavailable {
            name: channel.label(),
            why,
        }),
    )]
}

/// The body as JSON.
fn json(source: &str, body: &[u8]) -> Result<serde_json::Value, NetError> {
    serde_json::from_slice(body).map_err(|error| NetError::malformed(source, format!("it is no JSON: {error}")))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn every_file_is_in_the_list() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/channels");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
            let helper = ["mod", "github"].contains(&name.as_str());
            assert!(
                helper || CHANNELS.contains(&name.as_str()),
                "the line `{name},` is missing in `channels!(…)` of watchers/src/channels/mod.rs"
            );
        }
    }

    #[test]
    fn every_kind_of_an_agents_file_has_a_file() {
        let agents = agent_contracts_config::Agents::embedded().unwrap();
        for channel in agents.iter().flat_map(|agent| &agent.channels) {
            assert!(
                CHANNELS.contains(&kind(channel).as_str()),
                "{}: add the file and its line",
                kind(channel)
            );
        }
    }
}
