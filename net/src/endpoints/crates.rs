//! The sparse index of crates.io, as cargo finds it: `CARGO_REGISTRIES_CRATES_IO_INDEX`, source replacement in
//! `.cargo/config.toml`, and else the index that cargo itself uses, which the crate `tame-index` knows.

use std::path::PathBuf;

use tame_index::{IndexUrl, PathBuf as Utf8PathBuf};

use super::{Endpoint, Registry, Surroundings};
use crate::NetError;

/// The first cargo that asks the sparse index by default; naming it keeps `tame-index` from running cargo.
const CARGO: &str = "1.70.0";

pub(super) fn find(surroundings: &Surroundings) -> Result<Option<Endpoint>, NetError> {
    let unavailable = |why: &str| NetError::Unavailable {
        name: Registry::Crates.name().into(),
        why: why.into(),
    };
    if let Some(address) = surroundings.var("CARGO_REGISTRIES_CRATES_IO_INDEX") {
        return sparse(address, "the environment").map(Some);
    }
    let utf8 = |path: PathBuf| Utf8PathBuf::from_path_buf(path).ok();
    let home = surroundings
        .var("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(surroundings.home.as_ref()?.join(".cargo")))
        .and_then(utf8);
    let root = surroundings.cwd.clone().and_then(utf8);
    let found = IndexUrl::crates_io(root, home.as_deref(), Some(CARGO))
        .map_err(|_| unavailable("cargo's configuration cannot be read"))?;
    match &found {
        IndexUrl::CratesIoSparse => sparse(found.as_str(), "cargo's default").map(Some),
        IndexUrl::NonCratesIo(address) => sparse(address, "cargo's configuration").map(Some),
        IndexUrl::CratesIoGit | IndexUrl::Local(_) => {
            Err(unavailable("cargo is told to use an index that is no sparse one"))
        }
    }
}

/// A sparse index is written `sparse+https://…/`.
fn sparse(address: &str, origin: &'static str) -> Result<Endpoint, NetError> {
    match address.strip_prefix("sparse+") {
        Some(address) => Endpoint::new(Registry::Crates, address, origin),
        None => Err(NetError::Unavailable {
            name: Registry::Crates.name().into(),
            why: format!("the index that {origin} gives is no sparse one"),
        }),
    }
}
