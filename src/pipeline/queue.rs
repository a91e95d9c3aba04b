//! The capture queue, derived from what the tree holds.

use agent_contracts_config::AgentDef;
use agent_contracts_registry::{CaptureJob, QueueAgent, Store, StoreError, queue};

/// Every capture that is wanted, most urgent first.
pub(crate) fn jobs<'a>(
    store: &Store,
    agents: impl IntoIterator<Item = &'a AgentDef>,
) -> Result<Vec<CaptureJob>, StoreError> {
    let agents: Vec<QueueAgent> = agents
        .into_iter()
        .map(|agent| QueueAgent {
            id: agent.id.clone(),
            tier: agent.tier,
            scan_only: agent.scan_only,
            // Nothing is verified until observations exist.
            latest_verified: None,
            observed_days: None,
        })
        .collect();
    Ok(queue::derive(&agents, &store.releases()?, &store.evidence_index()?))
}
