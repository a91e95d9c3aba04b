//! Packages from a registry on loopback. Cases 48 and 49 of the incident list, and archives of strangers.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, Packages, Registry, Surroundings};
use agent_contracts_scanner::{Context, ErrorKind, ScanError, ScanOptions, ScanReport, scan};
use agent_contracts_wire::Verdict;
use base64::Engine;
use sha2::Digest;

use crate::http::{Server, serve};

type Files = &'static [(&'static str, &'static str)];

fn tgz(files: Files) -> Vec<u8> {
    let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        // Written by hand, since a builder refuses the names that are tested here.
        let name = format!("package/{path}");
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, content.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// A registry that has one package, `p`, in these versions.
fn registry(versions: &[(&'static str, Files)]) -> Server {
    let archives: BTreeMap<String, Vec<u8>> = versions
        .iter()
        .map(|(version, files)| (format!("/p/-/p-{version}.tgz"), tgz(files)))
        .collect();
    let listed: Vec<String> = versions
        .iter()
        .map(|(version, _)| {
            let sum = sha2::Sha512::digest(&archives[&format!("/p/-/p-{version}.tgz")]);
            let sum = base64::engine::general_purpose::STANDARD.encode(sum);
            format!(r#""{version}":{{"dist":{{"tarball":"http://127.0.0.1:1/p/-/p-{version}.tgz","integrity":"sha512-{sum}"}}}}"#)
        })
        .collect();
    let packument = format!(r#"{{"versions":{{{}}}}}"#, listed.join(","));
    serve(move |request| {
        let body = if request.path == "/p" {
            Some(packument.as_bytes())
        } else {
            archives.get(&request.path).map(Vec::as_slice)
        };
        match body {
            Some(body) => [
                format!(
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                    body.len()
                )
                .as_bytes(),
                body,
            ]
            .concat(),
            None => b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".to_vec(),
        }
    })
}

fn context(server: &Server, state: Option<&Path>) -> Context {
    let settings = EndpointSettings::default().with(Registry::Npm, server.url());
    let surroundings = Surroundings {
        env: [].into(),
        home: None,
        cwd: None,
        ask: Arc::new(|_, _| None),
    };
    let client = Client::new(&ClientSettings {
        state: state.map(Path::to_owned),
        offline: false,
        ..ClientSettings::default()
    })
    .unwrap();
    Context {
        packages: Some(Packages::new(client, Endpoints::new(settings, surroundings), state)),
        state_dir: state.map(Path::to_owned),
        offline: false,
        ..Context::default()
    }
}

async fn step(server: &Server, from: &str, to: &str, scope: &str) -> Result<ScanReport, ScanError> {
    let options = ScanOptions {
        scope: vec![scope.to_owned()],
        ..ScanOptions::default()
    };
    scan(
        &format!("npm:p@{from}"),
        &format!("npm:p@{to}"),
        &options,
        &context(server, None),
    )
    .await
}

const TYPES: &str = "export type SDKMessage = { type: 'a'; text: string } | { type: 'b'; more?: number };\n";

#[tokio::test]
async fn an_entry_point_that_is_named_and_absent_removes_no_types() {
    const MANIFEST: &str = r#"{"name":"p","main":"sdk.mjs","types":"./sdk.d.ts"}"#;
    let server = registry(&[
        (
            "2.0.5",
            &[
                ("package.json", MANIFEST),
                ("sdk.mjs", ""),
                ("sdk.d.ts", TYPES),
                ("tools.d.ts", "export interface T { a: string }"),
            ],
        ),
        (
            "2.0.25",
            &[
                ("package.json", MANIFEST),
                ("cli.js", ""),
                ("tools.d.ts", "export interface T { a: string }"),
            ],
        ),
    ]);
    let report = step(&server, "2.0.5", "2.0.25", "*.d.ts").await.unwrap();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    assert_eq!(report.verdict, Verdict::Inconclusive);
    assert_eq!(report.degraded.len(), 1);
    assert_eq!(report.degraded[0].file, "sdk.d.ts");
    assert_eq!(
        report.degraded[0].why,
        "declared file missing: package.json names it as `types`"
    );
    assert_eq!(report.degraded[0].hides, ["SDKMessage"]);
}

#[tokio::test]
async fn a_package_that_becomes_a_bundle_is_a_source_that_was_lost() {
    let server = registry(&[
        ("0.33.0", &[("package.json", "{}"), ("dist/a.d.ts", TYPES)]),
        ("0.36.0", &[("package.json", "{}"), ("bundle/cli.js", "x")]),
    ]);
    let report = step(&server, "0.33.0", "0.36.0", "dist/**/*.d.ts").await.unwrap();
    let rules: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    assert_eq!(rules, ["source_lost"]);
    assert_eq!((report.from.files, report.to.files), (1, 0));
}

#[tokio::test]
async fn an_archive_of_a_stranger_is_refused_by_its_name() {
    let server = registry(&[
        ("1.0.0", &[("a.d.ts", TYPES)]),
        ("1.1.0", &[("a.d.ts", TYPES), ("../../etc/x.d.ts", TYPES)]),
        ("1.2.0", &[("a.d.ts", TYPES), ("a.d.ts", "other")]),
    ]);
    let mut told = Vec::new();
    for version in ["1.1.0", "1.2.0", "1.3.0"] {
        let error = step(&server, "1.0.0", version, "*.d.ts").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failed);
        told.push(error.to_string());
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    npm:p@1.1.0 cannot be read: its archive is refused: its entry `package/../../etc/x.d.ts` leads out of the archive
    hint: nothing of it was read; look at the archive by hand before you trust it
    npm:p@1.2.0 cannot be read: its archive is refused: it holds `a.d.ts` twice, with different content
    hint: nothing of it was read; look at the archive by hand before you trust it
    npm:p has no version `1.3.0`
    hint: near it are `1.0.0`, `1.1.0`, `1.2.0`
    ");
}

#[tokio::test]
async fn a_second_scan_asks_nobody() {
    let server = registry(&[
        ("1.0.0", &[("a.d.ts", TYPES)]),
        ("1.1.0", &[("a.d.ts", "export type B = string")]),
    ]);
    let state = tempfile::tempdir().unwrap();
    let first = scan(
        "npm:p@1.0.0",
        "npm:p@1.1.0",
        &ScanOptions::default(),
        &context(&server, Some(state.path())),
    )
    .await;
    let nowhere = serve(|_| Vec::new());
    let second = scan(
        "npm:p@1.0.0",
        "npm:p@1.1.0",
        &ScanOptions::default(),
        &context(&nowhere, Some(state.path())),
    )
    .await;
    let print = |report: Result<ScanReport, ScanError>| serde_json::to_string(&report.unwrap()).unwrap();
    assert_eq!(print(first), print(second));
}
