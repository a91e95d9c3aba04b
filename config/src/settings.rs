//! The bot's settings: one TOML file in which everything may be left out.
//!
//! Secrets never stand in it, only the name of an environment variable or of a file that holds them; the caller looks
//! them up. Nothing that the file holds is repeated in an error, because a secret or a private address may have been
//! put where it does not belong. Pure; [`crate::load::settings`] reads the file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::toml_file::{Doc, Problem, Problems, Step, at, read_quietly};

/// Everything that can be set. The defaults are those of an unattended run on a machine without settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Which agents to run.
    pub agents: AgentChoice,
    /// Addresses of services. What is left out is found as the service's own clients find it.
    pub endpoints: Endpoints,
    /// Where secrets are.
    pub secrets: Secrets,
    /// Manners on the network.
    pub network: Network,
    /// Polling.
    pub watch: Watch,
    /// Scanning.
    pub scan: Scan,
}

/// Which agents to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentChoice {
    /// Only these; empty: all.
    pub only: Vec<String>,
    /// Not these.
    pub skip: Vec<String>,
    /// A directory with further agents.
    pub directory: Option<PathBuf>,
}

/// Addresses of services, `http://` or `https://`. A stand-in on loopback is set here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Endpoints {
    /// The npm registry.
    pub npm: Option<String>,
    /// The simple index of PyPI.
    pub pypi: Option<String>,
    /// The sparse index of crates.io.
    pub crates: Option<String>,
    /// GitHub's REST API.
    pub github_api: Option<String>,
    /// GitHub's pages and repositories.
    pub github_web: Option<String>,
    /// Homebrew's API.
    pub homebrew: Option<String>,
    /// Stand-ins for vendors' own addresses, by the address that the agent's file names.
    pub vendor: BTreeMap<String, String>,
}

/// Where secrets are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Secrets {
    /// The token for GitHub's REST API. Left out: `GITHUB_TOKEN`, then `GH_TOKEN`.
    pub github: Option<SecretAt>,
}

/// Where one secret is: in a variable or in a file, not both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SecretAt {
    /// The name of an environment variable.
    pub env: Option<String>,
    /// The path of a file whose first line it is.
    pub file: Option<PathBuf>,
}

/// Manners on the network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Network {
    /// Seconds to wait for a connection. 20.
    pub connect_timeout_s: u32,
    /// Seconds to wait for the next bytes. 40.
    pub read_timeout_s: u32,
    /// How often a request is sent before it counts as failed. 3.
    pub attempts: u32,
    /// Pace by service; left out, what the service asks for, and 6 requests at once where it asks for nothing.
    pub pace: BTreeMap<Service, Pace>,
}

/// A service that has a pace of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// The npm registry.
    Npm,
    /// PyPI.
    Pypi,
    /// crates.io.
    Crates,
    /// GitHub's REST API.
    GithubApi,
    /// GitHub's pages. (A clone is one connection and has no pace.)
    GithubWeb,
    /// Homebrew's API.
    Homebrew,
    /// Vendors' own addresses.
    Vendor,
}

/// The pace of requests to one host. What is left out stays what the service asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pace {
    /// Requests under way at once.
    pub in_flight: Option<u32>,
    /// Milliseconds between the beginnings of two requests.
    pub pause_ms: Option<u32>,
}

/// Polling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Watch {
    /// A channel is blind after so many polls in a row without a good answer. 3.
    pub polls_before_blind: u32,
    /// An agent is put into quarantine after so many polls in a row in which none of its channels answered. 5.
    pub polls_before_quarantine: u32,
    /// Releases on GitHub that are younger than so many days are read again each time, so that edits and deletions
    /// show; 0 for none. 30.
    pub fresh_days: u32,
}

/// Scanning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scan {
    /// Threads that parse and compare; 0 for one a core. 0.
    pub threads: u32,
    /// Steps of one source of an agent in one run, oldest first; the others wait for the next run. 20.
    pub steps_per_agent: u32,
    /// Scan prereleases too. No.
    pub prereleases: bool,
}

impl Default for Network {
    fn default() -> Self {
        Self {
            connect_timeout_s: 20,
            read_timeout_s: 40,
            attempts: 3,
            pace: BTreeMap::new(),
        }
    }
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            polls_before_blind: 3,
            polls_before_quarantine: 5,
            fresh_days: 30,
        }
    }
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            threads: 0,
            steps_per_agent: 20,
            prereleases: false,
        }
    }
}

impl Settings {
    /// Reads settings from the text of `file`.
    pub fn parse(file: &str, text: &str) -> Result<Self, Problems> {
        let result = read_quietly::<Self>(file, text);
        let mut problems = result.problems;
        if let Some(settings) = &result.value {
            check(settings, &result.doc, &mut problems);
        }
        match (Problems::from_list(problems), result.value) {
            (None, Some(settings)) => Ok(settings),
            (Some(problems), _) => Err(problems),
            (None, None) => Ok(Self::default()),
        }
    }

    /// Whether an agent is to be run.
    #[must_use]
    pub fn runs(&self, agent: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|id| id == agent);
        (self.agents.only.is_empty() || named(&self.agents.only)) && !named(&self.agents.skip)
    }
}

fn check(settings: &Settings, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let endpoints = &settings.endpoints;
    for (key, address) in [
        ("npm", &endpoints.npm),
        ("pypi", &endpoints.pypi),
        ("crates", &endpoints.crates),
        ("github_api", &endpoints.github_api),
        ("github_web", &endpoints.github_web),
        ("homebrew", &endpoints.homebrew),
    ] {
        if let Some(address) = address {
            one_address(doc, &at!["endpoints", key], address, problems);
        }
    }
    for (vendor, address) in &endpoints.vendor {
        one_address(doc, &at!["endpoints", "vendor", vendor], address, problems);
    }
    if let Some(secret) = &settings.secrets.github {
        one_secret(doc, "github", secret, problems);
    }
    let (network, watch, scan) = (&settings.network, &settings.watch, &settings.scan);
    for (table, key, value) in [
        ("network", "connect_timeout_s", network.connect_timeout_s),
        ("network", "read_timeout_s", network.read_timeout_s),
        ("network", "attempts", network.attempts),
        ("watch", "polls_before_blind", watch.polls_before_blind),
        ("watch", "polls_before_quarantine", watch.polls_before_quarantine),
        ("scan", "steps_per_agent", scan.steps_per_agent),
    ] {
        if value == 0 {
            let help = format!("at least 1, or leave `{key}` out");
            problems.push(doc.problem(&at![table, key], format!("`{key}` is 0"), Some(help)));
        }
    }
    for (service, pace) in &network.pace {
        if pace.in_flight == Some(0) {
            let name = serde_json::to_value(service)
                .ok()
                .and_then(|name| name.as_str().map(str::to_owned));
            let place = at!["network", "pace", name.unwrap_or_default().as_str(), "in_flight"];
            problems.push(doc.problem(&place, "`in_flight` is 0", Some("at least 1".to_owned())));
        }
    }
}

fn one_address(doc: &Doc<'_>, place: &[Step], address: &str, problems: &mut Vec<Problem>) {
    let rest = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"));
    if rest.is_none_or(|rest| rest.is_empty() || rest.starts_with('/') || rest.contains(char::is_whitespace)) {
        problems.push(doc.problem(
            place,
            "this is no address",
            Some("it begins with `https://` or `http://` and a host".to_owned()),
        ));
    } else if rest.is_some_and(|rest| rest.split('/').next().is_some_and(|host| host.contains('@'))) {
        problems.push(doc.problem(
            place,
            "this address holds credentials",
            Some("set them where the client of the service keeps them, not here".to_owned()),
        ));
    }
}

fn one_secret(doc: &Doc<'_>, key: &str, secret: &SecretAt, problems: &mut Vec<Problem>) {
    if secret.env.is_some() == secret.file.is_some() {
        problems.push(doc.problem(
            &at!["secrets", key],
            format!("`{key}` needs either `env` or `file`"),
            Some(format!("as in `{key} = {{ env = \"NAME_OF_A_VARIABLE\" }}`")),
        ));
    }
    let is_name = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && name
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    if secret.env.as_ref().is_some_and(|name| !is_name(name)) {
        problems.push(doc.problem(
            &at!["secrets", key, "env"],
            "this is no name of a variable",
            Some("capital letters, digits and `_`; the secret itself does not belong here".to_owned()),
        ));
    }
}
