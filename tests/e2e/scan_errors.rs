//! What `scan` says when it cannot do what was asked: the thing, the place and the next step.

use crate::fixture::Home;

fn home() -> Home {
    let home = Home::new();
    let repo = home.repo("repo");
    repo.write("src/events.ts", "export interface Started { type: \"started\" }")
        .release("v1.0.0");
    repo.write(
        "src/events.ts",
        "export interface Started { type: \"started\"; id: string }",
    )
    .release("v1.1.0");
    home.write("plain/a.ts", "export interface A { type: \"a\" }");
    home
}

/// What a scan between these two says on stderr, and its exit code.
fn complaint(from: &str, to: &str, more: &[&str]) -> String {
    home().complaint(&[&["scan", "--from", from, "--to", to], more].concat())
}

#[test]
fn no_such_revision() {
    insta::assert_snapshot!(complaint("git:repo@v1.0.0", "git:repo@v1.2.0", &[]), @r"
    exit 4
    error: git:repo has no version `v1.2.0`
    hint: near it are `main`, `v1.0.0`, `v1.1.0`
    ");
}

#[test]
fn a_scope_that_matches_nothing() {
    insta::assert_snapshot!(complaint("git:repo@v1.0.0", "git:repo@v1.1.0", &["--scope", "src/event.ts"]), @r"
    exit 2
    error: no file matches `src/event.ts`, neither in git:repo@v1.0.0 nor in git:repo@v1.1.0
    hint: near it are `src/events.ts`
    ");
}

#[test]
fn a_scope_that_is_none() {
    insta::assert_snapshot!(complaint("git:repo@v1.0.0", "git:repo@v1.1.0", &["--scope", "src/[a.ts"]), @r"
    exit 2
    error: `src/[a.ts` is no scope: unclosed character class; missing ']'
    hint: a scope is a glob such as `src/**/*.ts`; `*` stops at `/`, `**` does not
    ");
}

#[test]
fn not_a_repository() {
    insta::assert_snapshot!(complaint("git:plain@v1.0.0", "git:repo@v1.1.0", &[]), @r"
    exit 2
    error: `git:plain@v1.0.0` names no source: `plain` is no git repository
    hint: give the folder that holds `.git`, or a bare repository
    ");
    insta::assert_snapshot!(complaint("git:gone@v1.0.0", "git:repo@v1.1.0", &[]), @r"
    exit 2
    error: `git:gone@v1.0.0` names no source: `gone` is no git repository
    hint: give the folder that holds `.git`, or a bare repository
    ");
}

#[test]
fn no_such_folder() {
    insta::assert_snapshot!(complaint("dir:plain", "dir:gone", &[]), @r"
    exit 4
    error: dir:gone cannot be read: No such file or directory (os error 2)
    hint: give a folder that exists
    ");
}

#[test]
fn texts_that_name_no_source() {
    let told: Vec<String> = [
        "repo@v1.0.0",
        "svn:repo@v1.0.0",
        "git:repo",
        "git:ssh://example.org/repo@v1",
        "git:https://someone:secret@example.org/repo@v1",
        "npm:quill",
        "npm:quill@la test",
        "npm:@/quill@1.0.0",
        "dir:",
    ]
    .iter()
    .map(|text| complaint(text, "git:repo@v1.1.0", &[]))
    .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    exit 2
    error: `repo@v1.0.0` names no source: it has no kind
    hint: write git:PATH_OR_URL@REV, npm:NAME@VERSION, crate:NAME@VERSION, pypi:NAME@VERSION or dir:PATH

    exit 2
    error: `svn:repo@v1.0.0` names no source: there is no kind `svn`
    hint: write git:PATH_OR_URL@REV, npm:NAME@VERSION, crate:NAME@VERSION, pypi:NAME@VERSION or dir:PATH

    exit 2
    error: `git:repo` names no source: the revision is missing
    hint: write git:PATH_OR_URL@REV, where REV is a tag, a branch or a commit

    exit 2
    error: `git:ssh://example.org/repo@v1` names no source: `ssh://` is not read
    hint: https://, http:// and file:// are read; clone anything else and give its path

    exit 2
    error: `git:https://***@example.org/repo@v1` names no source: the address holds a login, which would be printed
    hint: leave the login out; git's credential helpers are not used either

    exit 2
    error: `npm:quill` names no source: the version is missing
    hint: write NAME@VERSION, such as npm:@scope/name@1.2.3

    exit 2
    error: `npm:quill@la test` names no source: `la test` is no version
    hint: write NAME@VERSION, such as npm:@scope/name@1.2.3

    exit 2
    error: `npm:@/quill@1.0.0` names no source: `@/quill` is no name of a package
    hint: write NAME@VERSION, such as npm:@scope/name@1.2.3

    exit 2
    error: `dir:` names no source: the path is missing
    hint: write dir:PATH
    ");
}

#[test]
fn an_agent_that_nobody_knows_and_one_that_is_near_it() {
    insta::assert_snapshot!(home().complaint(&["scan", "codxe"]), @r"
    exit 2
    error: no agent `codxe`, did you mean `codex`?; `agents list` names them all
    ");
    for verb in ["discover", "run"] {
        let told = home().complaint(&[verb, "codxe"]);
        assert!(
            told.starts_with("exit 2\n") && told.contains("did you mean `codex`?"),
            "{verb}: {told}"
        );
    }
}

#[test]
fn one_side_is_missing() {
    let home = home();
    insta::assert_snapshot!(home.complaint(&["scan", "--from", "git:repo@v1.0.0"]), @r"
    exit 2
    error: `scan` needs both `--from SOURCE` and `--to SOURCE`, or a known agent
    hint: a SOURCE is git:PATH_OR_URL@REV, npm:NAME@VERSION, crate:NAME@VERSION, pypi:NAME@VERSION or dir:PATH; `agent-contracts agents list` shows the agents
    ");
    assert!(
        home.complaint(&["scan", "--to", "git:repo@v1.0.0"])
            .starts_with("exit 2\n")
    );
    assert!(home.complaint(&["scan"]).starts_with("exit 2\n"));
}

#[test]
fn options_that_do_not_go_together() {
    insta::assert_snapshot!(home().complaint(&["scan", "codex", "--scope", "src/**"]), @r"
    exit 2
    error: the argument '[AGENT]' cannot be used with '--scope <GLOB>'

    Usage: agent-contracts scan <AGENT>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(complaint("dir:plain", "dir:plain", &["--fail-on", "everything"]), @r"
    exit 2
    error: invalid value 'everything' for '--fail-on <FAIL_ON>'
      [possible values: additive, risky, breaking]

    For more information, try '--help'.
    ");
}

#[test]
fn offline_asks_nobody_and_says_so() {
    let told = home().complaint(&[
        "--offline",
        "scan",
        "--from",
        "npm:quill@1.0.0",
        "--to",
        "npm:quill@1.1.0",
    ]);
    insta::assert_snapshot!(told, @r"
    exit 4
    error: npm:quill@1.0.0 cannot be reached: not asked, because of --offline
    hint: check the network and the client of this registry (npm, cargo, pip), or unpack it and give dir:PATH
    ");
}

#[test]
fn settings_and_agents_that_cannot_be_read() {
    let home = home();
    home.write("typo.toml", "[endpoints]\nnmp = \"http://127.0.0.1:1\"\n")
        .write(
            "mine/codex.toml",
            "id = \"codex\"\nname = \"Mine\"\ntier = 2\nfamilies = [\"plain/v1\"]\n",
        )
        .write(
            "odd/odd.toml",
            "id = \"odd\"\nname = \"Odd\"\ntier = 2\nfamilies = [\"plain/v1\"]\ncolour = 1\n",
        );
    let told: Vec<String> = [
        ["--settings", "gone.toml"],
        ["--settings", "typo.toml"],
        ["--agents", "gone"],
        ["--agents", "mine"],
        ["--agents", "odd"],
    ]
    .iter()
    .map(|option| home.complaint(&[&option[..], &["agents", "list"]].concat()))
    .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    exit 2
    error: the settings gone.toml: No such file or directory (os error 2); name a file that exists, or none

    exit 2
    error: typo.toml:2:1: unknown key `nmp`
      did you mean `npm`?
    1 mistake; correct it and run again

    exit 2
    error: the directory of agents gone: No such file or directory (os error 2); name one that exists with --agents

    exit 2
    error: mine/codex.toml: missing key `binary`
      add `binary = { name = "…" }`, or `scan_only = true` if it has no command
    mine/codex.toml:1:6: the id `codex` is taken by agents/codex.toml
      give this agent another id, and its file the same name
    2 mistakes; correct them and run again

    exit 2
    error: odd/odd.toml: missing key `binary`
      add `binary = { name = "…" }`, or `scan_only = true` if it has no command
    odd/odd.toml:5:1: unknown key `colour`
      known here: auth, binary, channels, env, events, exempt, families, help, id, images, install, invocations, limits, loopback, mcp, missing, models, name, options, permissions, profile, resume, scan_only, sources, support, telemetry, tier, updater, verified, version
    2 mistakes; correct them and run again
    "#);
}
