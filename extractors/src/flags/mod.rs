//! Command-line flags from source code.
//!
//! A library is read by the form of its calls, not by its imports: `.option("name", {…})` is yargs wherever it stands.
//! Each reader turns what it sees into [`draft::Draft`]s;
//! [`collect`] makes flags of them, merges what is declared twice and drops what lies outside of the scope.
//!
//! A flag whose definition can only be read in part is still a flag, with [`FlagValue::Unknown`] or without its default.
//! What cannot be found at all is said in `unresolved`, so that its flags are unknown and not gone.
//!
//! Of programs without source the texts that `--help` printed are read in the same way: [`help`].
//!
//! [`FlagValue::Unknown`]: agent_contracts_wire::model::FlagValue::Unknown

mod code;
mod collect;
mod draft;
mod elsewhere;
mod eval;
mod expr;
mod files;
mod help;
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
    extract_beside(tree, scope, &|_| true)
}

/// The same; which of several programs is the main one is told by the files for which `main` holds.
fn extract_beside(tree: &dyn SourceTree, scope: &[String], main: &dyn Fn(&str) -> bool) -> WireModel {
    let files = Files::new(tree, scope);
    let mut found = Found::default();
    for library in libraries::LIBRARIES {
        let paths = files.hinting(library.language, library.hints);
        if !paths.is_empty() {
            (library.read)(&files, &paths, &mut found);
        }
    }
    help::read(&files, &mut found);
    files.damage(&mut found);
    found.model(scope, main)
}
