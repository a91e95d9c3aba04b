//! Repositories elsewhere. Only the revisions that are asked for are fetched, each without its history, into a bare
//! repository of our own below the state directory; the next fetch brings what is new.
//!
//! No login is used: neither helpers nor prompts are asked. No `git` configuration of the user takes part.

use std::fs::File;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agent_contracts_net::Timeouts;
use agent_contracts_wire::canonical::sha256;
use gix::bstr::ByteSlice;
use gix::protocol::handshake::Ref;
use gix::protocol::transport::client::blocking_io::http;
use gix::remote::fetch::{Shallow, Tags as FetchTags};

use super::refs::{Tag, Tags};
use super::words::words;
use super::{GitRepo, open_options};
use crate::error::{ScanError, chain};
use crate::source::Opened;

/// A fetch that takes longer is given up.
const DEADLINE: Duration = Duration::from_secs(15 * 60);
/// Where revisions that are known by their id are kept.
const BY_ID: &str = "refs/agent-contracts/";

/// A repository elsewhere.
pub(crate) struct Remote {
    url: String,
    offline: bool,
    timeouts: Timeouts,
    folder: PathBuf,
    /// Keeps `folder` when there is no state directory.
    _temporary: Option<tempfile::TempDir>,
    /// Milliseconds that the other side was waited for.
    waited: AtomicU64,
}

/// A revision by the way it has to be asked for.
enum Wanted<'a> {
    /// A full id.
    Id(&'a str),
    /// A name that may be a tag or a branch.
    Name(&'a str),
}

impl Remote {
    /// The repository at `url`. What is fetched is kept below `state`, or as long as this value.
    pub(crate) fn new(url: &str, state: Option<&Path>, offline: bool, timeouts: Timeouts) -> Result<Self, ScanError> {
        let (folder, temporary) = if let Some(state) = state {
            let hash = sha256(url.as_bytes());
            (state.join("git").join(&hash["sha256:".len()..][..20]), None)
        } else {
            let made = tempfile::tempdir().map_err(|error| {
                ScanError::unreadable(
                    format!("git:{url}"),
                    error,
                    "give a folder that can be written with --state",
                )
            })?;
            (made.path().join("repository"), Some(made))
        };
        Ok(Self {
            url: url.to_owned(),
            offline,
            timeouts,
            folder,
            _temporary: temporary,
            waited: AtomicU64::new(0),
        })
    }

    /// How long the other side was waited for so far.
    pub(crate) fn waited(&self) -> Duration {
        Duration::from_millis(self.waited.load(Ordering::Relaxed))
    }

    fn name(&self) -> String {
        format!("git:{}", self.url)
    }

    /// Opens one revision; fetches it when it is not here.
    pub(crate) fn at(self: &Arc<Self>, revision: &str) -> Result<Opened, ScanError> {
        let is_id = matches!(revision.len(), 40 | 64) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_id && let Ok(opened) = self.kept(revision) {
            return Ok(opened);
        }
        if self.offline {
            return self.kept(revision).map_err(|_| ScanError::Unreachable {
                origin: format!("{}@{revision}", self.name()),
                problem: "it was not fetched before, and the network is not asked with --offline".to_owned(),
                hint: "leave --offline out once".to_owned(),
            });
        }
        let wanted = if is_id {
            Wanted::Id(revision)
        } else {
            Wanted::Name(revision)
        };
        match self.fetch_one(&wanted) {
            Ok(Some(reference)) => self.kept(&reference),
            Ok(None) if is_expression(revision) => {
                self.fetch_all()?;
                self.kept(revision)
            }
            Ok(None) => {
                let tags = self.listed()?.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
                Err(ScanError::missing_version(&self.name(), revision, &tags))
            }
            // A tag stays what it was; a branch that was fetched before may be old.
            Err(error @ ScanError::Unreachable { .. }) => {
                let kept = self.kept(&format!("refs/tags/{revision}"));
                if kept.is_ok() {
                    tracing::warn!("{error}; the tag that was fetched before is used");
                }
                kept.map_err(|_| error)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a commit was fetched.
    pub(crate) fn has(&self, commit: &str) -> bool {
        GitRepo::open(&self.folder, &self.name()).is_ok_and(|repo| repo.has(commit))
    }

    /// The day of a commit that was fetched.
    pub(crate) fn day(&self, commit: &str) -> Option<String> {
        GitRepo::open(&self.folder, &self.name()).ok()?.day(commit)
    }

    /// The tags that the other side tells. What kind of object a tag stands for is only known after a fetch.
    pub(crate) fn tags(self: &Arc<Self>) -> Result<Tags, ScanError> {
        if self.offline {
            return GitRepo::open(&self.folder, &self.name())
                .map_err(|_| ScanError::Unreachable {
                    origin: self.name(),
                    problem: "it was not fetched before, and the network is not asked with --offline".to_owned(),
                    hint: "leave --offline out once".to_owned(),
                })?
                .tags();
        }
        let mut tags: Vec<Tag> = self
            .listed()?
            .into_iter()
            .map(|(name, commit)| Tag { name, commit })
            .collect();
        tags.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Tags {
            tags,
            skipped: Vec::new(),
        })
    }

    fn kept(&self, revision: &str) -> Result<Opened, ScanError> {
        GitRepo::open(&self.folder, &self.name())?.at(revision)
    }

    /// Fetches one revision and gives the ref that it stands under here; `None` when the other side has no such name.
    fn fetch_one(self: &Arc<Self>, wanted: &Wanted<'_>) -> Result<Option<String>, ScanError> {
        let (specs, candidates) = match wanted {
            Wanted::Id(id) => {
                let reference = format!("{BY_ID}{id}");
                (vec![format!("+{id}:{reference}")], vec![reference])
            }
            Wanted::Name(name) if is_ref_name(name) => {
                let refs = [format!("refs/tags/{name}"), format!("refs/heads/{name}")];
                (refs.iter().map(|one| format!("+{one}:{one}")).collect(), refs.into())
            }
            Wanted::Name(_) => return Ok(None),
        };
        let depth = Shallow::DepthAtRemote(NonZeroU32::MIN);
        let fetched = self.run(move |this, stop| this.fetch(&specs, &depth, stop))?;
        Ok(candidates.into_iter().find(|name| fetched.contains(name)))
    }

    /// Fetches every branch and tag with their history.
    pub(crate) fn fetch_all(self: &Arc<Self>) -> Result<(), ScanError> {
        let specs = ["heads", "tags"].map(|kind| format!("+refs/{kind}/*:refs/{kind}/*"));
        self.run(move |this, stop| this.fetch(&specs, &Shallow::undo(), stop))
            .map(drop)
    }

    /// Names and commits of the tags of the other side.
    fn listed(self: &Arc<Self>) -> Result<Vec<(String, String)>, ScanError> {
        self.run(|this, _| {
            let repo = this.repository(None)?;
            let remote = this.remote(&repo, &["+refs/tags/*:refs/tags/*".to_owned()])?;
            let connection = this.connect(&remote)?;
            let (map, _) = connection
                .ref_map(gix::progress::Discard, gix::remote::ref_map::Options::default())
                .map_err(|error| this.unreachable(&error))?;
            Ok(map.remote_refs.iter().filter_map(tag_of).collect())
        })
    }

    /// Fetches `specs` and gives the names of the refs here that now stand for something there.
    fn fetch(&self, specs: &[String], shallow: &Shallow, stop: &AtomicBool) -> Result<Vec<String>, ScanError> {
        let mut repo = self.repository(None)?;
        // The second round is for another kind of hash than expected.
        for _ in 0..2 {
            let remote = self.remote(&repo, specs)?;
            let connection = self.connect(&remote)?;
            let prepared = connection
                .prepare_fetch(gix::progress::Discard, gix::remote::ref_map::Options::default())
                .map_err(|error| self.unreachable(&error))?;
            let map = prepared.ref_map();
            let hash = map.object_hash;
            if hash != repo.object_hash() {
                drop(prepared);
                drop(remote);
                repo = self.repository(Some(hash))?;
                continue;
            }
            if map.mappings.is_empty() {
                return Ok(Vec::new());
            }
            let names = |mapping: &gix::remote::fetch::refmap::Mapping| {
                mapping.local.as_ref().map(|name| name.to_str_lossy().into_owned())
            };
            let fetched: Vec<String> = map.mappings.iter().filter_map(names).collect();
            prepared
                .with_shallow(shallow.clone())
                .with_write_packed_refs_only(true)
                .receive(gix::progress::Discard, stop)
                .map_err(|error| self.unreachable(&error))?;
            return Ok(fetched);
        }
        Err(ScanError::unreadable(
            self.name(),
            "it changes its kind of hash",
            "try again",
        ))
    }

    /// The repository of our own, made when it is not there. `hash` throws away one of another kind.
    fn repository(&self, hash: Option<gix::hash::Kind>) -> Result<gix::Repository, ScanError> {
        let broken = |problem: String| {
            let hint = format!("remove `{}`; it is a cache", self.folder.display());
            ScanError::unreadable(format!("the clone of {}", self.url), problem, hint)
        };
        if hash.is_none()
            && let Ok(repo) = open_options().open_path_as_is(true).open(&self.folder)
        {
            return Ok(repo.to_thread_local());
        }
        if self.folder.exists() {
            std::fs::remove_dir_all(&self.folder).map_err(|error| broken(error.to_string()))?;
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| broken(error.to_string()))?;
        let create = gix::create::Options {
            // Never what the user's configuration says.
            object_hash: Some(hash.unwrap_or(gix::hash::Kind::Sha1)),
            ..gix::create::Options::default()
        };
        let made = gix::ThreadSafeRepository::init_opts(&self.folder, gix::create::Kind::Bare, create, open_options())
            .map_err(|error| broken(chain(&error)))?;
        Ok(made.to_thread_local())
    }

    /// Keeps other processes from changing our repository at the same time.
    fn lock(&self) -> Result<File, ScanError> {
        let path = self.folder.with_extension("lock");
        let open = || -> std::io::Result<File> {
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
            let file = File::create(&path)?;
            file.lock()?;
            // Whoever held these was killed: nobody else may be at work here.
            for name in ["packed-refs.lock", "shallow.lock", "HEAD.lock", "config.lock"] {
                match std::fs::remove_file(self.folder.join(name)) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            Ok(file)
        };
        open().map_err(|error| {
            let problem = format!("`{}`: {error}", path.display());
            let hint = "give a folder that can be written with --state";
            ScanError::unreadable(format!("the clone of {}", self.url), problem, hint)
        })
    }

    fn remote<'repo>(&self, repo: &'repo gix::Repository, specs: &[String]) -> Result<gix::Remote<'repo>, ScanError> {
        let wrong = |error: gix::Error| {
            ScanError::unreadable(
                self.name(),
                chain(&error),
                "write an address such as https://host/owner/name",
            )
        };
        let mut remote = repo
            .remote_at_without_url_rewrite(self.url.as_str())
            .map_err(wrong)?
            .with_fetch_tags(FetchTags::None);
        remote
            .replace_refspecs(specs.iter().map(String::as_str), gix::remote::Direction::Fetch)
            .map_err(wrong)?;
        Ok(remote)
    }

    fn connect<'a, 'repo>(
        &self,
        remote: &'a gix::Remote<'repo>,
    ) -> Result<
        gix::remote::Connection<
            'a,
            'static,
            'repo,
            Box<dyn gix::protocol::transport::client::blocking_io::Transport + Send>,
        >,
        ScanError,
    > {
        // The client that fetches has no cryptography of its own; whoever installs it first wins.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let connection = remote
            .connect(gix::remote::Direction::Fetch)
            .map_err(|error| self.unreachable(&error))?;
        // Without this, `git credential` would be run and might ask on the terminal.
        let connection = connection.with_credentials(|_| Ok(None));
        Ok(if self.url.starts_with("http") {
            connection.with_transport_options(Box::new(self.http_options()))
        } else {
            connection
        })
    }

    /// The client's own way to wait is set, which `gix` has no option for.
    fn http_options(&self) -> http::Options {
        let timeouts = self.timeouts;
        let backend = http::reqwest::Options {
            configure_client: Some(Box::new(move |builder| {
                Ok(builder.connect_timeout(timeouts.connect).timeout(timeouts.read))
            })),
            configure_request: None,
        };
        http::Options {
            backend: Some(Arc::new(Mutex::new(backend))),
            ..http::Options::default()
        }
    }

    fn unreachable(&self, error: &gix::Error) -> ScanError {
        ScanError::Unreachable {
            origin: self.name(),
            problem: words(error, &self.url),
            hint: "check the address and the network, or clone it yourself and give git:PATH@REV".to_owned(),
        }
    }

    /// Runs work that talks to the other side, on a thread that is given up after the deadline.
    fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self, &AtomicBool) -> Result<T, ScanError> + Send + 'static,
    ) -> Result<T, ScanError> {
        let stop = Arc::new(AtomicBool::new(false));
        let (send, receive) = mpsc::channel();
        let (this, their_stop) = (Arc::clone(self), Arc::clone(&stop));
        let started = Instant::now();
        std::thread::spawn(move || {
            let result = this.lock().and_then(|_lock| work(&this, &their_stop));
            send.send(result)
        });
        let answer = receive.recv_timeout(DEADLINE);
        let spent = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.waited.fetch_add(spent, Ordering::Relaxed);
        answer.unwrap_or_else(|error| {
            stop.store(true, Ordering::Relaxed);
            let problem = match error {
                mpsc::RecvTimeoutError::Timeout => format!("no answer within {} minutes", DEADLINE.as_secs() / 60),
                mpsc::RecvTimeoutError::Disconnected => "the fetch failed inside; please report it".to_owned(),
            };
            Err(ScanError::Unreachable {
                origin: self.name(),
                problem,
                hint: "try again, or clone it yourself and give git:PATH@REV".to_owned(),
            })
        })
    }
}

/// The name of a tag and what it stands for.
fn tag_of(reference: &Ref) -> Option<(String, String)> {
    let (name, id) = match reference {
        Ref::Peeled {
            full_ref_name, object, ..
        }
        | Ref::Direct { full_ref_name, object } => (full_ref_name, object),
        Ref::Symbolic { .. } | Ref::Unborn { .. } => return None,
    };
    let name = name.to_str().ok()?.strip_prefix("refs/tags/")?;
    Some((name.to_owned(), id.to_string()))
}

/// Whether `text` can be the name of a tag or branch.
fn is_ref_name(text: &str) -> bool {
    gix::validate::reference::name_partial(text.into()).is_ok()
}

/// Whether a revision that is no name may be an abbreviated id or an expression, which need the history.
fn is_expression(text: &str) -> bool {
    text.contains(['~', '^', ':']) || (text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
