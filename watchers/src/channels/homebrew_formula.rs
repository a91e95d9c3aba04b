//! A formula of Homebrew: the one version that `brew install` gives.

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Endpoints, NetError};
use serde_json::Value;

use super::{Context, json, main, not_mine, request};
use crate::snapshot::{Answer, Item, Listing};

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::HomebrewFormula { name } = channel else {
        return not_mine(channel);
    };
    vec![main(channel, ask(&channel.label(), name, context).await)]
}

async fn ask(source: &str, name: &str, context: &Context<'_>) -> Result<Listing, NetError> {
    let endpoint = context.endpoint(Endpoints::homebrew).await?;
    let request = request(source, &endpoint, &["formula", &format!("{name}.json")]).accept("application/json");
    let fetched = context.client.get(&request).await?;
    read(source, &json(source, &fetched.body)?, Listing::new(&endpoint))
}

fn read(source: &str, formula: &Value, mut listing: Listing) -> Result<Listing, NetError> {
    let version = formula["versions"]["stable"].as_str();
    let version = version.ok_or_else(|| NetError::malformed(source, "it has no `versions.stable`"))?;
    listing.tags.insert("stable".into(), version.to_owned());
    listing.items.push(Item {
        deprecated: standing(formula),
        ..Item::new(version)
    });
    Ok(listing)
}

/// What Homebrew says of something that should not be installed any more.
pub(super) fn standing(entry: &Value) -> Option<String> {
    ["disabled", "deprecated"]
        .iter()
        .find(|word| entry[**word] == Value::Bool(true))
        .map(|word| {
            let stem = if *word == "disabled" { "disable" } else { "deprecation" };
            let reason = entry[format!("{stem}_reason")]
                .as_str()
                .map(|reason| reason.replace('_', " "));
            reason.map_or_else(
                || format!("{word} in Homebrew"),
                |reason| format!("{word} in Homebrew: {reason}"),
            )
        })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;
    use serde_json::json;

    #[test]
    fn the_stable_version() {
        let formula = json!({"versions": {"stable": "1.18.0", "head": "HEAD"}, "revision": 1, "deprecated": true, "deprecation_reason": "does_not_build"});
        let listing = read("homebrew-formula:x", &formula, listing()).unwrap();
        assert_eq!(listing.tags["stable"], "1.18.0");
        assert_eq!(
            listing.items[0].deprecated.as_deref(),
            Some("deprecated in Homebrew: does not build")
        );
    }

    #[test]
    fn without_a_version_it_is_an_error() {
        let error = read("homebrew-formula:x", &json!({"versions": {"stable": null}}), listing()).unwrap_err();
        assert!(error.to_string().contains("versions.stable"), "{error}");
    }
}
