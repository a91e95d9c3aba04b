//! Where source comes from, and what two versions of it say.
//!
//! A source is opened as a [`source::Tree`], seen by the extractors through a [`Snapshot`], parsed once per content
//! ([`memo`]), and compared by the one diff of `wire`. Nothing is executed, checked out or unpacked to disk, and no
//! ancestry is walked: versions are refs and packages.

mod agent;
mod compare;
mod cross;
mod disk;
mod eras;
mod error;
mod history;
pub mod memo;
mod report;
mod scan;
mod scope;
mod snapshot;
pub mod source;
mod versions;

pub use agent::AgentReport;
pub use cross::{Better, CrossCheck, Description};
pub use error::{ErrorKind, ScanError};
pub use history::{StepRecord, Walked, WalkedStep};
pub use report::{DegradedAt, Models, SCHEMA_VERSION, ScanReport, Side, UnresolvedAt};
pub use scan::{Context, ScanOptions, Scanner, scan};
pub use scope::Scope;
pub use snapshot::Snapshot;
pub use source::SourceSpec;
pub use versions::{SourceVersion, SourceVersions};
