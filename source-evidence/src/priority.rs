//! How urgent a capture is.

use agent_contracts_wire::Severity;
use serde::{Deserialize, Serialize};

/// Higher is more urgent. The thousands are the severity of what was found, the rest is how stale the claims are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Priority(pub u32);

/// How long a claim stays fresh, in days, by tier. Tier 2 makes no claims.
#[must_use]
pub fn fresh_days(tier: u8) -> Option<u32> {
    match tier {
        0 => Some(7),
        1 => Some(30),
        _ => None,
    }
}

/// Severity first, then staleness. `days` since the last observation, `None` when there is none: then nothing is known
/// of the agent, which counts as most stale.
#[must_use]
pub fn priority(severity: Severity, tier: u8, days: Option<u32>) -> Priority {
    let severity = match severity {
        Severity::None => 0,
        Severity::Additive => 1,
        Severity::Risky => 2,
        Severity::Breaking => 3,
    };
    // A hundred points for each term that has passed. The last hundred is kept for what was never observed.
    let staleness = match (fresh_days(tier), days) {
        (None, _) => 0,
        (Some(_), None) => 990 - 90 * u32::from(tier),
        (Some(fresh), Some(days)) => (days.saturating_mul(100) / fresh).min(899),
    };
    Priority(severity * 1000 + staleness)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severity_comes_before_staleness_and_staleness_is_measured_by_the_tier() {
        let order = [
            priority(Severity::Breaking, 1, Some(0)),
            priority(Severity::Risky, 0, None),
            priority(Severity::Risky, 1, None),
            priority(Severity::Risky, 0, Some(14)),
            priority(Severity::Risky, 1, Some(14)),
            priority(Severity::Additive, 0, Some(400)),
            priority(Severity::None, 0, Some(7)),
            priority(Severity::None, 1, Some(7)),
            priority(Severity::None, 2, None),
        ];
        for pair in order.windows(2) {
            assert!(pair[0] > pair[1], "{pair:?}");
        }
        assert_eq!(priority(Severity::Breaking, 0, Some(u32::MAX)), Priority(3899));
    }
}
