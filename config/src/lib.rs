//! The agents we know (`agents/*.toml`), the bot's settings, and the loader that checks them.

pub mod agent;

pub use agent::AgentDef;
