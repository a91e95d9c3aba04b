//! What every verb starts from: the agents, where caches live, and what may be asked over the network.

use std::path::PathBuf;

use agent_contracts_config::Agents;
use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, Packages, Surroundings};
use agent_contracts_scanner::{Context as ScanContext, Scanner};

use crate::cli::Common;
use crate::failure::Failure;

/// The agents that are built in, and those of `--agents`.
pub(crate) fn agents(common: &Common) -> Result<Agents, Failure> {
    Agents::load(common.agents.as_deref()).map_err(Failure::usage)
}

/// Where caches live: `--state`, or the user's cache directory; `None` where there is neither.
pub(crate) fn state_dir(common: &Common) -> Option<PathBuf> {
    let from_env = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    common
        .state
        .clone()
        .or_else(|| from_env("XDG_CACHE_HOME").map(|cache| cache.join("agent-contracts")))
        .or_else(|| from_env("HOME").map(|home| home.join(".cache").join("agent-contracts")))
}

/// A scanner over the caches, which asks the registries where the clients of this machine say that they are.
pub(crate) fn scanner(common: &Common) -> Result<Scanner, Failure> {
    let state = state_dir(common);
    let client = Client::new(&ClientSettings {
        state: state.clone(),
        offline: common.offline,
    })?;
    let endpoints = Endpoints::new(EndpointSettings::default(), Surroundings::of_this_process());
    let context = ScanContext {
        packages: Some(Packages::new(client, endpoints, state.as_deref())),
        state_dir: state,
        offline: common.offline,
    };
    Ok(Scanner::new(context)?)
}
