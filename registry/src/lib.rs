//! Records of the public tree, their store and their rules.
//!
//! Everything here is pure but for [`store`], which is the only code that writes below the tree.

pub mod compatibility;
pub mod generated;
pub mod history;
pub mod index;
pub mod manifest;
pub mod matrix;
pub mod migrations;
pub mod outbox;
pub mod places;
pub mod promotion;
pub mod publish;
pub mod queue;
pub mod records;
pub mod release;
pub mod schema;
pub mod store;
pub mod testing;
pub mod typescript;
pub mod validate;

pub use index::{EvidenceIndex, IndexStep, Standing};
pub use outbox::{AlertKind, OutboxEntry, OutboxState};
pub use queue::{CaptureJob, QueueAgent};
pub use release::{Release, ReleaseFile};
pub use store::{Put, Store, StoreError, Writer, Written};
