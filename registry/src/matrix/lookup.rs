//! Finding the entries that speak of a version.

use agent_contracts_wire::formats::VersionRange;
use agent_contracts_wire::version::VersionScheme;

use super::range::Range;
use crate::records::{MatrixEntry, Platform, SupportMatrix};

/// An entry that speaks of a version, by one of its ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match<'m> {
    /// Its position in the matrix.
    pub at: usize,
    /// The entry.
    pub entry: &'m MatrixEntry,
    /// The range that holds the version.
    pub range: &'m VersionRange,
    /// The range is this very version.
    pub exact: bool,
}

/// Every entry that speaks of this version on this platform. In each family, entries that name the version itself stand
/// alone: what is known of it is more than what a range around it says. A range that claims support says nothing about
/// prereleases.
#[must_use]
pub fn find<'m>(
    matrix: &'m SupportMatrix,
    agent: &str,
    scheme: VersionScheme,
    version: &str,
    platform: Platform,
) -> Vec<Match<'m>> {
    let prerelease = scheme.read(version).is_some_and(|read| read.prerelease);
    let mut found: Vec<Match<'m>> = Vec::new();
    for (at, entry) in matrix.agents.iter().enumerate() {
        if entry.agent.as_str() != agent || !entry.platforms.contains(&platform) {
            continue;
        }
        let holding = entry.version_ranges.iter().find_map(|range| {
            let read = Range::of(range);
            let exact = read.exact().is_some();
            let silent = prerelease && !exact && entry.support_status.is_support();
            (!silent && read.holds(scheme, version)).then_some(Match {
                at,
                entry,
                range,
                exact,
            })
        });
        found.extend(holding);
    }
    let exact: Vec<usize> = found.iter().filter(|one| one.exact).map(|one| one.at).collect();
    let overruled = |one: &Match<'_>| {
        !one.exact
            && exact
                .iter()
                .any(|at| matrix.agents[*at].protocol_families == one.entry.protocol_families)
    };
    let kept: Vec<Match<'m>> = found.iter().filter(|one| !overruled(one)).copied().collect();
    kept
}
