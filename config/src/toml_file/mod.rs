//! TOML files read so that a person gets every mistake of all files in one go, each with its place and a way out.

mod doc;
mod nearest;
mod read;

use std::fmt;

pub(crate) use doc::{Doc, Step, at};
pub use nearest::nearest;
pub(crate) use read::{Required, StandIn, read, read_quietly};

/// One mistake in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1; 0 when it is about the file as a whole.
    pub line: usize,
    /// Column in characters, from 1; 0 when it is about the file as a whole.
    pub column: usize,
    /// What was found there and what is wrong with it.
    pub what: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Problem {
    /// A mistake that is about the file as a whole.
    pub fn whole(file: &str, what: impl Into<String>, help: impl Into<Option<String>>) -> Self {
        Self {
            file: file.to_owned(),
            line: 0,
            column: 0,
            what: what.into(),
            help: help.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.what)?;
        } else {
            write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.what)?;
        }
        match &self.help {
            Some(help) => write!(f, "\n  {help}"),
            None => Ok(()),
        }
    }
}

/// Every mistake that was found, in the order of files and lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Sorts the mistakes; `None` when there are none.
    #[must_use]
    pub fn from_list(mut list: Vec<Problem>) -> Option<Self> {
        list.sort();
        list.dedup();
        (!list.is_empty()).then_some(Self(list))
    }

    /// The mistakes.
    #[must_use]
    pub fn list(&self) -> &[Problem] {
        &self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.0 {
            writeln!(f, "{problem}")?;
        }
        match self.0.len() {
            1 => f.write_str("1 mistake; correct it and run again"),
            count => write!(f, "{count} mistakes; correct them and run again"),
        }
    }
}

impl std::error::Error for Problems {}
