//! Packages of registries: which archive holds a version, and its bytes, checked.
//!
//! One file per registry reads that registry's metadata; asking, checking and keeping are the same for all. An archive
//! never changes, so what was read of it is kept in the state directory, and a version that is there is not asked for
//! again. Nothing without a check sum is used. No address gets into an error.

use std::path::{Path, PathBuf};

use agent_contracts_wire::canonical::sha256;
use serde::{Deserialize, Serialize};

use crate::archive::{ArchiveError, Format, Limits, Unpacked, Wanted, unpack};
use crate::client::Client;
use crate::endpoints::{Endpoint, Endpoints};
use crate::request::{Freshness, Request};
use crate::{NetError, PrivateUrl};

mod checks;
mod crates;
mod npm;
mod pypi;
mod stored;

pub use checks::Check;

/// The registries that packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PackageRegistry {
    /// npm.
    Npm,
    /// PyPI.
    Pypi,
    /// crates.io.
    Crates,
}

impl PackageRegistry {
    /// The word before the colon of a source.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Crates => "crate",
        }
    }
}

/// One version of a package, read.
#[derive(Debug, Clone)]
pub struct Package {
    /// What its archive holds.
    pub unpacked: Unpacked,
    /// `sha256:` and the hash of the archive.
    pub sha256: String,
}

/// Which files of a package are read.
#[derive(Debug, Clone, Copy)]
pub struct Keep {
    /// Names the rule; what was kept under another rule is not used. Change it with the rule.
    pub id: &'static str,
    /// Whether the content of a file is kept, by its path and size. Others are only listed.
    pub rule: fn(&str, u64) -> bool,
}

/// Why a package cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackageError {
    /// The registry has no such package.
    #[error("{package}: there is no such package")]
    NoSuchPackage {
        /// The package, as in `npm:name`.
        package: String,
    },
    /// The package has no such version.
    #[error("{package} has no version `{version}`")]
    NoSuchVersion {
        /// The package, as in `npm:name`.
        package: String,
        /// The version that was asked for.
        version: String,
        /// The versions that there are, as the registry orders them.
        known: Vec<String>,
    },
    /// The version has no archive that can be read.
    #[error("{package}: {why}")]
    NoArchive {
        /// The package and version, as in `npm:name@1.2.3`.
        package: String,
        /// What there is instead.
        why: String,
    },
    /// The archive is not what the registry says that it is.
    #[error("{package}: the archive does not have the {kind} that the registry tells")]
    WrongSum {
        /// The package and version, as in `npm:name@1.2.3`.
        package: String,
        /// The kind of check sum.
        kind: &'static str,
    },
    /// The archive cannot be read, or must not be.
    #[error("{package}: its archive is refused: {why}")]
    Refused {
        /// The package and version, as in `npm:name@1.2.3`.
        package: String,
        /// Why.
        why: ArchiveError,
    },
    /// It could not be asked for or the answer cannot be read.
    #[error(transparent)]
    Net(#[from] NetError),
}

/// What the metadata of a registry says of one version.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Listed {
    /// Where the archive is, as the registry writes it.
    address: String,
    /// Its check sums, the strongest first.
    checks: Vec<Check>,
    format: Format,
    strip_first: bool,
}

/// What is noted of a version that was downloaded.
#[derive(Debug, Serialize, Deserialize)]
struct Note {
    /// The hash of the archive.
    archive: String,
    /// The hash of what is kept of it.
    kept: String,
    /// The rule by which it was kept.
    rule: String,
}

/// Packages, by way of a client.
#[derive(Clone)]
pub struct Packages {
    client: Client,
    endpoints: Endpoints,
    /// Where archives are kept.
    folder: Option<PathBuf>,
}

impl std::fmt::Debug for Packages {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packages(…)")
    }
}

impl Packages {
    /// Packages that `client` asks for at `endpoints`; archives are kept below `state`.
    pub fn new(client: Client, endpoints: Endpoints, state: Option<&Path>) -> Self {
        Self {
            client,
            endpoints,
            folder: state.map(|state| state.join("packages")),
        }
    }

    /// Where things are asked for.
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// Every version of a package, as the registry orders them.
    pub async fn versions(&self, registry: PackageRegistry, name: &str) -> Result<Vec<String>, PackageError> {
        let metadata = self.metadata(registry, name, Freshness::Revalidate).await?;
        Ok(metadata.versions())
    }

    /// One version.
    pub async fn package(
        &self,
        registry: PackageRegistry,
        name: &str,
        version: &str,
        keep: Keep,
    ) -> Result<Package, PackageError> {
        let package = format!("{}:{name}@{version}", registry.prefix());
        if let Some(kept) = self.kept(&package, keep) {
            return Ok(kept);
        }
        // Metadata that was asked for before tells as much of a version that it has.
        let mut metadata = self.metadata(registry, name, Freshness::Forever).await?;
        if metadata.find(version)?.is_none() {
            metadata = self.metadata(registry, name, Freshness::Revalidate).await?;
        }
        let Some(listed) = metadata.find(version)? else {
            return Err(PackageError::NoSuchVersion {
                package: format!("{}:{name}", registry.prefix()),
                version: version.to_owned(),
                known: metadata.versions(),
            });
        };
        if listed.checks.is_empty() {
            let why = "the registry tells no check sum of it".to_owned();
            return Err(PackageError::NoArchive { package, why });
        }
        let bytes = self.download(&package, name, &metadata, &listed).await?;
        // Large archives take seconds to check and unpack; nobody else shall wait for that.
        let name = package.clone();
        let read = tokio::task::spawn_blocking(move || read(name, &bytes, &listed, keep)).await;
        let read =
            read.map_err(|error| NetError::malformed(&package, format!("reading it failed inside: {error}")))??;
        if let Err(error) = self.put(&package, &read, keep) {
            tracing::warn!("{package}: it is not kept, and asked for again next time: {error}");
        }
        Ok(read)
    }

    async fn metadata(
        &self,
        registry: PackageRegistry,
        name: &str,
        freshness: Freshness,
    ) -> Result<Metadata, PackageError> {
        let package = format!("{}:{name}", registry.prefix());
        let (endpoint, url, accept) = match registry {
            PackageRegistry::Npm => {
                let endpoint = self.endpoints.npm(name)?;
                let url = endpoint.join(&[name]);
                (endpoint, url, npm::ACCEPT)
            }
            PackageRegistry::Pypi => {
                let endpoint = self.endpoints.pypi()?;
                let url = endpoint.join(&[&pypi::normalized(name), ""]);
                (endpoint, url, pypi::ACCEPT)
            }
            PackageRegistry::Crates => {
                let endpoint = self.endpoints.crates()?;
                let path = crates::index_path(name);
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                let url = endpoint.join(&path);
                (endpoint, url, "*/*")
            }
        };
        let body = self.get(&package, &endpoint, url.clone(), accept, freshness).await;
        let body = match body {
            Err(NetError::NotFound { .. } | NetError::Gone { .. }) => {
                return Err(PackageError::NoSuchPackage { package });
            }
            body => body?,
        };
        let listing = match registry {
            PackageRegistry::Npm => Listing::Npm(npm::read(&package, &body)?),
            PackageRegistry::Pypi => Listing::Pypi(pypi::read(&package, name, &body)?),
            PackageRegistry::Crates => {
                let config = endpoint.join(&["config.json"]);
                let config = self.get(&package, &endpoint, config, "*/*", Freshness::Forever).await?;
                Listing::Crates(crates::read(&package, name, &body, &config)?)
            }
        };
        Ok(Metadata { endpoint, url, listing })
    }

    async fn get(
        &self,
        package: &str,
        endpoint: &Endpoint,
        url: PrivateUrl,
        accept: &'static str,
        freshness: Freshness,
    ) -> Result<Vec<u8>, NetError> {
        let request = Request::new(package, url)
            .with_auth_of(endpoint)
            .accept(accept)
            .freshness(freshness);
        Ok(self.client.get(&request).await?.body)
    }

    async fn download(
        &self,
        package: &str,
        name: &str,
        metadata: &Metadata,
        listed: &Listed,
    ) -> Result<Vec<u8>, PackageError> {
        let told = metadata.url.expose().join(&listed.address);
        let told =
            told.map_err(|error| NetError::malformed(package, format!("the address of the archive: {error}")))?;
        let told = PrivateUrl::parse(package, told.as_str())?;
        let mut places = Vec::new();
        // A mirror hands out metadata that name the place where it has its archives from, which only the mirror reaches.
        if let Listing::Npm(_) = metadata.listing
            && !told.same_origin(metadata.endpoint.base())
            && let Some(segments) = npm::standard_place(name, &told)
        {
            let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
            places.push(metadata.endpoint.join(&segments));
        }
        places.push(told);
        let mut last = None;
        for place in places {
            let request = Request::archive(package, place).with_auth_of(&metadata.endpoint);
            match self.client.get(&request).await {
                Ok(fetched) => return Ok(fetched.body),
                Err(error) => last = Some(error),
            }
        }
        let nothing = || NetError::malformed(package, "it names no address of the archive");
        Err(last.unwrap_or_else(nothing).into())
    }

    /// `package`, when it was downloaded before and what was kept of it is still what it was.
    fn kept(&self, package: &str, keep: Keep) -> Option<Package> {
        let folder = self.folder.as_ref()?;
        let note = std::fs::read(folder.join(file_name(package, "json"))).ok()?;
        let note: Note = serde_json::from_slice(&note).ok()?;
        let bytes = std::fs::read(folder.join(file_name(package, "files"))).ok()?;
        if note.rule != keep.id || sha256(&bytes) != note.kept {
            return None;
        }
        Some(Package {
            unpacked: stored::decode(&bytes)?,
            sha256: note.archive,
        })
    }

    fn put(&self, package: &str, read: &Package, keep: Keep) -> std::io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let bytes = stored::encode(&read.unpacked)?;
        let note = Note {
            archive: read.sha256.clone(),
            kept: sha256(&bytes),
            rule: keep.id.to_owned(),
        };
        std::fs::create_dir_all(folder)?;
        put(folder, &file_name(package, "files"), &bytes)?;
        put(folder, &file_name(package, "json"), &serde_json::to_vec(&note)?)
    }
}

/// Checks and unpacks an archive.
fn read(package: String, bytes: &[u8], listed: &Listed, keep: Keep) -> Result<Package, PackageError> {
    if let Some(check) = listed.checks.iter().find(|check| !check.holds(bytes)) {
        let kind = check.kind();
        return Err(PackageError::WrongSum { package, kind });
    }
    let wanted = Wanted {
        strip_first: listed.strip_first,
        keep: &keep.rule,
        limits: Limits::default(),
    };
    match unpack(bytes, listed.format, wanted) {
        Ok(unpacked) => Ok(Package {
            unpacked,
            sha256: sha256(bytes),
        }),
        Err(why) => Err(PackageError::Refused { package, why }),
    }
}

/// Writes a file in one step.
fn put(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(folder.join(name)).map(drop).map_err(|error| error.error)
}

fn file_name(package: &str, ending: &str) -> String {
    let hash = sha256(package.as_bytes());
    format!("{}.{ending}", hash.trim_start_matches("sha256:"))
}

/// The metadata of one package.
struct Metadata {
    endpoint: Endpoint,
    /// Where it was asked for; addresses in it may be relative to that.
    url: PrivateUrl,
    listing: Listing,
}

enum Listing {
    Npm(npm::Packument),
    Pypi(pypi::Project),
    Crates(crates::Versions),
}

impl Metadata {
    fn versions(&self) -> Vec<String> {
        match &self.listing {
            Listing::Npm(packument) => packument.versions(),
            Listing::Pypi(project) => project.versions(),
            Listing::Crates(versions) => versions.versions(),
        }
    }

    fn find(&self, version: &str) -> Result<Option<Listed>, PackageError> {
        match &self.listing {
            Listing::Npm(packument) => packument.find(version),
            Listing::Pypi(project) => project.find(version),
            Listing::Crates(versions) => Ok(versions.find(version)),
        }
    }
}

#[cfg(test)]
mod tests;
