//! The one notation for where something stands in a frame: `a.b`, items `a[]`, items with a discriminator `a[tag]`, any
//! member of a map `a.*`, and names that would not read back `["odd.name"]`.
//!
//! A path is relative to its frame, so the first step has no dot. A tag that would not read back is written `[="odd"]`.
//! Findings, shapes and evidence use it alike; positions of a list are never told apart by their number, and the arms of
//! a union that stands in a member share the path of that member.

use std::fmt;
use std::str::FromStr;

/// A place in a frame. The empty path is the frame itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    steps: Vec<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The member of this name.
    Member(String),
    /// Any member of an object whose keys are data.
    AnyMember,
    /// The items of a list.
    Items,
    /// The items of a list that carry this discriminator.
    Tagged(String),
}

/// Why a text is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no path: {what} at byte {at}")]
pub struct PathError {
    /// The text.
    pub text: String,
    /// Where it stops to be one, in bytes.
    pub at: usize,
    /// What is wrong there.
    pub what: &'static str,
}

impl Path {
    /// The frame itself.
    #[must_use]
    pub fn frame() -> Self {
        Self::default()
    }

    /// The steps from the frame.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The path one step further.
    #[must_use]
    pub fn then(&self, step: Step) -> Self {
        let mut longer = self.clone();
        longer.steps.push(step);
        longer
    }

    /// The path of the member `name` of what stands here.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        self.then(Step::Member(name.to_owned()))
    }

    /// The path of the object or list that holds this; `None` for the frame itself.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (_, above) = self.steps.split_last()?;
        Some(Self { steps: above.to_vec() })
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<T: IntoIterator<Item = Step>>(steps: T) -> Self {
        Self {
            steps: steps.into_iter().collect(),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            let dot = if index == 0 { "" } else { "." };
            match step {
                Step::Member(name) if is_odd(name) => write!(f, "[{}]", quoted(name))?,
                Step::Member(name) => write!(f, "{dot}{name}")?,
                Step::AnyMember => write!(f, "{dot}*")?,
                Step::Items => f.write_str("[]")?,
                Step::Tagged(tag) if is_odd(tag) => write!(f, "[={}]", quoted(tag))?,
                Step::Tagged(tag) => write!(f, "[{tag}]")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let mut steps = Vec::new();
        let mut rest = text;
        let wrong = |rest: &str, what| PathError {
            text: text.to_owned(),
            at: text.len() - rest.len(),
            what,
        };
        while !rest.is_empty() {
            let (step, left) = if let Some(inside) = rest.strip_prefix('[') {
                bracket(inside).map_err(|what| wrong(rest, what))?
            } else {
                let named = if steps.is_empty() {
                    Some(rest)
                } else {
                    rest.strip_prefix('.')
                };
                let named = named.ok_or_else(|| wrong(rest, "a `.` or a `[` is missing"))?;
                if let Some(left) = named.strip_prefix('*') {
                    (Step::AnyMember, left)
                } else {
                    let (name, left) = plain(named);
                    if name.is_empty() {
                        return Err(wrong(named, "a name is missing"));
                    }
                    (Step::Member(name.to_owned()), left)
                }
            };
            steps.push(step);
            rest = left;
        }
        Ok(Self { steps })
    }
}

/// A step in brackets, the first of which is already read, and what follows.
fn bracket(inside: &str) -> Result<(Step, &str), &'static str> {
    if let Some(left) = inside.strip_prefix(']') {
        return Ok((Step::Items, left));
    }
    let (text, is_tag) = match inside.strip_prefix('=') {
        Some(text) => (text, true),
        None => (inside, false),
    };
    let (step, left) = if text.starts_with('"') {
        let (name, left) = unquoted(text).ok_or("a quoted name does not end")?;
        let step = if is_tag { Step::Tagged(name) } else { Step::Member(name) };
        (step, left)
    } else {
        let (tag, left) = plain(text);
        if tag.is_empty() || is_tag {
            return Err("a tag is missing");
        }
        (Step::Tagged(tag.to_owned()), left)
    };
    let left = left.strip_prefix(']').ok_or("a `]` is missing")?;
    Ok((step, left))
}

/// The longest beginning that is no mark of the grammar, and what follows.
fn plain(text: &str) -> (&str, &str) {
    text.split_at(text.find(is_mark).unwrap_or(text.len()))
}

/// Whether a character cannot stand in a name without quotes.
fn is_mark(c: char) -> bool {
    matches!(c, '.' | '[' | ']' | '"' | '*' | '\\' | '=') || c.is_whitespace() || c.is_control()
}

/// Whether a name must be quoted.
pub(crate) fn is_odd(name: &str) -> bool {
    name.is_empty() || name.contains(is_mark)
}

/// The name as a JSON string.
pub(crate) fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// The JSON string that `text` begins with, and what follows.
pub(crate) fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    let name = strings.next()?.ok()?;
    Some((name, text.get(strings.byte_offset()..)?))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use proptest::prelude::*;

    fn path(steps: &[Step]) -> Path {
        steps.iter().cloned().collect()
    }

    #[test]
    fn steps_are_written_as_the_grammar_says() {
        let member = |name: &str| Step::Member(name.to_owned());
        let tagged = |tag: &str| Step::Tagged(tag.to_owned());
        for (steps, text) in [
            (vec![], ""),
            (vec![member("usage"), member("input_tokens")], "usage.input_tokens"),
            (vec![member("odd.name")], r#"["odd.name"]"#),
            (vec![member("a"), member("b c"), member("d")], r#"a["b c"].d"#),
            (vec![member("a"), member("")], r#"a[""]"#),
            (vec![member("a"), Step::AnyMember, member("b")], "a.*.b"),
            (vec![Step::AnyMember], "*"),
            (vec![member("a"), member("b"), Step::Items, Step::Items], "a.b[][]"),
            (vec![Step::Items, member("a")], "[].a"),
            (
                vec![member("content"), tagged("tool_use"), member("id")],
                "content[tool_use].id",
            ),
            (vec![member("a"), tagged("b c")], r#"a[="b c"]"#),
            (vec![member("$ref"), member("x-y/z")], "$ref.x-y/z"),
        ] {
            let path = path(&steps);
            assert_eq!(path.to_string(), text);
            assert_eq!(text.parse(), Ok(path), "{text}");
        }
    }

    #[test]
    fn what_is_no_path_is_refused_with_its_place() {
        for (text, at, what) in [
            (".a", 0, "a name is missing"),
            ("a.", 2, "a name is missing"),
            ("a..b", 2, "a name is missing"),
            ("a[b", 1, "a `]` is missing"),
            ("a[", 1, "a tag is missing"),
            ("a[=b]", 1, "a tag is missing"),
            ("a[\"b]", 1, "a quoted name does not end"),
            ("a[]b", 3, "a `.` or a `[` is missing"),
            ("a*", 1, "a `.` or a `[` is missing"),
        ] {
            let error = text.parse::<Path>().unwrap_err();
            assert_eq!((error.at, error.what), (at, what), "{text}");
        }
    }

    #[test]
    fn the_parent_of_a_path_is_what_holds_it() {
        let path: Path = "a[x].b".parse().unwrap();
        assert_eq!(path.parent().unwrap().to_string(), "a[x]");
        assert_eq!(Path::frame().parent(), None);
    }

    fn any_step() -> impl Strategy<Value = Step> {
        let name = prop_oneof!["[a-z_]{1,6}", "\\PC{0,6}", "[.\\[\\]\"*=\\\\ \t\u{0}é]{0,4}"];
        prop_oneof![
            name.clone().prop_map(Step::Member),
            name.prop_map(Step::Tagged),
            Just(Step::AnyMember),
            Just(Step::Items),
        ]
    }

    proptest! {
        #[test]
        fn every_path_reads_back(steps in prop::collection::vec(any_step(), 0..8)) {
            let path = path(&steps);
            prop_assert_eq!(path.to_string().parse(), Ok(path));
        }

        #[test]
        fn any_text_is_a_path_or_refused_within_it(text in "\\PC{0,20}") {
            match text.parse::<Path>() {
                Ok(path) => prop_assert_eq!(path.to_string().parse(), Ok(path)),
                Err(error) => prop_assert!(error.at <= text.len()),
            }
        }
    }
}
