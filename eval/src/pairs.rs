//! The labelled pairs.

use serde::Deserialize;

/// The whole label file.
#[derive(Debug, Deserialize)]
pub struct Labels {
    /// What it is, for people.
    pub about: String,
    /// The pairs.
    pub pairs: Vec<Pair>,
}

/// Two versions of one source and what changed between them.
#[derive(Debug, Clone, Deserialize)]
pub struct Pair {
    /// Stable id, `gt-…` for protocol pairs and `flag-…` for flag pairs.
    pub id: String,
    /// The language of the files in scope.
    pub language: String,
    /// A flag scan instead of a protocol scan.
    pub flags: bool,
    /// Where the versions are.
    pub source: Source,
    /// Globs of the files that the labels are complete for.
    pub scope: Vec<String>,
    /// Types to start from; empty for all.
    pub roots: Vec<String>,
    /// Nothing changed on the wire: any loud finding is a false alarm.
    pub quiet: bool,
    /// What changed.
    pub changes: Vec<Label>,
}

/// Where the two versions of a pair are.
#[derive(Debug, Clone, Deserialize)]
pub struct Source {
    /// `git` or `npm`.
    pub kind: String,
    /// `owner/name`, or the name of the package.
    pub name: String,
    /// The older revision or version.
    pub from: String,
    /// The newer one.
    pub to: String,
}

/// One change that a reader found.
#[derive(Debug, Clone, Deserialize)]
pub struct Label {
    /// The rule it stands under.
    pub rule: String,
    /// The declared type, with the way inside it: `SessionEvent[user.message].data`.
    pub type_name: Option<String>,
    /// The changed wire name or flag; `old->new` for a rename.
    pub name: Option<String>,
    /// How much an unchanged host suffers.
    pub severity: Option<String>,
    /// The reader's words.
    pub detail: Option<String>,
}

impl Label {
    /// Whether missing it counts: not without wire effect, and no companion of another label.
    pub fn counts(&self) -> bool {
        self.severity.as_deref() != Some("none") && self.rule != "type_added"
    }
}

/// The labels that this project keeps.
///
/// # Errors
/// When the embedded file is no label file, with the place.
pub fn labels() -> serde_json::Result<Labels> {
    serde_json::from_str(include_str!("../pairs.json"))
}
