//! What every verb starts from: settings, agents, where caches and records live, and the way out to the network.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_contracts_config::settings::Settings;
use agent_contracts_config::{AgentDef, Agents, load};
use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, Packages, Registry, Surroundings};
use agent_contracts_registry::Store;
use agent_contracts_scanner::{Context as ScanContext, Scanner};
use agent_contracts_watchers::StateStore;

use crate::cli::Common;
use crate::failure::Failure;

/// The settings that are read when none are named.
const SETTINGS: &str = "agent-contracts.toml";

/// The agents that are built in, and those of `--agents` or of the settings.
pub(crate) fn agents(common: &Common) -> Result<Agents, Failure> {
    let settings = settings(common)?;
    let directory = common.agents.as_deref().or(settings.agents.directory.as_deref());
    Agents::load(directory).map_err(Failure::usage)
}

/// The settings of `--settings`, or of the file in the current folder, or none.
fn settings(common: &Common) -> Result<Settings, Failure> {
    match &common.settings {
        Some(path) => load::settings(path).map_err(Failure::usage),
        None if Path::new(SETTINGS).exists() => load::settings(Path::new(SETTINGS)).map_err(Failure::usage),
        None => Ok(Settings::default()),
    }
}

/// The public tree.
pub(crate) fn store(common: &Common) -> Result<Store, Failure> {
    Ok(Store::open(&common.tree)?)
}

/// Where caches live: `--state`, or the user's cache directory; `None` where there is neither.
fn state_dir(common: &Common) -> Option<PathBuf> {
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

/// All of it, for the verbs that ask the network.
pub(crate) struct Context {
    pub(crate) settings: Settings,
    /// As they were loaded.
    pub(crate) all: Agents,
    /// The same, to be shared between tasks.
    pub(crate) agents: Vec<Arc<AgentDef>>,
    pub(crate) client: Client,
    pub(crate) endpoints: Endpoints,
    pub(crate) scanner: Scanner,
    pub(crate) states: StateStore,
}

impl Context {
    /// Sets everything up; asks nobody yet.
    pub(crate) fn new(common: &Common) -> Result<Self, Failure> {
        let settings = settings(common)?;
        let agents = agents(common)?;
        let state = state_dir(common);
        let client = Client::new(&ClientSettings {
            state: state.clone(),
            offline: common.offline,
        })?;
        let endpoints = Endpoints::new(endpoint_settings(&settings), Surroundings::of_this_process());
        let scanner = Scanner::new(ScanContext {
            packages: Some(Packages::new(client.clone(), endpoints.clone(), state.as_deref())),
            state_dir: state.clone(),
            offline: common.offline,
        })?;
        Ok(Self {
            agents: agents.iter().cloned().map(Arc::new).collect(),
            states: StateStore::new(state.as_deref()),
            all: agents,
            settings,
            client,
            endpoints,
            scanner,
        })
    }

    /// The agents that were named, or all that the settings let run.
    pub(crate) fn chosen(&self, only: &[String]) -> Result<Vec<Arc<AgentDef>>, Failure> {
        if only.is_empty() {
            return Ok(self
                .agents
                .iter()
                .filter(|agent| self.settings.runs(&agent.id))
                .cloned()
                .collect());
        }
        let mut chosen: Vec<Arc<AgentDef>> = Vec::new();
        for id in only {
            let found = self.all.get(id).map_err(Failure::usage)?;
            if !chosen.iter().any(|agent| agent.id == found.id) {
                chosen.extend(self.agents.iter().filter(|agent| agent.id == found.id).cloned());
            }
        }
        chosen.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(chosen)
    }
}

fn endpoint_settings(settings: &Settings) -> EndpointSettings {
    let endpoints = &settings.endpoints;
    let all = [
        (Registry::Npm, &endpoints.npm),
        (Registry::Pypi, &endpoints.pypi),
        (Registry::Crates, &endpoints.crates),
        (Registry::GithubApi, &endpoints.github_api),
        (Registry::GithubWeb, &endpoints.github_web),
        (Registry::Homebrew, &endpoints.homebrew),
    ];
    all.into_iter().fold(
        EndpointSettings::default(),
        |known, (registry, address)| match address {
            Some(address) => known.with(registry, address),
            None => known,
        },
    )
}
