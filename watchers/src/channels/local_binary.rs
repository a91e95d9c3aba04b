//! The binary on this machine, asked for its version: within a time limit, without input, reading a bounded answer.
//!
//! A binary that is not installed is no failure: the listing is empty and says so. What is installed here is nobody
//! else's news, so it is shown and never recorded.

use std::process::Stdio;
use std::time::Duration;

use agent_contracts_config::AgentDef;
use agent_contracts_config::agent::{Channel, version_in};
use agent_contracts_net::NetError;
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::time::Instant;

use super::{Context, not_mine};
use crate::snapshot::{Answer, Item, Listing, Role};

/// When the agent's file says nothing.
const PATIENCE: Duration = Duration::from_secs(3);
/// A version is said in less; the rest of a talkative answer is not read.
const ENOUGH: usize = 64 * 1024;
/// How long output is still read after the program has ended.
const DRAIN: Duration = Duration::from_millis(200);

pub(super) async fn poll(channel: &Channel, context: &Context<'_>) -> Vec<Answer> {
    let Channel::LocalBinary {} = channel else {
        return not_mine(channel);
    };
    let result = ask(context).await;
    vec![Answer {
        label: channel.label(),
        role: Role::Local,
        result,
    }]
}

async fn ask(context: &Context<'_>) -> Result<Listing, NetError> {
    let agent = context.agent;
    let mut listing = Listing::of("local", true);
    if let Some(version) = installed(agent).await? {
        listing.tags.insert("installed".into(), version.clone());
        listing.items.push(Item::new(version));
    } else {
        let name = agent.binary.as_ref().map_or(agent.id.as_str(), |binary| &binary.name);
        listing.notes.push(format!("{name} is not installed here"));
    }
    Ok(listing)
}

/// The version that the installed binary of `agent` says: run without a shell and without input, within the time and the
/// length that the agent's file and this one allow. `None` when there is no such program on the search path.
pub async fn installed(agent: &AgentDef) -> Result<Option<String>, NetError> {
    let Some(binary) = &agent.binary else {
        return Err(NetError::Unavailable {
            name: format!("{}: local-binary", agent.id),
            why: "the agent's file names no binary".into(),
        });
    };
    let names = [&binary.name].into_iter().chain(&binary.fallbacks);
    for name in names {
        let patience = agent
            .version
            .timeout_ms
            .map_or(PATIENCE, |ms| Duration::from_millis(ms.into()));
        if let Some(text) = run(name, &agent.version.args, patience).await? {
            let version = agent
                .version
                .pattern
                .as_deref()
                .and_then(|pattern| version_in(pattern, &text));
            let version = version.ok_or_else(|| {
                NetError::malformed(
                    format!("local-binary {name}"),
                    "its answer holds no version that the pattern matches",
                )
            })?;
            return Ok(Some(version));
        }
    }
    Ok(None)
}

/// What `name` writes to both outputs, standard output first. `None` when there is no such program.
async fn run(name: &str, arguments: &[String], patience: Duration) -> Result<Option<String>, NetError> {
    let source = || format!("local-binary {name}");
    let spawned = Command::new(name)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(NetError::Unavailable {
                name: source(),
                why: format!("it cannot be started ({})", error.kind()),
            });
        }
    };
    let (Some(mut stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Ok(None);
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let (mut out_open, mut err_open, mut ended) = (true, true, false);
    let mut deadline = Instant::now() + patience;
    while out_open || err_open {
        tokio::select! {
            read = stdout.read_buf(&mut out), if out_open => out_open = matches!(read, Ok(1..)) && out.len() < ENOUGH,
            read = stderr.read_buf(&mut err), if err_open => err_open = matches!(read, Ok(1..)) && err.len() < ENOUGH,
            // A descendant may keep the pipes open for ever, so what comes after the end is read for a moment only.
            _ = child.wait(), if !ended => {
                ended = true;
                deadline = deadline.min(Instant::now() + DRAIN);
            }
            () = tokio::time::sleep_until(deadline) => break,
        }
    }
    out.push(b'\n');
    out.extend(err);
    let text = String::from_utf8_lossy(&out).replace("\r\n", "\n");
    // One that said its version and then waits for something has said it all the same.
    if text.trim().is_empty() && Instant::now() >= deadline && !ended {
        let why = format!("it said nothing within {} ms", patience.as_millis());
        return Err(NetError::Unreachable {
            name: source(),
            why,
            status: None,
        });
    }
    Ok(Some(text))
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use crate::testing::Bench;
    use agent_contracts_config::AgentDef;

    /// What an agent whose binary is this shell script is found to have.
    async fn asked(script: &str) -> Result<Listing, String> {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cli");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut agent = AgentDef {
            id: "x".into(),
            ..AgentDef::default()
        };
        agent.binary = Some(agent_contracts_config::agent::Binary {
            name: path.to_str().unwrap().into(),
            fallbacks: vec![],
        });
        agent.version.args = vec!["--version".into()];
        agent.version.pattern = Some(r"(?m)^cli (?P<version>\d+\.\d+\.\d+)$".into());
        agent.version.timeout_ms = Some(1500);
        let bench = Bench::new();
        ask(&bench.context(&agent)).await.map_err(|error| error.to_string())
    }

    fn version(listing: &Result<Listing, String>) -> Option<&str> {
        listing.as_ref().ok()?.tags.get("installed").map(String::as_str)
    }

    #[tokio::test]
    async fn a_version_among_banners_and_on_either_output() {
        assert_eq!(
            version(&asked("echo Welcome 9.9.9; echo cli 1.2.3").await),
            Some("1.2.3")
        );
        assert_eq!(version(&asked("echo noise; echo cli 1.2.3 >&2").await), Some("1.2.3"));
        assert_eq!(
            version(&asked("test \"$1\" = --version && printf 'cli 1.2.3\\r\\n'").await),
            Some("1.2.3")
        );
    }

    #[tokio::test]
    async fn a_descendant_that_keeps_the_pipe_does_not_hold_us() {
        let started = std::time::Instant::now();
        assert_eq!(version(&asked("sleep 20 & echo cli 1.2.3").await), Some("1.2.3"));
        assert!(started.elapsed() < Duration::from_secs(5));
    }

    #[tokio::test]
    async fn silence_noise_and_no_version_are_told() {
        assert!(
            asked("exec sleep 20")
                .await
                .unwrap_err()
                .contains("said nothing within 1500 ms")
        );
        assert!(asked("exec yes banner").await.unwrap_err().contains("holds no version"));
        assert!(
            asked("echo cli unknown")
                .await
                .unwrap_err()
                .contains("holds no version")
        );
    }

    #[tokio::test]
    async fn what_is_not_installed_is_no_failure() {
        let mut agent = AgentDef {
            id: "x".into(),
            ..AgentDef::default()
        };
        agent.binary = Some(agent_contracts_config::agent::Binary {
            name: "no-such-cli-here".into(),
            fallbacks: vec![],
        });
        let listing = ask(&Bench::new().context(&agent)).await.unwrap();
        assert_eq!(listing.notes, ["no-such-cli-here is not installed here"]);
        assert!(listing.items.is_empty());
    }
}
