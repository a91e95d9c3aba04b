//! Tokens of Rust text: what attributes, types and macros are read from, since a grammar leaves those as token trees.
//!
//! Every text gives tokens: what no rule knows is a punctuation mark, and groups that do not close end at the end.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A token. Groups are flat: an opening token knows how far its closing one is, and the other way round.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// As written; the text of a doc comment without its marks.
    pub(super) text: Cow<'a, str>,
    /// Where it starts in the text it was read from.
    pub(super) at: u32,
    /// Tokens between this delimiter and its partner, plus one.
    pub(super) skip: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    Lifetime,
    Literal,
    /// The text of a doc comment; stands for a string literal.
    Doc,
    /// One character; `true` when the next token is a mark too and touches it.
    Punct(bool),
    Open,
    Close,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && !matches!(self.kind, Kind::Literal | Kind::Doc)
    }

    pub(super) fn is_ident(&self) -> bool {
        self.kind == Kind::Ident
    }

    /// The name of an identifier, without `r#`.
    pub(super) fn name(&self) -> String {
        unraw(&self.text).to_owned()
    }
}

/// An identifier without its `r#`.
pub(super) fn unraw(text: &str) -> &str {
    text.strip_prefix("r#").unwrap_or(text)
}

/// Where the lines of a text end, and the number of its first line.
pub(super) struct Lines(Vec<usize>, u32);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        Self::starting_at(text, 1)
    }

    /// For a text whose first line has this number.
    pub(super) fn starting_at(text: &str, first: u32) -> Self {
        let ends = text
            .bytes()
            .enumerate()
            .filter(|&(_, byte)| byte == b'\n')
            .map(|(at, _)| at)
            .collect();
        Self(ends, first)
    }

    /// The line that holds this offset.
    pub(super) fn line(&self, at: usize) -> u32 {
        u32::try_from(self.0.partition_point(|&end| end < at)).map_or(u32::MAX, |ends| ends.saturating_add(self.1))
    }
}

/// The tokens of `text`. Doc comments become `#[doc = "…"]`, other comments are left out.
pub(super) fn lex(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        text,
        at: 0,
        tokens: Vec::with_capacity(text.len() / 5),
    };
    while lexer.at < text.len() {
        lexer.step();
    }
    close_groups(&mut lexer.tokens);
    lexer.tokens
}

/// Sets how far the delimiters are from their partners. A closing one without partner gets 0 and so does an opening
/// one that does not close.
pub(super) fn close_groups(tokens: &mut [Token<'_>]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..tokens.len() {
        match tokens[index].kind {
            Kind::Open => {
                tokens[index].skip = 0;
                open.push(index);
            }
            Kind::Close => {
                tokens[index].skip = 0;
                let partner = match tokens[index].text.as_ref() {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                // A wrong partner means that an inner group was left open: look further out.
                if let Some(depth) = open.iter().rposition(|&at| tokens[at].text == partner) {
                    let at = open[depth];
                    open.truncate(depth);
                    let far = u32::try_from(index - at).unwrap_or(0);
                    tokens[at].skip = far;
                    tokens[index].skip = far;
                }
            }
            _ => {}
        }
    }
}

/// The index behind the token or the whole group at `at`.
pub(super) fn after(tokens: &[Token<'_>], at: usize) -> usize {
    match tokens.get(at) {
        Some(token) if token.kind == Kind::Open && token.skip == 0 => tokens.len(),
        Some(token) if token.kind == Kind::Open => (at + token.skip as usize + 1).min(tokens.len()),
        _ => at + 1,
    }
}

/// What stands inside the group at `at`.
pub(super) fn inside<'s, 'a>(tokens: &'s [Token<'a>], at: usize) -> &'s [Token<'a>] {
    let end = after(tokens, at);
    let closed = tokens.get(at).is_some_and(|token| token.skip > 0);
    tokens.get(at + 1..if closed { end - 1 } else { end }).unwrap_or(&[])
}

/// Splits at commas that are in no group and in no angle brackets.
pub(super) fn split_commas<'s, 'a>(tokens: &'s [Token<'a>]) -> Vec<&'s [Token<'a>]> {
    let (mut parts, mut start, mut at, mut angles) = (Vec::new(), 0, 0, 0i32);
    while at < tokens.len() {
        let token = &tokens[at];
        if token.is("<") {
            angles += 1;
        } else if token.is(">")
            && !(at > 0 && matches!(tokens[at - 1].kind, Kind::Punct(true)) && tokens[at - 1].is("-"))
        {
            angles -= 1;
        } else if token.is(",") && angles <= 0 {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
        at = after(tokens, at);
    }
    if start < tokens.len() {
        parts.push(&tokens[start..]);
    }
    parts
}

/// Whether tokens `at..` are these marks, each touching the next.
pub(super) fn marks(tokens: &[Token<'_>], at: usize, text: &str) -> bool {
    let count = text.len();
    tokens.get(at..at + count).is_some_and(|run| {
        run.iter().zip(text.chars()).enumerate().all(|(index, (token, char))| {
            token.text.starts_with(char) && matches!(token.kind, Kind::Punct(joint) if joint || index + 1 == count)
        })
    })
}

/// The value of a string literal, with its escapes; `None` when the token is none.
pub(super) fn string_value(token: &Token<'_>) -> Option<String> {
    if token.kind == Kind::Doc {
        return Some(token.text.to_string());
    }
    if token.kind != Kind::Literal {
        return None;
    }
    let text = token.text.trim_start_matches(['b', 'c']);
    if let Some(raw) = text.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    Some(unescape(text.strip_prefix('"')?.strip_suffix('"')?))
}

fn unescape(text: &str) -> String {
    let (mut out, mut chars) = (String::with_capacity(text.len()), text.chars().peekable());
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('0') => out.push('\0'),
            Some('x') => {
                let code: String = chars.by_ref().take(2).collect();
                out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
            }
            Some('u') => {
                let code: String = chars.by_ref().skip(1).take_while(|&char| char != '}').collect();
                out.extend(
                    u32::from_str_radix(&code.replace('_', ""), 16)
                        .ok()
                        .and_then(char::from_u32),
                );
            }
            Some('\n') => while chars.next_if(|char| char.is_whitespace()).is_some() {},
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn push(&mut self, kind: Kind, text: impl Into<Cow<'a, str>>, at: usize) {
        self.tokens.push(Token {
            kind,
            text: text.into(),
            at: u32::try_from(at).unwrap_or(u32::MAX),
            skip: 0,
        });
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads one token, comment or run of white space; always goes on by at least one character.
    fn step(&mut self) {
        let (rest, start) = (self.rest(), self.at);
        let bytes = rest.as_bytes();
        match bytes[0] {
            b if b.is_ascii_whitespace() => self.at += 1,
            b'/' if bytes.get(1) == Some(&b'/') => self.line_comment(),
            b'/' if bytes.get(1) == Some(&b'*') => self.block_comment(),
            b'"' => self.string(0),
            b'b' | b'c' | b'r' if self.prefixed() => {}
            b'\'' => self.quote(),
            b if b.is_ascii_digit() => {
                self.at += number_length(bytes);
                self.push(Kind::Literal, &self.text[start..self.at], start);
            }
            b'(' | b'[' | b'{' => {
                self.at += 1;
                self.push(Kind::Open, &rest[..1], start);
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                self.push(Kind::Close, &rest[..1], start);
            }
            _ => {
                let length = word_length(rest);
                if length > 0 {
                    self.at += length;
                    self.push(Kind::Ident, &rest[..length], start);
                } else {
                    let Some(char) = rest.chars().next() else { return };
                    self.at += char.len_utf8();
                    if !char.is_whitespace() {
                        let joint = self.rest().bytes().next().is_some_and(is_mark);
                        self.push(Kind::Punct(joint), &rest[..char.len_utf8()], start);
                    }
                }
            }
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        let line = self.rest().split('\n').next().unwrap_or_default();
        self.at += line.len();
        if line.starts_with("///") && !line.starts_with("////") {
            self.doc(start, line[3..].trim_end_matches('\r'));
        }
    }

    fn block_comment(&mut self) {
        let (start, bytes) = (self.at, self.text.as_bytes());
        let mut depth = 0usize;
        while self.at < bytes.len() {
            if bytes[self.at..].starts_with(b"/*") {
                depth += 1;
                self.at += 2;
            } else if bytes[self.at..].starts_with(b"*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                self.at += 1;
            }
        }
        let comment = &self.text[start..self.at];
        if comment.starts_with("/**") && !comment.starts_with("/***") && comment.len() > 4 {
            self.doc(start, comment[3..].trim_end_matches("*/"));
        }
    }

    fn doc(&mut self, at: usize, text: &'a str) {
        self.push(Kind::Punct(false), "#", at);
        self.push(Kind::Open, "[", at);
        self.push(Kind::Ident, "doc", at);
        self.push(Kind::Punct(false), "=", at);
        self.push(Kind::Doc, text, at);
        self.push(Kind::Close, "]", at);
    }

    /// A string with a prefix, a byte, or a raw identifier. `false` when the letter starts a plain word.
    fn prefixed(&mut self) -> bool {
        let bytes = self.rest().as_bytes();
        let letters = bytes
            .iter()
            .take(2)
            .take_while(|byte| matches!(byte, b'b' | b'c' | b'r'))
            .count();
        match bytes.get(letters) {
            Some(b'"') => {
                if bytes[letters - 1] == b'r' {
                    self.raw_string(letters);
                } else {
                    self.string(letters);
                }
            }
            Some(b'#') if bytes[letters - 1] == b'r' => {
                let hashes = bytes[letters..].iter().take_while(|&&byte| byte == b'#').count();
                if bytes.get(letters + hashes) == Some(&b'"') {
                    self.raw_string(letters);
                } else {
                    let start = self.at + letters + 1;
                    let length = word_length(&self.text[start..]);
                    if letters != 1 || length == 0 {
                        return false;
                    }
                    let at = self.at;
                    self.at = start + length;
                    self.push(Kind::Ident, &self.text[at..self.at], at);
                }
            }
            Some(b'\'') if letters == 1 && bytes[0] == b'b' => {
                let start = self.at;
                self.at += 1;
                self.quote();
                if let Some(token) = self.tokens.last_mut() {
                    token.text = Cow::Borrowed(&self.text[start..self.at]);
                }
            }
            _ => return false,
        }
        true
    }

    fn string(&mut self, prefix: usize) {
        let (start, bytes) = (self.at, self.text.as_bytes());
        self.at += prefix + 1;
        while self.at < bytes.len() {
            match bytes[self.at] {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.literal(start);
    }

    fn raw_string(&mut self, prefix: usize) {
        let start = self.at;
        let body = &self.text[start + prefix..];
        let hashes = body.bytes().take_while(|&byte| byte == b'#').count();
        let end = format!("\"{}", &body[..hashes]);
        let length = body[hashes + 1..]
            .find(&end)
            .map_or(body.len(), |at| hashes + 1 + at + end.len());
        self.at = start + prefix + length;
        self.literal(start);
    }

    /// A character or a lifetime.
    fn quote(&mut self) {
        let start = self.at;
        let rest = &self.rest()[1..];
        let word = word_length(rest);
        if word > 0 && !rest[word..].starts_with('\'') {
            self.at += 1 + word;
            self.push(Kind::Lifetime, &self.text[start..self.at], start);
            return;
        }
        let mut chars = rest.char_indices();
        let end = match chars.next() {
            Some((_, '\\')) => {
                chars.next();
                chars
                    .find(|&(_, char)| char == '\'' || char == '\n')
                    .map(|(at, _)| at + 1)
            }
            Some(_) => chars.next().filter(|&(_, char)| char == '\'').map(|(at, _)| at + 1),
            None => None,
        };
        self.at += 1 + end.unwrap_or(0);
        self.literal(start);
    }

    fn literal(&mut self, start: usize) {
        self.at = self.at.min(self.text.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        self.push(Kind::Literal, &self.text[start..self.at], start);
    }
}

fn is_mark(byte: u8) -> bool {
    byte.is_ascii_punctuation() && !matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'\'' | b'_')
}

fn word_length(text: &str) -> usize {
    text.char_indices()
        .find(|&(at, char)| {
            !(char == '_'
                || if at == 0 {
                    char.is_alphabetic()
                } else {
                    char.is_alphanumeric()
                })
        })
        .map_or(text.len(), |(at, _)| at)
}

fn number_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let exponent = matches!(byte, b'+' | b'-')
            && length > 0
            && matches!(bytes[length - 1], b'e' | b'E')
            && !bytes.starts_with(b"0x");
        let point = byte == b'.' && bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        if byte.is_ascii_alphanumeric() || byte == b'_' || exponent || point {
            length += 1;
        } else {
            break;
        }
    }
    length
}

/// The text of `tokens`, which lexes to the same tokens again, and where each of them starts in it.
pub(super) fn render(tokens: &[Token<'_>]) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::with_capacity(tokens.len()));
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        // Marks that touched each other where they were written, not those that a macro brought together.
        let touches = |before: &Token<'_>| {
            let neighbours =
                before.at == u32::MAX && token.at == u32::MAX || before.at.checked_add(1) == Some(token.at);
            matches!(before.kind, Kind::Punct(true)) && matches!(token.kind, Kind::Punct(_)) && neighbours
        };
        if before.is_some_and(|before| !touches(before)) {
            text.push(' ');
        }
        before = Some(token);
        starts.push(text.len());
        match token.kind {
            Kind::Doc => {
                let _ = write!(text, "{:?}", token.text);
            }
            _ => text.push_str(&token.text),
        }
    }
    (text, starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        lex(text).iter().map(|token| token.text.to_string()).collect()
    }

    #[test]
    fn tokens_are_read_as_rust_does() {
        let table: [(&str, &[&str]); 12] = [
            ("a::b", &["a", ":", ":", "b"]),
            (
                "'a 'b' '\\'' b'x' '\\u{41}'",
                &["'a", "'b'", "'\\''", "b'x'", "'\\u{41}'"],
            ),
            (
                r##"r#"a"b"# r"c" b"d" c"e" br"f""##,
                &[r##"r#"a"b"#"##, "r\"c\"", "b\"d\"", "c\"e\"", "br\"f\""],
            ),
            (r#""a\"b" x"#, &[r#""a\"b""#, "x"]),
            ("r#type break_ r", &["r#type", "break_", "r"]),
            (
                "1.5e-3 0x1f 1..2 1_000u64",
                &["1.5e-3", "0x1f", "1", ".", ".", "2", "1_000u64"],
            ),
            ("a /* b /* c */ d */ e // f", &["a", "e"]),
            ("/// doc\nx", &["#", "[", "doc", "=", " doc", "]", "x"]),
            ("/** doc */x //// no", &["#", "[", "doc", "=", " doc ", "]", "x"]),
            ("$x:ty => {}", &["$", "x", ":", "ty", "=", ">", "{", "}"]),
            ("'", &["'"]),
            ("\"open", &["\"open"]),
        ];
        for (text, expected) in table {
            assert_eq!(texts(text), expected, "{text}");
        }
    }

    #[test]
    fn groups_know_their_ends_even_when_they_are_wrong() {
        let tokens = lex("a ( b [ c ) d ] {");
        assert_eq!(tokens[1].skip, 4);
        assert_eq!(after(&tokens, 1), 6);
        assert_eq!(inside(&tokens, 1).len(), 3);
        assert_eq!(after(&tokens, 8), tokens.len());
        assert!(marks(&lex("=>"), 0, "=>") && !marks(&lex("= >"), 0, "=>"));
    }

    #[test]
    fn values_lose_their_escapes() {
        for (text, value) in [
            (r#""a\n\u{41}\x42\\""#, "a\nAB\\"),
            (r##"r#"a\n"#"##, "a\\n"),
            ("\"a\\\n   b\"", "ab"),
            ("///  x", "  x"),
        ] {
            let tokens = lex(text);
            assert_eq!(tokens.iter().find_map(string_value).as_deref(), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_rendered_lexes_to_the_same() {
        let text =
            "#[serde(rename = \"a\")] pub enum A<'a> { B(Vec<Option<&'a str>>), r#C => \"x\" ..= 1.0 }\n/// \"d\"\nx";
        let tokens = lex(text);
        let (rendered, starts) = render(&tokens);
        let again = lex(&rendered);
        assert_eq!(starts.len(), again.len());
        for (old, new) in tokens.iter().zip(&again) {
            assert!(
                old.text == new.text || string_value(old) == string_value(new),
                "{old:?} {new:?}"
            );
        }
    }

    #[test]
    fn no_prefix_panics() {
        let text = "/** é */ r#\"é\"# 'é' b'\\'' \"\\é\" r#é /* /* */ x::<'a>() 1e 1.é \u{2028} $(é),*";
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            let _ = render(&lex(&text[..end]));
            let _ = lex(&text[end..]);
        }
    }
}
