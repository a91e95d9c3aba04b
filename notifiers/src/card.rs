//! Feishu and Lark cards, JSON 2.0.
//!
//! JSON 2.0 refuses a card with a property that it does not know, so these types hold only what its documentation lists
//! (open.feishu.cn, "Card JSON 2.0 structure"). The body of a request may have 20 KB; a card that would be larger says how
//! much it leaves out.

use std::fmt::Write as _;

use agent_contracts_source_evidence::summary;
use agent_contracts_source_evidence::wording::{Word, Words, printable, wording};
use agent_contracts_wire::{Finding, Severity};
use serde::Serialize;

use crate::alert::Risk;
use crate::{Alert, Links};

/// Bytes of a card. The request adds its own envelope and signature.
pub const BUDGET: usize = 19_000;
/// Longest single text, in characters.
const LONGEST: usize = 400;
/// Steps that are named; an agent has one or two families.
const STEPS: usize = 4;
/// Findings that are told.
const TOLD: usize = 8;

/// A card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Card {
    schema: &'static str,
    config: Config,
    header: Header,
    body: Body,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Config {
    /// The only value that JSON 2.0 takes.
    update_multi: bool,
    summary: Summary,
}

/// What the list of chats shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Summary {
    content: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Header {
    title: PlainText,
    subtitle: PlainText,
    template: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Body {
    elements: Vec<Element>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "tag", rename_all = "snake_case")]
enum Element {
    Markdown {
        content: String,
    },
    Hr {},
    Button {
        text: PlainText,
        r#type: &'static str,
        behaviors: [OpenUrl; 1],
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PlainText {
    tag: &'static str,
    content: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct OpenUrl {
    r#type: &'static str,
    default_url: String,
}

/// The card of an alert, as pretty JSON. `None` only when it is no JSON, which its types rule out.
pub fn render(alert: &Alert, links: &Links) -> serde_json::Result<String> {
    let risks = alert.risks();
    let mut told = TOLD;
    loop {
        let text = serde_json::to_string_pretty(&card(alert, links, &risks, told))? + "\n";
        // With nothing told every part has a limit of its own, and the whole is far below the budget.
        if text.len() <= BUDGET || told == 0 {
            return Ok(text);
        }
        told -= 1;
    }
}

fn card(alert: &Alert, links: &Links, risks: &[Risk<'_>], told: usize) -> Card {
    let title = cut(&printable(&format!(
        "{} {}: protocol risk",
        alert.agent.name, alert.version
    )));
    let mut elements = vec![Element::Markdown {
        content: fields(alert, links),
    }];
    elements.push(Element::Hr {});
    elements.push(Element::Markdown {
        content: changes(alert, risks, told),
    });
    elements.extend(buttons(alert, links));
    Card {
        schema: "2.0",
        config: Config {
            update_multi: true,
            summary: Summary { content: title.clone() },
        },
        header: Header {
            title: plain(title),
            subtitle: plain(alert.counts().words()),
            template: colour(alert.severity()),
        },
        body: Body { elements },
    }
}

/// The fields of the specification, one line each.
fn fields(alert: &Alert, links: &Links) -> String {
    let families: Vec<String> = alert
        .steps
        .iter()
        .take(STEPS)
        .map(|(report, _)| {
            let family = escape(report.family.as_deref().unwrap_or("unknown"));
            format!(
                "{family}, {} → {}",
                escape(&report.from.version),
                escape(&report.to.version)
            )
        })
        .collect();
    let shapes: Vec<String> = alert
        .steps
        .iter()
        .take(STEPS)
        .filter_map(|(report, _)| report.shape.as_ref())
        .map(|shape| escape(shape.signature.get(..19).unwrap_or(&shape.signature)))
        .collect();
    let shape = if shapes.is_empty() {
        String::new()
    } else {
        format!(" ({})", shapes.join(", "))
    };
    let grounding = alert
        .steps
        .first()
        .map_or("source derived only", |(report, _)| report.validity.words());
    let run = if links.capture_run.is_some() {
        "see the button"
    } else {
        "none yet, a capture is queued"
    };
    let lines = [
        (
            "Agent",
            format!("{} ({})", escape(&alert.agent.name), escape(&alert.agent.id)),
        ),
        ("CLI version", escape(&alert.version)),
        (
            "Platform",
            "all: read from source, which is the same for every platform".to_owned(),
        ),
        ("Protocol", families.join("; ")),
        ("Shape status", format!("derived, not observed{shape}")),
        ("Parser compatibility", "not run".to_owned()),
        (
            "Contract issue",
            format!("label {}, see the outbox", alert.kind().word()),
        ),
        ("Capture workflow run", run.to_owned()),
        (
            "Redaction status",
            "no capture; the source text was scanned and masked".to_owned(),
        ),
        ("Grounding", grounding.to_owned()),
    ];
    lines
        .iter()
        .map(|(name, value)| format!("**{name}:** {value}"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn changes(alert: &Alert, risks: &[Risk<'_>], told: usize) -> String {
    let mut lines = vec!["**New event types and changed fields**".to_owned()];
    lines.extend(risks.iter().take(told).map(|(_, finding)| change(finding)));
    let counts = alert.counts();
    let more = risks.len().saturating_sub(told);
    if more > 0 {
        lines.push(format!("and {more} more that are risky or breaking"));
    }
    if counts.additive > 0 {
        lines.push(format!("and {} additive", counts.additive));
    }
    lines.join("\n")
}

fn change(finding: &Finding) -> String {
    let told = wording(finding);
    format!(
        "- **{}** {}: {}",
        summary::word(finding.severity),
        words(&told.what),
        told.hurts
    )
}

fn buttons(alert: &Alert, links: &Links) -> Vec<Element> {
    let mut buttons: Vec<Element> = alert
        .steps
        .iter()
        .take(STEPS)
        .filter_map(|(report, path)| {
            let family = report.family.as_deref().unwrap_or("report");
            links.file(path).map(|url| button(&format!("Report: {family}"), url))
        })
        .collect();
    buttons.extend(links.capture_run.clone().map(|url| button("Capture run", url)));
    buttons
}

fn button(text: &str, url: String) -> Element {
    Element::Button {
        text: plain(cut(&printable(text))),
        r#type: "default",
        behaviors: [OpenUrl {
            r#type: "open_url",
            default_url: url,
        }],
    }
}

fn plain(content: String) -> PlainText {
    PlainText {
        tag: "plain_text",
        content,
    }
}

fn colour(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "red",
        Severity::Risky => "orange",
        Severity::Additive => "blue",
        Severity::None => "grey",
    }
}

fn words(sentence: &Words) -> String {
    sentence
        .0
        .iter()
        .map(|word| match word {
            Word::Text(ours) => ours.clone(),
            Word::Code(outside) => escape(outside),
        })
        .collect()
}

/// Text from outside in a card's Markdown, cut to [`LONGEST`] characters: every mark becomes the character reference that Feishu documents for it, so
/// that there is no mention, no link and no image. Names that would become links by themselves get an invisible joint.
fn escape(outside: &str) -> String {
    let mut out = String::with_capacity(outside.len());
    let mut before = ' ';
    for c in printable(&cut(outside)).chars() {
        match c {
            '/' if before == ':' => out.extend(['\u{2060}', '/']),
            '.' if before.eq_ignore_ascii_case(&'w') => out.extend(['\u{2060}', '.']),
            '&' | '<' | '>' | '*' | '~' | '[' | ']' | '(' | ')' | '#' | '`' | '_' | '!' | '\\' | '|' | '"' | '\''
            | '@' | '$' | '{' | '}' => {
                let _ = write!(out, "&#{};", u32::from(c));
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

/// At most [`LONGEST`] characters.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
