//! Alert receipts: what was told of an alert, where and when. Written before and after each send.

use agent_contracts_wire::formats::{AgentId, HttpsUrl, SchemaVersion, Sha256, Text, UtcTime};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::words;
use crate::outbox::AlertKind;
use crate::places;

/// One alert at one place. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AlertReceipt {
    /// Always 1.
    pub schema_version: SchemaVersion,
    /// What the alert is about.
    pub kind: AlertKind,
    /// The agent.
    pub agent: AgentId,
    /// The version or channel that it is about.
    pub subject: String,
    /// The fingerprint of the alert.
    pub fingerprint: Sha256,
    /// Where it was told.
    pub sink: Sink,
    /// Where it stands there.
    pub state: ReceiptState,
    /// When this was written.
    pub at: UtcTime,
    /// How often it was tried.
    pub attempts: u32,
    /// The hash of the text that was sent, or is being sent.
    pub text_sha256: Sha256,
    /// What can be opened by anybody, such as the issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<HttpsUrl>,
    /// The number of the issue, or what else the sink calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The sink's own code of the last answer; 0 is success at Feishu.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<i64>,
    /// Why it is not told, for people; no text of the sink that could hold a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Text>,
    /// Not to be tried again before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<UtcTime>,
}

words! {
    /// Where alerts are told.
    Sink {
        Github = "github",
        Feishu = "feishu",
    }

    /// Where an alert stands at a sink. `sending` is written before the send: whoever finds it reads back before retrying.
    ReceiptState {
        Sending = "sending",
        Told = "told",
        Waiting = "waiting",
        Dead = "dead",
        Closed = "closed",
    }
}

impl AlertReceipt {
    /// Its file, relative to the tree: `reports/alerts/KIND/AGENT/SUBJECT-ID8.SINK.receipt.json`.
    #[must_use]
    pub fn place(&self) -> String {
        format!(
            "{}.{}.receipt.json",
            places::alert(
                self.kind.word(),
                self.agent.as_str(),
                &self.subject,
                self.fingerprint.as_str()
            ),
            self.sink
        )
    }
}
