//! The index of source evidence: the newest record of each step, and whether anything in it waits for an observation.
//!
//! Generated from the records and never edited; the same records give the same bytes.

use std::collections::BTreeMap;

use agent_contracts_source_evidence::{Counts, SourceEvidence, summary};
use agent_contracts_wire::{Severity, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `source-evidence/index.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceIndex {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// The steps, sorted by agent, newer version, family, older version and source.
    pub steps: Vec<IndexStep>,
}

impl Default for EvidenceIndex {
    fn default() -> Self {
        Self {
            schema_version: 1,
            steps: Vec::new(),
        }
    }
}

/// One step with its newest record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IndexStep {
    /// The agent.
    #[schemars(with = "agent_contracts_wire::formats::AgentId")]
    pub agent: String,
    /// The family that was read.
    #[schemars(with = "agent_contracts_wire::family::FamilyId")]
    pub protocol_family: String,
    /// The older version.
    pub from: String,
    /// The newer version.
    pub to: String,
    /// Where the newer version was read.
    pub source: String,
    /// The record, relative to the tree.
    #[schemars(with = "agent_contracts_wire::formats::EvidencePath")]
    pub record: String,
    /// When it was made, UTC.
    #[schemars(with = "agent_contracts_wire::formats::UtcTime")]
    pub discovered_at: String,
    /// What the comparison came to.
    pub verdict: Option<Verdict>,
    /// The worst finding.
    pub severity: Severity,
    /// How many findings of each severity.
    pub counts: Counts,
    /// How it stands.
    pub standing: Standing,
}

/// How the findings of a step stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Something is risky or breaking, and no observation has settled it.
    Open,
    /// Nothing is worse than additive.
    NothingToSettle,
}

/// Makes the index. `records` are all records with their paths; those without a step have no place in it.
#[must_use]
pub fn derive(records: &[(String, SourceEvidence)]) -> EvidenceIndex {
    let mut newest: BTreeMap<_, (&String, &SourceEvidence)> = BTreeMap::new();
    for (path, record) in records {
        let Some(step) = &record.extensions.step else { continue };
        let key = (
            &record.agent,
            &step.to.version,
            &record.protocol_family,
            &step.from.version,
            &step.to.source,
        );
        let age = |path: &String, record: &SourceEvidence| (record.discovered_at.clone(), path.clone());
        match newest.get(&key) {
            Some((old_path, old)) if age(old_path, old) >= age(path, record) => {}
            _ => {
                newest.insert(key, (path, record));
            }
        }
    }
    let steps = newest
        .into_iter()
        .map(|((agent, to, family, from, source), (path, record))| {
            let findings = &record.extensions.findings;
            let severity = summary::worst(findings);
            IndexStep {
                agent: agent.clone(),
                protocol_family: family.clone(),
                from: from.clone(),
                to: to.clone(),
                source: source.clone(),
                record: path.clone(),
                discovered_at: record.discovered_at.clone(),
                verdict: record.extensions.verdict,
                severity,
                counts: Counts::of(findings),
                standing: if severity >= Severity::Risky {
                    Standing::Open
                } else {
                    Standing::NothingToSettle
                },
            }
        });
    EvidenceIndex {
        schema_version: 1,
        steps: steps.collect(),
    }
}
