//! The only place that writes to stdout and stderr.

use std::io::{self, IsTerminal, Write};

use comfy_table::presets;
use comfy_table::{ContentArrangement, Table};
use serde::Serialize;

/// Writes `text` to stdout, with a newline at the end.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes `value` to stdout as one JSON document.
pub(crate) fn json<T: Serialize>(value: &T) -> io::Result<()> {
    text(&serde_json::to_string_pretty(value)?)
}

/// A line for people, on stderr.
pub(crate) fn note(text: &str) {
    // A closed stderr is no reason to stop the work.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// An error and its causes, on stderr. A cause that the error has told already is not told again.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut told = error.to_string();
    note(&format!("error: {told}"));
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !told.contains(&cause) {
            note(&format!("  because {cause}"));
            told = cause;
        }
    }
}

/// Whether the reader of our stdout went away, which is how `… | head` ends and no failure.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Rows under a header, columns set apart by blanks. On a terminal it is as wide as that; in a pipe no line is broken.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    if let Some((width, _)) = io::stdout().is_terminal().then(terminal_size::terminal_size).flatten() {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width.0);
    }
    table.add_rows(rows);
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned())
        .collect();
    lines.join("\n") + "\n"
}
