//! Python with pydantic, TypedDict and dataclasses.

use agent_contracts_wire::WireModel;
use serde::{Deserialize, Serialize};

use crate::SourceTree;

/// The id of this language.
pub const ID: &str = "python";
/// Changes whenever the facts of an unchanged file may change.
pub const REVISION: &str = "1";

/// What one file says, before any name is resolved.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Facts {}

/// Whether this language reads files of this name.
pub fn reads(_path: &str) -> bool {
    false
}

/// Reads one file by itself.
pub fn parse(_path: &str, _text: &[u8]) -> Facts {
    Facts::default()
}

/// Links the files of `scope` into one model.
pub fn link(_tree: &dyn SourceTree, _scope: &[&str]) -> WireModel {
    WireModel::default()
}
