//! The agents we know (`agents/*.toml`), the bot's settings, and the loader that checks them.
//!
//! Everything here is pure but [`load`], which reads a directory of agents and the file of settings.

pub mod agent;
pub mod agents_json;
pub mod argv;
mod check;
mod embedded;
pub mod load;
pub mod scheme;
pub mod settings;
pub mod standing;
mod toml_file;

pub use agent::AgentDef;
pub use load::{Agents, LoadError};
pub use scheme::Scheme;
pub use settings::Settings;
pub use toml_file::{Problem, Problems, nearest};
