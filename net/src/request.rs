//! What is asked for, and how its host is to be treated.

use std::time::Duration;

use crate::endpoints::Endpoint;
use crate::{PrivateUrl, Secret};

/// How a host is to be treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// The kind of service; two kinds on one host do not wait for each other.
    pub name: &'static str,
    /// The least time between the starts of two requests.
    pub pause: Duration,
    /// How many requests may be under way.
    pub in_flight: usize,
}

impl Lane {
    /// A host without rules of its own.
    pub const PLAIN: Self = Self {
        name: "plain",
        pause: Duration::ZERO,
        in_flight: 6,
    };
}

/// How old a stored answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Ask, with the validators of what is stored.
    Revalidate,
    /// Take what is stored when the host confirmed it within this time.
    AtMost(Duration),
    /// What is stored once holds for ever.
    Forever,
}

/// One thing to ask for.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) source: String,
    pub(crate) url: PrivateUrl,
    pub(crate) auth: Option<Secret>,
    pub(crate) accept: &'static str,
    pub(crate) lane: Lane,
    /// How old a stored answer may be.
    pub freshness: Freshness,
    /// How often it is repeated after a server or transport error; left out, as often as the client is set to.
    pub retries: Option<u32>,
    /// The largest body in bytes.
    pub limit: u64,
    pub(crate) timeout: Duration,
    pub(crate) keep: bool,
}

impl Request {
    /// Metadata: kept with its validators, at most 64 MiB. `source` is what errors call it.
    pub fn new(source: impl Into<String>, url: PrivateUrl) -> Self {
        Self {
            source: source.into(),
            url,
            auth: None,
            accept: "*/*",
            lane: Lane::PLAIN,
            freshness: Freshness::Revalidate,
            retries: None,
            limit: 64 << 20,
            timeout: Duration::from_secs(60),
            keep: true,
        }
    }

    /// An archive: not kept here, no validators, at most 512 MiB. Its caller keeps it under its hash.
    pub fn archive(source: impl Into<String>, url: PrivateUrl) -> Self {
        Self {
            limit: 512 << 20,
            timeout: Duration::from_secs(600),
            keep: false,
            ..Self::new(source, url)
        }
    }

    /// Uses the pace of `endpoint`, and its credentials if this address is at the same scheme, host and port.
    #[must_use]
    pub fn with_auth_of(mut self, endpoint: &Endpoint) -> Self {
        self.lane = endpoint.lane();
        self.auth = endpoint.auth_for(&self.url);
        self
    }

    /// The `Accept` header.
    #[must_use]
    pub fn accept(mut self, accept: &'static str) -> Self {
        self.accept = accept;
        self
    }

    /// How old a stored answer may be.
    #[must_use]
    pub fn freshness(mut self, freshness: Freshness) -> Self {
        self.freshness = freshness;
        self
    }

    /// How often it is repeated after a server or transport error, whatever the client is set to.
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = Some(retries);
        self
    }

    /// The largest body in bytes.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> Self {
        self.limit = limit;
        self
    }

    /// The key of the store. A token is no part of it, as CI has a new one each run; whether there is one is.
    pub(crate) fn key(&self) -> String {
        let text = format!("{}\n{}\n{}", self.accept, self.auth.is_some(), self.url.expose());
        agent_contracts_wire::canonical::sha256(text.as_bytes())
    }

    /// The key of the lane that it goes by. A hash, because it is written into the state directory. With a token a host has
    /// other limits than without.
    pub(crate) fn lane_key(&self) -> String {
        let text = format!(
            "{}\n{}\n{}",
            self.lane.name,
            self.auth.is_some(),
            self.url.expose().origin().ascii_serialization()
        );
        agent_contracts_wire::canonical::sha256(text.as_bytes())
    }
}
