//! The grammar of paths inside a frame: `a.b`, items `a[]`, items with a discriminator `a[tag]`, any member `a.*`, and
//! names that would not read back `["odd.name"]`.
//!
//! A path is relative to the frame, so the first step has no dot. A tag that would not read back is written `[="odd"]`.

/// The path of the member `name` of what stands at `base`.
#[must_use]
pub fn member(base: &str, name: &str) -> String {
    if is_odd(name) {
        format!("{base}[{}]", quoted(name))
    } else if base.is_empty() {
        name.to_owned()
    } else {
        format!("{base}.{name}")
    }
}

/// The path of every member of a map at `base`.
#[must_use]
pub fn any_member(base: &str) -> String {
    if base.is_empty() {
        "*".to_owned()
    } else {
        format!("{base}.*")
    }
}

/// The path of the items of the list at `base`.
#[must_use]
pub fn items(base: &str) -> String {
    format!("{base}[]")
}

/// The path of those items of the list at `base` that carry the discriminator `tag`.
#[must_use]
pub fn tagged_items(base: &str, tag: &str) -> String {
    if is_odd(tag) {
        format!("{base}[={}]", quoted(tag))
    } else {
        format!("{base}[{tag}]")
    }
}

/// Whether a name holds a mark of the grammar, or nothing, or something that does not print.
fn is_odd(name: &str) -> bool {
    name.is_empty()
        || name
            .chars()
            .any(|c| matches!(c, '.' | '[' | ']' | '"' | '*' | '\\' | '=') || c.is_whitespace() || c.is_control())
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_written_as_the_grammar_says() {
        assert_eq!(member("", "usage"), "usage");
        assert_eq!(member("usage", "input_tokens"), "usage.input_tokens");
        assert_eq!(member("", "odd.name"), r#"["odd.name"]"#);
        assert_eq!(member("a", "b c"), r#"a["b c"]"#);
        assert_eq!(member("a", ""), r#"a[""]"#);
        assert_eq!(any_member("a"), "a.*");
        assert_eq!(any_member(""), "*");
        assert_eq!(items("a.b"), "a.b[]");
        assert_eq!(tagged_items("content", "tool_use"), "content[tool_use]");
        assert_eq!(tagged_items("content", "a b"), r#"content[="a b"]"#);
        assert_ne!(tagged_items("a", "b c"), member("a", "b c"));
    }
}
