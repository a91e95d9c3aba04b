//! The source-evidence record, as in the specification's schema, with the step and its findings in `extensions`.

use agent_contracts_shapes::{Derived, ShapeError, Validity};
use agent_contracts_wire::model::{Degraded, Unresolved};
use agent_contracts_wire::{Diff, Family, Finding, Move, Verdict, canonical, place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How many unresolved places, degraded spans and doubts a record keeps; the numbers of the first two are kept whole.
const KEPT: usize = 100;

/// Non-runtime evidence: what the code, a vendor's document or a hand-made fixture says. Member order is the order on
/// disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceEvidence {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// A registered agent.
    #[schemars(with = "agent_contracts_wire::formats::AgentId")]
    pub agent: String,
    /// As in `json-event-stream/v1`.
    #[schemars(with = "agent_contracts_wire::family::FamilyId")]
    pub protocol_family: String,
    /// One of the three levels behind which nothing ran.
    #[schemars(with = "SourceLevel")]
    pub validity_level: Validity,
    /// Where it was read: sources, commits, file paths, document addresses. Never empty, never a private endpoint.
    #[schemars(length(min = 1), inner(length(min = 1)))]
    pub source_refs: Vec<String>,
    /// The shape of the newer version.
    pub derived_shape: ShapeRef,
    /// When it was first derived, UTC. No part of the record's identity.
    #[schemars(with = "agent_contracts_wire::formats::UtcTime")]
    pub discovered_at: String,
    /// The newer version of the step; `unknown` when a source has none.
    #[serde(default = "unknown")]
    pub cli_version: String,
    /// Open to further members.
    #[serde(default)]
    pub extensions: Extensions,
}

/// The levels behind which nothing ran, for the JSON Schema.
#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its JSON Schema is used")]
enum SourceLevel {
    SourceDerived,
    VendorDocumented,
    SyntheticMock,
}

/// A shape by name and place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShapeRef {
    /// Its hash.
    #[schemars(with = "agent_contracts_wire::formats::Sha256")]
    pub signature: String,
    /// Its file, relative to the tree.
    #[schemars(with = "agent_contracts_wire::formats::ShapePath")]
    pub path: String,
}

/// What the specification has no member for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extensions {
    /// Hash of what makes this record this one; see [`SourceEvidence::identity`].
    #[serde(default)]
    pub identity: String,
    /// The hash of the extractors that read the sources.
    #[serde(default)]
    pub extractor: String,
    /// The two versions that were compared; none for a document or a fixture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Step>,
    /// What the comparison came to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What changed, worst first.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// Types that moved and are the same on the wire.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<Move>,
    /// Places that could not be resolved, the first hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<Unresolved>,
    /// How many such places there are.
    #[serde(default)]
    pub unresolved_total: usize,
    /// Files and spans that were not read in full, the first hundred.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<Degraded>,
    /// How many of them there are.
    #[serde(default)]
    pub degraded_total: usize,
    /// What the comparison came down to that could not be read, in words; not empty when it is inconclusive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// Event types whose members do not all stand in the derived shape, because it would have become too large.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shape_cut: Vec<String>,
}

/// Two neighbouring versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The older one.
    pub from: StepSide,
    /// The newer one.
    pub to: StepSide,
}

/// One side of a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepSide {
    /// As the agent's scheme writes it.
    pub version: String,
    /// Where it was read, by its public name: `git:openai/codex@rust-v0.42.0`, `npm:@scope/name@1.0.0`.
    pub source: String,
    /// The commit that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// How many files of the scope it has.
    pub files: u32,
    /// How many types were read from them.
    pub types: u32,
}

/// All that a record is made of.
#[derive(Debug, Clone, Copy)]
pub struct Scan<'a> {
    /// The agent's id.
    pub agent: &'a str,
    /// The family that the types describe.
    pub family: &'a Family,
    /// One of the three levels behind which nothing ran.
    pub validity: Validity,
    /// The older version.
    pub from: &'a StepSide,
    /// The newer version.
    pub to: &'a StepSide,
    /// See [`SourceEvidence::source_refs`].
    pub refs: &'a [String],
    /// The hash of the extractors and grammars, as `extractors::languages::fingerprint` gives it.
    pub extractor: &'a str,
    /// The shape of the newer version.
    pub derived: &'a Derived,
    /// What the comparison said, already masked (`redact`).
    pub diff: &'a Diff,
    /// Now, UTC, as in `2026-06-27T10:00:00Z`.
    pub now: &'a str,
}

/// Why there is no record.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// Nothing says where it comes from.
    #[error("evidence for {agent} {version} names no source; give at least one source_ref")]
    NoRefs {
        /// The agent.
        agent: String,
        /// The version.
        version: String,
    },
    /// A level of observations.
    #[error("`{}` is no level of source evidence; use source_derived, vendor_documented or synthetic_mock", .0.words())]
    Level(Validity),
    /// A time that is not UTC.
    #[error("`{0}` is no UTC time such as 2026-06-27T10:00:00Z")]
    Time(String),
    /// The shape has no place.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// It cannot be hashed.
    #[error("evidence for {agent} cannot be written as JSON")]
    Json {
        /// The agent.
        agent: String,
        /// Why.
        source: serde_json::Error,
    },
}

/// The record of one step. Pure: the same scan gives the same record, but for `discovered_at`.
pub fn build(scan: &Scan<'_>) -> Result<SourceEvidence, EvidenceError> {
    if !scan.validity.is_source() {
        return Err(EvidenceError::Level(scan.validity));
    }
    if !is_utc(scan.now) {
        return Err(EvidenceError::Time(scan.now.to_owned()));
    }
    let mut refs: Vec<String> = scan
        .refs
        .iter()
        .filter(|text| !text.trim().is_empty())
        .cloned()
        .collect();
    refs.sort();
    refs.dedup();
    if refs.is_empty() {
        return Err(EvidenceError::NoRefs {
            agent: scan.agent.to_owned(),
            version: scan.to.version.clone(),
        });
    }
    let diff = scan.diff;
    let mut evidence = SourceEvidence {
        schema_version: 1,
        agent: scan.agent.to_owned(),
        protocol_family: scan.family.id.to_owned(),
        validity_level: scan.validity,
        source_refs: refs,
        derived_shape: ShapeRef {
            signature: scan.derived.shape.signature.clone(),
            path: scan.derived.shape.place()?,
        },
        discovered_at: scan.now.to_owned(),
        cli_version: if scan.to.version.is_empty() {
            unknown()
        } else {
            scan.to.version.clone()
        },
        extensions: Extensions {
            identity: String::new(),
            extractor: scan.extractor.to_owned(),
            step: Some(Step {
                from: scan.from.clone(),
                to: scan.to.clone(),
            }),
            verdict: Some(diff.verdict),
            findings: diff.findings.iter().map(sorted_members).collect(),
            moves: diff.moves.clone(),
            unresolved: diff.unresolved.iter().take(KEPT).cloned().collect(),
            unresolved_total: diff.unresolved.len(),
            degraded: diff.degraded.iter().take(KEPT).cloned().collect(),
            degraded_total: diff.degraded.len(),
            doubts: diff.doubts.iter().take(KEPT).cloned().collect(),
            shape_cut: scan.derived.cut.clone(),
        },
    };
    evidence.extensions.identity = evidence.identity()?;
    Ok(evidence)
}

impl SourceEvidence {
    /// The hash of agent, family, both versions, refs and extractor: what makes a later scan the same evidence.
    pub fn identity(&self) -> Result<String, EvidenceError> {
        let step = self.extensions.step.as_ref();
        canonical::hash_json(&json!({
            "agent": self.agent,
            "protocol_family": self.protocol_family,
            "from": step.map(|step| &step.from.version),
            "to": self.cli_version,
            "source_refs": self.source_refs,
            "extractor": self.extensions.extractor,
        }))
        .map_err(|source| EvidenceError::Json {
            agent: self.agent.clone(),
            source,
        })
    }

    /// Where it is kept, relative to the tree: `source-evidence/AGENT/VERSION/ID8.evidence.json`.
    #[must_use]
    pub fn place(&self) -> String {
        format!(
            "source-evidence/{}/{}/{}.evidence.json",
            place::component(&self.agent),
            place::component(&self.cli_version),
            place::id8(&self.extensions.identity),
        )
    }
}

/// The finding with the members of its free values in alphabetic order, so that its bytes do not depend on how
/// `serde_json` was built.
fn sorted_members(finding: &Finding) -> Finding {
    let mut finding = finding.clone();
    for value in [&mut finding.before, &mut finding.after]
        .into_iter()
        .chain(finding.witness.as_mut())
    {
        sort_members(value);
    }
    finding
}

fn sort_members(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(sort_members),
        Value::Object(members) => {
            let mut sorted: Vec<(String, Value)> = std::mem::take(members).into_iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            for (key, mut member) in sorted {
                sort_members(&mut member);
                members.insert(key, member);
            }
        }
        _ => {}
    }
}

/// `YYYY-MM-DDThh:mm:ss`, perhaps a fraction, and `Z`. Whether such a day exists is for the validator.
fn is_utc(time: &str) -> bool {
    let Some(time) = time.strip_suffix('Z') else {
        return false;
    };
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    seconds.len() == 19
        && digits(fraction)
        && seconds.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            10 => byte == b'T',
            13 | 16 => byte == b':',
            _ => byte.is_ascii_digit(),
        })
}

fn unknown() -> String {
    "unknown".to_owned()
}
