//! One pass over everything: poll, pick, scan, keep, tell.

pub(crate) mod keep;
pub(crate) mod pick;
pub(crate) mod poll;
pub(crate) mod progress;
pub(crate) mod queue;
pub(crate) mod sources;
pub(crate) mod table;
pub(crate) mod tell;

use std::sync::Arc;
use std::time::Instant;

use agent_contracts_config::AgentDef;
use agent_contracts_registry::{OutboxEntry, Store};
use agent_contracts_watchers::Event;
use serde::Serialize;

use crate::context::Context;
use crate::failure::Failure;
use crate::output;
use keep::KeptStep;

/// Something that could not be reached or read, and why. It never stops the rest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Unreached {
    pub(crate) agent: String,
    /// A channel or a source, by its public name.
    pub(crate) what: String,
    pub(crate) why: String,
}

/// What a pass did.
pub(crate) struct Pass {
    pub(crate) events: Vec<Event>,
    pub(crate) notes: Vec<String>,
    /// The newest step of each source that was read, and every step that is new.
    pub(crate) steps: Vec<KeptStep>,
    /// Steps that are left for the next pass, by source.
    pub(crate) waiting: Vec<(String, usize)>,
    pub(crate) unreached: Vec<Unreached>,
    /// Alerts about the steps that are new.
    pub(crate) alerts: Vec<OutboxEntry>,
    /// Captures that are wanted now.
    pub(crate) wanted: usize,
    /// Seconds that the network was waited for, and all others.
    pub(crate) network_s: f64,
    pub(crate) own_s: f64,
}

/// Makes one pass over `agents`.
pub(crate) async fn pass(
    context: &Context,
    store: &Store,
    agents: &[Arc<AgentDef>],
    by_name: bool,
) -> Result<Pass, Failure> {
    let start = Instant::now();
    let now = context.client.now().round(jiff::Unit::Second)?.to_string();
    write_agents(context, store)?;
    let polled = poll::poll(context, store, agents, by_name).await?;
    poll::keep(context, store, &polled)?;
    let mut pass = Pass {
        events: polled.events,
        notes: polled.notes,
        steps: Vec::new(),
        waiting: Vec::new(),
        unreached: polled.unreached,
        alerts: Vec::new(),
        wanted: 0,
        network_s: 0.0,
        own_s: 0.0,
    };
    sources::scan_all(context, store, agents, &now, &mut pass).await?;
    let (index, _) = store.lock()?.put_evidence_index()?;
    store.lock()?.put_matrix()?;
    pass.alerts = tell::alerts(store, &index, agents)?;
    pass.wanted = queue::jobs(store, context.agents.iter().map(AsRef::as_ref))?.len();
    pass.unreached.sort();
    pass.unreached.dedup();
    pass.network_s = context.client.stats().waited.as_secs_f64();
    pass.own_s = (start.elapsed().as_secs_f64() - pass.network_s).max(0.0);
    for note in context.client.notes() {
        output::note(&note);
    }
    Ok(pass)
}

/// The list of agents, as readers of the registry need it, and what the normaliser is told about each of them. A profile
/// is named by its content, so one that an observation names is never written over.
fn write_agents(context: &Context, store: &Store) -> Result<(), Failure> {
    let file = agent_contracts_config::agents_json::agents_file(&context.all);
    let writer = store.lock()?;
    writer.put_json(agent_contracts_registry::places::AGENTS, &file)?;
    for agent in &context.agents {
        for profile in agent.profiles().map_err(Failure::usage)? {
            writer.put_json(&profile.place(), &profile)?;
        }
    }
    Ok(())
}
