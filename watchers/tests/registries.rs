//! Package registries and Homebrew on loopback, as they are and as they fail.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(
    dead_code,
    clippy::allow_attributes,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]
mod common;

use std::collections::BTreeMap;

use agent_contracts_config::agent::Channel;
use common::{VENDOR, Watch, json, standing, told};
use serde_json::{Value, json};
use wiremock::matchers::{header, header_exists, method, path};
use wiremock::{Mock, ResponseTemplate};

fn npm() -> Channel {
    Channel::Npm {
        package: "@s/a".into(),
        earlier: vec!["old".into()],
        platforms: BTreeMap::new(),
    }
}

fn packument(versions: &[&str], latest: &str) -> Value {
    let manifests: serde_json::Map<String, Value> = versions
        .iter()
        .map(|version| ((*version).to_owned(), json!({"name": "@s/a"})))
        .collect();
    let times: serde_json::Map<String, Value> = versions
        .iter()
        .map(|version| ((*version).to_owned(), json!("2026-11-01T00:00:00.000Z")))
        .collect();
    json!({"name": "@s/a", "dist-tags": {"latest": latest}, "versions": manifests, "time": times})
}

fn served(answer: ResponseTemplate) -> Mock {
    Mock::given(path("/@s%2Fa")).respond_with(answer).with_priority(5)
}

fn old() -> Mock {
    Mock::given(path("/old")).respond_with(json(&packument(&["0.9.0"], "0.9.0")))
}

#[tokio::test]
async fn npm_over_several_passes() {
    let mut watch = Watch::new(npm()).await;
    watch
        .now([
            served(json(&packument(&["1.0.0", "1.1.0"], "1.1.0")).insert_header("etag", "\"e1\"")),
            old(),
        ])
        .await;
    let outcome = watch.pass().await;
    assert_eq!(
        (standing(&outcome), told(&outcome)),
        (vec!["1.1.0", "1.0.0", "0.9.0"], vec![])
    );

    let unchanged = Mock::given(header("if-none-match", "\"e1\"")).respond_with(ResponseTemplate::new(304));
    watch.now([unchanged]).await;
    assert_eq!(told(&watch.pass().await), [] as [&str; 0]);
    assert_eq!(watch.requests().await.len(), 1, "the old name is not asked each time");

    // 1.1.0 is unpublished: it stays in `time` alone, and the tag goes back.
    let mut after = packument(&["1.0.0", "1.1.0"], "1.0.0");
    after["versions"].as_object_mut().unwrap().remove("1.1.0");
    watch.watched.verified = vec!["1.1.0".into()];
    watch.now([served(json(&after))]).await;
    assert_eq!(
        told(&watch.pass().await),
        [
            "a: the tag latest of npm:@s/a moved back from 1.1.0 to 1.0.0",
            "a 1.1.0: withdrawn from npm:@s/a, and no other channel has it; it is the newest version that was verified",
        ]
    );
    watch.now([served(json(&after))]).await;
    assert_eq!(told(&watch.pass().await), [] as [&str; 0], "told once");
}

#[tokio::test]
async fn bad_metadata_is_said_and_changes_nothing() {
    let mut watch = Watch::new(npm()).await;
    watch
        .now([served(json(&packument(&["1.0.0", "1.1.0"], "1.1.0"))), old()])
        .await;
    watch.pass().await;
    let whole = serde_json::to_string(&packument(&["1.0.0"], "1.0.0")).unwrap();
    let bad = [
        ResponseTemplate::new(200).set_body_string(&whole[..whole.len() / 2]),
        ResponseTemplate::new(200).set_body_string("<html>please sign in</html>"),
        json(&json!({"versions": ["1.0.0"]})),
        json(&json!({})),
        ResponseTemplate::new(404),
        ResponseTemplate::new(500),
        ResponseTemplate::new(401),
        ResponseTemplate::new(429),
    ];
    for bad in bad {
        let status = format!("{bad:?}");
        watch.now([served(bad)]).await;
        let outcome = watch.pass().await;
        assert!(
            outcome.notes.iter().any(|note| note.starts_with("npm:@s/a: ")),
            "{status}: {:?}",
            outcome.notes
        );
        assert_eq!(standing(&outcome), ["1.1.0", "1.0.0", "0.9.0"], "{status}");
        assert!(
            !told(&outcome).iter().any(|event| event.contains("withdrawn")),
            "{status}"
        );
    }
    // Six of these in a row: quarantine, which one good answer ends.
    assert!(watch.watched.state.quarantine.is_some());
    watch
        .now([served(json(&packument(&["1.0.0", "1.1.0", "1.2.0"], "1.2.0")))])
        .await;
    assert!(told(&watch.pass().await).contains(&"a 1.2.0: new release, in npm:@s/a".to_owned()));
    assert_eq!(watch.watched.state.quarantine, None);
}

#[tokio::test]
async fn a_thin_mirror_is_good_enough() {
    // No ETag, only `latest`, gaps among the versions, no times.
    let mut watch = Watch::new(npm()).await;
    let thin = |versions: &[&str], latest: &str| {
        let mut thin = packument(versions, latest);
        thin.as_object_mut().unwrap().remove("time");
        served(json(&thin))
    };
    watch.now([thin(&["1.0.0", "1.4.0"], "1.4.0"), old()]).await;
    watch.pass().await;
    watch.now([thin(&["1.0.0", "1.4.0", "1.6.0"], "1.6.0")]).await;
    let outcome = watch.pass().await;
    assert!(told(&outcome).contains(&"a 1.6.0: new release, in npm:@s/a".to_owned()));
    let conditional = watch.server.received_requests().await.unwrap();
    assert!(
        !conditional
            .iter()
            .any(|request| request.headers.contains_key("if-none-match"))
    );
}

#[tokio::test]
async fn pypi_by_simple_json_and_where_a_mirror_has_only_pages() {
    let simple = json!({
        "meta": {"api-version": "1.1"}, "versions": ["1.0", "1.1rc1"],
        "files": [
            {"filename": "a_b-1.0-py3-none-any.whl", "yanked": false, "upload-time": "2026-11-01T00:00:00.5Z"},
            {"filename": "a_b-1.1rc1.tar.gz", "yanked": "broken"}
        ]
    });
    let channel = Channel::Pypi {
        package: "A.b".into(),
        earlier: vec![],
    };
    let mut watch = Watch::new(channel.clone()).await;
    let accepts = header("accept", "application/vnd.pypi.simple.v1+json");
    watch
        .now([Mock::given(path("/simple/a-b/"))
            .and(accepts)
            .respond_with(json(&simple))])
        .await;
    let outcome = watch.pass().await;
    assert_eq!(
        outcome.releases.releases.len(),
        1,
        "1.1rc1 is no semantic version: {:?}",
        outcome.notes
    );
    assert_eq!(standing(&outcome), ["1.0.0"]);

    let mut watch = Watch::new(channel).await;
    let pages =
        Mock::given(path("/simple/a-b/")).respond_with(ResponseTemplate::new(200).set_body_string("<a href=x>x</a>"));
    let older = json!({"releases": {"1.0.0": [{"yanked": false, "upload_time_iso_8601": "2026-11-01T00:00:00Z"}], "1.2.0": [{"yanked": true}]}});
    watch
        .now([pages, Mock::given(path("/pypi/a-b/json")).respond_with(json(&older))])
        .await;
    assert_eq!(standing(&watch.pass().await), ["1.0.0"]);
}

#[tokio::test]
async fn crates_by_the_sparse_index() {
    let mut watch = Watch::new(Channel::Crates {
        package: "Code-Whale".into(),
    })
    .await;
    let lines = |yanked: bool| {
        let text = format!("{{\"vers\":\"0.1.0\",\"yanked\":false}}\n{{\"vers\":\"0.2.0\",\"yanked\":{yanked}}}\n");
        Mock::given(path("/co/de/code-whale"))
            .and(header_exists("user-agent"))
            .respond_with(ResponseTemplate::new(200).set_body_string(text))
    };
    watch.now([lines(false)]).await;
    assert_eq!(standing(&watch.pass().await), ["0.2.0", "0.1.0"]);
    watch.now([lines(true)]).await;
    assert_eq!(
        told(&watch.pass().await),
        ["a 0.2.0: withdrawn from crates:Code-Whale, and no other channel has it"]
    );
}

#[tokio::test]
async fn homebrew_formula_and_cask() {
    for (channel, file, body) in [
        (
            Channel::HomebrewFormula { name: "a".into() },
            "/formula/a.json",
            json!({"versions": {"stable": "1.1.0"}}),
        ),
        (
            Channel::HomebrewCask { name: "a".into() },
            "/cask/a.json",
            json!({"version": "1.1.0,2026"}),
        ),
    ] {
        let mut watch = Watch::new(channel).await;
        watch
            .now([Mock::given(path(file)).respond_with(json(&body).insert_header("etag", "\"x\""))])
            .await;
        assert_eq!(standing(&watch.pass().await), ["1.1.0"]);
        watch
            .now([Mock::given(header("if-none-match", "\"x\"")).respond_with(ResponseTemplate::new(304))])
            .await;
        let outcome = watch.pass().await;
        assert_eq!((standing(&outcome), told(&outcome)), (vec!["1.1.0"], vec![]));
        watch
            .now([Mock::given(method("GET")).respond_with(ResponseTemplate::new(404))])
            .await;
        assert_eq!(standing(&watch.pass().await), ["1.1.0"]);
    }
}

#[tokio::test]
async fn a_vendors_own_address() {
    let server = wiremock::MockServer::start().await;
    let body = json!({"stable": {"version": "2.0.1"}});
    Mock::given(path("/versions"))
        .respond_with(json(&body))
        .mount(&server)
        .await;
    let url = format!("{}/versions", server.uri());
    let channel = Channel::Endpoint {
        url,
        pointer: Some("/stable/version".into()),
        pattern: None,
    };
    let mut watch = Watch::new(channel).await;
    assert_eq!(standing(&watch.pass().await), ["2.0.1"]);
    server.reset().await;
    Mock::given(path("/versions"))
        .respond_with(json(&json!({"stable": {}})))
        .mount(&server)
        .await;
    let outcome = watch.pass().await;
    assert!(
        outcome.notes[0].ends_with("there is no version at /stable/version"),
        "{:?}",
        outcome.notes
    );
    assert_eq!(standing(&outcome), ["2.0.1"]);
}

#[tokio::test]
async fn one_broken_place_does_not_stop_the_others() {
    let mut watch = Watch::new(npm()).await;
    let mut agent = (*watch.watched.agent).clone();
    agent.channels.push(Channel::HomebrewCask { name: "a".into() });
    agent.channels.push(Channel::Crates { package: "a".into() });
    watch.watched.agent = std::sync::Arc::new(agent);
    let cask = Mock::given(path("/cask/a.json")).respond_with(json(&json!({"version": "3.0.0"})));
    watch.now([served(ResponseTemplate::new(500)), cask]).await;
    let outcome = watch.pass().await;
    assert_eq!(standing(&outcome), ["3.0.0"]);
    assert_eq!(
        outcome.notes.iter().filter(|note| note.contains("npm:@s/a")).count(),
        1,
        "{:?}",
        outcome.notes
    );
}

#[tokio::test]
async fn a_stand_in_answers_for_the_address_of_a_vendor() {
    let mut watch = Watch::new(Channel::Endpoint {
        url: VENDOR.into(),
        pointer: Some("/version".into()),
        pattern: None,
    })
    .await;
    let stand_in = Mock::given(path("/stand-in")).respond_with(json(&json!({"version": "1.2.3"})));
    watch.now([stand_in]).await;
    assert_eq!(standing(&watch.pass().await), ["1.2.3"]);
}
