//! What the normaliser is told: which frames float or come by chance, which tags are part of an event's name, which
//! objects have data for keys, what is not looked into, and whose values are part of the protocol.
//!
//! A profile is a record with a name made from its content. An observation names the one it was made with, so an edited
//! agent's file makes another profile and never an old observation untrue.

mod family;
mod pattern;

use std::collections::BTreeSet;

use agent_contracts_wire::{EventType, Family, Path, canonical};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use pattern::EventPattern;

/// `registry/profiles/sha256-….profile.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// `sha256:` of the canonical JSON of this record without this member.
    #[schemars(with = "agent_contracts_wire::formats::Sha256")]
    pub signature: String,
    /// The agent it was made for; `null` for what holds of a whole family.
    pub agent: Option<String>,
    /// As in `json-event-stream/v1`.
    #[schemars(with = "agent_contracts_wire::family::FamilyId")]
    pub protocol_family: String,
    /// What the normaliser is told.
    pub rules: Rules,
}

/// What the normaliser is told. Event types may hold `*` for any run of characters; a nested tag in brackets must be
/// among those of the event. Paths are those of shapes; `[]` stands for all items of a list, whatever their tag.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Frames that come at any place: kept, sorted after the ordered ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floating: Vec<String>,
    /// Frames that come or stay away by account, network or machine: not in the shape.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volatile: Vec<String>,
    /// Nested tags that are part of the event type, as paths (`item.type`). Where a frame has no tag of its own, the
    /// first of them that it has is its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Objects whose keys are data, as paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<String>,
    /// Lists and objects that are not looked into (tools, commands, models, arguments of tools), as paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opaque: Vec<String>,
    /// Members that come or stay away by account, network or machine, as paths: left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Names whose values are part of the protocol and are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

/// What is wrong with a profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// A path that is none.
    #[error("{list}: {source}")]
    Path {
        /// The list it stands in.
        list: &'static str,
        /// Why.
        source: agent_contracts_wire::path::PathError,
    },
    /// An event type that is none.
    #[error("{list}: {source}")]
    Event {
        /// The list it stands in.
        list: &'static str,
        /// Why.
        source: agent_contracts_wire::event::EventError,
    },
    /// A family that is not known.
    #[error("unknown protocol family `{0}`")]
    Family(String),
}

impl Profile {
    /// The profile of `agent` for one of its families: what holds of the family, and what the agent's file adds.
    ///
    /// # Errors
    /// When a path or an event type of `rules` cannot be read.
    pub fn new(agent: Option<&str>, family: &Family, rules: &Rules) -> Result<Self, ProfileError> {
        let mut profile = Self {
            schema_version: 1,
            signature: String::new(),
            agent: agent.map(str::to_owned),
            protocol_family: family.id.to_owned(),
            rules: family::rules(family).joined(rules),
        };
        profile.rules.check()?;
        profile.signature = profile.sign();
        Ok(profile)
    }

    /// The signature that its content has, whatever it claims.
    #[must_use]
    pub fn sign(&self) -> String {
        let unsigned = serde_json::json!({
            "schema_version": self.schema_version,
            "agent": self.agent,
            "protocol_family": self.protocol_family,
            "rules": self.rules,
        });
        // A value of serde_json is always JSON.
        canonical::hash_json(&unsigned).unwrap_or_default()
    }

    /// The family.
    ///
    /// # Errors
    /// When it is not known.
    pub fn family(&self) -> Result<&'static Family, ProfileError> {
        Family::of(&self.protocol_family).ok_or_else(|| ProfileError::Family(self.protocol_family.clone()))
    }

    /// Where it is kept, relative to the tree. The agent is named by its id, which is kebab-case.
    #[must_use]
    pub fn place(&self) -> String {
        let name = self.signature.replacen(':', "-", 1);
        format!("registry/profiles/{name}.profile.json")
    }
}

impl Rules {
    /// Both, each list sorted and without repetition, but for tags, whose order counts.
    #[must_use]
    pub fn joined(&self, more: &Self) -> Self {
        let sorted = |a: &[String], b: &[String]| -> Vec<String> {
            a.iter()
                .chain(b)
                .cloned()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect()
        };
        let mut tags = self.tags.clone();
        tags.extend(more.tags.iter().filter(|tag| !self.tags.contains(tag)).cloned());
        Self {
            floating: sorted(&self.floating, &more.floating),
            volatile: sorted(&self.volatile, &more.volatile),
            tags,
            maps: sorted(&self.maps, &more.maps),
            opaque: sorted(&self.opaque, &more.opaque),
            ignored: sorted(&self.ignored, &more.ignored),
            kept: sorted(&self.kept, &more.kept),
        }
    }

    /// Every path and event type reads.
    ///
    /// # Errors
    /// At the first that does not.
    pub fn check(&self) -> Result<(), ProfileError> {
        for (list, patterns) in [("floating", &self.floating), ("volatile", &self.volatile)] {
            for pattern in patterns {
                pattern
                    .parse::<EventType>()
                    .map_err(|source| ProfileError::Event { list, source })?;
            }
        }
        for (list, paths) in [
            ("tags", &self.tags),
            ("maps", &self.maps),
            ("opaque", &self.opaque),
            ("ignored", &self.ignored),
        ] {
            for path in paths {
                path.parse::<Path>()
                    .map_err(|source| ProfileError::Path { list, source })?;
            }
        }
        Ok(())
    }
}
