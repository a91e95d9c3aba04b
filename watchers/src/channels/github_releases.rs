//! GitHub releases, read from the newest on.
//!
//! The list is ordered by creation. Reading stops at a page that holds only what is known and is older than the window
//! (`watch.fresh_days` of the settings); inside the window everything is read again, so that edits and deletions show.
//! After 30 days all of it is read again.
//! (The listing of Renovate works in this way.) `releases/latest` leaves out prereleases; 404 there means "no stable
//! release". When the list cannot be had, the feed `releases.atom` still shows the last ten.

use std::time::Duration;

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Freshness, NetError, Request};
use jiff::{SignedDuration, Timestamp};
use regex::Regex;
use serde_json::Value;

use super::github::{End, Repository};
use super::{Context, main, not_mine};
use crate::snapshot::{Answer, Coverage, Item, Listing, utc};
use crate::state::Place;

/// Everything at all is read again after so long.
const WHOLE_EVERY: SignedDuration = SignedDuration::from_hours(30 * 24);

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::GithubReleases { repo, rolling } = channel else {
        return not_mine(channel);
    };
    let source = channel.label();
    let result = match list(&source, repo, rolling, context).await {
        Err(error) if error.is_server_error() || matches!(error, NetError::Throttled { .. }) => {
            tracing::debug!(source, %error, "reading the feed instead");
            feed(&source, repo, rolling, context).await.map_err(|_| error)
        }
        settled => settled,
    };
    vec![main(channel, result)]
}

async fn list(source: &str, repo: &str, rolling: &[String], context: &Context<'_>) -> Result<Listing, NetError> {
    let now = context.client.now();
    let place = context.before.places.get(source);
    let window = SignedDuration::from_hours(24 * i64::from(context.watch.fresh_days));
    let mut repository = Repository::new(source, repo, context)?;
    let pages = repository
        .pages(&["releases"], |read| is_known(read, place, window, now))
        .await?;
    let mut listing = repository.listing();
    for release in &pages.items {
        read(source, release, rolling, &mut listing);
    }
    listing.coverage = match pages.end {
        End::Whole => Coverage::All,
        End::Enough => {
            let oldest = pages.items.last().and_then(|release| time(&release["created_at"]));
            oldest.map_or(Coverage::Part, Coverage::Since)
        }
        End::Cut(why) => {
            listing.notes.push(format!("{source}: {why}"));
            Coverage::Part
        }
    };
    match place {
        Some(place) if pages.first_unchanged && !place.items.is_empty() && !place.tags_unknown => {
            listing.tags = place.tags.clone();
        }
        _ => match repository.get(&["releases", "latest"], Freshness::Revalidate).await {
            Ok(latest) => {
                if let Some(tag) = latest["tag_name"].as_str() {
                    listing.tags.insert("latest".into(), tag.to_owned());
                }
            }
            Err(NetError::NotFound { .. }) => {
                if !listing.items.is_empty() {
                    listing.notes.push(format!("{source}: it has no stable release"));
                }
            }
            // The list is good without it.
            Err(error) => {
                listing.tags_unknown = true;
                listing.notes.push(format!(
                    "{source}: which release is the latest is not known now ({error})"
                ));
            }
        },
    }
    repository.identify(&mut listing).await;
    Ok(listing)
}

/// Whether what was read reaches back to where nothing is new: the last release is known and out of the window, and all
/// was read not long ago.
fn is_known(read: &[Value], place: Option<&Place>, window: SignedDuration, now: Timestamp) -> bool {
    let Some(place) = place else { return false };
    let within = |time: SignedDuration| move |at: Timestamp| now.duration_since(at) <= time;
    place.read_whole_at.is_some_and(within(WHOLE_EVERY))
        && read.last().is_some_and(|release| {
            let known = release["tag_name"]
                .as_str()
                .is_some_and(|tag| place.items.contains_key(tag));
            known && time(&release["created_at"]).is_some_and(|at| !within(window)(at))
        })
}

fn read(source: &str, release: &Value, rolling: &[String], listing: &mut Listing) {
    let Some(tag) = release["tag_name"].as_str().filter(|tag| !tag.is_empty()) else {
        listing
            .notes
            .push(format!("{source}: a release without a tag is left out"));
        return;
    };
    // Drafts are shown only to people who can push, and are no releases yet.
    if release["draft"] == Value::Bool(true) || rolling.iter().any(|name| name == tag) {
        return;
    }
    let text = |key: &str| release[key].as_str();
    listing.items.push(Item {
        published_at: text("published_at").or(text("created_at")).and_then(utc),
        listed_at: text("created_at").and_then(utc),
        ..Item::new(tag)
    });
}

fn time(value: &Value) -> Option<Timestamp> {
    value.as_str()?.parse().ok()
}

/// The feed: outside the REST limit, ten releases, and the number of the repository in each id.
async fn feed(source: &str, repo: &str, rolling: &[String], context: &Context<'_>) -> Result<Listing, NetError> {
    let endpoint = context.endpoints.github_web()?;
    let (owner, name) = repo.split_once('/').unwrap_or((repo, ""));
    let url = endpoint.join(&[owner, name, "releases.atom"]);
    let request = Request::new(source, url)
        .with_auth_of(&endpoint)
        .accept("application/atom+xml");
    let request = request.freshness(Freshness::AtMost(Duration::from_secs(60)));
    let fetched = context.client.get(&request).await?;
    let api = context.endpoints.github_api()?;
    read_feed(
        source,
        &String::from_utf8_lossy(&fetched.body),
        rolling,
        Listing::new(&api),
    )
}

fn read_feed(source: &str, text: &str, rolling: &[String], mut listing: Listing) -> Result<Listing, NetError> {
    let broken = |what: &str| NetError::malformed(source, format!("its feed {what}"));
    if !text.contains("<feed") || !text.contains("</feed>") {
        return Err(broken("is no feed, or cut short"));
    }
    let entry = Regex::new(r"(?s)<entry>(.*?)</entry>").map_err(|_| broken("cannot be read"))?;
    let id =
        Regex::new(r"<id>tag:github\.com,2008:Repository/(\d+)/([^<]+)</id>").map_err(|_| broken("cannot be read"))?;
    let updated = Regex::new(r"<updated>([^<]+)</updated>").map_err(|_| broken("cannot be read"))?;
    listing.tags_of_a_repository = true;
    listing.tags_unknown = true;
    for found in entry.captures_iter(text) {
        let Some(of_entry) = id.captures(&found[1]) else {
            continue;
        };
        let tag = unescape(&of_entry[2]);
        listing.repository = of_entry[1].parse().ok();
        if !rolling.contains(&tag) {
            let published_at = updated.captures(&found[1]).and_then(|at| utc(&at[1]));
            listing.items.push(Item {
                published_at,
                ..Item::new(tag)
            });
        }
    }
    listing.notes.push(format!(
        "{source}: its list could not be had; its feed shows the newest releases only"
    ));
    Ok(listing)
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::listing;
    use serde_json::json;

    #[test]
    fn drafts_and_rolling_tags_are_no_releases() {
        let mut listing = listing();
        for release in [
            json!({"tag_name": "v1.0.0", "draft": false, "prerelease": true, "published_at": "2026-01-02T00:00:00Z", "created_at": "2026-01-01T00:00:00Z"}),
            json!({"tag_name": "v2.0.0", "draft": true}),
            json!({"tag_name": "nightly"}),
            json!({"tag_name": null}),
            json!("nonsense"),
        ] {
            read("github-releases:o/n", &release, &["nightly".into()], &mut listing);
        }
        assert_eq!(listing.items.len(), 1);
        assert_eq!(listing.items[0].published_at.as_deref(), Some("2026-01-02T00:00:00Z"));
        assert_eq!(listing.notes.len(), 2);
    }

    #[test]
    fn the_feed() {
        let feed = "<?xml version=\"1.0\"?>\n<feed xmlns=\"a\">\n<entry>\n<id>tag:github.com,2008:Repository/77/rust-v1.0&amp;x</id>\n<updated>2026-01-02T03:04:05Z</updated></entry>\n<entry><id>tag:github.com,2008:Repository/77/nightly</id></entry></feed>";
        let listing = read_feed("s", feed, &["nightly".into()], listing()).unwrap();
        assert_eq!(listing.items[0].text, "rust-v1.0&x");
        assert_eq!(
            (listing.items.len(), listing.repository, listing.coverage),
            (1, Some(77), Coverage::Part)
        );
        read_feed("s", &feed[..feed.len() - 4], &[], crate::testing::listing()).unwrap_err();
    }
}
