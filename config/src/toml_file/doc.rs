//! A parsed file that knows where everything stands.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Problem;

/// A file as it was parsed, with the place of each key and value.
#[derive(Debug)]
pub(crate) struct Doc<'t> {
    /// The file, as the caller named it.
    pub(crate) file: &'t str,
    text: &'t str,
    pub(super) root: Spanned<DeTable<'t>>,
    /// Keys at the top whose values could not be read and were taken out.
    pub(super) taken: Vec<String>,
}

/// One step down into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Into a table, by key.
    Key(String),
    /// Into a list, by position from 0.
    Item(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<&String> for Step {
    fn from(key: &String) -> Self {
        Self::Key(key.clone())
    }
}

impl From<usize> for Step {
    fn from(position: usize) -> Self {
        Self::Item(position)
    }
}

/// The way to a value: `at!["sources", 0, "eras", 1]`.
macro_rules! at {
    ($($step:expr),* $(,)?) => { [$($crate::toml_file::Step::from($step)),*] };
}
pub(crate) use at;

impl<'t> Doc<'t> {
    pub(super) fn new(file: &'t str, text: &'t str, root: Spanned<DeTable<'t>>) -> Self {
        Self {
            file,
            text,
            root,
            taken: Vec::new(),
        }
    }

    /// A mistake at a value. When the value is not there, the mistake stands at the nearest table or list that is.
    pub(crate) fn problem(&self, at: &[Step], what: impl Into<String>, help: impl Into<Option<String>>) -> Problem {
        self.problem_at(self.span(at), what, help)
    }

    pub(super) fn problem_at(
        &self,
        span: Option<Range<usize>>,
        what: impl Into<String>,
        help: impl Into<Option<String>>,
    ) -> Problem {
        let (line, column) = span.map_or((0, 0), |span| line_and_column(self.text, span.start));
        Problem {
            file: self.file.to_owned(),
            line,
            column,
            what: what.into(),
            help: help.into(),
        }
    }

    /// Whether the top of the file has this key, readable or not.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.root.get_ref().contains_key(key) || self.unreadable(key)
    }

    /// Whether the top of the file has this key with a value that could not be read: a mistake told already.
    pub(crate) fn unreadable(&self, key: &str) -> bool {
        self.taken.iter().any(|taken| taken == key)
    }

    /// The keys at the top of the file.
    #[must_use]
    pub(crate) fn keys(&self) -> Vec<&str> {
        self.root.get_ref().keys().map(|key| key.get_ref().as_ref()).collect()
    }

    fn span(&self, at: &[Step]) -> Option<Range<usize>> {
        let (first, rest) = at.split_first()?;
        let Step::Key(key) = first else { return None };
        let mut value = self.root.get_ref().get(key.as_str())?;
        for step in rest {
            match child(value.get_ref(), step) {
                Some(next) => value = next,
                None => break,
            }
        }
        Some(value.span())
    }
}

fn child<'v, 't>(value: &'v DeValue<'t>, step: &Step) -> Option<&'v Spanned<DeValue<'t>>> {
    match step {
        Step::Key(key) => value.as_table()?.get(key.as_str()),
        Step::Item(position) => value.as_array()?.get(*position),
    }
}

/// Line and column, from 1, of a byte.
fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}
