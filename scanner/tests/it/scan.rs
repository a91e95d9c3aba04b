//! Whole scans.

use agent_contracts_scanner::{Context, ErrorKind, ScanError, ScanOptions, ScanReport, scan};

use crate::fixture::{Repo, folder};

fn run(from: &str, to: &str, scope: &[&str]) -> Result<ScanReport, ScanError> {
    let options = ScanOptions {
        scope: scope.iter().map(|&glob| glob.to_owned()).collect(),
        ..ScanOptions::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(scan(from, to, &options, &Context::default()))
}

#[test]
fn a_scope_that_names_nothing_says_what_is_near() {
    let repo = Repo::new();
    repo.write("src/protocol/events.ts", "export type A = { a: string }")
        .write("README.md", "x")
        .release("v1");
    let error = run(&repo.at("v1"), &repo.at("main"), &["src/events.ts"]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    let told = error.to_string().replace(&repo.path().display().to_string(), "REPO");
    insta::assert_snapshot!(told, @r"
    no file matches `src/events.ts`, neither in git:REPO@v1 nor in git:REPO@main
    hint: near it are `src/protocol/events.ts`
    ");
    let error = run(&repo.at("v1"), &repo.at("main"), &["*.md"]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
}

#[test]
fn a_side_that_cannot_be_read_is_named() {
    let (_keep, path) = folder(&[("a.ts", "export type A = { a: string }")]);
    let here = format!("dir:{}", path.display());
    for (from, to) in [
        (here.as_str(), "dir:/nowhere/at/all"),
        ("dir:/nowhere/at/all", here.as_str()),
    ] {
        let error = run(from, to, &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert!(
            error.to_string().starts_with("dir:/nowhere/at/all cannot be read:"),
            "{error}"
        );
    }
}
