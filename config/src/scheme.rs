//! Reading what a channel or a repository calls a version.
//!
//! The same release is written in many ways: a tag with a prefix, a platform build with a suffix, a date. This turns each
//! text into the agent's own version, or says why it is none. What is no version is kept aside and never "highest".

use std::cmp::Ordering;

use agent_contracts_wire::version::VersionScheme;
use regex::Regex;

use crate::agent::{ScanSource, VersionDef};

/// What a text is.
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
    tag: Tags,
    prerelease: Option<Regex>,
    suffixes: Vec<(String, String)>,
    ignore: Vec<String>,
}

/// Which tags are ours.
#[derive(Debug, Clone)]
enum Tags {
    /// Any; a leading `v` is taken off.
    Any,
    /// Those that match.
    Matching(Regex),
    /// None. A pattern that does not compile was refused when the agent's file was loaded.
    None,
}

impl Scheme {
    /// The rules of `def`.
    #[must_use]
    pub fn new(def: &VersionDef) -> Self {
        let mut suffixes: Vec<(String, String)> = def
            .platform_suffixes
            .iter()
            .map(|(platform, suffix)| (suffix.clone(), platform.clone()))
            .collect();
        // `-linux-x64-musl` before `-linux-x64`: the longest that fits.
        suffixes.sort_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len()));
        Self {
            order: def.scheme,
            tag: tags(def.tag_pattern.as_deref()),
            prerelease: def.prerelease.as_deref().and_then(|pattern| Regex::new(pattern).ok()),
            suffixes,
            ignore: def.ignore.clone(),
        }
    }

    /// The rules of a source of the agent, which may have tags and a scheme of its own.
    #[must_use]
    pub fn of_source(def: &VersionDef, source: &ScanSource) -> Self {
        let mut scheme = Self::new(def);
        if source.tag_pattern.is_some() {
            scheme.tag = tags(source.tag_pattern.as_deref());
        }
        scheme.order = source.scheme.unwrap_or(scheme.order);
        scheme
    }

    /// Reads a version of a package.
    #[must_use]
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
    #[must_use]
    pub fn read_tag(&self, tag: &str) -> Reading {
        match &self.tag {
            Tags::Any => self.read(tag.strip_prefix('v').unwrap_or(tag)),
            Tags::None => Reading::NotOurs,
            Tags::Matching(pattern) => match pattern.captures(tag).and_then(|found| found.name("version")) {
                Some(version) => self.read(version.as_str()),
                None => Reading::NotOurs,
            },
        }
    }

    /// The order of two versions in the agent's own writing, oldest first. What cannot be read comes before what can.
    #[must_use]
    pub fn compare(&self, a: &str, b: &str) -> Ordering {
        self.order.compare(a, b)
    }

    fn version(&self, text: &str) -> Option<Version> {
        let read = self.order.read(text)?;
        let by_file = self
            .prerelease
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(&read.text));
        Some(Version {
            prerelease: read.prerelease || by_file,
            text: read.text,
        })
    }
}

fn tags(pattern: Option<&str>) -> Tags {
    match pattern.map(Regex::new) {
        None => Tags::Any,
        Some(Ok(pattern)) => Tags::Matching(pattern),
        Some(Err(_)) => Tags::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str, prerelease: bool) -> Reading {
        Reading::Release(Version {
            text: text.into(),
            prerelease,
        })
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
        assert_eq!(
            Scheme::new(&VersionDef::default()).read_tag("v1.0.0"),
            release("1.0.0", false)
        );
    }

    #[test]
    fn the_agents_file_and_a_source_say_more() {
        let def = VersionDef {
            prerelease: Some(r"^0\.9\.".into()),
            tag_pattern: Some("(".into()),
            ..VersionDef::default()
        };
        let scheme = Scheme::new(&def);
        assert_eq!(scheme.read("0.9.1"), release("0.9.1", true));
        assert_eq!(scheme.read_tag("v1.0.0"), Reading::NotOurs);
        let source = ScanSource {
            kind: crate::agent::SourceKind::Git,
            location: "o/n".into(),
            earlier: vec![],
            follows: crate::agent::Follows::Own,
            besides: false,
            agent_version: None,
            tag_pattern: Some("^schema-(?P<version>.*)$".into()),
            scheme: Some(VersionScheme::Calver),
            eras: vec![],
            flags: vec![],
        };
        let scheme = Scheme::of_source(&def, &source);
        assert_eq!(scheme.read_tag("schema-2025-11-25"), release("2025-11-25", false));
        assert_eq!(scheme.compare("2025-11-25-RC", "2025-11-25"), Ordering::Less);
    }
}
