//! Which paths are paths of the tree.

use std::fs;
use std::path::{Path, PathBuf};

use super::StoreError;

/// Whether a name may stand in a path: what [`agent_contracts_wire::place::component`] makes, and nothing hidden.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'-' | b'@' | b'%'))
}

/// The place of `path` below `root`, which must be canonical if it exists.
pub(super) fn resolve(root: &Path, path: &str) -> Result<PathBuf, StoreError> {
    let refuse = |why| StoreError::Path {
        path: path.to_owned(),
        why,
    };
    if path.starts_with('/') {
        return Err(refuse("it starts at the root of the file system"));
    }
    let mut place = root.to_owned();
    let mut exists = true;
    for name in path.split('/') {
        if name == ".." || name == "." {
            return Err(refuse("it goes up"));
        }
        if !is_plain(name) {
            return Err(refuse(
                "a name in it is empty, hidden or holds a character that is not portable",
            ));
        }
        place.push(name);
        exists = exists && check(root, &place, path)?;
    }
    Ok(place)
}

/// Refuses a link that leads out. Says whether there is anything at `place`.
fn check(root: &Path, place: &Path, path: &str) -> Result<bool, StoreError> {
    let Ok(found) = fs::symlink_metadata(place) else {
        return Ok(false);
    };
    if found.is_symlink() {
        let inside = fs::canonicalize(place).is_ok_and(|target| target.starts_with(root));
        if !inside {
            return Err(StoreError::Leaves {
                path: path.to_owned(),
                tree: root.to_owned(),
            });
        }
    }
    Ok(true)
}
