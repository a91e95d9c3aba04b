//! Which era is read for the files of real versions: the paths were listed at tags of the repositories and in packages.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_config::Agents;
use agent_contracts_config::agent::{Era, ScanSource};
use globset::GlobBuilder;

fn matches(globs: &[String], file: &str) -> bool {
    globs.iter().any(|glob| {
        GlobBuilder::new(glob)
            .literal_separator(true)
            .build()
            .unwrap()
            .compile_matcher()
            .is_match(file)
    })
}

/// The rule of the format: the first era with a file, and without one that says otherwise, is the one.
fn era<'a>(source: &'a ScanSource, files: &[&str]) -> Option<&'a Era> {
    let any = |globs: &[String]| files.iter().any(|file| matches(globs, file));
    source.eras.iter().find(|era| any(&era.scope) && !any(&era.unless))
}

/// Agent, source, family, files at a version, first glob of the era that must be read.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str], Option<&'a str>);

#[test]
fn the_right_era_is_read() {
    const EVENTS: &str = "json-event-stream/v1";
    const APP: &str = "codex-app-server/v1";
    const CLAUDE: &str = "claude-stream-json/v1";
    const SCAN: &str = "scan-only/v1";
    let agents = Agents::embedded().unwrap_or_else(|error| panic!("{error}"));
    let rows: &[Row<'_>] = &[
        (
            "codex",
            "@openai/codex-sdk",
            EVENTS,
            &["dist/index.d.ts", "dist/index.js", "package.json"],
            Some("dist/index.d.ts"),
        ),
        (
            "codex",
            "openai/codex",
            EVENTS,
            &["codex-rs/exec/src/exec_events.rs", "codex-rs/protocol/src/protocol.rs"],
            Some("codex-rs/exec/src/exec_events.rs"),
        ),
        (
            "codex",
            "openai/codex",
            EVENTS,
            &[
                "codex-rs/exec/src/exec_events.rs",
                "codex-rs/exec/src/event_processor_with_json_output.rs",
                "codex-rs/protocol/src/protocol.rs",
            ],
            Some("codex-rs/protocol/src/protocol.rs"),
        ),
        (
            "codex",
            "openai/codex",
            EVENTS,
            &["codex-rs/core/src/protocol.rs"],
            Some("codex-rs/protocol/src/protocol.rs"),
        ),
        (
            "codex",
            "openai/codex",
            APP,
            &[
                "codex-rs/app-server-protocol/schema/json/ServerRequest.json",
                "codex-rs/app-server-protocol/src/protocol/v2.rs",
            ],
            Some("codex-rs/app-server-protocol/schema/json/codex_app_server_protocol.v2.schemas.json"),
        ),
        (
            "codex",
            "openai/codex",
            APP,
            &["codex-rs/app-server-protocol/src/protocol/v2/thread.rs"],
            Some("codex-rs/app-server-protocol/src/protocol/**/*.rs"),
        ),
        (
            "codex",
            "openai/codex",
            APP,
            &["codex-rs/app-server-protocol/src/protocol/common.rs"],
            Some("codex-rs/app-server-protocol/src/protocol/**/*.rs"),
        ),
        (
            "codex",
            "openai/codex",
            APP,
            &["codex-rs/app-server-protocol/src/protocol.rs"],
            Some("codex-rs/app-server-protocol/src/protocol.rs"),
        ),
        (
            "codex",
            "openai/codex",
            APP,
            &[
                "codex-rs/protocol/src/mcp_protocol.rs",
                "codex-rs/protocol/src/protocol.rs",
            ],
            Some("codex-rs/protocol/src/mcp_protocol.rs"),
        ),
        (
            "codex",
            "openai/codex",
            APP,
            &["codex-rs/mcp-server/src/wire_format.rs"],
            Some("codex-rs/mcp-server/src/wire_format.rs"),
        ),
        (
            "claude",
            "@anthropic-ai/claude-agent-sdk",
            CLAUDE,
            &["sdk.d.ts", "sdkTypes.d.ts", "sdk-tools.d.ts"],
            Some("sdkTypes.d.ts"),
        ),
        (
            "claude",
            "@anthropic-ai/claude-agent-sdk",
            CLAUDE,
            &["sdk.d.ts", "sdk-tools.d.ts"],
            Some("sdk.d.ts"),
        ),
        (
            "claude",
            "@anthropic-ai/claude-agent-sdk",
            CLAUDE,
            &[
                "sdk.d.ts",
                "entrypoints/agentSdkTypes.d.ts",
                "entrypoints/sdkControlTypes.d.ts",
            ],
            Some("entrypoints/agentSdkTypes.d.ts"),
        ),
        (
            "claude",
            "@anthropic-ai/claude-agent-sdk",
            CLAUDE,
            &["sdk.d.ts", "entrypoints/sdk/coreTypes.d.ts"],
            Some("entrypoints/sdk/*.d.ts"),
        ),
        (
            "claude",
            "@anthropic-ai/claude-agent-sdk",
            CLAUDE,
            &["sdk.d.ts", "entrypoints/sdk/coreTypes.generated.d.ts"],
            Some("entrypoints/sdk/*.d.ts"),
        ),
        (
            "opencode",
            "@opencode-ai/sdk",
            EVENTS,
            &["dist/gen/types.gen.d.ts", "dist/v2/gen/types.gen.d.ts"],
            Some("dist/v2/gen/types.gen.d.ts"),
        ),
        (
            "opencode",
            "@opencode-ai/sdk",
            EVENTS,
            &["dist/gen/types.gen.d.ts"],
            Some("dist/gen/types.gen.d.ts"),
        ),
        (
            "copilot",
            "@github/copilot-sdk",
            "copilot-stream-json/v1",
            &["dist/generated/rpc.d.ts", "dist/generated/session-events.d.ts"],
            Some("dist/generated/session-events.d.ts"),
        ),
        (
            "pi",
            "@earendil-works/pi-coding-agent",
            "pi-rpc/v1",
            &["dist/modes/rpc/rpc-types.d.ts", "dist/modes/rpc/rpc-mode.d.ts"],
            Some("dist/modes/rpc/rpc-types.d.ts"),
        ),
        (
            "pi",
            "@earendil-works/pi-coding-agent",
            "pi-rpc/v1",
            &["dist/modes/print-mode.d.ts"],
            None,
        ),
        (
            "gemini-cli",
            "@google/gemini-cli-core",
            SCAN,
            &["dist/src/output/types.d.ts", "dist/src/core/turn.d.ts"],
            Some("dist/src/output/types.d.ts"),
        ),
        (
            "gemini-cli",
            "google-gemini/gemini-cli",
            SCAN,
            &["packages/core/src/core/turn.ts"],
            Some("packages/core/src/core/turn.ts"),
        ),
        (
            "acp",
            "@agentclientprotocol/sdk",
            SCAN,
            &[
                "schema/v1/schema.json",
                "schema/v1/schema.unstable.json",
                "schema/v2/schema.json",
            ],
            Some("schema/v1/schema.json"),
        ),
        (
            "acp",
            "@agentclientprotocol/sdk",
            SCAN,
            &["schema/schema.json"],
            Some("schema/schema.json"),
        ),
        (
            "acp",
            "agentclientprotocol/agent-client-protocol",
            SCAN,
            &["schema/schema.json", "schema/schema.unstable.json"],
            Some("schema/schema.json"),
        ),
        (
            "qwen",
            "@qwen-code/sdk",
            CLAUDE,
            &["dist/index.d.ts", "dist/daemon/index.d.ts"],
            Some("dist/index.d.ts"),
        ),
        (
            "qoder",
            "@qoder-ai/qoder-agent-sdk",
            "qoder-stream-json/v1",
            &["dist/protocol/control.d.ts", "dist/types/control.d.ts"],
            Some("dist/protocol/*.d.ts"),
        ),
        (
            "kimi",
            "MoonshotAI/kimi-cli",
            EVENTS,
            &["src/kimi_cli/wire/types.py", "src/kimi_cli/cli/__init__.py"],
            Some("src/kimi_cli/wire/types.py"),
        ),
        (
            "kimi",
            "MoonshotAI/kimi-cli",
            EVENTS,
            &["src/kimi_cli/wire/message.py"],
            Some("src/kimi_cli/wire/message.py"),
        ),
        (
            "kimi",
            "MoonshotAI/kimi-code",
            EVENTS,
            &[
                "packages/protocol/src/events.ts",
                "packages/agent-core/src/rpc/events.ts",
            ],
            Some("packages/protocol/src/*.ts"),
        ),
        (
            "kimi",
            "MoonshotAI/kimi-code",
            EVENTS,
            &["packages/protocol/src/rest/auth.ts"],
            None,
        ),
        (
            "vibe",
            "mistralai/mistral-vibe",
            EVENTS,
            &["vibe/core/types.py"],
            Some("vibe/core/types.py"),
        ),
        (
            "mcp",
            "@modelcontextprotocol/sdk",
            SCAN,
            &["dist/esm/types.d.ts", "dist/esm/spec.types.d.ts"],
            Some("dist/esm/spec.types.d.ts"),
        ),
        (
            "mcp",
            "@modelcontextprotocol/sdk",
            SCAN,
            &["dist/types.d.ts"],
            Some("dist/esm/types.d.ts"),
        ),
        (
            "crush",
            "charmbracelet/crush",
            SCAN,
            &["internal/proto/session.go", "internal/message/content.go"],
            Some("internal/proto/*.go"),
        ),
        (
            "crush",
            "charmbracelet/crush",
            SCAN,
            &["internal/message/content.go"],
            Some("internal/message/*.go"),
        ),
        (
            "agentapi",
            "coder/agentapi",
            SCAN,
            &["lib/httpapi/models.go"],
            Some("lib/httpapi/models.go"),
        ),
    ];
    for (agent, location, family, files, expected) in rows {
        let agent = agents.get(agent).unwrap();
        let source = agent
            .sources
            .iter()
            .find(|it| it.location == *location && it.eras.iter().any(|era| era.family == *family))
            .unwrap_or_else(|| panic!("{}: no source {location} of {family}", agent.id));
        let read = era(source, files).map(|era| era.scope[0].as_str());
        assert_eq!(read, *expected, "{} {location}: {files:?}", agent.id);
    }
}

#[test]
fn flags_are_read_where_they_stood_at_each_time() {
    let agents = Agents::embedded().unwrap_or_else(|error| panic!("{error}"));
    for (agent, file, read) in [
        ("codex", "codex-rs/exec/src/cli.rs", true),
        ("codex", "codex-rs/exec/src/lib.rs", false),
        ("gemini-cli", "packages/cli/src/config/config.ts", true),
        ("pi", "packages/coding-agent/src/main.ts", true),
        ("pi", "packages/coding-agent/src/cli/args.ts", true),
        ("kimi", "src/kimi_cli/cli.py", true),
        ("kimi", "src/kimi_cli/cli/__init__.py", true),
        ("vibe", "vibe/cli/entrypoint.py", true),
        ("aider", "aider/args.py", true),
        ("aider", "aider/args_formatter.py", false),
        ("crush", "internal/cmd/run.go", true),
        ("cline", "apps/cli/src/commands/run.ts", true),
        ("deepseek", "crates/tui/src/lib.rs", true),
    ] {
        let sources = &agents.get(agent).unwrap().sources;
        assert_eq!(
            sources.iter().any(|source| matches(&source.flags, file)),
            read,
            "{agent}: {file}"
        );
    }
}
