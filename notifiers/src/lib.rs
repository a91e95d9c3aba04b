//! Alerts: the text of a GitHub issue and a Feishu card for each version of an agent that brings a risk, ready in the
//! outbox. Nothing is sent from here yet.

mod alert;
pub mod card;
pub mod issue;
pub mod outbox;

pub use alert::{Alert, AlertError, Links};
