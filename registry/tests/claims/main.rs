//! Claims: the matrix, the decisions about observations, and the compatibility answer.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod compatibility;
mod matrix;
mod promotion;
mod properties;
