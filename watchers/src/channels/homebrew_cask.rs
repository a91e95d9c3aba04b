//! A cask of Homebrew. Its version may hold the vendor's build after a comma, `1.2.3,4567`; the release is what is before
//! it. A cask whose version is `latest` names no version.

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Endpoints, NetError};
use serde_json::Value;

use super::homebrew_formula::standing;
use super::{Context, json, main, not_mine, request};
use crate::snapshot::{Answer, Item, Listing};

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::HomebrewCask { name } = channel else {
        return not_mine(channel);
    };
    vec![main(channel, ask(&channel.label(), name, context).await)]
}

async fn ask(source: &str, name: &str, context: &Context<'_>) -> Result<Listing, NetError> {
    let endpoint = context.endpoint(Endpoints::homebrew).await?;
    let request = request(source, &endpoint, &["cask", &format!("{name}.json")]).accept("application/json");
    let fetched = context.client.get(&request).await?;
    read(source, &json(source, &fetched.body)?, Listing::new(&endpoint))
}

fn read(source: &str, cask: &Value, mut listing: Listing) -> Result<Listing, NetError> {
    let version = cask["version"]
        .as_str()
        .ok_or_else(|| NetError::malformed(source, "it has no `version`"))?;
    if version == "latest" {
        listing
            .notes
            .push(format!("{source}: the cask says `latest` and names no version"));
        return Ok(listing);
    }
    let release = version.split(',').next().unwrap_or(version);
    listing.tags.insert("stable".into(), release.to_owned());
    listing.items.push(Item {
        deprecated: standing(cask),
        ..Item::new(release)
    });
    Ok(listing)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;
    use serde_json::json;

    #[test]
    fn versions_of_casks() {
        for (version, release) in [
            ("0.148.0", Some("0.148.0")),
            ("2.1.3,26091", Some("2.1.3")),
            ("latest", None),
        ] {
            let listing = read(
                "homebrew-cask:x",
                &json!({"version": version, "auto_updates": true}),
                listing(),
            )
            .unwrap();
            assert_eq!(listing.items.first().map(|item| item.text.as_str()), release);
        }
        read("homebrew-cask:x", &json!({"token": "x"}), listing()).unwrap_err();
    }
}
