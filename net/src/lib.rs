//! Getting things from outside: where the package registries are, and one client that asks them politely.
//!
//! * [`endpoints`] learns where npm, PyPI, crates.io, GitHub and Homebrew are asked. No registry's address is written in
//!   this repository: it comes from our setting, the environment, the client's own file, or the client when asked.
//! * [`client`] is the one way out. It paces itself per host, waits when told to wait, asks again only for what changed,
//!   and never lets a failed, partial or throttled answer replace a good one.
//! * [`packages`] finds, checks and keeps the archive of one version of a package; [`archive`] reads it in memory, under
//!   limits.
//! * [`cache`] keeps bodies together with their validators in `--state DIR`. Losing it costs requests only.
//!
//! It refuses to show an address: endpoints may be private, so errors, `Debug` and `Display` name the source
//! (`npm:@openai/codex`), never the URL. See [`PrivateUrl`] and [`Secret`].
//!
//! # Metadata and archives
//!
//! Metadata is asked with [`Request::new`]: small, kept with its validators, asked again conditionally. An archive of one
//! version never changes, so it is asked with [`Request::archive`]: a larger limit and timeout, nothing kept in the cache
//! and no validators. Its caller keeps the bytes under their own hash in the state directory and asks only for what is
//! not there:
//!
//! ```no_run
//! # async fn f(client: agent_contracts_net::Client, endpoints: agent_contracts_net::Endpoints)
//! # -> Result<(), agent_contracts_net::NetError> {
//! use agent_contracts_net::Request;
//! let package = "@openai/codex-sdk";
//! let source = format!("npm:{package}@0.163.0");
//! let endpoint = endpoints.npm(package)?;
//! let url = endpoint.url_in_metadata(&source, "…the `dist.tarball` of the packument…")?;
//! let archive = client.get(&Request::archive(&source, url).with_auth_of(&endpoint)).await?;
//! # let _ = archive.body; Ok(()) }
//! ```

pub mod archive;
pub mod cache;
pub mod client;
pub mod clock;
pub mod endpoints;
pub mod error;
mod limits;
mod pacing;
pub mod packages;
pub mod private;
pub mod request;
pub mod words;

pub use client::{Client, ClientSettings, Fetched, Stats, Status, Timeouts};
pub use clock::{Clock, ManualClock, SystemClock};
pub use endpoints::{Endpoint, EndpointSettings, Endpoints, Pace, Registry, Surroundings};
pub use error::NetError;
pub use packages::{PackageError, PackageRegistry, Packages};
pub use private::{PrivateUrl, Secret};
pub use request::{Freshness, Lane, Request};
