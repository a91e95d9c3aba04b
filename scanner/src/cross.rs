//! One version, described twice: what the descriptions disagree in, and which of them to believe.

use std::cmp::Ordering;

use agent_contracts_config::agent::{Rank, ScanSource};
use agent_contracts_wire::finding::{Direction, Finding, Location, Severity, Verdict};
use agent_contracts_wire::model::WireModel;
use serde::Serialize;

use crate::eras::{Reading, twins};
use crate::error::ScanError;
use crate::report::ScanReport;
use crate::scan::{ScanOptions, Scanner};
use crate::scope::Scope;
use crate::source::SourceSpec;
use crate::versions::SourceVersion;

/// Two descriptions of one version. The comparison runs as if the first were the old version of the second, so that
/// `before` is what the first says and `after` what the second says.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossCheck {
    /// The first description.
    pub first: Description,
    /// The second description.
    pub second: Description,
    /// Which one to believe.
    pub better: Better,
    /// Why, in words.
    pub why: String,
    /// The comparison, with the disagreements alone; see [`is_disagreement`].
    pub report: ScanReport,
    /// For each finding the place in the other description.
    pub also: Vec<Location>,
    /// Differences that are none on the wire, or that come from what a notation cannot say.
    pub left_out: usize,
}

/// One description of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Description {
    /// Where it was read, by its public name.
    pub source: String,
    /// Its files.
    pub scope: Vec<String>,
    /// How it came to be.
    pub rank: Rank,
    /// How many files were read.
    pub files: u32,
    /// How many types they declare.
    pub types: usize,
}

/// Which of two descriptions is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// The first.
    First,
    /// The second.
    Second,
}

impl Scanner {
    /// Holds every other description of a version that its files hold against the one that is read, as the agent's file
    /// names them. Empty where the version has none.
    pub async fn cross_check(
        &self,
        source: &ScanSource,
        version: &SourceVersion,
    ) -> Result<Vec<CrossCheck>, ScanError> {
        let read = self.open(&version.name, &version.spec).await?;
        let Some((era, twins)) = twins(source, &read)? else {
            return Ok(Vec::new());
        };
        let mut checks = Vec::new();
        for (twin, reading) in twins {
            let (first, second) = (
                self.open(&version.name, &version.spec).await?,
                self.open(&version.name, &version.spec).await?,
            );
            let scopes = (reading.old.clone(), reading.new.clone());
            let report = self.read(first, second, reading).await?;
            checks.push(CrossCheck::new(report, &scopes, (era.rank, twin.rank)));
        }
        Ok(checks)
    }

    /// Holds two descriptions of one version against each other, wherever they are.
    pub async fn cross_check_any(
        &self,
        first: &str,
        second: &str,
        options: &ScanOptions,
        (first_scope, second_scope): (&[String], &[String]),
    ) -> Result<CrossCheck, ScanError> {
        let scopes = (Scope::new(first_scope)?, Scope::new(second_scope)?);
        let specs = (SourceSpec::parse(first)?, SourceSpec::parse(second)?);
        let old = self.open(first, &specs.0).await?;
        let new = self.open(second, &specs.1).await?;
        let reading = Reading {
            old: scopes.0.clone(),
            ..Reading::alike(scopes.1.clone(), options.clone())
        };
        let report = self.read(old, new, reading).await?;
        Ok(CrossCheck::new(report, &scopes, (None, None)))
    }
}

impl CrossCheck {
    fn new(mut report: ScanReport, scopes: &(Scope, Scope), ranks: (Option<Rank>, Option<Rank>)) -> Self {
        let rank = |model: &WireModel, rank: Option<Rank>| rank.unwrap_or_else(|| rank_of(model));
        let ranks = (rank(&report.models.from, ranks.0), rank(&report.models.to, ranks.1));
        let all = report.findings.len();
        report.findings.retain(|finding| is_disagreement(finding, ranks));
        let left_out = all - report.findings.len();
        report.moves.clear();
        if report.verdict == Verdict::Changes && report.findings.is_empty() {
            let unsure = !report.doubts.is_empty();
            report.verdict = if unsure {
                Verdict::Inconclusive
            } else {
                Verdict::NoProtocolChange
            };
        }
        let describe = |side: &crate::report::Side, scope: &Scope, rank: Rank| Description {
            source: side.source.clone(),
            scope: scope.globs().to_vec(),
            rank,
            files: side.files,
            types: side.types,
        };
        let first = describe(&report.from, &scopes.0, ranks.0);
        let second = describe(&report.to, &scopes.1, ranks.1);
        let (better, why) = better(first.rank, second.rank);
        let also = report
            .findings
            .iter()
            .map(|finding| other_place(&report, finding))
            .collect();
        Self {
            first,
            second,
            better,
            why,
            report,
            also,
            left_out,
        }
    }
}

/// Whether a difference is a disagreement about the wire, and not one of what two notations can say. Left out are:
/// names of helper types; whether a member may be missing or null, unless people wrote both sides, because each generator
/// has a habit of its own there; a type of which one side only says less (`any`, `boolean` for `true`); values that are
/// named beside an open `string`; constants that one notation lacks.
fn is_disagreement(finding: &Finding, ranks: (Rank, Rank)) -> bool {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let (before, after) = (text(&finding.before), text(&finding.after));
    let by_people = |rank| matches!(rank, Rank::Written | Rank::Documented);
    if finding.severity == Severity::None {
        return false;
    }
    match finding.rule.as_str() {
        "type_added" | "type_removed" => false,
        "field_optionality_changed" => by_people(ranks.0) && by_people(ranks.1),
        "field_type_changed" => !says_less(&before, &after) && !says_less(&after, &before),
        "field_added" | "field_removed" => before != "null?" && after != "null?",
        "enum_value_added" | "enum_value_removed" => {
            // A severity this low on output says that the list is open.
            finding.direction == Direction::Input || finding.severity > Severity::Additive
        }
        "handshake_changed" => !finding.before.is_null() && !finding.after.is_null(),
        _ => true,
    }
}

/// Whether one type, as it is printed, holds the other and says less of it.
fn says_less(wide: &str, narrow: &str) -> bool {
    match wide {
        "any" => true,
        "any[]" => narrow.ends_with("[]"),
        "map<any>" => narrow.starts_with("map<"),
        "boolean" => matches!(narrow, "true" | "false"),
        _ => false,
    }
}

/// The rule: what the serialiser executes, then what is generated from it, then types that people keep, then documents.
/// Of two of one rank, the one that the agent's file reads.
fn better(first: Rank, second: Rank) -> (Better, String) {
    let words = |rank| match rank {
        Rank::Executed => "is what the serialiser executes",
        Rank::Generated => "is generated from what is executed",
        Rank::Written => "is written by hand",
        Rank::Documented => "is a document",
    };
    match first.cmp(&second) {
        Ordering::Greater => (
            Better::Second,
            format!("it {}, and the first {}", words(second), words(first)),
        ),
        Ordering::Less => (
            Better::First,
            format!("it {}, and the second {}", words(first), words(second)),
        ),
        Ordering::Equal => {
            let both = words(first).strip_prefix("is ").unwrap_or_default();
            (
                Better::First,
                format!("both are of one rank ({both}), and the first is the one that scans read"),
            )
        }
    }
}

/// How a description most likely came to be, by the language of its first type.
fn rank_of(model: &WireModel) -> Rank {
    let file = model
        .types
        .values()
        .filter(|ty| ty.in_scope)
        .map(|ty| ty.place.file.as_str())
        .min();
    match file
        .and_then(|file| file.rsplit_once('.'))
        .map(|(_, extension)| extension)
    {
        Some("rs" | "go" | "py") => Rank::Executed,
        Some("json" | "yaml" | "yml") => Rank::Generated,
        Some("md") => Rank::Documented,
        _ => Rank::Written,
    }
}

/// Where the other description declares the type of a finding, or else the first thing that it declares.
fn other_place(report: &ScanReport, finding: &Finding) -> Location {
    let gone = finding.after.is_null() && !finding.before.is_null();
    let other = if gone { &report.models.to } else { &report.models.from };
    let mut types = other.types.values().filter(|ty| ty.in_scope);
    let named = types.clone().find(|ty| Some(&ty.name) == finding.type_name.as_ref());
    named
        .or_else(|| types.next())
        .map_or_else(Location::default, |ty| Location {
            file: ty.place.file.clone(),
            line: ty.place.line,
        })
}
