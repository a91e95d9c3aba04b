#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::Digest;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::archive::Content;
use crate::{ClientSettings, EndpointSettings, Registry, Surroundings};

fn packages(server: &MockServer, state: Option<&Path>, offline: bool) -> Packages {
    let client = Client::new(&ClientSettings {
        state: state.map(Path::to_owned),
        offline,
        ..ClientSettings::default()
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

const KEEP: Keep = Keep {
    id: "test-1",
    rule: |path, _| path == "a.ts",
};

/// An archive of one file.
fn tgz(content: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    builder
        .append_data(&mut header, "package/a.ts", content.as_bytes())
        .unwrap();
    builder.into_inner().unwrap().finish().unwrap()
}

fn text(package: &Package) -> &str {
    match &package.unpacked.files["a.ts"] {
        Content::Kept(bytes) => std::str::from_utf8(bytes).unwrap(),
        other => panic!("{other:?}"),
    }
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
        r#"{{"versions":{{{},{},{},"3.0.0":{{"dist":{{"tarball":"http://127.0.0.1:1/x.tgz"}}}}}}}}"#,
        version("1.0.0", &integrity(&tgz("one"))),
        version("2.0.0", &integrity(b"another")),
        version("4.0.0", &integrity(b"no archive"))
    )
}

#[tokio::test]
async fn an_npm_package_comes_from_the_endpoint_and_is_kept() {
    let server = MockServer::start().await;
    serve(&server, "/@s%2Fp", packument()).await;
    serve(&server, "/@s/p/-/p-1.0.0.tgz", tgz("one")).await;
    let state = tempfile::tempdir().unwrap();
    let asked = packages(&server, Some(state.path()), false);
    let get = async |packages: &Packages, keep| packages.package(PackageRegistry::Npm, "@s/p", "1.0.0", keep).await;
    let package = get(&asked, KEEP).await.unwrap();
    assert_eq!(text(&package), "one");
    assert_eq!(package.sha256, format!("sha256:{}", hex_sum(&tgz("one"))));
    let requests = server.received_requests().await.unwrap().len();

    let offline = packages(&server, Some(state.path()), true);
    let again = get(&offline, KEEP).await.unwrap();
    assert_eq!((again.unpacked, again.sha256), (package.unpacked, package.sha256));
    assert_eq!(server.received_requests().await.unwrap().len(), requests);

    // What was kept by another rule is not used, nor what was changed.
    let all = Keep {
        id: "test-2",
        rule: |_, _| true,
    };
    let error = get(&offline, all).await.unwrap_err();
    assert!(matches!(error, PackageError::Net(NetError::Offline { .. })), "{error}");
    for file in std::fs::read_dir(state.path().join("packages")).unwrap().flatten() {
        if file.path().extension().is_some_and(|ending| ending == "files") {
            std::fs::write(file.path(), "two").unwrap();
        }
    }
    assert!(get(&offline, KEEP).await.is_err());
    assert_eq!(text(&get(&asked, KEEP).await.unwrap()), "one");
    assert_eq!(text(&get(&offline, KEEP).await.unwrap()), "one");
}

#[tokio::test]
async fn what_is_not_as_told_is_refused() {
    let server = MockServer::start().await;
    serve(&server, "/@s%2Fp", packument()).await;
    serve(&server, "/@s/p/-/p-2.0.0.tgz", "not that").await;
    serve(&server, "/@s/p/-/p-4.0.0.tgz", "no archive").await;
    serve(&server, "/cut", r#"{"versions":{"1.0"#).await;
    let asked = packages(&server, None, false);
    let mut told = Vec::new();
    for (name, version) in [
        ("@s/p", "2.0.0"),
        ("@s/p", "1.5.0"),
        ("@s/p", "3.0.0"),
        ("@s/p", "4.0.0"),
        ("gone", "1.0.0"),
        ("cut", "1.0.0"),
    ] {
        let error = asked
            .package(PackageRegistry::Npm, name, version, KEEP)
            .await
            .unwrap_err();
        told.push(error.to_string());
        if let PackageError::NoSuchVersion { known, .. } = error {
            assert_eq!(known, ["1.0.0", "2.0.0", "3.0.0", "4.0.0"]);
        }
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    npm:@s/p@2.0.0: the archive does not have the SHA-512 that the registry tells
    npm:@s/p has no version `1.5.0`
    npm:@s/p@3.0.0: the registry tells no check sum of it
    npm:@s/p@4.0.0: its archive is refused: it is damaged: invalid gzip header
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
    serve(&server, "/@s/p/-/p-1.0.0.tgz", tgz("one")).await;
    let state = tempfile::tempdir().unwrap();
    let asked = packages(&server, Some(state.path()), false);
    assert_eq!(asked.versions(PackageRegistry::Npm, "@s/p").await.unwrap(), ["0.1.0"]);
    assert!(asked.package(PackageRegistry::Npm, "@s/p", "1.0.0", KEEP).await.is_ok());
}

#[tokio::test]
async fn a_python_package_is_found_beside_the_index() {
    let server = MockServer::start().await;
    let mut wheel = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    wheel
        .start_file("a.ts", zip::write::SimpleFileOptions::default())
        .unwrap();
    std::io::Write::write_all(&mut wheel, b"wheel").unwrap();
    let wheel = wheel.finish().unwrap().into_inner();
    let files = format!(
        r#"{{"files":[{{"filename":"a_b-1.0-py3-none-any.whl","url":"../../files/a_b-1.0-py3-none-any.whl","hashes":{{"sha256":"{}"}}}}]}}"#,
        hex_sum(&wheel)
    );
    serve(&server, "/a-b/", files).await;
    serve(&server, "/files/a_b-1.0-py3-none-any.whl", wheel).await;
    let asked = packages(&server, None, false);
    let package = asked.package(PackageRegistry::Pypi, "A_b", "1.0", KEEP).await.unwrap();
    assert_eq!(text(&package), "wheel");
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
        format!(r#"{{"vers":"1.0.0","cksum":"{}"}}"#, hex_sum(&tgz("crate"))),
    )
    .await;
    serve(&server, "/dl/abcd/1.0.0", tgz("crate")).await;
    let asked = packages(&server, None, false);
    let package = asked
        .package(PackageRegistry::Crates, "abcd", "1.0.0", KEEP)
        .await
        .unwrap();
    assert_eq!(text(&package), "crate");
}
