//! How a run ends: exit codes (DESIGN section 10) and what is said with them.

use std::fmt;

/// The documented exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done; what could not be reached is in the output.
    Done = 0,
    /// Done, and something failed the check that was asked for.
    CheckFailed = 1,
    /// Wrong usage or configuration.
    Usage = 2,
    /// With `--strict`: a source could not be reached.
    Unreached = 3,
    /// The work itself failed.
    Failed = 4,
}

/// An error that ends the run, with its exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) error: anyhow::Error,
}

/// What a verb returns.
pub(crate) type Outcome = Result<Exit, Failure>;

impl Failure {
    /// The user asked for something that cannot be.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self {
            exit: Exit::Usage,
            error: error.into(),
        }
    }

    /// The user asked for something that cannot be, in words.
    pub(crate) fn usage_text(text: impl fmt::Display) -> Self {
        Self::usage(anyhow::anyhow!("{text}"))
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            exit: Exit::Failed,
            error: error.into(),
        }
    }
}
