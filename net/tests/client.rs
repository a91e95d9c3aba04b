//! The client against loopback servers that behave as the real ones do, and as they do on a bad day.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::time::Duration;

use agent_contracts_net::{
    Client, ClientSettings, EndpointSettings, Endpoints, Freshness, Lane, ManualClock, NetError, Pace, PrivateUrl,
    Registry, Request, Status, Surroundings, Timeouts,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{header, header_exists, header_regex, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

struct Setup {
    client: Client,
    clock: Arc<ManualClock>,
    state: tempfile::TempDir,
}

fn setup() -> Setup {
    let state = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at("2026-12-01T00:00:00Z".parse().unwrap()));
    let settings = ClientSettings {
        state: Some(state.path().to_owned()),
        offline: false,
        ..ClientSettings::default()
    };
    let client = Client::with_clock(&settings, clock.clone()).unwrap();
    Setup { client, clock, state }
}

impl Setup {
    /// What a new process on the same state directory has.
    fn again(&self, offline: bool) -> Client {
        let settings = ClientSettings {
            state: Some(self.state.path().to_owned()),
            offline,
            ..ClientSettings::default()
        };
        Client::with_clock(&settings, self.clock.clone()).unwrap()
    }
}

fn request(server: &str) -> Request {
    Request::new("npm:x", PrivateUrl::parse("npm:x", &format!("{server}/x")).unwrap()).accept("application/json")
}

fn answer(body: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_string(body)
}

/// Answers each connection with the next of these raw texts, then stops listening.
async fn raw(answers: Vec<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut buffer = [0; 4096];
            let _ = stream.read(&mut buffer).await;
            stream.write_all(answer.as_bytes()).await.unwrap();
            let _ = stream.shutdown().await;
        }
    });
    address
}

#[tokio::test]
async fn body_and_validators_stay_together() {
    let server = MockServer::start().await;
    let unchanged = Mock::given(header("if-none-match", "\"one\""))
        .and(header_regex("if-modified-since", "01 Dec 2026 00:00:00 GMT"))
        .respond_with(ResponseTemplate::new(304));
    unchanged.with_priority(1).mount(&server).await;
    let first = answer("{\"a\":1}")
        .insert_header("etag", "\"one\"")
        .insert_header("last-modified", "Tue, 01 Dec 2026 00:00:00 GMT");
    Mock::given(method("GET"))
        .respond_with(first)
        .with_priority(2)
        .mount(&server)
        .await;

    let setup = setup();
    let fresh = setup.client.get(&request(&server.uri())).await.unwrap();
    assert_eq!(
        (fresh.status, fresh.body.as_slice()),
        (Status::Fresh, b"{\"a\":1}".as_slice())
    );
    let again = setup.again(false).get(&request(&server.uri())).await.unwrap();
    assert_eq!(
        (again.status, again.body.as_slice()),
        (Status::NotModified, b"{\"a\":1}".as_slice())
    );

    // The body is gone, so its validator must not be used: a 304 would leave us with nothing.
    std::fs::remove_dir_all(setup.state.path()).unwrap();
    let anew = setup.again(false).get(&request(&server.uri())).await.unwrap();
    assert_eq!(anew.status, Status::Fresh);
}

#[tokio::test]
async fn names_itself() {
    let server = MockServer::start().await;
    Mock::given(header_exists("user-agent"))
        .respond_with(answer("{}"))
        .mount(&server)
        .await;
    setup().client.get(&request(&server.uri())).await.unwrap();
    let seen = server.received_requests().await.unwrap();
    let agent = seen[0].headers.get("user-agent").unwrap().to_str().unwrap().to_owned();
    assert!(
        agent.starts_with("agent-contracts/") && agent.contains("https://"),
        "{agent}"
    );
}

#[tokio::test]
async fn what_failed_never_replaces_what_is_stored() {
    let bad: Vec<(&str, ResponseTemplate)> = vec![
        ("cut json", answer("{\"a\":")),
        ("html", answer("<html>sign in</html>")),
        ("server error", ResponseTemplate::new(504)),
        ("not found", ResponseTemplate::new(404)),
        ("throttled", ResponseTemplate::new(429)),
        ("unasked for", ResponseTemplate::new(204)),
    ];
    for (what, bad) in bad {
        let server = MockServer::start().await;
        let good = answer("{\"a\":1}").insert_header("etag", "\"one\"");
        Mock::given(method("GET"))
            .respond_with(good)
            .up_to_n_times(1)
            .mount(&server)
            .await;
        Mock::given(method("GET")).respond_with(bad).mount(&server).await;
        let setup = setup();
        setup.client.get(&request(&server.uri())).await.unwrap();
        setup.client.get(&request(&server.uri())).await.expect_err(what);
        let stored = request(&server.uri()).freshness(Freshness::Forever);
        let stored = setup.again(true).get(&stored).await.unwrap();
        assert_eq!(stored.body, b"{\"a\":1}", "{what}");
    }
}

#[tokio::test]
async fn a_body_cut_short_is_no_answer() {
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\ncontent-type: application/json\r\n\r\n{\"versions\":{}}";
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n";
    for answer in [cut, chunked] {
        let server = raw(vec![answer, answer, answer]).await;
        let error = setup().client.get(&request(&server)).await.unwrap_err();
        assert!(
            matches!(&error, NetError::Malformed { what, .. } if what.contains("cut short")),
            "{error}"
        );
    }
    let whole = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
    let server = raw(vec![cut, whole]).await;
    assert_eq!(setup().client.get(&request(&server)).await.unwrap().body, b"{}");
}

#[tokio::test]
async fn retry_after_in_both_forms_silences_the_host() {
    for (value, seconds) in [("90", 90), ("Tue, 01 Dec 2026 00:01:30 GMT", 90)] {
        let server = MockServer::start().await;
        let wait = ResponseTemplate::new(429).insert_header("retry-after", value);
        Mock::given(method("GET"))
            .respond_with(wait)
            .up_to_n_times(1)
            .mount(&server)
            .await;
        Mock::given(method("GET"))
            .respond_with(answer("{}"))
            .mount(&server)
            .await;
        let setup = setup();
        let error = setup.client.get(&request(&server.uri())).await.unwrap_err();
        let until = setup.clock.now_plus(seconds);
        assert_eq!(
            error,
            NetError::Throttled {
                name: "npm:x".into(),
                until
            }
        );
        // Neither this process nor the next asks before the time has come.
        setup.client.get(&request(&server.uri())).await.unwrap_err();
        setup.again(false).get(&request(&server.uri())).await.unwrap_err();
        assert_eq!(server.received_requests().await.unwrap().len(), 1);
        setup.clock.advance(Duration::from_secs(91));
        setup.client.get(&request(&server.uri())).await.unwrap();
    }
}

trait NowPlus {
    fn now_plus(&self, seconds: i64) -> jiff::Timestamp;
}

impl NowPlus for ManualClock {
    fn now_plus(&self, seconds: i64) -> jiff::Timestamp {
        agent_contracts_net::Clock::now(self) + jiff::SignedDuration::from_secs(seconds)
    }
}

#[tokio::test]
async fn a_short_wait_is_waited_for() {
    let server = MockServer::start().await;
    let wait = ResponseTemplate::new(429).insert_header("retry-after", "2");
    Mock::given(method("GET"))
        .respond_with(wait)
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(method("GET"))
        .respond_with(answer("{}"))
        .mount(&server)
        .await;
    let setup = setup();
    setup.client.get(&request(&server.uri())).await.unwrap();
    assert_eq!(setup.clock.elapsed(), Duration::from_secs(2));
}

#[tokio::test]
async fn a_limit_without_headers_waits_longer_each_time() {
    let server = MockServer::start().await;
    let limit =
        ResponseTemplate::new(403).set_body_string("{\"message\":\"You have exceeded a secondary rate limit\"}");
    Mock::given(method("GET")).respond_with(limit).mount(&server).await;
    let setup = setup();
    let mut waits = Vec::new();
    for _ in 0..3 {
        let before = setup.clock.elapsed();
        let Err(NetError::Throttled { until, .. }) = setup.client.get(&request(&server.uri())).await else {
            panic!()
        };
        assert_eq!(setup.clock.elapsed(), before, "nothing is sent again at once");
        waits.push(
            until
                .duration_since(agent_contracts_net::Clock::now(&*setup.clock))
                .as_secs(),
        );
        setup.clock.advance(Duration::from_secs(3600));
    }
    assert!(waits[0] >= 60 && waits[1] >= 2 * 60 && waits[2] >= 4 * 60, "{waits:?}");
}

#[tokio::test]
async fn the_last_request_of_a_window_is_good_and_the_next_waits() {
    let server = MockServer::start().await;
    let last = answer("{}")
        .insert_header("x-ratelimit-remaining", "0")
        .insert_header("x-ratelimit-reset", "1796083500");
    Mock::given(method("GET")).respond_with(last).mount(&server).await;
    let setup = setup();
    setup.client.get(&request(&server.uri())).await.unwrap();
    let error = setup.client.get(&request(&server.uri())).await.unwrap_err();
    assert!(matches!(error, NetError::Throttled { .. }), "{error}");
}

#[tokio::test]
async fn server_errors_are_repeated_with_growing_pauses() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(502))
        .up_to_n_times(2)
        .mount(&server)
        .await;
    Mock::given(method("GET"))
        .respond_with(answer("{}"))
        .mount(&server)
        .await;
    let setup = setup();
    setup.client.get(&request(&server.uri())).await.unwrap();
    assert_eq!(setup.clock.elapsed(), Duration::from_millis(1500));
    let dead = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(502))
        .mount(&dead)
        .await;
    let error = setup.client.get(&request(&dead.uri())).await.unwrap_err();
    assert!(error.is_server_error(), "{error}");
    assert_eq!(dead.received_requests().await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_permanent_redirect_is_followed_and_reported() {
    let server = MockServer::start().await;
    let moved = ResponseTemplate::new(301).insert_header("location", "/repositories/7/x");
    Mock::given(path("/x")).respond_with(moved).mount(&server).await;
    Mock::given(path("/repositories/7/x"))
        .respond_with(answer("[]").insert_header("etag", "\"e\""))
        .mount(&server)
        .await;
    let setup = setup();
    let fetched = setup.client.get(&request(&server.uri())).await.unwrap();
    assert_eq!(fetched.moved_to.unwrap().path_segments(), ["repositories", "7", "x"]);
}

#[tokio::test]
async fn a_temporary_redirect_is_followed_and_keeps_credentials_at_home() {
    let (home, away) = (MockServer::start().await, MockServer::start().await);
    let there = ResponseTemplate::new(302).insert_header("location", format!("{}/file", away.uri()));
    Mock::given(header("authorization", "Basic dTpw"))
        .respond_with(there)
        .mount(&home)
        .await;
    Mock::given(path("/file")).respond_with(answer("{}")).mount(&away).await;
    let settings = EndpointSettings::default().with(Registry::Npm, home.uri().replace("http://", "http://u:p@"));
    let surroundings = Surroundings {
        env: std::collections::BTreeMap::new(),
        home: None,
        cwd: None,
        ask: Arc::new(|_, _| None),
    };
    let endpoint = Endpoints::new(settings, surroundings).npm("x").unwrap();
    let request = Request::new("npm:x", endpoint.join(&["x"])).with_auth_of(&endpoint);
    let fetched = setup().client.get(&request).await.unwrap();
    assert!(fetched.moved_to.is_none());
    assert!(
        !away.received_requests().await.unwrap()[0]
            .headers
            .contains_key("authorization")
    );
}

#[tokio::test]
async fn a_redirect_without_end_ends() {
    let server = MockServer::start().await;
    let round = ResponseTemplate::new(302).insert_header("location", "/x");
    Mock::given(method("GET")).respond_with(round).mount(&server).await;
    let error = setup().client.get(&request(&server.uri())).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "npm:x: the answer is not usable: more than 5 redirects"
    );
}

#[tokio::test]
async fn too_large_is_refused_whether_announced_or_not() {
    let announced = "HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n";
    let unannounced = "HTTP/1.1 200 OK\r\n\r\n0123456789012345678901234567890123456789";
    for answer in [announced, unannounced] {
        let server = raw(vec![answer]).await;
        let error = setup().client.get(&request(&server).limit(20)).await.unwrap_err();
        assert_eq!(
            error,
            NetError::TooLarge {
                name: "npm:x".into(),
                limit: 20
            }
        );
    }
}

#[tokio::test]
async fn offline_sends_nothing() {
    let server = MockServer::start().await;
    let setup = setup();
    let error = setup.again(true).get(&request(&server.uri())).await.unwrap_err();
    assert_eq!(error.to_string(), "npm:x: not asked, because of --offline");
    assert_eq!(server.received_requests().await.unwrap().len(), 0);
}

#[tokio::test]
async fn freshness_saves_the_request() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(answer("{}"))
        .mount(&server)
        .await;
    let setup = setup();
    let young = request(&server.uri()).freshness(Freshness::AtMost(Duration::from_secs(60)));
    setup.client.get(&young).await.unwrap();
    assert_eq!(setup.client.get(&young).await.unwrap().status, Status::Stored);
    setup.clock.advance(Duration::from_secs(61));
    assert_eq!(setup.client.get(&young).await.unwrap().status, Status::Fresh);
    assert_eq!(setup.client.stats().requests, 2);
}

#[tokio::test]
async fn a_host_that_names_a_poll_interval_is_not_asked_before() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(answer("{}").insert_header("x-poll-interval", "60"))
        .mount(&server)
        .await;
    let setup = setup();
    setup.client.get(&request(&server.uri())).await.unwrap();
    assert_eq!(
        setup.client.get(&request(&server.uri())).await.unwrap().status,
        Status::Stored
    );
}

#[tokio::test]
async fn requests_keep_their_pace_and_their_number() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(answer("{}"))
        .mount(&server)
        .await;
    let settings = EndpointSettings::default().with(Registry::Crates, server.uri());
    let surroundings = Surroundings {
        env: std::collections::BTreeMap::new(),
        home: None,
        cwd: None,
        ask: Arc::new(|_, _| None),
    };
    let endpoint = Endpoints::new(settings, surroundings).crates().unwrap();
    assert_eq!(
        endpoint.lane(),
        Lane {
            name: "crates",
            pause: Duration::from_secs(1),
            in_flight: 1
        }
    );
    let setup = setup();
    for name in ["a", "b", "c"] {
        setup
            .client
            .get(&Request::new("crates:x", endpoint.join(&[name])).with_auth_of(&endpoint))
            .await
            .unwrap();
    }
    assert_eq!(setup.clock.elapsed(), Duration::from_secs(2), "one request a second");
}

#[tokio::test]
async fn the_pace_of_a_service_can_be_set() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(answer("{}"))
        .mount(&server)
        .await;
    let pace = Pace {
        in_flight: None,
        pause: Some(Duration::from_secs(7)),
    };
    let settings = EndpointSettings::default()
        .with(Registry::Crates, server.uri())
        .with_pace(Registry::Crates, pace);
    let surroundings = Surroundings {
        env: std::collections::BTreeMap::new(),
        home: None,
        cwd: None,
        ask: Arc::new(|_, _| None),
    };
    let endpoints = Endpoints::new(settings, surroundings);
    let endpoint = endpoints.crates().unwrap();
    assert_eq!(endpoint.lane().in_flight, 1, "what is not set stays");
    let setup = setup();
    for name in ["a", "b"] {
        let request = Request::new("crates:x", endpoint.join(&[name])).with_auth_of(&endpoint);
        setup.client.get(&request).await.unwrap();
    }
    assert_eq!(setup.clock.elapsed(), Duration::from_secs(7));
}

#[tokio::test]
async fn how_often_it_is_asked_can_be_set() {
    for attempts in [1, 4] {
        let server = MockServer::start().await;
        Mock::given(method("GET"))
            .respond_with(ResponseTemplate::new(502))
            .mount(&server)
            .await;
        let settings = ClientSettings {
            attempts,
            ..ClientSettings::default()
        };
        let clock = Arc::new(ManualClock::at("2026-12-01T00:00:00Z".parse().unwrap()));
        let client = Client::with_clock(&settings, clock).unwrap();
        client.get(&request(&server.uri())).await.unwrap_err();
        let once = request(&server.uri()).retries(0);
        client.get(&once).await.unwrap_err();
        let asked = server.received_requests().await.unwrap().len();
        assert_eq!(asked, attempts as usize + 1, "a request may ask for less");
    }
}

#[tokio::test]
async fn how_long_it_waits_for_bytes_can_be_set() {
    let server = MockServer::start().await;
    let slow = answer("{}").set_delay(Duration::from_secs(20));
    Mock::given(method("GET")).respond_with(slow).mount(&server).await;
    let settings = ClientSettings {
        timeouts: Timeouts {
            read: Duration::from_millis(200),
            ..Timeouts::default()
        },
        attempts: 1,
        ..ClientSettings::default()
    };
    let error = Client::new(&settings).unwrap().get(&request(&server.uri())).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "npm:x: could not be reached (timed out)"
    );
}

#[tokio::test]
async fn no_error_tells_the_address() {
    let refused = "http://user:hunter2@127.0.0.1:1/secret-path".to_owned();
    let unknown = "http://user:hunter2@no-such-host.invalid/secret-path".to_owned();
    let dead = raw(vec!["garbage\r\n\r\n"; 3]).await;
    for address in [refused, unknown, dead] {
        let error = setup().client.get(&request(&address)).await.unwrap_err();
        let text = format!("{error} {error:?}");
        for part in ["hunter2", "127.0.0.1", "no-such-host", "secret-path", "http:"] {
            assert!(!text.contains(part), "{text}");
        }
        assert!(text.starts_with("npm:x: could not be reached ("), "{text}");
    }
}

/// The real registries, as the clients of this machine know them. Skipped, with words, only where there is no network.
#[tokio::test]
#[expect(clippy::print_stdout, reason = "a skip is said")]
async fn live_endpoints_answer() {
    let endpoints = Endpoints::new(EndpointSettings::default(), Surroundings::of_this_process());
    let setup = setup();
    let client = Client::new(&ClientSettings {
        state: Some(setup.state.path().to_owned()),
        offline: false,
        ..ClientSettings::default()
    })
    .unwrap();
    let npm = endpoints.npm("semver").unwrap();
    let pypi = endpoints.pypi().unwrap();
    let crates = endpoints.crates().unwrap();
    let requests = [
        Request::new("npm:semver", npm.join(&["semver"])).with_auth_of(&npm),
        Request::new("pypi:six", pypi.join(&["six", ""])).with_auth_of(&pypi),
        Request::new("crates:semver", crates.join(&["se", "mv", "semver"])).with_auth_of(&crates),
    ];
    for request in requests {
        match client.get(&request).await {
            Ok(fetched) => assert!(fetched.body.len() > 1000, "{request:?}"),
            Err(NetError::Unreachable { name, why, .. }) => println!("skipped: {name}: no network ({why})"),
            Err(error) => panic!("{error}"),
        }
    }
}
