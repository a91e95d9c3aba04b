//! Ids, hashes, canonical JSON, version order, the wire model, its findings, the rules and the one diff.
//!
//! A [`WireModel`] says what goes over a pipe by the names that go over it, whatever made it: source code, a JSON
//! Schema or a shape that was observed. This crate holds no parser, no file, no clock and no network.

pub mod canonical;
pub mod diff;
pub mod event;
pub mod family;
pub mod finding;
pub mod formats;
pub mod model;
#[cfg(test)]
mod notation;
pub mod path;
pub mod place;
pub mod rules;
pub mod version;

pub use diff::{Diff, DiffOptions, Move, diff};
pub use event::{Answer, EventType};
pub use family::{Family, Transport};
pub use finding::{Direction, Domain, Finding, Location, RuleId, Severity, Verdict};
pub use model::{Arm, Field, Literal, Object, Place, Stability, Type, TypeDecl, Union, WireModel};
pub use path::{Path, Step};
