//! Watching the places that announce releases: one file per channel, joined into releases, with what changed as events.
//!
//! * [`watch::pass_all`] asks the places of all agents and makes a pass over each.
//! * [`pass::pass`] is that pass, a pure function: (agent, remembered state, known releases, answers, time) to (state,
//!   releases, events). The caller keeps the state ([`state::StateStore`]) and writes the releases into the public tree.
//! * [`discover::row`] shows where an agent stands.
//!
//! It refuses to read silence as "no news", a short answer as a deletion, and a text that is no version as a version.

mod channels;
pub mod discover;
pub mod event;
pub mod join;
pub mod pass;
mod place;
pub mod snapshot;
pub mod state;
#[cfg(test)]
mod testing;
pub mod watch;

pub use agent_contracts_config::scheme;
pub use channels::installed;
pub use event::{Event, EventKind, Standing};
pub use pass::{Input, Outcome};
pub use snapshot::{Answer, Coverage, Item, Listing, Role};
pub use state::{AgentState, StateStore};
pub use watch::{Watched, pass_all, poll};
