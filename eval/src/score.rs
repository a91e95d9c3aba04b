//! Which finding answers which label.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

use crate::pairs::{Label, Pair};

/// What the scorer reads of a finding.
#[derive(Debug, Clone, Deserialize)]
pub struct Finding {
    /// The rule.
    pub rule: String,
    /// The declared type.
    pub type_name: Option<String>,
    /// The changed name.
    pub wire_name: Option<String>,
    /// The event.
    pub event_type: Option<String>,
    /// The flag.
    pub flag: Option<String>,
    /// The subcommand.
    pub command: Option<String>,
    /// How much an unchanged host suffers.
    pub severity: String,
    /// What stood there before.
    #[serde(default)]
    pub before: Value,
    /// What stands there now.
    #[serde(default)]
    pub after: Value,
}

/// How one pair came out.
#[derive(Debug, Default)]
pub struct PairScore {
    /// Labels that count.
    pub expected: usize,
    /// Labels that were answered.
    pub found: usize,
    /// Answered labels whose finding has the labelled severity.
    pub severity_right: usize,
    /// Findings that are not of severity `none`.
    pub loud: usize,
    /// Loud findings that answer, repeat or belong to a label.
    pub explained: usize,
    /// Labels without an answer.
    pub missed: Vec<Label>,
    /// Loud findings without a label.
    pub extra: Vec<Finding>,
    /// A pair without wire change that got a loud finding or no verdict.
    pub false_alarm: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Added,
    Removed,
    Renamed,
    Deprecated,
    Changed,
}

fn way(rule: &str) -> Way {
    let ends = |word| rule.ends_with(word);
    if ends("renamed") {
        Way::Renamed
    } else if ends("removed") {
        Way::Removed
    } else if ends("added") {
        Way::Added
    } else if ends("deprecated") {
        Way::Deprecated
    } else {
        Way::Changed
    }
}

/// Each name in `text`, whole and without the way to it: `a.b -> c` gives `a.b`, `b` and `c`, in lower case.
fn names(text: Option<&str>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let Some(text) = text else { return out };
    for part in text
        .replace("=>", "->")
        .split("->")
        .flat_map(|part| part.split([',', '|']))
    {
        let part = part.trim().to_lowercase();
        let tail = part
            .trim_end_matches(['[', ']'])
            .rsplit(['.', ':', '/', '[', ']'])
            .next()
            .unwrap_or_default();
        out.insert(tail.trim_matches(['`', '\'', '"']).to_owned());
        out.insert(part);
    }
    out.remove("");
    out
}

fn label_names(label: &Label) -> BTreeSet<String> {
    names(label.name.as_deref().or(label.type_name.as_deref()))
}

fn finding_names(finding: &Finding) -> BTreeSet<String> {
    let mut out = names(finding.flag.as_deref());
    out.extend(names(finding.wire_name.as_deref()));
    if out.is_empty() {
        out = names(finding.type_name.as_deref());
        out.extend(names(finding.event_type.as_deref()));
    }
    if ["renamed", "enum", "handshake", "discriminator"]
        .iter()
        .any(|word| finding.rule.contains(word))
    {
        for side in [&finding.before, &finding.after] {
            out.extend(names(side.as_str()));
        }
    }
    out
}

fn owners(type_name: Option<&str>, event: Option<&str>, command: Option<&str>) -> BTreeSet<String> {
    [type_name, event, command].into_iter().flat_map(names).collect()
}

/// A rename may be told as a removal and an addition; a changed set of values as an added or removed one.
fn goes_the_same_way(label: &Label, finding: &Finding) -> bool {
    let (wanted, got) = (way(&label.rule), way(&finding.rule));
    if wanted == got {
        return true;
    }
    match (wanted, got) {
        (Way::Renamed, other) | (other, Way::Renamed) => matches!(other, Way::Added | Way::Removed),
        (Way::Changed, _) | (_, Way::Changed) => {
            let both = format!("{} {}", label.rule, finding.rule);
            ["enum", "handshake", "usage", "output_format", "choice", "deprecated"]
                .iter()
                .any(|word| both.contains(word))
        }
        _ => false,
    }
}

fn overlap(left: &BTreeSet<String>, right: &BTreeSet<String>) -> bool {
    left.intersection(right).next().is_some()
}

/// A finding that answers no label still counts as true when it repeats one, or is part of what a label says came,
/// went or changed as a whole.
fn is_explained(finding: &Finding, labels: &[Label]) -> bool {
    let keys = finding_names(finding);
    let mut around = owners(
        finding.type_name.as_deref(),
        finding.event_type.as_deref(),
        finding.command.as_deref(),
    );
    around.extend(keys.iter().cloned());
    labels.iter().any(|label| {
        if goes_the_same_way(label, finding) && overlap(&label_names(label), &keys) {
            return true;
        }
        let (wanted, got) = (way(&label.rule), way(&finding.rule));
        if !(wanted == got || got == Way::Changed || matches!(wanted, Way::Renamed | Way::Changed)) {
            return false;
        }
        let whole = ["type", "event", "variant", "method", "output_format", "discriminator"];
        if whole.iter().any(|word| label.rule.starts_with(word)) {
            let mut parts = label_names(label);
            parts.extend(names(label.type_name.as_deref()));
            if overlap(&parts, &around) {
                return true;
            }
        }
        let detail = label.detail.as_deref().unwrap_or_default().to_lowercase();
        let words: BTreeSet<String> = detail
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_owned)
            .collect();
        keys.iter().any(|key| words.contains(key))
    })
}

/// Scores the findings of one pair. `inconclusive` is the verdict of the scan.
pub fn score(pair: &Pair, findings: &[Finding], inconclusive: bool) -> PairScore {
    let labels: Vec<&Label> = pair.changes.iter().filter(|label| label.counts()).collect();
    let mut candidates = Vec::new();
    for (l, label) in labels.iter().enumerate() {
        for (f, finding) in findings.iter().enumerate() {
            if goes_the_same_way(label, finding) && overlap(&label_names(label), &finding_names(finding)) {
                let same_owner = overlap(
                    &owners(label.type_name.as_deref(), None, None),
                    &owners(
                        finding.type_name.as_deref(),
                        finding.event_type.as_deref(),
                        finding.command.as_deref(),
                    ),
                );
                let rank = 4 * u8::from(same_owner)
                    + 2 * u8::from(label.rule == finding.rule)
                    + u8::from(label.severity.as_deref() == Some(&finding.severity));
                candidates.push((std::cmp::Reverse(rank), l, f));
            }
        }
    }
    candidates.sort();
    let mut answers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut used = BTreeSet::new();
    for (_, l, f) in candidates {
        if !answers.contains_key(&l) && used.insert(f) {
            answers.insert(l, f);
        }
    }
    let mut out = PairScore {
        expected: labels.len(),
        found: answers.len(),
        ..PairScore::default()
    };
    out.severity_right = answers
        .iter()
        .filter(|(l, f)| labels[**l].severity.as_deref() == Some(findings[**f].severity.as_str()))
        .count();
    out.missed = labels
        .iter()
        .enumerate()
        .filter(|(l, _)| !answers.contains_key(l))
        .map(|(_, label)| (*label).clone())
        .collect();
    for (f, finding) in findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| finding.severity != "none")
    {
        out.loud += 1;
        if used.contains(&f) || is_explained(finding, &pair.changes) {
            out.explained += 1;
        } else {
            out.extra.push(finding.clone());
        }
    }
    out.false_alarm = pair.quiet && (out.loud > 0 || inconclusive);
    out
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use serde_json::json;

    use super::*;

    fn pair(changes: &Value, quiet: bool) -> Pair {
        serde_json::from_value(json!({
            "id": "t", "language": "rust", "flags": false, "scope": [], "roots": [], "quiet": quiet,
            "source": {"kind": "npm", "name": "x", "from": "1", "to": "2"}, "changes": changes,
        }))
        .unwrap()
    }

    fn finding(rule: &str, type_name: &str, wire_name: &str, severity: &str) -> Finding {
        serde_json::from_value(
            json!({"rule": rule, "type_name": type_name, "wire_name": wire_name, "severity": severity}),
        )
        .unwrap()
    }

    #[test]
    fn a_finding_answers_one_label_and_prefers_its_owner() {
        let pair = pair(
            &json!([
                {"rule": "field_added", "type_name": "A", "name": "x", "severity": "additive"},
                {"rule": "field_added", "type_name": "B", "name": "x", "severity": "risky"},
            ]),
            false,
        );
        let score = score(&pair, &[finding("field_added", "B", "x", "risky")], false);
        assert_eq!(
            (score.expected, score.found, score.severity_right, score.missed.len()),
            (2, 1, 1, 1)
        );
        assert_eq!(score.missed[0].type_name.as_deref(), Some("A"));
    }

    #[test]
    fn a_rename_may_be_told_in_two_halves() {
        let pair = pair(
            &json!([{"rule": "field_renamed", "type_name": "A", "name": "old->new"}]),
            false,
        );
        let halves = [
            finding("field_removed", "A", "old", "breaking"),
            finding("field_added", "A", "new", "additive"),
        ];
        let score = score(&pair, &halves, false);
        assert_eq!((score.found, score.loud, score.explained), (1, 2, 2));
    }

    #[test]
    fn the_wrong_way_is_no_answer() {
        let pair = pair(&json!([{"rule": "field_added", "type_name": "A", "name": "x"}]), false);
        let score = score(&pair, &[finding("field_removed", "A", "x", "breaking")], false);
        assert_eq!((score.found, score.explained, score.extra.len()), (0, 0, 1));
    }

    #[test]
    fn silence_is_asked_of_quiet_pairs() {
        let pair = pair(&json!([]), true);
        assert!(!score(&pair, &[finding("type_added", "A", "A", "none")], false).false_alarm);
        assert!(score(&pair, &[finding("type_added", "A", "A", "additive")], false).false_alarm);
        assert!(score(&pair, &[], true).false_alarm);
    }

    #[test]
    fn the_kept_labels_are_whole() {
        let labels = crate::pairs::labels().unwrap();
        let ids: BTreeSet<&str> = labels.pairs.iter().map(|pair| pair.id.as_str()).collect();
        assert_eq!(ids.len(), labels.pairs.len(), "ids are unique");
        for pair in &labels.pairs {
            assert!(
                !pair.scope.is_empty() && matches!(pair.source.kind.as_str(), "git" | "npm"),
                "{}",
                pair.id
            );
            assert!(
                pair.quiet || !pair.changes.is_empty(),
                "{} says neither what changed nor that nothing did",
                pair.id
            );
        }
    }
}
