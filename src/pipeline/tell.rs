//! Alerts about what is new, into the outbox.

use std::collections::BTreeMap;
use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_notifiers::outbox::entry_for;
use agent_contracts_notifiers::{Alert, Links};
use agent_contracts_registry::{EvidenceIndex, IndexStep, OutboxEntry, Standing, Store, Written};
use agent_contracts_reports::StepReport;

use super::keep::KeptStep;
use crate::failure::Failure;

/// Writes one alert for each version of `agents` with an open risk, made of everything that the tree knows of it: a later
/// pass edits it and never doubles it, and one that was killed before it told is made up for. Gives the alerts that are
/// new or changed.
pub(crate) fn alerts(
    store: &Store,
    index: &EvidenceIndex,
    agents: &[Arc<AgentDef>],
) -> Result<Vec<OutboxEntry>, Failure> {
    let mut written = Vec::new();
    for agent in agents {
        let mut by_version: BTreeMap<&str, Vec<&IndexStep>> = BTreeMap::new();
        for step in index.steps.iter().filter(|step| step.agent == agent.id) {
            by_version.entry(&step.to).or_default().push(step);
        }
        for steps in by_version
            .into_values()
            .filter(|steps| steps.iter().any(|step| step.standing == Standing::Open))
        {
            let mut reports = Vec::new();
            for step in steps {
                if let Some(evidence) = store.read_json(&step.record)?
                    && let Some(report) = StepReport::of_evidence(&evidence, &agent.name)
                {
                    let path = KeptStep::known(&agent.id, report.clone()).path;
                    reports.push((report, path));
                }
            }
            let Some(alert) = Alert::of_steps(reports) else {
                continue;
            };
            let prepared = entry_for(&alert, &Links::default())?;
            let (entry, puts) = store
                .lock()?
                .put_alert(&prepared.entry, &prepared.issue, &prepared.card)?;
            if puts.iter().any(|put| put.written != Written::Same) {
                written.push(entry);
            }
        }
    }
    Ok(written)
}
