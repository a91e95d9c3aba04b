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
