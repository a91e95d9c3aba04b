//! What may be typed about claims: the matrix, decisions, compatibility.

use agent_contracts_registry::records::Platform;
use agent_contracts_wire::family::CapturedFamily;
use agent_contracts_wire::formats::{
    AgentId, CliVersion, EvidenceLink, HttpsUrl, Login, ProbeId, Text, UtcTime, VersionRange,
};
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct MatrixArgs {
    /// Write nothing; exit with 1 and show the difference when the matrix is not the one that the records give.
    #[arg(long, conflicts_with_all = ["explain", "release_gate"])]
    pub(crate) check: bool,
    /// Show what is claimed of one version, and which observations, decisions, files and rule it rests on.
    #[arg(long, value_name = "AGENT@VERSION", conflicts_with = "release_gate")]
    pub(crate) explain: Option<String>,
    /// Exit with 1 when a claim about an agent of tier 0 is stale or missing and its file does not say why.
    #[arg(long)]
    pub(crate) release_gate: bool,
    /// The moment that staleness is judged for [default: now].
    #[arg(long, value_name = "TIME", requires = "release_gate")]
    pub(crate) now: Option<UtcTime>,
}

#[derive(Debug, Args)]
pub(crate) struct CompatibilityArgs {
    /// The agent; all that have a command when left out.
    pub(crate) agent: Option<AgentId>,
    /// Ask about this version instead of the installed one.
    #[arg(long, value_name = "VERSION", requires = "agent")]
    pub(crate) version: Option<CliVersion>,
    /// Ask about this platform instead of the one that this runs on.
    #[arg(long, value_name = "PLATFORM", value_parser = platform)]
    pub(crate) platform: Option<Platform>,
    /// Run the CLI to see which shape is active here.
    #[arg(long)]
    pub(crate) probe: bool,
}

/// The levels and standings that `promote --to` gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum To {
    /// Seen at least twice, a day apart or on two runner images.
    Confirmed,
    /// Reproduced by somebody else; needs `--reproduction`.
    CommunityConfirmed,
    /// One version has several active shapes.
    ServerVariant,
    /// The version does not work, whatever its shape.
    KnownBreaking,
    /// The shape does not work, wherever it is seen.
    KnownBreakingShape,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true).args(["to", "clear", "undo"])))]
pub(crate) struct PromoteArgs {
    /// What the observations are of; not needed with `--undo` and `--clear`.
    #[arg(value_name = "AGENT@VERSION", required_unless_present_any = ["undo", "clear"])]
    pub(crate) target: Option<String>,
    /// What they get.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) to: Option<To>,
    /// Say that of the variants which an earlier decision named only `--shape` is left.
    #[arg(long, value_name = "ID", requires = "shape")]
    pub(crate) clear: Option<String>,
    /// Take an earlier decision back: its file, or the digits in its name.
    #[arg(long, value_name = "ID")]
    pub(crate) undo: Option<String>,
    /// Only observations of the shape whose hash begins so.
    #[arg(long, value_name = "DIGITS")]
    pub(crate) shape: Option<String>,
    /// Only observations under this probe.
    #[arg(long, value_name = "PROBE")]
    pub(crate) probe: Option<ProbeId>,
    /// Only observations in this family.
    #[arg(long, value_name = "FAMILY")]
    pub(crate) family: Option<CapturedFamily>,
    /// Only observations on this platform; for variants and what breaks also where it holds.
    #[arg(long, value_name = "PLATFORM", value_parser = platform)]
    pub(crate) platform: Option<Platform>,
    /// Only these observations, as files of the tree.
    #[arg(long, value_name = "FILE")]
    pub(crate) observation: Vec<String>,
    /// Where somebody outside reproduced it.
    #[arg(long, value_name = "URL")]
    pub(crate) reproduction: Option<HttpsUrl>,
    /// What is known of a variant: compatible, compatible_pending_fixture or breaking.
    #[arg(long, value_name = "DIGITS=STATUS")]
    pub(crate) variant: Vec<String>,
    /// What breaks, for people.
    #[arg(long, value_name = "TEXT", required_if_eq_any = [("to", "known_breaking"), ("to", "known_breaking_shape")])]
    pub(crate) breaks: Option<Text>,
    /// The versions that break, instead of the one that was seen to.
    #[arg(long, value_name = "RANGE", requires = "breaks")]
    pub(crate) versions: Vec<VersionRange>,
    /// Where else it can be seen to break.
    #[arg(long, value_name = "URL|FILE", requires = "breaks")]
    pub(crate) evidence: Vec<EvidenceLink>,
    /// Who decides: a login where the tree is hosted.
    #[arg(long, value_name = "LOGIN")]
    pub(crate) by: Login,
    /// Why.
    #[arg(long, value_name = "TEXT")]
    pub(crate) why: Text,
    /// You checked the raw transcripts against what is published, and nothing is in it that must not be.
    #[arg(long)]
    pub(crate) redaction_checked: bool,
    /// You are a contributor and no maintainer, who cannot decide: shows what a maintainer would have to attest.
    #[arg(long)]
    pub(crate) contributor: bool,
    /// Where the decision can be read, such as a pull request.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<HttpsUrl>,
    /// In your own words what you looked at.
    #[arg(long, value_name = "TEXT")]
    pub(crate) statement: Option<Text>,
    /// When it is decided [default: now].
    #[arg(long, value_name = "TIME")]
    pub(crate) now: Option<UtcTime>,
}

fn platform(text: &str) -> Result<Platform, String> {
    let known = Platform::ALL.iter().find(|platform| platform.word() == text);
    known.copied().ok_or_else(|| {
        let words: Vec<&str> = Platform::ALL.iter().map(|platform| platform.word()).collect();
        format!("the platforms are {}", words.join(", "))
    })
}
