//! Tags of a GitHub repository, peeled to the commits that they stand for.
//!
//! An annotated tag costs a request to peel, so only the newest few are peeled at a time; what a tag object says never
//! changes, so each is asked for once.

use agent_contracts_config::agent::Channel;
use agent_contracts_net::{Freshness, NetError};
use serde_json::Value;

use super::github::{End, Repository};
use super::{Context, main, not_mine};
use crate::scheme::{Reading, Scheme};
use crate::snapshot::{Answer, Coverage, Item, Listing};

/// How many annotated tags are peeled in one pass.
const PEELED: usize = 20;
/// A tag of a tag of a tag is rare; a chain without end is none.
const NESTED: usize = 5;

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::GithubTags { repo, rolling } = channel else {
        return not_mine(channel);
    };
    vec![main(channel, list(&channel.label(), repo, rolling, context).await)]
}

async fn list(source: &str, repo: &str, rolling: &[String], context: &Context<'_>) -> Result<Listing, NetError> {
    let mut repository = Repository::new(source, repo, context)?;
    let pages = repository.pages(&["git", "matching-refs", "tags"], |_| false).await?;
    let mut listing = repository.listing();
    listing.coverage = match pages.end {
        End::Cut(why) => {
            listing.notes.push(format!("{source}: {why}"));
            Coverage::Part
        }
        End::Whole | End::Enough => Coverage::All,
    };
    let mut annotated = Vec::new();
    for reference in &pages.items {
        match read(reference, rolling) {
            Read::Item(item) => listing.items.push(item),
            Read::Annotated(item) => {
                annotated.push(listing.items.len());
                listing.items.push(item);
            }
            Read::Skipped => {}
            Read::Odd(what) => listing.notes.push(format!("{source}: {what}")),
        }
    }
    peel(source, context, &mut repository, &mut listing, annotated).await;
    repository.identify(&mut listing).await;
    Ok(listing)
}

enum Read {
    /// A tag on a commit.
    Item(Item),
    /// A tag object.
    Annotated(Item),
    Skipped,
    Odd(String),
}

fn read(reference: &Value, rolling: &[String]) -> Read {
    let name = reference["ref"]
        .as_str()
        .and_then(|name| name.strip_prefix("refs/tags/"));
    let (Some(name), Some(sha)) = (name, reference["object"]["sha"].as_str()) else {
        return Read::Odd("a reference that is no tag is left out".into());
    };
    if rolling.iter().any(|tag| tag == name) {
        return Read::Skipped;
    }
    let item = Item {
        object: Some(sha.to_owned()),
        ..Item::new(name)
    };
    match reference["object"]["type"].as_str() {
        Some("commit") => Read::Item(Item {
            commit: Some(sha.to_owned()),
            ..item
        }),
        Some("tag") => Read::Annotated(item),
        other => Read::Odd(format!(
            "the tag {name} is left out: it points at a {}",
            other.unwrap_or("thing unknown")
        )),
    }
}

/// Finds the commits of annotated tags: from what is known, and for the newest few by asking.
async fn peel(
    source: &str,
    context: &Context<'_>,
    repository: &mut Repository<'_>,
    listing: &mut Listing,
    annotated: Vec<usize>,
) {
    let known = context.before.places.get(source).map(|place| &place.items);
    let scheme = Scheme::new(&context.agent.version);
    let mut to_ask = Vec::new();
    for index in annotated {
        let item = &mut listing.items[index];
        let before = known
            .and_then(|items| items.get(&item.text))
            .filter(|before| before.object == item.object);
        item.commit = before.and_then(|before| before.commit.clone());
        if let (None, Reading::Release(version)) = (&item.commit, scheme.read_tag(&item.text)) {
            to_ask.push((version.text, index));
        }
    }
    to_ask.sort_by(|(a, _), (b, _)| scheme.compare(b, a));
    let mut left_out = Vec::new();
    for (_, index) in to_ask.into_iter().take(PEELED) {
        let item = &mut listing.items[index];
        match commit_of(repository, item.object.clone().unwrap_or_default()).await {
            Ok(Ok(commit)) => item.commit = Some(commit),
            Ok(Err(kind)) => {
                listing.notes.push(format!(
                    "{source}: the tag {} is left out: it leads to {kind}",
                    item.text
                ));
                left_out.push(index);
            }
            // The rest waits for the next pass; a tag without its commit is known all the same.
            Err(error) => {
                listing
                    .notes
                    .push(format!("{source}: not every annotated tag was followed ({error})"));
                break;
            }
        }
    }
    left_out.sort_unstable();
    for index in left_out.into_iter().rev() {
        listing.items.remove(index);
    }
}

/// The commit that a tag object leads to, or what else it leads to.
async fn commit_of(repository: &mut Repository<'_>, mut sha: String) -> Result<Result<String, String>, NetError> {
    for _ in 0..NESTED {
        let tag = repository.get(&["git", "tags", &sha], Freshness::Forever).await?;
        let target = tag["object"]["sha"].as_str().unwrap_or_default().to_owned();
        match tag["object"]["type"].as_str() {
            Some("commit") => return Ok(Ok(target)),
            Some("tag") if !target.is_empty() => sha = target,
            other => return Ok(Err(format!("a {}", other.unwrap_or("thing unknown")))),
        }
    }
    Ok(Err(format!("more than {NESTED} tags of tags")))
}
