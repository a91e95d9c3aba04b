//! SARIF 2.1.0 (OASIS, 27 March 2020), for whoever shows findings beside the code: one run, one result a finding.
//!
//! Breaking is `error`, risky `warning`, additive `note`, no effect `none`. A finding's id is its fingerprint, so that a
//! viewer sees the same finding again. What could not be read is a notification, never a result.

use agent_contracts_source_evidence::ForConsumer;
use agent_contracts_source_evidence::wording::wording;
use agent_contracts_wire::{Direction, Domain, Finding, Severity, rules};
use serde::Serialize;
use serde_json::Value;

use crate::links::encoded;
use crate::step::{StepReport, label, verdict_words};

pub(crate) const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'a str,
    version: &'a str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    automation_details: Id,
    invocations: [Invocation; 1],
    results: Vec<SarifResult<'a>>,
    column_kind: &'a str,
    properties: RunProperties<'a>,
}

#[derive(Serialize)]
struct Id {
    id: String,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'a str,
    semantic_version: &'a str,
    rules: Vec<Rule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Text>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Text,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    partial_fingerprints: Fingerprints<'a>,
    properties: ResultProperties<'a>,
}

/// What SARIF has no member for.
#[derive(Serialize)]
struct RunProperties<'a> {
    from: &'a str,
    to: &'a str,
    verdict: &'a str,
}

/// What SARIF has no member for.
#[derive(Serialize)]
struct ResultProperties<'a> {
    direction: Direction,
    #[serde(skip_serializing_if = "Option::is_none")]
    for_consumer: Option<&'a ForConsumer>,
    domain: Domain,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flag: Option<&'a str>,
    before: &'a Value,
    after: &'a Value,
}

#[derive(Serialize)]
struct Fingerprints<'a> {
    #[serde(rename = "finding/v1")]
    finding: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

/// The log of one comparison. `version` is that of this program.
pub fn render(report: &StepReport, version: &str) -> serde_json::Result<String> {
    let mut used: Vec<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    used.sort_unstable();
    used.dedup();
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "agent-contracts",
                    semantic_version: version,
                    rules: used.iter().map(|id| rule(id)).collect(),
                },
            },
            automation_details: Id { id: run_id(report) },
            invocations: [Invocation {
                execution_successful: true,
                tool_execution_notifications: notifications(report),
            }],
            results: report
                .findings
                .iter()
                .map(|finding| result(report, finding, &used))
                .collect(),
            column_kind: "unicodeCodePoints",
            properties: RunProperties {
                from: label(&report.from),
                to: label(&report.to),
                verdict: verdict_words(report.verdict),
            },
        }],
    };
    serde_json::to_string_pretty(&log).map(|text| text + "\n")
}

fn run_id(report: &StepReport) -> String {
    let agent = report.agent.as_ref().map_or("scan", |agent| agent.id.as_str());
    format!("{agent}/{}..{}", label(&report.from), label(&report.to))
}

/// A rule with its texts; one of a newer program has none.
fn rule(id: &str) -> Rule<'_> {
    let text = rules::rule(id);
    let text_of = |text: &str| Text { text: text.to_owned() };
    Rule {
        id,
        short_description: text.map(|rule| text_of(rule.title)),
        full_description: text.map(|rule| text_of(rule.explanation)),
    }
}

fn result<'a>(report: &'a StepReport, finding: &'a Finding, used: &[&str]) -> SarifResult<'a> {
    let told = wording(finding);
    // With any other kind than `fail` the level must be `none` (SARIF 2.1.0, 3.27.9 and 3.27.10).
    let (kind, level) = match report.severity_of(finding) {
        Severity::Breaking => ("fail", "error"),
        Severity::Risky => ("fail", "warning"),
        Severity::Additive => ("fail", "note"),
        Severity::None => ("informational", "none"),
    };
    SarifResult {
        rule_id: &finding.rule,
        rule_index: used.binary_search(&finding.rule.as_str()).unwrap_or_default(),
        kind,
        level,
        message: Text {
            text: format!(
                "{}. Whom it hurts: {}. What to do: {}.",
                told.what, told.hurts, told.todo
            ),
        },
        locations: location(&finding.location.file, finding.location.line),
        partial_fingerprints: Fingerprints { finding: &finding.id },
        properties: ResultProperties {
            direction: finding.direction,
            for_consumer: report.for_consumer.get(&finding.id),
            domain: finding.domain,
            event_type: finding.event_type.as_deref(),
            path: finding.path.as_deref(),
            flag: finding.flag.as_deref(),
            before: &finding.before,
            after: &finding.after,
        },
    }
}

fn notifications(report: &StepReport) -> Vec<Notification> {
    let unresolved = report.unresolved.iter().map(|unresolved| Notification {
        level: "warning",
        message: Text {
            text: format!(
                "could not be resolved, a change may hide behind it: {}",
                unresolved.what
            ),
        },
        locations: location(&unresolved.place.file, unresolved.place.line),
    });
    let degraded = report.degraded.iter().map(|degraded| Notification {
        level: "warning",
        message: Text {
            text: format!("not read in full: {}", degraded.why),
        },
        locations: location(&degraded.file, degraded.lines.map_or(0, |(first, _)| first)),
    });
    let doubts = report.doubts.iter().map(|doubt| Notification {
        level: "warning",
        message: Text {
            text: format!("the comparison came down to what could not be read: {doubt}"),
        },
        locations: Vec::new(),
    });
    doubts.chain(unresolved).chain(degraded).collect()
}

fn location(file: &str, line: u32) -> Vec<Location> {
    if file.is_empty() {
        return Vec::new();
    }
    vec![Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: encoded(file) },
            region: (line > 0).then_some(Region { start_line: line }),
        },
    }]
}
