//! Which steps of a source a pass scans. Pure.

use std::collections::BTreeSet;

/// One version of a source, as the order of its scheme has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) version: String,
    pub(crate) prerelease: bool,
}

/// What a pass takes of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Picked {
    /// Neighbours, oldest first.
    pub(crate) steps: Vec<(String, String)>,
    /// How many more are waiting.
    pub(crate) waiting: usize,
}

/// Picks steps from `versions`, oldest first. `scanned` holds the newer version of every step that the tree has.
///
/// A source that was never scanned gives its newest step alone: a history is asked for with `scan AGENT --all`, not by
/// a first run. Afterwards every step between the newest scanned version and the newest version is taken, `at_most` in
/// one pass. Without `prereleases` they are left out where there is any stable version.
pub(crate) fn pick(versions: &[Candidate], scanned: &BTreeSet<String>, prereleases: bool, at_most: usize) -> Picked {
    let stable_only = !prereleases && versions.iter().any(|candidate| !candidate.prerelease);
    let line: Vec<&str> = versions
        .iter()
        .filter(|candidate| !stable_only || !candidate.prerelease)
        .map(|candidate| candidate.version.as_str())
        .collect();
    let newest_scanned = line.iter().rposition(|version| scanned.contains(*version));
    let start = newest_scanned.unwrap_or_else(|| line.len().saturating_sub(2));
    let steps: Vec<(String, String)> = line[start..]
        .windows(2)
        .map(|pair| (pair[0].to_owned(), pair[1].to_owned()))
        .collect();
    let waiting = steps.len().saturating_sub(at_most);
    Picked {
        steps: steps.into_iter().take(at_most).collect(),
        waiting,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(texts: &[&str]) -> Vec<Candidate> {
        texts
            .iter()
            .map(|text| Candidate {
                version: (*text).to_owned(),
                prerelease: text.contains('-'),
            })
            .collect()
    }

    fn steps(texts: &[&str], scanned: &[&str]) -> Vec<(String, String)> {
        let scanned = scanned.iter().map(|text| (*text).to_owned()).collect();
        pick(&versions(texts), &scanned, false, 10).steps
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected
            .iter()
            .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
            .collect()
    }

    #[test]
    fn a_first_run_takes_the_last_two_stable_versions() {
        assert_eq!(
            steps(&["1.0.0", "1.1.0", "1.2.0", "1.3.0-rc.1"], &[]),
            pairs(&[("1.1.0", "1.2.0")])
        );
        assert_eq!(steps(&["1.0.0"], &[]), pairs(&[]));
        assert_eq!(steps(&[], &[]), pairs(&[]));
    }

    #[test]
    fn a_line_of_prereleases_alone_is_read_as_it_is() {
        assert_eq!(
            steps(&["1.0.0-rc.1", "1.0.0-rc.2"], &[]),
            pairs(&[("1.0.0-rc.1", "1.0.0-rc.2")])
        );
    }

    #[test]
    fn prereleases_are_steps_when_they_are_asked_for() {
        let picked = pick(&versions(&["1.0.0", "1.1.0-rc.1"]), &BTreeSet::new(), true, 10);
        assert_eq!(picked.steps, pairs(&[("1.0.0", "1.1.0-rc.1")]));
    }

    #[test]
    fn later_runs_take_every_step_since_the_newest_scanned() {
        let all = ["1.0.0", "1.1.0", "1.2.0", "1.3.0"];
        assert_eq!(
            steps(&all, &["1.1.0"]),
            pairs(&[("1.1.0", "1.2.0"), ("1.2.0", "1.3.0")])
        );
        assert_eq!(steps(&all, &["1.3.0"]), pairs(&[]), "nothing is scanned twice");
    }

    #[test]
    fn a_long_gap_is_taken_in_parts_and_says_so() {
        let all: Vec<String> = (0..20).map(|minor| format!("1.{minor}.0")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let picked = pick(&versions(&all), &BTreeSet::from(["1.0.0".to_owned()]), false, 10);
        assert_eq!((picked.steps.len(), picked.waiting), (10, 9));
        assert_eq!(picked.steps[0], ("1.0.0".to_owned(), "1.1.0".to_owned()));
    }
}
