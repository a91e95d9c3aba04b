//! What the validator tells.

use serde::Serialize;

use super::codes;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The tree is not true, or not publishable.
    Error,
    /// It is true and could be better.
    Warning,
}

/// One thing that is wrong, with its place and what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file, relative to the tree.
    pub file: String,
    /// Where in it, as a JSON pointer; `""` for the whole file. For a text, `line N`.
    pub pointer: String,
    /// The rule, as in `OBS024`.
    pub code: String,
    /// How bad it is.
    pub level: Level,
    /// What was found, shortened, never a secret.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl Problem {
    /// What is wrong, in one sentence.
    #[must_use]
    pub fn title(&self) -> &'static str {
        codes::of(&self.code).map_or("", |code| code.title)
    }

    /// How to mend it.
    #[must_use]
    pub fn mend(&self) -> &'static str {
        codes::of(&self.code).map_or("", |code| code.mend)
    }
}

/// Collects the problems of one file.
#[derive(Debug)]
pub(super) struct Teller<'a> {
    file: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(file: &'a str) -> Self {
        Self {
            file,
            problems: Vec::new(),
        }
    }

    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// Something is wrong.
    pub(super) fn error(
        &mut self,
        code: impl Into<String>,
        pointer: impl Into<String>,
        found: impl AsRef<str>,
        expected: impl Into<String>,
    ) {
        self.tell(
            Level::Error,
            code.into(),
            pointer.into(),
            found.as_ref(),
            expected.into(),
        );
    }

    /// Something could be better.
    pub(super) fn warning(
        &mut self,
        code: impl Into<String>,
        pointer: impl Into<String>,
        found: impl AsRef<str>,
        expected: impl Into<String>,
    ) {
        self.tell(
            Level::Warning,
            code.into(),
            pointer.into(),
            found.as_ref(),
            expected.into(),
        );
    }

    fn tell(&mut self, level: Level, code: String, pointer: String, found: &str, expected: String) {
        debug_assert!(codes::of(&code).is_some(), "{code} is not in the table");
        self.problems.push(Problem {
            file: self.file.to_owned(),
            pointer,
            code,
            level,
            found: short(found),
            expected,
        });
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

/// A line of at most 120 characters.
fn short(text: &str) -> String {
    let line: String = text
        .chars()
        .map(|char| if char.is_control() { ' ' } else { char })
        .take(121)
        .collect();
    match line.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// One more step of a JSON pointer.
pub(super) fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}
