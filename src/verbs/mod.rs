//! One file a verb.

pub(crate) mod agents;
pub(crate) mod compare;
pub(crate) mod compatibility;
pub(crate) mod cross_check;
pub(crate) mod discover;
pub(crate) mod explain;
pub(crate) mod history;
mod lines;
pub(crate) mod matrix;
pub(crate) mod normalize;
pub(crate) mod outbox;
pub(crate) mod promote;
pub(crate) mod queue;
pub(crate) mod run;
pub(crate) mod scan;
mod scan_all;
pub(crate) mod validate;
