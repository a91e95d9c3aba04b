//! Where each registry is asked.
//!
//! In this order: our setting, the environment, the client's own file, the client's answer when asked. People behind a
//! mirror have told their client already, so they need tell us nothing. Without any of them the registry is
//! `unavailable: no client`. The addresses of GitHub and Homebrew have defaults, as they are no package registries.
//!
//! An [`Endpoint`] is never shown: it says where it was learnt, not what it is.

mod crates;
mod npm;
mod pypi;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::{Lane, NetError, PrivateUrl, Secret};

/// A service that announces releases or keeps packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Registry {
    /// The npm registry.
    Npm,
    /// The Python package index.
    Pypi,
    /// The sparse index of crates.io.
    Crates,
    /// GitHub's REST API.
    GithubApi,
    /// GitHub's pages, for `releases.atom`.
    GithubWeb,
    /// Homebrew's formula and cask API.
    Homebrew,
    /// Vendors' own addresses, as the agents' files name them.
    Vendor,
}

impl Registry {
    /// Its name in settings and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Crates => "crates",
            Self::GithubApi => "github_api",
            Self::GithubWeb => "github_web",
            Self::Homebrew => "homebrew",
            Self::Vendor => "vendor",
        }
    }

    /// How its host is to be treated where the settings say nothing.
    pub fn lane(self) -> Lane {
        let (pause, in_flight) = match self {
            // Its data policy: at most one request a second, and a User-Agent that names us.
            Self::Crates => (Duration::from_secs(1), 1),
            // Far below the 100 that the secondary limit allows.
            Self::GithubApi | Self::GithubWeb => (Duration::ZERO, 4),
            Self::Npm | Self::Pypi | Self::Homebrew | Self::Vendor => (Duration::ZERO, 6),
        };
        Lane {
            name: self.name(),
            pause,
            in_flight,
        }
    }

    fn default_address(self) -> Option<&'static str> {
        match self {
            Self::GithubApi => Some("https://api.github.com"),
            Self::GithubWeb => Some("https://github.com"),
            Self::Homebrew => Some("https://formulae.brew.sh/api"),
            Self::Npm | Self::Pypi | Self::Crates | Self::Vendor => None,
        }
    }
}

/// What our own settings say of services: their addresses, their pace, and the token for GitHub.
#[derive(Clone, Default)]
pub struct EndpointSettings {
    addresses: BTreeMap<Registry, String>,
    /// Stand-ins by the address that an agent's file names.
    vendors: BTreeMap<String, String>,
    paces: BTreeMap<Registry, Pace>,
    github_token: Option<Secret>,
}

/// A pace that differs from what a service asks for. What is left out does not differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pace {
    /// How many requests may be under way at one host; at least 1.
    pub in_flight: Option<usize>,
    /// The least time between the starts of two requests to one host.
    pub pause: Option<Duration>,
}

impl EndpointSettings {
    /// Sets the address of `registry`; everything else about where it is is then ignored.
    #[must_use]
    pub fn with(mut self, registry: Registry, address: impl Into<String>) -> Self {
        self.addresses.insert(registry, address.into());
        self
    }

    /// Asks at `stand_in` for what an agent's file says to ask for at `named`.
    #[must_use]
    pub fn with_vendor(mut self, named: impl Into<String>, stand_in: impl Into<String>) -> Self {
        self.vendors.insert(named.into(), stand_in.into());
        self
    }

    /// Sets the pace of `registry`.
    #[must_use]
    pub fn with_pace(mut self, registry: Registry, pace: Pace) -> Self {
        self.paces.insert(registry, pace);
        self
    }

    /// Sets the token for GitHub's REST API; the environment is then not looked at.
    #[must_use]
    pub fn with_github_token(mut self, token: Secret) -> Self {
        self.github_token = Some(token);
        self
    }

    /// `endpoint` at the pace that is set for it.
    fn paced(&self, mut endpoint: Endpoint) -> Endpoint {
        let pace = self.paces.get(&endpoint.registry).copied().unwrap_or_default();
        endpoint.lane.in_flight = pace.in_flight.unwrap_or(endpoint.lane.in_flight);
        endpoint.lane.pause = pace.pause.unwrap_or(endpoint.lane.pause);
        endpoint
    }
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointSettings")
            .field("addresses", &self.addresses.keys())
            .field("vendors", &self.vendors.len())
            .field("paces", &self.paces)
            .finish_non_exhaustive()
    }
}

/// Asks a client of a registry: the program and its arguments. `None` when it is not there or does not answer.
pub type Ask = Arc<dyn Fn(&str, &[&str]) -> Option<String> + Send + Sync>;

/// What the search for endpoints may look at.
#[derive(Clone)]
pub struct Surroundings {
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// The current directory, for a project's own `.npmrc` and `.cargo/config.toml`.
    pub cwd: Option<PathBuf>,
    /// How a client is asked.
    pub ask: Ask,
}

impl Surroundings {
    /// Those of this process. Values that are no UTF-8 are left out.
    pub fn of_this_process() -> Self {
        let env =
            std::env::vars_os().filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)));
        Self {
            env: env.collect(),
            home: std::env::home_dir(),
            cwd: std::env::current_dir().ok(),
            ask: Arc::new(ask_program),
        }
    }

    /// A variable that is set and not empty.
    fn var(&self, name: &str) -> Option<&str> {
        self.env
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// As [`Surroundings::var`], whatever its case.
    fn var_any_case(&self, name: &str) -> Option<&str> {
        self.env
            .iter()
            .find(|(key, value)| key.eq_ignore_ascii_case(name) && !value.trim().is_empty())
            .map(|(_, value)| value.trim())
    }

    /// The text of a file in the home directory or elsewhere; a file that cannot be read is as good as none.
    fn read(path: &std::path::Path) -> Option<String> {
        std::fs::read(path)
            .ok()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// A service that can be asked.
#[derive(Clone)]
pub struct Endpoint {
    registry: Registry,
    base: PrivateUrl,
    auth: Option<Secret>,
    lane: Lane,
    origin: &'static str,
}

impl Endpoint {
    fn new(registry: Registry, text: &str, origin: &'static str) -> Result<Self, NetError> {
        let base = PrivateUrl::parse(registry.name(), text).map_err(|_| NetError::Unavailable {
            name: registry.name().into(),
            why: format!("what {origin} gives as its address is none"),
        })?;
        Ok(Self::at(registry, &base, origin))
    }

    fn at(registry: Registry, base: &PrivateUrl, origin: &'static str) -> Self {
        let (base, auth) = take_user(base);
        Self {
            registry,
            base,
            auth,
            lane: registry.lane(),
            origin,
        }
    }

    fn with_auth(mut self, auth: Option<Secret>) -> Self {
        self.auth = auth.or(self.auth);
        self
    }

    /// Where it was learnt: `the setting`, `the environment`, `.npmrc` …
    pub fn origin(&self) -> &'static str {
        self.origin
    }

    /// The address of what `segments` name below it, each encoded as one segment.
    pub fn join(&self, segments: &[&str]) -> PrivateUrl {
        self.base.join(segments)
    }

    /// The address of the service itself.
    pub fn base(&self) -> &PrivateUrl {
        &self.base
    }

    /// An address that the service's own metadata gave, as `dist.tarball`; it may be relative to `self`.
    pub fn url_in_metadata(&self, source: &str, text: &str) -> Result<PrivateUrl, NetError> {
        match self.base.expose().join(text) {
            Ok(url) => PrivateUrl::parse(source, url.as_str()),
            Err(error) => Err(NetError::malformed(source, format!("an address in it: {error}"))),
        }
    }

    /// How its host is to be treated.
    pub fn lane(&self) -> Lane {
        self.lane
    }

    /// The credentials for `url`: none when it is at another host.
    pub fn auth_for(&self, url: &PrivateUrl) -> Option<Secret> {
        self.auth.clone().filter(|_| self.base.same_origin(url))
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({} by {})", self.registry.name(), self.origin)
    }
}

/// Finds endpoints, each when it is first needed.
#[derive(Clone)]
pub struct Endpoints {
    inner: Arc<Inner>,
}

/// What the search for an endpoint came to, once it was made.
type Found = OnceLock<Result<Endpoint, NetError>>;

struct Inner {
    settings: EndpointSettings,
    surroundings: Surroundings,
    known: Mutex<BTreeMap<Registry, Arc<Found>>>,
}

impl Endpoints {
    /// Looks nowhere yet.
    pub fn new(settings: EndpointSettings, surroundings: Surroundings) -> Self {
        Self {
            inner: Arc::new(Inner {
                settings,
                surroundings,
                known: Mutex::default(),
            }),
        }
    }

    /// The npm registry that has `package`: a scope may have its own.
    pub fn npm(&self, package: &str) -> Result<Endpoint, NetError> {
        if let Some((scope, _)) = package.split_once('/')
            && !self.inner.settings.addresses.contains_key(&Registry::Npm)
            && let Some(own) = npm::find_scoped(&self.inner.surroundings, scope)?
        {
            return Ok(self.inner.settings.paced(own));
        }
        self.known(Registry::Npm, || npm::find(&self.inner.surroundings))
    }

    /// The base of the simple index, as pip uses it.
    pub fn pypi(&self) -> Result<Endpoint, NetError> {
        self.known(Registry::Pypi, || pypi::find(&self.inner.surroundings))
    }

    /// The sparse index of crates.io, or of what replaces it here.
    pub fn crates(&self) -> Result<Endpoint, NetError> {
        self.known(Registry::Crates, || crates::find(&self.inner.surroundings))
    }

    /// GitHub's REST API, with the token of the settings, or else of `GITHUB_TOKEN` or `GH_TOKEN` where one is set.
    pub fn github_api(&self) -> Result<Endpoint, NetError> {
        let of_environment = || {
            ["GITHUB_TOKEN", "GH_TOKEN"]
                .iter()
                .find_map(|name| self.inner.surroundings.var(name))
        };
        let of_settings = self.inner.settings.github_token.as_ref().map(Secret::expose);
        let token = of_settings.or_else(of_environment);
        let auth = token.map(|token| Secret::new(format!("Bearer {token}")));
        self.with_default(Registry::GithubApi)
            .map(|endpoint| endpoint.with_auth(auth))
    }

    /// GitHub's pages.
    pub fn github_web(&self) -> Result<Endpoint, NetError> {
        self.with_default(Registry::GithubWeb)
    }

    /// Homebrew's API.
    pub fn homebrew(&self) -> Result<Endpoint, NetError> {
        self.with_default(Registry::Homebrew)
    }

    /// What stands at `named`, the address of an agent's file, or at what the settings name in its place. The base of the
    /// endpoint is the whole address.
    pub fn vendor(&self, source: &str, named: &str) -> Result<Endpoint, NetError> {
        let stand_in = self.inner.settings.vendors.get(named);
        let origin = if stand_in.is_some() {
            "the setting"
        } else {
            "the default"
        };
        let url = PrivateUrl::parse(source, stand_in.map_or(named, String::as_str))?;
        Ok(self.inner.settings.paced(Endpoint::at(Registry::Vendor, &url, origin)))
    }

    fn with_default(&self, registry: Registry) -> Result<Endpoint, NetError> {
        self.known(registry, || {
            registry
                .default_address()
                .map(|address| Endpoint::new(registry, address, "the default"))
                .transpose()
        })
    }

    /// Our setting, or what `find` finds; looked for once. Asking a client takes a moment, so callers of the same registry
    /// wait for the first.
    fn known(
        &self,
        registry: Registry,
        find: impl FnOnce() -> Result<Option<Endpoint>, NetError>,
    ) -> Result<Endpoint, NetError> {
        let cell = {
            let mut known = self.inner.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry(registry).or_default().clone()
        };
        let settings = &self.inner.settings;
        let look = || match settings.addresses.get(&registry) {
            Some(address) => Endpoint::new(registry, address, "the setting"),
            None => find().and_then(|found| {
                found.ok_or_else(|| NetError::Unavailable {
                    name: registry.name().into(),
                    why: "no client: neither a setting, nor the environment, nor a client of this registry says where \
                          it is"
                        .into(),
                })
            }),
        };
        cell.get_or_init(|| look().map(|endpoint| settings.paced(endpoint)))
            .clone()
    }
}

/// Moves `user:password@` out of the address into a header.
fn take_user(url: &PrivateUrl) -> (PrivateUrl, Option<Secret>) {
    use std::io::Write;
    let mut plain = url.expose().clone();
    if plain.username().is_empty() && plain.password().is_none() {
        return (url.clone(), None);
    }
    let decode = |text: &str| percent_decode(text);
    let mut pair = decode(plain.username());
    let _ = pair.write_all(b":");
    pair.extend(decode(plain.password().unwrap_or_default()));
    let (_, _) = (plain.set_username(""), plain.set_password(None));
    (plain.into(), Some(basic(&pair)))
}

fn basic(pair: &[u8]) -> Secret {
    use base64::Engine;
    Secret::new(format!(
        "Basic {}",
        base64::engine::general_purpose::STANDARD.encode(pair)
    ))
}

fn percent_decode(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes
            .get(at + 1..at + 3)
            .and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// Runs `program`, at most ten seconds, without input; its standard output when it succeeded.
fn ask_program(program: &str, arguments: &[&str]) -> Option<String> {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let mut child = Command::new(program)
        .args(arguments)
        // pip wraps its help at the width of the terminal, through the middle of an address.
        .env("COLUMNS", "1000")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = pipe.by_ref().take(1 << 20).read_to_end(&mut text);
        text
    });
    let started = std::time::Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if started.elapsed() < Duration::from_secs(10) => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break false;
            }
        }
    };
    // A grandchild may still hold the pipe of a client that was killed, so its output is not waited for.
    if !ended {
        return None;
    }
    String::from_utf8(reader.join().ok()?).ok()
}

#[cfg(test)]
mod tests;
