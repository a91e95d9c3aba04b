//! Decisions about observations: append-only records that raise a level, name a broken version, or take one back.

use std::collections::BTreeMap;

use agent_contracts_wire::formats::{
    AgentId, CliVersion, EvidenceLink, HttpsUrl, ProbeId, PromotionPath, SchemaVersion, Sha256, Text, UtcTime,
    VersionRange,
};
use agent_contracts_wire::{canonical, family::CapturedFamily};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::attestation::Attestation;
use super::matrix::ServerVariant;
use super::observation::ObservationRef;
use super::platform::Platform;
use super::words::words;

/// One decision. Nothing is ever deleted: a decision is undone by another one. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// The agent that it is about.
    pub agent: AgentId,
    /// When it was decided. Later decisions win.
    pub decided_at: UtcTime,
    /// Why, for people.
    pub reason: Text,
    /// What was decided.
    pub action: PromotionAction,
    /// Who decided, on what.
    pub attestation: Attestation,
    /// Open to further members.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extensions: BTreeMap<String, Value>,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PromotionAction {
    /// The observations have a stronger level than they were captured with. They are of one agent, version, family,
    /// probe and shape.
    Promote {
        /// The new level.
        to: PromotedLevel,
        /// Those that get it, with what confirms them: at least two for `confirmed`.
        #[schemars(length(min = 1))]
        observations: Vec<ObservationRef>,
        /// What makes them independent of each other.
        independence: Independence,
        /// Somebody else's reproduction. Required for `community_confirmed`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reproduction: Option<HttpsUrl>,
    },
    /// One version has several active shapes under one probe.
    ServerVariant {
        /// The version.
        cli_version: CliVersion,
        /// Where; all platforms when it is empty.
        #[serde(default)]
        platforms: Vec<Platform>,
        /// The dialect.
        protocol_family: CapturedFamily,
        /// The probe under which they differ.
        probe: ProbeId,
        /// The shapes with what is known of each; at least two.
        #[schemars(length(min = 2))]
        variants: Vec<ServerVariant>,
        /// What showed them; at least one of each shape.
        #[schemars(length(min = 2))]
        observations: Vec<ObservationRef>,
    },
    /// The variants that a `server_variant` record named are not active any more.
    ClearServerVariant {
        /// That record.
        promotion: PromotionRef,
        /// The shape that is left.
        shape: Sha256,
    },
    /// Versions that do not work.
    KnownBreaking {
        /// Which.
        #[schemars(length(min = 1))]
        version_ranges: Vec<VersionRange>,
        /// Where; all platforms when it is empty.
        #[serde(default)]
        platforms: Vec<Platform>,
        /// The dialect.
        protocol_family: CapturedFamily,
        /// The shape that does not work; when it is left out, no shape of these versions does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shape: Option<Sha256>,
        /// What breaks, for people; it goes into the matrix.
        breaks: Text,
        /// Files of the tree or addresses that show it.
        #[schemars(length(min = 1))]
        evidence: Vec<EvidenceLink>,
    },
    /// An earlier decision does not hold any more.
    Undo {
        /// That decision.
        promotion: PromotionRef,
    },
}

words! {
    /// The levels that a decision can give.
    PromotedLevel {
        Confirmed = "confirmed",
        CommunityConfirmed = "community_confirmed",
    }

    /// What makes two captures independent: a day between them, another runner image, another person.
    Independence {
        TimeWindow = "time_window",
        Runner = "runner",
        Contributor = "contributor",
    }
}

/// A decision by file and hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromotionRef {
    /// Its file.
    pub path: PromotionPath,
    /// The hash of that file's bytes.
    pub sha256: Sha256,
}

impl Promotion {
    /// Its file, relative to the tree: `registry/promotions/AGENT/TIME.ID8.promotion.json`. `ID8` are the first digits
    /// of the hash of its canonical JSON.
    pub fn place(&self) -> serde_json::Result<String> {
        let hash = canonical::hash_json(self)?;
        Ok(format!(
            "registry/promotions/{}/{}.{}.promotion.json",
            self.agent,
            self.decided_at.file_name(),
            agent_contracts_wire::place::id8(&hash),
        ))
    }
}
