//! The command line of `agent-contracts`.
fn main() {}
