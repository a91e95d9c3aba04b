//! Command-line flags from source code and help texts.

use agent_contracts_wire::WireModel;

use crate::SourceTree;

/// A model that holds the flags declared in `scope` and nothing else.
pub fn extract(_tree: &dyn SourceTree, _scope: &[String]) -> WireModel {
    WireModel::default()
}
