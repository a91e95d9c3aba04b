//! Whole scans.

use agent_contracts_scanner::{Context, ErrorKind, ScanError, ScanOptions, ScanReport, scan};

use agent_contracts_wire::Verdict;

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

fn schema(types: &[&str]) -> String {
    let one = |name: &&str| {
        format!(r#""{name}":{{"type":"object","properties":{{"type":{{"const":"{name}"}}}},"required":["type"]}}"#)
    };
    let types: Vec<String> = types.iter().map(one).collect();
    format!(
        r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{{{}}}}}"#,
        types.join(",")
    )
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
    oid sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nsize 70000\n";

fn degraded(report: &ScanReport) -> Vec<String> {
    let one = |one: &agent_contracts_scanner::DegradedAt| format!("{}: {} {:?}", one.file, one.why, one.hides);
    report.degraded.iter().map(one).collect()
}

#[test]
fn both_sides_are_counted_and_named_as_they_were_given() {
    let (_one, old) = folder(&[("s.json", &schema(&["A", "B"]))]);
    let repo = Repo::new();
    let commit = repo
        .write("s.json", schema(&["A", "B", "C"]))
        .write("more.txt", "x")
        .release("v1");
    let from = format!("dir:{}", old.display());
    let report = run(&from, &repo.at("v1"), &[]).unwrap();
    assert_eq!((report.from.files, report.from.types), (1, 2));
    assert_eq!((report.to.files, report.to.types), (1, 3));
    assert_eq!(report.from.source, from);
    assert_eq!(report.to.source, repo.at("v1"));
    assert_eq!(report.to.revision, Some(commit));
    assert_eq!(report.models.to.types.len(), 3);
    let json = serde_json::to_string(&report).unwrap();
    assert!(json.starts_with(r#"{"schema_version":1,"from":{"source":"#), "{json}");
    let again = run(&from, &repo.at("v1"), &[]).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), json);
}

#[test]
fn content_that_cannot_be_had_hides_types_and_removes_none() {
    let repo = Repo::new();
    repo.write("s.json", schema(&["A", "B"]))
        .write("t.json", schema(&["T"]))
        .release("v1");
    repo.write("s.json", POINTER).release("v2");
    repo.write("t.json", schema(&["T", "U"])).release("v3");
    let report = run(&repo.at("v1"), &repo.at("v2"), &[]).unwrap();
    assert_eq!(report.to.files, 1);
    let told = r#"s.json: content unavailable: git LFS pointer to 70000 bytes ["A", "B"]"#;
    assert_eq!(report.models.to.degraded.len(), 1);
    assert!(
        degraded(&report).is_empty() || degraded(&report) == [told],
        "{:?}",
        degraded(&report)
    );
    // The same pointer on both sides is the same content.
    let report = run(&repo.at("v2"), &repo.at("v3"), &[]).unwrap();
    assert_eq!(
        degraded(&report),
        ["s.json: content unavailable: git LFS pointer to 70000 bytes, the same on both sides []"]
    );
    assert!(report.models.to.degraded.is_empty());
    assert_eq!(report.verdict, Verdict::Changes);
}

#[test]
fn a_type_of_any_depth_is_read_on_a_small_stack() {
    let mut deep = r#"{"type":"string"}"#.to_owned();
    for _ in 0..3000 {
        deep = format!(r#"{{"type":"object","properties":{{"a":{deep}}}}}"#);
    }
    let text = format!(r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{{"Deep":{deep}}}}}"#);
    let (_keep, path) = folder(&[("s.json", &text)]);
    let (_other, shallow) = folder(&[("s.json", &schema(&["A"]))]);
    let state = tempfile::tempdir().unwrap();
    let (from, to) = (format!("dir:{}", shallow.display()), format!("dir:{}", path.display()));
    for _ in 0..2 {
        let context = Context {
            state_dir: Some(state.path().to_owned()),
            ..Context::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let report = runtime
            .block_on(scan(&from, &to, &ScanOptions::default(), &context))
            .unwrap();
        assert_eq!(report.to.files, 1);
    }
}

#[test]
fn another_way_to_write_the_same_schema_is_no_change() {
    let plain = schema(&["A", "B"]).replace(r#"["type"]"#, r#"["type","a"]"#);
    let other = plain
        .replace(r#"["type","a"]"#, r#"["a","type"]"#)
        .replace(
            r#""type":"object","properties":{"type":{"const":"A"}}"#,
            r#""properties":{"type":{"const":"A"}},"type":"object""#,
        )
        .replace(',', ",\r\n  ");
    let (_one, old) = folder(&[("s.json", &plain)]);
    let (_two, new) = folder(&[("s.json", &other)]);
    let report = run(
        &format!("dir:{}", old.display()),
        &format!("dir:{}", new.display()),
        &[],
    )
    .unwrap();
    assert_eq!((report.verdict, report.findings.len()), (Verdict::NoProtocolChange, 0));
}
