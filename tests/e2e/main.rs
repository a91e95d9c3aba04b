//! The binary end to end, and the rules of the house.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod eval;
mod layers;
mod support;
