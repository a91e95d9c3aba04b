//! Scans of a known agent: which versions there are, and what its file says to read of them.

use std::path::Path;

use agent_contracts_config::agent::{AgentDef, ScanSource, SourceKind};
use agent_contracts_config::scheme::Scheme;

use crate::eras::{Reading, reading};
use crate::error::ScanError;
use crate::report::ScanReport;
use crate::scan::{ScanOptions, Scanner};
use crate::scope::Scope;
use crate::source::package;
use crate::source::{Registry, SourceSpec};
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
    /// The globs that were read at the new version.
    pub scope: Vec<String>,
    /// Those that were read at the old version, where it spoke another dialect; otherwise they are the same.
    pub old_scope: Option<Vec<String>>,
    /// Where the comparison started, and who writes what, at the new version.
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
        let (reading, family) = if flags {
            let options = ScanOptions {
                flags,
                ..ScanOptions::default()
            };
            let family = source.eras.first().map_or_else(String::new, |era| era.family.clone());
            (Reading::alike(Scope::new(&source.flags)?, options), family)
        } else {
            reading(source, &old, &new)?
        };
        let report = self.read(old, new, reading.clone()).await?;
        Ok(AgentReport {
            report,
            family,
            scope: reading.new.globs().to_vec(),
            old_scope: reading.other_dialect.map(|_| reading.old.globs().to_vec()),
            options: reading.options,
        })
    }
}
