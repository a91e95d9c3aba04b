//! What the matrix is made from: records of the tree, nothing else.

use std::collections::{BTreeMap, HashMap};

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_shapes::Validity;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{
    AgentId, CliVersion, GitCommit, HttpsUrl, ObservationPath, ProbeId, PromotionPath, Sha256, Text, UtcTime,
};

use crate::records::{
    Observation, ObservationRef, ObservedLevel, Platform, Promotion, PromotionRef, Provider, RedactionStatus,
    ReplayStatus,
};
use crate::release::ReleaseFile;

/// Everything that claims may rest on. The order of the lists does not matter.
#[derive(Debug, Clone, Default)]
pub struct Records {
    /// `registry/agents.json`: which agents and families there are, and the policy of each.
    pub agents: Option<AgentsFile>,
    /// Every observation.
    pub observations: Vec<Seen>,
    /// Every decision.
    pub decisions: Vec<Decided>,
    /// Every file of releases.
    pub releases: Vec<ReleaseFile>,
    /// The level of every shape, by signature.
    pub shapes: BTreeMap<Sha256, Validity>,
}

/// What is read of an observation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are those of the observation")]
pub struct Seen {
    /// Its file.
    pub path: ObservationPath,
    /// The hash of that file's bytes.
    pub sha256: Sha256,
    pub agent: AgentId,
    pub version: CliVersion,
    pub platform: Platform,
    pub probe: ProbeId,
    pub family: CapturedFamily,
    pub level: ObservedLevel,
    pub shape: Sha256,
    pub captured_at: UtcTime,
    pub runner: Text,
    pub workflow: Option<HttpsUrl>,
    pub raw: Sha256,
    pub sanitized: Option<Sha256>,
    pub provider: Option<Provider>,
    pub profile: Option<Sha256>,
    pub redaction: RedactionStatus,
    pub replay: ReplayStatus,
    pub replay_commit: Option<GitCommit>,
    /// The run failed: `extensions.error` says what.
    pub failed: bool,
}

impl Seen {
    /// What the matrix needs of `observation`, which stands at `path` in a file with the hash `sha256`.
    #[must_use]
    pub fn of(path: ObservationPath, sha256: Sha256, observation: &Observation) -> Self {
        let extensions = &observation.extensions;
        Self {
            path,
            sha256,
            agent: observation.agent.clone(),
            version: observation.cli_version.clone(),
            platform: observation.platform,
            probe: observation.probe.clone(),
            family: observation.protocol_family,
            level: observation.validity_level,
            shape: observation.shape.signature.clone(),
            captured_at: observation.capture.captured_at.clone(),
            runner: observation.capture.runner.clone(),
            workflow: observation.capture.workflow_run_url.clone(),
            raw: observation.capture.raw_client_transcript_sha256.clone(),
            sanitized: extensions
                .evidence
                .as_ref()
                .map(|evidence| evidence.sanitized_sha256.clone()),
            provider: extensions.provider,
            profile: extensions.profile.clone(),
            redaction: observation.redaction.status,
            replay: observation.parser_replay.status,
            replay_commit: observation.parser_replay.open_design_commit.clone(),
            failed: extensions.error.is_some(),
        }
    }

    /// The observation by file and hash.
    #[must_use]
    pub fn reference(&self) -> ObservationRef {
        ObservationRef {
            path: self.path.clone(),
            sha256: self.sha256.clone(),
        }
    }
}

/// A decision with its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// Its file.
    pub path: PromotionPath,
    /// The hash of that file's bytes.
    pub sha256: Sha256,
    /// What was decided.
    pub record: Promotion,
}

impl Decided {
    /// The decision by file and hash.
    #[must_use]
    pub fn reference(&self) -> PromotionRef {
        PromotionRef {
            path: self.path.clone(),
            sha256: self.sha256.clone(),
        }
    }
}

/// The records by name.
#[derive(Debug)]
pub struct Known<'r> {
    records: &'r Records,
    observations: HashMap<&'r str, &'r Seen>,
    decisions: HashMap<&'r str, &'r Decided>,
}

impl<'r> Known<'r> {
    /// Looks up in `records`.
    #[must_use]
    pub fn new(records: &'r Records) -> Self {
        Self {
            records,
            observations: records
                .observations
                .iter()
                .map(|seen| (seen.path.as_str(), seen))
                .collect(),
            decisions: records
                .decisions
                .iter()
                .map(|decided| (decided.path.as_str(), decided))
                .collect(),
        }
    }

    /// The observation with the bytes that are meant.
    #[must_use]
    pub fn observation(&self, reference: &ObservationRef) -> Option<&'r Seen> {
        let seen = *self.observations.get(reference.path.as_str())?;
        (seen.sha256 == reference.sha256).then_some(seen)
    }

    /// The observation in this file.
    #[must_use]
    pub fn observation_at(&self, path: &str) -> Option<&'r Seen> {
        self.observations.get(path).copied()
    }

    /// The decision with the bytes that are meant.
    #[must_use]
    pub fn decision(&self, reference: &PromotionRef) -> Option<&'r Decided> {
        let decided = *self.decisions.get(reference.path.as_str())?;
        (decided.sha256 == reference.sha256).then_some(decided)
    }

    /// Why this observation can support nothing; `None` when it can.
    #[must_use]
    pub fn objection(&self, seen: &Seen) -> Option<&'static str> {
        match self.records.shapes.get(&seen.shape) {
            None => return Some("its shape is not in the tree"),
            Some(level) if level.is_source() => {
                return Some(
                    "the file of its shape says that nobody ever saw it: source, documents and fixtures support no claim",
                );
            }
            Some(_) => {}
        }
        if seen.redaction != RedactionStatus::Passed {
            return Some("its redaction did not pass");
        }
        None
    }
}
