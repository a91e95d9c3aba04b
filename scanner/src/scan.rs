//! What a scan is asked and may use, and the scanner that opens sources and keeps what it has read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_contracts_net::{Packages, Timeouts};
use agent_contracts_wire::DiffOptions;
use agent_contracts_wire::finding::Direction;

use crate::compare::compare;
use crate::eras::Reading;
use crate::error::ScanError;
use crate::history::Kept;
use crate::memo::Memo;
use crate::report::ScanReport;
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::source::git::{GitRepo, Remote, Tags};
use crate::source::{self, Opened, SourceSpec};
use crate::versions::{SourceVersion, SourceVersions};

/// Readers and the comparison go as deep as the types they read, which may be nested a thousand times.
const STACK: usize = 256 << 20;

/// So many versions of a repository elsewhere are fetched one by one.
const FEW: usize = 8;

/// What a scan may use.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// How packages are asked for. Without it only git, folders and what is there are read.
    pub packages: Option<Packages>,
    /// Where clones, archives and parsed files are kept. Without it everything is fetched and parsed again.
    pub state_dir: Option<PathBuf>,
    /// Never fetch from a git server. (The client of packages has a switch of its own.)
    pub offline: bool,
    /// How long a git server is waited for.
    pub timeouts: Timeouts,
    /// Threads that parse and compare; 0 for one a core.
    pub threads: usize,
}

/// What a scan is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScanOptions {
    /// Globs, relative to the root of the source; each may hold several, divided by commas. Empty: every file.
    pub scope: Vec<String>,
    /// Names of the types to start from. Empty: every wire type declared in the scope.
    pub roots: Vec<String>,
    /// The side that writes a type, by its name.
    pub directions: BTreeMap<String, Direction>,
    /// Read command-line flags instead of protocol types.
    pub flags: bool,
}

impl ScanOptions {
    /// What the comparison needs of it.
    pub(crate) fn into_diff(self) -> DiffOptions {
        DiffOptions {
            roots: self.roots,
            directions: self.directions,
        }
    }
}

/// Reads two sources and compares them.
pub async fn scan(from: &str, to: &str, options: &ScanOptions, context: &Context) -> Result<ScanReport, ScanError> {
    Scanner::new(context.clone())?.scan(from, to, options).await
}

/// Scans that share what they read: the memo and the repositories that are open.
pub struct Scanner {
    inner: Arc<Inner>,
}

struct Inner {
    context: Context,
    memo: Arc<Memo>,
    kept: Kept,
    pool: rayon::ThreadPool,
    repositories: Mutex<BTreeMap<PathBuf, Arc<GitRepo>>>,
    remotes: Mutex<BTreeMap<String, Arc<Remote>>>,
}

impl Scanner {
    /// A scanner that has read nothing yet.
    pub fn new(context: Context) -> Result<Self, ScanError> {
        let memo = Arc::new(Memo::open(context.state_dir.as_deref()));
        let kept = Kept::open(context.state_dir.as_deref());
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(STACK)
            .num_threads(context.threads)
            .thread_name(|index| format!("scan-{index}"))
            .build()
            .map_err(|error| ScanError::unreadable("any source", error, "threads are needed; raise the limit"))?;
        let inner = Inner {
            context,
            memo,
            kept,
            pool,
            repositories: Mutex::default(),
            remotes: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Reads two sources and compares them.
    pub async fn scan(&self, from: &str, to: &str, options: &ScanOptions) -> Result<ScanReport, ScanError> {
        let scope = Scope::new(&options.scope)?;
        let specs = (SourceSpec::parse(from)?, SourceSpec::parse(to)?);
        let old = self.open(from, &specs.0).await?;
        let new = self.open(to, &specs.1).await?;
        self.compare(old, new, scope, options.clone()).await
    }

    /// Opens a source; `name` is what messages and the report call it.
    pub async fn open(&self, name: &str, spec: &SourceSpec) -> Result<Snapshot, ScanError> {
        let opened = self.open_spec(spec).await.map_err(|error| match spec {
            SourceSpec::GitUrl { url, revision } if name != spec.to_string() => {
                error.hide_url(url, name.strip_suffix(&format!("@{revision}")).unwrap_or(name))
            }
            _ => error,
        })?;
        Ok(Snapshot::new(name, opened, Arc::clone(&self.inner.memo)))
    }

    /// How long git servers were waited for so far. (The client of packages counts for itself.)
    #[must_use]
    pub fn waited(&self) -> Duration {
        let remotes = self.inner.remotes.lock().unwrap_or_else(PoisonError::into_inner);
        remotes.values().map(|remote| remote.waited()).sum()
    }

    pub(crate) fn packages(&self) -> Option<&Packages> {
        self.inner.context.packages.as_ref()
    }

    /// Every tag of a repository, given by its path or address, with the commit that it stands for.
    pub async fn tags(&self, repository: &str) -> Result<Tags, ScanError> {
        let inner = Arc::clone(&self.inner);
        let repository = repository.to_owned();
        blocking(move || {
            if repository.contains("://") {
                inner.remote(&repository)?.tags()
            } else {
                inner.repository(Path::new(&repository))?.tags()
            }
        })
        .await
    }

    /// Fetches a repository elsewhere as a whole when many of its versions are not here: one by one takes longer.
    pub(crate) async fn fetch_many(&self, versions: &SourceVersions) -> Result<(), ScanError> {
        let Some(SourceSpec::GitUrl { url, .. }) = versions.all().last().map(|version| version.spec.clone()) else {
            return Ok(());
        };
        if self.inner.context.offline {
            return Ok(());
        }
        let commits: Vec<String> = versions
            .all()
            .iter()
            .filter_map(|version| version.commit.clone())
            .collect();
        let inner = Arc::clone(&self.inner);
        blocking(move || {
            let remote = inner.remote(&url)?;
            let lacking = commits.iter().filter(|commit| !remote.has(commit)).count();
            if lacking > FEW { remote.fetch_all() } else { Ok(()) }
        })
        .await
    }

    async fn open_spec(&self, spec: &SourceSpec) -> Result<Opened, ScanError> {
        let inner = Arc::clone(&self.inner);
        match spec.clone() {
            SourceSpec::Dir { path } => blocking(move || source::dir::open(&path)).await,
            SourceSpec::GitPath { path, revision } => blocking(move || inner.repository(&path)?.at(&revision)).await,
            SourceSpec::GitUrl { url, revision } => blocking(move || inner.remote(&url)?.at(&revision)).await,
            SourceSpec::Package {
                registry,
                name,
                version,
            } => {
                let packages = self.inner.context.packages.as_ref();
                let package = source::package::fetch(packages, registry, &name, &version).await?;
                Ok(source::package::open(registry, package))
            }
        }
    }

    /// Compares two opened sources.
    pub async fn compare(
        &self,
        old: Snapshot,
        new: Snapshot,
        scope: Scope,
        options: ScanOptions,
    ) -> Result<ScanReport, ScanError> {
        self.read(old, new, Reading::alike(scope, options)).await
    }

    /// Compares two opened sources, each by its own files.
    pub(crate) async fn read(&self, old: Snapshot, new: Snapshot, reading: Reading) -> Result<ScanReport, ScanError> {
        self.work(move || compare(&old, &new, &reading)).await
    }

    /// Runs `work` on the threads that parse and compare, and keeps what was parsed.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ScanError> + Send + 'static,
    ) -> Result<T, ScanError> {
        let inner = Arc::clone(&self.inner);
        blocking(move || {
            let done = inner.pool.install(work);
            inner.memo.flush();
            done
        })
        .await
    }

    /// What opens versions of repositories on the threads that parse.
    pub(crate) fn opener(&self) -> Opener {
        Opener(Arc::clone(&self.inner))
    }

    pub(crate) fn kept(&self) -> &Kept {
        &self.inner.kept
    }

    pub(crate) fn threads(&self) -> usize {
        self.inner.pool.current_num_threads()
    }
}

/// Opens versions of repositories, from any thread that may block.
pub(crate) struct Opener(Arc<Inner>);

impl Opener {
    /// Opens a version of a repository; `name` is what messages call it.
    pub(crate) fn open(&self, name: &str, spec: &SourceSpec) -> Result<Snapshot, ScanError> {
        let opened = match spec {
            SourceSpec::GitPath { path, revision } => self.0.repository(path)?.at(revision),
            SourceSpec::GitUrl { url, revision } => self
                .0
                .remote(url)?
                .at(revision)
                .map_err(|error| error.hide_url(url, name.strip_suffix(&format!("@{revision}")).unwrap_or(name))),
            SourceSpec::Dir { .. } | SourceSpec::Package { .. } => {
                Err(ScanError::unreadable(name, "it is no repository", "name a repository"))
            }
        }?;
        Ok(Snapshot::new(name, opened, Arc::clone(&self.0.memo)))
    }

    /// The day of the commit of a version.
    pub(crate) fn day(&self, version: &SourceVersion) -> Option<String> {
        let commit = version.commit.as_deref()?;
        match &version.spec {
            SourceSpec::GitPath { path, .. } => self.0.repository(path).ok()?.day(commit),
            SourceSpec::GitUrl { url, .. } => self.0.remote(url).ok()?.day(commit),
            SourceSpec::Dir { .. } | SourceSpec::Package { .. } => None,
        }
    }
}

impl Inner {
    /// The repository at `path`, opened once.
    fn repository(&self, path: &Path) -> Result<Arc<GitRepo>, ScanError> {
        let mut open = self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(repo) = open.get(path) {
            return Ok(Arc::clone(repo));
        }
        let repo = GitRepo::open(path, &format!("git:{}", path.display()))?;
        open.insert(path.to_owned(), Arc::clone(&repo));
        Ok(repo)
    }

    /// The repository at `url`, with what was fetched of it.
    fn remote(&self, url: &str) -> Result<Arc<Remote>, ScanError> {
        let mut known = self.remotes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(remote) = known.get(url) {
            return Ok(Arc::clone(remote));
        }
        let remote = Remote::new(
            url,
            self.context.state_dir.as_deref(),
            self.context.offline,
            self.context.timeouts,
        )?;
        let remote = Arc::new(remote);
        known.insert(url.to_owned(), Arc::clone(&remote));
        Ok(remote)
    }
}

/// Runs what blocks away from the threads that wait for the network.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ScanError> + Send + 'static,
) -> Result<T, ScanError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(error) => Err(ScanError::unreadable("the scan", error, "start it again")),
        },
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn as_many_threads_as_asked_for() {
        let context = Context {
            threads: 3,
            ..Context::default()
        };
        assert_eq!(Scanner::new(context).unwrap().inner.pool.current_num_threads(), 3);
        assert!(
            Scanner::new(Context::default())
                .unwrap()
                .inner
                .pool
                .current_num_threads()
                >= 1
        );
    }
}
