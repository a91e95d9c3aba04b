//! What every verb starts from: settings, agents, where caches and records live, and the way out to the network.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agent_contracts_config::agent::Channel;
use agent_contracts_config::settings::{SecretAt, Service, Settings};
use agent_contracts_config::{AgentDef, Agents, load};
use agent_contracts_net::{
    Client, ClientSettings, EndpointSettings, Endpoints, Pace, Packages, Registry, Secret, Surroundings, Timeouts,
};
use agent_contracts_registry::Store;
use agent_contracts_scanner::{Context as ScanContext, Scanner};
use agent_contracts_watchers::StateStore;
use agent_contracts_wire::formats::UtcTime;

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

/// The agent of this id without the others, where that can be; for answers that people wait for.
pub(crate) fn agent_alone(common: &Common, id: &str) -> Result<Agents, Failure> {
    let settings = settings(common)?;
    let directory = common.agents.as_deref().or(settings.agents.directory.as_deref());
    Agents::load_only(directory, id).map_err(Failure::usage)
}

/// Now, to the second.
pub(crate) fn now() -> Result<UtcTime, Failure> {
    let now = jiff::Timestamp::from_second(jiff::Timestamp::now().as_second())?;
    Ok(now.to_string().parse()?)
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
        check_names(&settings, &agents)?;
        let state = state_dir(common);
        let timeouts = Timeouts {
            connect: Duration::from_secs(settings.network.connect_timeout_s.into()),
            read: Duration::from_secs(settings.network.read_timeout_s.into()),
        };
        let client = Client::new(&ClientSettings {
            state: state.clone(),
            offline: common.offline,
            timeouts,
            attempts: settings.network.attempts,
        })?;
        let endpoints = Endpoints::new(endpoint_settings(&settings)?, Surroundings::of_this_process());
        let scanner = Scanner::new(ScanContext {
            packages: Some(Packages::new(client.clone(), endpoints.clone(), state.as_deref())),
            state_dir: state.clone(),
            offline: common.offline,
            timeouts,
            threads: settings.scan.threads as usize,
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

/// Names in the settings that stand for nothing here: what is set has an effect, or it is a mistake.
fn check_names(settings: &Settings, agents: &Agents) -> Result<(), Failure> {
    for id in settings.agents.only.iter().chain(&settings.agents.skip) {
        agents.get(id).map_err(Failure::usage)?;
    }
    let named = |address: &String| {
        let channels = agents.iter().flat_map(|agent| &agent.channels);
        channels
            .filter_map(|channel| match channel {
                Channel::Endpoint { url, .. } => Some(url),
                _ => None,
            })
            .any(|url| url == address)
    };
    // The address is not repeated; it may be private.
    if !settings.endpoints.vendor.keys().all(named) {
        return Err(Failure::usage_text(
            "the settings: an address in `endpoints.vendor` is named by no agent\nhint: on its left side stands a `url` \
             of a channel, letter for letter; `agent-contracts agents show AGENT` prints them",
        ));
    }
    Ok(())
}

fn endpoint_settings(settings: &Settings) -> Result<EndpointSettings, Failure> {
    let endpoints = &settings.endpoints;
    let addresses = [
        (Registry::Npm, &endpoints.npm),
        (Registry::Pypi, &endpoints.pypi),
        (Registry::Crates, &endpoints.crates),
        (Registry::GithubApi, &endpoints.github_api),
        (Registry::GithubWeb, &endpoints.github_web),
        (Registry::Homebrew, &endpoints.homebrew),
    ];
    let mut all = EndpointSettings::default();
    for (registry, address) in addresses {
        if let Some(address) = address {
            all = all.with(registry, address);
        }
    }
    for (named, stand_in) in &endpoints.vendor {
        all = all.with_vendor(named, stand_in);
    }
    for (service, pace) in &settings.network.pace {
        let pace = Pace {
            in_flight: pace.in_flight.map(|number| number as usize),
            pause: pace.pause_ms.map(|ms| Duration::from_millis(ms.into())),
        };
        all = all.with_pace(registry_of(*service), pace);
    }
    if let Some(at) = &settings.secrets.github {
        all = all.with_github_token(secret("github", at)?);
    }
    Ok(all)
}

fn registry_of(service: Service) -> Registry {
    match service {
        Service::Npm => Registry::Npm,
        Service::Pypi => Registry::Pypi,
        Service::Crates => Registry::Crates,
        Service::GithubApi => Registry::GithubApi,
        Service::GithubWeb => Registry::GithubWeb,
        Service::Homebrew => Registry::Homebrew,
        Service::Vendor => Registry::Vendor,
    }
}

/// The secret that the settings name as `secrets.KEY`. One that is named and not there ends the run: going on without it
/// would look like having it.
fn secret(key: &str, at: &SecretAt) -> Result<Secret, Failure> {
    let (place, found) = match (&at.env, &at.file) {
        (Some(name), _) => (format!("the variable {name}"), std::env::var(name).ok()),
        (None, Some(path)) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                Failure::usage_text(format!("the settings: `secrets.{key}`: {}: {error}", path.display()))
            })?;
            (path.display().to_string(), text.lines().next().map(str::to_owned))
        }
        (None, None) => (String::new(), None),
    };
    let found = found.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    found.map(Secret::new).ok_or_else(|| {
        Failure::usage_text(format!(
            "the settings: `secrets.{key}`: {place} is empty or not set\nhint: set it, or leave `secrets.{key}` out"
        ))
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_secret_is_the_first_line_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let at = SecretAt {
            env: None,
            file: Some(path.clone()),
        };
        assert!(secret("github", &at).is_err(), "there is no such file");
        for (text, expected) in [("t0p\nsecond line\n", Some("t0p")), ("\n", None), ("", None)] {
            std::fs::write(&path, text).unwrap();
            let found = secret("github", &at).map(|found| found.expose().to_owned());
            assert_eq!(found.ok().as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_variable_that_is_not_set_is_told_by_its_name() {
        let at = SecretAt {
            env: Some("AGENT_CONTRACTS_NO_SUCH_TOKEN".to_owned()),
            file: None,
        };
        let failure = secret("github", &at).unwrap_err();
        assert_eq!(failure.exit, crate::failure::Exit::Usage);
        assert!(failure.error.to_string().contains("AGENT_CONTRACTS_NO_SUCH_TOKEN"));
    }

    #[test]
    fn names_that_stand_for_nothing_are_mistakes() {
        let quill = "id = \"quill\"\nname = \"Quill\"\ntier = 2\nbinary = { name = \"quill\" }\nfamilies = [\"plain/v1\"]\n\
                     [[channels]]\nkind = \"endpoint\"\nurl = \"https://quill.invalid/latest\"\npointer = \"/v\"\n";
        let agents = Agents::parse([("quill.toml".to_owned(), quill.to_owned())]).unwrap();
        let checked = |text: &str| {
            let settings = Settings::parse("bot.toml", text).unwrap();
            check_names(&settings, &agents).map_err(|failure| failure.error.to_string())
        };
        checked("[agents]\nonly = [\"quill\"]\n").unwrap();
        let unknown = checked("[agents]\nskip = [\"quil\"]\n").unwrap_err();
        assert!(unknown.contains("`quil`"), "{unknown}");
        let vendor = |address: &str| format!("[endpoints.vendor]\n\"{address}\" = \"http://127.0.0.1:1/\"\n");
        checked(&vendor("https://quill.invalid/latest")).unwrap();
        let nobody = checked(&vendor("https://private.invalid/latest")).unwrap_err();
        assert!(
            nobody.contains("endpoints.vendor") && !nobody.contains("private"),
            "{nobody}"
        );
    }
}
