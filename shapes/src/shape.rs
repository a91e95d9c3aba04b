//! The shape record: `shapes/FAMILY/sha256-….shape.json`, as in the specification's shape schema.

use std::collections::BTreeMap;

use agent_contracts_wire::canonical::canonical_json;
use agent_contracts_wire::event::UNKNOWN;
use agent_contracts_wire::{Family, Transport, canonical};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The canonical structure of a transcript or of the wire types of one version. Member order is the order on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Always 1.
    #[schemars(with = "agent_contracts_wire::formats::SchemaVersion")]
    pub schema_version: u32,
    /// `sha256:` of the canonical JSON of this record without this member and `validity_level`: a promotion must not
    /// rename a shape.
    #[schemars(with = "agent_contracts_wire::formats::Sha256")]
    pub signature: String,
    /// As in `json-event-stream/v1`.
    #[schemars(with = "agent_contracts_wire::family::FamilyId")]
    pub protocol_family: String,
    /// Of the strongest evidence for it.
    pub validity_level: Validity,
    /// How its frames are cut.
    pub transport: Transport,
    /// How many frame classes there are.
    #[schemars(range(min = 1))]
    pub frame_count: u32,
    /// Every event type of the frames, sorted, once each.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub event_types: Vec<String>,
    /// The frame classes. Of a transcript in the order of first occurrence, of source sorted.
    #[schemars(length(min = 1))]
    pub frame_shapes: Vec<FrameShape>,
    /// What standard error was about.
    #[serde(default)]
    pub stderr_class: StderrClass,
    /// How the process ended.
    pub exit: Exit,
}

/// One class of frames: same direction, stream, event type and discriminators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FrameShape {
    /// Which way it goes.
    pub direction: FrameDirection,
    /// On which pipe.
    pub stream: Stream,
    /// Its name, in the notation of [`agent_contracts_wire::EventType`].
    pub event_type: String,
    /// What stands where in it, sorted by path and type; one entry per type for a union.
    pub paths: Vec<PathShape>,
    /// The closed set of values at a path, sorted.
    pub enums: BTreeMap<String, Vec<String>>,
}

/// One JSON type at one path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathShape {
    /// In the notation of [`agent_contracts_wire::Path`].
    pub path: String,
    /// A JSON type that stands there.
    #[serde(rename = "type")]
    pub ty: PathType,
    /// The key is there whenever the object that it belongs to is. The same for every type of a union; never true for
    /// items of a list and members of a map, which may be empty.
    pub required: bool,
}

/// The JSON types, in alphabetic order, which is the order in a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of JSON; `unknown` is any of them")]
pub enum PathType {
    Array,
    Boolean,
    Null,
    Number,
    Object,
    String,
    Unknown,
}

/// Which way a frame goes. `server` is the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum FrameDirection {
    /// From the CLI to its host.
    #[serde(rename = "cli->server")]
    Output,
    /// From the host to the CLI.
    #[serde(rename = "server->cli")]
    Input,
}

/// The pipes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of the pipes")]
pub enum Stream {
    Stdin,
    Stdout,
    Stderr,
}

/// What standard error was about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are those of the specification")]
pub enum StderrClass {
    #[default]
    None,
    Diagnostic,
    Auth,
    Quota,
    Upstream,
    Protocol,
    Debug,
    Unknown,
}

/// How the process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are those of the specification")]
pub enum Exit {
    Success,
    Nonzero,
    Signal,
    Timeout,
    Unknown,
}

/// What stands behind a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are those of the specification")]
pub enum Validity {
    RuntimeObserved,
    Confirmed,
    CommunityConfirmed,
    ServerVariant,
    SourceDerived,
    VendorDocumented,
    SyntheticMock,
}

impl Stream {
    /// Which way it carries frames.
    #[must_use]
    pub fn direction(self) -> FrameDirection {
        match self {
            Self::Stdin => FrameDirection::Input,
            Self::Stdout | Self::Stderr => FrameDirection::Output,
        }
    }
}

impl FrameShape {
    /// The frame of what tells of none.
    pub(crate) fn nothing_known() -> Self {
        Self {
            direction: FrameDirection::Output,
            stream: Stream::Stdout,
            event_type: UNKNOWN.to_owned(),
            paths: Vec::new(),
            enums: BTreeMap::new(),
        }
    }
}

impl Validity {
    /// Whether a source-evidence record may carry it: nothing that ran stands behind such a record.
    #[must_use]
    pub fn is_source(self) -> bool {
        matches!(self, Self::SourceDerived | Self::VendorDocumented | Self::SyntheticMock)
    }

    /// Stronger evidence is larger. A shape keeps the strongest level that it was seen with.
    #[must_use]
    pub fn strength(self) -> u8 {
        match self {
            Self::SyntheticMock => 0,
            Self::VendorDocumented => 1,
            Self::SourceDerived => 2,
            Self::ServerVariant => 3,
            Self::RuntimeObserved => 4,
            Self::Confirmed => 5,
            Self::CommunityConfirmed => 6,
        }
    }

    /// For people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::RuntimeObserved => "runtime observed",
            Self::Confirmed => "confirmed by multiple observations",
            Self::CommunityConfirmed => "confirmed by an independent contributor",
            Self::ServerVariant => "runtime observed, one of several active variants",
            Self::SourceDerived => "source derived only",
            Self::VendorDocumented => "vendor documented only",
            Self::SyntheticMock => "synthetic only",
        }
    }
}

/// What is wrong with a shape.
#[derive(Debug, thiserror::Error)]
pub enum ShapeError {
    /// The family is not known.
    #[error("unknown protocol family `{0}`; the families are listed in wire/src/family.rs")]
    Family(String),
    /// It cannot be written as JSON, so it has no name.
    #[error("the shape of `{family}` cannot be written as JSON")]
    Json {
        /// The family.
        family: String,
        /// Why.
        source: serde_json::Error,
    },
}

impl Shape {
    /// A shape of these frames, signed. The frames keep their order; their paths get sorted.
    pub fn new(
        family: &Family,
        validity_level: Validity,
        mut frames: Vec<FrameShape>,
        stderr_class: StderrClass,
        exit: Exit,
    ) -> Result<Self, ShapeError> {
        for frame in &mut frames {
            frame.paths.sort();
            frame.paths.dedup();
        }
        let mut event_types: Vec<String> = frames.iter().map(|frame| frame.event_type.clone()).collect();
        event_types.sort();
        event_types.dedup();
        let mut shape = Self {
            schema_version: 1,
            signature: String::new(),
            protocol_family: family.id.to_owned(),
            validity_level,
            transport: family.transport,
            frame_count: u32::try_from(frames.len()).unwrap_or(u32::MAX),
            event_types,
            frame_shapes: frames,
            stderr_class,
            exit,
        };
        shape.signature = shape.sign()?;
        Ok(shape)
    }

    /// The signature that its content has, whatever it claims.
    pub fn sign(&self) -> Result<String, ShapeError> {
        let bytes = serde_json::to_value(self)
            .and_then(|mut value| {
                if let Some(members) = value.as_object_mut() {
                    members.remove("signature");
                    members.remove("validity_level");
                }
                canonical_json(&value)
            })
            .map_err(|source| ShapeError::Json {
                family: self.protocol_family.clone(),
                source,
            })?;
        Ok(canonical::sha256(&bytes))
    }

    /// Where it is kept, relative to the tree: `shapes/json-event-stream/sha256-….shape.json`.
    pub fn place(&self) -> Result<String, ShapeError> {
        let family =
            Family::of(&self.protocol_family).ok_or_else(|| ShapeError::Family(self.protocol_family.clone()))?;
        let name = self.signature.replacen(':', "-", 1);
        Ok(format!("shapes/{}/{name}.shape.json", family.folder()))
    }
}
