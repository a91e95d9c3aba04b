//! The channels of all agents, asked side by side.

use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_registry::{ReleaseFile, Store};
use agent_contracts_watchers::discover::{self, Row, Sight};
use agent_contracts_watchers::{AgentState, Event, Watched, pass_all};

use super::Unreached;
use super::progress::Bar;
use crate::context::Context;
use crate::failure::Failure;

/// What the channels said. Nothing is kept yet.
pub(crate) struct Polled {
    /// State and releases of each agent that was due.
    pub(crate) agents: Vec<(Arc<AgentDef>, AgentState, ReleaseFile)>,
    pub(crate) rows: Vec<Row>,
    pub(crate) events: Vec<Event>,
    pub(crate) notes: Vec<String>,
    pub(crate) unreached: Vec<Unreached>,
}

/// Asks every channel of `agents`. `by_name`: a person named them, so that quarantine does not hold.
pub(crate) async fn poll(
    context: &Context,
    store: &Store,
    agents: &[Arc<AgentDef>],
    by_name: bool,
) -> Result<Polled, Failure> {
    let known = store.releases()?;
    let mut polled = Polled {
        agents: Vec::new(),
        rows: Vec::new(),
        events: Vec::new(),
        notes: Vec::new(),
        unreached: Vec::new(),
    };
    let mut watched = Vec::new();
    for agent in agents {
        let (state, note) = context.states.load(&agent.id);
        polled.notes.extend(note);
        let known = known.iter().find(|file| file.agent == agent.id).cloned();
        watched.push(Watched {
            agent: Arc::clone(agent),
            state,
            known: known.unwrap_or_else(|| ReleaseFile {
                schema_version: 1,
                agent: agent.id.clone(),
                releases: vec![],
            }),
            // Nothing is verified until observations exist.
            verified: Vec::new(),
            by_name,
        });
    }
    let bar = Bar::new("polling", agents.len());
    let watch = context.settings.watch;
    let outcomes = pass_all(&context.client, &context.endpoints, watch, watched.clone(), |agent| {
        bar.step(agent);
    })
    .await;
    bar.end();
    for (before, outcome) in watched.into_iter().zip(outcomes) {
        let (state, releases) = match outcome {
            Some(outcome) => {
                polled.events.extend(outcome.events);
                polled
                    .notes
                    .extend(outcome.notes.iter().map(|note| format!("{}: {note}", before.agent.id)));
                (outcome.state, outcome.releases)
            }
            None => (before.state, before.known),
        };
        let row = discover::row(&before.agent, &state, &releases, &before.verified, watch);
        polled.unreached.extend(row.channels.iter().filter_map(|channel| {
            let why = match &channel.sight {
                Sight::Missed { why, .. } | Sight::Blind { why, .. } | Sight::Unavailable { why } => why.clone(),
                Sight::Seen { .. } | Sight::NotAsked => return None,
            };
            Some(Unreached {
                agent: row.agent.clone(),
                what: channel.channel.clone(),
                why,
            })
        }));
        polled.rows.push(row);
        polled.agents.push((before.agent, state, releases));
    }
    Ok(polled)
}

/// Keeps what was seen: releases in the tree first, then what is remembered, so that a crash between the two tells a
/// release twice and never loses it.
pub(crate) fn keep(context: &Context, store: &Store, polled: &Polled) -> Result<(), Failure> {
    let writer = store.lock()?;
    for (agent, state, releases) in &polled.agents {
        if !releases.releases.is_empty() {
            writer.put_releases(releases)?;
        }
        context.states.save(&agent.id, state)?;
    }
    Ok(())
}
