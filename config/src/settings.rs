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
    /// Capturing.
    pub capture: Capture,
    /// Telling people.
    pub notify: Notify,
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
    /// Feishu's or Lark's open platform.
    pub feishu: Option<String>,
    /// Stand-ins for vendors' own addresses, by the address that the agent's file names.
    pub vendor: BTreeMap<String, String>,
}

/// Where secrets are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Secrets {
    /// The token for GitHub. Left out: `GITHUB_TOKEN`, then `GH_TOKEN`.
    pub github: Option<SecretAt>,
    /// The token at the end of a Feishu bot's address.
    pub feishu_webhook: Option<SecretAt>,
    /// The key that a Feishu bot's messages are signed with.
    pub feishu_signing: Option<SecretAt>,
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
    /// Pace by service; left out, what the service asks for.
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
    /// GitHub's pages.
    GithubWeb,
    /// Homebrew's API.
    Homebrew,
    /// Vendors' own addresses.
    Vendor,
}

/// The pace of requests to one host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pace {
    /// Requests under way at once. 6.
    pub in_flight: u32,
    /// Milliseconds between the beginnings of two requests. 0.
    pub pause_ms: u32,
}

/// Polling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Watch {
    /// Minutes between two passes of a service. 30.
    pub every_minutes: u32,
    /// Polls in a row that may fail before a channel counts as blind. 3.
    pub polls_before_blind: u32,
    /// Polls in a row that may fail before an agent is put into quarantine. 10.
    pub polls_before_quarantine: u32,
    /// Days in which a release is read again, so that edits and deletions show. 7.
    pub fresh_days: u32,
}

/// Scanning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scan {
    /// Threads; 0 for one a core. 0.
    pub threads: u32,
    /// Steps of one agent in one run; older ones wait for the next. 20.
    pub steps_per_agent: u32,
    /// Scan prereleases too. No.
    pub prereleases: bool,
}

/// Capturing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Capture {
    /// Seconds that one capture may take. 120.
    pub time_s: u32,
    /// Megabytes that it may write. 64.
    pub output_mb: u32,
    /// Frames that it may write. 100,000.
    pub frames: u32,
    /// Minutes that the queue may take in one run. 30.
    pub queue_minutes: u32,
    /// Days that raw bytes are kept in the private place. 7.
    pub raw_days: u32,
}

/// Telling people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Notify {
    /// The repository that gets issues, `owner/name`. Left out: entries stay in the outbox.
    pub github_repo: Option<String>,
    /// Send cards to Feishu. No.
    pub feishu: bool,
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

impl Default for Pace {
    fn default() -> Self {
        Self {
            in_flight: 6,
            pause_ms: 0,
        }
    }
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            every_minutes: 30,
            polls_before_blind: 3,
            polls_before_quarantine: 10,
            fresh_days: 7,
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

impl Default for Capture {
    fn default() -> Self {
        Self {
            time_s: 120,
            output_mb: 64,
            frames: 100_000,
            queue_minutes: 30,
            raw_days: 7,
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
        ("feishu", &endpoints.feishu),
    ] {
        if let Some(address) = address {
            one_address(doc, &at!["endpoints", key], address, problems);
        }
    }
    for (vendor, address) in &endpoints.vendor {
        one_address(doc, &at!["endpoints", "vendor", vendor], address, problems);
    }
    for (key, secret) in [
        ("github", &settings.secrets.github),
        ("feishu_webhook", &settings.secrets.feishu_webhook),
        ("feishu_signing", &settings.secrets.feishu_signing),
    ] {
        if let Some(secret) = secret {
            one_secret(doc, key, secret, problems);
        }
    }
    let (network, watch, scan, capture) = (&settings.network, &settings.watch, &settings.scan, &settings.capture);
    for (table, key, value) in [
        ("network", "connect_timeout_s", network.connect_timeout_s),
        ("network", "read_timeout_s", network.read_timeout_s),
        ("network", "attempts", network.attempts),
        ("watch", "every_minutes", watch.every_minutes),
        ("watch", "polls_before_blind", watch.polls_before_blind),
        ("watch", "polls_before_quarantine", watch.polls_before_quarantine),
        ("scan", "steps_per_agent", scan.steps_per_agent),
        ("capture", "time_s", capture.time_s),
        ("capture", "output_mb", capture.output_mb),
        ("capture", "frames", capture.frames),
    ] {
        if value == 0 {
            let help = format!("at least 1, or leave `{key}` out");
            problems.push(doc.problem(&at![table, key], format!("`{key}` is 0"), Some(help)));
        }
    }
    for (service, pace) in &network.pace {
        if pace.in_flight == 0 {
            let name = serde_json::to_value(service)
                .ok()
                .and_then(|name| name.as_str().map(str::to_owned));
            let place = at!["network", "pace", name.unwrap_or_default().as_str(), "in_flight"];
            problems.push(doc.problem(&place, "`in_flight` is 0", Some("at least 1".to_owned())));
        }
    }
    if let Some(repo) = &settings.notify.github_repo
        && repo.split('/').filter(|part| !part.is_empty()).count() != 2
    {
        let what = "`github_repo` is not `owner/name`";
        problems.push(doc.problem(
            &at!["notify", "github_repo"],
            what,
            Some("as in `acme/contracts`".to_owned()),
        ));
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
