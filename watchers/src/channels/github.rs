//! What the GitHub channels share: pages, moved repositories, and page sizes for large repositories.
//!
//! Sources: GitHub's REST documentation on pagination and redirects. A moved repository answers 301 with its number
//! (`/repositories/123/…`); later the old name may be 404 while the number still works.

use agent_contracts_net::{Endpoint, Fetched, Freshness, NetError, PrivateUrl, Request, Status};
use serde_json::Value;

use super::{Context, json};
use crate::snapshot::Listing;

/// The media type that GitHub asks for.
const ACCEPT: &str = "application/vnd.github+json";
/// Large repositories time out on full pages.
const PAGE_SIZES: [usize; 3] = [100, 50, 25];
/// How old an answer may be where questions are few.
const POOR: Freshness = Freshness::AtMost(std::time::Duration::from_secs(50 * 60));
/// No repository that we watch has more than 5,000 tags.
const MOST_PAGES: usize = 60;

/// A repository, and where it answers.
pub(super) struct Repository<'a> {
    source: &'a str,
    name: &'a str,
    context: &'a Context<'a>,
    endpoint: Endpoint,
    /// Its number, once known.
    id: Option<u64>,
    /// Asked by number, because the name is gone.
    by_id: bool,
}

/// The pages of a listing.
pub(super) struct Pages {
    /// The items of all pages, in order.
    pub(super) items: Vec<Value>,
    /// How it ended.
    pub(super) end: End,
    /// The first page is as it was when it was last asked for.
    pub(super) first_unchanged: bool,
}

/// How reading pages ended.
pub(super) enum End {
    /// After the last page.
    Whole,
    /// The caller had seen enough.
    Enough,
    /// A later page could not be had.
    Cut(String),
}

impl<'a> Repository<'a> {
    pub(super) fn new(source: &'a str, name: &'a str, context: &'a Context<'a>) -> Result<Self, NetError> {
        let id = context.before.places.get(source).and_then(|place| place.repository);
        Ok(Self {
            source,
            name,
            context,
            endpoint: context.endpoints.github_api()?,
            id,
            by_id: false,
        })
    }

    /// An empty listing that says where it is from.
    pub(super) fn listing(&self) -> Listing {
        Listing {
            tags_of_a_repository: true,
            repository: self.id,
            ..Listing::new(&self.endpoint)
        }
    }

    /// The address of something below the repository.
    fn url(&self, below: &[&str]) -> PrivateUrl {
        let (owner, name) = self.name.split_once('/').unwrap_or((self.name, ""));
        let id = self.id.map(|id| id.to_string());
        let root = match &id {
            Some(id) if self.by_id => vec!["repositories", id.as_str()],
            _ => vec!["repos", owner, name],
        };
        self.endpoint.join(&[root.as_slice(), below].concat())
    }

    fn request(&self, url: PrivateUrl) -> Request {
        // Without a token 60 questions an hour are all we have, and a "not modified" counts as one.
        let is_poor = self.endpoint.auth_for(self.endpoint.base()).is_none() && self.endpoint.origin() == "the default";
        let freshness = if is_poor { POOR } else { Freshness::Revalidate };
        Request::new(self.source, url)
            .with_auth_of(&self.endpoint)
            .accept(ACCEPT)
            .freshness(freshness)
    }

    /// One thing below the repository.
    pub(super) async fn get(&mut self, below: &[&str], freshness: Freshness) -> Result<Value, NetError> {
        let request = self.request(self.url(below)).freshness(freshness);
        let fetched = self.context.client.get(&request).await?;
        self.learn(&fetched);
        json(self.source, &fetched.body)
    }

    /// A listing from its first page on, until its end or until `enough` says so of what was read.
    ///
    /// On server errors it begins again with smaller pages. A name that is gone is asked for by its number.
    pub(super) async fn pages(&mut self, below: &[&str], enough: impl Fn(&[Value]) -> bool) -> Result<Pages, NetError> {
        let mut last = None;
        for (attempt, size) in PAGE_SIZES.into_iter().enumerate() {
            let is_last = attempt + 1 == PAGE_SIZES.len();
            match self.pages_of(below, size, is_last, &enough).await {
                Err(NetError::NotFound { .. }) if self.id.is_some() && !self.by_id => {
                    self.by_id = true;
                    return self.pages_of(below, size, true, &enough).await;
                }
                Err(error) if error.is_server_error() => last = Some(error),
                // Smaller pages may get further.
                Ok(Pages { end: End::Cut(_), .. }) if !is_last => {}
                settled => return settled,
            }
        }
        Err(last.unwrap_or_else(|| NetError::malformed(self.source, "its pages end nowhere")))
    }

    /// With `repeated` a page that fails is asked for again, as often as the client is set to.
    async fn pages_of(
        &mut self,
        below: &[&str],
        size: usize,
        repeated: bool,
        enough: &impl Fn(&[Value]) -> bool,
    ) -> Result<Pages, NetError> {
        let first = self.url(below).with_query("per_page", &size.to_string());
        let mut pages = Pages {
            items: Vec::new(),
            end: End::Whole,
            first_unchanged: false,
        };
        let mut url = first.clone();
        for number in 1..=MOST_PAGES {
            let request = self.request(url);
            let request = if repeated { request } else { request.retries(0) };
            let answer = self.context.client.get(&request).await;
            let page = answer.and_then(|fetched| {
                let page = json(self.source, &fetched.body)?;
                let items = page.as_array().cloned();
                let items =
                    items.ok_or_else(|| NetError::malformed(self.source, "a page of its listing is no list"))?;
                Ok((fetched, items))
            });
            let (fetched, items) = match page {
                Ok(page) => page,
                Err(error) if number == 1 => return Err(error),
                Err(error) => {
                    pages.end = End::Cut(format!("page {number} could not be had: {error}"));
                    return Ok(pages);
                }
            };
            self.learn(&fetched);
            pages.first_unchanged |= number == 1 && fetched.status != Status::Fresh;
            // A host that knows no pages gives everything each time.
            let again = number > 1 && !items.is_empty() && items.first() == pages.items.first();
            let full = items.len() == size && !again;
            if !again {
                pages.items.extend(items);
            }
            url = match fetched.next {
                Some(next) if next.same_origin(self.endpoint.base()) => next,
                Some(_) => return Err(NetError::malformed(self.source, "its next page is at another host")),
                // Without a link a full page may be the last, or the host gives no links: the next page tells.
                None if full => first.with_query("page", &(number + 1).to_string()),
                None => return Ok(pages),
            };
            if enough(&pages.items) {
                pages.end = End::Enough;
                return Ok(pages);
            }
        }
        pages.end = End::Cut(format!("there are more than {MOST_PAGES} pages"));
        Ok(pages)
    }

    /// The number of a repository that has moved stands in the address that it redirects to.
    fn learn(&mut self, fetched: &Fetched) {
        let moved = fetched.moved_to.as_ref();
        let id = moved.and_then(|url| {
            let segments = url.path_segments();
            let at = segments.iter().position(|segment| *segment == "repositories")?;
            segments.get(at + 1)?.parse().ok()
        });
        if let Some(id) = id {
            self.id = Some(id);
            self.by_id = true;
        }
    }

    /// Adds the repository's number, and its new name if it has moved. A week-old answer will do; without any the listing
    /// is as good.
    pub(super) async fn identify(&mut self, listing: &mut Listing) {
        let week = Freshness::AtMost(std::time::Duration::from_secs(7 * 24 * 3600));
        if self.id.is_none() || self.by_id {
            match self.get(&[], week).await {
                Ok(repository) => {
                    self.id = repository["id"].as_u64().or(self.id);
                    let now = repository["full_name"].as_str();
                    if let Some(now) = now.filter(|now| !now.eq_ignore_ascii_case(self.name)) {
                        listing.moved_to = Some(now.to_owned());
                    }
                }
                Err(error) => tracing::debug!(source = self.source, %error, "its number is not known"),
            }
        }
        if self.by_id && listing.moved_to.is_none() {
            listing.moved_to = self.id.map(|id| format!("repository number {id}"));
        }
        listing.repository = self.id;
    }
}
