//! A stand-in for what is outside, and one agent that is watched through it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_config::agent::Channel;
use agent_contracts_config::settings::Watch as Patience;
use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, ManualClock, Registry, Surroundings};
use agent_contracts_registry::release::ReleaseFile;
use agent_contracts_watchers::{AgentState, Outcome, Watched, pass_all};
use wiremock::{Match, MockServer, Request, ResponseTemplate};

/// An address of a vendor that the server stands in for.
pub const VENDOR: &str = "https://vendor.invalid/latest?channel=stable";

/// One agent with one channel, on a server of its own.
pub struct Watch {
    pub server: MockServer,
    pub clock: Arc<ManualClock>,
    pub client: Client,
    pub watched: Watched,
    pub patience: Patience,
    endpoints: Endpoints,
    _state: tempfile::TempDir,
}

impl Watch {
    pub async fn new(channel: Channel) -> Self {
        let server = MockServer::start().await;
        let clock = Arc::new(ManualClock::at("2026-12-01T00:00:00Z".parse().unwrap()));
        let state = tempfile::tempdir().unwrap();
        let settings = ClientSettings {
            state: Some(state.path().to_owned()),
            offline: false,
            ..ClientSettings::default()
        };
        let client = Client::with_clock(&settings, clock.clone()).unwrap();
        let all = [
            Registry::Npm,
            Registry::Pypi,
            Registry::Crates,
            Registry::GithubApi,
            Registry::GithubWeb,
            Registry::Homebrew,
        ];
        let settings = all.into_iter().fold(EndpointSettings::default(), |settings, registry| {
            let path = if registry == Registry::Pypi { "/simple" } else { "" };
            settings.with(registry, format!("{}{path}", server.uri()))
        });
        let settings = settings.with_vendor(VENDOR, format!("{}/stand-in", server.uri()));
        let nothing = Surroundings {
            env: BTreeMap::new(),
            home: None,
            cwd: None,
            ask: Arc::new(|_, _| None),
        };
        let agent = AgentDef {
            id: "a".into(),
            channels: vec![channel],
            ..AgentDef::default()
        };
        let watched = Watched {
            agent: Arc::new(agent),
            state: AgentState::default(),
            known: ReleaseFile::default(),
            verified: Vec::new(),
            by_name: true,
        };
        let endpoints = Endpoints::new(settings, nothing);
        Self {
            server,
            clock,
            client,
            watched,
            patience: Patience::default(),
            endpoints,
            _state: state,
        }
    }

    /// A pass, some hours after the last.
    pub async fn pass(&mut self) -> Outcome {
        self.clock.advance(std::time::Duration::from_secs(7 * 3600));
        let outcome = pass_all(
            &self.client,
            &self.endpoints,
            self.patience,
            vec![self.watched.clone()],
            |_| {},
        )
        .await;
        let outcome = outcome.into_iter().next().unwrap().unwrap();
        self.watched.state = outcome.state.clone();
        self.watched.known = outcome.releases.clone();
        outcome
    }

    /// What the next pass meets instead.
    pub async fn now(&self, mocks: impl IntoIterator<Item = wiremock::Mock>) {
        self.server.reset().await;
        for mock in mocks {
            mock.mount(&self.server).await;
        }
    }

    pub async fn requests(&self) -> Vec<String> {
        let seen = self.server.received_requests().await.unwrap();
        seen.iter()
            .map(|request| format!("{}?{}", request.url.path(), request.url.query().unwrap_or_default()))
            .collect()
    }
}

/// The versions of an outcome that stand, newest first.
pub fn standing(outcome: &Outcome) -> Vec<&str> {
    let releases = outcome.releases.releases.iter();
    releases
        .filter(|release| !release.withdrawn)
        .map(|release| release.version.as_str())
        .collect()
}

/// The events of an outcome as text.
pub fn told(outcome: &Outcome) -> Vec<String> {
    outcome.events.iter().map(ToString::to_string).collect()
}

/// An answer with this JSON.
pub fn json(value: &serde_json::Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(value)
}

/// Matches a page of a listing of this size; page 1 is the one without a number.
pub struct Page(pub usize, pub usize);

impl Match for Page {
    fn matches(&self, request: &Request) -> bool {
        let of = |key: &str| {
            request
                .url
                .query_pairs()
                .find(|(name, _)| name == key)?
                .1
                .parse::<usize>()
                .ok()
        };
        of("page").unwrap_or(1) == self.0 && of("per_page") == Some(self.1)
    }
}
