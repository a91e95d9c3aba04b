//! Alerts as records: what is to be told, under one fingerprint each. Sending comes with the notifier's own issue.

use agent_contracts_wire::{Severity, canonical};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::places;

/// What an alert is about. Its word is the label of the issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// Source says that a protocol changes.
    SourceProtocolRisk,
}

impl AlertKind {
    /// As records and labels write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::SourceProtocolRisk => "source_protocol_risk",
        }
    }
}

/// Where an alert stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutboxState {
    /// Not told yet.
    Pending,
    /// Told as it is.
    Told,
    /// Told, and more is known since.
    Edited,
    /// Refused for good by who should be told.
    Dead,
    /// A person does not want it told.
    Dropped,
}

/// `reports/alerts/KIND/AGENT/SUBJECT-ID8.entry.json`. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutboxEntry {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// What it is about.
    pub kind: AlertKind,
    /// The agent.
    #[schemars(with = "agent_contracts_wire::formats::AgentId")]
    pub agent: String,
    /// The version or channel it is about.
    pub subject: String,
    /// Hash of kind, agent and subject: nothing that a later scan could change.
    #[schemars(with = "agent_contracts_wire::formats::Sha256")]
    pub fingerprint: String,
    /// The worst of what is told.
    pub severity: Severity,
    /// In one line.
    pub title: String,
    /// Labels of the issue.
    pub labels: Vec<String>,
    /// The body of the issue, Markdown.
    pub issue: TextRef,
    /// The card, JSON.
    pub card: TextRef,
    /// The evidence records that it rests on, relative to the tree, sorted.
    #[schemars(with = "Vec<agent_contracts_wire::formats::EvidencePath>")]
    pub evidence: Vec<String>,
    /// When it was first made, UTC.
    #[schemars(with = "agent_contracts_wire::formats::UtcTime")]
    pub created_at: String,
    /// Where it stands.
    pub state: OutboxState,
}

/// A text in a file of its own, so that people can read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextRef {
    /// Relative to the tree.
    #[schemars(with = "agent_contracts_wire::formats::RelPath")]
    pub path: String,
    /// Its hash: what was sent can be told from what stands there now.
    #[schemars(with = "agent_contracts_wire::formats::Sha256")]
    pub sha256: String,
}

/// The fingerprint of a thread.
#[must_use]
pub fn fingerprint(kind: AlertKind, agent: &str, subject: &str) -> String {
    // A list of three strings: no other three give the same text.
    let text = serde_json::Value::from(vec![kind.word(), agent, subject]).to_string();
    canonical::sha256(text.as_bytes())
}

impl OutboxEntry {
    /// Its file, relative to the tree.
    #[must_use]
    pub fn place(&self) -> String {
        format!(
            "{}.entry.json",
            places::alert(self.kind.word(), &self.agent, &self.subject, &self.fingerprint)
        )
    }

    /// This entry in place of an older one of the same thread: it keeps when it was made, and whom it was told to.
    #[must_use]
    pub fn over(self, old: &Self) -> Self {
        let same_text = self.issue.sha256 == old.issue.sha256 && self.card.sha256 == old.card.sha256;
        let state = match old.state {
            OutboxState::Told if !same_text => OutboxState::Edited,
            state => state,
        };
        Self {
            created_at: old.created_at.clone(),
            state,
            ..self
        }
    }
}
