//! From an alert to what is put into the outbox.

use agent_contracts_registry::outbox::{OutboxEntry, OutboxState, TextRef};
use agent_contracts_registry::places;
use agent_contracts_wire::canonical::sha256;

use crate::{Alert, AlertError, Links, card, issue};

/// An entry with its texts, for `registry::Writer::put_alert`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The entry.
    pub entry: OutboxEntry,
    /// The body of the issue.
    pub issue: String,
    /// The card.
    pub card: String,
}

/// The entry of an alert. Pure: the time is that of its oldest evidence, so the same steps give the same entry, and a
/// later scan of the same step gives the same files.
pub fn entry_for(alert: &Alert, links: &Links) -> Result<Prepared, AlertError> {
    let fingerprint = alert.fingerprint();
    let stem = places::alert(alert.kind().word(), &alert.agent.id, &alert.version, &fingerprint);
    let issue = issue::body(alert, links);
    let card = card::render(alert, links).map_err(|source| AlertError::Json {
        agent: alert.agent.id.clone(),
        version: alert.version.clone(),
        source,
    })?;
    let mut evidence: Vec<String> = alert
        .steps
        .iter()
        .filter_map(|(report, _)| report.record.clone())
        .collect();
    evidence.sort();
    evidence.dedup();
    let text = |ending: &str, text: &str| TextRef {
        path: format!("{stem}{ending}"),
        sha256: sha256(text.as_bytes()),
    };
    let entry = OutboxEntry {
        schema_version: 1,
        kind: alert.kind(),
        agent: alert.agent.id.clone(),
        subject: alert.version.clone(),
        fingerprint,
        severity: alert.severity(),
        title: issue::title(alert),
        labels: vec![alert.kind().word().to_owned()],
        issue: text(".md", &issue),
        card: text(".card.json", &card),
        evidence,
        created_at: alert.since().to_owned(),
        state: OutboxState::Pending,
    };
    Ok(Prepared { entry, issue, card })
}
