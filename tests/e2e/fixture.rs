//! Sources to scan: folders, and repositories with fixed authors and dates.

use std::cell::Cell;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::support;

/// A folder that is home, current folder and everything else to the runs of the binary in it.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and the folders that it needs.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let file = self.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        self
    }

    /// Exit code, stdout and stderr of `agent-contracts ARGS` in this folder.
    pub(crate) fn run(&self, args: &[&str]) -> (i32, String, String) {
        support::run(support::command(self.path()).args(args))
    }

    /// The stdout of a run that ends with 0.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let (code, out, err) = self.run(args);
        assert_eq!(code, 0, "{args:?}\n{out}\n{err}");
        out
    }

    /// The JSON document that a run prints, whatever its exit code.
    pub(crate) fn json(&self, args: &[&str]) -> serde_json::Value {
        let (code, out, err) = self.run(args);
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?} ended with {code}: {error}\n{out}\n{err}"))
    }

    /// `scan --from FROM --to TO ARGS`.
    pub(crate) fn scan(&self, from: &str, to: &str, args: &[&str]) -> (i32, String, String) {
        self.run(&[&["scan", "--from", from, "--to", to], args].concat())
    }

    /// What a failed scan says: its exit code, then stderr. Nothing may be on stdout.
    pub(crate) fn complaint(&self, args: &[&str]) -> String {
        let (code, out, err) = self.run(args);
        assert_eq!(out, "", "{args:?} printed a result beside its error");
        format!("exit {code}\n{err}")
    }

    /// A repository at `name`.
    pub(crate) fn repo(&self, name: &str) -> Repo<'_> {
        let repo = Repo {
            home: self,
            name: name.to_owned(),
            commits: Cell::new(0),
        };
        std::fs::create_dir_all(self.path().join(name)).unwrap();
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }
}

/// A repository below a [`Home`].
pub(crate) struct Repo<'h> {
    home: &'h Home,
    name: String,
    commits: Cell<u32>,
}

impl Repo<'_> {
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        self.home.write(&format!("{}/{path}", self.name), text);
        self
    }

    /// Commits everything under a tag, and gives the id.
    pub(crate) fn release(&self, tag: &str) -> String {
        self.commits.set(self.commits.get() + 1);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", tag]);
        self.git(&["tag", tag]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Runs `git` away from the user's settings, at a time that grows with each release.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let date = format!("2026-01-01T00:00:{:02}Z", self.commits.get() % 60);
        let output = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
            .args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"])
            .args(args)
            .current_dir(self.home.path().join(&self.name))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .env_remove("GIT_DIR")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "git {args:?}: {said}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }
}
