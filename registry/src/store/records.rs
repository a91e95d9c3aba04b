//! Each kind of record with its own rule of writing and reading.

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_shapes::Shape;
use agent_contracts_source_evidence::SourceEvidence;

use super::{Put, Store, StoreError, Writer, Written};
use crate::index::{self, EvidenceIndex};
use crate::outbox::OutboxEntry;
use crate::places;
use crate::release::ReleaseFile;

impl Store {
    /// The known releases of every agent, by agent.
    pub fn releases(&self) -> Result<Vec<ReleaseFile>, StoreError> {
        self.all(places::RELEASES, ".json").map(values)
    }

    /// Every evidence record with its path, by path.
    pub fn evidence(&self) -> Result<Vec<(String, SourceEvidence)>, StoreError> {
        self.all(places::EVIDENCE, ".evidence.json")
    }

    /// Every alert, by path.
    pub fn outbox(&self) -> Result<Vec<OutboxEntry>, StoreError> {
        self.all(places::ALERTS, ".entry.json").map(values)
    }

    /// The index as it is stored; empty when there is none.
    pub fn evidence_index(&self) -> Result<EvidenceIndex, StoreError> {
        Ok(self.read_json(places::EVIDENCE_INDEX)?.unwrap_or_default())
    }

    fn all<T: serde::de::DeserializeOwned>(&self, folder: &str, ending: &str) -> Result<Vec<(String, T)>, StoreError> {
        let mut records = Vec::new();
        for path in self.list(folder, ending)? {
            if let Some(record) = self.read_json(&path)? {
                records.push((path, record));
            }
        }
        Ok(records)
    }
}

fn values<T>(records: Vec<(String, T)>) -> Vec<T> {
    records.into_iter().map(|(_, record)| record).collect()
}

impl Writer<'_> {
    /// Writes a shape. One that is there keeps its strongest validity level.
    pub fn put_shape(&self, shape: &Shape) -> Result<Put, StoreError> {
        let conflict = |path: &str, why: String| StoreError::Conflict {
            path: path.to_owned(),
            why,
        };
        let path = shape.place().map_err(|error| conflict("shapes", error.to_string()))?;
        let signed = shape.sign().map_err(|error| conflict(&path, error.to_string()))?;
        if signed != shape.signature {
            return Err(conflict(
                &path,
                format!("the new shape is signed {} and hashes to {signed}", shape.signature),
            ));
        }
        let Some(old) = self.store.read_json::<Shape>(&path)? else {
            return self.put_json(&path, shape);
        };
        match old.sign() {
            Ok(signature) if signature == shape.signature => {}
            _ => {
                return Err(conflict(
                    &path,
                    "its content does not hash to its name; delete it and run again".to_owned(),
                ));
            }
        }
        let strongest = if old.validity_level.strength() >= shape.validity_level.strength() {
            &old
        } else {
            shape
        };
        self.put_json(&path, strongest)
    }

    /// Writes an evidence record, unless the same evidence is there: the first write wins. Gives the record that is in
    /// the tree now, from which reports are to be made, so that a second run makes the same ones.
    pub fn put_evidence(&self, evidence: &SourceEvidence) -> Result<(SourceEvidence, Put), StoreError> {
        let path = evidence.place();
        match self.store.read_json::<SourceEvidence>(&path)? {
            None => Ok((evidence.clone(), self.put_json(&path, evidence)?)),
            // Not written again: it may hold members that this version of the program does not know.
            Some(old) if old.extensions.identity == evidence.extensions.identity => Ok((
                old,
                Put {
                    path,
                    written: Written::Same,
                },
            )),
            Some(old) => Err(StoreError::Conflict {
                path,
                why: format!(
                    "its identity is {} and that of the new record {}, with the same first digits",
                    old.extensions.identity, evidence.extensions.identity
                ),
            }),
        }
    }

    /// Makes the evidence index anew from all records.
    pub fn put_evidence_index(&self) -> Result<(EvidenceIndex, Put), StoreError> {
        let index = index::derive(&self.store.evidence()?);
        let put = self.put_json(places::EVIDENCE_INDEX, &index)?;
        Ok((index, put))
    }

    /// Writes the list of agents.
    pub fn put_agents(&self, agents: &AgentsFile) -> Result<Put, StoreError> {
        self.put_json(places::AGENTS, agents)
    }

    /// Writes the known releases of one agent.
    pub fn put_releases(&self, releases: &ReleaseFile) -> Result<Put, StoreError> {
        self.put_json(&places::releases(&releases.agent), releases)
    }

    /// Writes an alert: its texts first, then its entry, so that an entry never names a text that is not there. An alert
    /// with this fingerprint is updated and keeps when it was made and whom it was told to.
    pub fn put_alert(
        &self,
        entry: &OutboxEntry,
        issue: &str,
        card: &str,
    ) -> Result<(OutboxEntry, Vec<Put>), StoreError> {
        let path = entry.place();
        let merged = match self.store.read_json::<OutboxEntry>(&path)? {
            Some(old) => entry.clone().over(&old),
            None => entry.clone(),
        };
        let puts = vec![
            self.put_text(&merged.issue.path, issue)?,
            self.put_text(&merged.card.path, card)?,
            self.put_json(&path, &merged)?,
        ];
        Ok((merged, puts))
    }
}
