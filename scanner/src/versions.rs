//! The versions of one source of an agent, in the order of the agent's scheme.
//!
//! They come from the tags of a repository or from the versions of a package, and are never ordered by date or by name.
//! Tags of other products, moving tags and platform builds are left out by the agent's own rules.

use agent_contracts_config::agent::ScanSource;
use agent_contracts_config::scheme::{Reading, Scheme};

use crate::error::ScanError;
use crate::source::SourceSpec;
use crate::source::git::{SkippedTag, Tags};

/// One version that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceVersion {
    /// The version, in the agent's own writing.
    pub version: String,
    /// Whether the agent's scheme or file calls it a prerelease.
    pub prerelease: bool,
    /// What reports call it: `git:owner/name@TAG`, `npm:name@1.2.3`.
    pub name: String,
    /// How it is opened.
    pub spec: SourceSpec,
    /// The commit of a tag; two versions may share one.
    pub commit: Option<String>,
}

/// Every version of one source, oldest first.
#[derive(Debug, Clone)]
pub struct SourceVersions {
    origin: String,
    scheme: Scheme,
    all: Vec<SourceVersion>,
    skipped: Vec<SkippedTag>,
}

impl SourceVersions {
    /// The versions that tags stand for. `name` and `spec` make the printed text and the source of a tag.
    pub(crate) fn of_tags(
        origin: String,
        scheme: Scheme,
        tags: &Tags,
        spec: impl Fn(&str) -> SourceSpec,
        name: impl Fn(&str) -> String,
    ) -> Self {
        let found = tags.tags.iter().filter_map(|tag| match scheme.read_tag(&tag.name) {
            Reading::Release(version) => Some(SourceVersion {
                version: version.text,
                prerelease: version.prerelease,
                name: name(&tag.name),
                spec: spec(&tag.name),
                commit: Some(tag.commit.clone()),
            }),
            Reading::Payload { .. } | Reading::NotOurs | Reading::NotAVersion => None,
        });
        let all = found.collect();
        let ours = |tag: &&SkippedTag| matches!(scheme.read_tag(&tag.name), Reading::Release(_));
        let skipped = tags.skipped.iter().filter(ours).cloned().collect();
        Self {
            skipped,
            ..Self::ordered(origin, scheme, all)
        }
    }

    /// The versions of packages: the earlier names of one package, oldest first, and its present one.
    pub(crate) fn of_packages(
        origin: String,
        scheme: Scheme,
        packages: &[(String, Vec<String>)],
        spec: impl Fn(&str, &str) -> SourceSpec,
    ) -> Self {
        let mut all = Vec::new();
        for (package, versions) in packages {
            for text in versions {
                if let Reading::Release(version) = scheme.read(text) {
                    let spec = spec(package, text);
                    all.push(SourceVersion {
                        version: version.text,
                        prerelease: version.prerelease,
                        name: spec.to_string(),
                        spec,
                        commit: None,
                    });
                }
            }
        }
        // The present name, which comes last, wins over an earlier one that has the version too.
        all.reverse();
        Self::ordered(origin, scheme, all)
    }

    fn ordered(origin: String, scheme: Scheme, mut all: Vec<SourceVersion>) -> Self {
        // `1.27` and `1.27.0` are one version; the name that spells it in full comes first.
        let spelled = |one: &SourceVersion| !one.name.ends_with(&one.version);
        all.sort_by(|a, b| {
            scheme
                .compare(&a.version, &b.version)
                .then_with(|| spelled(a).cmp(&spelled(b)))
        });
        all.dedup_by(|later, first| later.version == first.version);
        Self {
            origin,
            scheme,
            all,
            skipped: Vec::new(),
        }
    }

    /// Tags that look like versions and stand for no commit, sorted by name.
    #[must_use]
    pub fn skipped(&self) -> &[SkippedTag] {
        &self.skipped
    }

    /// The order of two versions, oldest first.
    #[must_use]
    pub fn compare(&self, a: &str, b: &str) -> std::cmp::Ordering {
        self.scheme.compare(a, b)
    }

    /// All of them, oldest first.
    #[must_use]
    pub fn all(&self) -> &[SourceVersion] {
        &self.all
    }

    /// One of them, by its version however it is written (`v1.2.3`, `1.2`), or by the name of its tag.
    pub fn get(&self, wanted: &str) -> Result<&SourceVersion, ScanError> {
        self.find(wanted).map(|index| &self.all[index])
    }

    fn find(&self, wanted: &str) -> Result<usize, ScanError> {
        let readings = [
            self.scheme.read(wanted),
            self.scheme.read_tag(wanted),
            self.scheme.read(wanted.trim_start_matches('v')),
        ];
        let texts = readings.iter().filter_map(|reading| match reading {
            Reading::Release(version) => Some(version.text.as_str()),
            _ => None,
        });
        texts
            .chain([wanted])
            .find_map(|text| self.all.iter().position(|one| one.version == text))
            .ok_or_else(|| {
                let known: Vec<String> = self.all.iter().map(|one| one.version.clone()).collect();
                ScanError::missing_version(&self.origin, wanted, &known)
            })
    }

    /// The newest one; the newest stable one where there is any and `stable` is asked for.
    #[must_use]
    pub fn latest(&self, stable: bool) -> Option<&SourceVersion> {
        let newest_stable = || self.all.iter().rfind(|one| !one.prerelease);
        let newest = self.all.last();
        if stable { newest_stable().or(newest) } else { newest }
    }

    /// The one before `version`: for a stable version the stable one before it, for a prerelease the version before it,
    /// whatever that is. Versions of the same commit are one.
    #[must_use]
    pub fn previous(&self, version: &str) -> Option<&SourceVersion> {
        let index = self.find(version).ok()?;
        let this = &self.all[index];
        self.all[..index].iter().rfind(|one| {
            let same = one.commit.is_some() && one.commit == this.commit;
            !same && (this.prerelease || !one.prerelease)
        })
    }

    /// Neighbouring versions from `from` to `to`, both included, oldest first. Without prereleases only stable versions
    /// count, except for the two ends. Versions of the same commit make no step.
    pub fn steps(
        &self,
        from: &str,
        to: &str,
        prereleases: bool,
    ) -> Result<Vec<(&SourceVersion, &SourceVersion)>, ScanError> {
        let (first, last) = (self.find(from)?, self.find(to)?);
        let picked: Vec<&SourceVersion> = self
            .all
            .iter()
            .enumerate()
            .filter(|(index, one)| {
                (first..=last).contains(index) && (prereleases || !one.prerelease || *index == first || *index == last)
            })
            .map(|(_, one)| one)
            .collect();
        let steps = picked.windows(2).map(|pair| (pair[0], pair[1]));
        Ok(steps
            .filter(|(old, new)| old.commit.is_none() || old.commit != new.commit)
            .collect())
    }
}

/// The names of a package, oldest first.
pub(crate) fn names(source: &ScanSource) -> Vec<&str> {
    source
        .earlier
        .iter()
        .map(String::as_str)
        .chain([source.location.as_str()])
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use agent_contracts_config::agent::VersionDef;

    use super::*;
    use crate::source::Registry;
    use crate::source::git::Tag;

    fn tags(pattern: Option<&str>, tags: &[(&str, &str)]) -> SourceVersions {
        let def = VersionDef {
            tag_pattern: pattern.map(str::to_owned),
            ignore: vec!["0.0.888888".to_owned()],
            ..VersionDef::default()
        };
        let tags = Tags {
            tags: tags
                .iter()
                .map(|(name, commit)| Tag {
                    name: (*name).to_owned(),
                    commit: (*commit).to_owned(),
                })
                .collect(),
            skipped: vec![],
        };
        let spec = |tag: &str| SourceSpec::GitPath {
            path: "r".into(),
            revision: tag.to_owned(),
        };
        SourceVersions::of_tags("git:o/n".to_owned(), Scheme::new(&def), &tags, spec, |tag| {
            format!("git:o/n@{tag}")
        })
    }

    fn listed(versions: &SourceVersions) -> Vec<&str> {
        versions.all().iter().map(|one| one.name.as_str()).collect()
    }

    #[test]
    fn tags_are_ordered_by_version_and_those_of_others_left_out() {
        let versions = tags(
            Some(r"^v(?P<version>\d+\.\d+(?:\.\d+)?(?:-preview\.\d+)?)$"),
            &[
                ("cli-build-1", "0"),
                ("nightly", "0"),
                ("v0.0.888888", "0"),
                ("v0.10.0", "4"),
                ("v0.2.0", "1"),
                ("v0.3.0-preview.10", "3"),
                ("v0.3.0-preview.2", "2"),
                ("v0.4", "5"),
                ("v0.4.0", "5"),
            ],
        );
        assert_eq!(
            listed(&versions),
            [
                "git:o/n@v0.2.0",
                "git:o/n@v0.3.0-preview.2",
                "git:o/n@v0.3.0-preview.10",
                "git:o/n@v0.4.0",
                "git:o/n@v0.10.0"
            ]
        );
        assert_eq!(versions.latest(true).unwrap().version, "0.10.0");
        for wanted in ["0.4.0", "v0.4.0", "0.4", "v0.4"] {
            assert_eq!(versions.get(wanted).unwrap().version, "0.4.0", "{wanted}");
        }
        let error = versions.get("0.5.0").unwrap_err().to_string();
        assert!(
            error.starts_with("git:o/n has no version `0.5.0`\nhint: near it are"),
            "{error}"
        );
        assert_eq!(versions.previous("0.4.0").unwrap().version, "0.2.0");
        assert_eq!(
            versions.previous("0.3.0-preview.10").unwrap().version,
            "0.3.0-preview.2"
        );
        assert!(versions.previous("0.2.0").is_none());
    }

    #[test]
    fn a_candidate_on_the_commit_of_its_release_is_no_step() {
        let versions = tags(
            None,
            &[("v1.0.0", "1"), ("v2.0.0-RC3", "2"), ("v2.0.0", "2"), ("v2.1.0", "3")],
        );
        assert_eq!(versions.all().len(), 4);
        let steps = |prereleases| -> Vec<String> {
            let steps = versions.steps("1.0.0", "2.1.0", prereleases).unwrap();
            steps
                .iter()
                .map(|(old, new)| format!("{} {}", old.version, new.version))
                .collect()
        };
        assert_eq!(steps(false), ["1.0.0 2.0.0", "2.0.0 2.1.0"]);
        assert_eq!(steps(true), ["1.0.0 2.0.0-RC3", "2.0.0 2.1.0"]);
        assert_eq!(versions.previous("2.0.0").unwrap().version, "1.0.0");
    }

    #[test]
    fn a_package_that_was_renamed_is_one_line_of_versions() {
        let packages = [
            (
                "old".to_owned(),
                vec!["0.9.0".to_owned(), "1.0.0".to_owned(), "1.0.0-linux-x64".to_owned()],
            ),
            (
                "new".to_owned(),
                vec!["1.0.0".to_owned(), "1.1.0".to_owned(), "junk".to_owned()],
            ),
        ];
        let def = VersionDef {
            platform_suffixes: [("linux-x64".to_owned(), "-linux-x64".to_owned())].into(),
            ..VersionDef::default()
        };
        let spec = |package: &str, version: &str| SourceSpec::Package {
            registry: Registry::Npm,
            name: package.to_owned(),
            version: version.to_owned(),
        };
        let versions = SourceVersions::of_packages("npm:new".to_owned(), Scheme::new(&def), &packages, spec);
        assert_eq!(listed(&versions), ["npm:old@0.9.0", "npm:new@1.0.0", "npm:new@1.1.0"]);
    }
}
