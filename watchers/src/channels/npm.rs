//! npm: all versions, all dist-tags, times, deprecations, what was unpublished; earlier names and platform packages.
//!
//! A packument is `{versions, dist-tags, time}`. A version that was unpublished leaves `versions` and stays in `time`; a
//! package that was unpublished as a whole has an object at `time.unpublished`. Mirrors leave out what they like, so what
//! is read here is "as this registry shows it".

use std::time::Duration;

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Freshness, NetError};
use serde_json::{Map, Value};

use super::{Context, json, main, not_mine, request};
use crate::snapshot::{Answer, Coverage, Item, Listing, Role, utc};

/// The whole packument, with times.
const FULL: &str = "application/json";
/// Without times, a tenth of the size. Mirrors may send the whole one all the same.
const ABBREVIATED: &str = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";
/// Nothing new is expected under an old name.
const EARLIER: Freshness = Freshness::AtMost(Duration::from_secs(7 * 24 * 3600));

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::Npm {
        package,
        earlier,
        platforms,
    } = channel
    else {
        return not_mine(channel);
    };
    let mut answers = vec![main(channel, ask(package, FULL, Freshness::Revalidate, context).await)];
    for name in earlier {
        let result = ask(name, FULL, EARLIER, context).await;
        answers.push(Answer {
            label: format!("npm:{name}"),
            role: Role::Earlier,
            result,
        });
    }
    let payloads = platforms.iter().map(|(platform, name)| async move {
        let result = ask(name, ABBREVIATED, Freshness::Revalidate, context).await;
        Answer {
            label: format!("npm:{name}"),
            role: Role::Payload(platform.clone()),
            result,
        }
    });
    answers.extend(futures::future::join_all(payloads).await);
    answers
}

async fn ask(
    package: &str,
    accept: &'static str,
    freshness: Freshness,
    context: &Context<'_>,
) -> Result<Listing, NetError> {
    let source = format!("npm:{package}");
    let name = package.to_owned();
    let endpoint = context.endpoint(move |endpoints| endpoints.npm(&name)).await?;
    let request = request(&source, &endpoint, &[package])
        .accept(accept)
        .freshness(freshness);
    let fetched = context.client.get(&request).await?;
    read(package, &json(&source, &fetched.body)?, Listing::new(&endpoint))
}

/// Reads a packument.
fn read(package: &str, packument: &Value, mut listing: Listing) -> Result<Listing, NetError> {
    let source = format!("npm:{package}");
    let object = |key: &str| match packument.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(_) => Err(NetError::malformed(
            &source,
            format!("`{key}` of its metadata is no object"),
        )),
    };
    if !packument.is_object() {
        return Err(NetError::malformed(&source, "its metadata is no object"));
    }
    let empty = Map::new();
    let (versions, time) = (object("versions")?, object("time")?.unwrap_or(&empty));
    let unpublished = time.get("unpublished").filter(|value| value.is_object());
    if versions.is_none() && unpublished.is_none() && time.is_empty() {
        return Err(NetError::malformed(&source, "its metadata has no `versions`"));
    }
    listing.coverage = Coverage::All;
    let versions = versions.unwrap_or(&empty);
    for (version, manifest) in versions {
        listing.items.push(Item {
            published_at: time.get(version).and_then(Value::as_str).and_then(utc),
            deprecated: words(manifest.get("deprecated")),
            needs: needs(package, manifest),
            ..Item::new(version)
        });
    }
    // What has a time and no manifest was unpublished.
    let of_times = time.iter().filter(|(version, at)| {
        at.is_string() && !["created", "modified"].contains(&version.as_str()) && !versions.contains_key(*version)
    });
    for (version, at) in of_times {
        let published_at = at.as_str().and_then(utc);
        listing.items.push(Item {
            withdrawn: true,
            published_at,
            ..Item::new(version)
        });
    }
    let named = unpublished
        .and_then(|value| value.get("versions"))
        .and_then(Value::as_array);
    for version in named.into_iter().flatten().filter_map(Value::as_str) {
        if !listing.items.iter().any(|item| item.text == version) {
            listing.items.push(Item {
                withdrawn: true,
                ..Item::new(version)
            });
        }
    }
    if unpublished.is_some() {
        listing
            .notes
            .push(format!("{source}: the whole package was unpublished"));
    }
    for (tag, version) in object("dist-tags")?.unwrap_or(&empty) {
        match version.as_str() {
            Some(version) => drop(listing.tags.insert(tag.clone(), version.to_owned())),
            None => listing
                .notes
                .push(format!("{source}: the dist-tag {tag} points at no version")),
        }
    }
    Ok(listing)
}

/// A deprecation: words, or `true`. An empty text takes one back.
fn words(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Bool(true) => Some("deprecated".to_owned()),
        _ => None,
    }
}

/// The versions of the same package among its optional dependencies, `npm:@openai/codex@0.99.0-linux-x64`.
fn needs(package: &str, manifest: &Value) -> Vec<String> {
    let optional = manifest.get("optionalDependencies").and_then(Value::as_object);
    let aliases = optional
        .into_iter()
        .flatten()
        .filter_map(|(_, range)| range.as_str()?.strip_prefix("npm:"));
    aliases
        .filter_map(|alias| Some(alias.strip_prefix(package)?.strip_prefix('@')?.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;
    use serde_json::json;

    fn read(packument: &Value) -> Result<Listing, NetError> {
        super::read("@a/b", packument, listing())
    }

    #[test]
    fn versions_times_tags_deprecations_and_payloads() {
        let listing = read(&json!({
            "dist-tags": {"latest": "1.0.0", "odd": 3},
            "time": {"created": "2026-01-01T00:00:00.000Z", "modified": "x", "1.0.0": "2026-01-02T00:00:00.123Z"},
            "versions": {
                "1.0.0": {"deprecated": "use c", "optionalDependencies": {"@a/b-linux-x64": "npm:@a/b@1.0.0-linux-x64", "z": "^1"}},
                "1.0.0-linux-x64": {"deprecated": ""},
                "2.0.0": null
            }
        }))
        .unwrap();
        assert_eq!(listing.coverage, Coverage::All);
        let first = &listing.items[0];
        assert_eq!(first.published_at.as_deref(), Some("2026-01-02T00:00:00Z"));
        assert_eq!(first.deprecated.as_deref(), Some("use c"));
        assert_eq!(first.needs, ["1.0.0-linux-x64"]);
        assert_eq!(listing.items[1].deprecated, None);
        assert_eq!(listing.items.len(), 3);
        assert_eq!(listing.tags["latest"], "1.0.0");
        assert_eq!(listing.notes, ["npm:@a/b: the dist-tag odd points at no version"]);
    }

    #[test]
    fn one_version_unpublished() {
        let time = json!({"created": "2026-01-01T00:00:00Z", "1.4.4": "2026-01-02T00:00:00Z", "1.4.5": "2026-01-03T00:00:00Z"});
        let listing = read(&json!({"versions": {"1.4.5": {}}, "time": time})).unwrap();
        let withdrawn: Vec<_> = listing
            .items
            .iter()
            .filter(|item| item.withdrawn)
            .map(|item| &item.text)
            .collect();
        assert_eq!(withdrawn, ["1.4.4"]);
    }

    #[test]
    fn the_whole_package_unpublished() {
        let time = json!({"1.0.0": "2026-01-02T00:00:00Z", "unpublished": {"time": "2026-02-01T00:00:00Z", "versions": ["1.0.0", "1.1.0"]}});
        let listing = read(&json!({"name": "@a/b", "time": time})).unwrap();
        assert!(listing.items.iter().all(|item| item.withdrawn));
        assert_eq!(listing.items.len(), 2);
    }

    #[test]
    fn what_is_no_packument_is_an_error_and_never_an_empty_listing() {
        for bad in [
            json!([]),
            json!({}),
            json!({"versions": "1.0.0"}),
            json!({"versions": null, "dist-tags": {}}),
        ] {
            let error = read(&bad).unwrap_err().to_string();
            assert!(error.starts_with("npm:@a/b: the answer is not usable"), "{error}");
        }
    }
}
