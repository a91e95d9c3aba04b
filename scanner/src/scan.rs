//! Two sources, read and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_contracts_extractors::languages::language_of;
use agent_contracts_extractors::{SourceTree, extract};
use agent_contracts_net::Packages;
use agent_contracts_wire::diff::{DiffOptions, diff};
use agent_contracts_wire::finding::Direction;
use agent_contracts_wire::model::{Degraded, WireModel};
use rayon::prelude::*;

use crate::error::ScanError;
use crate::memo::Memo;
use crate::report::{DegradedAt, Models, SCHEMA_VERSION, ScanReport, Side, UnresolvedAt};
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::source::git::{GitRepo, Remote, Tags};
use crate::source::{self, Listing, Opened, Skipped, SourceSpec, Unavailable, near_paths};

/// Readers and the comparison go as deep as the types they read, which may be nested a thousand times.
const STACK: usize = 256 << 20;

/// What a scan may use.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// How packages are asked for. Without it only git, folders and what is there are read.
    pub packages: Option<Packages>,
    /// Where clones, archives and parsed files are kept. Without it everything is fetched and parsed again.
    pub state_dir: Option<PathBuf>,
    /// Never fetch from a git server. (The client of packages has a switch of its own.)
    pub offline: bool,
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
    pool: rayon::ThreadPool,
    repositories: Mutex<BTreeMap<PathBuf, Arc<GitRepo>>>,
    remotes: Mutex<BTreeMap<String, Arc<Remote>>>,
}

impl Scanner {
    /// A scanner that has read nothing yet.
    pub fn new(context: Context) -> Result<Self, ScanError> {
        let memo = Arc::new(Memo::open(context.state_dir.as_deref()));
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(STACK)
            .thread_name(|index| format!("scan-{index}"))
            .build()
            .map_err(|error| ScanError::unreadable("any source", error, "threads are needed; raise the limit"))?;
        let inner = Inner {
            context,
            memo,
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
        let inner = Arc::clone(&self.inner);
        blocking(move || {
            let report = inner.pool.install(|| compare(&old, &new, &scope, &options));
            inner.memo.flush();
            report
        })
        .await
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
        let remote = Remote::new(url, self.context.state_dir.as_deref(), self.context.offline)?;
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

fn compare(old: &Snapshot, new: &Snapshot, scope: &Scope, options: &ScanOptions) -> Result<ScanReport, ScanError> {
    let (old_list, new_list) = rayon::join(|| old.list(scope), || new.list(scope));
    check_scope(old, &old_list, new, &new_list, scope, options.flags)?;
    let (mut old_read, mut new_read) = rayon::join(
        || read_side(old, old_list, options.flags),
        || read_side(new, new_list, options.flags),
    );

    // What cannot be read and is the same on both sides hides no change.
    let same: Vec<Skipped> = new_read
        .skipped
        .iter()
        .filter(|skipped| skipped.why.identity().is_some() && old_read.skipped.contains(skipped))
        .cloned()
        .collect();
    let hidden_old = degraded(&old_read.skipped, &same, &new_read.model);
    let hidden_new = degraded(&new_read.skipped, &same, &old_read.model);
    old_read.model.degraded.extend(hidden_old);
    new_read.model.degraded.extend(hidden_new);

    let asked = DiffOptions {
        roots: options.roots.clone(),
        directions: options.directions.clone(),
    };
    let result = diff(&old_read.model, &new_read.model, &asked);
    let mut all_degraded = result.degraded;
    all_degraded.extend(same.iter().map(|skipped| Degraded {
        file: skipped.path.clone(),
        lines: None,
        why: format!("{}, the same on both sides", skipped.why),
        hides: Vec::new(),
    }));
    Ok(ScanReport {
        schema_version: SCHEMA_VERSION,
        from: side(old, &old_read.model),
        to: side(new, &new_read.model),
        findings: result.findings,
        moves: result.moves,
        unresolved: result
            .unresolved
            .into_iter()
            .map(|one| UnresolvedAt {
                file: one.place.file,
                line: one.place.line,
                what: one.what,
            })
            .collect(),
        degraded: all_degraded
            .into_iter()
            .map(|one| DegradedAt {
                file: one.file,
                lines: one.lines,
                why: one.why,
                hides: one.hides,
            })
            .collect(),
        doubts: result.doubts,
        verdict: result.verdict,
        models: Models {
            from: old_read.model,
            to: new_read.model,
        },
    })
}

fn side(snapshot: &Snapshot, model: &WireModel) -> Side {
    Side {
        source: snapshot.name().to_owned(),
        files: model.files,
        types: model.types.values().filter(|decl| decl.in_scope).count(),
        revision: snapshot.revision().map(str::to_owned),
    }
}

/// One side that was read.
struct ReadSide {
    model: WireModel,
    /// What could not be read, sorted by path.
    skipped: Vec<Skipped>,
}

fn read_side(snapshot: &Snapshot, listing: Listing, flags: bool) -> ReadSide {
    // Parse in parallel; linking finds the facts ready.
    listing.paths.par_iter().for_each(|path| drop(snapshot.facts(path)));
    let mut model = extract(snapshot, &listing.paths, flags);

    let mut skipped: BTreeMap<String, Skipped> = BTreeMap::new();
    let told = listing.skipped.into_iter().filter(|skipped| {
        // A picture that cannot be read is no loss.
        let folder = !matches!(skipped.why, Unavailable::Name { .. } | Unavailable::Link { .. });
        folder || flags || language_of(&skipped.path).is_some()
    });
    for one in told.chain(snapshot.missed()) {
        skipped.insert(one.path.clone(), one);
    }
    let read = |path: &&String| (flags || language_of(path).is_some()) && !skipped.contains_key(*path);
    model.files = u32::try_from(listing.paths.iter().filter(read).count()).unwrap_or(u32::MAX);
    ReadSide {
        model,
        skipped: skipped.into_values().collect(),
    }
}

/// What one side could not read and may hide a change, with the types that the other side has in its place.
fn degraded(skipped: &[Skipped], same: &[Skipped], other: &WireModel) -> Vec<Degraded> {
    let below = |file: &str, path: &str| {
        file.strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    skipped
        .iter()
        .filter(|one| !same.contains(one))
        .map(|one| {
            let hides = other.types.values().filter(|decl| below(&decl.place.file, &one.path));
            let hides: BTreeSet<String> = hides.map(|decl| decl.name.clone()).collect();
            Degraded {
                file: one.path.clone(),
                lines: None,
                why: one.why.to_string(),
                hides: hides.into_iter().collect(),
            }
        })
        .collect()
}

/// A scope that names nothing on either side is a mistake in the request. On one side it says that the source moved.
fn check_scope(
    old: &Snapshot,
    old_list: &Listing,
    new: &Snapshot,
    new_list: &Listing,
    scope: &Scope,
    flags: bool,
) -> Result<(), ScanError> {
    let lists = [old_list, new_list];
    if lists.iter().any(|list| !list.skipped.is_empty()) {
        return Ok(());
    }
    let all: Vec<&String> = lists.iter().flat_map(|list| &list.paths).collect();
    let Some(first) = all.first() else {
        let mut near = near_paths(scope, new.paths());
        if near.is_empty() {
            near = near_paths(scope, old.paths());
        }
        return Err(ScanError::NothingInScope {
            scope: scope.to_string(),
            from: old.name().to_owned(),
            to: new.name().to_owned(),
            near,
        });
    };
    if !flags && all.iter().all(|path| language_of(path).is_none()) {
        return Err(ScanError::NothingReadable {
            scope: scope.to_string(),
            from: old.name().to_owned(),
            to: new.name().to_owned(),
            count: all.len(),
            example: (*first).clone(),
        });
    }
    Ok(())
}
