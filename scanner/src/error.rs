//! What can go wrong with a scan, by who has to act.

use std::fmt::Write as _;

/// Who has to act on an error; decides the exit status of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request itself is wrong (exit status 2).
    Usage,
    /// A place over the network did not answer (exit status 3 with `--strict`).
    Unreachable,
    /// The source was found and cannot be read (exit status 4).
    Failed,
}

/// Why a scan gives no report. Every message names the source, what is wrong with it and the next step.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ScanError {
    /// A text that names no source.
    #[error("`{text}` names no source: {problem}\nhint: {hint}")]
    SourceText {
        /// The text as it was given.
        text: String,
        /// What is wrong with it.
        problem: String,
        /// What to write instead.
        hint: String,
    },
    /// A glob that cannot be read.
    #[error(
        "`{glob}` is no scope: {problem}\nhint: a scope is a glob such as `src/**/*.ts`; `*` stops at `/`, `**` does not"
    )]
    Glob {
        /// The glob as it was given.
        glob: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Neither side has a file that the scope names.
    #[error("no file matches {scope}, neither in {from} nor in {to}{}", near_text(.near))]
    NothingInScope {
        /// The globs, quoted.
        scope: String,
        /// The old source.
        from: String,
        /// The new source.
        to: String,
        /// Paths that do exist and look alike.
        near: Vec<String>,
    },
    /// The agent's file names flags of this source and no protocol types.
    #[error("the agent's file names no protocol types in {origin}\nhint: compare its command-line flags with --flags")]
    NoTypes {
        /// The source.
        origin: String,
    },
    /// The scope names files, none of them in a language that we read.
    #[error(
        "{scope} matches {count} files of {from} and {to}, and none of them can be read, for example `{example}`\nhint: types are read from TypeScript, Rust, JSON Schema, Go and Python; flags are read with --flags"
    )]
    NothingReadable {
        /// The globs, quoted.
        scope: String,
        /// The old source.
        from: String,
        /// The new source.
        to: String,
        /// How many files match.
        count: usize,
        /// One of them.
        example: String,
    },
    /// A version, tag, branch or commit that the source does not have.
    #[error("{origin} has no version `{wanted}`{}", near_text(.near))]
    NoSuchVersion {
        /// Where it was looked for.
        origin: String,
        /// What was looked for.
        wanted: String,
        /// Versions that do exist and look alike.
        near: Vec<String>,
    },
    /// A source that is there and cannot be read.
    #[error("{origin} cannot be read: {problem}\nhint: {hint}")]
    Unreadable {
        /// The source.
        origin: String,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        hint: String,
    },
    /// A source that did not answer.
    #[error("{origin} cannot be reached: {problem}\nhint: {hint}")]
    Unreachable {
        /// The source.
        origin: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        hint: String,
    },
}

impl ScanError {
    /// Who has to act.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::SourceText { .. }
            | Self::NoTypes { .. }
            | Self::Glob { .. }
            | Self::NothingInScope { .. }
            | Self::NothingReadable { .. } => ErrorKind::Usage,
            Self::Unreachable { .. } => ErrorKind::Unreachable,
            Self::NoSuchVersion { .. } | Self::Unreadable { .. } => ErrorKind::Failed,
        }
    }

    /// The same error with `git:url` called `name`: the address of a known repository may be private.
    pub(crate) fn hide_url(self, url: &str, name: &str) -> Self {
        let rename = |text: String| text.replace(&format!("git:{url}"), name).replace(url, name);
        match self {
            Self::NoSuchVersion { origin, wanted, near } => Self::NoSuchVersion {
                origin: rename(origin),
                wanted,
                near,
            },
            Self::Unreadable { origin, problem, hint } => Self::Unreadable {
                origin: rename(origin),
                problem: rename(problem),
                hint,
            },
            Self::Unreachable { origin, problem, hint } => Self::Unreachable {
                origin: rename(origin),
                problem: rename(problem),
                hint,
            },
            other => other,
        }
    }

    pub(crate) fn unreadable(
        origin: impl Into<String>,
        problem: impl std::fmt::Display,
        hint: impl Into<String>,
    ) -> Self {
        Self::Unreadable {
            origin: origin.into(),
            problem: problem.to_string(),
            hint: hint.into(),
        }
    }
}

fn near_text(near: &[String]) -> String {
    let mut text = String::new();
    if !near.is_empty() {
        text.push_str("\nhint: near it are ");
        for (index, one) in near.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}`{one}`");
        }
    }
    text
}

/// An error and its causes in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string().trim().to_owned();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            let _ = write!(text, ": {cause_text}");
        }
        source = cause.source();
    }
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
