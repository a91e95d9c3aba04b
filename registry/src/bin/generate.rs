//! Writes what is generated from the records: `cargo run -p agent-contracts-registry --bin generate [--check]`.
#![expect(clippy::print_stdout, reason = "a tool of the developers")]

use std::path::Path;
use std::process::ExitCode;

use agent_contracts_registry::generated;

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let check = std::env::args().any(|argument| argument == "--check");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut stale = false;
    for (path, text) in generated::files()? {
        let file = root.join(&path);
        if std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        stale = true;
        println!("{path}");
        if !check {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(file, text)?;
        }
    }
    Ok(ExitCode::from(u8::from(check && stale)))
}
