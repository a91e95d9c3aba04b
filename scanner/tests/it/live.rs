//! Real packages from the real registries. Skipped, and said so, only when a registry cannot be reached.

use agent_contracts_extractors::SourceTree;
use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, Packages, Surroundings};
use agent_contracts_scanner::{Context, ErrorKind, ScanError, Scanner, Scope, Snapshot, SourceSpec};

async fn open(source: &str, state: &std::path::Path) -> Result<Snapshot, ScanError> {
    let settings = ClientSettings {
        state: Some(state.to_owned()),
        offline: false,
        ..ClientSettings::default()
    };
    let endpoints = Endpoints::new(EndpointSettings::default(), Surroundings::of_this_process());
    let packages = Packages::new(Client::new(&settings).unwrap(), endpoints, Some(state));
    let context = Context {
        packages: Some(packages),
        state_dir: Some(state.to_owned()),
        ..Context::default()
    };
    let scanner = Scanner::new(context).unwrap();
    scanner.open(source, &SourceSpec::parse(source).unwrap()).await
}

#[expect(clippy::print_stderr, reason = "a test that did not run says so")]
async fn live(source: &str, glob: &str, expected: &str) {
    let state = tempfile::tempdir().unwrap();
    let snapshot = match open(source, state.path()).await {
        Err(error) if error.kind() == ErrorKind::Unreachable => {
            eprintln!("SKIPPED {source}: {error}");
            return;
        }
        opened => opened.unwrap(),
    };
    let listing = snapshot.list(&Scope::new(&[glob]).unwrap());
    assert!(listing.paths.iter().any(|path| path == expected), "{:?}", listing.paths);
    assert!(!snapshot.text(expected).unwrap().is_empty());
    assert!(snapshot.revision().unwrap().starts_with("sha256:"));

    let (package, _) = source.rsplit_once('@').unwrap();
    let error = open(&format!("{package}@0.0.987654"), state.path())
        .await
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .starts_with(&format!("{package} has no version `0.0.987654`\nhint: near it are")),
        "{error}"
    );
}

#[tokio::test]
async fn npm() {
    live("npm:@agentclientprotocol/sdk@0.5.1", "dist/*.d.ts", "dist/acp.d.ts").await;
}

#[tokio::test]
async fn pypi() {
    live(
        "pypi:claude-agent-sdk@0.1.0",
        "claude_agent_sdk/*.py",
        "claude_agent_sdk/types.py",
    )
    .await;
}

#[tokio::test]
async fn crates() {
    live("crate:agent-client-protocol@0.4.0", "**/*.rs", "rust/acp.rs").await;
}
