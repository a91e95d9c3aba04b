//! Shapes: the canonical structure of what goes over a pipe, named by its hash.
//!
//! A [`Shape`] comes from source code ([`derive`]) or, with the registry, from a transcript; both use the same words, so
//! that they can be compared. This crate opens no file and knows no clock.

pub mod compare;
pub mod derive;
pub mod normalise;
pub mod profile;
pub mod shape;
pub mod transcript;

pub use compare::{Circumstances, Class, Comparison, compare};
pub use derive::{Derived, derive};
pub use normalise::{Normalised, Normaliser};
pub use profile::{Profile, Rules};
pub use shape::{
    Exit, FrameDirection, FrameShape, PathShape, PathType, Shape, ShapeError, StderrClass, Stream, Validity,
};
pub use transcript::{Transcript, TranscriptLine};
