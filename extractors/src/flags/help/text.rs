//! A help text as plain lines: without colours, frames and tabs.

use std::sync::LazyLock;

use regex::Regex;

/// A line longer than this is no line of a help text.
pub(super) const MAX_LINE: usize = 2000;
/// The largest help text, in bytes. Those of 100 subcommands in one file have 300 KB.
pub(super) const MAX_TEXT: usize = 1 << 20;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u32,
    /// What stands in it, without the blanks around it.
    pub(super) text: String,
    /// How many columns stand before it.
    pub(super) indent: usize,
    /// It stood in a frame, where columns are told by gaps.
    pub(super) framed: bool,
}

/// The lines of a text, and the numbers of those that are too long to be read.
pub(super) fn lines(text: &str) -> (Vec<Line>, Vec<u32>) {
    let mut lines = Vec::new();
    let mut long = Vec::new();
    for (number, raw) in (1..).zip(text.lines()) {
        if raw.len() > MAX_LINE {
            long.push(number);
            continue;
        }
        lines.push(line(number, raw));
    }
    (lines, long)
}

fn line(number: u32, raw: &str) -> Line {
    let plain = plain(raw);
    let framed = plain.contains(['│', '┃', '╭', '╰', '┏', '┗', '║'])
        || plain.trim_start().starts_with('|') && plain.trim_end().ends_with('|');
    let mut columns = String::new();
    for letter in plain.chars() {
        match letter {
            '\t' => {
                let width = 8 - columns.chars().count() % 8;
                columns.extend(std::iter::repeat_n(' ', width.max(2)));
            }
            // Frames: lines, corners, and what is drawn with them; and a blank that does not break.
            '\u{a0}' | '\u{2500}'..='\u{257f}' => columns.push(' '),
            '|' if framed => columns.push(if columns.trim().is_empty() { ' ' } else { '|' }),
            letter if letter.is_control() => {}
            letter => columns.push(letter),
        }
    }
    let text = columns.trim();
    Line {
        number,
        indent: columns.chars().take_while(|letter| *letter == ' ').count(),
        text: text.to_owned(),
        framed,
    }
}

/// Without escape sequences of a terminal and letters that were struck over.
fn plain(raw: &str) -> String {
    static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|\x1b[ -/]+[0-~]").ok()
    });
    let text = match ESCAPES.as_ref() {
        Some(escapes) => escapes.replace_all(raw, ""),
        None => raw.into(),
    };
    let mut plain = String::new();
    for letter in text.chars() {
        if letter == '\u{8}' {
            plain.pop();
        } else {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_is_told_is_no_text() {
        for (raw, text, indent) in [
            ("  \x1b[1;32m--model\x1b[0m <ID>", "--model <ID>", 2),
            ("  \x1b]8;;http://x\x1b\\--model\x1b]8;;\x1b\\", "--model", 2),
            ("-\u{8}-m\u{8}mo\u{8}o", "-mo", 0),
            ("│ --model  -m  TEXT │", "--model  -m  TEXT", 2),
            ("\t--model", "--model", 8),
            ("  -m\u{a0}x", "-m x", 2),
        ] {
            let line = line(1, raw);
            assert_eq!((line.text.as_str(), line.indent), (text, indent), "{raw:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_left_out() {
        let text = format!("a\n{}\nb", "x".repeat(MAX_LINE + 1));
        let (lines, long) = lines(&text);
        assert_eq!((lines.len(), long), (2, vec![2]));
    }
}
