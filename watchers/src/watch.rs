//! The driver: asks the places of agents side by side and makes the pure pass of each. One broken place or agent never
//! stops the others.

use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_config::settings::Watch;
use agent_contracts_net::{Client, Endpoints, NetError};
use agent_contracts_registry::release::ReleaseFile;
use tokio::task::JoinSet;

use crate::channels::{self, Context};
use crate::pass::{self, Input, Outcome};
use crate::snapshot::{Answer, Role};
use crate::state::AgentState;

/// An agent to be watched, and what is known of it.
#[derive(Debug, Clone)]
pub struct Watched {
    /// The agent.
    pub agent: Arc<AgentDef>,
    /// What was remembered of it.
    pub state: AgentState,
    /// Its known releases.
    pub known: ReleaseFile,
    /// The versions that observations verified.
    pub verified: Vec<String>,
    /// A person named it: it is asked even in quarantine.
    pub by_name: bool,
}

/// Asks every place of one agent.
pub async fn poll(
    client: &Client,
    endpoints: &Endpoints,
    watch: Watch,
    agent: &Arc<AgentDef>,
    before: &AgentState,
) -> Vec<Answer> {
    let mut tasks = JoinSet::new();
    for (index, channel) in agent.channels.iter().enumerate() {
        let (client, endpoints, agent) = (client.clone(), endpoints.clone(), agent.clone());
        let (channel, before) = (channel.clone(), before.clone());
        tasks.spawn(async move {
            let context = Context {
                agent: &agent,
                client: &client,
                endpoints: &endpoints,
                before: &before,
                watch,
            };
            (index, channels::poll(&channel, &context).await)
        });
    }
    let mut answers: Vec<Option<Vec<Answer>>> = vec![None; agent.channels.len()];
    while let Some(ended) = tasks.join_next().await {
        if let Ok((index, of_channel)) = ended {
            answers[index] = Some(of_channel);
        }
    }
    // In the order of the agent's file, whoever answered first.
    let broken = |index: usize| {
        let label = agent.channels[index].label();
        let result = Err(NetError::malformed(
            &label,
            "reading it ended in a fault of ours; please report it",
        ));
        vec![Answer {
            label,
            role: Role::Main,
            result,
        }]
    };
    answers
        .into_iter()
        .enumerate()
        .flat_map(|(index, answers)| answers.unwrap_or_else(|| broken(index)))
        .collect()
}

/// Makes a pass over all of `watched`. The outcomes are in the same order; an agent in quarantine whose time has not come
/// gives none. `done` is told of each agent as it ends, for a progress bar.
///
/// The agents that were longest without a good answer are asked first, so that a limit on the number of requests does not
/// fall on the same ones each time.
pub async fn pass_all(
    client: &Client,
    endpoints: &Endpoints,
    watch: Watch,
    watched: Vec<Watched>,
    done: impl Fn(&str),
) -> Vec<Option<Outcome>> {
    let mut order: Vec<usize> = (0..watched.len()).collect();
    order.sort_by_key(|index| {
        watched[*index]
            .state
            .places
            .values()
            .filter_map(|place| place.last_good)
            .min()
    });
    let watched: Vec<Arc<Watched>> = watched.into_iter().map(Arc::new).collect();
    let mut tasks = JoinSet::new();
    for index in order {
        let (client, endpoints, one) = (client.clone(), endpoints.clone(), watched[index].clone());
        if !pass::is_due(&one.state, client.now(), one.by_name) {
            done(&one.agent.id);
            continue;
        }
        tasks.spawn(async move {
            let answers = poll(&client, &endpoints, watch, &one.agent, &one.state).await;
            // What the agent's file names no more is forgotten.
            let mut before = one.state.clone();
            before
                .places
                .retain(|label, _| answers.iter().any(|answer| answer.label == *label));
            let outcome = pass::pass(&Input {
                agent: &one.agent,
                before: &before,
                known: &one.known,
                verified: &one.verified,
                answers: &answers,
                watch,
                now: client.now(),
            });
            (index, outcome)
        });
    }
    let mut outcomes = vec![None; watched.len()];
    while let Some(ended) = tasks.join_next().await {
        match ended {
            Ok((index, outcome)) => {
                done(&watched[index].agent.id);
                outcomes[index] = Some(outcome);
            }
            Err(error) => tracing::error!(%error, "a pass ended in a fault of ours"),
        }
    }
    outcomes
}
