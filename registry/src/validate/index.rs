//! What the rules must know of the rest of the tree. Observations are many, so little is kept of each.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use agent_contracts_config::agents_json::AgentEntry;
use agent_contracts_shapes::{Profile, Validity};
use agent_contracts_wire::formats::{Sha256, UtcTime};

use crate::outbox::OutboxEntry;
use crate::records::{ErrorCase, Observation, ObservedLevel, ProbeDefinition, Promotion, SupportMatrix};
use crate::release::ReleaseFile;

/// The tree, as far as references need it.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Every file with its length.
    pub(super) files: BTreeMap<String, u64>,
    /// By id; `None` when there is no list.
    pub(super) agents: Option<HashMap<String, AgentEntry>>,
    /// By id.
    pub(super) probes: HashMap<String, ProbeDefinition>,
    /// By signature.
    pub(super) shapes: HashMap<String, ShapeFacts>,
    /// By signature.
    pub(super) profiles: HashMap<String, Profile>,
    /// By file.
    pub(super) evidence: BTreeMap<String, EvidenceFacts>,
    /// By agent.
    pub(super) releases: HashMap<String, ReleaseFile>,
    /// By file, with the hash of its bytes.
    pub(super) promotions: BTreeMap<String, (Promotion, Sha256)>,
    pub(super) errors: BTreeMap<String, ErrorCase>,
    pub(super) alerts: BTreeMap<String, OutboxEntry>,
    pub(super) matrix: Option<SupportMatrix>,
    /// Sorted by file.
    pub(super) observations: Vec<ObservationFacts>,
    /// Where the observations of a shape stand among them.
    pub(super) of_shape: HashMap<String, Vec<usize>>,
    /// What the matrix is made from.
    pub(super) claims: crate::matrix::Records,
    /// The hash of every file that was read, when somebody needs them.
    pub(super) hashes: HashMap<String, Sha256>,
}

/// What is kept of a shape.
#[derive(Debug, Clone)]
pub(super) struct ShapeFacts {
    pub(super) file: String,
    pub(super) family: String,
    pub(super) level: Validity,
    /// Whether anything stands on standard output, and on standard error.
    pub(super) stdout: bool,
    pub(super) stderr: bool,
    /// What its content hashes to.
    pub(super) hashes_to: String,
}

/// What is kept of an evidence record.
#[derive(Debug, Clone)]
pub(super) struct EvidenceFacts {
    pub(super) identity: String,
    pub(super) shape: String,
    pub(super) level: Validity,
    pub(super) findings: BTreeSet<String>,
}

/// What is kept of an observation.
#[derive(Debug, Clone)]
pub(super) struct ObservationFacts {
    pub(super) file: String,
    pub(super) agent: String,
    pub(super) version: String,
    pub(super) probe: String,
    pub(super) family: &'static str,
    pub(super) shape: String,
    pub(super) level: ObservedLevel,
    pub(super) captured_at: UtcTime,
    pub(super) runner: String,
    pub(super) raw: String,
    pub(super) sanitized: Option<String>,
    pub(super) profile: Option<String>,
    /// The hash of the file.
    pub(super) sha256: Sha256,
}

impl ObservationFacts {
    pub(super) fn of(file: &str, observation: &Observation, sha256: Sha256) -> Self {
        let extensions = &observation.extensions;
        Self {
            file: file.to_owned(),
            agent: observation.agent.to_string(),
            version: observation.cli_version.to_string(),
            probe: observation.probe.to_string(),
            family: observation.protocol_family.as_str(),
            shape: observation.shape.signature.to_string(),
            level: observation.validity_level,
            captured_at: observation.capture.captured_at.clone(),
            runner: observation.capture.runner.to_string(),
            raw: observation.capture.raw_client_transcript_sha256.to_string(),
            sanitized: extensions
                .evidence
                .as_ref()
                .map(|evidence| evidence.sanitized_sha256.to_string()),
            profile: extensions.profile.as_ref().map(ToString::to_string),
            sha256,
        }
    }
}

impl Index {
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The agent; `Err` when there is a list and it is not in it.
    pub(super) fn agent(&self, id: &str) -> Result<Option<&AgentEntry>, ()> {
        match &self.agents {
            None => Ok(None),
            Some(agents) => agents.get(id).map(Some).ok_or(()),
        }
    }

    /// When a version of an agent was first published, by any channel.
    pub(super) fn published(&self, agent: &str, version: &str) -> Option<&str> {
        let releases = &self.releases.get(agent)?.releases;
        let release = releases.iter().find(|release| release.version == version)?;
        release
            .channels
            .values()
            .filter_map(|channel| channel.published_at.as_deref())
            .min()
    }

    /// Puts the observations into their order, and notes which shapes they have.
    pub(super) fn order_observations(&mut self) {
        self.observations.sort_by(|a, b| a.file.cmp(&b.file));
        self.of_shape.clear();
        for (at, one) in self.observations.iter().enumerate() {
            self.of_shape.entry(one.shape.clone()).or_default().push(at);
        }
    }

    /// The observations of a shape, by file.
    pub(super) fn of_shape(&self, signature: &str) -> impl Iterator<Item = &ObservationFacts> {
        let places = self.of_shape.get(signature).into_iter().flatten();
        places.filter_map(|at| self.observations.get(*at))
    }

    /// The observation in this file.
    pub(super) fn observation(&self, file: &str) -> Option<&ObservationFacts> {
        let at = self
            .observations
            .binary_search_by(|one| one.file.as_str().cmp(file))
            .ok()?;
        self.observations.get(at)
    }
}
