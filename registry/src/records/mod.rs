//! The records of the public tree, one file each. They are the single definition: JSON Schemas and TypeScript types are
//! generated from them.
//!
//! Every record is closed (an unknown member is an error) but for its `extensions`; strings with a format are types of
//! [`agent_contracts_wire::formats`]; closed sets of words are enums. What a type cannot say and a schema can is added
//! by its `transform`; what needs other files is in the validator.

pub mod attestation;
pub mod compatibility;
pub mod error_case;
pub mod extensions;
pub mod failure;
pub mod kind;
pub mod manifest;
pub mod matrix;
pub mod observation;
pub mod platform;
pub mod probe;
pub mod promotion;
pub mod receipt;
mod required;
mod words;

pub use attestation::{Attestation, AttestedArtifact, AttestedBy};
pub use compatibility::{
    CompatibilityAction, CompatibilityDto, CompatibilityEvidence, CompatibilityList, CompatibilityPolicy,
    CompatibilityRequest, EvidenceSource,
};
pub use error_case::{ClassifierInput, ErrorCase, RunStatus};
pub use extensions::{Answer, AnswerKind, EvidenceRecord, Isolation, ObservationExtensions, ObservedError, Provider};
pub use failure::{DaemonEvent, RunFailureClassification, RunResult};
pub use kind::{KINDS, Kind};
pub use manifest::{Manifest, ManifestFile};
pub use matrix::{
    AllowRun, KnownBreakingShape, MatrixEntry, MatrixPolicy, ObservedShape, ServerVariant, SupportMatrix,
    SupportStatus, VariantStatus,
};
pub use observation::{
    Capture, Command, Install, Observation, ObservationRef, ObservedLevel, ParserReplay, RawVisibility, Redaction,
    RedactionStatus, ReplayStatus, ShapeName, StdinMode,
};
pub use platform::Platform;
pub use probe::{
    Credentials, EnvPolicy, EventMeaning, ExpectedMinEvents, ForbiddenContent, HostStep, Network, ProbeDefinition,
    ProbeGroup, ProbeOutcome, ProbeTask,
};
pub use promotion::{Independence, PromotedLevel, Promotion, PromotionAction, PromotionRef};
pub use receipt::{AlertReceipt, ReceiptState, Sink};
