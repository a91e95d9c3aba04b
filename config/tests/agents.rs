//! The files that come with the program: they load, and what they say of versions holds for real tags and outputs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_config::agent::version_in;
use agent_contracts_config::{AgentDef, Agents};

fn agents() -> Agents {
    Agents::embedded().unwrap_or_else(|error| panic!("{error}"))
}

fn tag_pattern(agent: &AgentDef, source: Option<&str>) -> String {
    let of_source = source.and_then(|location| {
        let source = agent
            .sources
            .iter()
            .find(|it| it.location == location && it.tag_pattern.is_some());
        source
            .unwrap_or_else(|| panic!("{}: no source {location} with a pattern of its own", agent.id))
            .tag_pattern
            .clone()
    });
    of_source
        .or_else(|| agent.version.tag_pattern.clone())
        .unwrap_or_else(|| panic!("{}: no tag pattern", agent.id))
}

/// Every oddity among the tags that were counted in the repositories is a row.
#[test]
fn tags_of_others_are_left_aside() {
    let agents = agents();
    let rows: &[(&str, Option<&str>, &str, Option<&str>)] = &[
        ("codex", None, "rust-v0.133.0", Some("0.133.0")),
        ("codex", None, "rust-v0.34.0-alpha.2", Some("0.34.0-alpha.2")),
        ("codex", None, "rust-v0.2.0-beta", Some("0.2.0-beta")),
        ("codex", None, "rust-v0.0.2508241142", Some("0.0.2508241142")),
        ("codex", None, "rust-v.0.0.2504291921", None),
        (
            "codex",
            None,
            "codex-rs-2925136536b06a324551627468d17e959afa18d4-1-rust-v0.2.0-alpha.2",
            None,
        ),
        ("codex", None, "v0.5.0", None),
        ("codex", None, "preview-exit-quit-alias-12", None),
        ("codex", None, "alpha-cli", None),
        ("gemini-cli", None, "v0.22.1", Some("0.22.1")),
        ("gemini-cli", None, "v0.10.0-preview.1", Some("0.10.0-preview.1")),
        ("gemini-cli", None, "v0.4.0-preview", Some("0.4.0-preview")),
        (
            "gemini-cli",
            None,
            "v0.60.0-nightly.20260908.g85aca163f",
            Some("0.60.0-nightly.20260908.g85aca163f"),
        ),
        (
            "gemini-cli",
            None,
            "v0.3.0-nightly.20250824.e4e2d1a2",
            Some("0.3.0-nightly.20250824.e4e2d1a2"),
        ),
        ("gemini-cli", None, "v0.1.9+nightly.040725.97900e31", None),
        ("gemini-cli", None, "early-access", None),
        ("copilot", Some("github/copilot-sdk"), "v1.0.14", Some("1.0.14")),
        (
            "copilot",
            Some("github/copilot-sdk"),
            "v1.0.15-preview.4",
            Some("1.0.15-preview.4"),
        ),
        ("copilot", Some("github/copilot-sdk"), "go/v1.0.14", None),
        ("copilot", Some("github/copilot-sdk"), "rust/v0.2.0-beta.1", None),
        ("copilot", Some("github/copilot-sdk"), "java/v0.2.0-beta-3-java.1", None),
        ("copilot", Some("github/copilot-sdk"), "rust-v0.1.0", None),
        ("pi", None, "v0.58.3", Some("0.58.3")),
        ("pi", None, "v0.5.1-pods", None),
        (
            "claude",
            Some("anthropics/claude-agent-sdk-python"),
            "v0.2.82",
            Some("0.2.82"),
        ),
        ("kimi", None, "@moonshot-ai/kimi-code@0.13.1", Some("0.13.1")),
        ("kimi", None, "1.27.0", None),
        ("kimi", Some("MoonshotAI/kimi-cli"), "1.27", Some("1.27")),
        ("kimi", Some("MoonshotAI/kimi-cli"), "1.27.0", Some("1.27.0")),
        ("kimi", Some("MoonshotAI/kimi-cli"), "kosong-0.36.1", None),
        ("kimi", Some("MoonshotAI/kimi-cli"), "pykaos-0.1.0", None),
        ("kimi", Some("MoonshotAI/kimi-cli"), "kimi-sdk-0.2.1", None),
        ("kimi", Some("MoonshotAI/kimi-cli"), "0419-fix-backup-pre-merge", None),
        ("vibe", None, "v2.18.4", Some("2.18.4")),
        ("aider", None, "v0.86.2", Some("0.86.2")),
        ("aider", None, "v0.86.3.dev", None),
        ("aider", None, "v0.21.1-dev", None),
        ("deepseek", None, "v0.9.10", Some("0.9.10")),
        ("deepseek", None, "rust-v0.0.2504301132", None),
        (
            "deepseek",
            None,
            "codex-rs-121686615fd634e35f3e415896f36908cf8632f9-1-rust-v0.0.2506052203",
            None,
        ),
        ("crush", None, "v0.90.0", Some("0.90.0")),
        ("crush", None, "v0.1.0-beta.2", Some("0.1.0-beta.2")),
        ("crush", None, "nightly", None),
        ("cline", None, "cli-v3.0.65", Some("3.0.65")),
        ("cline", None, "v3.40.0", None),
        ("cline", None, "sdk/core/v0.0.86", None),
        ("cline", None, "cli-build-0a1b2c3", None),
        ("cline", None, "nightly-main-20260701", None),
        ("cline", None, "desktop-v0.1.0", None),
        (
            "mcp",
            Some("modelcontextprotocol/modelcontextprotocol"),
            "2025-11-25",
            Some("2025-11-25"),
        ),
        (
            "mcp",
            Some("modelcontextprotocol/modelcontextprotocol"),
            "2025-11-25-RC",
            None,
        ),
        (
            "mcp",
            Some("modelcontextprotocol/modelcontextprotocol"),
            "2024-11-05-final",
            None,
        ),
        ("agentapi", None, "v0.12.1", Some("0.12.1")),
        ("agentapi", None, "v0.1.0-pre1", Some("0.1.0-pre1")),
        ("agentapi", None, "agentapi_31", None),
        ("agentapi", None, "preview", None),
        ("goose", None, "v1.10.0", Some("1.10.0")),
        ("acp", None, "v1.7.0", Some("1.7.0")),
        ("acp", None, "v0.2.0-alpha.1", Some("0.2.0-alpha.1")),
        ("acp", None, "schema-v1.15.0", None),
        ("acp", None, "schema-v2.0.0-alpha.3", None),
    ];
    for (agent, source, tag, version) in rows {
        let pattern = tag_pattern(agents.get(agent).unwrap(), *source);
        assert_eq!(version_in(&pattern, tag).as_deref(), *version, "{agent}: {tag}");
    }
}

#[test]
fn versions_that_were_never_a_release_are_ignored() {
    let agents = agents();
    for (agent, version) in [
        ("gemini-cli", "0.0.888888"),
        ("gemini-cli", "0.0.88888"),
        ("codex", "0.1.2504172351"),
        ("codex", "0.0.2508241142"),
    ] {
        let ignored = &agents.get(agent).unwrap().version.ignore;
        assert!(ignored.iter().any(|it| it == version), "{agent}: {version}");
    }
}

/// What binaries print. The version is read after the product's own label, never from a banner.
#[test]
fn printed_versions_are_read() {
    let agents = agents();
    let rows: &[(&str, &str, Option<&str>)] = &[
        ("codex", "codex-cli 0.128.0\n", Some("0.128.0")),
        ("codex", "codex-cli 0.148.0-alpha.8\n", Some("0.148.0-alpha.8")),
        ("codex", "wrapper 9.9.9\ncodex-cli 0.128.0\n", Some("0.128.0")),
        ("codex", "0.128.0\n", None),
        ("claude", "2.1.112 (Claude Code)\n", Some("2.1.112")),
        ("claude", "shim 3.0.0\n2.1.112 (Claude Code)\n", Some("2.1.112")),
        ("claude", "2.1.112\n", None),
        ("opencode", "1.18.33\n", Some("1.18.33")),
        ("opencode", "opencode v2.0.10\n", Some("2.0.10")),
        ("opencode", "v2.0.3\n", Some("2.0.3")),
        ("copilot", "1.0.102\n", Some("1.0.102")),
        ("copilot", "1.0.12-2\nCommit: abcdef\n", Some("1.0.12-2")),
        (
            "copilot",
            "GitHub Copilot CLI 1.0.102.\nRun 'copilot update'\n",
            Some("1.0.102"),
        ),
        ("pi", "0.73.1\n", Some("0.73.1")),
        ("qwen", "0.24.4\n", Some("0.24.4")),
        ("qoder", "1.1.52\n", Some("1.1.52")),
        // The age in the brackets changes from day to day and is no part of the version.
        (
            "amp",
            "0.0.1790142911-g7618fb (released 2026-09-23T05:15:11.000Z, 2mo ago)\n",
            Some("0.0.1790142911-g7618fb"),
        ),
        ("devin", "devin 2026.5.1-1\n", Some("2026.5.1-1")),
        ("cursor-agent", "2026.09.18-abcdef\n", Some("2026.09.18-abcdef")),
        ("kilo", "kilo v7.4.23 for 8.0.0\n", Some("7.4.23")),
        ("aider", "aider 0.86.2\n", Some("0.86.2")),
        ("hermes", "Hermes Agent v0.19.0\n", Some("0.19.0")),
        ("deepseek-harness", "dsh 0.1.0-rc.8\n", Some("0.1.0-rc.8")),
        ("vibe", "no version here\n1.2.3\n", None),
    ];
    for (agent, output, version) in rows {
        let pattern = agents
            .get(agent)
            .unwrap()
            .version
            .pattern
            .as_ref()
            .unwrap_or_else(|| panic!("{agent}: no pattern"));
        assert_eq!(version_in(pattern, output).as_deref(), *version, "{agent}: {output:?}");
    }
}

/// Codex publishes one release as seven versions; real prereleases have platform builds of their own.
#[test]
fn platform_builds_of_codex_are_told_from_prereleases() {
    let agents = agents();
    let suffixes = &agents.get("codex").unwrap().version.platform_suffixes;
    for (version, platform) in [
        ("0.163.0-linux-x64", Some("linux-x64")),
        ("0.128.0-alpha.1-win32-arm64", Some("win32-arm64")),
        ("0.128.0-alpha.1", None),
        ("0.163.0", None),
    ] {
        let found = suffixes
            .iter()
            .find(|(_, suffix)| version.ends_with(suffix.as_str()))
            .map(|(platform, _)| platform.as_str());
        assert_eq!(found, platform, "{version}");
    }
}

#[test]
fn an_unknown_agent_gets_the_nearest_name() {
    let error = agents().get("codx").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no agent `codx`, did you mean `codex`?; `agents list` names them all"
    );
}

/// Every runtime of the adapter document and of the registry that it describes, and what is only scanned.
#[test]
fn every_runtime_has_a_file() {
    let agents = agents();
    let ids: Vec<&str> = agents
        .iter()
        .filter(|agent| !agent.scan_only)
        .map(|agent| agent.id.as_str())
        .collect();
    assert_eq!(
        ids,
        [
            "aider",
            "amp",
            "amr",
            "antigravity",
            "atomcode",
            "byok-opencode",
            "claude",
            "codebuddy",
            "codex",
            "copilot",
            "cursor-agent",
            "deepseek",
            "deepseek-harness",
            "devin",
            "grok-build",
            "hermes",
            "kilo",
            "kimi",
            "kiro",
            "mimo",
            "opencode",
            "pi",
            "prime-agent",
            "qoder",
            "qwen",
            "reasonix",
            "trae-cli",
            "vibe",
        ]
    );
    let scanned: Vec<&str> = agents
        .iter()
        .filter(|agent| agent.scan_only)
        .map(|agent| agent.id.as_str())
        .collect();
    assert_eq!(
        scanned,
        ["acp", "agentapi", "cline", "crush", "gemini-cli", "goose", "mcp"]
    );
}

#[test]
fn each_runtime_can_be_run_and_says_what_is_missing_and_what_is_verified() {
    for agent in agents().iter() {
        assert!(!agent.missing.is_empty(), "{}: nothing is missing?", agent.id);
        assert!(
            !agent.verified.is_empty(),
            "{}: nothing is verified or documented",
            agent.id
        );
        if !agent.scan_only {
            assert!(!agent.invocations.is_empty(), "{}: no invocation", agent.id);
            assert_eq!(
                agent.version.args,
                ["--version"],
                "{}: how is its version asked?",
                agent.id
            );
            for invocation in &agent.invocations {
                let maps = !agent.events.is_empty() && agent.events.contains_key(&invocation.family);
                let same = agent.invocations.iter().any(|it| agent.events.contains_key(&it.family));
                assert!(maps || same, "{}: no events of {}", agent.id, invocation.family);
            }
        }
        for source in &agent.sources {
            assert!(
                !source.eras.is_empty() || !source.flags.is_empty(),
                "{}: {}",
                agent.id,
                source.label()
            );
        }
    }
}

/// The tested versions of two hosts, and what they accept besides.
#[test]
fn version_policies_accept_what_the_host_accepts() {
    let agents = agents();
    for (agent, version, accepted) in [
        ("kilo", "7.4.22", false),
        ("kilo", "7.4.23", true),
        ("kilo", "7.4.30", true),
        ("kilo", "7.5.0", true),
        ("kilo", "7.10.1", true),
        ("kilo", "8.0.0", true),
        ("kilo", "7.5.0-rc.1", false),
        ("kilo", "7.4.23+build.5", true),
        ("kilo", "6.9.9", false),
        ("deepseek-harness", "0.1.0", true),
        ("deepseek-harness", "0.1.7", true),
        ("deepseek-harness", "0.1.0-rc.5", false),
        ("deepseek-harness", "0.1.0-rc.6", true),
        ("deepseek-harness", "0.1.0-rc.10", true),
        ("deepseek-harness", "0.1.1-rc.1", true),
        ("deepseek-harness", "0.1.2-rc.9", true),
        ("deepseek-harness", "0.1.3-rc.1", false),
        ("deepseek-harness", "0.2.0", false),
    ] {
        let policy = agents.get(agent).unwrap().version.policy.as_ref().unwrap();
        let pattern = regex::Regex::new(policy.accepts.as_ref().unwrap()).unwrap();
        assert_eq!(pattern.is_match(version), accepted, "{agent}: {version}");
        assert!(policy.tested.iter().all(|tested| pattern.is_match(tested)), "{agent}");
    }
}

/// Endpoints come from settings and from the clients of the machine; no file names the host of a package registry.
#[test]
fn no_file_names_a_package_registry() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/agents");
    // Put together here, so that this file names none either.
    let hosts = [
        ["npmjs", "."],
        ["pypi", ".org"],
        ["python", "hosted"],
        ["crates", ".io/"],
        ["index.", "crates"],
    ]
    .map(|parts| parts.concat());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for host in &hosts {
            assert!(!text.contains(host.as_str()), "{}: {host}", path.display());
        }
    }
}

/// A user's directory is merged in; an id of the program's is not to be taken.
#[test]
fn a_directory_of_ones_own_is_merged_in() {
    let directory = tempfile::tempdir().unwrap();
    let file = |id: &str| {
        format!("id = \"{id}\"\nname = \"Mine\"\ntier = 2\nbinary = {{ name = \"mine\" }}\nfamilies = [\"plain/v1\"]\n")
    };
    std::fs::write(directory.path().join("mine.toml"), file("mine")).unwrap();
    std::fs::write(directory.path().join("notes.txt"), "not an agent").unwrap();
    let merged = Agents::load(Some(directory.path())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(merged.len(), agents().len() + 1);
    assert_eq!(merged.get("mine").unwrap().name, "Mine");

    std::fs::write(directory.path().join("codex.toml"), file("codex")).unwrap();
    std::fs::write(directory.path().join("bytes.toml"), [0xff, 0xfe]).unwrap();
    let error = Agents::load(Some(directory.path())).unwrap_err().to_string();
    assert!(
        error.contains("the id `codex` is taken by agents/codex.toml"),
        "{error}"
    );
    assert!(error.contains("bytes.toml: cannot be read"), "{error}");

    let error = Agents::load(Some(&directory.path().join("nowhere")))
        .unwrap_err()
        .to_string();
    assert!(error.contains("nowhere") && error.contains("--agents"), "{error}");
}

/// A file that was cut short, or that lost a line, is told about or is a smaller agent; it is never a panic.
#[test]
fn a_damaged_file_never_panics() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/agents");
    for stem in ["codex", "kimi", "pi"] {
        let name = format!("agents/{stem}.toml");
        let text = std::fs::read_to_string(format!("{folder}/{stem}.toml")).unwrap();
        let mut refused = 0;
        for cut in (0..text.len()).step_by(397).filter(|cut| text.is_char_boundary(*cut)) {
            refused += usize::from(Agents::parse([(name.clone(), text[..cut].to_owned())]).is_err());
        }
        assert!(refused > 3, "{stem}: {refused}");
        let lines: Vec<&str> = text.lines().collect();
        for lost in (0..lines.len()).step_by(11) {
            let rest: Vec<&str> = lines
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != lost)
                .map(|(_, line)| *line)
                .collect();
            let _ = Agents::parse([(name.clone(), rest.join("\n"))]);
        }
    }
}
