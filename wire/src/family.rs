//! The protocol families, one line each, and how their frames are cut.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A protocol family: a dialect that a host parses, with a version of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// As records write it: `json-event-stream/v1`.
    pub id: &'static str,
    /// How its frames are cut.
    pub transport: Transport,
    /// What it is.
    pub about: &'static str,
}

/// How the frames of a family are cut and addressed; the words of shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Text without frames.
    Plain,
    /// One JSON value a line.
    Jsonl,
    /// One JSON document.
    Json,
    /// JSON-RPC, one message a line.
    JsonRpc,
    /// Pi's own requests and answers, one a line.
    PiRpc,
}

impl Transport {
    /// As records write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
            Self::JsonRpc => "json-rpc",
            Self::PiRpc => "pi-rpc",
        }
    }
}

/// The family of agents that are scanned and never captured.
pub const SCAN_ONLY: &str = "scan-only/v1";

/// Every family: seven of the contract registry's specification, two that the adapters use besides, and one for what
/// is only scanned.
pub const FAMILIES: &[Family] = &[
    family("plain/v1", Transport::Plain, "text on standard output"),
    family(
        "claude-stream-json/v1",
        Transport::Jsonl,
        "the stream-json of Claude Code",
    ),
    family(
        "json-event-stream/v1",
        Transport::Jsonl,
        "one event a line, each agent with its own types",
    ),
    family("qoder-stream-json/v1", Transport::Jsonl, "the stream-json of Qoder"),
    family(
        "copilot-stream-json/v1",
        Transport::Jsonl,
        "the JSON lines of GitHub Copilot",
    ),
    family(
        "acp-json-rpc/v1",
        Transport::JsonRpc,
        "the Agent Client Protocol over standard input and output",
    ),
    family("pi-rpc/v1", Transport::PiRpc, "Pi's RPC over standard input and output"),
    family(
        "codex-app-server/v1",
        Transport::JsonRpc,
        "Codex's app-server: JSON-RPC without the member jsonrpc",
    ),
    family(
        "dsh-profile-jsonl/v1",
        Transport::Jsonl,
        "the profile protocol of DeepSeek Harness",
    ),
    family(SCAN_ONLY, Transport::Json, "types that are scanned and never captured"),
];

const fn family(id: &'static str, transport: Transport, about: &'static str) -> Family {
    Family { id, transport, about }
}

impl Family {
    /// The family of this id.
    #[must_use]
    pub fn of(id: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.id == id)
    }

    /// Its folder under `shapes/` and `fixtures/`: the id without its version.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(name, _)| name)
    }
}

macro_rules! family_ids {
    ($($(#[doc = $doc:literal])* $name:ident: $allowed:expr, $what:literal;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(into = "String")]
        pub struct $name(&'static str);

        // Derived, it would want input that lives for ever.
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let id = String::deserialize(deserializer)?;
                id.try_into().map_err(serde::de::Error::custom)
            }
        }

        impl $name {
            /// The family.
            #[must_use]
            pub fn family(self) -> &'static Family {
                Family::of(self.0).unwrap_or(&FAMILIES[0])
            }

            /// As records write it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                self.0
            }

            fn allowed(family: &Family) -> bool {
                let allowed: fn(&Family) -> bool = $allowed;
                allowed(family)
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(id: String) -> Result<Self, String> {
                Family::of(&id)
                    .filter(|family| Self::allowed(family))
                    .map(|family| Self(family.id))
                    .ok_or_else(|| format!("`{id}` is no {}", $what))
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(id: &str) -> Result<Self, String> {
                id.to_owned().try_into()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.to_owned()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.0)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let ids: Vec<&str> = FAMILIES.iter().filter(|family| Self::allowed(family)).map(|family| family.id).collect();
                json_schema!({"type": "string", "enum": ids, "description": concat!("One ", $what, ".")})
            }
        }
    )*};
}

family_ids! {
    /// The id of a family.
    FamilyId: |_| true, "protocol family";
    /// The id of a family that something can be captured in: any but that of agents that are only scanned.
    CapturedFamily: |family| family.id != SCAN_ONLY, "protocol family of captures";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_end_in_a_version() {
        for (index, family) in FAMILIES.iter().enumerate() {
            assert!(family.id.ends_with("/v1"), "{}", family.id);
            assert_eq!(FAMILIES.iter().position(|other| other.id == family.id), Some(index));
        }
        assert_eq!(Family::of("pi-rpc/v1").map(Family::folder), Some("pi-rpc"));
        assert_eq!(Family::of("pi-rpc"), None);
    }

    #[test]
    fn the_word_of_a_transport_is_what_serde_writes() {
        for family in FAMILIES {
            let written = serde_json::to_value(family.transport).ok();
            assert_eq!(written, Some(serde_json::Value::from(family.transport.word())));
        }
    }
}
