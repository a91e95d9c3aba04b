//! Go with encoding/json.
//!
//! A struct is written by its `json` tags, embedded structs at the level of the struct that holds them; a type with
//! constants is an enum, written as text where a `MarshalText` says so; an interface that only types of its own package
//! can have (it demands an unexported method) is a union of these. A struct without any tag is taken for an in-process
//! one unless a tagged one refers to it. Nothing is run: a `MarshalJSON` counts as far as it builds a struct.

mod bodies;
mod consts;
mod enums;
mod facts;
mod link;
mod literals;
mod packages;
mod read;
mod tags;
#[cfg(test)]
mod tests;
mod unions;
mod wire;

use agent_contracts_wire::WireModel;

use crate::SourceTree;

pub use self::facts::Facts;

/// The id of this language.
pub const ID: &str = "go";
/// Changes whenever the facts of an unchanged file may change.
pub const REVISION: &str = concat!(
    "tree-sitter-go 0.25",
    include_str!("bodies.rs"),
    include_str!("consts.rs"),
    include_str!("facts.rs"),
    include_str!("literals.rs"),
    include_str!("read.rs"),
    include_str!("tags.rs"),
    include_str!("../../content.rs"),
    include_str!("../../stability.rs"),
    include_str!("../../syntax.rs"),
);

/// Whether this language reads files of this name.
pub fn reads(path: &str) -> bool {
    path.strip_suffix(".go").is_some_and(|stem| !stem.ends_with("_test"))
}

/// Reads one file by itself.
pub fn parse(_path: &str, text: &[u8]) -> Facts {
    read::read(text)
}

/// Links the files of `scope` into one model.
pub fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    link::link(tree, scope)
}
