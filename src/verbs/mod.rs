//! One file a verb.

pub(crate) mod agents;
pub(crate) mod scan;
