//! What a scan derived, kept as records: findings of one step with the shape of its newer version, how urgent a capture
//! is, and the findings in words.
//!
//! Source evidence may raise a risk and a capture. It is no observation and can support no claim, and its types have no
//! room for a transcript.

pub mod consumer;
mod evidence;
pub mod priority;
pub mod summary;
pub mod testing;
pub mod wording;

pub use consumer::{ForConsumer, Profile};
pub use evidence::{EvidenceError, Extensions, Scan, ShapeRef, SourceEvidence, Step, StepSide, build};
pub use priority::Priority;
pub use summary::Counts;
