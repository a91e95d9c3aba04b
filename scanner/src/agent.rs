//! Scans of a known agent: which versions there are, and what its file says to read of them.

use std::path::Path;

use agent_contracts_config::agent::{AgentDef, Era, ScanSource, SourceKind};
use agent_contracts_config::scheme::Scheme;

use crate::error::ScanError;
use crate::report::ScanReport;
use crate::scan::{ScanOptions, Scanner};
use crate::scope::Scope;
use crate::snapshot::Snapshot;
use crate::source::package;
use crate::source::{Registry, SourceSpec, near_paths};
use crate::versions::{SourceVersion, SourceVersions, names};

/// Where `owner/name` is, when nobody says otherwise.
const GITHUB: &str = "https://github.com";

/// What a scan of one step of an agent says.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentReport {
    /// The comparison.
    pub report: ScanReport,
    /// The protocol family that the types describe, as at the new version.
    pub family: String,
    /// The globs that were read.
    pub scope: Vec<String>,
    /// Where the comparison started, and who writes what.
    pub options: ScanOptions,
}

impl Scanner {
    /// The versions of a source of an agent, oldest first. `repo` is a clone of it on this machine to use instead.
    pub async fn versions(
        &self,
        agent: &AgentDef,
        source: &ScanSource,
        repo: Option<&Path>,
    ) -> Result<SourceVersions, ScanError> {
        let scheme = Scheme::of_source(&agent.version, source);
        let origin = source.label();
        let registry = match source.kind {
            SourceKind::Npm => Registry::Npm,
            SourceKind::Crate => Registry::Crate,
            SourceKind::Pypi => Registry::Pypi,
            SourceKind::Git => return self.tagged(origin, scheme, &source.location, repo).await,
        };
        let mut packages = Vec::new();
        for name in names(source) {
            match package::versions(self.packages(), registry, name).await {
                Ok(versions) => packages.push((name.to_owned(), versions)),
                // An earlier name may be gone; the present one has to be there.
                Err(error) if name == source.location => return Err(error),
                Err(error) => tracing::warn!("{error}"),
            }
        }
        Ok(SourceVersions::of_packages(
            origin,
            scheme,
            &packages,
            |name, version| SourceSpec::Package {
                registry,
                name: name.to_owned(),
                version: version.to_owned(),
            },
        ))
    }

    async fn tagged(
        &self,
        origin: String,
        scheme: Scheme,
        location: &str,
        repo: Option<&Path>,
    ) -> Result<SourceVersions, ScanError> {
        if let Some(path) = repo {
            let tags = self.tags(&path.display().to_string()).await?;
            let spec = |tag: &str| SourceSpec::GitPath {
                path: path.to_owned(),
                revision: tag.to_owned(),
            };
            let name = |tag: &str| spec(tag).to_string();
            return Ok(SourceVersions::of_tags(origin, scheme, &tags, spec, name));
        }
        let url = self.github(location);
        let tags = self.tags(&url).await.map_err(|error| error.hide_url(&url, &origin))?;
        let spec = |tag: &str| SourceSpec::GitUrl {
            url: url.clone(),
            revision: tag.to_owned(),
        };
        Ok(SourceVersions::of_tags(origin, scheme, &tags, spec, |tag| {
            format!("git:{location}@{tag}")
        }))
    }

    /// The address of a repository that is known as `owner/name`.
    fn github(&self, location: &str) -> String {
        let base = self
            .packages()
            .and_then(|packages| packages.endpoints().github_web().ok())
            .map_or_else(|| GITHUB.to_owned(), |endpoint| endpoint.base().expose().to_string());
        format!("{}/{location}", base.trim_end_matches('/'))
    }

    /// Compares two versions of a source of an agent, with the files and roots that its file names for them. With
    /// `flags` the command-line flags are compared.
    pub async fn scan_agent(
        &self,
        source: &ScanSource,
        from: &SourceVersion,
        to: &SourceVersion,
        flags: bool,
    ) -> Result<AgentReport, ScanError> {
        let old = self.open(&from.name, &from.spec).await?;
        let new = self.open(&to.name, &to.spec).await?;
        let (scope, options, family) = if flags {
            let options = ScanOptions {
                flags,
                ..ScanOptions::default()
            };
            let family = source.eras.first().map_or_else(String::new, |era| era.family.clone());
            (Scope::new(&source.flags)?, options, family)
        } else {
            eras(source, &old, &new)?
        };
        let globs = scope.globs().to_vec();
        let report = self.compare(old, new, scope, options.clone()).await?;
        Ok(AgentReport {
            report,
            family,
            scope: globs,
            options,
        })
    }
}

/// What to read: for each side the first era that has a file there. Where they differ, one era that has files on both sides
/// is better than either: the same protocol in two notations gives false alarms. Without one, both are read.
fn eras(source: &ScanSource, old: &Snapshot, new: &Snapshot) -> Result<(Scope, ScanOptions, String), ScanError> {
    if source.eras.is_empty() {
        return Err(ScanError::NoTypes { origin: source.label() });
    }
    let mut scopes = Vec::new();
    for era in &source.eras {
        scopes.push((era, Scope::new(&era.scope)?));
    }
    let has_files = |side: &Snapshot, scope: &Scope| {
        let listing = side.list(scope);
        !listing.paths.is_empty() || !listing.skipped.is_empty()
    };
    let first_with_files = |side: &Snapshot| scopes.iter().find(|(_, scope)| has_files(side, scope));
    let mut found = (first_with_files(old), first_with_files(new));
    if let (Some((oldest, _)), Some((newest, _))) = found
        && !std::ptr::eq(*oldest, *newest)
    {
        let both = scopes
            .iter()
            .find(|(era, scope)| era.family == newest.family && has_files(old, scope) && has_files(new, scope));
        if both.is_some() {
            found = (both, both);
        }
    }
    let Some((newest, scope)) = found.1.or(found.0) else {
        let all: Vec<&String> = source.eras.iter().flat_map(|era| &era.scope).collect();
        let all = Scope::new(&all)?;
        return Err(ScanError::NothingInScope {
            scope: all.to_string(),
            from: old.name().to_owned(),
            to: new.name().to_owned(),
            near: near_paths(&all, agent_contracts_extractors::SourceTree::paths(new)),
        });
    };
    let mut read: Vec<&Era> = vec![newest];
    let mut scope = scope.clone();
    if let Some((oldest, other)) = found.0
        && !std::ptr::eq(*oldest, *newest)
    {
        read.push(oldest);
        scope = scope.union(other)?;
    }
    let mut options = ScanOptions::default();
    for root in read.iter().flat_map(|era| &era.roots) {
        options.directions.insert(root.type_name.clone(), root.direction);
    }
    // Where one of the eras names no roots, every type of the scope is one.
    if read.iter().all(|era| !era.roots.is_empty()) {
        options.roots = options.directions.keys().cloned().collect();
    }
    Ok((scope, options, newest.family.clone()))
}
