//! For build scripts: a name for the state of source files.

use std::path::{Path, PathBuf};

/// FNV-1a, 64 bits: the same on every machine and with every compiler, unlike the standard library's hasher.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn sources(place: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !place.is_dir() {
        found.push(place.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(place)? {
        sources(&entry?.path(), found)?;
    }
    Ok(())
}

/// Gives the crate the environment variable `name`: 16 hex digits over the names and bytes of all files at `places`,
/// which are files or folders beside the build script.
pub(crate) fn give(name: &str, places: &[&str]) -> std::io::Result<()> {
    let mut found = Vec::new();
    for place in places {
        println!("cargo::rerun-if-changed={place}");
        sources(Path::new(place), &mut found)?;
    }
    found.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for path in found {
        hash = fnv(hash, path.to_string_lossy().replace('\\', "/").as_bytes());
        hash = fnv(hash, &std::fs::read(&path)?);
    }
    println!("cargo::rustc-env={name}={hash:016x}");
    Ok(())
}
