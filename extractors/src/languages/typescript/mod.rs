//! TypeScript, declaration files included, with zod schemas in code and in print.
//!
//! [`parse`] reads one file with the grammar: declarations in a small type language, imports, exports, and the spans that
//! could not be read. [`link`] resolves names over files and evaluates the types of the scope to what goes over the wire.
//! The wire is JSON as `JSON.stringify` writes it: a member that may be `undefined` may be missing, functions and methods
//! are left out, a `Date` is a string. Classes and objects with required methods are kept as in-process types.
//!
//! It refuses what needs a compiler: types of packages that are not in the tree, functions that compute schemas,
//! conditions that cannot be decided. Those are unresolved, with their place. Of plain code only the event literals are
//! read that are handed to a serialiser or a sender.

use agent_contracts_wire::WireModel;

use crate::SourceTree;

mod ast;
mod blind_spots;
mod conditions;
mod constants;
mod docs;
mod eval;
mod json_values;
mod linker;
mod literals;
mod modules;
mod objects;
mod parse;
mod paths;
mod recover;
mod schemas;
mod source;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod unions;
mod utilities;
mod values;
mod zod;
mod zod_values;

pub use ast::Facts;

/// The id of this language.
pub const ID: &str = "typescript";
/// What the facts of a file depend on beside its bytes: the grammar, and the text of everything that makes facts.
pub const REVISION: &str = concat!(
    "tree-sitter-typescript 0.23.2",
    include_str!("ast.rs"),
    include_str!("blind_spots.rs"),
    include_str!("docs.rs"),
    include_str!("literals.rs"),
    include_str!("parse.rs"),
    include_str!("recover.rs"),
    include_str!("source.rs"),
    include_str!("statements.rs"),
    include_str!("types.rs"),
    include_str!("values.rs"),
    include_str!("zod.rs"),
    include_str!("zod_values.rs"),
);

/// Whether this language reads files of this name.
pub fn reads(path: &str) -> bool {
    [".ts", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending))
}

/// Reads one file by itself.
pub fn parse(_path: &str, text: &[u8]) -> Facts {
    parse::file(text)
}

/// Links the files of `scope` into one model.
pub fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    linker::link(tree, scope)
}
