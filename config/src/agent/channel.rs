//! The places that announce releases.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::is_default;

/// A place that announces releases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Channel {
    /// A package of the npm registry.
    Npm {
        /// Its name.
        package: String,
        /// Names it had before, oldest first.
        #[serde(default, skip_serializing_if = "is_default")]
        earlier: Vec<String>,
        /// Platform packages of the same versions, by platform (`linux-x64 = "opencode-linux-x64"`).
        #[serde(default, skip_serializing_if = "is_default")]
        platforms: BTreeMap<String, String>,
    },
    /// A project of PyPI.
    Pypi {
        /// Its name.
        package: String,
        /// Names it had before, oldest first.
        #[serde(default, skip_serializing_if = "is_default")]
        earlier: Vec<String>,
    },
    /// A crate of crates.io.
    Crates {
        /// Its name.
        package: String,
    },
    /// Releases of a GitHub repository.
    GithubReleases {
        /// `owner/name`.
        repo: String,
        /// Tags that are published again and again (`nightly`, `latest`) and are no releases.
        #[serde(default, skip_serializing_if = "is_default")]
        rolling: Vec<String>,
    },
    /// Tags of a GitHub repository.
    GithubTags {
        /// `owner/name`.
        repo: String,
        /// Tags that are moved again and again and are no releases.
        #[serde(default, skip_serializing_if = "is_default")]
        rolling: Vec<String>,
    },
    /// A formula of Homebrew.
    HomebrewFormula {
        /// Its name.
        name: String,
    },
    /// A cask of Homebrew.
    HomebrewCask {
        /// Its name.
        name: String,
    },
    /// A vendor's own address.
    Endpoint {
        /// Its address.
        url: String,
        /// JSON pointer to the version, or to a list of versions.
        #[serde(default, skip_serializing_if = "is_default")]
        pointer: Option<String>,
        /// Regular expression over the body; the group `version` is the version, every match counts.
        #[serde(default, skip_serializing_if = "is_default")]
        pattern: Option<String>,
    },
    /// The binary that is installed here, asked for its version.
    LocalBinary {},
}

impl Channel {
    /// How records and people name it: `npm:@openai/codex`, `github-releases:openai/codex`, `local-binary`.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Npm { package, .. } => format!("npm:{package}"),
            Self::Pypi { package, .. } => format!("pypi:{package}"),
            Self::Crates { package } => format!("crates:{package}"),
            Self::GithubReleases { repo, .. } => format!("github-releases:{repo}"),
            Self::GithubTags { repo, .. } => format!("github-tags:{repo}"),
            Self::HomebrewFormula { name } => format!("homebrew-formula:{name}"),
            Self::HomebrewCask { name } => format!("homebrew-cask:{name}"),
            Self::Endpoint { url, .. } => format!("endpoint:{}", without_secrets(url)),
            Self::LocalBinary {} => "local-binary".to_owned(),
        }
    }
}

/// An address without its scheme, user and query: it stands in records.
fn without_secrets(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    rest.get(authority.rfind('@').map_or(0, |at| at + 1)..)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_in_a_label_holds_no_secret() {
        for (url, label) in [
            (
                "https://user:hunter2@vendor.test/v@1/latest?key=hunter2#x",
                "endpoint:vendor.test/v@1/latest",
            ),
            ("https://vendor.test", "endpoint:vendor.test"),
        ] {
            let channel = Channel::Endpoint {
                url: url.into(),
                pointer: None,
                pattern: None,
            };
            assert_eq!(channel.label(), label);
        }
    }
}
