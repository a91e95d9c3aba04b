//! The arguments that each runtime gets, held against the table of facts: what a host sends in production.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::LazyLock;

use agent_contracts_config::Agents;
use agent_contracts_config::agent::Advertised::{self, Absent, Seen};
use agent_contracts_config::argv::{ArgvError, Given, argv};

/// One run: what is given, in short.
#[derive(Default)]
struct Run<'a> {
    platform: &'a str,
    values: &'a [(&'a str, &'a str)],
    lists: &'a [(&'a str, &'a [&'a str])],
    help: &'a [(&'a str, Advertised)],
}

static AGENTS: LazyLock<Agents> = LazyLock::new(|| Agents::embedded().unwrap_or_else(|error| panic!("{error}")));

fn args(agent: &str, invocation: &str, run: &Run<'_>) -> Result<Vec<String>, ArgvError> {
    let agent = AGENTS.get(agent).unwrap();
    let found = agent.invocations.iter().find(|it| it.name == invocation);
    let invocation = found.unwrap_or_else(|| panic!("{}: no invocation {invocation}", agent.id));
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let given = Given {
        values: run.values.iter().map(pair).collect(),
        lists: run
            .lists
            .iter()
            .map(|(name, items)| {
                (
                    (*name).to_owned(),
                    items.iter().map(|item| (*item).to_owned()).collect(),
                )
            })
            .collect(),
        capabilities: run
            .help
            .iter()
            .map(|(name, seen)| ((*name).to_owned(), *seen))
            .collect(),
        platform: if run.platform.is_empty() {
            "linux-x64"
        } else {
            run.platform
        }
        .to_owned(),
    };
    argv(agent, invocation, &given)
}

#[test]
fn production_arguments_are_exact() {
    let none = Run::default();
    let model = Run {
        values: &[("model", "M")],
        ..Run::default()
    };
    let prompt = Run {
        values: &[("prompt", "do it"), ("model", "M")],
        ..Run::default()
    };
    let rows: &[(&str, &str, &Run<'_>, &str)] = &[
        ("codex", "app-server", &none, "app-server"),
        (
            "codex",
            "exec",
            &none,
            "exec --json --skip-git-repo-check --sandbox workspace-write -c sandbox_workspace_write.network_access=true",
        ),
        (
            "codex",
            "exec",
            &Run {
                platform: "win32-x64",
                values: &[
                    ("cwd", "/w"),
                    ("model", "M"),
                    ("effort", "high"),
                    ("service_tier", "flex"),
                    ("plugins", "off"),
                ],
                lists: &[("dirs", &["/a", "/b"])],
                ..Run::default()
            },
            "exec --json --skip-git-repo-check --sandbox danger-full-access --disable plugins -C /w --add-dir /a --add-dir /b --model M -c model_reasoning_effort=\"high\" -c service_tier=\"flex\"",
        ),
        (
            "codex",
            "exec-resume",
            &Run {
                values: &[("session", "S"), ("cwd", "/w")],
                lists: &[("dirs", &["/a"])],
                ..Run::default()
            },
            "exec resume --json --skip-git-repo-check -c sandbox_mode=\"workspace-write\" -c sandbox_workspace_write.network_access=true S",
        ),
        (
            "claude",
            "print",
            &Run {
                values: &[("new_session", "U")],
                ..Run::default()
            },
            "-p --input-format stream-json --output-format stream-json --verbose --session-id U --permission-mode bypassPermissions",
        ),
        (
            "claude",
            "print",
            &Run {
                values: &[
                    ("session", "S"),
                    ("new_session", "U"),
                    ("model", "M"),
                    ("effort", "max"),
                    ("observe_children", "on"),
                ],
                lists: &[("dirs", &["/a", "/b"])],
                help: &[
                    ("partialMessages", Seen),
                    ("thinkingDisplay", Seen),
                    ("forwardSubagentText", Seen),
                    ("addDir", Seen),
                ],
                ..Run::default()
            },
            "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --thinking-display summarized --forward-subagent-text --model M --effort max --add-dir /a /b --resume S --permission-mode bypassPermissions",
        ),
        (
            "claude",
            "print",
            &Run {
                lists: &[("dirs", &["/a"])],
                help: &[("addDir", Absent), ("partialMessages", Absent)],
                ..Run::default()
            },
            "-p --input-format stream-json --output-format stream-json --verbose --permission-mode bypassPermissions",
        ),
        (
            "opencode",
            "run",
            &Run {
                values: &[("cwd", "/w")],
                ..Run::default()
            },
            "run --format json --dir /w",
        ),
        (
            "opencode",
            "run",
            &Run {
                values: &[("cwd", "/w"), ("session", "S"), ("model", "p/M"), ("variant", "high")],
                help: &[
                    ("skipPermissions", Seen),
                    ("autoApprove", Absent),
                    ("workspaceDir", Seen),
                    ("variantFlag", Seen),
                ],
                ..Run::default()
            },
            "run --format json --dangerously-skip-permissions --dir /w -s S -m p/M --variant high",
        ),
        (
            "opencode",
            "run",
            &Run {
                values: &[("cwd", "/w"), ("model", "p/M"), ("variant", "high")],
                help: &[
                    ("skipPermissions", Absent),
                    ("autoApprove", Seen),
                    ("workspaceDir", Absent),
                    ("variantFlag", Absent),
                ],
                ..Run::default()
            },
            "run --format json --auto -m p/M#high",
        ),
        (
            "opencode",
            "run",
            &Run {
                values: &[("cwd", "/w")],
                help: &[("autoApprove", Seen)],
                ..Run::default()
            },
            "run --format json --auto",
        ),
        (
            "byok-opencode",
            "run",
            &Run {
                values: &[("cwd", "/w"), ("model", "p/M")],
                ..Run::default()
            },
            "run --format json --dir /w -m p/M",
        ),
        (
            "copilot",
            "json",
            &Run {
                values: &[("model", "M")],
                lists: &[("dirs", &["/a", "/b"])],
                ..Run::default()
            },
            "--allow-all-tools --output-format json --model M --add-dir /a --add-dir /b",
        ),
        ("copilot", "acp", &none, "--acp --allow-all-tools"),
        (
            "pi",
            "rpc",
            &Run {
                values: &[("model", "M"), ("thinking", "xhigh")],
                lists: &[("skills", &["/s"]), ("dirs", &["/a"])],
                ..Run::default()
            },
            "--mode rpc --model M --thinking xhigh --skill /s --append-system-prompt /a",
        ),
        (
            "devin",
            "acp",
            &none,
            "--permission-mode dangerous --respect-workspace-trust false acp",
        ),
        ("hermes", "acp", &none, "acp --accept-hooks"),
        ("trae-cli", "acp", &none, "acp serve --yolo"),
        (
            "grok-build",
            "prompt",
            &Run {
                values: &[("prompt", "do it"), ("model", "M"), ("effort", "max")],
                ..Run::default()
            },
            "-p do it --model M --effort max",
        ),
        ("kimi", "acp", &none, "acp"),
        (
            "cursor-agent",
            "print",
            &Run {
                values: &[("cwd", "/w"), ("model", "M")],
                help: &[("trust", Seen)],
                ..Run::default()
            },
            "--print --output-format stream-json --stream-partial-output --force --trust --workspace /w --model M",
        ),
        (
            "cursor-agent",
            "print",
            &none,
            "--print --output-format stream-json --stream-partial-output --force",
        ),
        ("qwen", "plain", &model, "--yolo --model M"),
        ("qwen", "acp", &none, "--acp --yolo"),
        (
            "qoder",
            "print",
            &Run {
                values: &[("cwd", "/w"), ("model", "M")],
                lists: &[("dirs", &["/a"]), ("images", &["/i.png", "/j.png"])],
                ..Run::default()
            },
            "-p --output-format stream-json --yolo -w /w --model M --add-dir /a --attachment /i.png --attachment /j.png",
        ),
        (
            "amp",
            "execute",
            &Run {
                values: &[("mode", "deep")],
                ..Run::default()
            },
            "-x --stream-json --dangerously-allow-all --mode deep",
        ),
        (
            "prime-agent",
            "rpc",
            &Run {
                values: &[
                    ("cwd", "/w"),
                    ("session_dir", "/s"),
                    ("session", "S"),
                    ("provider", "P"),
                    ("model", "N"),
                ],
                ..Run::default()
            },
            "--mode rpc --cwd /w --session-dir /s --resume S --provider P --model N",
        ),
        ("prime-agent", "rpc", &model, "--mode rpc --model M"),
        ("kiro", "acp", &none, "acp"),
        ("kilo", "acp", &none, "acp"),
        ("vibe", "acp", &none, ""),
        ("deepseek", "exec", &prompt, "exec --auto --model M do it"),
        ("deepseek-harness", "stdio", &none, "--profile open-design --stdio"),
        (
            "aider",
            "message",
            &prompt,
            "--yes-always --no-pretty --no-git --no-auto-commits --no-suggest-shell-commands --no-show-model-warnings --model M --message do it",
        ),
        (
            "antigravity",
            "prompt",
            &Run {
                values: &[("prompt", "do it"), ("model", "M"), ("log_file", "/l")],
                ..Run::default()
            },
            "--model M --log-file /l -p do it",
        ),
        (
            "atomcode",
            "prompt-file",
            &Run {
                values: &[("prompt_file", "/p"), ("model", "M")],
                ..Run::default()
            },
            "--prompt-file /p -y --model M",
        ),
        (
            "codebuddy",
            "print",
            &Run {
                values: &[("model", "M")],
                lists: &[("dirs", &["/a", "/b"])],
                help: &[("partialMessages", Seen)],
                ..Run::default()
            },
            "-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages --model M --add-dir /a /b --permission-mode bypassPermissions -y",
        ),
        ("reasonix", "acp", &none, "acp"),
        (
            "mimo",
            "run",
            &Run {
                values: &[("model", "M")],
                help: &[("skipPermissions", Seen)],
                ..Run::default()
            },
            "run --format json --dangerously-skip-permissions --model M",
        ),
        ("amr", "acp", &none, "agent run --runtime opencode"),
    ];
    for (agent, invocation, run, expected) in rows {
        let found = args(agent, invocation, run).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found.join(" "), *expected, "{agent} {invocation}");
    }
    for agent in AGENTS.iter().filter(|agent| !agent.scan_only) {
        assert!(
            rows.iter().any(|(id, ..)| *id == agent.id),
            "{}: its arguments are not held against the facts",
            agent.id
        );
    }
}

/// A prompt is one argument, whatever it holds; braces in it stay.
#[test]
fn a_prompt_is_never_split_or_filled() {
    let prompt = "say {model} and \"quote\"\nthen {cwd}";
    let run = Run {
        values: &[("prompt", prompt)],
        ..Run::default()
    };
    assert_eq!(args("deepseek", "exec", &run).unwrap(), ["exec", "--auto", prompt]);
}

#[test]
fn what_is_missing_or_wrong_is_named() {
    let error = args("deepseek", "exec", &Run::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "deepseek, invocation `exec`: `prompt` is needed and was not given"
    );
    let error = args(
        "amp",
        "execute",
        &Run {
            values: &[("mode", "turbo")],
            ..Run::default()
        },
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "amp: `turbo` is no value of the option `mode`; its values are: deep, smart, rush"
    );
}
