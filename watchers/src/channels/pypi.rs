//! PyPI: versions from the simple index as JSON (PEP 691, PEP 700), or from the older JSON API where a mirror has only
//! that. Yanking is per file: a version is withdrawn when all its files are yanked.

use std::collections::BTreeMap;
use std::time::Duration;

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Endpoints, Freshness, NetError};
use serde_json::Value;

use super::{Context, json, main, not_mine, request};
use crate::snapshot::{Answer, Coverage, Item, Listing, Role, utc};

/// PEP 691.
const SIMPLE: &str = "application/vnd.pypi.simple.v1+json";

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::Pypi { package, earlier } = channel else {
        return not_mine(channel);
    };
    let mut answers = vec![main(channel, ask(package, Freshness::Revalidate, context).await)];
    for name in earlier {
        let result = ask(name, Freshness::AtMost(Duration::from_secs(7 * 24 * 3600)), context).await;
        answers.push(Answer {
            label: format!("pypi:{name}"),
            role: Role::Earlier,
            result,
        });
    }
    answers
}

async fn ask(package: &str, freshness: Freshness, context: &Context<'_>) -> Result<Listing, NetError> {
    let source = format!("pypi:{package}");
    let endpoint = context.endpoint(Endpoints::pypi).await?;
    let name = normalised(package);
    let request = request(&source, &endpoint, &[&name, ""])
        .accept(SIMPLE)
        .freshness(freshness);
    let by_simple = match context.client.get(&request).await {
        Ok(fetched) => read_simple(&source, &name, &json(&source, &fetched.body)?, Listing::new(&endpoint)),
        Err(error) => Err(error),
    };
    // A mirror that only has pages, or refuses the type (406), may still have the older API.
    let refused = match by_simple {
        Err(error @ (NetError::Malformed { .. } | NetError::Refused { status: 406, .. })) => error,
        settled => return settled,
    };
    let Some(root) = endpoint.base().parent("simple") else {
        return Err(refused);
    };
    let older = agent_contracts_net::Request::new(&source, root.join(&["pypi", &name, "json"]))
        .with_auth_of(&endpoint)
        .accept("application/json")
        .freshness(freshness);
    match context.client.get(&older).await {
        Ok(fetched) => read_older(&source, &json(&source, &fetched.body)?, Listing::new(&endpoint)),
        Err(NetError::NotFound { .. } | NetError::Malformed { .. } | NetError::Refused { .. }) => Err(refused),
        Err(error) => Err(error),
    }
}

/// PEP 503: lowercase, runs of `-_.` are one `-`.
fn normalised(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    lower
        .split(['-', '_', '.'])
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

/// What the files of one version say together.
#[derive(Default)]
struct Files {
    count: usize,
    yanked: usize,
    reason: Option<String>,
    first_upload: Option<String>,
}

impl Files {
    fn add(&mut self, yanked: &Value, reason: &Value, uploaded: &Value) {
        self.count += 1;
        // PEP 691: `yanked` is false, true, or the reason.
        if !matches!(yanked, Value::Bool(false) | Value::Null) {
            self.yanked += 1;
            let words = [yanked, reason]
                .into_iter()
                .filter_map(Value::as_str)
                .find(|words| !words.trim().is_empty());
            self.reason = self.reason.take().or_else(|| words.map(str::to_owned));
        }
        let uploaded = uploaded.as_str().and_then(utc);
        self.first_upload = match (self.first_upload.take(), uploaded) {
            (Some(before), Some(now)) => Some(before.min(now)),
            (before, now) => before.or(now),
        };
    }

    fn into_item(self, version: &str) -> Item {
        let withdrawn = self.count > 0 && self.yanked == self.count;
        let yanked = || self.reason.clone().unwrap_or_else(|| "yanked".to_owned());
        Item {
            published_at: self.first_upload.clone(),
            withdrawn,
            deprecated: withdrawn.then(yanked),
            ..Item::new(version)
        }
    }
}

fn read_simple(source: &str, name: &str, answer: &Value, mut listing: Listing) -> Result<Listing, NetError> {
    let files = answer.get("files").and_then(Value::as_array);
    let files = files.ok_or_else(|| NetError::malformed(source, "its metadata has no `files`"))?;
    let mut versions: BTreeMap<String, Files> = BTreeMap::new();
    // PEP 700 lists the versions; before it they are only in the names of the files.
    let listed = answer.get("versions").and_then(Value::as_array);
    for version in listed.into_iter().flatten().filter_map(Value::as_str) {
        versions.entry(version.to_owned()).or_default();
    }
    let mut unread = 0;
    for file in files {
        match file
            .get("filename")
            .and_then(Value::as_str)
            .and_then(|file| version_of(name, file))
        {
            Some(version) => {
                let known = versions.keys().find(|known| same(known, &version)).cloned();
                let of_version = versions.entry(known.unwrap_or(version)).or_default();
                of_version.add(&file["yanked"], &Value::Null, &file["upload-time"]);
            }
            None => unread += 1,
        }
    }
    if unread > 0 {
        listing
            .notes
            .push(format!("{source}: {unread} files have names that hold no version"));
    }
    listing.coverage = Coverage::All;
    listing.items = versions
        .into_iter()
        .map(|(version, files)| files.into_item(&version))
        .collect();
    Ok(listing)
}

fn read_older(source: &str, answer: &Value, mut listing: Listing) -> Result<Listing, NetError> {
    let releases = answer.get("releases").and_then(Value::as_object);
    let releases = releases.ok_or_else(|| NetError::malformed(source, "its metadata has no `releases`"))?;
    listing.coverage = Coverage::All;
    for (version, files) in releases {
        let mut all = Files::default();
        for file in files.as_array().into_iter().flatten() {
            all.add(&file["yanked"], &file["yanked_reason"], &file["upload_time_iso_8601"]);
        }
        listing.items.push(all.into_item(version));
    }
    Ok(listing)
}

fn same(a: &str, b: &str) -> bool {
    let read = |text: &str| text.parse::<pep440_rs::Version>().ok();
    a == b || read(a).is_some_and(|a| read(b) == Some(a))
}

/// The version in the name of a wheel or source archive: what follows the name of the project.
fn version_of(name: &str, file: &str) -> Option<String> {
    let stem = [".whl", ".tar.gz", ".zip", ".tar.bz2", ".egg"]
        .iter()
        .find_map(|end| file.strip_suffix(end))?;
    let mut parts = stem.split('-');
    // The name in a file may itself hold `-` in old archives.
    let mut so_far = parts.next()?.to_owned();
    while normalised(&so_far) != name {
        so_far = format!("{so_far}-{}", parts.next()?);
    }
    let version = parts.next()?;
    version.parse::<pep440_rs::Version>().ok().map(|_| version.to_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;
    use serde_json::json;

    #[test]
    fn yanked_is_per_file() {
        let answer = json!({
            "meta": {"api-version": "1.1"}, "name": "a-b", "versions": ["1.0", "1.1", "1.2"],
            "files": [
                {"filename": "a_b-1.0.tar.gz", "yanked": "broken", "upload-time": "2026-01-02T00:00:00Z"},
                {"filename": "a_b-1.0-py3-none-any.whl", "yanked": false, "upload-time": "2026-01-01T00:00:00Z"},
                {"filename": "a-b-1.1.tar.gz", "yanked": "leaks"},
                {"filename": "a_b-1.1-cp312-cp312-linux_x86_64.whl", "yanked": true},
                {"filename": "what.exe"}
            ]
        });
        let listing = read_simple("pypi:a.b", &normalised("A.b"), &answer, listing()).unwrap();
        let said: Vec<_> = listing
            .items
            .iter()
            .map(|i| (i.text.as_str(), i.withdrawn, i.deprecated.as_deref()))
            .collect();
        assert_eq!(
            said,
            [("1.0", false, None), ("1.1", true, Some("leaks")), ("1.2", false, None)]
        );
        assert_eq!(listing.items[0].published_at.as_deref(), Some("2026-01-01T00:00:00Z"));
        assert_eq!(listing.notes, ["pypi:a.b: 1 files have names that hold no version"]);
    }

    #[test]
    fn the_older_api() {
        let answer = json!({"releases": {
            "0.1.0a36": [{"yanked": true, "yanked_reason": "old", "upload_time_iso_8601": "2026-01-01T00:00:00.5Z"}],
            "0.2.0": []
        }});
        let listing = read_older("pypi:x", &answer, listing()).unwrap();
        assert!(listing.items[0].withdrawn && !listing.items[1].withdrawn);
        assert_eq!(listing.items[0].deprecated.as_deref(), Some("old"));
    }

    #[test]
    fn names_of_files() {
        for (name, file, version) in [
            ("six", "six-1.16.0-py2.py3-none-any.whl", Some("1.16.0")),
            ("claude-agent-sdk", "claude_agent_sdk-0.1.0.tar.gz", Some("0.1.0")),
            ("a-b", "a-b-1.0rc1.zip", Some("1.0rc1")),
            ("a-b", "c-1.0.zip", None),
            ("six", "six.whl", None),
        ] {
            assert_eq!(version_of(name, file).as_deref(), version, "{file}");
        }
    }

    #[test]
    fn what_is_no_index_is_an_error() {
        read_simple("pypi:x", "x", &json!({"name": "x"}), listing()).unwrap_err();
        read_older("pypi:x", &json!([]), listing()).unwrap_err();
    }
}
