//! Gives the crate a name for the state of all that reads and compares, so that kept steps of another state are not used.

use std::path::{Path, PathBuf};

/// FNV-1a, 64 bits: the same on every machine and with every compiler, unlike the standard library's hasher.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let mut found = Vec::new();
    for folder in ["src", "../extractors/src", "../wire/src"] {
        println!("cargo::rerun-if-changed={folder}");
        sources(Path::new(folder), &mut found)?;
    }
    found.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for path in found {
        hash = fnv(hash, path.to_string_lossy().replace('\\', "/").as_bytes());
        hash = fnv(hash, &std::fs::read(&path)?);
    }
    println!("cargo::rustc-env=AGENT_CONTRACTS_STEPS={hash:016x}");
    Ok(())
}
