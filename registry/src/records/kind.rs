//! Every kind of record, one line each: its file names, its schema, the letters of its codes.

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_shapes::{Profile, Shape, TranscriptLine};
use agent_contracts_source_evidence::SourceEvidence;
use schemars::JsonSchema;
use serde_json::Value;

use super::{
    AlertReceipt, CompatibilityDto, CompatibilityList, CompatibilityRequest, EnvPolicy, ErrorCase, ExpectedMinEvents,
    Manifest, Observation, ProbeDefinition, Promotion, SupportMatrix,
};
use crate::index::EvidenceIndex;
use crate::outbox::OutboxEntry;
use crate::release::ReleaseFile;
use crate::schema;

/// A kind of record.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// As in `observation`; its schema is `schemas/observation.schema.json`.
    pub id: &'static str,
    /// The letters of its codes, as in `OBS007`.
    pub letters: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Where it stands in the tree.
    pub place: Place,
    /// Makes its JSON Schema.
    pub schema: fn(&Self) -> Value,
}

/// Where records of a kind stand in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One file.
    File(&'static str),
    /// Below a folder, by the ending of the name.
    Below {
        /// The folder.
        folder: &'static str,
        /// How names end.
        ending: &'static str,
    },
    /// In no tree: it goes over the wire.
    Nowhere,
}

const fn kind(
    id: &'static str,
    letters: &'static str,
    about: &'static str,
    place: Place,
    schema: fn(&Kind) -> Value,
) -> Kind {
    Kind {
        id,
        letters,
        about,
        place,
        schema,
    }
}

const fn below(folder: &'static str, ending: &'static str) -> Place {
    Place::Below { folder, ending }
}

fn of<T: JsonSchema>(kind: &Kind) -> Value {
    schema::of::<T>(kind.id, kind.about)
}

/// Every kind, sorted by what stands first in the tree.
pub const KINDS: &[Kind] = &[
    kind(
        "agents",
        "AGT",
        "the list of agents",
        Place::File("registry/agents.json"),
        of::<AgentsFile>,
    ),
    kind(
        "support-matrix",
        "MTX",
        "the public claims",
        Place::File("registry/support-matrix.json"),
        of::<SupportMatrix>,
    ),
    kind(
        "release",
        "REL",
        "known releases of one agent",
        below("registry/releases", ".json"),
        of::<ReleaseFile>,
    ),
    kind(
        "promotion",
        "PRM",
        "a decision about observations",
        below("registry/promotions", ".promotion.json"),
        of::<Promotion>,
    ),
    kind(
        "profile",
        "PRO",
        "what the normaliser is told",
        below("registry/profiles", ".profile.json"),
        of::<Profile>,
    ),
    kind(
        "probe",
        "PRB",
        "the definition of a probe",
        below("probes", "/probe.json"),
        of::<ProbeDefinition>,
    ),
    kind(
        "expected-min-events",
        "EXP",
        "what a probe must see",
        below("probes", "/expected-min-events.json"),
        of::<ExpectedMinEvents>,
    ),
    kind(
        "env-policy",
        "ENV",
        "the environment of a probe about a failure",
        below("probes", "/env-policy.json"),
        of::<EnvPolicy>,
    ),
    kind(
        "shape",
        "SHP",
        "the structure of a transcript or source",
        below("shapes", ".shape.json"),
        of::<Shape>,
    ),
    kind(
        "observation",
        "OBS",
        "one real run",
        below("observations", ".observation.json"),
        of::<Observation>,
    ),
    kind(
        "source-evidence",
        "EVI",
        "what code, a document or a fixture says",
        below("source-evidence", ".evidence.json"),
        of::<SourceEvidence>,
    ),
    kind(
        "evidence-index",
        "IDX",
        "the newest evidence of each step",
        Place::File("source-evidence/index.json"),
        of::<EvidenceIndex>,
    ),
    kind(
        "error-case",
        "ERR",
        "what a failure must be classified as",
        below("errors", ".error.json"),
        of::<ErrorCase>,
    ),
    kind(
        "alert",
        "ALT",
        "what is to be told",
        below("reports/alerts", ".entry.json"),
        of::<OutboxEntry>,
    ),
    kind(
        "alert-receipt",
        "RCP",
        "what was told",
        below("reports/alerts", ".receipt.json"),
        of::<AlertReceipt>,
    ),
    kind(
        "manifest",
        "MAN",
        "every published file with its hash",
        Place::File("manifest.json"),
        of::<Manifest>,
    ),
    kind(
        "transcript",
        "TRN",
        "one line of a sanitised transcript, in fixtures",
        Place::Nowhere,
        of::<TranscriptLine>,
    ),
    kind(
        "compatibility",
        "CMP",
        "how far an installed CLI is verified",
        Place::Nowhere,
        of::<CompatibilityDto>,
    ),
    kind(
        "compatibility-list",
        "CML",
        "the same for all agents",
        Place::Nowhere,
        of::<CompatibilityList>,
    ),
    kind(
        "compatibility-request",
        "CMR",
        "what may be asked",
        Place::Nowhere,
        of::<CompatibilityRequest>,
    ),
];

impl Kind {
    /// The kind of this id.
    #[must_use]
    pub fn of_id(id: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.id == id)
    }

    /// The kind of the record at this path of the tree; `None` for a text, a picture, a file of a probe.
    #[must_use]
    pub fn of_path(path: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| match kind.place {
            Place::File(file) => path == file,
            Place::Below { folder, ending } => {
                path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')) && path.ends_with(ending)
            }
            Place::Nowhere => false,
        })
    }

    /// The kind of a record that stands in no tree, by the name of its file.
    #[must_use]
    pub fn of_name(name: &str) -> Option<&'static Self> {
        KINDS.iter().find(|kind| match kind.place {
            Place::File(file) => file.rsplit('/').next() == Some(name) && name != "index.json",
            Place::Below { ending, .. } => {
                ending.strip_prefix('/') == Some(name) || (ending != ".json" && name.ends_with(ending))
            }
            Place::Nowhere => false,
        })
    }

    /// The file of its schema in the tree.
    #[must_use]
    pub fn schema_path(&self) -> String {
        format!("schemas/{}.schema.json", self.id)
    }
}
