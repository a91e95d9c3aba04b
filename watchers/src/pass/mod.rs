//! A pass over one agent: a pure function of (agent, what was remembered, what is known, answers, time) to (what to
//! remember, what is known then, events).
//!
//! It refuses to read silence as news: a failed, partial or throttled answer changes nothing but the count of misses. The
//! first look at an agent, or at a channel, is a baseline and no storm of news.

mod conditions;
mod news;

use std::time::Duration;

use agent_contracts_config::AgentDef;
use agent_contracts_config::settings::Watch;
use agent_contracts_net::NetError;
use agent_contracts_registry::release::ReleaseFile;
use jiff::Timestamp;

use self::conditions::conditions;
pub(crate) use self::conditions::lag;
use self::news::{changes, forgotten, news, tag_moves};
use crate::event::Event;
use crate::join;
use crate::place::{absorb, miss};
use crate::scheme::Scheme;
use crate::snapshot::{Answer, Role};
use crate::state::{AgentState, Quarantine};

/// What a pass starts from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The agent.
    pub agent: &'a AgentDef,
    /// What was remembered of it.
    pub before: &'a AgentState,
    /// Its known releases, from the public tree.
    pub known: &'a ReleaseFile,
    /// The versions that observations verified, in any order.
    pub verified: &'a [String],
    /// What its places answered.
    pub answers: &'a [Answer],
    /// How patient the pass is.
    pub watch: Watch,
    /// Now.
    pub now: Timestamp,
}

/// What a pass ends with.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// What to remember.
    pub state: AgentState,
    /// The known releases, old and new.
    pub releases: ReleaseFile,
    /// What to tell, in a fixed order.
    pub events: Vec<Event>,
    /// What a person should know of how it went.
    pub notes: Vec<String>,
}

/// Makes the pass.
pub fn pass(input: &Input<'_>) -> Outcome {
    let now = Timestamp::from_second(input.now.as_second()).unwrap_or(input.now);
    let input = &Input { now, ..*input };
    let scheme = Scheme::new(&input.agent.version);
    let known = ReleaseFile {
        schema_version: 1,
        agent: input.agent.id.clone(),
        releases: input.known.releases.clone(),
    };
    let mut state = input.before.clone();
    let mut events = Vec::new();
    let mut notes = Vec::new();
    let mut gone = Vec::new();
    for answer in input.answers {
        let before = input.before.places.get(&answer.label);
        let place = match &answer.result {
            Ok(listing) => {
                let absorbed = absorb(before, &answer.role, listing, input.now);
                match before.filter(|_| absorbed.comparable) {
                    Some(before) => tag_moves(&scheme, &answer.label, before, &absorbed.place, &mut events),
                    None => gone.extend(forgotten(&scheme, &known, &answer.label, listing, &absorbed.place)),
                }
                absorbed.place
            }
            Err(error) => {
                // Who asks for it knows it.
                if !matches!(error, NetError::Offline { .. }) {
                    notes.push(error.to_string());
                }
                miss(before, &answer.role, error, input.now)
            }
        };
        if answer.result.is_ok() && answer.role != Role::Local {
            notes.extend(place.notes.iter().cloned());
        }
        state.places.insert(answer.label.clone(), place);
    }
    let joined = join::join(&scheme, &known, &state.places, &gone, input.now);
    for (label, texts) in &joined.aside {
        notes.push(format!(
            "{label}: no versions by the agent's scheme, kept aside: {}",
            some(texts)
        ));
    }
    news(input, &scheme, &known, &joined, &mut events, &mut notes);
    changes(input, &scheme, &known, &joined.releases, &mut events);
    let conditions = conditions(input, &scheme, &joined.releases, &state.places);
    events.extend(
        conditions
            .iter()
            .filter(|(key, condition)| state.told.get(*key) != Some(&condition.told))
            .map(|(_, condition)| condition.event.clone()),
    );
    state.told = conditions
        .into_iter()
        .map(|(key, condition)| (key, condition.told))
        .collect();
    quarantine(&mut state, input);
    let events = events
        .into_iter()
        .map(|kind| Event {
            agent: input.agent.id.clone(),
            kind,
        })
        .collect();
    Outcome {
        state,
        releases: joined.releases,
        events,
        notes,
    }
}

/// Whether the agent is to be asked now: not while it is in quarantine, unless a person asks for it by name.
pub fn is_due(state: &AgentState, now: Timestamp, by_name: bool) -> bool {
    by_name
        || state
            .quarantine
            .as_ref()
            .is_none_or(|quarantine| quarantine.next_try <= now)
}

/// The highest of `verified`.
pub(crate) fn latest_verified<'a>(scheme: &Scheme, verified: &'a [String]) -> Option<&'a String> {
    verified.iter().max_by(|a, b| scheme.compare(a, b))
}

/// An agent none of whose channels answers is asked less and less often, up to every six hours.
fn quarantine(state: &mut AgentState, input: &Input<'_>) {
    let mut failed = Vec::new();
    for answer in input.answers.iter().filter(|answer| answer.role == Role::Main) {
        match &answer.result {
            Ok(_) => {
                state.failures = 0;
                state.quarantine = None;
                return;
            }
            Err(NetError::Unavailable { .. } | NetError::Offline { .. }) => {}
            Err(error) => failed.push(error.to_string()),
        }
    }
    if failed.is_empty() {
        return;
    }
    state.failures = state.failures.saturating_add(1);
    if let Some(beyond) = state.failures.checked_sub(input.watch.polls_before_quarantine) {
        let doubled = 2u32.saturating_pow(beyond.min(5));
        let pause = Duration::from_secs(15 * 60)
            .saturating_mul(doubled)
            .min(Duration::from_secs(6 * 3600));
        state.quarantine = Some(Quarantine {
            since: state
                .quarantine
                .as_ref()
                .map_or(input.now, |quarantine| quarantine.since),
            why: failed.join("; "),
            next_try: input.now.saturating_add(pause).unwrap_or(input.now),
        });
    }
}

/// The first few of a list, and how many more.
fn some(texts: &[String]) -> String {
    const SHOWN: usize = 5;
    let first = texts
        .iter()
        .take(SHOWN)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match texts.len().saturating_sub(SHOWN) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

#[cfg(test)]
mod tests;
