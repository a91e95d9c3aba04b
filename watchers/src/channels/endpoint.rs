//! A vendor's own address, or what the settings name in its place: the version by a JSON pointer, or by a pattern over the
//! text.

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{NetError, Request};
use regex::Regex;
use serde_json::Value;

use super::{Context, json, main, not_mine};
use crate::snapshot::{Answer, Item, Listing};

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::Endpoint { url, pointer, pattern } = channel else {
        return not_mine(channel);
    };
    vec![main(
        channel,
        ask(&channel.label(), url, pointer.as_deref(), pattern.as_deref(), context).await,
    )]
}

async fn ask(
    source: &str,
    url: &str,
    pointer: Option<&str>,
    pattern: Option<&str>,
    context: &Context<'_>,
) -> Result<Listing, NetError> {
    let endpoint = context.endpoints.vendor(source, url)?;
    let request = Request::new(source, endpoint.base().clone()).with_auth_of(&endpoint);
    let fetched = context.client.get(&request).await?;
    read(source, &fetched.body, pointer, pattern, Listing::new(&endpoint))
}

fn read(
    source: &str,
    body: &[u8],
    pointer: Option<&str>,
    pattern: Option<&str>,
    mut listing: Listing,
) -> Result<Listing, NetError> {
    let texts = match pointer {
        Some(pointer) => pointed(source, &json(source, body)?, pointer)?,
        None => vec![String::from_utf8_lossy(body).into_owned()],
    };
    let versions = match pattern {
        Some(pattern) => matched(source, &texts, pattern)?,
        None => texts,
    };
    // One version is what the vendor calls current; a list says nothing of that.
    if let [only] = versions.as_slice() {
        listing.tags.insert("latest".into(), only.clone());
    }
    listing.items = versions.into_iter().map(Item::new).collect();
    Ok(listing)
}

/// The text, or the list of texts, at `pointer`.
fn pointed(source: &str, document: &Value, pointer: &str) -> Result<Vec<String>, NetError> {
    let bad = || NetError::malformed(source, format!("there is no version at {pointer}"));
    match document.pointer(pointer).ok_or_else(bad)? {
        Value::String(text) => Ok(vec![text.trim().to_owned()]),
        Value::Array(items) if !items.is_empty() => items
            .iter()
            .map(|item| item.as_str().map(|text| text.trim().to_owned()).ok_or_else(bad))
            .collect(),
        _ => Err(bad()),
    }
}

/// The group `version` of every match, each once, in the order of the text.
fn matched(source: &str, texts: &[String], pattern: &str) -> Result<Vec<String>, NetError> {
    let bad = |what: String| NetError::malformed(source, what);
    let regex = Regex::new(pattern).map_err(|error| bad(format!("the pattern of the channel: {error}")))?;
    let mut versions: Vec<String> = Vec::new();
    for found in texts.iter().flat_map(|text| regex.captures_iter(text)) {
        if let Some(version) = found.name("version").map(|version| version.as_str().to_owned())
            && !versions.contains(&version)
        {
            versions.push(version);
        }
    }
    if versions.is_empty() {
        return Err(bad(format!("nothing in it matches the pattern {pattern}")));
    }
    Ok(versions)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;

    fn versions(body: &str, pointer: Option<&str>, pattern: Option<&str>) -> Result<Vec<String>, String> {
        read("endpoint:x", body.as_bytes(), pointer, pattern, listing())
            .map(|listing| listing.items.into_iter().map(|item| item.text).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn pointer_and_pattern() {
        let body = r#"{"cli": {"version": "v1.2.3 (stable)", "all": ["1.2.3", "1.2.2"]}}"#;
        assert_eq!(versions(body, Some("/cli/all"), None).unwrap(), ["1.2.3", "1.2.2"]);
        assert_eq!(
            versions(body, Some("/cli/version"), Some(r"v(?P<version>[\d.]+)")).unwrap(),
            ["1.2.3"]
        );
        assert_eq!(
            versions("1.2.3\n1.2.3 1.2.4", None, Some(r"(?P<version>\d\.\d\.\d)")).unwrap(),
            ["1.2.3", "1.2.4"]
        );
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = versions("{}", Some("/cli/version"), None).unwrap_err();
        assert_eq!(
            error,
            "endpoint:x: the answer is not usable: there is no version at /cli/version"
        );
        assert!(versions("<html>", Some("/a"), None).unwrap_err().contains("no JSON"));
        assert!(
            versions("nothing", None, Some("(?P<version>[0-9]+)"))
                .unwrap_err()
                .contains("nothing in it matches")
        );
        assert!(
            versions(r#"{"a": [1]}"#, Some("/a"), None)
                .unwrap_err()
                .contains("no version at /a")
        );
    }
}
