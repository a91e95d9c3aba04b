//! The one way out: polite, patient, and never replacing a good answer by a bad one.
//!
//! [`Client::get`] asks for one address. It revalidates what is stored, keeps to the pace of the host's [`Lane`], waits
//! when told, repeats what may pass, follows redirects and reports where a permanent one led. Only a whole, well-formed
//! `200` is stored.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::header::{ACCEPT, AUTHORIZATION, ETAG, HeaderMap, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use reqwest::header::{LAST_MODIFIED, LINK, LOCATION};

use crate::cache::{Cache, Stored};
use crate::clock::{Clock, SystemClock};
use crate::limits::{self, Wait};
use crate::pacing::{HostLane, Lanes};
use crate::request::{Freshness, Request};
use crate::words::{unreachable, words};
use crate::{NetError, PrivateUrl};

/// What we call ourselves; crates.io and GitHub ask for a name that leads to us.
const USER_AGENT: &str = concat!(
    "agent-contracts/",
    env!("CARGO_PKG_VERSION"),
    " (+",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);
/// A wait that a host asks for and that is no longer than this is waited for on the spot.
const SHORT_WAIT: Duration = Duration::from_secs(5);
/// How many redirects are followed.
const REDIRECTS: usize = 5;

/// Where the body of an answer came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// From the host, now.
    Fresh,
    /// From the store; the host says that it still holds.
    NotModified,
    /// From the store, without asking: young enough for the request's freshness, or the host wants no question yet.
    Stored,
}

/// A good answer.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Where the body came from.
    pub status: Status,
    /// The whole body.
    pub body: Vec<u8>,
    /// The next page of a listing, from the `Link` header.
    pub next: Option<PrivateUrl>,
    /// Where a permanent redirect (301, 308) led.
    pub moved_to: Option<PrivateUrl>,
    /// How long ago the host last vouched for the body.
    pub age: Duration,
}

/// How the client is set up.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// Where answers are kept; nothing is kept without.
    pub state: Option<PathBuf>,
    /// Send nothing.
    pub offline: bool,
    /// How long a host is waited for.
    pub timeouts: Timeouts,
    /// How often a request is sent before it counts as failed, unless it says otherwise itself. 3.
    pub attempts: u32,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            state: None,
            offline: false,
            timeouts: Timeouts::default(),
            attempts: 3,
        }
    }
}

/// How long a host is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection. 20 seconds.
    pub connect: Duration,
    /// For the next bytes. 40 seconds.
    pub read: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            read: Duration::from_secs(40),
        }
    }
}

/// What the client has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Requests sent, repetitions and redirects included.
    pub requests: u64,
    /// Bytes of bodies received, after decompression.
    pub bytes: u64,
    /// Wall-clock time during which at least one request was waited for, pauses included.
    pub waited: Duration,
}

/// The client. Cloning is cheap; clones share pace, store and counts.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    http: reqwest::Client,
    clock: Arc<dyn Clock>,
    cache: Cache,
    lanes: Lanes,
    offline: bool,
    timeouts: Timeouts,
    attempts: u32,
    requests: AtomicU64,
    bytes: AtomicU64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    now: usize,
    since: Option<Instant>,
    total: Duration,
}

/// How one attempt ended when it brought no good answer.
enum Failure {
    /// May pass when repeated at once.
    Transient(NetError),
    /// The host wants to be left alone.
    Limited(Wait),
    /// Will not change by asking again.
    Final(NetError),
}

impl Client {
    /// A client on the clock of this machine.
    pub fn new(settings: &ClientSettings) -> Result<Self, NetError> {
        Self::with_clock(settings, Arc::new(SystemClock))
    }

    /// A client on another clock.
    pub fn with_clock(settings: &ClientSettings, clock: Arc<dyn Clock>) -> Result<Self, NetError> {
        // Somebody else may have installed one already; any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .connect_timeout(settings.timeouts.connect)
            .read_timeout(settings.timeouts.read)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| NetError::Unavailable {
                name: "network".into(),
                why: words(&error),
            })?;
        let cache = settings.state.as_deref().map_or_else(Cache::none, Cache::open);
        Ok(Self {
            inner: Arc::new(Inner {
                http,
                clock,
                cache,
                lanes: Lanes::default(),
                offline: settings.offline,
                timeouts: settings.timeouts,
                attempts: settings.attempts,
                requests: AtomicU64::new(0),
                bytes: AtomicU64::new(0),
                waiting: Mutex::default(),
            }),
        })
    }

    /// Now, on the clock of this client.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// What a person should know about the store of answers.
    pub fn notes(&self) -> Vec<String> {
        self.inner.cache.notes()
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        let waiting = self.inner.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        Stats {
            requests: self.inner.requests.load(Ordering::Relaxed),
            bytes: self.inner.bytes.load(Ordering::Relaxed),
            waited: waiting.total + waiting.since.map_or(Duration::ZERO, |since| since.elapsed()),
        }
    }

    /// Asks for one thing.
    pub async fn get(&self, request: &Request) -> Result<Fetched, NetError> {
        let key = request.key();
        let stored = if request.keep { self.inner.cache.get(&key) } else { None };
        if let Some(stored) = &stored
            && self.is_young_enough(request.freshness, stored)
        {
            return Ok(self.from_store(stored.clone(), Status::Stored));
        }
        if self.inner.offline {
            return Err(NetError::Offline {
                name: request.source.clone(),
            });
        }
        let _waiting = WaitGuard::new(&self.inner.waiting);
        self.ask(request, &key, stored).await
    }

    fn is_young_enough(&self, freshness: Freshness, stored: &Stored) -> bool {
        let now = self.now();
        let age = now.duration_since(stored.checked_at).unsigned_abs();
        match freshness {
            Freshness::Forever => true,
            Freshness::AtMost(limit) if age <= limit => true,
            _ => stored.poll_after.is_some_and(|after| after > now),
        }
    }

    async fn ask(&self, request: &Request, key: &str, stored: Option<Stored>) -> Result<Fetched, NetError> {
        let inner = &self.inner;
        let lane_key = request.lane_key();
        let lane = inner
            .lanes
            .lane(&lane_key, request.lane.in_flight, || inner.cache.silence(&lane_key));
        let retries = request.retries.unwrap_or(inner.attempts.saturating_sub(1));
        let mut attempt = 0;
        loop {
            if let Some(until) = lane.silent_until(inner.clock.now()) {
                let wait = until.duration_since(inner.clock.now()).unsigned_abs();
                if attempt > retries || wait > SHORT_WAIT {
                    return Err(NetError::Throttled {
                        name: request.source.clone(),
                        until,
                    });
                }
                inner.clock.sleep(wait).await;
            }
            let failure = match self.attempt(request, key, stored.as_ref(), &lane, &lane_key).await {
                Ok(fetched) => {
                    lane.pass();
                    return Ok(fetched);
                }
                Err(failure) => failure,
            };
            attempt += 1;
            match failure {
                Failure::Final(error) => return Err(error),
                Failure::Transient(error) if attempt > retries => return Err(error),
                Failure::Transient(error) => {
                    tracing::debug!(source = request.source, attempt, %error, "asking again");
                    inner.clock.sleep(limits::backoff(attempt, inner.clock.jitter())).await;
                }
                Failure::Limited(wait) => {
                    let until = match wait {
                        Wait::Until(until) | Wait::NextNotBefore(until) => until,
                        Wait::Untold => {
                            let pause = limits::untold(lane.strike(), inner.clock.jitter());
                            inner.clock.now().saturating_add(pause).unwrap_or(Timestamp::MAX)
                        }
                    };
                    self.silence(&lane, &lane_key, until);
                }
            }
        }
    }

    /// Sends nothing to the host before `until`, taken up to the next whole second: it is shown, and asking a moment
    /// early would not do.
    fn silence(&self, lane: &HostLane, lane_key: &str, until: Timestamp) {
        let up = jiff::TimestampRound::new()
            .smallest(jiff::Unit::Second)
            .mode(jiff::RoundMode::Ceil);
        let until = until.round(up).unwrap_or(until);
        lane.be_silent(until);
        self.inner.cache.set_silence(lane_key, until);
    }

    /// Sends it once, following redirects.
    async fn attempt(
        &self,
        request: &Request,
        key: &str,
        stored: Option<&Stored>,
        lane: &HostLane,
        lane_key: &str,
    ) -> Result<Fetched, Failure> {
        let inner = &self.inner;
        let _slot = lane.enter(request.lane.pause, inner.clock.as_ref()).await;
        let mut url = request.url.clone();
        let mut moved_to = None;
        // A chain that begins with a temporary redirect says nothing about where the source lives.
        let mut permanent = true;
        for _ in 0..=REDIRECTS {
            let response = self.send(request, &url, stored).await?;
            let status = response.status().as_u16();
            if let 301 | 302 | 303 | 307 | 308 = status {
                url = next_hop(request, &url, response.headers())?;
                permanent &= matches!(status, 301 | 308);
                if permanent {
                    moved_to = Some(url.clone());
                }
                continue;
            }
            let headers = response.headers().clone();
            let body = match status {
                304 => Vec::new(),
                200 => self.read(request, response).await?,
                _ => self.read_start(response).await,
            };
            match limits::wait(status, &headers, &body, inner.clock.now()) {
                Some(Wait::NextNotBefore(until)) => self.silence(lane, lane_key, until),
                Some(wait) => return Err(Failure::Limited(wait)),
                None => {}
            }
            return self.settle(request, key, stored, status, &headers, body, moved_to);
        }
        Err(Failure::Final(NetError::malformed(
            &request.source,
            format!("more than {REDIRECTS} redirects"),
        )))
    }

    async fn send(
        &self,
        request: &Request,
        url: &PrivateUrl,
        stored: Option<&Stored>,
    ) -> Result<reqwest::Response, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(request.accept));
        if let Some(auth) = request.auth.as_ref().filter(|_| url.same_origin(&request.url)) {
            let value = HeaderValue::from_str(auth.expose()).map_err(|_| {
                Failure::Final(NetError::malformed(
                    &request.source,
                    "its credentials cannot be sent in a header",
                ))
            })?;
            headers.insert(AUTHORIZATION, value);
        }
        if let Some(stored) = stored {
            for (name, value) in [
                (IF_NONE_MATCH, &stored.etag),
                (IF_MODIFIED_SINCE, &stored.last_modified),
            ] {
                if let Some(value) = value.as_ref().and_then(|value| HeaderValue::from_str(value).ok()) {
                    headers.insert(name, value);
                }
            }
        }
        self.inner.requests.fetch_add(1, Ordering::Relaxed);
        // Who allows a longer wait for the next bytes means it for the whole as well.
        let timeouts = self.inner.timeouts;
        let whole = request.timeout.max(timeouts.connect.saturating_add(timeouts.read));
        let sent = self
            .inner
            .http
            .get(url.expose().clone())
            .headers(headers)
            .timeout(whole)
            .send()
            .await;
        sent.map_err(|error| Failure::Transient(unreachable(&request.source, &error)))
    }

    /// The whole body, within the limit. A body that ends early is an error of the transport.
    async fn read(&self, request: &Request, mut response: reqwest::Response) -> Result<Vec<u8>, Failure> {
        let too_large = || {
            Failure::Final(NetError::TooLarge {
                name: request.source.clone(),
                limit: request.limit,
            })
        };
        if response.content_length().is_some_and(|length| length > request.limit) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    if (body.len() + chunk.len()) as u64 > request.limit {
                        return Err(too_large());
                    }
                    body.extend_from_slice(&chunk);
                }
                Ok(None) => break,
                Err(error) if error.is_timeout() => {
                    return Err(Failure::Transient(unreachable(&request.source, &error)));
                }
                Err(_) => {
                    let what = format!("it was cut short after {} bytes", body.len());
                    return Err(Failure::Transient(NetError::malformed(&request.source, what)));
                }
            }
        }
        self.inner.bytes.fetch_add(body.len() as u64, Ordering::Relaxed);
        Ok(body)
    }

    /// The start of the body of an error, which may say why.
    async fn read_start(&self, mut response: reqwest::Response) -> Vec<u8> {
        let mut body = Vec::new();
        while body.len() < 4096
            && let Ok(Some(chunk)) = response.chunk().await
        {
            body.extend_from_slice(&chunk);
        }
        body
    }

    /// What a status that is no redirect and no limit means.
    #[expect(clippy::too_many_arguments, reason = "the parts of one answer, used once")]
    fn settle(
        &self,
        request: &Request,
        key: &str,
        stored: Option<&Stored>,
        status: u16,
        headers: &HeaderMap,
        body: Vec<u8>,
        moved_to: Option<PrivateUrl>,
    ) -> Result<Fetched, Failure> {
        let name = request.source.clone();
        let now = self.now();
        let poll_after = limits::poll_interval(headers).and_then(|pause| now.saturating_add(pause).ok());
        match (status, stored) {
            (200, _) => {
                if request.accept.contains("json") {
                    serde_json::from_slice::<serde::de::IgnoredAny>(&body).map_err(|error| {
                        let malformed = NetError::malformed(&name, format!("it is no JSON: {error}"));
                        // An early end may be an accident on the way; anything else will come again.
                        if error.is_eof() {
                            Failure::Transient(malformed)
                        } else {
                            Failure::Final(malformed)
                        }
                    })?;
                }
                let text = |name| {
                    headers
                        .get(name)
                        .and_then(|value| value.to_str().ok())
                        .map(str::to_owned)
                };
                let answer = Stored {
                    etag: text(ETAG),
                    last_modified: text(LAST_MODIFIED),
                    next: text(LINK).as_deref().and_then(next_page),
                    moved: moved_to.map(|url| url.expose().to_string()),
                    fetched_at: now,
                    checked_at: now,
                    poll_after,
                    body,
                };
                if request.keep {
                    self.inner.cache.put(key, &name, &answer);
                }
                Ok(self.from_store(answer, Status::Fresh))
            }
            (304, Some(stored)) => {
                self.inner.cache.touch(key, now, poll_after);
                let mut fetched = self.from_store(
                    Stored {
                        checked_at: now,
                        ..stored.clone()
                    },
                    Status::NotModified,
                );
                fetched.moved_to = moved_to;
                Ok(fetched)
            }
            (304, None) => Err(Failure::Final(NetError::malformed(
                &name,
                "\"not modified\", but nothing was stored",
            ))),
            (404, _) => Err(Failure::Final(NetError::NotFound { name })),
            (410 | 451, _) => Err(Failure::Final(NetError::Gone { name })),
            (500..=599 | 408 | 425, _) => {
                let why = format!("status {status}");
                Err(Failure::Transient(NetError::Unreachable {
                    name,
                    why,
                    status: Some(status),
                }))
            }
            (400..=499, _) => Err(Failure::Final(NetError::Refused { name, status })),
            _ => Err(Failure::Final(NetError::malformed(&name, format!("status {status}")))),
        }
    }

    #[expect(
        clippy::wrong_self_convention,
        reason = "an answer from the store, not a constructor"
    )]
    fn from_store(&self, stored: Stored, status: Status) -> Fetched {
        let url = |text: &String| PrivateUrl::parse("stored", text).ok();
        Fetched {
            status,
            next: stored.next.as_ref().and_then(url),
            moved_to: stored.moved.as_ref().and_then(url),
            age: self.now().duration_since(stored.checked_at).unsigned_abs(),
            body: stored.body,
        }
    }
}

/// Counts the wall-clock time during which somebody waits.
struct WaitGuard<'a>(&'a Mutex<Waiting>);

impl<'a> WaitGuard<'a> {
    fn new(waiting: &'a Mutex<Waiting>) -> Self {
        let mut state = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        state.now += 1;
        state.since.get_or_insert_with(Instant::now);
        Self(waiting)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.now = state.now.saturating_sub(1);
        if state.now == 0
            && let Some(since) = state.since.take()
        {
            state.total += since.elapsed();
        }
    }
}

fn next_hop(request: &Request, from: &PrivateUrl, headers: &HeaderMap) -> Result<PrivateUrl, Failure> {
    let failed = |what: &str| Failure::Final(NetError::malformed(&request.source, what));
    let location = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let location = location.ok_or_else(|| failed("a redirect without a location"))?;
    let url = from
        .expose()
        .join(location)
        .map_err(|_| failed("a redirect to what is no address"))?;
    match (from.expose().scheme(), url.scheme()) {
        ("http", "http") | (_, "https") => Ok(url.into()),
        _ => Err(failed("a redirect away from https")),
    }
}

/// The address with `rel="next"` in a `Link` header (RFC 8288).
fn next_page(link: &str) -> Option<String> {
    link.split(',').find_map(|part| {
        let (address, parameters) = part.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = parameters.split(';').any(|parameter| {
            parameter
                .trim()
                .strip_prefix("rel=")
                .is_some_and(|rel| rel.trim_matches('"').split(' ').any(|r| r == "next"))
        });
        is_next.then(|| address.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_headers() {
        let table = [
            (
                "<http://h/a?page=2>; rel=\"next\", <http://h/a?page=9>; rel=\"last\"",
                Some("http://h/a?page=2"),
            ),
            ("<http://h/a?page=1>; rel=\"prev\"", None),
            ("<http://h/a?page=2>; rel=next", Some("http://h/a?page=2")),
            ("nonsense", None),
        ];
        for (header, expected) in table {
            assert_eq!(next_page(header).as_deref(), expected, "{header}");
        }
    }
}
