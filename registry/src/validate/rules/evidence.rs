//! `source-evidence/AGENT/VERSION/….evidence.json`, and the index of them.

use std::collections::HashMap;

use agent_contracts_source_evidence::SourceEvidence;
use agent_contracts_wire::{Family, rules};

use super::in_the_future;
use crate::index::{self, EvidenceIndex};
use crate::places;
use crate::store::Store;
use crate::validate::Options;
use crate::validate::index::{EvidenceFacts, Index};
use crate::validate::problem::{Problem, Teller};

pub(super) fn keep(index: &mut Index, evidence: &SourceEvidence, teller: &mut Teller<'_>) {
    let place = evidence.place();
    if teller.file() != place {
        teller.error("EVI025", "", teller.file(), place);
    }
    if let Ok(identity) = evidence.identity()
        && identity != evidence.extensions.identity
    {
        teller.error(
            "EVI024",
            "/extensions/identity",
            &evidence.extensions.identity,
            identity,
        );
    }
    for (at, finding) in evidence.extensions.findings.iter().enumerate() {
        if rules::rule(&finding.rule).is_none() {
            teller.error(
                "EVI027",
                format!("/extensions/findings/{at}/rule"),
                &finding.rule,
                "a rule of `agent-contracts explain`",
            );
        }
    }
    if let Some(family) = Family::of(&evidence.protocol_family) {
        let name = evidence.derived_shape.signature.replacen(':', "-", 1);
        let place = format!("shapes/{}/{name}.shape.json", family.folder());
        if evidence.derived_shape.path != place {
            teller.error("EVI023", "/derived_shape/path", &evidence.derived_shape.path, place);
        }
    }
    if !index.has(&evidence.derived_shape.path) {
        teller.error("EVI022", "/derived_shape/path", "nothing", &evidence.derived_shape.path);
    }
    index.evidence.insert(
        teller.file().to_owned(),
        EvidenceFacts {
            identity: evidence.extensions.identity.clone(),
            shape: evidence.derived_shape.signature.clone(),
            level: evidence.validity_level,
            findings: evidence
                .extensions
                .findings
                .iter()
                .map(|finding| finding.id.clone())
                .collect(),
        },
    );
}

pub(super) fn across(index: &Index, options: &Options, store: &Store) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut first: HashMap<&str, &str> = HashMap::new();
    // The records again, one at a time: the index of them is made from whole records.
    let mut records = Vec::new();
    for (file, facts) in &index.evidence {
        let mut teller = Teller::new(file);
        if let Some(other) = first.insert(&facts.identity, file) {
            teller.error("EVI028", "/extensions/identity", other, "an identity of its own");
        }
        if let Ok(Some(record)) = store.read_json::<SourceEvidence>(file) {
            agent(&record, &mut teller, index);
            if in_the_future(&record.discovered_at, options) {
                teller.error(
                    "EVI026",
                    "/discovered_at",
                    &record.discovered_at,
                    "a time that has been",
                );
            }
            records.push((file.clone(), record));
        }
        problems.extend(teller.into_problems());
    }
    let mut teller = Teller::new(places::EVIDENCE_INDEX);
    let made = index::derive(&records);
    let stored: Option<EvidenceIndex> = store.read_json(places::EVIDENCE_INDEX).ok().flatten();
    match stored {
        Some(stored) => {
            if let Some(at) =
                (0..stored.steps.len().max(made.steps.len())).find(|at| stored.steps.get(*at) != made.steps.get(*at))
            {
                let name =
                    |step: Option<&crate::IndexStep>| step.map_or("nothing".to_owned(), |step| step.record.clone());
                teller.error(
                    "IDX020",
                    format!("/steps/{at}"),
                    name(stored.steps.get(at)),
                    name(made.steps.get(at)),
                );
            }
        }
        None if !records.is_empty() && !index.has(places::EVIDENCE_INDEX) => {
            teller.error("IDX020", "", "nothing", format!("{} steps", made.steps.len()));
        }
        None => {}
    }
    problems.extend(teller.into_problems());
    problems
}

fn agent(evidence: &SourceEvidence, teller: &mut Teller<'_>, index: &Index) {
    match index.agent(&evidence.agent) {
        Err(()) => teller.error("EVI020", "/agent", &evidence.agent, "an agent of registry/agents.json"),
        Ok(Some(agent)) if !agent.protocol_families.contains(&evidence.protocol_family) => {
            teller.error(
                "EVI021",
                "/protocol_family",
                &evidence.protocol_family,
                format!("one of {}", agent.protocol_families.join(", ")),
            );
        }
        Ok(_) => {}
    }
}
