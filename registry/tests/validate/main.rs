//! The validator against a small tree that is true, and against lies about it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ajv;
mod bad_input;
mod fields;
mod generated;
mod lies;
mod witness;
