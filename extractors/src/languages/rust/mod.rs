//! Rust with serde.
//!
//! `parse` reads one file with the grammar, expands the macros by example that it defines, and keeps declarations with
//! what their attributes say. `link` resolves names over modules and crates of the tree and writes each type as serde
//! does, in both directions (see `lower`).
//!
//! What is not read: plain functions but for event literals in `json!`, build scripts, procedural macros other than serde's,
//! serde's `getter` and `bound`, and the values of defaults.

mod attrs;
mod cases;
mod chunks;
mod facts;
mod hand_written;
mod items;
mod known;
mod lex;
mod literals;
mod lower;
mod macros;
mod manifest;
mod parse;
mod resolve;
mod rows;
mod syntax;
#[cfg(test)]
mod tests;
mod types;

pub use facts::Facts;

use agent_contracts_wire::WireModel;

use crate::SourceTree;

/// The id of this language.
pub const ID: &str = "rust";
/// Changes whenever the facts of an unchanged file may change: it is the sources that make facts.
pub const REVISION: &str = concat!(
    include_str!("attrs.rs"),
    include_str!("cases.rs"),
    include_str!("chunks.rs"),
    include_str!("facts.rs"),
    include_str!("hand_written.rs"),
    include_str!("items.rs"),
    include_str!("lex.rs"),
    include_str!("literals.rs"),
    include_str!("macros.rs"),
    include_str!("manifest.rs"),
    include_str!("parse.rs"),
    include_str!("rows.rs"),
    include_str!("syntax.rs"),
    include_str!("types.rs"),
    "tree-sitter-rust 0.24",
);

/// Whether this language reads files of this name: Rust, and the manifests that say where crates are.
pub fn reads(path: &str) -> bool {
    std::path::Path::new(path)
        .extension()
        .is_some_and(|extension| extension == "rs")
        || is_manifest(path)
}

fn is_manifest(path: &str) -> bool {
    path == "Cargo.toml" || path.ends_with("/Cargo.toml")
}

/// Reads one file by itself.
pub fn parse(path: &str, text: &[u8]) -> Facts {
    if is_manifest(path) {
        return Facts {
            manifest: Some(Box::new(manifest::parse(&String::from_utf8_lossy(text)))),
            ..Facts::default()
        };
    }
    parse::parse(text)
}

/// Links the files of `scope` into one model.
pub fn link(tree: &dyn SourceTree, scope: &[&str]) -> WireModel {
    lower::link(tree, scope)
}
