//! What the normaliser is told about the frames of an agent: the same rules as in a profile record.

use agent_contracts_shapes::Profile;
use agent_contracts_shapes::profile::ProfileError;
use agent_contracts_wire::Family;
use agent_contracts_wire::family::SCAN_ONLY;

pub use agent_contracts_shapes::profile::Rules as ProfileDef;

use super::AgentDef;

impl AgentDef {
    /// The profile for one of its families: what holds of the family, and what this file adds.
    ///
    /// # Errors
    /// When a path or an event type of the file cannot be read; the loader has refused such a file already.
    pub fn profile_for(&self, family: &Family) -> Result<Profile, ProfileError> {
        Profile::new(Some(&self.id), family, &self.profile)
    }

    /// The profiles for all families that it is captured under.
    ///
    /// # Errors
    /// As [`Self::profile_for`].
    pub fn profiles(&self) -> Result<Vec<Profile>, ProfileError> {
        self.families
            .iter()
            .filter(|id| *id != SCAN_ONLY)
            .filter_map(|id| Family::of(id))
            .map(|family| self.profile_for(family))
            .collect()
    }
}
