//! GitHub's bad days: pages, limits, time-outs, moves and edits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(
    dead_code,
    clippy::allow_attributes,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
mod common;

use agent_contracts_config::agent::Channel;
use common::{Page, Watch, json, standing, told};
use serde_json::{Value, json};
use wiremock::matchers::{header, method, path, path_regex};
use wiremock::{Mock, ResponseTemplate};

const LIST: &str = "/repos/o/n/releases";
const FEED: &str = "<feed><entry><id>tag:github.com,2008:Repository/7/v9.0.0</id><updated>2026-11-30T00:00:00Z</updated></entry></feed>";

fn releases() -> Channel {
    Channel::GithubReleases {
        repo: "o/n".into(),
        rolling: vec!["nightly".into()],
    }
}

fn tags() -> Channel {
    Channel::GithubTags {
        repo: "o/n".into(),
        rolling: vec!["nightly".into()],
    }
}

/// Releases `1.FROM.0` down to `1.TO.0`, created a day apart.
fn page(from: usize, to: usize) -> Value {
    let day = |n: usize| format!("2026-{:02}-{:02}T00:00:00Z", 1 + n / 28, 1 + n % 28);
    let release =
        |n| json!({"tag_name": format!("v1.{n}.0"), "created_at": day(n), "published_at": day(n), "draft": false});
    (to..=from).rev().map(release).collect()
}

fn listed(number: usize, size: usize, response: ResponseTemplate) -> Mock {
    Mock::given(path(LIST))
        .and(Page(number, size))
        .respond_with(response)
        .with_priority(2)
}

fn latest(tag: &str) -> Mock {
    Mock::given(path("/repos/o/n/releases/latest")).respond_with(json(&json!({"tag_name": tag})))
}

#[tokio::test]
async fn one_short_page_without_a_link() {
    let mut watch = Watch::new(releases()).await;
    watch.now([listed(1, 100, json(&page(2, 0))), latest("v1.2.0")]).await;
    let outcome = watch.pass().await;
    assert_eq!(standing(&outcome), ["1.2.0", "1.1.0", "1.0.0"]);
    let asked = watch.requests().await;
    assert_eq!(
        asked
            .iter()
            .filter(|request| request.starts_with(&format!("{LIST}?")))
            .count(),
        1,
        "{asked:?}"
    );
}

#[tokio::test]
async fn pages_by_link_are_followed_and_asked_again_with_their_validators() {
    let mut watch = Watch::new(releases()).await;
    let next = format!("<{}{LIST}?per_page=100&page=2>; rel=\"next\"", watch.server.uri());
    let first = json(&page(9, 5))
        .insert_header("link", next.as_str())
        .insert_header("etag", "\"one\"");
    watch
        .now([
            listed(1, 100, first),
            listed(2, 100, json(&page(4, 0)).insert_header("etag", "\"two\"")),
            latest("v1.9.0"),
        ])
        .await;
    assert_eq!(standing(&watch.pass().await).len(), 10);
    // A 304 has no link of its own: the stored one leads on.
    let unchanged = |etag: &str| {
        Mock::given(header("if-none-match", etag))
            .respond_with(ResponseTemplate::new(304))
            .with_priority(1)
    };
    watch.now([unchanged("\"one\""), unchanged("\"two\"")]).await;
    let outcome = watch.pass().await;
    assert_eq!((standing(&outcome).len(), told(&outcome).len()), (10, 0));
    assert_eq!(
        watch.watched.state.places["github-releases:o/n"].tags["latest"],
        "v1.9.0"
    );
}

#[tokio::test]
async fn exactly_one_full_page_and_an_empty_one() {
    let mut watch = Watch::new(releases()).await;
    watch
        .now([
            listed(1, 100, json(&page(99, 0))),
            listed(2, 100, json(&json!([]))),
            latest("v1.99.0"),
        ])
        .await;
    assert_eq!(standing(&watch.pass().await).len(), 100);
}

#[tokio::test]
async fn a_later_page_that_fails_is_a_short_listing_and_no_deletion() {
    let mut watch = Watch::new(releases()).await;
    watch
        .now([
            listed(1, 100, json(&page(120, 21))),
            listed(2, 100, json(&page(20, 0))),
            latest("v1.120.0"),
        ])
        .await;
    assert_eq!(standing(&watch.pass().await).len(), 121);
    let failing: Vec<Mock> = [100, 50, 25]
        .into_iter()
        .flat_map(|size| {
            let fails = Mock::given(path(LIST))
                .respond_with(ResponseTemplate::new(502))
                .with_priority(4);
            [listed(1, size, json(&page(121, 122 - size))), fails]
        })
        .collect();
    watch.now(failing).await;
    // All of it is due to be read again.
    watch.clock.advance(std::time::Duration::from_secs(31 * 24 * 3600));
    let outcome = watch.pass().await;
    assert_eq!(told(&outcome), ["a 1.121.0: new release, in github-releases:o/n"]);
    assert_eq!(standing(&outcome).len(), 122);
    assert!(
        outcome
            .notes
            .iter()
            .any(|note| note.contains("page 2 could not be had")),
        "{:?}",
        outcome.notes
    );
}

#[tokio::test]
async fn large_repositories_are_read_in_smaller_pages() {
    let mut watch = Watch::new(releases()).await;
    let timeout = || ResponseTemplate::new(504);
    watch
        .now([
            listed(1, 100, timeout()),
            listed(1, 50, timeout()),
            listed(1, 25, json(&page(27, 3))),
            listed(2, 25, json(&page(2, 0))),
            latest("v1.27.0"),
        ])
        .await;
    assert_eq!(standing(&watch.pass().await).len(), 28);
}

#[tokio::test]
async fn when_the_list_cannot_be_had_the_feed_still_tells() {
    let feed =
        || Mock::given(path("/o/n/releases.atom")).respond_with(ResponseTemplate::new(200).set_body_string(FEED));
    let secondary = ResponseTemplate::new(403).set_body_string("You have exceeded a secondary rate limit");
    for failure in [ResponseTemplate::new(504), secondary] {
        let mut watch = Watch::new(releases()).await;
        watch.now([listed(1, 100, json(&page(2, 0))), latest("v1.2.0")]).await;
        watch.pass().await;
        watch.now([Mock::given(path(LIST)).respond_with(failure), feed()]).await;
        let outcome = watch.pass().await;
        assert_eq!(told(&outcome), ["a 9.0.0: new release, in github-releases:o/n"]);
        assert_eq!(
            standing(&outcome).len(),
            4,
            "the feed shows ten at most, and takes nothing away"
        );
        assert!(
            outcome
                .notes
                .iter()
                .any(|note| note.contains("its feed shows the newest")),
            "{:?}",
            outcome.notes
        );
    }
}

#[tokio::test]
async fn throttled_and_without_a_feed_it_is_blind_and_keeps_what_it_knew() {
    let mut watch = Watch::new(releases()).await;
    watch.now([listed(1, 100, json(&page(2, 0))), latest("v1.2.0")]).await;
    watch.pass().await;
    let reset = "1796400000";
    let exhausted = ResponseTemplate::new(403)
        .insert_header("x-ratelimit-remaining", "0")
        .insert_header("x-ratelimit-reset", reset);
    watch.now([Mock::given(method("GET")).respond_with(exhausted)]).await;
    let mut events = Vec::new();
    for _ in 0..4 {
        events.extend(told(&watch.pass().await));
    }
    assert_eq!(events.len(), 1, "{events:?}");
    assert!(
        events[0].starts_with("a: github-releases:o/n is blind since 2026-12-01T14:00:00Z"),
        "{events:?}"
    );
    assert_eq!(watch.watched.known.releases.len(), 3);
}

#[tokio::test]
async fn no_stable_release_is_no_error_and_no_invention() {
    let mut watch = Watch::new(releases()).await;
    let alphas = json!([{"tag_name": "v0.1.0-alpha.2", "prerelease": true}, {"tag_name": "v0.1.0-alpha.10", "prerelease": true}]);
    let none = Mock::given(path("/repos/o/n/releases/latest")).respond_with(ResponseTemplate::new(404));
    watch.now([listed(1, 100, json(&alphas)), none]).await;
    let outcome = watch.pass().await;
    assert_eq!(standing(&outcome), ["0.1.0-alpha.10", "0.1.0-alpha.2"]);
    assert!(
        outcome
            .notes
            .contains(&"github-releases:o/n: it has no stable release".to_owned())
    );
    assert!(watch.watched.state.places["github-releases:o/n"].tags.is_empty());
}

#[tokio::test]
async fn only_the_window_is_read_again_and_deletions_in_it_show() {
    let mut watch = Watch::new(releases()).await;
    watch.clock.advance(std::time::Duration::from_secs(3600));
    // 300 releases, a day apart, the newest in November 2026.
    let whole = [
        listed(1, 100, json(&page(299, 200))),
        listed(2, 100, json(&page(199, 100))),
        listed(3, 100, json(&page(99, 0))),
        listed(4, 100, json(&json!([]))),
    ];
    watch.now(whole.into_iter().chain([latest("v1.299.0")])).await;
    assert_eq!(standing(&watch.pass().await).len(), 300);

    let mut changed = page(300, 200);
    changed.as_array_mut().unwrap().remove(1);
    watch.now([listed(1, 100, json(&changed)), latest("v1.300.0")]).await;
    let outcome = watch.pass().await;
    assert_eq!(
        told(&outcome),
        [
            "a: the tag latest of github-releases:o/n moved from v1.299.0 to v1.300.0",
            "a 1.300.0: new release, in github-releases:o/n",
            "a 1.299.0: withdrawn from github-releases:o/n, and no other channel has it",
        ]
    );
    let asked = watch.requests().await;
    assert!(
        !asked.iter().any(|request| request.contains("page=2")),
        "older pages are known: {asked:?}"
    );
}

#[tokio::test]
async fn how_far_back_releases_are_read_again_can_be_set() {
    for (days, second_page) in [(30, false), (120, true)] {
        let mut watch = Watch::new(releases()).await;
        watch.patience.fresh_days = days;
        let whole = [
            listed(1, 100, json(&page(299, 200))),
            listed(2, 100, json(&page(199, 100))),
            listed(3, 100, json(&page(99, 0))),
            listed(4, 100, json(&json!([]))),
        ];
        watch.now(whole.into_iter().chain([latest("v1.299.0")])).await;
        watch.pass().await;
        let before = watch.requests().await.len();
        watch.pass().await;
        let asked = watch.requests().await.split_off(before);
        let pages = (
            asked.iter().any(|one| one.contains("page=2")),
            asked.iter().any(|one| one.contains("page=3")),
        );
        assert_eq!(pages, (second_page, false), "{days} days: {asked:?}");
    }
}

#[tokio::test]
async fn edits_drafts_and_rolling_tags_are_no_news() {
    let mut watch = Watch::new(releases()).await;
    let release = |name: &str, updated: &str| json!({"tag_name": "v1.0.0", "name": name, "updated_at": updated, "created_at": "2026-11-30T00:00:00Z"});
    let list = |name: &str, day: u8| {
        let updated = format!("2026-12-0{day}T00:00:00Z");
        json!([{"tag_name": "v1.1.0", "draft": true}, {"tag_name": "nightly", "created_at": updated}, release(name, &updated)])
    };
    watch
        .now([listed(1, 100, json(&list("one", 1))), latest("v1.0.0")])
        .await;
    assert_eq!(standing(&watch.pass().await), ["1.0.0"]);
    watch
        .now([listed(1, 100, json(&list("two", 2))), latest("v1.0.0")])
        .await;
    assert_eq!(told(&watch.pass().await), [] as [&str; 0]);
}

#[tokio::test]
async fn a_moved_repository_is_followed_by_its_number() {
    let mut watch = Watch::new(releases()).await;
    let moved = |to: &str| ResponseTemplate::new(301).insert_header("location", to);
    let by_number = || {
        [
            Mock::given(path("/repositories/77/releases")).respond_with(json(&page(2, 0))),
            Mock::given(path("/repositories/77/releases/latest")).respond_with(json(&json!({"tag_name": "v1.2.0"}))),
            Mock::given(path("/repositories/77")).respond_with(json(&json!({"id": 77, "full_name": "new/n"}))),
        ]
    };
    let redirect =
        Mock::given(path_regex("^/repos/o/n/releases$")).respond_with(moved("/repositories/77/releases?per_page=100"));
    watch.now(by_number().into_iter().chain([redirect])).await;
    let outcome = watch.pass().await;
    assert_eq!(told(&outcome), ["a: github-releases:o/n has moved to new/n"]);
    assert_eq!(standing(&outcome).len(), 3);
    // The old name is gone; the number still leads there, and nothing is told twice.
    watch
        .now(
            by_number()
                .into_iter()
                .chain([Mock::given(path(LIST)).respond_with(ResponseTemplate::new(404))]),
        )
        .await;
    let outcome = watch.pass().await;
    assert_eq!((told(&outcome), standing(&outcome).len()), (vec![], 3));
}

#[tokio::test]
async fn tags_are_peeled_and_what_is_no_commit_is_left_out() {
    let mut watch = Watch::new(tags()).await;
    let reference = |tag: &str, kind: &str, sha: &str| json!({"ref": format!("refs/tags/{tag}"), "object": {"type": kind, "sha": sha}});
    let object = |sha: &str, kind: &str, target: &str| {
        let body = json!({"sha": sha, "object": {"type": kind, "sha": target}});
        Mock::given(path(format!("/repos/o/n/git/tags/{sha}"))).respond_with(json(&body))
    };
    let list = json!([
        reference("v1.0.0", "commit", "c0"),
        reference("v1.1.0", "tag", "t1"),
        reference("v1.2.0", "tag", "t2"),
        reference("v1.3.0", "blob", "b3"),
        reference("v1.4.0", "tag", "t4"),
        reference("nightly", "commit", "c9"),
        reference("other-tag", "tag", "t9"),
    ]);
    let listing = || Mock::given(path("/repos/o/n/git/matching-refs/tags")).respond_with(json(&list));
    let objects = || {
        [
            object("t1", "commit", "c1"),
            object("t2", "tag", "t1"),
            object("t4", "blob", "b4"),
        ]
    };
    watch.now(objects().into_iter().chain([listing()])).await;
    let outcome = watch.pass().await;
    let commits: Vec<_> = outcome
        .releases
        .releases
        .iter()
        .map(|release| {
            (
                release.version.as_str(),
                release.channels["github-tags:o/n"].commit.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(commits, [("1.2.0", "c1"), ("1.1.0", "c1"), ("1.0.0", "c0")]);
    let left_out: Vec<_> = outcome.notes.iter().filter(|note| note.contains("left out")).collect();
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    // What a tag object says never changes.
    watch.now([listing()]).await;
    let outcome = watch.pass().await;
    assert_eq!(told(&outcome), [] as [&str; 0]);
    assert!(
        !watch
            .requests()
            .await
            .iter()
            .any(|request| request.contains("/git/tags/"))
    );
}

#[tokio::test]
async fn a_host_that_knows_no_pages_is_read_once() {
    let mut watch = Watch::new(tags()).await;
    let all: Value = (0..100)
        .map(|n| json!({"ref": format!("refs/tags/v1.{n}.0"), "object": {"type": "commit", "sha": format!("c{n}")}}))
        .collect();
    watch
        .now([Mock::given(path("/repos/o/n/git/matching-refs/tags")).respond_with(json(&all))])
        .await;
    assert_eq!(standing(&watch.pass().await).len(), 100);
}

#[tokio::test]
async fn a_listing_that_is_no_list_is_an_error_and_no_empty_repository() {
    let mut watch = Watch::new(releases()).await;
    watch.now([listed(1, 100, json(&page(2, 0))), latest("v1.2.0")]).await;
    watch.pass().await;
    for bad in [
        json(&json!({"message": "hello"})),
        ResponseTemplate::new(200).set_body_string("[{\"tag_name\":"),
    ] {
        watch.now([Mock::given(path(LIST)).respond_with(bad)]).await;
        let outcome = watch.pass().await;
        assert!(
            outcome.notes[0].starts_with("github-releases:o/n: the answer is not usable"),
            "{:?}",
            outcome.notes
        );
        assert_eq!(standing(&outcome).len(), 3);
    }
}
