//! What a watcher remembers of an agent between two passes: `STATE/watch/AGENT.json`.
//!
//! Losing it costs little: the known releases are records of the public tree, so nothing that is known becomes news. What
//! is lost is since when a place is blind, which tags pointed where, and which standing conditions were told.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use agent_contracts_config::settings::Watch;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::snapshot::{Item, Role};

/// What is remembered of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentState {
    /// Its places, by label.
    pub places: BTreeMap<String, Place>,
    /// Conditions that hold and were told, by key, with what was told of them.
    pub told: BTreeMap<String, String>,
    /// Passes in a row in which none of its channels answered.
    pub failures: u32,
    /// Set while the agent is asked less often.
    pub quarantine: Option<Quarantine>,
}

/// Why an agent is asked less often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantine {
    /// Since when.
    pub since: Timestamp,
    /// What its channels said last.
    pub why: String,
    /// When it is tried again. One good answer ends the quarantine.
    pub next_try: Timestamp,
}

/// What is remembered of one place that announces releases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// What it is to the agent.
    pub role: Role,
    /// Whether it shows tags or versions.
    pub tags_of_a_repository: bool,
    /// Who answered, as a hash.
    pub endpoint: String,
    /// What it showed, by version or tag as written.
    pub items: BTreeMap<String, Item>,
    /// Where its own tags pointed.
    pub tags: BTreeMap<String, String>,
    /// Where they point now is not known.
    pub tags_unknown: bool,
    /// The number of its repository.
    pub repository: Option<u64>,
    /// Its new name, when it has moved.
    pub moved_to: Option<String>,
    /// When all of it was last read.
    pub read_whole_at: Option<Timestamp>,
    /// When it last gave a good answer.
    pub last_good: Option<Timestamp>,
    /// Polls in a row without a good answer.
    pub missed: u32,
    /// When the first of them was.
    pub missing_since: Option<Timestamp>,
    /// Why there was none, the last time.
    pub why: Option<String>,
    /// It cannot be asked on this machine at all.
    pub unavailable: bool,
    /// What a person should know of its last answer.
    pub notes: Vec<String>,
}

impl Place {
    /// Since when it is blind: from the poll on that it has been missing for as many polls as `watch` allows.
    pub fn blind_since(&self, watch: Watch) -> Option<Timestamp> {
        self.missing_since.filter(|_| self.missed >= watch.polls_before_blind)
    }
}

/// Where the states of all agents are kept.
#[derive(Debug, Clone)]
pub struct StateStore {
    folder: Option<PathBuf>,
}

impl StateStore {
    /// Below `state`, or nowhere.
    pub fn new(state: Option<&Path>) -> Self {
        Self {
            folder: state.map(|state| state.join("watch")),
        }
    }

    /// The state of `agent`, and a note when there was one that could not be read.
    pub fn load(&self, agent: &str) -> (AgentState, Option<String>) {
        let Some(path) = self.path(agent) else {
            return (AgentState::default(), None);
        };
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (AgentState::default(), None),
            Err(error) => {
                return (
                    AgentState::default(),
                    Some(format!("{}: {error}; begun anew", path.display())),
                );
            }
        };
        match serde_json::from_slice(&bytes) {
            Ok(state) => (state, None),
            Err(error) => (
                AgentState::default(),
                Some(format!("{}: {error}; begun anew", path.display())),
            ),
        }
    }

    /// Keeps the state of `agent`: the old file or the new one, never half of one.
    pub fn save(&self, agent: &str, state: &AgentState) -> std::io::Result<()> {
        let Some(path) = self.path(agent) else { return Ok(()) };
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, state)?;
        file.flush()?;
        file.persist(&path)?;
        Ok(())
    }

    fn path(&self, agent: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{agent}.json")))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_what_is_damaged_is_begun_anew() {
        let dir = tempfile::tempdir().unwrap();
        let store = StateStore::new(Some(dir.path()));
        assert_eq!(store.load("codex"), (AgentState::default(), None));
        let state = AgentState {
            failures: 3,
            ..AgentState::default()
        };
        store.save("codex", &state).unwrap();
        assert_eq!(store.load("codex"), (state, None));
        std::fs::write(dir.path().join("watch/codex.json"), "{\"failures\": 3").unwrap();
        let (state, note) = store.load("codex");
        assert_eq!(state, AgentState::default());
        assert!(note.unwrap().contains("begun anew"));
    }
}
