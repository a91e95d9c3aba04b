//! Gives the crate a name for the state of its own diff and rules, so that records can say which one made them.

mod fingerprint;

fn main() -> std::io::Result<()> {
    let places = ["src/diff", "src/rules", "src/event.rs", "src/path.rs"];
    fingerprint::give("AGENT_CONTRACTS_DIFF", &places)
}
