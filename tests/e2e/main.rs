//! The binary end to end, and the rules of the house.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod claims;
mod crash;
mod describe;
mod eval;
mod fixture;
mod flags;
mod history;
mod layers;
mod loopback;
mod run;
mod scan;
mod scan_errors;
mod shapes;
mod steps;
mod support;
mod validate;
mod world;
