//! The entries of a help text: a left column with its description, which may be wrapped, stand on the next lines, or
//! have paragraphs.

use super::spec::{Spec, spec};
use super::text::Line;

/// One flag as the text shows it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) spec: Spec,
    pub(super) line: u32,
    /// Its description; lines are divided by `\n`.
    pub(super) description: String,
    /// Under a heading like `Global Flags:`.
    pub(super) global: bool,
}

/// Left columns that stand deeper than this are parts of a description.
const DEEPEST: usize = 20;

/// The entries, in the order of the text.
pub(super) fn entries(lines: &[Line], plain_words: bool) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // The columns where the entry that is open and its description begin.
    let mut open: Option<(usize, Option<usize>)> = None;
    let mut heading = Heading::Other;
    for line in lines {
        if line.text.is_empty() {
            continue;
        }
        if let Some(next) = Heading::of(line) {
            heading = next;
            open = None;
            continue;
        }
        if let Some((own, described)) = open
            && continues(line, own, described)
        {
            if let Some(entry) = entries.last_mut() {
                if !entry.description.is_empty() {
                    entry.description.push('\n');
                }
                entry.description.push_str(&line.text);
                open = Some((own, described.or(Some(line.indent))));
            }
            continue;
        }
        open = None;
        // What is required is starred in frames.
        let text = line.text.trim_start_matches("* ").trim_start();
        let indent = line.indent + line.text.chars().count() - text.chars().count();
        let left = (heading != Heading::Examples && (line.framed || indent <= DEEPEST))
            .then(|| spec(text, line.framed, plain_words));
        let Some(spec) = left.flatten() else { continue };
        let letters = || text.chars();
        let described = spec.rest.map(|at| indent + at);
        entries.push(Entry {
            line: line.number,
            description: spec.rest.map(|at| letters().skip(at).collect()).unwrap_or_default(),
            global: heading == Heading::Global,
            spec,
        });
        open = Some((indent, described));
    }
    entries
}

/// Whether a line goes on with the entry that is open.
fn continues(line: &Line, own: usize, described: Option<usize>) -> bool {
    let dashed = line.text.starts_with('-') && !line.text.starts_with("- ") && !line.text.starts_with("--- ");
    match described {
        // A wrapped line may begin a little before its column.
        Some(column) if dashed => line.indent >= column,
        Some(column) => line.indent > own + 2 || line.indent + 1 >= column,
        None => line.indent > own && !dashed,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    Global,
    Examples,
    Other,
}

impl Heading {
    /// What a line announces; `None` when it is no heading.
    fn of(line: &Line) -> Option<Self> {
        let text = line.text.as_str();
        let (name, colon) = match text.strip_suffix(':') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let words = name.split_whitespace().count();
        let capitals = name.to_uppercase() == name && name.chars().any(char::is_alphabetic);
        let titled = line.framed && words <= 4 && name.starts_with(char::is_uppercase) && !name.contains(['-', '.']);
        let heading = !name.starts_with('-')
            && words <= 6
            && ((colon && line.indent <= 4) || (capitals && line.indent == 0 && !line.framed) || titled);
        if !heading {
            return None;
        }
        let name = name.to_lowercase();
        Some(if name.contains("example") || name.starts_with("usage") {
            Self::Examples
        } else if name.starts_with("global ") || name.starts_with("inherited ") {
            Self::Global
        } else {
            Self::Other
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::help::text::lines;

    fn shown(text: &str) -> Vec<String> {
        let entries = entries(&lines(text).0, false);
        entries
            .into_iter()
            .map(|entry| {
                let global = if entry.global { " global" } else { "" };
                format!(
                    "{}{global}: {}",
                    entry.spec.names.join(" "),
                    entry.description.replace('\n', "/")
                )
            })
            .collect()
    }

    #[test]
    fn descriptions_are_joined() {
        let text = "Options:\n  -m, --model <M>  The model, or\n                   --none for none\n      --json       Print\n\n          --deep\n  --long <VALUE-THAT-IS-LONG>\n      Below\n\n      Possible values:\n      - a: first\n      - b\n\nGlobal Flags:\n  -h, --help  Help\nExamples:\n  --json x\n";
        assert_eq!(
            shown(text),
            [
                "-m --model: The model, or/--none for none",
                "--json: Print",
                "--deep: ",
                "--long: Below/Possible values:/- a: first/- b",
                "-h --help global: Help",
            ]
        );
    }

    #[test]
    fn frames() {
        let text = "╭─ Options ───────────╮\n│ *  --name  -n  TEXT  The name │\n│                      that counts │\n│    --json            Print │\n╰──────╯\n";
        assert_eq!(shown(text), ["--name -n: The name/that counts", "--json: Print"]);
    }
}
