//! `manifest.json`: every byte of a published tree.

use std::collections::HashSet;

use crate::manifest::FILE;
use crate::records::Manifest;
use crate::store::Store;
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

pub(super) fn check(manifest: &Manifest, teller: &mut Teller<'_>) {
    if !manifest.files.windows(2).all(|pair| pair[0].path < pair[1].path) {
        teller.error(
            "MAN023",
            "/files",
            "another order, or one twice",
            "files sorted by path, each once",
        );
    }
}

pub(super) fn across(index: &Index, store: &Store) -> Vec<Problem> {
    let mut teller = Teller::new(FILE);
    let Some(manifest) = store.read_json::<Manifest>(FILE).ok().flatten() else {
        return Vec::new();
    };
    for (at, file) in manifest.files.iter().enumerate() {
        let path = file.path.as_str();
        match (index.files.get(path), index.hashes.get(path)) {
            (None, _) => teller.error("MAN020", format!("/files/{at}/path"), "nothing", path),
            (Some(_), Some(sha256)) if *sha256 == file.sha256 => {}
            (Some(_), sha256) => teller.error(
                "MAN021",
                format!("/files/{at}/sha256"),
                format!("{path}: {}", sha256.map_or("not read", |sha256| sha256.as_str())),
                file.sha256.as_str(),
            ),
        }
    }
    let listed: HashSet<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
    for path in index
        .files
        .keys()
        .filter(|path| *path != FILE && !listed.contains(path.as_str()))
    {
        teller.error("MAN022", "/files", path, "a file of the manifest");
    }
    teller.into_problems()
}
