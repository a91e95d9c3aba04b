//! What the tests of this crate share.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_config::settings::Watch;
use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, Surroundings};
use jiff::{SignedDuration, Timestamp};

use crate::channels::Context;
use crate::snapshot::{Coverage, Item, Listing};
use crate::state::AgentState;

/// Hours after the first of December 2026.
pub(crate) fn at(hours: i64) -> Timestamp {
    "2026-12-01T00:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_hours(hours)
}

/// An empty listing of a registry.
pub(crate) fn listing() -> Listing {
    Listing::of("http://127.0.0.1", false)
}

/// A whole listing of these versions.
pub(crate) fn listing_of(versions: &[&str]) -> Listing {
    Listing {
        coverage: Coverage::All,
        items: versions.iter().map(|version| Item::new(*version)).collect(),
        ..listing()
    }
}

/// A client that nothing answers.
pub(crate) struct Bench {
    client: Client,
    endpoints: Endpoints,
    before: AgentState,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let nothing = Surroundings {
            env: BTreeMap::new(),
            home: None,
            cwd: None,
            ask: Arc::new(|_, _| None),
        };
        Self {
            client: Client::new(&ClientSettings {
                state: None,
                offline: true,
                ..ClientSettings::default()
            })
            .unwrap(),
            endpoints: Endpoints::new(EndpointSettings::default(), nothing),
            before: AgentState::default(),
        }
    }

    pub(crate) fn context<'a>(&'a self, agent: &'a AgentDef) -> Context<'a> {
        Context {
            agent,
            client: &self.client,
            endpoints: &self.endpoints,
            before: &self.before,
            watch: Watch::default(),
        }
    }
}
