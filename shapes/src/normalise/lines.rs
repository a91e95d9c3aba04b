//! Lines from chunks, wherever those are cut. The memory for one line is bounded.

/// The unfinished line of one pipe.
#[derive(Debug, Default)]
pub(super) struct Lines {
    rest: Vec<u8>,
    /// The line has become too long; it is skipped to its end.
    skipped: Option<u64>,
}

/// A line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Text(&'a [u8]),
    /// So many bytes, more than a line may have.
    TooLong(u64),
}

impl Lines {
    /// Gives every line that the chunk finishes.
    pub(super) fn push(&mut self, mut chunk: &[u8], limit: usize, mut line: impl FnMut(Line<'_>)) {
        while let Some(at) = chunk.iter().position(|byte| *byte == b'\n') {
            let (head, tail) = chunk.split_at(at);
            chunk = &tail[1..];
            if self.rest.is_empty() && self.skipped.is_none() && head.len() <= limit {
                line(Line::Text(head));
            } else {
                self.keep(head, limit);
                self.finish(&mut line);
            }
        }
        self.keep(chunk, limit);
    }

    /// Gives the last line, which has no end.
    pub(super) fn finish(&mut self, mut line: impl FnMut(Line<'_>)) {
        match self.skipped.take() {
            Some(bytes) => line(Line::TooLong(bytes)),
            None => line(Line::Text(&self.rest)),
        }
        self.rest.clear();
    }

    fn keep(&mut self, piece: &[u8], limit: usize) {
        let bytes = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        match &mut self.skipped {
            Some(skipped) => *skipped = skipped.saturating_add(bytes),
            None if self.rest.len() + piece.len() > limit => {
                self.skipped = Some(bytes.saturating_add(self.rest.len() as u64));
                self.rest = Vec::new();
            }
            None => self.rest.extend_from_slice(piece),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(chunks: &[&[u8]], limit: usize) -> Vec<String> {
        let mut all = Vec::new();
        let mut add = |line: Line<'_>| match line {
            Line::Text(text) => all.push(String::from_utf8_lossy(text).into_owned()),
            Line::TooLong(bytes) => all.push(format!("<{bytes}>")),
        };
        let mut lines = Lines::default();
        for chunk in chunks {
            lines.push(chunk, limit, &mut add);
        }
        lines.finish(&mut add);
        all
    }

    #[test]
    fn a_line_that_is_too_long_is_counted_and_the_next_is_read() {
        assert_eq!(lines(&[b"ab", b"cd", b"e\nfg\nh"], 4), ["<5>", "fg", "h"]);
        assert_eq!(lines(&[b"abcdefgh\nx"], 4), ["<8>", "x"]);
        assert_eq!(lines(&[b"a\n\nb\n"], 4), ["a", "", "b", ""]);
    }

    proptest! {
        #[test]
        fn chunks_say_nothing(text in "[a-c\n]{0,40}", cuts in prop::collection::vec(0usize..40, 0..6), limit in 1usize..8) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let mut chunks = Vec::new();
            let mut from = 0;
            for cut in cuts.into_iter().chain([text.len()]) {
                chunks.push(&text.as_bytes()[from..cut]);
                from = cut;
            }
            prop_assert_eq!(lines(&chunks, limit), lines(&[text.as_bytes()], limit));
        }
    }
}
