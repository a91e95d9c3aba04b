//! The agents that come with the program. One more agent is one more file and one more line here.

/// A list of stems becomes pairs of stem and text.
macro_rules! embedded {
    ($($stem:literal),* $(,)?) => {
        &[$(($stem, include_str!(concat!("../agents/", $stem, ".toml")))),*]
    };
}

/// Stem and text of each file in `config/agents`, sorted.
pub(crate) const EMBEDDED: &[(&str, &str)] = embedded![
    "acp",
    "agentapi",
    "aider",
    "amp",
    "amr",
    "antigravity",
    "atomcode",
    "byok-opencode",
    "claude",
    "cline",
    "codebuddy",
    "codex",
    "copilot",
    "crush",
    "cursor-agent",
    "deepseek",
    "deepseek-harness",
    "devin",
    "gemini-cli",
    "goose",
    "grok-build",
    "hermes",
    "kilo",
    "kimi",
    "kiro",
    "mcp",
    "mimo",
    "opencode",
    "pi",
    "prime-agent",
    "qoder",
    "qwen",
    "reasonix",
    "trae-cli",
    "vibe",
];

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::EMBEDDED;

    #[test]
    fn every_file_has_its_line() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/agents");
        let mut stems: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        stems.sort();
        for stem in &stems {
            assert!(
                EMBEDDED.iter().any(|(listed, _)| listed == stem),
                "config/agents/{stem}.toml is not listed: add the line    \"{stem}\",    to EMBEDDED in config/src/embedded.rs",
            );
        }
        let listed: Vec<&str> = EMBEDDED.iter().map(|(stem, _)| *stem).collect();
        assert_eq!(
            listed, stems,
            "EMBEDDED in config/src/embedded.rs is the sorted list of config/agents"
        );
    }
}
