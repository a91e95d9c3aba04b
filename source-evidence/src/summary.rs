//! Findings in numbers.

use std::cmp::Reverse;

use agent_contracts_wire::{Finding, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many findings there are of each severity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are those of the severities")]
pub struct Counts {
    pub breaking: usize,
    pub risky: usize,
    pub additive: usize,
    pub none: usize,
}

impl Counts {
    /// Counts `findings`.
    #[must_use]
    pub fn of(findings: &[Finding]) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            *counts.slot(finding.severity) += 1;
        }
        counts
    }

    fn slot(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Breaking => &mut self.breaking,
            Severity::Risky => &mut self.risky,
            Severity::Additive => &mut self.additive,
            Severity::None => &mut self.none,
        }
    }

    /// How many there are of one severity.
    #[must_use]
    pub fn get(mut self, severity: Severity) -> usize {
        *self.slot(severity)
    }

    /// All of them.
    #[must_use]
    pub fn total(self) -> usize {
        self.breaking + self.risky + self.additive + self.none
    }

    /// Adds those of another step.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            breaking: self.breaking + other.breaking,
            risky: self.risky + other.risky,
            additive: self.additive + other.additive,
            none: self.none + other.none,
        }
    }

    /// `2 breaking, 1 risky`; `nothing` when all are zero.
    #[must_use]
    pub fn words(self) -> String {
        let parts: Vec<String> = SEVERITIES
            .iter()
            .filter(|severity| self.get(**severity) > 0)
            .map(|severity| match severity {
                Severity::None => format!("{} without effect", self.none),
                severity => format!("{} {}", self.get(*severity), word(*severity)),
            })
            .collect();
        if parts.is_empty() {
            "nothing".to_owned()
        } else {
            parts.join(", ")
        }
    }
}

/// Worst first.
pub const SEVERITIES: [Severity; 4] = [Severity::Breaking, Severity::Risky, Severity::Additive, Severity::None];

/// As records and people write it.
#[must_use]
pub fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Breaking => "breaking",
        Severity::Risky => "risky",
        Severity::Additive => "additive",
        Severity::None => "none",
    }
}

/// The worst severity; `None` (the severity) when there are no findings.
#[must_use]
pub fn worst(findings: &[Finding]) -> Severity {
    findings
        .iter()
        .map(|finding| finding.severity)
        .max()
        .unwrap_or(Severity::None)
}

/// Rules whose findings say the most about a step, the most telling first. Of the others none is before another.
const TELLING: &[&str] = &[
    "output_format_changed",
    "source_lost",
    "discriminator_renamed",
    "event_removed",
    "event_renamed",
    "method_removed",
    "method_renamed",
    "method_added",
    "usage_shape_changed",
    "handshake_changed",
    "flag_removed",
    "flag_renamed",
    "event_added",
    "field_removed",
    "field_renamed",
];

/// The findings that a person should see first: worst first, then by what their rule tells, then those near the root of
/// a frame, then those that reach more events, then as they stand.
#[must_use]
pub fn most_important(findings: &[Finding], at_most: usize) -> Vec<&Finding> {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_cached_key(|finding| {
        let telling = TELLING
            .iter()
            .position(|rule| *rule == finding.rule)
            .unwrap_or(TELLING.len());
        let depth = finding.path.as_ref().map_or(0, |path| path.matches(['.', '[']).count());
        let reach = finding.reached_by.as_ref().map_or(0, |reached| reached.count);
        (Reverse(finding.severity), telling, depth, Reverse(reach))
    });
    sorted.truncate(at_most);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_telling_rule_is_a_rule() {
        // A rule that is called otherwise would lose its rank in silence.
        for rule in TELLING {
            assert!(agent_contracts_wire::rules::rule(rule).is_some(), "{rule}");
        }
    }
}
