//! Claims: the matrix, the decisions about observations, and the compatibility answer.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::cloned_ref_to_slice_refs,
    clippy::assigning_clones,
    reason = "tables of runs are easier to read so"
)]

mod common;
mod compatibility;
mod matrix;
mod promotion;
mod properties;
