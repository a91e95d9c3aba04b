//! What a user of the extractor relies on, by topic. Models are compared in the one-line print of
//! `agent_contracts_wire::model`.

mod incidents;
mod links;
mod literals;
mod robust;
mod types;
mod zod;

use crate::testing::print_file;

/// Checks that each text gives these lines.
#[track_caller]
fn table(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let printed = print_file("a.ts", text);
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines, *expected, "\n--- {text}\n--- gives\n{printed}");
    }
}
