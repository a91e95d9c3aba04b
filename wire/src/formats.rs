//! Strings with a format: hashes, times, ids, versions, paths. A value of these types is always well-formed.
//!
//! Each pattern is written once and used twice: when a value is read, and in the JSON Schemas that are generated from the
//! types. So patterns keep to what Rust's `regex` and JavaScript's `RegExp` (with its `u` flag) understand alike.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use regex::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::canonical;

/// A text that is not in its format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no {what}")]
pub struct FormatError {
    /// What it should have been, with an example.
    pub what: &'static str,
    /// What it was, cut after 80 characters.
    pub found: String,
}

macro_rules! formats {
    ($($(#[doc = $doc:literal])* $name:ident {
        pattern: $pattern:literal,
        what: $what:literal
        $(, keyword: $keyword:literal = $value:expr)?
        $(, and: $and:expr)?
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The regular expression of the format, over the whole text.
            pub const PATTERN: &'static str = $pattern;

            /// Whether `text` is one.
            #[must_use]
            pub fn is(text: &str) -> bool {
                static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($pattern).ok());
                PATTERN.as_ref().is_some_and(|pattern| pattern.is_match(text)) $(&& $and(text))?
            }

            /// As records write it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = FormatError;

            fn try_from(text: String) -> Result<Self, FormatError> {
                if Self::is(&text) {
                    Ok(Self(text))
                } else {
                    Err(FormatError { what: $what, found: text.chars().take(80).collect() })
                }
            }
        }

        impl FromStr for $name {
            type Err = FormatError;

            fn from_str(text: &str) -> Result<Self, FormatError> {
                text.to_owned().try_into()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> String {
                value.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                #[allow(unused_mut, clippy::allow_attributes, reason = "most formats have no further keyword")]
                let mut schema = json_schema!({
                    "type": "string",
                    "pattern": $pattern,
                    "description": concat!("Format: ", $what, "."),
                });
                $(schema.insert($keyword.to_owned(), $value);)?
                schema
            }
        }
    )*

        /// Every format with its pattern and what it is, for tests and documentation.
        pub const FORMATS: &[(&str, &str, &str)] = &[$((stringify!($name), $pattern, $what)),*];
    };
}

formats! {
    /// A hash as records write it.
    Sha256 {
        pattern: "^sha256:[0-9a-f]{64}$",
        what: "hash, written `sha256:` and 64 lowercase hex digits"
    }
    /// A moment in UTC. No leap seconds; the day exists.
    UtcTime {
        pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?Z$",
        what: "UTC time such as 2026-06-27T10:00:00Z",
        keyword: "format" = "date-time".into(),
        and: day_exists
    }
    /// The id of an agent, as in its file.
    AgentId {
        pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
        what: "agent id in kebab-case such as gemini-cli"
    }
    /// The id of a probe: its folder below `probes/`.
    ProbeId {
        pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
        what: "probe id in kebab-case such as chat-tool-success"
    }
    /// An exact version of a CLI, as the scheme of its agent writes it. Never `unknown`.
    CliVersion {
        pattern: "^[0-9A-Za-z][0-9A-Za-z.+_!~-]{0,127}$",
        what: "exact version such as 0.133.0",
        keyword: "not" = serde_json::json!({"const": "unknown"}),
        and: |text: &str| text != "unknown"
    }
    /// A semantic version, of a tool of ours.
    Semver {
        pattern: "^(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)\\.(?:0|[1-9][0-9]*)(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$",
        what: "semantic version such as 0.1.0"
    }
    /// A file of the tree, relative to its root: plain names joined by `/`, none of them hidden.
    RelPath {
        pattern: "^[A-Za-z0-9_+@%-][A-Za-z0-9._+@%-]*(?:/[A-Za-z0-9_+@%-][A-Za-z0-9._+@%-]*)*$",
        what: "path relative to the tree, made of plain names"
    }
    /// The file of a shape.
    ShapePath {
        pattern: "^shapes/[a-z0-9-]+/sha256-[0-9a-f]{64}\\.shape\\.json$",
        what: "path of a shape such as shapes/FAMILY/sha256-DIGITS.shape.json"
    }
    /// The file of a sanitised transcript: `.transcript.jsonl` where both sides are recorded frame by frame.
    FixturePath {
        pattern: "^fixtures/[a-z0-9-]+/sha256-[0-9a-f]{64}\\.(?:sanitized|transcript)\\.jsonl$",
        what: "path of a fixture such as fixtures/FAMILY/sha256-DIGITS.sanitized.jsonl"
    }
    /// The file of what a parser makes of a fixture.
    GoldenPath {
        pattern: "^goldens/[a-z0-9-]+/[a-z0-9-]+/sha256-[0-9a-f]{64}\\.events\\.json$",
        what: "path of a golden such as goldens/open-design-parser/FAMILY/sha256-DIGITS.events.json"
    }
    /// The file of an observation.
    ObservationPath {
        pattern: "^observations/[a-z0-9-]+/[A-Za-z0-9_+@%-][A-Za-z0-9._+@%-]*/[a-z0-9-]+/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z\\.[a-z0-9-]+\\.[0-9a-f]{8}\\.observation\\.json$",
        what: "path of an observation such as observations/codex/0.133.0/linux-x64/2026-06-27T100000Z.chat-tool-success.0a1b2c3d.observation.json"
    }
    /// The file of a source-evidence record.
    EvidencePath {
        pattern: "^source-evidence/[a-z0-9-]+/[A-Za-z0-9_+@%-][A-Za-z0-9._+@%-]*/[0-9a-f]{8}\\.evidence\\.json$",
        what: "path of an evidence record such as source-evidence/codex/0.133.0/0a1b2c3d.evidence.json"
    }
    /// The file of a decision.
    PromotionPath {
        pattern: "^registry/promotions/[a-z0-9-]+/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z\\.[0-9a-f]{8}\\.promotion\\.json$",
        what: "path of a promotion such as registry/promotions/codex/2026-06-27T100000Z.0a1b2c3d.promotion.json"
    }
    /// Where evidence can be looked at: a file of the tree or an https address.
    EvidenceLink {
        pattern: "^(?:https://[A-Za-z0-9][!-~]*|[A-Za-z0-9_+@%-][A-Za-z0-9._+@%-]*(?:/[A-Za-z0-9_+@%-][A-Za-z0-9._+@%-]*)*)$",
        what: "path relative to the tree, or https address"
    }
    /// How a CLI got onto a machine.
    InstallSource {
        pattern: "^(?:npm|pypi|crate|homebrew|git|binary|source|manual):[!-~]+$",
        what: "install source such as npm:@openai/codex@0.133.0; it starts with npm, pypi, crate, homebrew, git, binary, source or manual"
    }
    /// A login where the tree is hosted.
    Login {
        pattern: "^[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?$",
        what: "login such as octocat"
    }
    /// The name of an environment variable.
    EnvName {
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        what: "name of an environment variable"
    }
    /// An exact version, or comparisons of versions that must all hold: `0.133.0`, `>=0.133.0 <0.140.0`.
    VersionRange {
        pattern: "^(?:[0-9A-Za-z][0-9A-Za-z.+_!~-]*|(?:>=|<=|>|<|=)[0-9A-Za-z][0-9A-Za-z.+_!~-]*(?: (?:>=|<=|>|<)[0-9A-Za-z][0-9A-Za-z.+_!~-]*)*)$",
        what: "exact version or range such as >=0.133.0 <0.140.0"
    }
    /// An address that anybody may open. Never one with a user in it.
    HttpsUrl {
        pattern: "^https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][!-~]*)?$",
        what: "https address"
    }
    /// A commit, whole or abbreviated.
    GitCommit {
        pattern: "^[0-9a-f]{7,64}$",
        what: "commit of 7 to 64 lowercase hex digits"
    }
    /// A text with something in it.
    Text {
        pattern: "[^\\s]",
        what: "text that is not blank"
    }
}

/// The first schema version of every record. Others are refused, unless a migration is registered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct SchemaVersion;

impl SchemaVersion {
    /// What is written.
    pub const NUMBER: u32 = 1;
}

impl TryFrom<u32> for SchemaVersion {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        if number == Self::NUMBER {
            Ok(Self)
        } else {
            Err(format!(
                "schema_version {number} is not known here; it is {}",
                Self::NUMBER
            ))
        }
    }
}

impl From<SchemaVersion> for u32 {
    fn from(_: SchemaVersion) -> u32 {
        SchemaVersion::NUMBER
    }
}

impl JsonSchema for SchemaVersion {
    fn schema_name() -> Cow<'static, str> {
        "SchemaVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Always 1. A higher one is refused unless a migration is registered.",
            "type": "integer",
            "const": SchemaVersion::NUMBER,
        })
    }
}

impl Sha256 {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(canonical::sha256(bytes))
    }

    /// The 64 digits.
    #[must_use]
    pub fn digits(&self) -> &str {
        self.0.strip_prefix("sha256:").unwrap_or(&self.0)
    }

    /// The first eight digits, for file names.
    #[must_use]
    pub fn id8(&self) -> &str {
        crate::place::id8(&self.0)
    }

    /// As file names write it: `sha256-…`.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.0.replacen(':', "-", 1)
    }
}

impl UtcTime {
    /// As file names write it, to the second and without colons: `2026-06-27T100000Z`.
    #[must_use]
    pub fn file_name(&self) -> String {
        let seconds: String = self.0.chars().take(19).filter(|char| *char != ':').collect();
        seconds + "Z"
    }

    /// A key by which times sort, whatever their fractions.
    #[must_use]
    pub fn key(&self) -> (&str, &str) {
        let (seconds, rest) = self.0.split_at(19);
        (
            seconds,
            rest.trim_start_matches('.').trim_end_matches('Z').trim_end_matches('0'),
        )
    }
}

/// Whether the day of a time that is in the pattern exists.
fn day_exists(time: &str) -> bool {
    let number = |from: usize, to: usize| time.get(from..to).and_then(|digits| digits.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    day <= days
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for (name, pattern, _) in FORMATS {
            assert!(Regex::new(pattern).is_ok(), "{name}");
        }
    }

    #[test]
    fn formats_take_what_they_should_and_nothing_else() {
        let digits = "0a".repeat(32);
        let hash = format!("sha256:{digits}");
        let name = format!("sha256-{digits}");
        for (is, good) in [
            (Sha256::is as fn(&str) -> bool, vec![hash.clone()]),
            (
                UtcTime::is,
                vec!["2026-06-27T10:00:00Z".into(), "2024-02-29T23:59:59.123Z".into()],
            ),
            (AgentId::is, vec!["gemini-cli".into(), "pi".into()]),
            (
                CliVersion::is,
                vec!["0.133.0".into(), "2026.09.18-abc123".into(), "1!2.0+local".into()],
            ),
            (Semver::is, vec!["0.1.0".into(), "1.0.0-rc.1+x".into()]),
            (RelPath::is, vec!["a/b.json".into(), "x%2Fy/@s".into()]),
            (ShapePath::is, vec![format!("shapes/plain/{name}.shape.json")]),
            (FixturePath::is, vec![format!("fixtures/plain/{name}.sanitized.jsonl")]),
            (
                HttpsUrl::is,
                vec!["https://example.com".into(), "https://a.b:8/c?d#e".into()],
            ),
            (GitCommit::is, vec!["b784c8650".into()]),
            (Text::is, vec!["x".into(), " é ".into()]),
        ] {
            for text in &good {
                assert!(is(text), "{text:?} is well-formed");
            }
        }
        for (is, bad) in [
            (
                Sha256::is as fn(&str) -> bool,
                vec![hash.to_uppercase(), digits, format!("{hash}0"), format!("{hash}\n")],
            ),
            (
                UtcTime::is,
                vec![
                    "2026-06-27T10:00:00+00:00".into(),
                    "2026-02-29T10:00:00Z".into(),
                    "2016-12-31T23:59:60Z".into(),
                    "2026-06-27 10:00:00Z".into(),
                    "2026-06-27T24:00:00Z".into(),
                ],
            ),
            (
                AgentId::is,
                vec!["Codex".into(), "a--b".into(), "-a".into(), String::new()],
            ),
            (CliVersion::is, vec!["unknown".into(), "1.0 (x)".into(), String::new()]),
            (Semver::is, vec!["1.0".into(), "01.0.0".into()]),
            (
                RelPath::is,
                vec![
                    "../x".into(),
                    "a/../b".into(),
                    "/a".into(),
                    "a//b".into(),
                    "a/.b".into(),
                    "a\\b".into(),
                ],
            ),
            (
                ShapePath::is,
                vec![
                    format!("fixtures/plain/{name}.shape.json"),
                    "shapes/plain/x.shape.json".into(),
                ],
            ),
            (
                HttpsUrl::is,
                vec![
                    "http://a.b".into(),
                    "https://u:p@a.b/".into(),
                    "https://a b".into(),
                    "https://".into(),
                ],
            ),
            (Text::is, vec![String::new(), " \n".into()]),
        ] {
            for text in &bad {
                assert!(!is(text), "{text:?} is not well-formed");
            }
        }
    }

    #[test]
    fn times_sort_by_what_they_mean() {
        let time = |text: &str| UtcTime::from_str(text).ok();
        let (a, b) = (time("2026-06-27T10:00:00Z"), time("2026-06-27T10:00:00.000Z"));
        assert_eq!(a.as_ref().map(UtcTime::key), b.as_ref().map(UtcTime::key));
        let c = time("2026-06-27T10:00:00.5Z");
        assert!(a.as_ref().map(UtcTime::key) < c.as_ref().map(UtcTime::key));
        assert_eq!(c.map(|time| time.file_name()), Some("2026-06-27T100000Z".to_owned()));
    }
}
