//! Ranges of versions: what they hold, and whether two of them touch. The order is that of the agent's scheme.

use std::cmp::Ordering;

use agent_contracts_wire::formats::{CliVersion, VersionRange};
use agent_contracts_wire::version::VersionScheme;

/// A range, ready to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range<'r> {
    bounds: Vec<(Op, &'r str)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Is,
    From,
    After,
    To,
    Before,
}

impl<'r> Range<'r> {
    /// Reads a range.
    #[must_use]
    pub fn of(range: &'r VersionRange) -> Self {
        let bound = |part: &'r str| {
            [
                (">=", Op::From),
                ("<=", Op::To),
                (">", Op::After),
                ("<", Op::Before),
                ("=", Op::Is),
            ]
            .into_iter()
            .find_map(|(sign, op)| part.strip_prefix(sign).map(|version| (op, version)))
            .unwrap_or((Op::Is, part))
        };
        Self {
            bounds: range.as_str().split(' ').map(bound).collect(),
        }
    }

    /// The version, when it is exactly one.
    #[must_use]
    pub fn exact(&self) -> Option<&'r str> {
        match self.bounds.as_slice() {
            [(Op::Is, version)] => Some(version),
            _ => None,
        }
    }

    /// The first version that it names, by which ranges are sorted.
    #[must_use]
    pub fn first(&self) -> &'r str {
        self.bounds.first().map_or("", |(_, version)| version)
    }

    /// Whether the version is in it. Prereleases are in a range as their order says; whether a claim may speak of them
    /// is another question.
    #[must_use]
    pub fn holds(&self, scheme: VersionScheme, version: &str) -> bool {
        self.bounds.iter().all(|(op, bound)| {
            let order = order(scheme, version, bound);
            match op {
                Op::Is => order.is_eq(),
                Op::From => order.is_ge(),
                Op::After => order.is_gt(),
                Op::To => order.is_le(),
                Op::Before => order.is_lt(),
            }
        })
    }

    /// Whether anything in it may lie between two versions, both included.
    #[must_use]
    pub fn touches(&self, scheme: VersionScheme, from: &str, to: &str) -> bool {
        self.bounds.iter().all(|(op, bound)| match op {
            Op::Is => order(scheme, bound, from).is_ge() && order(scheme, bound, to).is_le(),
            Op::From | Op::After => order(scheme, bound, to).is_le(),
            Op::To | Op::Before => order(scheme, bound, from).is_ge(),
        })
    }

    /// Whether some version can be in it at all.
    #[must_use]
    pub fn is_possible(&self, scheme: VersionScheme) -> bool {
        let lower = self.bounds.iter().filter(|(op, _)| matches!(op, Op::From | Op::After));
        lower.clone().all(|(low, from)| {
            let upper = self.bounds.iter().filter(|(op, _)| matches!(op, Op::To | Op::Before));
            upper.clone().all(|(high, to)| match order(scheme, from, to) {
                Ordering::Less => true,
                Ordering::Equal => *low == Op::From && *high == Op::To,
                Ordering::Greater => false,
            })
        })
    }
}

/// The order of two versions; two writings of one version (`1.27` and `1.27.0`) are equal.
#[must_use]
pub fn order(scheme: VersionScheme, a: &str, b: &str) -> Ordering {
    let text = |version: &str| scheme.read(version).map(|read| read.text);
    match (text(a), text(b)) {
        (Some(a), Some(b)) if a == b => Ordering::Equal,
        _ => scheme.compare(a, b),
    }
}

/// Exactly this version.
#[must_use]
pub fn exactly(version: &CliVersion) -> Option<VersionRange> {
    version.as_str().parse().ok()
}

/// From one version to another, both included.
#[must_use]
pub fn span(from: &CliVersion, to: &CliVersion) -> Option<VersionRange> {
    format!(">={from} <={to}").parse().ok()
}

/// Everything before a version.
#[must_use]
pub fn before(version: &CliVersion) -> Option<VersionRange> {
    format!("<{version}").parse().ok()
}

/// Everything after a version.
#[must_use]
pub fn after(version: &CliVersion) -> Option<VersionRange> {
    format!(">{version}").parse().ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn what_a_range_holds() {
        for (range, version, holds) in [
            ("0.133.0", "0.133.0", true),
            ("0.133.0", "0.133.1", false),
            ("=1.27", "1.27.0", true),
            (">=0.133.0 <0.140.0", "0.133.0", true),
            (">=0.133.0 <0.140.0", "0.139.9", true),
            (">=0.133.0 <0.140.0", "0.140.0", false),
            (">=0.133.0 <=0.140.0", "0.140.0", true),
            (">0.133.0", "0.133.0", false),
            (">0.133.0", "0.134.0-alpha.1", true),
            ("<0.44.0", "0.9.0", true),
            ("<0.44.0", "0.44.0", false),
        ] {
            let range: VersionRange = range.parse().unwrap();
            let found = Range::of(&range).holds(VersionScheme::Semver, version);
            assert_eq!(found, holds, "{version} in {range}");
        }
    }

    #[test]
    fn what_a_range_touches_and_whether_it_can_hold_anything() {
        let touches = |range: &str, from: &str, to: &str| {
            Range::of(&range.parse().unwrap()).touches(VersionScheme::Semver, from, to)
        };
        assert!(touches("0.134.0", "0.133.0", "0.135.0"));
        assert!(!touches("0.136.0", "0.133.0", "0.135.0"));
        assert!(touches(">=0.134.0", "0.133.0", "0.135.0"));
        assert!(touches("<0.134.0", "0.133.0", "0.135.0"));
        assert!(!touches("<0.132.0", "0.133.0", "0.135.0"));
        assert!(!touches(">=0.136.0 <0.140.0", "0.133.0", "0.135.0"));
        let possible = |range: &str| Range::of(&range.parse().unwrap()).is_possible(VersionScheme::Semver);
        assert!(possible(">=1.0.0 <=1.0.0") && possible("1.0.0") && possible(">1.0.0 <2.0.0"));
        assert!(!possible(">=2.0.0 <1.0.0") && !possible(">1.0.0 <=1.0.0"));
    }
}
