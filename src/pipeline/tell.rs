//! Alerts about what is new, into the outbox.

use std::collections::BTreeSet;

use agent_contracts_notifiers::outbox::entry_for;
use agent_contracts_notifiers::{Alert, Links};
use agent_contracts_registry::{EvidenceIndex, OutboxEntry, Store};
use agent_contracts_reports::StepReport;

use super::keep::KeptStep;
use crate::context::Context;
use crate::failure::Failure;

/// Writes one alert for each (agent, version) that a new step of this pass is about and that holds something risky. An
/// alert is made of everything the tree knows of that version, so that a later pass edits it and never doubles it.
pub(crate) fn alerts(
    store: &Store,
    index: &EvidenceIndex,
    context: &Context,
    steps: &[KeptStep],
) -> Result<Vec<OutboxEntry>, Failure> {
    let about: BTreeSet<(String, String)> = steps
        .iter()
        .filter(|step| step.new)
        .filter_map(|step| Some((step.report.agent.as_ref()?.id.clone(), step.report.to.version.clone())))
        .collect();
    let mut written = Vec::new();
    for (agent, version) in about {
        let name = context
            .agents
            .iter()
            .find(|one| one.id == agent)
            .map_or(agent.as_str(), |one| &one.name);
        let mut of_version = Vec::new();
        for step in index
            .steps
            .iter()
            .filter(|step| step.agent == agent && step.to == version)
        {
            if let Some(evidence) = store.read_json(&step.record)?
                && let Some(report) = StepReport::of_evidence(&evidence, name)
            {
                let path = KeptStep::known(&agent, report.clone()).path;
                of_version.push((report, path));
            }
        }
        if let Some(alert) = Alert::of_steps(of_version) {
            let prepared = entry_for(&alert, &Links::default())?;
            let (entry, _) = store
                .lock()?
                .put_alert(&prepared.entry, &prepared.issue, &prepared.card)?;
            written.push(entry);
        }
    }
    Ok(written)
}
