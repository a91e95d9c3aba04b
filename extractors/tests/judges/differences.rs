//! Known differences between a judge and our model, so that each is written down once and none goes stale.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A piece of text that only the sources of these rows hold, and why the model says something else.
pub(crate) type Known = (&'static str, &'static str);

/// What was found wrong, row by row.
#[derive(Default)]
pub(crate) struct Differences {
    wrong: Vec<(String, String)>,
    rows: BTreeSet<String>,
}

impl Differences {
    /// A row was judged.
    pub(crate) fn judged(&mut self, source: &str) {
        self.rows.insert(source.to_owned());
    }

    /// The judge and the model differ on a row.
    pub(crate) fn add(&mut self, source: &str, what: impl Into<String>) {
        self.wrong.push((source.to_owned(), what.into()));
    }

    /// Fails for a difference that is not known, for a known one that is no more, and for a table that shrank.
    pub(crate) fn settle(self, least: usize, known: &[Known]) {
        let mut text = String::new();
        let is_known = |source: &str| known.iter().any(|(part, _)| source.contains(part));
        let fresh: Vec<_> = self.wrong.iter().filter(|(source, _)| !is_known(source)).collect();
        let mut last = "";
        for (source, what) in &fresh {
            if source != last {
                let _ = writeln!(text, "--- {source}");
                last = source;
            }
            let _ = writeln!(text, "{what}");
        }
        for (part, why) in known {
            if !self.wrong.iter().any(|(source, _)| source.contains(part)) {
                let _ = writeln!(text, "--- no longer differs, or is no row any more: {part} ({why})");
            }
        }
        assert!(text.is_empty(), "{} differences\n{text}", fresh.len());
        assert!(self.rows.len() >= least, "the table shrank to {} rows", self.rows.len());
    }
}
