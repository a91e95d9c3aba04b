//! Version schemes and their order.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the versions of an agent are written and ordered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
            Self::Semver => semver(text).map(|version| (three_numbers(text), !version.pre.is_empty())),
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

/// A semantic version, with tolerance for two numbers, and for zeros before the numbers of a prerelease, which dates and
/// hashes bring (`-nightly.20250915.0123456`).
fn semver(text: &str) -> Option<semver::Version> {
    text.parse().ok().or_else(|| {
        let text = three_numbers(text);
        let end = text.find(['-', '+']).unwrap_or(text.len());
        let (core, rest) = text.split_at(end);
        let (pre, build) = rest
            .split_once('+')
            .map_or((rest, None), |(pre, build)| (pre, Some(build)));
        let pre: Vec<&str> = pre.split('.').map(without_zeros).collect();
        let build = build.map(|build| format!("+{build}")).unwrap_or_default();
        format!("{core}{}{build}", pre.join(".")).parse().ok()
    })
}

/// `1.27` as `1.27.0`, whatever follows.
fn three_numbers(text: &str) -> String {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (core, rest) = text.split_at(end);
    let third = if core.matches('.').count() == 1 { ".0" } else { "" };
    format!("{core}{third}{rest}")
}

/// An identifier of a prerelease; when it is a number, without zeros before it. The first one has its dash.
fn without_zeros(identifier: &str) -> &str {
    let digits = !identifier.is_empty() && identifier.bytes().all(|byte| byte.is_ascii_digit());
    match identifier.trim_start_matches('0') {
        "" if digits => "0",
        rest if digits => rest,
        _ => identifier,
    }
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

    /// The last of `versions` in order, prereleases left out.
    fn highest_stable(scheme: VersionScheme, versions: &[&str]) -> Option<String> {
        let mut read: Vec<ReadVersion> = versions.iter().filter_map(|text| scheme.read(text)).collect();
        read.retain(|version| !version.prerelease);
        read.sort_by(|a, b| scheme.compare(&a.text, &b.text));
        read.pop().map(|version| version.text)
    }

    #[test]
    fn the_highest_is_by_number_and_never_what_is_no_version() {
        for (name, scheme, versions, highest) in [
            (
                "a backport that was published last",
                VersionScheme::Semver,
                &["3.14.0", "3.13.3"][..],
                "3.14.0",
            ),
            (
                "candidates and finals, and a tag that is no version",
                VersionScheme::Semver,
                &["2.0.0-RC3", "2.0.0", "nightly", "vNext"],
                "2.0.0",
            ),
            (
                "numbers compared as text",
                VersionScheme::Semver,
                &["1.0.9", "1.0.12-0", "1.0.12-2", "1.0.8", "1.0.8-0"],
                "1.0.9",
            ),
            ("a protocol version", VersionScheme::Semver, &["1.9", "1.10"], "1.10.0"),
            (
                "every version looks like a prerelease",
                VersionScheme::EpochHash,
                &["0.0.1764000000-gffffff0", "0.0.1764000001-g0000000", "latest"],
                "0.0.1764000001-g0000000",
            ),
            (
                "dates with candidates",
                VersionScheme::Calver,
                &["2025-06-18", "2025-11-25-RC", "2025-11-25", "draft"],
                "2025-11-25",
            ),
            (
                "python candidates and development versions",
                VersionScheme::Pep440,
                &["0.75.2", "0.75.3.dev", "0.76.0rc1", "main"],
                "0.75.2",
            ),
        ] {
            assert_eq!(highest_stable(scheme, versions).as_deref(), Some(highest), "{name}");
        }
        assert_eq!(highest_stable(VersionScheme::Semver, &["nightly", "1.0.0-rc.1"]), None);
    }

    #[test]
    fn prerelease_numbers_may_have_zeros_before_them() {
        let read = VersionScheme::Semver.read("0.6.0-nightly.20250915.0123456").unwrap();
        assert_eq!(
            (read.text.as_str(), read.prerelease),
            ("0.6.0-nightly.20250915.0123456", true)
        );
        assert_eq!(VersionScheme::Semver.read("1.2-rc.01+5").unwrap().text, "1.2.0-rc.01+5");
        assert!(sorted(
            VersionScheme::Semver,
            &[
                "0.6.0-nightly.20250914.aaaa",
                "0.6.0-nightly.20250915.0123456",
                "0.6.0-nightly.20250915.99abc"
            ]
        ));
    }
}
