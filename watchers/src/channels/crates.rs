//! crates.io: the lines of the sparse index, one version each, with `yanked`.

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Endpoints, NetError};
use serde_json::Value;

use super::{Context, main, not_mine, request};
use crate::snapshot::{Answer, Coverage, Item, Listing, utc};

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::Crates { package } = channel else {
        return not_mine(channel);
    };
    vec![main(channel, ask(package, context).await)]
}

async fn ask(package: &str, context: &Context<'_>) -> Result<Listing, NetError> {
    let source = format!("crates:{package}");
    let endpoint = context.endpoint(Endpoints::crates).await?;
    let name = package.to_ascii_lowercase();
    let Some(folders) = folders(&name) else {
        return Err(NetError::malformed(source, "its name is no name of a crate"));
    };
    let segments: Vec<&str> = folders.into_iter().chain([name.as_str()]).collect();
    let fetched = context.client.get(&request(&source, &endpoint, &segments)).await?;
    read(&source, &fetched.body, Listing::new(&endpoint))
}

/// The folders of the index that a name is in (cargo's documentation of the index format).
fn folders(name: &str) -> Option<Vec<&str>> {
    match name.len() {
        _ if !name.is_ascii() => None,
        0 => None,
        1 => Some(vec!["1"]),
        2 => Some(vec!["2"]),
        3 => Some(vec!["3", &name[..1]]),
        _ => Some(vec![&name[..2], &name[2..4]]),
    }
}

fn read(source: &str, body: &[u8], mut listing: Listing) -> Result<Listing, NetError> {
    let text = String::from_utf8_lossy(body);
    let mut bad = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        match value.get("vers").and_then(Value::as_str) {
            Some(version) => listing.items.push(Item {
                withdrawn: value["yanked"].as_bool().unwrap_or(false),
                published_at: value["pubtime"].as_str().and_then(utc),
                ..Item::new(version)
            }),
            None => bad += 1,
        }
    }
    if listing.items.is_empty() {
        return Err(NetError::malformed(source, "no line of it is an entry of an index"));
    }
    listing.coverage = if bad == 0 { Coverage::All } else { Coverage::Part };
    if bad > 0 {
        listing
            .notes
            .push(format!("{source}: {bad} lines of the index cannot be read"));
    }
    Ok(listing)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;

    #[test]
    fn lines_of_the_index() {
        let body = b"{\"name\":\"x\",\"vers\":\"1.0.0\",\"yanked\":false}\n{\"vers\":\"1.0.1\",\"yanked\":true}\n";
        let whole = read("crates:x", body, listing()).unwrap();
        assert_eq!(whole.coverage, Coverage::All);
        assert_eq!(
            whole.items.iter().map(|item| item.withdrawn).collect::<Vec<_>>(),
            [false, true]
        );
        let cut = read("crates:x", &body[..60], listing()).unwrap();
        assert_eq!((cut.items.len(), cut.coverage), (1, Coverage::Part));
        read("crates:x", b"<html>", listing()).unwrap_err();
    }

    #[test]
    fn where_a_name_is() {
        assert_eq!(folders("a").unwrap(), ["1"]);
        assert_eq!(folders("abc").unwrap(), ["3", "a"]);
        assert_eq!(folders("agent-client-protocol").unwrap(), ["ag", "en"]);
        assert_eq!(folders(""), None);
    }
}
