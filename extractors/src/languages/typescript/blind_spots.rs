//! Valid TypeScript that the grammar cannot read, blanked by text of the same length before it is parsed.
//!
//! The grammar (0.23) knows no variance annotations (`<in out T>`), no type arguments and no `[]` behind an import type
//! (`import("./x").Bar<string>`), and no `export type *`. An error node would spread over the declaration, or worse, a
//! `[]` would silently become a statement of its own. Lines and byte offsets stay as they were. Strings, comments and
//! templates are left alone.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// A text that the grammar can read.
pub(super) struct Readable<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// The modules of import types that were blanked, by the byte that the name behind them starts at.
    pub(super) import_types: BTreeMap<usize, String>,
}

/// Blanks what the grammar cannot read in `text`.
pub(super) fn blank(text: &[u8]) -> Readable<'_> {
    let mut result = Readable {
        text: Cow::Borrowed(text),
        import_types: BTreeMap::new(),
    };
    let suspicious = [
        b"import(".as_slice(),
        b"export type *",
        b"<in ",
        b"<out ",
        b"<const ",
        b", in ",
        b", out ",
    ];
    if !suspicious.iter().any(|pattern| contains(text, pattern)) {
        return result;
    }
    let mut blanks: Vec<(usize, usize)> = Vec::new();
    for token in Tokens::new(text) {
        match &text[token.clone()] {
            b"import" => {
                if let Some((module, end)) = import_type(text, token.end) {
                    blanks.push((token.start, end));
                    result.import_types.insert(end, module);
                }
            }
            b"export" => {
                let start = skip_blanks(text, token.end);
                let end = start + 4;
                let star = skip_blanks(text, end);
                if text.get(start..end) == Some(b"type") && text.get(star) == Some(&b'*') {
                    blanks.push((start, end));
                }
            }
            b"in" | b"out" if opens_parameter(text, token.start) && names_follow(text, token.end) => {
                blanks.push((token.start, token.end));
            }
            _ => {}
        }
    }
    if !blanks.is_empty() {
        let text = result.text.to_mut();
        for (start, end) in blanks {
            for byte in &mut text[start..end] {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
        }
    }
    result
}

fn contains(text: &[u8], pattern: &[u8]) -> bool {
    let Some((&first, _)) = pattern.split_first() else {
        return true;
    };
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(|&byte| byte == first) {
        at += found;
        if text[at..].starts_with(pattern) {
            return true;
        }
        at += 1;
    }
    false
}

/// `("module").` behind `import`: the module, and where the name behind it starts.
fn import_type(text: &[u8], at: usize) -> Option<(String, usize)> {
    let open = skip_blanks(text, at);
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let quote = skip_blanks(text, open + 1);
    let mark = *text.get(quote).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let length = text.get(quote + 1..)?.iter().position(|&byte| byte == mark)?;
    let module = String::from_utf8_lossy(&text[quote + 1..quote + 1 + length]).into_owned();
    let mut close = skip_blanks(text, quote + length + 2);
    // `import("./x", { with: … })`
    if text.get(close) == Some(&b',') {
        close += text[close..].iter().position(|&byte| byte == b')')?;
    }
    if text.get(close) != Some(&b')') {
        return None;
    }
    let dot = skip_blanks(text, close + 1);
    if text.get(dot) != Some(&b'.') {
        return None;
    }
    let name = skip_blanks(text, dot + 1);
    // `import("./x").then(…)` is code. Blanking it would do no harm, but is not needed.
    let starts_name = text.get(name).is_some_and(|&byte| is_name(byte));
    starts_name.then_some((module, name))
}

/// Whether what stands before `at` opens a type parameter: `<`, `,` or another annotation.
fn opens_parameter(text: &[u8], at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    before.ends_with(b"<")
        || before.ends_with(b",")
        || ends_with_word(before, b"in")
        || ends_with_word(before, b"const")
}

fn ends_with_word(text: &[u8], word: &[u8]) -> bool {
    text.strip_suffix(word)
        .is_some_and(|rest| rest.last().is_none_or(|&byte| !is_name(byte)))
}

/// Whether a name stands behind `at` on its own, as in `in T`.
fn names_follow(text: &[u8], at: usize) -> bool {
    let next = skip_blanks(text, at);
    next > at
        && text
            .get(next)
            .is_some_and(|&byte| is_name(byte) && !byte.is_ascii_digit())
}

fn skip_blanks(text: &[u8], at: usize) -> usize {
    at + text
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// The words of a text that stand in code, by their byte ranges.
struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    fn behind(&self, from: usize, end: &[u8]) -> usize {
        let rest = self.text.get(from..).unwrap_or_default();
        rest.windows(end.len())
            .position(|window| window == end)
            .map_or(self.text.len(), |found| from + found + end.len())
    }

    /// The end of a quoted text that starts at `from`. One that is not closed ends with its line; a template does not.
    fn quoted(&self, from: usize, mark: u8) -> usize {
        let mut at = from + 1;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' if mark != b'`' => return at,
                _ if byte == mark => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }
}

impl Iterator for Tokens<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(&byte) = self.text.get(self.at) {
            let next = self.text.get(self.at + 1).copied();
            match (byte, next) {
                (b'/', Some(b'/')) => self.at = self.behind(self.at, b"\n"),
                (b'/', Some(b'*')) => self.at = self.behind(self.at + 2, b"*/"),
                (b'"' | b'\'' | b'`', _) => self.at = self.quoted(self.at, byte),
                _ if is_name(byte) => {
                    let start = self.at;
                    let length = self.text[start..].iter().take_while(|&&byte| is_name(byte)).count();
                    self.at = start + length;
                    return Some(start..self.at);
                }
                _ => self.at += 1,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn blanks_keep_every_byte_in_its_place() {
        let cases = [
            ("interface Box<in out T> {}", "interface Box<       T> {}"),
            ("type A<in T, out U> = T", "type A<   T,     U> = T"),
            ("export type * as T from \"./t\"", "export      * as T from \"./t\""),
            (
                "type A = import(\"./x\").Bar<string>",
                "type A =               Bar<string>",
            ),
            // Nothing of this is touched.
            (
                "const s = \"a, in b\"; // <in T>\ntype M = {[K in X]: 1}",
                "const s = \"a, in b\"; // <in T>\ntype M = {[K in X]: 1}",
            ),
            (
                "const m = import(\"./x\"); export type { A }",
                "const m = import(\"./x\"); export type { A }",
            ),
        ];
        for (text, expected) in cases {
            let readable = blank(text.as_bytes());
            assert_eq!(std::str::from_utf8(&readable.text).unwrap(), expected);
        }
        let text = "type A = import(\"./x\").Bar";
        let at = text.find("Bar").unwrap();
        assert_eq!(
            blank(text.as_bytes()).import_types.get(&at).map(String::as_str),
            Some("./x")
        );
    }
}
