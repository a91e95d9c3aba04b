//! What the scanner promises about sources, on real repositories, folders and archives.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agent;
mod cross;
mod dir;
mod fixture;
mod git;
mod http;
mod live;
mod package;
mod remote;
mod scan;
mod steps;
