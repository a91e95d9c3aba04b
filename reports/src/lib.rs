//! Records for people and for other tools: Markdown, SARIF and the picture of a history.
//!
//! Every renderer is a pure function of its record, so the same record gives the same bytes. What came from outside
//! is escaped here ([`escape`]); nothing that a source says can become a mention, a link or an image.

pub mod escape;
pub mod history;
pub mod links;
pub mod markdown;
pub mod problems;
pub mod sarif;
pub mod shapes;
mod step;
pub mod text;

pub use step::{AgentLabel, StepReport};
