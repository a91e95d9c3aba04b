//! The packument of an npm package, in its abbreviated form.
//!
//! Source: npm's registry documentation, `docs/responses/package-metadata.md`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Check, Listed, PackageError};
use crate::archive::Format;
use crate::{NetError, PrivateUrl};

/// The abbreviated form, which has all that is needed; a registry that does not know it sends the whole.
pub(super) const ACCEPT: &str = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

#[derive(Debug)]
pub(super) struct Packument {
    package: String,
    versions: BTreeMap<String, Version>,
}

#[derive(Deserialize)]
struct Document {
    /// Absent when everything was unpublished.
    #[serde(default)]
    versions: BTreeMap<String, Version>,
}

#[derive(Debug, Deserialize)]
struct Version {
    dist: Option<Dist>,
}

#[derive(Debug, Deserialize)]
struct Dist {
    tarball: Option<String>,
    integrity: Option<String>,
    shasum: Option<String>,
}

pub(super) fn read(package: &str, body: &[u8]) -> Result<Packument, NetError> {
    let malformed = |problem: String| NetError::malformed(package, format!("its metadata: {problem}"));
    // serde would read a list as a struct whose members are all left out.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(malformed("no JSON object".to_owned()));
    }
    let document: Document = serde_json::from_slice(body).map_err(|error| malformed(error.to_string()))?;
    Ok(Packument {
        package: package.to_owned(),
        versions: document.versions,
    })
}

impl Packument {
    /// Semantic versions in their order, then what is none.
    pub(super) fn versions(&self) -> Vec<String> {
        let mut all: Vec<(Option<semver::Version>, &String)> = self
            .versions
            .keys()
            .map(|text| (semver::Version::parse(text).ok(), text))
            .collect();
        all.sort_by(|a, b| a.0.is_none().cmp(&b.0.is_none()).then_with(|| a.cmp(b)));
        all.into_iter().map(|(_, text)| text.clone()).collect()
    }

    pub(super) fn find(&self, version: &str) -> Result<Option<Listed>, PackageError> {
        let Some(found) = self.versions.get(version) else {
            return Ok(None);
        };
        let dist = found.dist.as_ref();
        let Some(address) = dist.and_then(|dist| dist.tarball.clone()) else {
            return Err(PackageError::NoArchive {
                package: format!("{}@{version}", self.package),
                why: "its metadata names no tarball".to_owned(),
            });
        };
        let integrity = dist.and_then(|dist| Check::integrity(dist.integrity.as_deref()?));
        let shasum = dist.and_then(|dist| Check::sha1_hex(dist.shasum.as_deref()?));
        Ok(Some(Listed {
            address,
            checks: integrity.or(shasum).into_iter().collect(),
            format: Format::TarGz,
            strip_first: true,
        }))
    }
}

/// The path that npm registries have an archive under, `NAME/-/FILE`, when `told` ends like that.
pub(super) fn standard_place(name: &str, told: &PrivateUrl) -> Option<Vec<String>> {
    let segments = told.path_segments();
    let file = segments.last()?;
    let divider = segments.len().checked_sub(2)?;
    if segments[divider] != "-" {
        return None;
    }
    let mut place: Vec<String> = name.split('/').map(str::to_owned).collect();
    place.push("-".to_owned());
    place.push((*file).to_owned());
    Some(place)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_version_is_found_with_its_sum() {
        let body = br#"{"name":"p","versions":{
            "1.10.0":{"dist":{"tarball":"https://r.example/p/-/p-1.10.0.tgz","shasum":"da39a3ee5e6b4b0d3255bfef95601890afd80709"}},
            "1.9.0":{"dist":{"tarball":"https://r.example/p/-/p-1.9.0.tgz"}},
            "2.0.0-rc.1":{},
            "oddly":{"dist":{}}}}"#;
        let packument = read("npm:p", body).unwrap();
        assert_eq!(packument.versions(), ["1.9.0", "1.10.0", "2.0.0-rc.1", "oddly"]);
        let found = packument.find("1.10.0").unwrap().unwrap();
        assert_eq!(found.checks[0].kind(), "SHA-1");
        assert!(packument.find("1.9.0").unwrap().unwrap().checks.is_empty());
        assert_eq!(packument.find("3.0.0").unwrap(), None);
        insta::assert_snapshot!(packument.find("2.0.0-rc.1").unwrap_err(), @"npm:p@2.0.0-rc.1: its metadata names no tarball");
        assert!(read("npm:p", b"{\"versions\": [").is_err());
        assert!(read("npm:p", b"{}").unwrap().versions().is_empty());
        for no_object in [&b"[]"[..], b"null", b"\"gone\""] {
            assert!(read("npm:p", no_object).is_err());
        }
    }

    #[test]
    fn the_standard_place_is_seen() {
        let place = |name: &str, url: &str| {
            let url = PrivateUrl::parse("t", url).unwrap();
            standard_place(name, &url).map(|segments| segments.join("/"))
        };
        let told = "https://elsewhere.example/npm/@s/p/-/p-1.0.0.tgz";
        assert_eq!(place("@s/p", told).as_deref(), Some("@s/p/-/p-1.0.0.tgz"));
        assert_eq!(place("p", "https://elsewhere.example/files/p-1.0.0.tgz"), None);
    }
}
