//! What claims rest on, and the claims themselves.

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_shapes::{Shape, Validity};
use agent_contracts_wire::formats::Sha256;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Put, Store, StoreError, Writer, Written};
use crate::matrix::{self, Decided, Records, Seen};
use crate::places;
use crate::records::{Observation, Promotion, SupportMatrix};

/// As much of a shape as claims need.
#[derive(Deserialize)]
struct Head {
    signature: Sha256,
    validity_level: Validity,
}

impl Store {
    /// Everything that claims may rest on.
    pub fn claim_records(&self) -> Result<Records, StoreError> {
        let mut records = Records {
            agents: self.read_json::<AgentsFile>(places::AGENTS)?,
            releases: self.releases()?,
            ..Records::default()
        };
        for (path, sha256, observation) in self.hashed::<Observation>(places::OBSERVATIONS, ".observation.json")? {
            let path = named(path)?;
            records.observations.push(Seen::of(path, sha256, &observation));
        }
        for (path, sha256, record) in self.hashed::<Promotion>(places::PROMOTIONS, ".promotion.json")? {
            let path = named(path)?;
            records.decisions.push(Decided { path, sha256, record });
        }
        for path in self.list(places::SHAPES, ".shape.json")? {
            if let Some(head) = self.read_json::<Head>(&path)? {
                records.shapes.insert(head.signature, head.validity_level);
            }
        }
        Ok(records)
    }

    /// The matrix as it is stored.
    pub fn matrix(&self) -> Result<Option<SupportMatrix>, StoreError> {
        self.read_json(places::MATRIX)
    }

    fn hashed<T: DeserializeOwned>(&self, folder: &str, ending: &str) -> Result<Vec<(String, Sha256, T)>, StoreError> {
        let mut all = Vec::new();
        for path in self.list(folder, ending)? {
            if let Some(bytes) = self.read(&path)? {
                let record = self.parse(&path, &bytes)?;
                all.push((path, Sha256::of(&bytes), record));
            }
        }
        Ok(all)
    }
}

/// A path as the type of its kind.
fn named<P: std::str::FromStr>(path: String) -> Result<P, StoreError> {
    path.parse().map_err(|_| StoreError::Conflict {
        path,
        why: "no record of its kind has such a name; rename it to its place or delete it".to_owned(),
    })
}

impl Writer<'_> {
    /// Writes an observation. It never changes: other bytes at its place are a conflict.
    pub fn put_observation(&self, observation: &Observation) -> Result<Put, StoreError> {
        self.put_once(&observation.place(), observation)
    }

    /// Writes a decision. It never changes.
    pub fn put_promotion(&self, promotion: &Promotion) -> Result<Put, StoreError> {
        let path = promotion.place().map_err(|source| StoreError::Json {
            path: places::PROMOTIONS.to_owned(),
            source,
        })?;
        self.put_once(&path, promotion)
    }

    /// Makes the claims anew from all records: the matrix, and the level that each shape that was seen has by now.
    pub fn put_matrix(&self) -> Result<(SupportMatrix, Vec<Put>), StoreError> {
        let records = self.store.claim_records()?;
        let mut puts = Vec::new();
        for (signature, level) in matrix::shape_levels(&records) {
            if records.shapes.get(&signature) != Some(&level) {
                puts.extend(self.put_level(&signature, level)?);
            }
        }
        let matrix = matrix::generate(&records).matrix;
        puts.push(self.put_json(places::MATRIX, &matrix)?);
        Ok((matrix, puts))
    }

    fn put_level(&self, signature: &Sha256, level: Validity) -> Result<Option<Put>, StoreError> {
        let name = format!("{}.shape.json", signature.file_name());
        let found = self.store.list(places::SHAPES, &name)?;
        let Some(path) = found.first() else { return Ok(None) };
        let Some(mut shape) = self.store.read_json::<Shape>(path)? else {
            return Ok(None);
        };
        shape.validity_level = level;
        self.put_json(path, &shape).map(Some)
    }

    fn put_once<T: serde::Serialize>(&self, path: &str, record: &T) -> Result<Put, StoreError> {
        let text = super::pretty(record).map_err(|source| StoreError::Json {
            path: path.to_owned(),
            source,
        })?;
        match self.store.read(path)? {
            None => self.put_text(path, &text),
            Some(old) if old == text.as_bytes() => Ok(Put {
                path: path.to_owned(),
                written: Written::Same,
            }),
            Some(_) => Err(StoreError::Conflict {
                path: path.to_owned(),
                why: "another record has this place already, and records never change".to_owned(),
            }),
        }
    }
}
