//! The only place that writes to stdout and stderr.

use std::io::{self, IsTerminal, Write};

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

/// An error and its causes, on stderr.
pub(crate) fn complain(error: &anyhow::Error) {
    note(&format!("error: {error}"));
    for cause in error.chain().skip(1) {
        note(&format!("  because {cause}"));
    }
}

/// Whether the reader of our stdout went away, which is how `… | head` ends and no failure.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Whether progress may be drawn.
pub(crate) fn draws_progress() -> bool {
    io::stderr().is_terminal()
}
