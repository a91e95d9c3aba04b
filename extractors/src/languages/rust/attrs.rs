//! Attributes: serde's arguments, derives, conditions, and what is said of stability.
//!
//! Conditions are read as a build with all features does: what `cfg` guards is there, but for `cfg(test)`. A feature with
//! a name like `unstable_x` makes what it guards experimental.

use agent_contracts_wire::Stability;

use super::cases::Case;
use super::facts::{Attrs, Serde, Side};
use super::lex::{Kind, Token, after, inside, lex, marks, split_commas, string_value};
use super::types;
use crate::stability;

/// Collects the attributes of one declaration.
#[derive(Debug, Default)]
pub(super) struct Collected {
    attrs: Attrs,
    /// Only there in a test build.
    pub(super) test_only: bool,
    /// It stands in for something that a feature brings.
    pub(super) without: bool,
    /// `#[path = "…"]` of a module.
    pub(super) path: Option<String>,
    /// The text of the comments.
    docs: String,
}

impl Collected {
    /// Adds an attribute as it is written, `#[` and `]` included, or a doc comment.
    pub(super) fn add_text(&mut self, text: &str) {
        if text.starts_with("///") || text.starts_with("/**") {
            let text = text.trim_start_matches(['/', '*']);
            self.doc(text);
        } else if is_read(text) {
            let tokens = lex(text);
            if let Some(open) = tokens.iter().position(|token| token.is("[")) {
                self.add(inside(&tokens, open));
            }
        }
    }

    /// Adds what stands between the brackets of an attribute.
    pub(super) fn add(&mut self, tokens: &[Token<'_>]) {
        let (name, at) = last_name(tokens);
        let args = tokens
            .get(at)
            .filter(|token| token.kind == Kind::Open)
            .map_or(&[][..], |_| inside(tokens, at));
        let value = || {
            tokens
                .get(at)
                .filter(|token| token.is("="))
                .and_then(|_| tokens.get(at + 1))
                .and_then(string_value)
        };
        match name.as_str() {
            "serde" => serde_args(&mut self.attrs.serde, args),
            "serde_as" => serde_as_args(&mut self.attrs.serde, args),
            "skip_serializing_none" => self.attrs.skip_none = true,
            "derive" => self.derive(args),
            "cfg" => match condition(args) {
                Condition::Test => self.test_only = true,
                Condition::Unstable => self.mark(Stability::Experimental),
                Condition::Without => self.without = true,
                Condition::Plain => {}
            },
            "cfg_attr" => {
                let parts = split_commas(args);
                if let Some((first, rest)) = parts.split_first()
                    && condition(first) != Condition::Test
                {
                    for part in rest {
                        self.add(part);
                    }
                }
            }
            // The argument `nested` says that something inside is experimental.
            "experimental" if !args.first().is_some_and(|token| token.is("nested")) => {
                self.mark(Stability::Experimental);
            }
            "unstable" => self.mark(Stability::Experimental),
            "deprecated" => self.mark(Stability::Deprecated),
            "doc" => {
                if let Some(text) = value() {
                    self.doc(&text);
                }
            }
            "test" | "rstest" | "test_case" | "bench" => self.test_only = true,
            "path" => self.path = value(),
            _ => {}
        }
    }

    /// Only lines that may say something are kept; the others count, since the first one means more.
    fn doc(&mut self, text: &str) {
        if may_mark(text) {
            self.docs.push_str(text);
        }
        self.docs.push('\n');
    }

    fn mark(&mut self, stability: Stability) {
        if self.attrs.stability != Stability::Experimental {
            self.attrs.stability = stability;
        }
    }

    /// All that was added. A comment says how stable something is when no attribute does.
    pub(super) fn finish(mut self) -> Attrs {
        if self.attrs.stability == Stability::Stable
            && self.docs.len() > self.docs.bytes().filter(|&byte| byte == b'\n').count()
        {
            self.attrs.stability = stability::of_comment(&self.docs);
        }
        self.attrs
    }

    fn derive(&mut self, args: &[Token<'_>]) {
        let derives = &mut self.attrs.derives;
        for part in split_commas(args) {
            match last_name(part).0.as_str() {
                "Serialize" => derives.ser = true,
                "Deserialize" => derives.de = true,
                "Serialize_repr" => (derives.ser, derives.repr) = (true, true),
                "Deserialize_repr" => (derives.de, derives.repr) = (true, true),
                "SerializeDisplay" => (derives.ser, derives.text) = (true, true),
                "DeserializeFromStr" => (derives.de, derives.text) = (true, true),
                _ => {}
            }
        }
    }
}

/// Whether an attribute can matter, by its text: most do not, and reading them all would cost.
fn is_read(text: &str) -> bool {
    const READ: [&str; 13] = [
        "serde",
        "derive",
        "cfg",
        "skip_ser",
        "experimental",
        "unstable",
        "deprecated",
        "path",
        "doc",
        "test",
        "tokio",
        "rstest",
        "bench",
    ];
    let name = text.trim_start_matches(['#', '!', '[', ' ', '\n']);
    READ.iter().any(|word| name.starts_with(word))
}

/// Whether a comment may say something of stability.
fn may_mark(text: &str) -> bool {
    [
        "xperimental",
        "XPERIMENTAL",
        "nstable",
        "NSTABLE",
        "eprecated",
        "EPRECATED",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// `tokens` without the attributes that cannot matter: what a macro expands to is full of them.
pub(super) fn without_unread<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is("#") && tokens.get(at + 1).is_some_and(|open| open.is("[")) {
            let end = after(tokens, at + 1);
            let unread = match inside(tokens, at + 1) {
                [doc, equals, text] if doc.is("doc") && equals.is("=") => !may_mark(&text.text),
                [name, ..] => !is_read(&name.text),
                [] => true,
            };
            if unread {
                at = end;
                continue;
            }
        }
        kept.push(token.clone());
        at += 1;
    }
    kept
}

/// The last name of the path that starts an attribute, and the index behind the path.
fn last_name(tokens: &[Token<'_>]) -> (String, usize) {
    let (mut name, mut at) = (String::new(), 0);
    if marks(tokens, at, "::") {
        at += 2;
    }
    while let Some(token) = tokens.get(at).filter(|token| token.is_ident()) {
        name = token.name();
        at += 1;
        if !marks(tokens, at, "::") {
            break;
        }
        at += 2;
    }
    (name, at)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Test,
    Unstable,
    /// Only where a feature is off.
    Without,
    Plain,
}

/// What a `cfg` predicate asks for.
fn condition(tokens: &[Token<'_>]) -> Condition {
    let (name, at) = last_name(tokens);
    let parts = || {
        split_commas(inside(tokens, at))
            .into_iter()
            .map(condition)
            .collect::<Vec<_>>()
    };
    match name.as_str() {
        "test" | "doctest" => Condition::Test,
        "feature" => {
            let feature = tokens.last().and_then(string_value).unwrap_or_default();
            let unstable = ["unstable", "experimental", "nightly", "preview"]
                .iter()
                .any(|word| feature.contains(word));
            if unstable {
                Condition::Unstable
            } else {
                Condition::Plain
            }
        }
        "not" => match inside(tokens, at) {
            inner if last_name(inner).0 == "feature" => Condition::Without,
            _ => Condition::Plain,
        },
        "all" => {
            let parts = parts();
            let found = |wanted| parts.contains(&wanted).then_some(wanted);
            found(Condition::Test)
                .or_else(|| found(Condition::Unstable))
                .unwrap_or(Condition::Plain)
        }
        "any" => {
            let parts = parts();
            if parts.is_empty() || parts.contains(&Condition::Plain) {
                Condition::Plain
            } else if parts.contains(&Condition::Unstable) {
                Condition::Unstable
            } else {
                Condition::Test
            }
        }
        _ => Condition::Plain,
    }
}

fn serde_args(into: &mut Vec<Serde>, args: &[Token<'_>]) {
    for part in split_commas(args) {
        let (name, at) = last_name(part);
        let value = part
            .get(at)
            .filter(|token| token.is("="))
            .and_then(|_| part.get(at + 1))
            .and_then(string_value);
        let sided = |make: &dyn Fn(Side, String) -> Option<Serde>| -> Vec<Serde> {
            if let Some(text) = value.clone() {
                return make(Side::Both, text).into_iter().collect();
            }
            split_commas(inside(part, at))
                .into_iter()
                .filter_map(|inner| {
                    let side = if inner.first()?.is("serialize") {
                        Side::Ser
                    } else {
                        Side::De
                    };
                    make(side, string_value(inner.get(2)?)?)
                })
                .collect()
        };
        let ty = || value.as_deref().map(types::parse_text);
        let with = |side| value.as_deref().map(|path| Serde::With(side, path_segments(path)));
        let found: Option<Serde> = match name.as_str() {
            "rename" => {
                into.extend(sided(&|side, text| Some(Serde::Rename(side, text))));
                None
            }
            "rename_all" => {
                into.extend(sided(&|side, text| Some(Serde::RenameAll(side, Case::parse(&text)?))));
                None
            }
            "rename_all_fields" => {
                into.extend(sided(&|side, text| {
                    Some(Serde::RenameAllFields(side, Case::parse(&text)?))
                }));
                None
            }
            "alias" => value.map(Serde::Alias),
            "tag" => value.map(Serde::Tag),
            "content" => value.map(Serde::Content),
            "untagged" => Some(Serde::Untagged),
            "flatten" => Some(Serde::Flatten),
            "default" => Some(Serde::Default),
            "skip" => Some(Serde::Skip(Side::Both)),
            "skip_serializing" => Some(Serde::Skip(Side::Ser)),
            "skip_deserializing" => Some(Serde::Skip(Side::De)),
            "skip_serializing_if" => value.map(Serde::SkipIf),
            "other" => Some(Serde::Other),
            "transparent" => Some(Serde::Transparent),
            "from" | "try_from" => ty().map(Serde::From),
            "into" => ty().map(Serde::Into),
            "with" => with(Side::Both),
            "serialize_with" => with(Side::Ser),
            "deserialize_with" => with(Side::De),
            _ => None,
        };
        into.extend(found);
    }
}

fn serde_as_args(into: &mut Vec<Serde>, args: &[Token<'_>]) {
    for part in split_commas(args) {
        let side = match part.first().map(|token| token.text.as_ref()) {
            Some("as") => Side::Both,
            Some("serialize_as") => Side::Ser,
            Some("deserialize_as") => Side::De,
            _ => continue,
        };
        into.extend(
            part.get(2)
                .and_then(string_value)
                .map(|text| Serde::As(side, types::parse_text(&text))),
        );
    }
}

/// `a::b::<C>::d` without its arguments.
fn path_segments(text: &str) -> Vec<String> {
    let tokens = lex(text);
    let mut angles = 0i32;
    let mut segments = Vec::new();
    for token in &tokens {
        match token.text.as_ref() {
            "<" => angles += 1,
            ">" => angles -= 1,
            _ if angles == 0 && token.is_ident() => segments.push(token.name()),
            _ => {}
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Collected {
        let mut collected = Collected::default();
        for line in text.lines() {
            collected.add_text(line);
        }
        collected
    }

    #[test]
    fn serde_arguments_are_read_in_every_form() {
        for (text, expected) in [
            (
                r#"#[serde(rename = "a", alias = "b", default = "x::y")]"#,
                vec![
                    Serde::Rename(Side::Both, "a".into()),
                    Serde::Alias("b".into()),
                    Serde::Default,
                ],
            ),
            (
                r#"#[serde(rename(serialize = "a", deserialize = "b"))]"#,
                vec![
                    Serde::Rename(Side::Ser, "a".into()),
                    Serde::Rename(Side::De, "b".into()),
                ],
            ),
            (
                r#"#[cfg_attr(feature = "serde", derive(Serialize), serde(rename_all = "kebab-case"))]"#,
                vec![Serde::RenameAll(Side::Both, Case::Kebab)],
            ),
            (r"#[cfg_attr(test, serde(untagged))]", vec![]),
            (
                r#"#[serde(with = "a::b", skip_serializing_if = "Option::is_none")]"#,
                vec![
                    Serde::With(Side::Both, vec!["a".into(), "b".into()]),
                    Serde::SkipIf("Option::is_none".into()),
                ],
            ),
            (
                r#"#[serde(try_from = "Vec<u8>", bound(serialize = "T: X"))]"#,
                vec![Serde::From(types::parse_text("Vec<u8>"))],
            ),
            (
                r#"#[serde_as(deserialize_as = "DefaultOnError<_>")]"#,
                vec![Serde::As(Side::De, types::parse_text("DefaultOnError<_>"))],
            ),
            (r#"#[schemars(rename = "a")]"#, vec![]),
        ] {
            assert_eq!(read(text).finish().serde, expected, "{text}");
        }
        let derives = read("#[cfg_attr(feature = \"x\", derive(Debug, serde::Serialize))]")
            .finish()
            .derives;
        assert!(derives.ser && !derives.de);
    }

    #[test]
    fn a_stand_in_is_there_where_a_feature_is_off() {
        for (text, without) in [
            ("#[cfg(not(feature = \"unstable_x\"))]", true),
            ("#[cfg(not(feature = \"x\"))]", true),
            ("#[cfg(not(test))]", false),
            ("#[cfg(feature = \"x\")]", false),
        ] {
            assert_eq!(read(text).without, without, "{text}");
        }
    }

    #[test]
    fn conditions_and_marks_say_what_is_there() {
        for (text, test_only, mark) in [
            ("#[cfg(test)]", true, Stability::Stable),
            ("#[cfg(all(test, feature = \"x\"))]", true, Stability::Stable),
            ("#[cfg(any(test, feature = \"x\"))]", false, Stability::Stable),
            ("#[cfg(not(test))]", false, Stability::Stable),
            ("#[cfg(feature = \"unstable_x\")]", false, Stability::Experimental),
            ("#[cfg(not(feature = \"unstable_x\"))]", false, Stability::Stable),
            ("#[experimental(\"a.b\")]", false, Stability::Experimental),
            ("#[experimental(nested)]", false, Stability::Stable),
            ("#[deprecated(note = \"x\")]", false, Stability::Deprecated),
            ("/// **UNSTABLE**", false, Stability::Experimental),
            ("/// Says\n/// UNSTABLE", false, Stability::Stable),
        ] {
            let read = read(text);
            assert_eq!((read.test_only, read.finish().stability), (test_only, mark), "{text}");
        }
    }
}
