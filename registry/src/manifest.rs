//! Makes the manifest of a tree.

use agent_contracts_wire::formats::{RelPath, SchemaVersion, Semver, Sha256, UtcTime};

use crate::records::{Manifest, ManifestFile};
use crate::store::{EntryKind, Store, StoreError};

/// The manifest's own file.
pub const FILE: &str = "manifest.json";

/// Every plain file of the tree but the manifest, with its hash.
pub fn of(store: &Store, now: UtcTime, tool_version: Semver) -> Result<Manifest, StoreError> {
    let mut files = Vec::new();
    for entry in store.walk()? {
        if entry.kind != EntryKind::File || entry.path == FILE {
            continue;
        }
        let (Ok(path), Some(bytes)) = (entry.path.parse::<RelPath>(), store.read(&entry.path)?) else {
            continue;
        };
        files.push(ManifestFile {
            path,
            sha256: Sha256::of(&bytes),
            bytes: entry.bytes,
        });
    }
    files.sort();
    Ok(Manifest {
        schema_version: SchemaVersion,
        generated_at: now,
        tool_version,
        files,
    })
}
