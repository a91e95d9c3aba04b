//! How to get an exact version of an agent into a directory of our own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::is_default;

/// One way to install an exact version. The first that covers a version is used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Install {
    /// Unpack one npm tarball; nothing of it is executed.
    NpmTarball {
        /// `NAME@VERSION` by platform, `{version}` in it; the key `any` where one tarball serves all.
        packages: BTreeMap<String, String>,
        /// Globs of the binary inside the package, first match first.
        binary: Vec<String>,
        /// The Node version that must run it, where it is a script.
        #[serde(default, skip_serializing_if = "is_default")]
        node: Option<String>,
        /// The versions that it is for.
        #[serde(default, skip_serializing_if = "is_default")]
        covers: Covers,
    },
    /// Install an npm package with all that it depends on.
    NpmTree {
        /// Its name.
        package: String,
        /// The command that it installs.
        binary: String,
        /// The Node version that it needs.
        #[serde(default, skip_serializing_if = "is_default")]
        node: Option<String>,
        /// Packages to install in a fixed version beside it, `{version}` in it, because its own ranges float.
        #[serde(default, skip_serializing_if = "is_default")]
        beside: Vec<String>,
        /// Its install scripts must run. Only ever said where nothing else works.
        #[serde(default, skip_serializing_if = "is_default")]
        scripts: bool,
        /// The versions that it is for.
        #[serde(default, skip_serializing_if = "is_default")]
        covers: Covers,
    },
    /// Install a PyPI project into a virtual environment.
    Pypi {
        /// Its name, with extras where they are needed (`hermes-agent[acp]`).
        package: String,
        /// The command that it installs.
        binary: String,
        /// The Python version that it was run with.
        #[serde(default, skip_serializing_if = "is_default")]
        python: Option<String>,
        /// The versions that it is for.
        #[serde(default, skip_serializing_if = "is_default")]
        covers: Covers,
    },
    /// Compile a crate.
    Crate {
        /// Its name.
        package: String,
        /// The command that it installs.
        binary: String,
        /// The versions that it is for.
        #[serde(default, skip_serializing_if = "is_default")]
        covers: Covers,
    },
    /// The vendor's own way, which nobody has made unattended and exact yet.
    Vendor {
        /// What the vendor says to do.
        how: String,
        /// The command that it installs.
        binary: String,
    },
}

/// A range of versions, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covers {
    /// The first version that was seen to work.
    #[serde(default, skip_serializing_if = "is_default")]
    pub from: Option<String>,
    /// The last one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub to: Option<String>,
}
