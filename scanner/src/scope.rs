//! Which files a scan is about: globs in which `*` stops at `/` and `**` does not.
//!
//! A scope answers two questions: does it name this file, and can it name anything below this folder. The second lets
//! a walk leave out folders, so that a large tree costs what its scope costs.

use globset::{Candidate, Glob, GlobBuilder, GlobMatcher, GlobSet, GlobSetBuilder};

use crate::error::ScanError;

/// More alternatives than this in one glob are a mistake.
const MAX_ALTERNATIVES: usize = 1000;

/// A set of globs, relative to the root of a source.
#[derive(Debug, Clone)]
pub struct Scope {
    texts: Vec<String>,
    files: GlobSet,
    /// Every glob without its braces, folder by folder.
    folders: Vec<Vec<Step>>,
}

/// One component of a glob.
#[derive(Debug, Clone)]
enum Step {
    /// `**`: any number of folders.
    Any,
    /// One folder or file name.
    Name(GlobMatcher),
}

impl Scope {
    /// Reads globs. Each text may hold several, divided by commas outside of braces and brackets. None at all: every
    /// file.
    pub fn new<S: AsRef<str>>(globs: &[S]) -> Result<Self, ScanError> {
        let mut texts: Vec<String> = Vec::new();
        for glob in globs {
            for part in split_commas(glob.as_ref()) {
                let part = part.trim();
                let part = part.strip_prefix("./").unwrap_or(part);
                if part.is_empty() {
                    continue;
                }
                if part.starts_with('/') {
                    return Err(wrong(
                        part,
                        "it starts with `/`, and a scope is relative to the root of its source",
                    ));
                }
                if part.split('/').any(|step| step == "..") {
                    return Err(wrong(part, "it leaves its source through `..`"));
                }
                let text = if part.ends_with('/') {
                    format!("{part}**")
                } else {
                    part.to_owned()
                };
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        if texts.is_empty() {
            texts.push("**".to_owned());
        }
        let mut files = GlobSetBuilder::new();
        let mut folders = Vec::new();
        for text in &texts {
            files.add(compile(text)?);
            for plain in expand_braces(text)? {
                folders.push(steps(&plain));
            }
        }
        let files = files
            .build()
            .map_err(|error| wrong(&texts.join(","), &error.to_string()))?;
        Ok(Self { texts, files, folders })
    }

    /// The globs, as they are matched.
    #[must_use]
    pub fn globs(&self) -> &[String] {
        &self.texts
    }

    /// Whether it names this file. Names need not be UTF-8.
    #[must_use]
    pub fn matches(&self, path: impl AsRef<[u8]>) -> bool {
        self.files.is_match_candidate(&Candidate::from_bytes(path.as_ref()))
    }

    /// Whether it can name a file below this folder; `""` is the root.
    #[must_use]
    pub fn may_hold(&self, folder: impl AsRef<[u8]>) -> bool {
        let folder = folder.as_ref();
        let names: Vec<&[u8]> = if folder.is_empty() {
            Vec::new()
        } else {
            folder.split(|&byte| byte == b'/').collect()
        };
        self.folders.iter().any(|steps| leads_below(steps, &names))
    }

    /// Both scopes together.
    pub fn union(&self, other: &Self) -> Result<Self, ScanError> {
        let all: Vec<&String> = self.texts.iter().chain(&other.texts).collect();
        Self::new(&all)
    }
}

/// For messages: `a`, `b` and `c`.
impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, text) in self.texts.iter().enumerate() {
            let before = match index {
                0 => "",
                last if last + 1 == self.texts.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}`{text}`")?;
        }
        Ok(())
    }
}

fn leads_below(steps: &[Step], names: &[&[u8]]) -> bool {
    match (steps.split_first(), names.split_first()) {
        (None, _) => false,
        // Either the folder is used up and the glob wants more names, or the glob takes any.
        (Some(_), None) | (Some((Step::Any, _)), Some(_)) => true,
        (Some((Step::Name(name), rest)), Some((first, names))) => {
            name.is_match_candidate(&Candidate::from_bytes(*first)) && leads_below(rest, names)
        }
    }
}

fn steps(plain: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in plain.split('/') {
        // A part that is no glob comes of a `/` inside of brackets: what follows may be anything.
        let name = if part == "**" { None } else { compile(part).ok() };
        let Some(name) = name else {
            steps.push(Step::Any);
            break;
        };
        steps.push(Step::Name(name.compile_matcher()));
    }
    steps
}

fn compile(glob: &str) -> Result<Glob, ScanError> {
    GlobBuilder::new(glob)
        .literal_separator(true)
        .build()
        .map_err(|error| wrong(glob, &error.kind().to_string()))
}

fn wrong(glob: &str, problem: &str) -> ScanError {
    ScanError::Glob {
        glob: glob.to_owned(),
        problem: problem.to_owned(),
    }
}

/// Splits at commas that are in no braces and no brackets.
fn split_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut escaped) = (0_usize, 0, false);
    for (index, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// `a/{b,c/d}/e` as `a/b/e` and `a/c/d/e`.
fn expand_braces(glob: &str) -> Result<Vec<String>, ScanError> {
    let mut done = Vec::new();
    let mut open = vec![glob.to_owned()];
    while let Some(text) = open.pop() {
        if done.len() + open.len() > MAX_ALTERNATIVES {
            return Err(wrong(glob, "its braces stand for more than 1000 globs"));
        }
        match first_braces(&text) {
            None => done.push(text),
            Some((from, to)) => {
                for choice in split_commas(&text[from + 1..to]) {
                    open.push(format!("{}{choice}{}", &text[..from], &text[to + 1..]));
                }
            }
        }
    }
    done.sort();
    Ok(done)
}

/// The places of the first `{` and of its `}`.
fn first_braces(text: &str) -> Option<(usize, usize)> {
    let (mut depth, mut from, mut escaped) = (0_usize, 0, false);
    for (index, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => {
                if depth == 0 {
                    from = index;
                }
                depth += 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return Some((from, index));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_star_stops_at_a_slash_and_two_do_not() {
        let cases: &[(&str, &str, bool)] = &[
            ("src/*.ts", "src/a.ts", true),
            ("src/*.ts", "src/b/a.ts", false),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "src/b/c/a.ts", true),
            ("**", "a/b", true),
            ("src/", "src/a/b", true),
            ("./src/a.ts", "src/a.ts", true),
            ("src/{a,b/c}.ts", "src/b/c.ts", true),
            ("src/a.ts,lib/b.ts", "lib/b.ts", true),
            ("src/{a,b}.ts, x.ts", "src/b.ts", true),
            ("src/[ab].ts", "src/b.ts", true),
            ("src", "src/a.ts", false),
        ];
        for (glob, path, expected) in cases {
            assert_eq!(
                Scope::new(&[glob]).unwrap().matches(path),
                *expected,
                "{glob} on {path}"
            );
        }
    }

    #[test]
    fn folders_that_no_glob_can_reach_are_left_out() {
        let cases: &[(&str, &str, bool)] = &[
            ("src/*.ts", "", true),
            ("src/*.ts", "src", true),
            ("src/*.ts", "src/deep", false),
            ("src/*.ts", "lib", false),
            ("src/**/x.ts", "src/deep/er", true),
            ("{a,b/c}/*.ts", "b", true),
            ("{a,b/c}/*.ts", "b/c", true),
            ("{a,b/c}/*.ts", "b/d", false),
            ("packages/*/src/**", "packages/one/src/x", true),
            ("packages/*/src/**", "packages/one/test", false),
        ];
        for (glob, folder, expected) in cases {
            assert_eq!(
                Scope::new(&[glob]).unwrap().may_hold(folder),
                *expected,
                "{glob} on {folder}"
            );
        }
    }

    #[test]
    fn a_wrong_glob_is_named() {
        for glob in ["src/{a", "/src/**", "../x", "[z-a]"] {
            let error = Scope::new(&[glob]).unwrap_err();
            assert!(error.to_string().contains(glob), "{error}");
        }
    }

    #[test]
    fn a_name_that_is_no_utf8_is_matched_by_its_bytes() {
        assert!(Scope::new(&["src/*.ts"]).unwrap().matches(b"src/caf\xe9.ts"));
    }
}
