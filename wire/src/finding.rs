//! What a comparison says: one [`Finding`] a protocol change, under one rule.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The identifier of a rule, as in `field_added`. The rules themselves are in [`crate::rules`].
pub type RuleId = String;

/// Which way a value travels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From the CLI to its host.
    Output,
    /// From the host to the CLI.
    Input,
    /// Both ways.
    Both,
    /// Not said by the source; rated as output.
    #[default]
    Unknown,
}

/// How much an unchanged host suffers. Ordered: `None < Additive < Risky < Breaking`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// No effect on the wire.
    None,
    /// Safe for tolerant readers.
    Additive,
    /// May break strict or exhaustive readers.
    Risky,
    /// Fails or loses data.
    Breaking,
}

/// How an unchanged host suffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// A typed reader refuses the frame.
    DecodeFatal,
    /// The frame is read and something in it is lost.
    SilentLoss,
    /// The CLI refuses what the host sends.
    RequestRejected,
    /// Nothing is lost by who does not look.
    Additive,
    /// No effect on the wire.
    Cosmetic,
}

/// What a comparison came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// At least one finding that is not of severity `none`, other than that a source was lost.
    Changes,
    /// Both sides were read and say the same.
    NoProtocolChange,
    /// What could not be read may hold a change.
    Inconclusive,
}

/// One protocol change between two wire models. Member order is the order of the printed JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Finding {
    /// `sha256:` of rule, direction, shortest path, before and after; never of prose, lines or file names.
    #[schemars(with = "crate::formats::Sha256")]
    pub id: String,
    /// The rule it stands under.
    pub rule: RuleId,
    /// The declared type that holds the change, in its own case. `None` for a flag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// The changed name alone, as it goes over the wire; `old -> new` for a rename.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wire_name: Option<String>,
    /// The event on the shortest way to the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_type: Option<String>,
    /// The path inside that event, in the grammar of DESIGN section 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The flag, for a flag scan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flag: Option<String>,
    /// The subcommand that the flag belongs to, `""` for the program itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Every way from a root to the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached_by: Option<ReachedBy>,
    /// Which way the changed value travels.
    pub direction: Direction,
    /// How much an unchanged host suffers.
    pub severity: Severity,
    /// How it suffers.
    pub domain: Domain,
    /// What stood there before; `null` where there was nothing.
    pub before: Value,
    /// What stands there now; `null` where there is nothing.
    pub after: Value,
    /// Where it is declared: in the new version, or in the old one for a removal.
    pub location: Location,
    /// The smallest frame that is valid on one side only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// Ways from a root to a change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReachedBy {
    /// How many there are.
    pub count: usize,
    /// The shortest `(event, path)` pairs, sorted, at most 20.
    pub first: Vec<(String, String)>,
}

/// Where a change is declared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Location {
    /// Path from the root of the repository or package.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}
