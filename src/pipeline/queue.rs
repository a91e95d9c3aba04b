//! The capture queue, derived from what the tree holds.

use agent_contracts_config::AgentDef;
use agent_contracts_registry::records::SupportMatrix;
use agent_contracts_registry::{CaptureJob, QueueAgent, Store, StoreError, queue};

/// Every capture that is wanted, most urgent first.
pub(crate) fn jobs<'a>(
    store: &Store,
    agents: impl IntoIterator<Item = &'a AgentDef>,
) -> Result<Vec<CaptureJob>, StoreError> {
    let matrix = store.matrix()?;
    let agents: Vec<QueueAgent> = agents
        .into_iter()
        .map(|agent| QueueAgent {
            id: agent.id.clone(),
            tier: agent.tier,
            scan_only: agent.scan_only,
            latest_verified: latest_verified(matrix.as_ref(), agent),
            // Only time would tell; the order within a severity is by tier alone.
            observed_days: None,
        })
        .collect();
    Ok(queue::derive(&agents, &store.releases()?, &store.evidence_index()?))
}

/// The newest version of an agent that the matrix calls verified, in any family.
fn latest_verified(matrix: Option<&SupportMatrix>, agent: &AgentDef) -> Option<String> {
    let entries = matrix.into_iter().flat_map(|matrix| &matrix.agents);
    entries
        .filter(|entry| entry.agent == agent.id.as_str())
        .filter_map(|entry| entry.latest_verified.as_ref())
        .map(ToString::to_string)
        .max_by(|a, b| agent.version.scheme.compare(a, b))
}
