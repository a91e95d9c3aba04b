//! `npm:`, `crate:` and `pypi:`: one version of a package, read from its archive in memory.

use std::sync::Arc;

use agent_contracts_net::archive::{Content, Skip, Unpacked};
use agent_contracts_net::packages::{Keep, Package};
use agent_contracts_net::{NetError, PackageError, PackageRegistry, Packages};
use agent_contracts_wire::canonical::sha256;

use super::{ContentId, Listing, Opened, Registry, Skipped, Tree, Unavailable, npm};
use crate::error::ScanError;
use crate::scope::Scope;

/// Files of other kinds are kept up to this size; manifests and help texts are among them, and bundles are not.
const SMALL: u64 = 1 << 20;
/// Endings of files that types are written in.
const KINDS: [&str; 10] = ["ts", "mts", "cts", "tsx", "json", "rs", "go", "py", "pyi", "proto"];

/// What is kept of a package. It does not ask the extractors, so that a new version of them needs no new download.
const KEEP: Keep = Keep {
    id: "sources-1",
    rule: |path, size| size <= SMALL || path.rsplit('.').next().is_some_and(|ending| KINDS.contains(&ending)),
};

/// Gets one version.
pub(crate) async fn fetch(
    packages: Option<&Packages>,
    registry: Registry,
    name: &str,
    version: &str,
) -> Result<Package, ScanError> {
    let origin = format!("{}:{name}@{version}", registry.prefix());
    let Some(packages) = packages else {
        return Err(ScanError::Unreachable {
            origin,
            problem: "packages cannot be asked for here".to_owned(),
            hint: "unpack it, and give dir:PATH".to_owned(),
        });
    };
    let package = packages.package(registry.into(), name, version, KEEP).await;
    package.map_err(|error| explain(&origin, error))
}

/// Every version of a package, as the registry orders them.
pub(crate) async fn versions(
    packages: Option<&Packages>,
    registry: Registry,
    name: &str,
) -> Result<Vec<String>, ScanError> {
    let origin = format!("{}:{name}", registry.prefix());
    let Some(packages) = packages else {
        return Err(ScanError::Unreachable {
            origin,
            problem: "packages cannot be asked for here".to_owned(),
            hint: "name the versions".to_owned(),
        });
    };
    let versions = packages.versions(registry.into(), name).await;
    versions.map_err(|error| explain(&origin, error))
}

/// The files of a package.
pub(crate) fn open(registry: Registry, package: Package) -> Opened {
    let unpacked = package.unpacked;
    let missing = match registry {
        Registry::Npm => npm::declared_and_missing(&unpacked.files),
        Registry::Crate | Registry::Pypi => Vec::new(),
    };
    Opened {
        tree: Arc::new(PackageTree { unpacked, missing }),
        revision: Some(package.sha256),
    }
}

struct PackageTree {
    unpacked: Unpacked,
    /// Files that the manifest names and the archive does not hold.
    missing: Vec<Skipped>,
}

impl Tree for PackageTree {
    fn list(&self, scope: Option<&Scope>) -> Listing {
        let named = |path: &str| scope.is_none_or(|scope| scope.matches(path));
        let skipped = self.unpacked.skipped.iter().map(|(path, why)| Skipped {
            path: path.clone(),
            why: match why {
                Skip::Link(target) => Unavailable::Link {
                    target: target.clone(),
                    why: "links in archives are not read",
                },
                Skip::Name => Unavailable::Name { content: None },
            },
        });
        let mut skipped: Vec<Skipped> = skipped
            .chain(self.missing.iter().cloned())
            .filter(|skipped| named(&skipped.path))
            .collect();
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Listing {
            paths: self.unpacked.files.keys().filter(|path| named(path)).cloned().collect(),
            skipped,
        }
    }

    fn content_id(&self, path: &str) -> Result<ContentId, Unavailable> {
        Ok(ContentId(sha256(&self.read(path)?)))
    }

    fn read(&self, path: &str) -> Result<Arc<[u8]>, Unavailable> {
        match self.unpacked.files.get(path) {
            Some(Content::Kept(bytes)) => Ok(Arc::clone(bytes)),
            Some(Content::NotKept(size) | Content::TooLarge(size)) => Err(Unavailable::TooLarge { size: *size }),
            None => Err(Unavailable::NotThere),
        }
    }
}

impl From<Registry> for PackageRegistry {
    fn from(registry: Registry) -> Self {
        match registry {
            Registry::Npm => Self::Npm,
            Registry::Crate => Self::Crates,
            Registry::Pypi => Self::Pypi,
        }
    }
}

/// Says who has to act on an error.
fn explain(origin: &str, error: PackageError) -> ScanError {
    match error {
        PackageError::NoSuchVersion {
            package,
            version,
            known,
        } => ScanError::missing_version(&package, &version, &known),
        PackageError::NoSuchPackage { .. } => ScanError::unreadable(
            origin,
            "there is no such package",
            "check its name, and whether it needs a login",
        ),
        PackageError::NoArchive { why, .. } => ScanError::unreadable(origin, why, "name another version"),
        PackageError::WrongSum { kind, .. } => ScanError::unreadable(
            origin,
            format!("its archive does not have the {kind} that the registry tells"),
            "try again; if it stays, do not trust the archive",
        ),
        PackageError::Refused { why, .. } => ScanError::unreadable(
            origin,
            format!("its archive is refused: {why}"),
            "nothing of it was read; look at the archive by hand before you trust it",
        ),
        PackageError::Net(error) => {
            let text = error.to_string();
            let problem = text
                .strip_prefix(error.name())
                .and_then(|rest| rest.strip_prefix(": "))
                .unwrap_or(&text)
                .to_owned();
            match error {
                NetError::Malformed { .. } | NetError::TooLarge { .. } | NetError::NotFound { .. } | NetError::Gone { .. } => {
                    ScanError::unreadable(origin, problem, "try again; if it stays, report it to the registry")
                }
                _ => ScanError::Unreachable {
                    origin: origin.to_owned(),
                    problem,
                    hint: "check the network and the client of this registry (npm, cargo, pip), or unpack it and give dir:PATH".to_owned(),
                },
            }
        }
        other => ScanError::unreadable(origin, other, "try again"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_every_language_are_kept_at_any_size() {
        for path in ["a.d.ts", "a.tsx", "a.mts", "a.json", "a.rs", "a.go", "a.py", "a.pyi"] {
            assert!((KEEP.rule)(path, SMALL * 10), "{path}");
        }
        assert!((KEEP.rule)("README.md", 10));
        assert!(!(KEEP.rule)("cli.js", SMALL + 1));
    }
}
