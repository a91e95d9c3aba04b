//! Gives the crate a name for the state of all that reads and compares, so that kept steps of another state are not used.

#[path = "../wire/fingerprint.rs"]
mod fingerprint;

fn main() -> std::io::Result<()> {
    fingerprint::give("AGENT_CONTRACTS_STEPS", &["src", "../extractors/src", "../wire/src"])
}
