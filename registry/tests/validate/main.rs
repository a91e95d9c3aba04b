//! The validator against a small tree that is true, and against lies about it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]
#![expect(
    clippy::semicolon_if_nothing_returned,
    reason = "one edit a line reads better as an expression"
)]

mod ajv;
mod bad_input;
mod fields;
mod generated;
mod lies;
mod mutations;
mod store;
mod witness;
