//! The data of histories: what `scan AGENT --all` and `history AGENT` print as JSON.
//!
//! Versions stand in the order of their scheme. A release is compared with the release before it; a prerelease with the
//! version before it, whatever that is, and is told apart ([`Step::prerelease`], [`NameEvent::prerelease`]). Versions of
//! one commit are one. Where a source has no release at all, its prereleases are its line.

use agent_contracts_source_evidence::Counts;
use agent_contracts_wire::diff::inventory::NameKind;
use agent_contracts_wire::{Direction, Finding, Severity, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of both documents.
pub const SCHEMA_VERSION: u32 = 1;

/// What was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Protocol types.
    #[default]
    Protocol,
    /// Flags of the command line.
    Flags,
}

/// `scan AGENT --all --json`: every step of every source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The agent.
    pub agent: String,
    /// What was read.
    pub about: About,
    /// One a source, in the order of the agent's file.
    pub sources: Vec<SourceSteps>,
    /// Sources that could not be read at all.
    pub unread: Vec<Unread>,
}

/// The steps of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSteps {
    /// Its versions, and what is to be known of them.
    pub line: Line,
    /// Steps in which something changed, or in which nobody can say, oldest first.
    pub steps: Vec<Step>,
}

/// `history AGENT --json`: every name of every source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Always [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The agent.
    pub agent: String,
    /// What was read.
    pub about: About,
    /// The name that was asked for, when one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// One a source, in the order of the agent's file.
    pub sources: Vec<SourceHistory>,
    /// Sources that could not be read at all.
    pub unread: Vec<Unread>,
}

/// A source that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unread {
    /// The source.
    pub source: String,
    /// Why.
    pub why: String,
}

/// The names of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceHistory {
    /// Its versions, and what is to be known of them.
    pub line: Line,
    /// Its names, by holder, path, kind and name.
    pub names: Vec<NameHistory>,
}

/// The versions of one source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The source, as in `git:owner/name`.
    pub source: String,
    /// The protocol families that its types describe, sorted.
    pub families: Vec<String>,
    /// Its versions, oldest first.
    pub versions: Vec<VersionPoint>,
    /// Versions that were there at an earlier look and are not any more, oldest first.
    pub gone: Vec<GoneVersion>,
    /// Versions that stand for something else than at an earlier look, oldest first.
    pub moved: Vec<MovedVersion>,
    /// Tags that stand for no commit.
    pub skipped: Vec<SkippedName>,
    /// All of it in numbers.
    pub totals: Totals,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionPoint {
    /// In the agent's own writing.
    pub version: String,
    /// The day of its commit or of its publication, `YYYY-MM-DD`; `null` where it is not known.
    pub date: Option<String>,
    /// Whether the agent's scheme calls it a prerelease.
    pub prerelease: bool,
    /// The commit that its tag stands for.
    pub commit: Option<String>,
    /// What came of reading it.
    pub state: VersionState,
    /// Why it was not read, or what it is the same as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What came of reading a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VersionState {
    /// It was read.
    Read,
    /// It stands for the commit of another version, which was read.
    Same,
    /// It has none of the files of the protocol.
    NoFiles,
    /// It could not be read.
    Failed,
}

/// A version that is no longer offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoneVersion {
    /// The version.
    pub version: String,
    /// The commit that its tag stood for.
    pub commit: Option<String>,
}

/// A tag that was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovedVersion {
    /// The version.
    pub version: String,
    /// The commit that its tag stood for.
    pub from: String,
    /// The commit that it stands for now; that one is read.
    pub to: String,
}

/// A tag that stands for no commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedName {
    /// The tag.
    pub name: String,
    /// Why it is left out.
    pub why: String,
}

/// A line in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Versions that are no prereleases.
    pub releases: usize,
    /// Prereleases.
    pub prereleases: usize,
    /// Versions without a file of the protocol.
    pub no_files: usize,
    /// Versions that could not be read.
    pub failed: usize,
    /// Comparisons.
    pub steps: usize,
    /// Comparisons that found the protocol changed.
    pub changed: usize,
    /// Comparisons that found no change.
    pub unchanged: usize,
    /// Comparisons that cannot say.
    pub inconclusive: usize,
    /// Findings between releases.
    pub findings: Counts,
    /// Findings of prereleases.
    pub prerelease_findings: Counts,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The older version.
    pub from: String,
    /// The newer version.
    pub to: String,
    /// The day of the newer version.
    pub date: Option<String>,
    /// The newer version is a prerelease.
    pub prerelease: bool,
    /// What it came to.
    pub verdict: Verdict,
    /// How many findings of each severity.
    pub counts: Counts,
    /// What changed, worst first.
    pub findings: Vec<Finding>,
    /// What the comparison came down to that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
    /// How many types changed their place and not their wire form.
    pub moves: usize,
}

/// One name through all versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameHistory {
    /// What it is.
    pub kind: NameKind,
    /// The event it belongs to, the declared type where there is none, the subcommand of a flag.
    pub holder: String,
    /// The path inside of the holder; `""` for an event, a method, a type or a flag.
    pub path: String,
    /// The name alone.
    pub name: String,
    /// The declared type that holds it; left out for flags.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub type_name: String,
    /// Which way it travels.
    pub direction: Direction,
    /// The first release that has it; `null` when only prereleases do.
    pub since: Option<String>,
    /// It was there in the first version that was read, so that it may be older.
    pub from_the_first: bool,
    /// The first prerelease that has it, where that is before the release.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previewed: Option<String>,
    /// Whether the newest release has it (the newest version, where it only was in prereleases).
    pub now: Presence,
    /// How often it left releases and came back.
    pub flips: u32,
    /// The same of prereleases; which of their comings and goings are not told one by one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub prerelease_flips: u32,
    /// The worst severity of its events.
    pub severity: Severity,
    /// What happened to it, oldest first. Its coming is left out when it was there from the first.
    pub events: Vec<NameEvent>,
}

/// Whether a name is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It is.
    Present,
    /// It is not.
    Gone,
    /// What would say so could not be read.
    Unknown,
}

/// What happened to a name in one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameEvent {
    /// The version.
    pub version: String,
    /// Its day.
    pub date: Option<String>,
    /// It is a prerelease, compared with the version before it.
    pub prerelease: bool,
    /// What happened.
    pub what: Happened,
    /// How much an unchanged host suffers; `none` where no finding tells of it alone.
    pub severity: Severity,
    /// The rule of the finding that tells of it, or of what it came or went with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What it came or went with: the event or the member that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// The name before or after, when it was renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_name: Option<String>,
    /// What stood there before.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub before: Value,
    /// What stands there since.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub after: Value,
}

/// What may happen to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happened {
    /// It is there for the first time.
    Appeared,
    /// It is there and is another.
    Changed,
    /// It is no longer there.
    Left,
    /// It was there, was not, and is again.
    CameBack,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Line {
    /// How people write it: the source and the families that it describes.
    #[must_use]
    pub fn title(&self) -> String {
        if self.families.is_empty() {
            self.source.clone()
        } else {
            format!("{} ({})", self.source, self.families.join(", "))
        }
    }
}

impl NameHistory {
    /// How people write it: `turn.completed usage.input_tokens`, `exec --json`.
    #[must_use]
    pub fn address(&self) -> String {
        match self.kind {
            NameKind::Event | NameKind::Method | NameKind::Type => self.holder.clone(),
            NameKind::Constant => self.name.clone(),
            NameKind::Flag | NameKind::Choice if self.holder.is_empty() => self.below(),
            NameKind::EnumValue if self.path.is_empty() => format!("{} = {}", self.holder, self.name),
            NameKind::Variant if self.path.is_empty() => format!("{} as {}", self.holder, self.name),
            _ => format!("{} {}", self.holder, self.below()),
        }
    }

    /// The same without the holder.
    #[must_use]
    pub fn below(&self) -> String {
        match self.kind {
            NameKind::Flag => self.name.clone(),
            NameKind::EnumValue | NameKind::Choice => format!("{} = {}", self.path, self.name),
            NameKind::Variant => format!("{} as {}", self.path, self.name),
            _ => self.path.clone(),
        }
    }

    /// Whether it only came and went with what holds it, so that its holder's history says all.
    #[must_use]
    pub fn follows_its_holder(&self) -> bool {
        !self.events.is_empty() && self.events.iter().all(|event| event.with.is_some())
    }

    /// Whether anything happened to it.
    #[must_use]
    pub fn is_told(&self) -> bool {
        !self.events.is_empty() || !self.from_the_first || self.prerelease_flips > 0
    }

    /// Whether a person who asks for `wanted` means it: its name, its address, its event or its path.
    #[must_use]
    pub fn is_called(&self, wanted: &str) -> bool {
        let bare = |text: &str| text.trim_start_matches('-').replace(['_', '-'], "").to_lowercase();
        self.name == wanted
            || self.path == wanted
            || self.address() == wanted
            || (self.holder == wanted && !self.holder.is_empty())
            || bare(&self.name) == bare(wanted)
    }
}
