//! Reading what a channel calls a version, and the order of versions.
//!
//! Channels write the same release in many ways: a tag with a prefix, a platform build with a suffix, a date. This file
//! turns each text into the agent's own version, or says why it is none. What is no version is kept aside and never
//! "highest".

use std::cmp::Ordering;

use agent_contracts_config::agent::VersionDef;
use agent_contracts_wire::version::VersionScheme;
use regex::Regex;

/// What a text of a channel is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// A release.
    Release(Version),
    /// The payload of a release for one platform, published under a version of its own.
    Payload {
        /// The release that it belongs to.
        version: Version,
        /// The platform, as the agent's file names it.
        platform: String,
    },
    /// A tag or version of another line or product.
    NotOurs,
    /// Looks like ours and cannot be read by the agent's scheme.
    NotAVersion,
}

/// A version in the agent's own writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The text, without prefix or platform suffix.
    pub text: String,
    /// Whether the agent's scheme or file calls it a prerelease. A channel's own flag is not asked: it has been wrong for
    /// weeks.
    pub prerelease: bool,
}

/// The rules of one agent, ready to use.
#[derive(Debug, Clone)]
pub struct Scheme {
    order: VersionScheme,
    tag: Option<Regex>,
    prerelease: Option<Regex>,
    suffixes: Vec<(String, String)>,
    ignore: Vec<String>,
}

impl Scheme {
    /// The rules of `def`. A pattern that does not compile was refused when the agent's file was loaded; here it matches
    /// nothing.
    pub fn new(def: &VersionDef) -> Self {
        let compile = |pattern: &Option<String>| {
            pattern
                .as_ref()
                .map(|pattern| Regex::new(pattern).unwrap_or_else(|_| never()))
        };
        let mut suffixes: Vec<_> = def
            .platform_suffixes
            .iter()
            .map(|(platform, suffix)| (suffix.clone(), platform.clone()))
            .collect();
        // `-linux-x64-musl` before `-linux-x64`: the longest that fits.
        suffixes.sort_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len()));
        Self {
            order: def.scheme,
            tag: compile(&def.tag_pattern),
            prerelease: compile(&def.prerelease),
            suffixes,
            ignore: def.ignore.clone(),
        }
    }

    /// Reads a version of a package.
    pub fn read(&self, text: &str) -> Reading {
        let text = text.trim();
        if self.ignore.iter().any(|ignored| ignored == text) {
            return Reading::NotOurs;
        }
        for (suffix, platform) in &self.suffixes {
            if let Some(version) = text.strip_suffix(suffix.as_str()).and_then(|base| self.version(base)) {
                return Reading::Payload {
                    version,
                    platform: platform.clone(),
                };
            }
        }
        match self.version(text) {
            Some(version) if self.ignore.contains(&version.text) => Reading::NotOurs,
            Some(version) => Reading::Release(version),
            None => Reading::NotAVersion,
        }
    }

    /// Reads a tag. Without a pattern in the agent's file a leading `v` is taken off.
    pub fn read_tag(&self, tag: &str) -> Reading {
        match &self.tag {
            Some(pattern) => match pattern.captures(tag).and_then(|found| found.name("version")) {
                Some(version) => self.read(version.as_str()),
                None => Reading::NotOurs,
            },
            None => self.read(tag.strip_prefix('v').unwrap_or(tag)),
        }
    }

    /// The order of two versions in the agent's own writing, oldest first. What cannot be read comes before what can.
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        compare(self.order, a, b)
    }

    fn version(&self, text: &str) -> Option<Version> {
        let (text, by_scheme) = parse(self.order, text)?;
        let prerelease = by_scheme || self.prerelease.as_ref().is_some_and(|pattern| pattern.is_match(&text));
        Some(Version { text, prerelease })
    }
}

fn never() -> Regex {
    #[expect(clippy::unwrap_used, reason = "a constant pattern, and a test uses it")]
    Regex::new(r"[^\s\S]").unwrap()
}

/// The canonical text, and whether the scheme calls it a prerelease.
fn parse(scheme: VersionScheme, text: &str) -> Option<(String, bool)> {
    match scheme {
        VersionScheme::Semver => semver(text).map(|version| (version.to_string(), !version.pre.is_empty())),
        VersionScheme::Pep440 => {
            let version: pep440_rs::Version = text.parse().ok()?;
            Some((version.to_string(), version.any_prerelease()))
        }
        VersionScheme::Calver => calver(text).map(|key| (text.to_owned(), key.1 < FINAL)),
        VersionScheme::EpochHash => epoch(text).map(|_| (text.to_owned(), false)),
    }
}

fn compare(scheme: VersionScheme, a: &str, b: &str) -> Ordering {
    let by_scheme = match scheme {
        VersionScheme::Semver => match (semver(a), semver(b)) {
            (Some(a), Some(b)) => a.cmp_precedence(&b),
            (a, b) => a.is_some().cmp(&b.is_some()),
        },
        VersionScheme::Pep440 => {
            let read = |text: &str| text.parse::<pep440_rs::Version>().ok();
            read(a).cmp(&read(b))
        }
        VersionScheme::Calver => calver(a).cmp(&calver(b)),
        VersionScheme::EpochHash => epoch(a).cmp(&epoch(b)),
    };
    by_scheme.then_with(|| a.cmp(b))
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

    fn sorted(scheme: VersionScheme, versions: &[&str]) -> Vec<String> {
        let mut all: Vec<String> = versions.iter().map(|text| (*text).to_owned()).collect();
        all.sort_by(|a, b| compare(scheme, a, b));
        all
    }

    #[test]
    fn numbers_are_no_text() {
        let order = [
            "1.0.0-beta.1",
            "1.0.0-rc.2",
            "1.0.0-rc.10",
            "1.0.0",
            "1.0.8-0",
            "1.0.8",
            "1.0.9",
            "1.0.12-0",
            "1.0.12-2",
        ];
        let mut shuffled = order;
        shuffled.reverse();
        assert_eq!(sorted(VersionScheme::Semver, &shuffled), order);
        let order = ["nonsense", "1.0a1", "1.0rc1", "1.0", "1.0.post1", "1.1.dev1", "1.1"];
        let mut shuffled = order;
        shuffled.reverse();
        assert_eq!(sorted(VersionScheme::Pep440, &shuffled), order);
        let order = [
            "2025-06-18",
            "2025-11-25-RC",
            "2025-11-25",
            "2026.5.1",
            "2026.5.1-1",
            "2026.10.1",
        ];
        let mut shuffled = order;
        shuffled.reverse();
        assert_eq!(sorted(VersionScheme::Calver, &shuffled), order);
        let order = ["0.0.1761000000-gffffff", "0.0.1761000001-g000000"];
        assert_eq!(sorted(VersionScheme::EpochHash, &[order[1], order[0]]), order);
    }

    #[test]
    fn what_a_text_is() {
        let def = VersionDef {
            tag_pattern: Some(r"^rust-v(?P<version>\d+\.\d+\.\d+\S*)$".into()),
            platform_suffixes: [("linux-x64", "-linux-x64"), ("linux-x64-musl", "-linux-x64-musl")]
                .map(|(platform, suffix)| (platform.into(), suffix.into()))
                .into(),
            ignore: vec!["0.0.888888".into()],
            ..VersionDef::default()
        };
        let scheme = Scheme::new(&def);
        let release = |text: &str, prerelease| {
            Reading::Release(Version {
                text: text.into(),
                prerelease,
            })
        };
        let payload = |text: &str, prerelease, platform: &str| Reading::Payload {
            version: Version {
                text: text.into(),
                prerelease,
            },
            platform: platform.into(),
        };
        for (text, expected) in [
            ("0.99.0", release("0.99.0", false)),
            ("0.99.0-linux-x64", payload("0.99.0", false, "linux-x64")),
            ("0.99.0-linux-x64-musl", payload("0.99.0", false, "linux-x64-musl")),
            ("0.128.0-alpha.1", release("0.128.0-alpha.1", true)),
            (
                "0.128.0-alpha.1-linux-x64",
                payload("0.128.0-alpha.1", true, "linux-x64"),
            ),
            ("1.27", release("1.27.0", false)),
            ("0.0.888888", Reading::NotOurs),
            ("latest", Reading::NotAVersion),
            ("1.2.3.4", Reading::NotAVersion),
        ] {
            assert_eq!(scheme.read(text), expected, "{text}");
        }
        assert_eq!(scheme.read_tag("rust-v0.99.0"), release("0.99.0", false));
        assert_eq!(scheme.read_tag("v0.99.0"), Reading::NotOurs);
        let plain = Scheme::new(&VersionDef::default());
        assert_eq!(plain.read_tag("v1.0.0"), release("1.0.0", false));
    }

    #[test]
    fn an_epoch_version_is_no_prerelease() {
        let scheme = Scheme::new(&VersionDef {
            scheme: VersionScheme::EpochHash,
            ..VersionDef::default()
        });
        let Reading::Release(version) = scheme.read("0.0.1761000000-gab12cd") else {
            panic!()
        };
        assert!(!version.prerelease);
        assert_eq!(scheme.read("0.0.x-gab"), Reading::NotAVersion);
        assert!(!never().is_match("anything"));
    }

    #[test]
    fn the_agents_file_names_more_prereleases() {
        let def = VersionDef {
            prerelease: Some(r"^0\.9\.".into()),
            ..VersionDef::default()
        };
        let Reading::Release(version) = Scheme::new(&def).read("0.9.1") else {
            panic!()
        };
        assert!(version.prerelease);
        let version = semver("1.0.0+nightly").unwrap();
        assert!(version.pre.is_empty());
    }
}
