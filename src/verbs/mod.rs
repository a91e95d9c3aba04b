//! One file a verb.

pub(crate) mod agents;
pub(crate) mod compare;
pub(crate) mod cross_check;
pub(crate) mod discover;
pub(crate) mod explain;
pub(crate) mod normalize;
pub(crate) mod outbox;
pub(crate) mod queue;
pub(crate) mod run;
pub(crate) mod scan;
pub(crate) mod validate;
