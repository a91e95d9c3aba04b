//! What the tests of the binary share: a tree, a state and a process of their own, and nothing of the user's.

use std::path::Path;
use std::process::Command;

/// The binary under test.
pub(crate) fn binary() -> &'static str {
    env!("CARGO_BIN_EXE_agent-contracts")
}

/// A run of the binary that sees no home, no settings and no tree but those below `folder`.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(binary());
    command
        .current_dir(folder)
        .env("HOME", folder)
        .env("RUST_BACKTRACE", "0")
        .env("NO_PROXY", "127.0.0.1");
    for name in [
        "AGENT_CONTRACTS_STATE",
        "XDG_CACHE_HOME",
        "AGENT_CONTRACTS_LOG",
        "GITHUB_TOKEN",
        "GH_TOKEN",
    ] {
        command.env_remove(name);
    }
    command
}

/// Exit code, stdout and stderr of a run.
pub(crate) fn run(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Whether the npm registry cannot be reached from here; then a test that needs it says so and passes.
pub(crate) fn without_network() -> bool {
    let reached = Command::new("npm")
        .args([
            "view",
            "@openai/codex-sdk",
            "version",
            "--fetch-retries=0",
            "--fetch-timeout=20000",
        ])
        .output()
        .is_ok_and(|output| output.status.success());
    if !reached {
        #[expect(clippy::print_stderr, reason = "a skip must be seen")]
        {
            eprintln!("skipped: the npm registry cannot be reached from here");
        }
    }
    !reached
}
