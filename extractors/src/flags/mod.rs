//! Command-line flags from source code.
//!
//! A library is read by the form of its calls, not by its imports: `.option("name", {…})` is yargs wherever it stands.
//! Each reader turns what it sees into [`draft::Draft`]s;
//! [`collect`] makes flags of them, merges what is declared twice and drops what lies outside of the scope.
//!
//! A flag whose definition can only be read in part is still a flag, with [`FlagValue::Unknown`] or without its default.
//! What cannot be found at all is said in `unresolved`, so that its flags are unknown and not gone.
//!
//! [`FlagValue::Unknown`]: agent_contracts_wire::model::FlagValue::Unknown

mod code;
mod collect;
mod draft;
mod elsewhere;
mod eval;
mod expr;
mod files;
mod libraries;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use agent_contracts_wire::WireModel;

pub use elsewhere::elsewhere;

use self::collect::Found;
use self::files::Files;
use crate::SourceTree;

/// A model that holds the flags declared in `scope` and nothing else.
///
/// Flags that a command in the scope takes from a declaration outside of it (a flattened struct) are in the model with
/// `in_scope` false. Files of tests are left out.
pub fn extract(tree: &dyn SourceTree, scope: &[String]) -> WireModel {
    let files = Files::new(tree, scope);
    let mut found = Found::default();
    for library in libraries::LIBRARIES {
        let paths = files.hinting(library.language, library.hints);
        if !paths.is_empty() {
            (library.read)(&files, &paths, &mut found);
        }
    }
    files.damage(&mut found);
    found.model(scope)
}
