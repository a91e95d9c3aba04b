//! Version schemes and their order.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// How the versions of an agent are written and ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VersionScheme {
    /// Semantic versions, with tolerance for two numbers (`1.27`).
    #[default]
    Semver,
    /// PEP 440.
    Pep440,
    /// Dates, as `2025-11-25` or `2026.5.1-1`.
    Calver,
    /// `0.0.EPOCH-gHASH`: ordered by the epoch, the hash is not compared and makes no prerelease.
    EpochHash,
}

/// A text that a scheme could read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadVersion {
    /// The version as the scheme writes it: `1.27` is `1.27.0` as a semantic version.
    pub text: String,
    /// Whether the scheme calls it a prerelease.
    pub prerelease: bool,
}

impl VersionScheme {
    /// Reads a version. `None` for what is none in this scheme.
    #[must_use]
    pub fn read(self, text: &str) -> Option<ReadVersion> {
        let (text, prerelease) = match self {
            Self::Semver => semver(text).map(|version| (version.to_string(), !version.pre.is_empty())),
            Self::Pep440 => {
                let version: pep440_rs::Version = text.parse().ok()?;
                Some((version.to_string(), version.any_prerelease()))
            }
            Self::Calver => calver(text).map(|key| (text.to_owned(), key.1 < FINAL)),
            Self::EpochHash => epoch(text).map(|_| (text.to_owned(), false)),
        }?;
        Some(ReadVersion { text, prerelease })
    }

    /// The order of two versions, oldest first. What cannot be read comes before what can; versions that are equal to
    /// the scheme are ordered by their text, so that the order is total.
    #[must_use]
    pub fn compare(self, a: &str, b: &str) -> Ordering {
        let by_scheme = match self {
            Self::Semver => match (semver(a), semver(b)) {
                (Some(a), Some(b)) => a.cmp_precedence(&b),
                (a, b) => a.is_some().cmp(&b.is_some()),
            },
            Self::Pep440 => {
                let read = |text: &str| text.parse::<pep440_rs::Version>().ok();
                read(a).cmp(&read(b))
            }
            Self::Calver => calver(a).cmp(&calver(b)),
            Self::EpochHash => epoch(a).cmp(&epoch(b)),
        };
        by_scheme.then_with(|| a.cmp(b))
    }
}

/// A semantic version, with tolerance for two numbers.
fn semver(text: &str) -> Option<semver::Version> {
    text.parse().ok().or_else(|| {
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let (core, rest) = text.split_at(end);
        (core.matches('.').count() == 1).then(|| format!("{core}.0{rest}").parse().ok())?
    })
}

/// What a calendar version without a qualifier ranks as; candidates are below it.
const FINAL: u8 = 1;

/// Numbers of a date, then the rank of the qualifier, then its number: `2025-11-25-RC` is before `2025-11-25`.
fn calver(text: &str) -> Option<(Vec<u64>, u8, u64)> {
    let mut numbers = Vec::new();
    let mut parts = text.split(['.', '-', '_']).peekable();
    while let Some(number) = parts.peek().and_then(|part| part.parse().ok()) {
        numbers.push(number);
        parts.next();
    }
    if numbers.len() < 2 || numbers[0] < 1000 {
        return None;
    }
    let rest = parts.collect::<Vec<_>>().join(".").to_ascii_lowercase();
    let candidate = ["rc", "alpha", "beta", "pre", "dev", "draft", "nightly"]
        .iter()
        .any(|word| rest.starts_with(word));
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    Some((numbers, if candidate { 0 } else { FINAL }, digits.parse().unwrap_or(0)))
}

/// `0.0.EPOCH-gHASH` without its hash.
fn epoch(text: &str) -> Option<(u64, u64, u64)> {
    let (core, hash) = text.split_once("-g").unwrap_or((text, ""));
    let mut parts = core.split('.').map(|part| part.parse().ok());
    let key = (parts.next()??, parts.next()??, parts.next()??);
    (parts.next().is_none() && hash.chars().all(|c| c.is_ascii_hexdigit())).then_some(key)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn sorted(scheme: VersionScheme, order: &[&str]) -> bool {
        let mut all: Vec<&str> = order.iter().rev().copied().collect();
        all.sort_by(|a, b| scheme.compare(a, b));
        all == order
    }

    #[test]
    fn numbers_are_no_text() {
        assert!(sorted(
            VersionScheme::Semver,
            &[
                "nonsense",
                "1.0.0-beta.1",
                "1.0.0-rc.2",
                "1.0.0-rc.10",
                "1.0.0",
                "1.0.8-0",
                "1.0.8",
                "1.0.9",
                "1.0.12-0",
                "1.27",
                "1.27.0",
                "1.28",
            ]
        ));
        assert!(sorted(
            VersionScheme::Pep440,
            &["nonsense", "1.0a1", "1.0rc1", "1.0", "1.0.post1", "1.1.dev1", "1.1"]
        ));
        assert!(sorted(
            VersionScheme::Calver,
            &[
                "2025-06-18",
                "2025-11-25-RC",
                "2025-11-25",
                "2026.5.1",
                "2026.5.1-1",
                "2026.10.1"
            ]
        ));
        assert!(sorted(
            VersionScheme::EpochHash,
            &["0.0.1761000000-gffffff", "0.0.1761000001-g000000"]
        ));
    }

    #[test]
    fn a_version_is_read_by_its_scheme() {
        let read = |scheme: VersionScheme, text: &str| scheme.read(text).map(|read| (read.text, read.prerelease));
        let some = |text: &str, prerelease| Some((text.to_owned(), prerelease));
        assert_eq!(read(VersionScheme::Semver, "1.27"), some("1.27.0", false));
        assert_eq!(
            read(VersionScheme::Semver, "1.0.0-alpha.1"),
            some("1.0.0-alpha.1", true)
        );
        assert_eq!(
            read(VersionScheme::Semver, "1.0.0+nightly"),
            some("1.0.0+nightly", false)
        );
        assert_eq!(read(VersionScheme::Semver, "1.2.3.4"), None);
        assert_eq!(read(VersionScheme::Pep440, "1.0.0rc1"), some("1.0.0rc1", true));
        assert!(read(VersionScheme::Calver, "2025-11-25-RC").unwrap().1);
        assert_eq!(read(VersionScheme::Calver, "1.2"), None);
        assert!(!read(VersionScheme::EpochHash, "0.0.1761000000-gab12cd").unwrap().1);
        assert_eq!(read(VersionScheme::EpochHash, "0.0.x-gab"), None);
    }
}
