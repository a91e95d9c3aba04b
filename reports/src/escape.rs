//! Text from outside inside Markdown as GitHub renders it.
//!
//! In running text GitHub makes links of `@name`, `#12`, `owner/repo#12`, hashes, addresses and `www.`; none of that
//! happens in code, so names and values are written as code. What must stand in running text gets its marks escaped and
//! an invisible joint where a link would begin.

use agent_contracts_source_evidence::wording::{Word, Words, printable};

/// Keeps two characters from being read together and is not seen: U+2060.
const JOINT: char = '\u{2060}';

/// Running text: no mark-up, no HTML, no mention, no link, one line.
#[must_use]
pub fn text(outside: &str) -> String {
    let mut out = String::with_capacity(outside.len() + 8);
    let outside = printable(&outside.replace(['\r', '\n', '\t'], " "));
    let mut before = ' ';
    for c in outside.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '#' => out.extend([c, JOINT]),
            // `://` and `www.`
            '/' if before == ':' => out.extend([JOINT, c]),
            '.' if before.eq_ignore_ascii_case(&'w') => out.extend([JOINT, c]),
            '`' => out.push_str("&#96;"),
            '\\' | '*' | '_' | '[' | ']' | '|' | '~' | '$' => out.extend(['\\', c]),
            // A list, a heading or a line below one, if this begins a line.
            '-' | '+' | '=' if out.is_empty() => out.extend(['\\', c]),
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// Code in a line.
#[must_use]
pub fn code(outside: &str) -> String {
    let inside = printable(outside);
    if inside.trim().is_empty() {
        return "` `".to_owned();
    }
    let fence = "`".repeat(longest_run(&inside) + 1);
    // A space is dropped on each side when both are there, so a code that begins or ends in a backtick can have them.
    let pad = if inside.starts_with(['`', ' ']) || inside.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{inside}{pad}{fence}")
}

/// Code in a cell of a table, where a bar would begin the next cell even inside code.
#[must_use]
pub fn code_in_table(outside: &str) -> String {
    code(outside).replace('|', "\\|")
}

/// A block of code in a language.
#[must_use]
pub fn block(language: &str, outside: &str) -> String {
    let inside: String = outside.lines().map(printable).collect::<Vec<_>>().join("\n");
    let fence = "`".repeat(longest_run(&inside).max(2) + 1);
    format!("{fence}{language}\n{inside}\n{fence}\n")
}

/// A sentence of ours as a heading, with a capital where it begins with a word of ours.
#[must_use]
pub fn heading(sentence: &Words) -> String {
    let text = words(sentence);
    match text.char_indices().nth(1) {
        Some((second, _)) if text.starts_with(char::is_lowercase) => text[..second].to_uppercase() + &text[second..],
        _ => text,
    }
}

/// A sentence of ours.
#[must_use]
pub fn words(sentence: &Words) -> String {
    sentence
        .0
        .iter()
        .map(|word| match word {
            Word::Text(ours) => ours.clone(),
            Word::Code(outside) => code(outside),
        })
        .collect()
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_text_holds_nothing_that_becomes_a_link() {
        for (outside, inside) in [
            ("ask @alice", "ask @\u{2060}alice"),
            ("see #12 and o/r#3", "see #\u{2060}12 and o/r#\u{2060}3"),
            ("https://x.y", "https:\u{2060}//x.y"),
            ("www.x.y", "www\u{2060}.x.y"),
            ("<img src=x>", "&lt;img src=x&gt;"),
            ("![a](b)", "!\\[a\\](b)"),
            ("a\nb\u{202e}c\u{7}", "a b\\\\u{202e}c\\\\u{7}"),
            ("- [ ] 2026-01-02", "\\- \\[ \\] 2026-01-02"),
            ("`x` | y", "&#96;x&#96; \\| y"),
        ] {
            assert_eq!(text(outside), inside);
        }
    }

    #[test]
    fn code_cannot_be_left_from_inside() {
        assert_eq!(code("a.b"), "`a.b`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(code("x\ny"), "`x\\u{a}y`");
        assert_eq!(code(""), "` `");
        assert_eq!(code_in_table("\"a\" | \"b\""), "`\"a\" \\| \"b\"`");
        assert_eq!(block("json", "{}\n```\n@x"), "````json\n{}\n```\n@x\n````\n");
    }
}
