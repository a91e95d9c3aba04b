//! Steps of a known agent: versions from tags, files by era, roots with directions.

use agent_contracts_config::agent::{AgentDef, ScanSource};
use agent_contracts_config::load::Agents;
use agent_contracts_scanner::{AgentReport, Context, ErrorKind, ScanError, Scanner};
use agent_contracts_wire::Direction;

use crate::fixture::{Repo, git_in};
use crate::http;

/// An agent whose protocol moved once.
fn agent() -> AgentDef {
    let text = r#"
        id = "sample"
        name = "Sample"
        tier = 2
        scan_only = true
        families = ["scan-only/v1"]
        [version]
        tag_pattern = '^v(?P<version>\d+\.\d+\.\d+(?:-rc\.\d+)?)$'
        [[channels]]
        kind = "github-tags"
        repo = "o/n"
        [[sources]]
        kind = "git"
        location = "o/n"
        [[sources.eras]]
        family = "scan-only/v1"
        scope = ["new/*.json"]
        roots = [{ type = "Event", direction = "output" }, { type = "Prompt", direction = "input" }]
        [[sources.eras]]
        family = "scan-only/v1"
        scope = ["old/*.json"]
        roots = [{ type = "Event", direction = "output" }]
    "#;
    Agents::parse([("sample.toml".to_owned(), text.to_owned())])
        .unwrap()
        .get("sample")
        .unwrap()
        .clone()
}

fn schema(extra: &str) -> String {
    format!(
        r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{{
        "Event":{{"type":"object","properties":{{"type":{{"const":"a"}}{extra}}},"required":["type"]}},
        "Prompt":{{"type":"object","properties":{{"text":{{"type":"string"}}}}}}}}}}"#
    )
}

/// Three releases: the files move between the second and the third.
fn releases() -> Repo {
    let repo = Repo::new();
    repo.write("README.md", "nothing yet").release("v0.1.0");
    repo.write("old/s.json", schema("")).release("v1.0.0");
    repo.write("old/s.json", schema(r#","b":{"type":"string"}"#))
        .release("v2.0.0-rc.1");
    repo.git(&["tag", "v2.0.0"]);
    repo.git(&["tag", "nightly"]);
    repo.git(&["rm", "-q", "old/s.json"]);
    repo.write("new/s.json", schema(r#","b":{"type":"string"}"#))
        .release("v10.0.0");
    repo
}

async fn step(
    scanner: &Scanner,
    source: &ScanSource,
    repo: &Repo,
    from: &str,
    to: &str,
) -> Result<AgentReport, ScanError> {
    let versions = scanner.versions(&agent(), source, Some(repo.path())).await?;
    scanner
        .scan_agent(source, versions.get(from)?, versions.get(to)?, false)
        .await
}

#[tokio::test]
async fn each_version_is_read_where_its_protocol_was() {
    let (repo, agent) = (releases(), agent());
    let scanner = Scanner::new(Context::default()).unwrap();
    let source = &agent.sources[0];
    let versions = scanner.versions(&agent, source, Some(repo.path())).await.unwrap();
    let listed: Vec<&str> = versions.all().iter().map(|one| one.version.as_str()).collect();
    assert_eq!(listed, ["0.1.0", "1.0.0", "2.0.0-rc.1", "2.0.0", "10.0.0"]);

    let inside = step(&scanner, source, &repo, "1.0.0", "2.0.0").await.unwrap();
    assert_eq!(inside.scope, ["old/*.json"]);
    assert_eq!((inside.report.from.files, inside.report.to.files), (1, 1));
    assert_eq!(inside.report.to.source, repo.at("v2.0.0"));

    let across = step(&scanner, source, &repo, "2.0.0", "10.0.0").await.unwrap();
    assert_eq!(across.scope, ["new/*.json", "old/*.json"]);
    assert_eq!((across.report.from.types, across.report.to.types), (2, 2));
    assert_eq!(
        across.report.models.to.types["Event"]
            .direction
            .unwrap_or(Direction::Output),
        Direction::Output
    );
    assert_eq!(across.family, "scan-only/v1");

    let started = step(&scanner, source, &repo, "0.1.0", "1.0.0").await.unwrap();
    assert_eq!((started.report.from.files, started.report.to.files), (0, 1));

    let error = step(&scanner, source, &repo, "1.0.0", "3.0.0").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failed);
    assert!(
        error.to_string().starts_with("git:o/n has no version `3.0.0`"),
        "{error}"
    );
}

#[tokio::test]
async fn an_era_that_both_ends_have_is_read_rather_than_two_notations() {
    let repo = Repo::new();
    repo.write("old/s.json", schema("")).release("v1.0.0");
    // From here on the same protocol is also written in another way, which is preferred.
    repo.write("old/s.json", schema(r#","b":{"type":"string"}"#));
    repo.write("new/s.json", schema(r#","b":{"type":"string"},"c":{"enum":["x"]}"#))
        .release("v2.0.0");
    repo.write("new/t.json", "{}").release("v3.0.0");
    let scanner = Scanner::new(Context::default()).unwrap();
    let source = &agent().sources[0];
    let over = step(&scanner, source, &repo, "1.0.0", "2.0.0").await.unwrap();
    assert_eq!(over.scope, ["old/*.json"]);
    assert_eq!(over.options.roots, ["Event"]);
    let found: Vec<_> = over.report.findings.iter().map(|one| one.path.as_deref()).collect();
    assert_eq!(found, [Some("b")], "the change, and nothing of the other notation");
    let after = step(&scanner, source, &repo, "2.0.0", "3.0.0").await.unwrap();
    assert_eq!(after.scope, ["new/*.json"]);
}

#[tokio::test]
async fn ends_that_speak_different_dialects_are_read_each_by_its_own_era() {
    let union = |events: &[&str]| {
        let arms = events.iter().map(|event| {
            format!(r#"{{"type":"object","properties":{{"type":{{"const":"{event}"}}}},"required":["type"]}}"#)
        });
        let arms = arms.collect::<Vec<_>>().join(",");
        format!(
            r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{{"Event":{{"oneOf":[{arms}]}}}}}}"#
        )
    };
    let repo = Repo::new();
    repo.write("old/s.json", union(&["begun", "said", "done"]))
        .release("v1.0.0");
    // The new dialect is there, and another file says that it is not spoken yet.
    repo.write("new/s.json", union(&["turn.started", "item", "turn.ended"]));
    repo.write("new/trial.json", "{}");
    repo.write("old/s.json", union(&["begun", "said", "done", "more"]))
        .release("v2.0.0");
    repo.git(&["rm", "-q", "new/trial.json"]);
    repo.release("v3.0.0");
    let mut source = agent().sources[0].clone();
    for (era, dialect) in source.eras.iter_mut().zip(["turns", "plain"]) {
        era.dialect = Some(dialect.to_owned());
    }
    source.eras[0].unless = vec!["new/trial.json".to_owned()];
    let scanner = Scanner::new(Context::default()).unwrap();
    let rules =
        |report: &AgentReport| -> Vec<String> { report.report.findings.iter().map(|one| one.rule.clone()).collect() };

    let before = step(&scanner, &source, &repo, "1.0.0", "2.0.0").await.unwrap();
    assert_eq!(
        (before.scope.as_slice(), rules(&before)),
        (&["old/*.json".to_owned()][..], vec!["event_added".to_owned()])
    );

    let switch = step(&scanner, &source, &repo, "2.0.0", "3.0.0").await.unwrap();
    assert_eq!(
        rules(&switch),
        ["output_format_changed"],
        "although the old types are still there"
    );
    assert_eq!(switch.scope, ["new/*.json"]);
    assert_eq!(switch.old_scope.as_deref(), Some(&["old/*.json".to_owned()][..]));
    let lists = &switch.report.findings[0];
    assert_eq!(
        (
            lists.before.as_array().unwrap().len(),
            lists.after.as_array().unwrap().len()
        ),
        (4, 3)
    );

    source.eras[1].dialect = Some("turns".to_owned());
    let notation = step(&scanner, &source, &repo, "2.0.0", "3.0.0").await.unwrap();
    assert_eq!(
        rules(&notation),
        [""; 0],
        "one dialect in two notations: what both ends have is compared"
    );
    assert_eq!(
        (notation.scope, notation.old_scope),
        (vec!["old/*.json".to_owned()], None)
    );
}

#[tokio::test]
async fn a_protocol_that_is_nowhere_is_said_with_every_place_that_was_looked_at() {
    let repo = Repo::new();
    repo.write("src/s.json", schema("")).release("v1.0.0");
    repo.write("x", "x").release("v2.0.0");
    let scanner = Scanner::new(Context::default()).unwrap();
    let error = step(&scanner, &agent().sources[0], &repo, "1.0.0", "2.0.0")
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("no file matches `new/*.json` or `old/*.json`, neither in git:"),
        "{error}"
    );
    assert!(error.contains("near it are `src/s.json`"), "{error}");
}

#[tokio::test]
async fn a_source_of_flags_alone_says_so() {
    let repo = releases();
    let scanner = Scanner::new(Context::default()).unwrap();
    let source = ScanSource {
        eras: vec![],
        flags: vec!["old/*".to_owned()],
        ..agent().sources[0].clone()
    };
    let error = step(&scanner, &source, &repo, "1.0.0", "2.0.0").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("--flags"), "{error}");
}

#[tokio::test]
async fn a_repository_is_found_at_the_endpoint_and_its_address_is_not_shown() {
    use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, Packages, Registry, Surroundings};
    let root = tempfile::tempdir().unwrap();
    let (repo, agent) = (releases(), agent());
    git_in(
        root.path(),
        0,
        &["clone", "-q", "--bare", repo.path().to_str().unwrap(), "o/n"],
    );
    let server = http::git_backend(root.path());
    let settings = EndpointSettings::default().with(Registry::GithubWeb, server.url());
    let surroundings = Surroundings {
        env: [].into(),
        home: None,
        cwd: None,
        ask: std::sync::Arc::new(|_, _| None),
    };
    let client = Client::new(&ClientSettings::default()).unwrap();
    let state = tempfile::tempdir().unwrap();
    let scanner = Scanner::new(Context {
        packages: Some(Packages::new(client, Endpoints::new(settings, surroundings), None)),
        state_dir: Some(state.path().to_owned()),
        offline: false,
        ..Context::default()
    })
    .unwrap();
    let source = &agent.sources[0];
    let versions = scanner.versions(&agent, source, None).await.unwrap();
    let (from, to) = (versions.get("1.0.0").unwrap(), versions.get("2.0.0").unwrap());
    let report = scanner.scan_agent(source, from, to, false).await.unwrap().report;
    assert_eq!(report.from.source, "git:o/n@v1.0.0");
    assert!(!serde_json::to_string(&report).unwrap().contains("127.0.0.1"));

    let missing = ScanSource {
        location: "o/gone".to_owned(),
        ..source.clone()
    };
    let error = scanner.versions(&agent, &missing, None).await.unwrap_err().to_string();
    assert!(
        error.starts_with("git:o/gone cannot be reached") && !error.contains("127.0.0.1"),
        "{error}"
    );
}
