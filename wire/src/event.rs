//! The names of events: the tag, `tag/subtype`, or for RPC `METHOD`, `METHOD:result` and `METHOD:error`; nested tags
//! follow in brackets, as in `item.completed[agent_message]`.
//!
//! A name that would not read back is written as a JSON string: `"odd[name]"`.

use std::fmt;
use std::str::FromStr;

use crate::path::{quoted, unquoted};

/// Members that commonly tell frames apart, in the order in which they are tried when a source does not say which it is.
pub const TAGS: [&str; 5] = ["type", "method", "event", "kind", "sessionUpdate"];

/// The second half of a tag of two members.
pub const SUBTYPE: &str = "subtype";

/// Members by which the items of a list are told apart, in this order: items that carry one are kept under its value.
pub const ITEM_TAGS: [&str; 2] = ["type", "role"];

/// The type of text without frames: the answer of an agent that speaks plain text, a prompt that is typed in.
pub const TEXT: &str = "text";

/// The type of lines that are no frames, and of a source that declares no event that can be read.
pub const UNKNOWN: &str = "unknown";

/// What a frame is called.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventType {
    /// The tag, `tag/subtype`, or the method.
    pub name: String,
    /// Which answer to the method it is; `None` when it is no answer.
    pub answer: Option<Answer>,
    /// The nested tags.
    pub nested: Vec<String>,
}

/// The two ways to answer a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// It worked.
    Result,
    /// It did not.
    Error,
}

/// Why a text is no name of an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no name of an event; a name with brackets or colons of its own is written as a JSON string")]
pub struct EventError(pub String);

impl EventType {
    /// An event without nested tags.
    #[must_use]
    pub fn of(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// `tag/subtype`, or the tag alone where there is none.
    #[must_use]
    pub fn with_subtype(tag: &str, subtype: Option<&str>) -> Self {
        Self::of(subtype.map_or_else(|| tag.to_owned(), |subtype| format!("{tag}/{subtype}")))
    }

    /// The answer to the request that this is.
    #[must_use]
    pub fn answered(mut self, answer: Answer) -> Self {
        self.answer = Some(answer);
        self
    }
}

impl Answer {
    fn word(self) -> &'static str {
        match self {
            Self::Result => ":result",
            Self::Error => ":error",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_odd(&self.name) {
            f.write_str(&quoted(&self.name))?;
        } else {
            f.write_str(&self.name)?;
        }
        f.write_str(self.answer.map_or("", Answer::word))?;
        for tag in &self.nested {
            if is_odd(tag) {
                write!(f, "[{}]", quoted(tag))?;
            } else {
                write!(f, "[{tag}]")?;
            }
        }
        Ok(())
    }
}

impl FromStr for EventType {
    type Err = EventError;

    fn from_str(text: &str) -> Result<Self, EventError> {
        read(text).ok_or_else(|| EventError(text.to_owned()))
    }
}

fn read(text: &str) -> Option<EventType> {
    let (mut name, mut rest) = if text.starts_with('"') {
        unquoted(text)?
    } else {
        let (name, rest) = text.split_at(text.find('[').unwrap_or(text.len()));
        (name.to_owned(), rest)
    };
    let mut answer = None;
    for found in [Answer::Result, Answer::Error] {
        if text.starts_with('"') {
            if let Some(left) = rest.strip_prefix(found.word()) {
                (answer, rest) = (Some(found), left);
                break;
            }
        } else if let Some(method) = name.strip_suffix(found.word()) {
            (answer, name) = (Some(found), method.to_owned());
            break;
        }
    }
    if !text.starts_with('"') && is_odd(&name) {
        return None;
    }
    let mut nested = Vec::new();
    while !rest.is_empty() {
        let inside = rest.strip_prefix('[')?;
        let (tag, left) = if inside.starts_with('"') {
            unquoted(inside)?
        } else {
            let (tag, left) = inside.split_at(inside.find(']')?);
            if is_odd(tag) {
                return None;
            }
            (tag.to_owned(), left)
        };
        nested.push(tag);
        rest = left.strip_prefix(']')?;
    }
    Some(EventType { name, answer, nested })
}

/// Whether a name must be quoted. Dots, slashes and colons are common in names of events; endings of answers are not.
fn is_odd(name: &str) -> bool {
    name.is_empty()
        || name.contains(|c: char| matches!(c, '[' | ']' | '"' | '\\') || c.is_control() || c.is_whitespace())
        || [Answer::Result, Answer::Error]
            .iter()
            .any(|answer| name.ends_with(answer.word()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_written_as_the_grammar_says() {
        for (name, answer, nested, text) in [
            ("turn.completed", None, vec![], "turn.completed"),
            ("system/init", None, vec![], "system/init"),
            ("session/prompt", Some(Answer::Result), vec![], "session/prompt:result"),
            ("session/new", Some(Answer::Error), vec![], "session/new:error"),
            (
                "item.completed",
                None,
                vec!["agent_message"],
                "item.completed[agent_message]",
            ),
            ("a", Some(Answer::Result), vec!["b", "c d"], r#"a:result[b]["c d"]"#),
            ("odd[name]", None, vec![], r#""odd[name]""#),
            ("x:error", None, vec![], r#""x:error""#),
            ("x:error", Some(Answer::Error), vec![], r#""x:error":error"#),
            ("", None, vec![""], r#"""[""]"#),
        ] {
            let event = EventType {
                name: name.to_owned(),
                answer,
                nested: nested.into_iter().map(str::to_owned).collect(),
            };
            assert_eq!(event.to_string(), text);
            assert_eq!(text.parse(), Ok(event), "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in ["", "a b", "a[b", "a[b]c", "a]", "\"a", "a[]", ":result"] {
            assert!(text.parse::<EventType>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_name_reads_back(
            name in prop_oneof!["[a-z./_:]{0,10}", "\\PC{0,8}", "[a\\[\\]\":]{0,5}(:result|:error)?"],
            answer in prop::option::of(prop_oneof![Just(Answer::Result), Just(Answer::Error)]),
            nested in prop::collection::vec("\\PC{0,6}", 0..3),
        ) {
            let event = EventType { name, answer, nested };
            prop_assert_eq!(event.to_string().parse(), Ok(event));
        }
    }
}
