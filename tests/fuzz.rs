//! The entry points of `fuzz/`, without a fuzzer: every seed and everything that was ever found is read as it is, cut
//! off at several places, and with bytes changed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

#[path = "../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "they are what the fuzzing crate offers")]
mod entries;

/// The files of one target in `folder`.
fn files(folder: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz")
        .join(folder)
        .join(target);
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_target_has_a_binary_and_seeds() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/Cargo.toml")).unwrap();
    for (target, _) in entries::ENTRIES {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")),
            "{target}"
        );
        assert!(!files("seeds", target).is_empty(), "{target} has no seed");
    }
}

#[test]
fn what_was_found_stays_fixed() {
    for (target, entry) in entries::ENTRIES {
        for path in files("regressions", target) {
            entry(&std::fs::read(path).unwrap());
        }
    }
}

#[test]
fn seeds_whole_cut_and_changed() {
    for (target, entry) in entries::ENTRIES {
        for path in files("seeds", target) {
            let seed = std::fs::read(path).unwrap();
            entry(&seed);
            for changed in variants(&seed) {
                entry(&changed);
            }
        }
    }
}

/// A few broken copies: the same ones every time.
fn variants(seed: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for step in 1..6 {
        let at = seed.len() * step / 6;
        all.push(seed[..at].to_vec());
        for byte in [b'{', b'\n', 0xff] {
            let mut changed = seed.to_vec();
            if let Some(place) = changed.get_mut(at) {
                *place = byte;
            }
            all.push(changed);
        }
        let mut doubled = seed.to_vec();
        doubled.extend(&seed[at..]);
        all.push(doubled);
    }
    all
}
