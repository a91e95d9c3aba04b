//! What is fuzzed: one function of bytes for each target. It panics when the bytes break something that always holds.
//!
//! The tests of the main workspace take these files in too (`tests/fuzz.rs`), so they know no fuzzer.

mod archives;
mod models;
mod sources;
mod transcripts;
mod versions;

pub use archives::archive;
pub use models::diff;
pub use sources::{flags, go, json_schema, python, rust, typescript};
pub use transcripts::normaliser;
pub use versions::versions;

/// A function of bytes.
pub type Entry = fn(&[u8]);

/// Every target by its name, which is also the name of its folder of seeds.
pub const ENTRIES: [(&str, Entry); 10] = [
    ("typescript", typescript),
    ("rust", rust),
    ("json_schema", json_schema),
    ("go", go),
    ("python", python),
    ("flags", flags),
    ("archive", archive),
    ("diff", diff),
    ("versions", versions),
    ("normaliser", normaliser),
];
