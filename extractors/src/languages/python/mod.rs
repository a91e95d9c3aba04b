//! Python with pydantic, TypedDict, dataclasses, NamedTuple and Enum.
//!
//! A class is a wire type by what it is derived from or decorated with; exceptions, protocols and callback aliases are
//! in-process and said to be. A member with a default counts as one that may be missing. Where a module maps class
//! names to classes and wraps them into an envelope, the name of a class is its tag. Nothing is run: what a validator or
//! a serialiser does to a value is not seen; of results that are built as plain dicts only those are that go straight to a
//! serialiser or a sender.

mod aliases;
mod classes;
mod convert;
mod envelope;
mod expr;
mod facts;
mod link;
mod literals;
mod modules;
mod read;
#[cfg(test)]
mod tests;

use agent_contracts_wire::WireModel;

use crate::SourceTree;

pub use self::facts::Facts;

/// The id of this language.
pub const ID: &str = "python";
/// Changes whenever the facts of an unchanged file may change.
pub const REVISION: &str = concat!(
    "tree-sitter-python 0.25",
    include_str!("envelope.rs"),
    include_str!("expr.rs"),
    include_str!("facts.rs"),
    include_str!("literals.rs"),
    include_str!("read.rs"),
    include_str!("../../content.rs"),
    include_str!("../../stability.rs"),
    include_str!("../../syntax.rs"),
);

/// Whether this language reads files of this name.
pub fn reads(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let Some(stem) = file.strip_suffix(".py").or_else(|| file.strip_suffix(".pyi")) else {
        return false;
    };
    !stem.starts_with("test_") && !stem.ends_with("_test") && stem != "conftest"
}

/// Reads one file by itself.
pub fn parse(_path: &str, text: &[u8]) -> Facts {
    read::read(text)
}

/// Links the files of `scope` into one model.
pub fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    link::link(tree, scope)
}
