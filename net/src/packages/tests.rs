#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::Digest;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::{ClientSettings, EndpointSettings, Registry, Surroundings};

fn packages(server: &MockServer, state: Option<&Path>, offline: bool) -> Packages {
    let client = Client::new(&ClientSettings {
        state: state.map(Path::to_owned),
        offline,
    })
    .unwrap();
    let settings = [Registry::Npm, Registry::Pypi, Registry::Crates]
        .into_iter()
        .fold(EndpointSettings::default(), |settings, registry| {
            settings.with(registry, server.uri())
        });
    let nothing = Surroundings {
        env: BTreeMap::new(),
        home: None,
        cwd: None,
        ask: Arc::new(|_, _| None),
    };
    Packages::new(client, Endpoints::new(settings, nothing), state)
}

async fn serve(server: &MockServer, at: &str, body: impl Into<Vec<u8>>) {
    Mock::given(method("GET"))
        .and(path(at))
        .respond_with(ResponseTemplate::new(200).set_body_bytes(body))
        .mount(server)
        .await;
}

fn hex_sum(bytes: &[u8]) -> String {
    hex::encode(sha2::Sha256::digest(bytes))
}

/// A packument whose tarballs are said to be at a host that only the registry itself reaches.
fn packument() -> String {
    let integrity = |bytes: &[u8]| {
        use base64::Engine;
        let sum = base64::engine::general_purpose::STANDARD.encode(sha2::Sha512::digest(bytes));
        format!("sha512-{sum}")
    };
    let version = |version: &str, sum: &str| {
        format!(
            r#""{version}":{{"dist":{{"tarball":"http://127.0.0.1:1/@s/p/-/p-{version}.tgz","integrity":"{sum}"}}}}"#
        )
    };
    format!(
        r#"{{"versions":{{{},{},"3.0.0":{{"dist":{{"tarball":"http://127.0.0.1:1/x.tgz"}}}}}}}}"#,
        version("1.0.0", &integrity(b"one")),
        version("2.0.0", &integrity(b"another"))
    )
}

#[tokio::test]
async fn an_npm_archive_comes_from_the_endpoint_and_is_kept() {
    let server = MockServer::start().await;
    serve(&server, "/@s%2Fp", packument()).await;
    serve(&server, "/@s/p/-/p-1.0.0.tgz", "one").await;
    let state = tempfile::tempdir().unwrap();
    let asked = packages(&server, Some(state.path()), false);
    let archive = asked.archive(PackageRegistry::Npm, "@s/p", "1.0.0").await.unwrap();
    assert_eq!(archive.bytes, b"one");
    assert_eq!(archive.sha256, format!("sha256:{}", hex_sum(b"one")));
    assert_eq!((archive.format, archive.strip_first), (Format::TarGz, true));
    let requests = server.received_requests().await.unwrap().len();

    let offline = packages(&server, Some(state.path()), true);
    let again = offline.archive(PackageRegistry::Npm, "@s/p", "1.0.0").await.unwrap();
    assert_eq!(again.bytes, archive.bytes);
    assert_eq!(server.received_requests().await.unwrap().len(), requests);

    // Kept bytes that changed are not used.
    for file in std::fs::read_dir(state.path().join("packages")).unwrap().flatten() {
        if file.path().extension().is_some_and(|ending| ending == "archive") {
            std::fs::write(file.path(), "two").unwrap();
        }
    }
    let error = offline
        .archive(PackageRegistry::Npm, "@s/p", "1.0.0")
        .await
        .unwrap_err();
    assert!(matches!(error, PackageError::Net(NetError::Offline { .. })), "{error}");
    let fresh = asked.archive(PackageRegistry::Npm, "@s/p", "1.0.0").await.unwrap();
    assert_eq!(fresh.bytes, b"one");
}

#[tokio::test]
async fn what_is_not_as_told_is_refused() {
    let server = MockServer::start().await;
    serve(&server, "/@s%2Fp", packument()).await;
    serve(&server, "/@s/p/-/p-2.0.0.tgz", "not that").await;
    serve(&server, "/cut", r#"{"versions":{"1.0"#).await;
    let asked = packages(&server, None, false);
    let mut told = Vec::new();
    for (name, version) in [
        ("@s/p", "2.0.0"),
        ("@s/p", "1.5.0"),
        ("@s/p", "3.0.0"),
        ("gone", "1.0.0"),
        ("cut", "1.0.0"),
    ] {
        let error = asked.archive(PackageRegistry::Npm, name, version).await.unwrap_err();
        told.push(error.to_string());
        if let PackageError::NoSuchVersion { known, .. } = error {
            assert_eq!(known, ["1.0.0", "2.0.0", "3.0.0"]);
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    npm:@s/p@2.0.0: the archive does not have the SHA-512 that the registry tells
    npm:@s/p has no version `1.5.0`
    npm:@s/p@3.0.0: the registry tells no check sum of it
    npm:gone: there is no such package
    npm:cut: the answer is not usable: it is no JSON: EOF while parsing a string at line 1 column 17
    ");
}

#[tokio::test]
async fn metadata_of_before_a_release_are_asked_for_again() {
    let server = MockServer::start().await;
    let old = Mock::given(path("/@s%2Fp"))
        .respond_with(ResponseTemplate::new(200).set_body_string(r#"{"versions":{"0.1.0":{}}}"#))
        .up_to_n_times(1);
    old.mount(&server).await;
    serve(&server, "/@s%2Fp", packument()).await;
    serve(&server, "/@s/p/-/p-1.0.0.tgz", "one").await;
    let state = tempfile::tempdir().unwrap();
    let asked = packages(&server, Some(state.path()), false);
    assert_eq!(asked.versions(PackageRegistry::Npm, "@s/p").await.unwrap(), ["0.1.0"]);
    assert!(asked.archive(PackageRegistry::Npm, "@s/p", "1.0.0").await.is_ok());
}

#[tokio::test]
async fn a_python_archive_is_found_beside_the_index() {
    let server = MockServer::start().await;
    let files = format!(
        r#"{{"files":[{{"filename":"a_b-1.0-py3-none-any.whl","url":"../../files/a_b-1.0-py3-none-any.whl","hashes":{{"sha256":"{}"}}}}]}}"#,
        hex_sum(b"wheel")
    );
    serve(&server, "/a-b/", files).await;
    serve(&server, "/files/a_b-1.0-py3-none-any.whl", "wheel").await;
    let asked = packages(&server, None, false);
    let archive = asked.archive(PackageRegistry::Pypi, "A_b", "1.0").await.unwrap();
    assert_eq!((archive.bytes.as_slice(), archive.format), (&b"wheel"[..], Format::Zip));
}

#[tokio::test]
async fn a_crate_is_found_by_the_template_of_the_index() {
    let server = MockServer::start().await;
    serve(
        &server,
        "/config.json",
        format!(r#"{{"dl":"{}/dl/{{crate}}/{{version}}"}}"#, server.uri()),
    )
    .await;
    serve(
        &server,
        "/ab/cd/abcd",
        format!(r#"{{"vers":"1.0.0","cksum":"{}"}}"#, hex_sum(b"crate")),
    )
    .await;
    serve(&server, "/dl/abcd/1.0.0", "crate").await;
    let asked = packages(&server, None, false);
    let archive = asked.archive(PackageRegistry::Crates, "abcd", "1.0.0").await.unwrap();
    assert_eq!(archive.bytes, b"crate");
}
