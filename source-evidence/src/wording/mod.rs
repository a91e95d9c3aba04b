//! Findings in words, in one place: what changed, whom it hurts, what to do. Reports, issue texts, cards and the table of
//! `run` use the same sentences.
//!
//! A sentence is a list of [`Word`]s, because what comes from outside (names, types, values) must be escaped in another
//! way in Markdown, in a card and on a terminal. Its templates are in `table.rs`, one line a rule.

mod table;

use std::fmt;

use agent_contracts_wire::{Direction, Domain, Finding};
use serde_json::Value;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Ours. Needs no escaping beyond that of the format.
    Text(String),
    /// From outside: a name, a type, a value. To be shown as code.
    Code(String),
}

/// A sentence. `Display` writes it for a terminal, code between backticks, and nothing that could move the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Word>);

/// One finding in words. No sentence ends in a full stop, so that they can be joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// What changed: "`turn.completed` gains `usage.cache_write_input_tokens` (number)".
    pub what: Words,
    /// Whom it hurts: who does what.
    pub hurts: &'static str,
    /// What to do.
    pub todo: &'static str,
}

/// Longest value inside a sentence, in characters.
const LONGEST: usize = 60;

/// One finding in words.
#[must_use]
pub fn wording(finding: &Finding) -> Wording {
    let row = table::row_of(&finding.rule);
    let input = finding.direction == Direction::Input;
    Wording {
        what: fill(row.map_or(table::UNKNOWN_RULE, |row| row.what), finding),
        hurts: hurts(finding.domain, input),
        todo: row.map_or(table::LOOK, |row| if input { row.todo_input } else { row.todo }),
    }
}

fn hurts(domain: Domain, input: bool) -> &'static str {
    match (domain, input) {
        (Domain::DecodeFatal, false) => "hosts with typed or exhaustive readers fail on the whole frame",
        (Domain::DecodeFatal, true) => "hosts that build requests by the old types fail",
        (Domain::SilentLoss, false) => "hosts that rely on it lose it and get no error",
        (Domain::SilentLoss, true) => "what hosts still send is ignored without an error",
        (Domain::RequestRejected, false) => "hosts that do not know it refuse it, or leave the agent waiting",
        (Domain::RequestRejected, true) => "the CLI refuses what an unchanged host sends",
        (Domain::Additive, false) => "only readers that refuse what they do not know fail",
        (Domain::Additive, true) => "nobody is hurt, it is a new possibility",
        (Domain::Cosmetic, _) => "nobody notices on the wire",
    }
}

/// Fills a template. `{name}` is a part of the finding; what stands in `[…]` is left out when one of its parts is
/// missing.
fn fill(template: &str, finding: &Finding) -> Words {
    let mut words = Words::default();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('[') {
        words.extend(before, finding);
        let (optional, tail) = after.split_once(']').unwrap_or((after, ""));
        let mut inner = Words::default();
        if inner.extend(optional, finding) {
            words.0.extend(inner.0);
        }
        rest = tail;
    }
    words.extend(rest, finding);
    words
}

impl Words {
    /// Adds a template without options; `false` when a part was missing.
    fn extend(&mut self, template: &str, finding: &Finding) -> bool {
        let mut whole = true;
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            self.text(before);
            let (name, tail) = after.split_once('}').unwrap_or((after, ""));
            match part(name, finding) {
                Some(Word::Text(text)) => self.text(&text),
                Some(code) => self.0.push(code),
                None => {
                    self.text("something");
                    whole = false;
                }
            }
            rest = tail;
        }
        self.text(rest);
        whole
    }

    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(Word::Text(last)) => last.push_str(text),
            _ => self.0.push(Word::Text(text.to_owned())),
        }
    }
}

/// A part of a finding by its name in templates.
fn part(name: &str, finding: &Finding) -> Option<Word> {
    let code = |text: &Option<String>| {
        text.clone()
            .filter(|text| !text.is_empty())
            .map(|text| Word::Code(shortened(&text)))
    };
    match name {
        "event" => code(&finding.event_type).or_else(|| code(&finding.type_name)),
        "type" => code(&finding.type_name),
        "path" => code(&finding.path).or_else(|| code(&finding.wire_name)),
        "at" => {
            // Without the form itself, which the sentence names.
            let form = finding
                .wire_name
                .as_ref()
                .map(|name| format!("[{name}]"))
                .unwrap_or_default();
            code(
                &finding
                    .path
                    .as_ref()
                    .map(|path| path.strip_suffix(&form).unwrap_or(path).to_owned()),
            )
        }
        "name" => code(&finding.wire_name).or_else(|| code(&finding.type_name)),
        "flag" => code(&finding.flag).or_else(|| code(&finding.wire_name)),
        "command" => code(&finding.command),
        "rule" => Some(Word::Code(finding.rule.clone())),
        "before" => value(&finding.before),
        "after" => value(&finding.after),
        _ => None,
    }
}

/// A value in a sentence: a plain word as it is, anything else as code.
fn value(value: &Value) -> Option<Word> {
    let text = match value {
        Value::Null => return None,
        Value::String(text) if text.is_empty() => return None,
        Value::String(text)
            if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ') && text.len() <= 24 =>
        {
            return Some(Word::Text(text.clone()));
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Some(Word::Code(shortened(&text)))
}

/// At most [`LONGEST`] characters, with an ellipsis where something was left out.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for word in &self.0 {
            match word {
                Word::Text(text) => f.write_str(text)?,
                Word::Code(text) => write!(f, "`{}`", printable(text))?,
            }
        }
        Ok(())
    }
}

/// `text` in one line, without anything that a terminal or a reader could take for a command: control characters and
/// marks that turn the direction of writing become `\u{…}`.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that do not print, or that change how their neighbours print.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}
