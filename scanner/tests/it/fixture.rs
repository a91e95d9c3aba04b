//! Repositories with fixed authors and dates, made by the `git` program.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A repository in a folder of its own.
pub(crate) struct Repo {
    dir: TempDir,
    commits: std::cell::Cell<u32>,
}

impl Repo {
    pub(crate) fn new() -> Self {
        Self::with_format("sha1")
    }

    pub(crate) fn with_format(format: &str) -> Self {
        let repo = Self {
            dir: tempfile::tempdir().unwrap(),
            commits: std::cell::Cell::new(0),
        };
        repo.git(&["init", "-q", "-b", "main", &format!("--object-format={format}")]);
        repo
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// The text of a source.
    pub(crate) fn at(&self, revision: &str) -> String {
        format!("git:{}@{revision}", self.path().display())
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git_in(self.path(), self.commits.get(), args)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        write(&self.path().join(path), text);
        self
    }

    /// Commits everything and gives the id.
    pub(crate) fn commit(&self) -> String {
        self.commits.set(self.commits.get() + 1);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "next"]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits everything under a lightweight tag.
    pub(crate) fn release(&self, tag: &str) -> String {
        let id = self.commit();
        self.git(&["tag", tag]);
        id
    }
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Runs `git` away from the user's settings, at a time that grows with `step`.
pub(crate) fn git_in(dir: &Path, step: u32, args: &[&str]) -> String {
    let date = format!("2026-01-01T00:00:{:02}Z", step % 60);
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgsign=false",
            "-c",
            "tag.gpgsign=false",
            "-c",
            "protocol.file.allow=always",
            "-c",
            "core.autocrlf=false",
        ])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_AUTHOR_DATE", &date)
        .env("GIT_COMMITTER_DATE", &date)
        .env_remove("GIT_DIR")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// A folder that goes away with the value.
pub(crate) fn folder(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(&dir.path().join(path), text);
    }
    let path = dir.path().to_owned();
    (dir, path)
}
