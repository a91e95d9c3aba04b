//! Progress on stderr, on a terminal only.

use indicatif::{ProgressBar, ProgressStyle};

/// One bar: what is done, how far, and what ended last.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar over `total` things; drawn only where stderr is a terminal.
    pub(crate) fn new(what: &'static str, total: usize) -> Self {
        let bar = ProgressBar::new(total as u64);
        if let Ok(style) = ProgressStyle::with_template("{prefix:>9} [{bar:30}] {pos}/{len} {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(what);
        Self(bar)
    }

    /// One more is done.
    pub(crate) fn step(&self, name: &str) {
        self.0.set_message(name.to_owned());
        self.0.inc(1);
    }

    /// So many are done of all.
    pub(crate) fn at(&self, done: usize, all: usize, name: &str) {
        self.0.set_length(all as u64);
        self.0.set_position(done as u64);
        self.0.set_message(name.to_owned());
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }
}
