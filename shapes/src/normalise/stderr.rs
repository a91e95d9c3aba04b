//! What standard error was about.
//!
//! One line has one class; the gravest class of all lines is that of the stream. A process that ended well was not
//! hindered by what it complained of: then its complaints are diagnostics. Sanitised transcripts keep the class of a line
//! whose text they replace, as `<stderr:auth>`; a line of which nothing is left is `unknown`.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use crate::shape::{Exit, StderrClass};

/// Of a longer line only the beginning is looked at.
const MAX_LINE: usize = 16 << 10;

/// Phrases by class, the gravest first. Gathered from the error probes of the runtimes.
const PHRASES: [(StderrClass, &str); 4] = [
    (
        StderrClass::Auth,
        r"\b401\b|unauthori[sz]ed|unauthenticated|not (logged|signed) in|(log|sign) ?in (with|to|again|required)|please (log|sign) ?in|/login\b|authenticat(e|ion)|no auth provided|(invalid|missing|no|incorrect) (api|access)[ _-]?(key|token)|api key (not|is|was) |credential|token (has )?expired",
    ),
    (
        StderrClass::Quota,
        r"\b429\b|rate.?limit|too many requests|quota|insufficient (balance|funds|credit)|billing|usage limit|credits? (exhausted|required)",
    ),
    (
        StderrClass::Upstream,
        r"\b(500|502|503|504|529)\b|bad gateway|gateway timeout|service unavailable|internal server error|overloaded|high demand|at capacity|stream (disconnected|closed)|connection (refused|reset|dropped|closed|error|failed)|econn(refused|reset|aborted)|etimedout|enotfound|eai_again|fetch failed|network ?(error|attempt)|could(n't| not) connect|socket (hang up|connection was closed)|dns|tls handshake|timed? ?out|no route to host|broken pipe",
    ),
    (
        StderrClass::Protocol,
        r"unexpected argument|unknown (option|argument|flag|command|variant)|unrecogni[sz]ed (option|argument|flag|subcommand|command)|invalid (option|argument|flag|value|request|params)|failed to parse|could not parse|parse error|unexpected (token|end of json)|json-?rpc|protocol (error|version)|\busage:",
    ),
];

static CLASSES: LazyLock<Option<RegexSet>> =
    LazyLock::new(|| RegexSet::new(PHRASES.map(|(_, phrases)| format!("(?i){phrases}"))).ok());

/// A line of a log at a level that nobody looks at.
static DEBUG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)^[\[\s\d:.TZ+|-]*\[?(debug|trace|verbose)\b").ok());

/// The class of one line, [`StderrClass::None`] when it is blank.
#[must_use]
pub fn class_of_line(line: &str) -> StderrClass {
    let line = line.trim();
    if line.is_empty() {
        return StderrClass::None;
    }
    if let Some(kept) = kept_class(line) {
        return kept;
    }
    let mut end = line.len().min(MAX_LINE);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let line = &line[..end];
    if DEBUG.as_ref().is_some_and(|debug| debug.is_match(line)) {
        return StderrClass::Debug;
    }
    let first = CLASSES
        .as_ref()
        .and_then(|classes| classes.matches(line).into_iter().next());
    first.map_or(StderrClass::Diagnostic, |first| PHRASES[first].0)
}

/// What a sanitiser writes in place of a line of this class.
#[must_use]
pub fn placeholder(class: StderrClass) -> String {
    format!("<stderr:{}>", word(class))
}

/// The class that a placeholder keeps. One that keeps none, such as `<text>`, says only that there was something.
fn kept_class(line: &str) -> Option<StderrClass> {
    let inside = line.strip_prefix('<')?.strip_suffix('>')?;
    if inside.contains(['<', '>', ' ']) {
        return None;
    }
    let class = inside.strip_prefix("stderr:").and_then(|kept| {
        ALL.iter()
            .copied()
            .find(|class| word(*class) == kept && *class != StderrClass::None)
    });
    Some(class.unwrap_or(StderrClass::Unknown))
}

/// The classes, the lightest first.
const ALL: [StderrClass; 8] = [
    StderrClass::None,
    StderrClass::Debug,
    StderrClass::Unknown,
    StderrClass::Diagnostic,
    StderrClass::Protocol,
    StderrClass::Upstream,
    StderrClass::Quota,
    StderrClass::Auth,
];

fn weight(class: StderrClass) -> usize {
    ALL.iter().position(|one| *one == class).unwrap_or(0)
}

fn word(class: StderrClass) -> &'static str {
    match class {
        StderrClass::None => "none",
        StderrClass::Diagnostic => "diagnostic",
        StderrClass::Auth => "auth",
        StderrClass::Quota => "quota",
        StderrClass::Upstream => "upstream",
        StderrClass::Protocol => "protocol",
        StderrClass::Debug => "debug",
        StderrClass::Unknown => "unknown",
    }
}

/// The class of a stream, line by line.
#[derive(Debug, Default)]
pub(super) struct Stderr {
    gravest: StderrClass,
}

impl Stderr {
    pub(super) fn line(&mut self, bytes: &[u8]) {
        let class = class_of_line(&String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_LINE)]));
        self.add(class);
    }

    pub(super) fn add(&mut self, class: StderrClass) {
        if weight(class) > weight(self.gravest) {
            self.gravest = class;
        }
    }

    /// The class of it all, for a process that ended like this.
    pub(super) fn class(&self, exit: Exit) -> StderrClass {
        match self.gravest {
            StderrClass::Auth | StderrClass::Quota | StderrClass::Upstream | StderrClass::Protocol
                if exit == Exit::Success =>
            {
                StderrClass::Diagnostic
            }
            class => class,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_class_of_its_cause() {
        for (line, class) in [
            ("", StderrClass::None),
            ("  \t ", StderrClass::None),
            ("Reading prompt from stdin...", StderrClass::Diagnostic),
            ("Not logged in", StderrClass::Auth),
            ("[API Error: 401 Incorrect API key provided]", StderrClass::Auth),
            ("Error: No authentication information found.", StderrClass::Auth),
            (
                "\u{274c} No auth provided. Please log in with `auggie login`",
                StderrClass::Auth,
            ),
            (
                "Quota exceeded. Check your plan and billing details.",
                StderrClass::Quota,
            ),
            (
                "exceeded retry limit, last status: 429 Too Many Requests",
                StderrClass::Quota,
            ),
            ("stream disconnected before completion", StderrClass::Upstream),
            ("Couldn't connect to the Amp server", StderrClass::Upstream),
            ("error: unexpected argument '--x' found", StderrClass::Protocol),
            ("error: unknown option '--x'", StderrClass::Protocol),
            ("Unknown arguments: x", StderrClass::Protocol),
            (
                "2026-12-01T10:00:00Z ERROR codex_core: failed to refresh available models",
                StderrClass::Diagnostic,
            ),
            ("[DEBUG] 401 came back", StderrClass::Debug),
            ("2026-12-01T10:00:00.1Z TRACE http: x", StderrClass::Debug),
            ("<text>", StderrClass::Unknown),
            ("<stderr:quota>", StderrClass::Quota),
            ("<stderr:nothing>", StderrClass::Unknown),
            ("<path> is not there", StderrClass::Diagnostic),
        ] {
            assert_eq!(class_of_line(line), class, "{line}");
        }
    }

    #[test]
    fn a_placeholder_keeps_its_class() {
        for class in ALL.into_iter().skip(1) {
            assert_eq!(class_of_line(&placeholder(class)), class);
        }
    }

    #[test]
    fn the_gravest_line_counts_unless_all_ended_well() {
        let mut stderr = Stderr::default();
        stderr.line(b"Reading prompt from stdin...");
        stderr.line(b"ERROR: 503 Service Unavailable");
        stderr.line(b"\xff\xfe");
        assert_eq!(stderr.class(Exit::Nonzero), StderrClass::Upstream);
        assert_eq!(stderr.class(Exit::Success), StderrClass::Diagnostic);
    }
}
