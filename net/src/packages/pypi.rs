//! A project of a Python package index, from the JSON form of the simple API.
//!
//! Source: Python packaging specifications, "Simple repository API" (PEP 503, 691, 700), "Binary distribution format" and
//! "Source distribution file name" (PEP 427, 625).

use std::collections::BTreeMap;
use std::str::FromStr;

use pep440_rs::Version;
use serde::Deserialize;

use super::{Check, Listed, PackageError};
use crate::NetError;
use crate::archive::Format;

pub(super) const ACCEPT: &str = "application/vnd.pypi.simple.v1+json";

#[derive(Debug)]
pub(super) struct Project {
    package: String,
    files: Vec<(Version, Kind, File)>,
    /// Files that are neither wheels nor source distributions, or have no version in their name.
    others: usize,
}

#[derive(Deserialize)]
struct Document {
    files: Vec<File>,
}

#[derive(Debug, Clone, Deserialize)]
struct File {
    filename: String,
    url: String,
    #[serde(default)]
    hashes: BTreeMap<String, String>,
}

/// Kinds of file, the one to read first: a wheel for every platform holds just what is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    PureWheel,
    SourceTar,
    PlatformWheel,
    SourceZip,
}

/// The name by which an index knows a project (PEP 503).
pub(super) fn normalized(name: &str) -> String {
    let mut out = String::new();
    for part in name.split(['-', '_', '.']).filter(|part| !part.is_empty()) {
        if !out.is_empty() {
            out.push('-');
        }
        out.push_str(&part.to_ascii_lowercase());
    }
    out
}

pub(super) fn read(package: &str, name: &str, body: &[u8]) -> Result<Project, NetError> {
    if body.trim_ascii_start().starts_with(b"<") {
        let what = "the index answers in HTML only; name one that has the JSON form (PEP 691)";
        return Err(NetError::malformed(package, what));
    }
    let document: Document =
        serde_json::from_slice(body).map_err(|error| NetError::malformed(package, format!("its metadata: {error}")))?;
    let total = document.files.len();
    let mut files: Vec<(Version, Kind, File)> = document
        .files
        .into_iter()
        .filter_map(|file| version_of(name, &file.filename).map(|(version, kind)| (version, kind, file)))
        .collect();
    files.sort_by(|a, b| (&a.0, a.1, &a.2.filename).cmp(&(&b.0, b.1, &b.2.filename)));
    Ok(Project {
        package: package.to_owned(),
        others: total - files.len(),
        files,
    })
}

impl Project {
    pub(super) fn versions(&self) -> Vec<String> {
        let mut versions: Vec<String> = self.files.iter().map(|(version, ..)| version.to_string()).collect();
        versions.dedup();
        versions
    }

    pub(super) fn find(&self, version: &str) -> Result<Option<Listed>, PackageError> {
        let Ok(wanted) = Version::from_str(version) else {
            return Ok(None);
        };
        let Some((_, kind, file)) = self.files.iter().find(|(version, ..)| *version == wanted) else {
            if self.files.is_empty() && self.others > 0 {
                return Err(PackageError::NoArchive {
                    package: format!("{}@{version}", self.package),
                    why: "the index has neither a wheel nor a source distribution of it".to_owned(),
                });
            }
            return Ok(None);
        };
        let sum = file.hashes.get("sha256").and_then(|hex| Check::sha256_hex(hex));
        Ok(Some(Listed {
            address: file.url.clone(),
            checks: sum.into_iter().collect(),
            format: match kind {
                Kind::SourceTar => Format::TarGz,
                Kind::PureWheel | Kind::PlatformWheel | Kind::SourceZip => Format::Zip,
            },
            strip_first: matches!(kind, Kind::SourceTar | Kind::SourceZip),
        }))
    }
}

/// The version that the name of a file tells.
fn version_of(project: &str, file: &str) -> Option<(Version, Kind)> {
    if let Some(stem) = file.strip_suffix(".whl") {
        let kind = if stem.ends_with("-none-any") {
            Kind::PureWheel
        } else {
            Kind::PlatformWheel
        };
        return Some((Version::from_str(stem.split('-').nth(1)?).ok()?, kind));
    }
    let (stem, kind) = match file.strip_suffix(".tar.gz") {
        Some(stem) => (stem, Kind::SourceTar),
        None => (file.strip_suffix(".zip")?, Kind::SourceZip),
    };
    // Older names hold `-` themselves, so the version follows the one behind which the project's name ends.
    let at = stem
        .match_indices('-')
        .map(|(at, _)| at)
        .find(|&at| normalized(&stem[..at]) == normalized(project))?;
    Some((Version::from_str(&stem[at + 1..]).ok()?, kind))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn project(files: &[&str]) -> Project {
        let files: Vec<String> = files
            .iter()
            .map(|name| {
                format!(
                    r#"{{"filename":"{name}","url":"../{name}","hashes":{{"sha256":"{}"}}}}"#,
                    "0".repeat(64)
                )
            })
            .collect();
        read(
            "pypi:Odd.Name",
            "Odd.Name",
            format!(r#"{{"files":[{}]}}"#, files.join(",")).as_bytes(),
        )
        .unwrap()
    }

    #[test]
    fn the_best_file_of_a_version_is_taken() {
        let project = project(&[
            "odd_name-1.10.0.tar.gz",
            "odd_name-1.10.0-cp312-cp312-manylinux_2_17_x86_64.whl",
            "odd_name-1.10.0-py3-none-any.whl",
            "Odd-Name-1.9.tar.gz",
            "Odd-Name-1.9-cp312-cp312-win_amd64.whl",
            "odd_name-1.8-1-cp312-cp312-win_amd64.whl",
            "odd.name-1.7rc1.zip",
            "odd_name-1.6.exe",
        ]);
        assert_eq!(project.versions(), ["1.7rc1", "1.8", "1.9", "1.10.0"]);
        let file = |version: &str| project.find(version).unwrap().unwrap();
        assert_eq!(file("1.10").address, "../odd_name-1.10.0-py3-none-any.whl");
        assert_eq!(file("1.9.0").address, "../Odd-Name-1.9.tar.gz");
        assert!(file("1.9").strip_first && !file("1.8").strip_first);
        assert_eq!(file("1.7.rc1").format, Format::Zip);
        assert_eq!(project.find("2.0").unwrap(), None);
        assert_eq!(project.find("not a version").unwrap(), None);
        assert_eq!(file("1.8").checks[0].kind(), "SHA-256");
    }

    #[test]
    fn what_has_no_archive_is_said() {
        let error = project(&["odd_name-1.6.exe"]).find("1.6").unwrap_err();
        insta::assert_snapshot!(error, @"pypi:Odd.Name@1.6: the index has neither a wheel nor a source distribution of it");
        assert!(
            read("pypi:x", "x", b"<!DOCTYPE html>")
                .unwrap_err()
                .to_string()
                .contains("HTML")
        );
        assert_eq!(normalized("A.b__C--d"), "a-b-c-d");
    }
}
