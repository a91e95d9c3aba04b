//! Runs the binary under test over the pairs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::pairs::Pair;
use crate::score::{Finding, PairScore, score};

/// What is run, and where the repositories are.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The `agent-contracts` binary.
    pub binary: PathBuf,
    /// A folder that holds `OWNER+NAME/repo`, a bare repository each.
    pub mirrors: Option<PathBuf>,
    /// Where the scans keep their state; its own folder, so that a score never depends on the user's.
    pub state: PathBuf,
    /// How many scans run at once.
    pub jobs: usize,
}

/// How one pair came out.
#[derive(Debug)]
pub enum Outcome {
    /// It ran.
    Scored(PairScore),
    /// Its repository is not among the mirrors.
    Skipped,
    /// The scan failed, with the reason.
    Failed(String),
}

#[derive(Deserialize)]
struct Document {
    findings: Vec<Finding>,
    verdict: String,
}

impl Bench {
    /// Runs `pairs`, keeping their order.
    pub fn run<'p>(&self, pairs: &'p [Pair]) -> Vec<(&'p Pair, Outcome)> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    while let Some(pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let outcome = self
                            .one(pair)
                            .unwrap_or_else(|error| Outcome::Failed(format!("{error:#}")));
                        done.lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .push((pair, outcome));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(pair, _)| pairs.iter().position(|other| std::ptr::eq(other, *pair)));
        done
    }

    fn one(&self, pair: &Pair) -> anyhow::Result<Outcome> {
        let Some(base) = self.source(pair) else {
            return Ok(Outcome::Skipped);
        };
        let mut command = Command::new(&self.binary);
        command.arg("--state").arg(&self.state).arg("scan");
        for (option, revision) in [("--from", &pair.source.from), ("--to", &pair.source.to)] {
            command.arg(option).arg(format!("{base}@{revision}"));
        }
        for (option, values) in [("--scope", &pair.scope), ("--root", &pair.roots)] {
            for value in values {
                command.arg(option).arg(value);
            }
        }
        if pair.flags {
            command.arg("--flags");
        }
        let output = command
            .args(["--format", "json"])
            .output()
            .context("the binary under test did not start")?;
        if !matches!(output.status.code(), Some(0 | 1)) {
            bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        }
        let document: Document = serde_json::from_slice(&output.stdout).context("its output is no scan document")?;
        Ok(Outcome::Scored(score(
            pair,
            &document.findings,
            document.verdict == "inconclusive",
        )))
    }

    fn source(&self, pair: &Pair) -> Option<String> {
        if pair.source.kind != "git" {
            return Some(format!("{}:{}", pair.source.kind, pair.source.name));
        }
        let path = self
            .mirrors
            .as_deref()?
            .join(pair.source.name.replace('/', "+"))
            .join("repo");
        path.is_dir().then(|| format!("git:{}", Path::display(&path)))
    }
}
