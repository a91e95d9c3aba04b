//! What the binary says of itself: help, agents, rules.

use std::fmt::Write as _;

use agent_contracts_wire::rules;

use crate::fixture::Home;

#[test]
fn help_pages() {
    let home = Home::new();
    let pages: [&[&str]; 18] = [
        &["--help"],
        &["run", "--help"],
        &["discover", "--help"],
        &["scan", "--help"],
        &["normalize", "--help"],
        &["compare", "--help"],
        &["agents", "--help"],
        &["agents", "list", "--help"],
        &["agents", "show", "--help"],
        &["queue", "--help"],
        &["queue", "list", "--help"],
        &["outbox", "--help"],
        &["outbox", "show", "--help"],
        &["validate", "--help"],
        &["matrix", "--help"],
        &["promote", "--help"],
        &["compatibility", "--help"],
        &["explain", "--help"],
    ];
    let mut text = String::new();
    for page in pages {
        let help = home.ok(page);
        let (own, of_every_verb) = help.split_once("Options of every verb:\n").unwrap();
        let _ = writeln!(text, "$ agent-contracts {}\n{own}", page.join(" "));
        if page.len() == 1 {
            let _ = writeln!(text, "Options of every verb:\n{of_every_verb}");
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn wrong_usage_ends_with_2() {
    let home = Home::new();
    for args in [
        &[][..],
        &["scna"],
        &["run", "--every"],
        &["agents"],
        &["outbox", "show"],
    ] {
        let (code, out, err) = home.run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains("Usage:"), "{args:?}: {err}");
    }
    assert!(home.ok(&["--version"]).starts_with("agent-contracts "));
}

#[test]
fn agents_are_listed() {
    let home = Home::new();
    let list = home.ok(&["agents", "list"]);
    let ids = |text: &str| {
        let lines = text.lines().skip(1).filter(|line| !line.starts_with(' '));
        lines
            .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let listed = ids(&list);
    assert!(listed.len() >= 35 && listed.is_sorted(), "{listed:?}");
    for id in ["acp", "claude", "codex", "copilot", "gemini-cli", "opencode", "pi"] {
        assert!(listed.iter().any(|one| one == id), "{id} is missing");
    }
    let document = home.json(&["agents", "list", "--json"]);
    assert_eq!(document["agents"].as_array().unwrap().len(), listed.len());

    home.write(
        "mine/quill.toml",
        "id = \"quill\"\nname = \"Quill\"\ntier = 2\nbinary = { name = \"quill\" }\nfamilies = [\"plain/v1\"]\n",
    );
    let more = ids(&home.ok(&["--agents", "mine", "agents", "list"]));
    assert_eq!(more.len(), listed.len() + 1);
    assert!(more.contains(&"quill".to_owned()));
    // The same by the settings, which are read from the current folder.
    home.write("agent-contracts.toml", "[agents]\ndirectory = \"mine\"\n");
    assert_eq!(ids(&home.ok(&["agents", "list"])), more);
}

#[test]
fn an_agent_is_shown_with_what_each_field_rests_on() {
    let home = Home::new();
    let text = home.ok(&["agents", "show", "codex"]);
    let wanted = [
        "Codex",
        "field",
        "binary.name",
        "families",
        "version.scheme",
        "version.tag_pattern",
    ];
    // Columns are as wide as the widest value, which grows with every fact.
    let lines: Vec<String> = text
        .lines()
        .filter(|line| wanted.iter().any(|start| line.starts_with(start)))
        .map(|line| {
            line.split("  ")
                .filter(|cell| !cell.is_empty())
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" | ")
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    Codex CLI (codex), tier 0
    field | value | rests on
    binary.name | "codex" | declared
    families | ["json-event-stream/v1","codex-app-server/v1"] | declared
    version.scheme | "semver" | declared
    version.tag_pattern | "^rust-v(?P<version>\\d+\\.\\d+\\.\\d+(?:-(?:alpha|beta|rc)(?:\\.\\d+)*)?)$" | held against real tags, versions or files: the 170 rust-v tags of a mirror up to 0.34.0
    "#);
    assert!(text.contains("\nnot covered:\n"), "{text}");
    let document = home.json(&["agents", "show", "codex", "--json"]);
    assert_eq!(document["id"], "codex");
    insta::assert_snapshot!(home.complaint(&["agents", "show", "codxe"]), @r"
    exit 2
    error: no agent `codxe`, did you mean `codex`?; `agents list` names them all
    ");
}

#[test]
fn every_rule_is_explained() {
    let home = Home::new();
    let list = home.ok(&["explain"]);
    for rule in rules::ALL {
        assert!(
            list.contains(rule.id) && list.contains(rule.title),
            "{} is not listed",
            rule.id
        );
        let text = home.ok(&["explain", rule.id]);
        assert!(text.contains(rule.id), "{text}");
        assert!(text.lines().count() >= 5, "{} is hardly explained: {text}", rule.id);
        assert_eq!(home.json(&["explain", rule.id, "--json"])["id"], rule.id);
    }
    assert_eq!(
        home.json(&["explain", "--json"]).as_array().unwrap().len(),
        rules::ALL.len()
    );
    insta::assert_snapshot!(home.ok(&["explain", "field_removed"]), @r"
    field_removed: A member is gone

    On output a host that reads it finds nothing: required members make typed readers fail, optional ones are lost in silence. On input it is refused or ignored. Look for where the value stands now.

      either way, when its members stand one level up now: breaking
      output, when it was always there: breaking
      output: breaking
      input: breaking

    Before:
      type EndEvent = { old_tokens: number, reason: string }

    After:
      type EndEvent = { reason: string }
    ");
    insta::assert_snapshot!(home.complaint(&["explain", "field_remved"]), @r"
    exit 2
    error: there is no rule `field_remved`, did you mean `field_removed`?
    hint: `agent-contracts explain` lists them all, `agent-contracts validate --codes` those of the validator
    ");
}

#[test]
fn a_tree_that_is_not_there_yet_is_an_empty_one() {
    let home = Home::new();
    for (args, json) in [(["queue", "list"], "[]"), (["outbox", "list"], "[]")] {
        assert_eq!(home.ok(&args).lines().count(), 1, "a header alone");
        assert_eq!(home.ok(&[&args[..], &["--json"]].concat()).trim(), json);
    }
    assert!(!home.path().join("contracts").exists(), "reading makes nothing");
    insta::assert_snapshot!(home.complaint(&["outbox", "show", "abc"]), @r"
    exit 2
    error: no alert starts with `abc`
    hint: `agent-contracts outbox list` lists them
    ");
}
