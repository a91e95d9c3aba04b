//! Struct tags, as `reflect.StructTag` and `encoding/json` read them.

use serde::{Deserialize, Serialize};

/// What the tag of a field says of the wire.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one option that a tag holds or does not"
)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tag {
    /// There is a `json` key.
    pub(super) json: bool,
    /// The name that it gives; empty for none.
    pub(super) name: String,
    /// `json:"-"`.
    pub(super) skipped: bool,
    /// `omitempty`: left out when it is empty; a struct never is.
    pub(super) omit_empty: bool,
    /// `omitzero`: left out when it is the zero value.
    pub(super) omit_zero: bool,
    /// `string`: a number or boolean is written as a string.
    pub(super) quoted: bool,
    /// The name under `path`, `query`, `header`, `cookie` or `form`: a parameter of an HTTP operation.
    pub(super) parameter: Option<String>,
    /// `required:"true"`, as huma reads it.
    pub(super) required: bool,
    /// There is a `doc` key, which huma reads.
    pub(super) documented: bool,
}

const PARAMETERS: [&str; 5] = ["path", "query", "header", "cookie", "form"];

/// Reads a tag, without its outer quotes.
pub(super) fn read(text: &str) -> Tag {
    let mut tag = Tag::default();
    for (key, value) in pairs(text) {
        match key {
            "json" => json(&mut tag, &value),
            "required" => tag.required = value == "true",
            "doc" => tag.documented = true,
            _ if PARAMETERS.contains(&key) => {
                let name = value.split(',').next().unwrap_or_default();
                if !name.is_empty() && name != "-" {
                    tag.parameter = Some(name.to_owned());
                }
            }
            _ => {}
        }
    }
    tag
}

fn json(tag: &mut Tag, value: &str) {
    tag.json = true;
    if value == "-" {
        tag.skipped = true;
        return;
    }
    let mut parts = value.split(',');
    let name = parts.next().unwrap_or_default();
    if is_valid_name(name) {
        name.clone_into(&mut tag.name);
    }
    for option in parts {
        match option {
            "omitempty" => tag.omit_empty = true,
            "omitzero" => tag.omit_zero = true,
            "string" => tag.quoted = true,
            _ => {}
        }
    }
}

/// `isValidTag` of encoding/json: any other name is ignored.
fn is_valid_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| "!#$%&()*+-./:;<=>?@[]^_{|}~ ".contains(c) || c.is_alphanumeric())
}

/// `key:"value"` pairs; a malformed rest is ignored, as reflect does.
fn pairs(text: &str) -> Vec<(&str, String)> {
    let mut found = vec![];
    let mut rest = text.trim_start_matches(' ');
    while let Some((key, after)) = rest.split_once(":\"") {
        if key.is_empty() || key.chars().any(|c| c.is_control() || c == ' ' || c == '"') {
            break;
        }
        let mut end = None;
        let mut escaped = false;
        for (at, c) in after.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end else { break };
        found.push((key, unquote(&after[..end])));
        rest = after[end + 1..].trim_start_matches(' ');
    }
    found
}

/// The content of an interpreted string literal, without its quotes.
pub(super) fn unquote(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('v') => out.push('\u{b}'),
            Some(kind @ ('x' | 'u' | 'U')) => {
                let length = match kind {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits: String = chars.by_ref().take(length).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Tag {
        read(text)
    }

    #[test]
    fn names_and_options() {
        let plain = |name: &str| Tag {
            json: true,
            name: name.to_owned(),
            ..Tag::default()
        };
        for (text, expected) in [
            ("", Tag::default()),
            (r#"json:"a""#, plain("a")),
            (r#"yaml:"x" json:"a.b/c""#, plain("a.b/c")),
            (
                r#"json:"a,omitempty,string""#,
                Tag {
                    omit_empty: true,
                    quoted: true,
                    ..plain("a")
                },
            ),
            (
                r#"json:",omitzero""#,
                Tag {
                    omit_zero: true,
                    ..plain("")
                },
            ),
            (
                r#"json:"-""#,
                Tag {
                    skipped: true,
                    ..plain("")
                },
            ),
            (r#"json:"-,""#, plain("-")),
            (r#"json:"a\"b""#, plain("")),
            (r#"json:"a'b""#, plain("")),
            ("json:a", Tag::default()),
            (
                r#"doc:"The \"json:\" of it" json:"id""#,
                Tag {
                    documented: true,
                    ..plain("id")
                },
            ),
            (
                r#"query:"limit" required:"true""#,
                Tag {
                    parameter: Some("limit".into()),
                    required: true,
                    ..Tag::default()
                },
            ),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(unquote(r#"a\n\"\\\x41\u00e9\'"#), "a\n\"\\Aé'");
    }
}
