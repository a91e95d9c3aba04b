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
        self.order.compare(a, b)
    }

    fn version(&self, text: &str) -> Option<Version> {
        let read = self.order.read(text)?;
        let named = self
            .prerelease
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(&read.text));
        Some(Version {
            prerelease: read.prerelease || named,
            text: read.text,
        })
    }
}

fn never() -> Regex {
    #[expect(clippy::unwrap_used, reason = "a constant pattern, and a test uses it")]
    Regex::new(r"[^\s\S]").unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
