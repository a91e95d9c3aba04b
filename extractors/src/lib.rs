//! Source text to wire model, one folder or file per language; flags, one file per library.
//!
//! Extraction has two steps. `parse` of a language reads one file by itself and is the only step that touches a
//! grammar; what it gives depends on nothing but the bytes, so it can be kept on disk by their hash. `link` joins the
//! facts of many files into a [`WireModel`], and may ask for files beyond the scope to resolve a name.
//! Nothing here opens a file: the caller hands in a [`SourceTree`].

use std::sync::Arc;

use agent_contracts_wire::WireModel;

mod content;
pub mod elsewhere;
pub mod flags;
mod ids;
pub mod languages;
mod literals;
mod side;
mod stability;
mod syntax;
#[cfg(test)]
pub(crate) mod testing;
mod types;

pub use languages::FileFacts;

/// The files of one version of one source.
pub trait SourceTree: Sync {
    /// Every path of the version, sorted, `/`-separated. Paths that are no UTF-8 are left out by the caller, who counts
    /// them.
    fn paths(&self) -> &[String];

    /// The facts of one file, parsed once. `None` when there is no such path, no language reads it, or its content
    /// cannot be had (then the caller reports it as degraded).
    fn facts(&self, path: &str) -> Option<Arc<FileFacts>>;

    /// The bytes of one file; `None` as for [`Self::facts`].
    fn text(&self, path: &str) -> Option<Arc<[u8]>>;
}

/// The wire model of the files in `scope`, which are paths of `tree`. With `flags`, command-line flags are read instead
/// of protocol types.
pub fn extract(tree: &dyn SourceTree, scope: &[String], flags: bool) -> WireModel {
    if flags {
        flags::extract(tree, scope)
    } else {
        languages::link(tree, scope)
    }
}
