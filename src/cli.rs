//! What may be typed. One struct a verb; what a verb does stands in `verbs/`.

mod claims;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use claims::{CompatibilityArgs, MatrixArgs, PromoteArgs, To};

/// Watches coding-agent CLIs for changes of their wire protocols and keeps a public registry of them.
#[derive(Debug, Parser)]
#[command(name = "agent-contracts", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What every verb understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every verb")]
pub(crate) struct Common {
    /// The public registry tree.
    #[arg(long, global = true, value_name = "DIR", default_value = "contracts")]
    pub(crate) tree: PathBuf,
    /// More agents, one TOML file each, beside those that are built in.
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) agents: Option<PathBuf>,
    /// The bot's settings [default: agent-contracts.toml where there is one].
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Caches: what was fetched, parsed and cloned. Losing it costs time only.
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "AGENT_CONTRACTS_STATE",
        hide_env_values = true
    )]
    pub(crate) state: Option<PathBuf>,
    /// Ask nobody; use what is known.
    #[arg(long, global = true)]
    pub(crate) offline: bool,
    /// Print JSON.
    #[arg(long, global = true, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Print in this format.
    #[arg(long, global = true, value_enum)]
    pub(crate) format: Option<Format>,
    /// Exit with 3 when a source could not be reached.
    #[arg(long, global = true)]
    pub(crate) strict: bool,
}

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Markdown.
    Markdown,
    /// A picture; `history` only.
    Svg,
}

impl Common {
    /// The asked-for format: `--json` is short for `--format json`.
    pub(crate) fn format(&self) -> Format {
        if self.json {
            Format::Json
        } else {
            self.format.unwrap_or(Format::Text)
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// The whole pass: poll, scan what is new, write evidence and reports, queue captures and alerts.
    Run(RunArgs),
    /// Poll the channels and show the latest version per channel, lag and coverage.
    Discover(DiscoverArgs),
    /// Compare the protocol types of two versions.
    Scan(ScanArgs),
    /// The shape of a transcript: its frames, their members and the values of their closed sets.
    Normalize(NormalizeArgs),
    /// What differs between two shapes, transcripts or observations, under the rules of the scan.
    Compare(CompareArgs),
    /// When each wire name of an agent appeared, changed, left and came back.
    History(HistoryArgs),
    /// The agents that are known.
    Agents {
        #[command(subcommand)]
        verb: AgentsVerb,
    },
    /// What should be captured next, and why.
    Queue {
        #[command(subcommand)]
        verb: QueueVerb,
    },
    /// Alerts that were written, and where they stand.
    Outbox {
        #[command(subcommand)]
        verb: OutboxVerb,
    },
    /// Check every record of a tree, or one file, by every rule of the registry.
    Validate(ValidateArgs),
    /// Make the public claims from observations and decisions; check, explain and judge them.
    Matrix(MatrixArgs),
    /// Decide about observations: confirm them, name variants and what breaks, take a decision back.
    Promote(Box<PromoteArgs>),
    /// How far an installed or given version is verified.
    Compatibility(CompatibilityArgs),
    /// What a rule means, whom it hurts and what to do.
    Explain {
        /// The rule, as in `field_added`, or a code of `validate`, as in `OBS024`; all rules when left out.
        rule: Option<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Only these agents.
    #[arg(value_name = "AGENT")]
    pub(crate) only: Vec<String>,
    /// One pass, then stop (what `run` does until schedules exist).
    #[arg(long)]
    pub(crate) once: bool,
    /// What one consumer reads (TOML or JSON): findings about the rest are lowered for it, and `--fail-on` judges by that.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Exit with 1 when a finding is at least this severe.
    #[arg(long, value_enum)]
    pub(crate) fail_on: Option<FailOn>,
}

#[derive(Debug, Args)]
pub(crate) struct DiscoverArgs {
    /// Only these agents.
    #[arg(value_name = "AGENT")]
    pub(crate) only: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ScanArgs {
    /// A known agent; without it `--from` and `--to` are sources of any kind.
    pub(crate) agent: Option<String>,
    /// A version of the agent, or SOURCE: git:PATH_OR_URL@REV, npm:NAME@VERSION, crate:…, pypi:…, dir:PATH.
    #[arg(long, value_name = "VERSION|SOURCE")]
    pub(crate) from: Option<String>,
    /// As `--from`.
    #[arg(long, value_name = "VERSION|SOURCE")]
    pub(crate) to: Option<String>,
    /// Every step between neighbouring versions, in every source of the agent.
    #[arg(long, requires = "agent", conflicts_with_all = ["from", "to", "cross_check", "profile"])]
    pub(crate) all: bool,
    /// A clone of the agent's repository that you already have.
    #[arg(long, value_name = "PATH", requires = "agent")]
    pub(crate) repo: Option<PathBuf>,
    /// Files to compare; `*` stops at `/`, `**` does not.
    #[arg(long, value_name = "GLOB", conflicts_with = "agent")]
    pub(crate) scope: Vec<String>,
    /// Types to start from; without it every wire type of the scope.
    #[arg(long, value_name = "TYPE", conflicts_with = "agent")]
    pub(crate) root: Vec<String>,
    /// Compare command-line flags instead of protocol types; `.txt` and `.help` files are what `--help` printed.
    #[arg(long)]
    pub(crate) flags: bool,
    /// Hold two descriptions of one version against each other: those that an agent's file names, at `--to`, or the
    /// SOURCEs of `--from` and `--to`.
    #[arg(long, conflicts_with_all = ["flags", "profile"])]
    pub(crate) cross_check: bool,
    /// The files of `--to` in a cross-check, where they are other ones than those of `--scope`.
    #[arg(long, value_name = "GLOB", requires = "cross_check", conflicts_with = "agent")]
    pub(crate) other_scope: Vec<String>,
    /// What one consumer reads (TOML or JSON): findings about the rest are lowered for it, and `--fail-on` judges by that.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Exit with 1 when a finding is at least this severe.
    #[arg(long, value_enum)]
    pub(crate) fail_on: Option<FailOn>,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// A tree, a folder or file of one, or a record that stands alone [default: the tree of --tree].
    pub(crate) path: Option<PathBuf>,
    /// What the record is, when its name does not tell, as in `observation`.
    #[arg(long, value_name = "KIND", requires = "path")]
    pub(crate) kind: Option<String>,
    /// List the codes instead, with what they mean and what to do.
    #[arg(long, conflicts_with_all = ["path", "kind"])]
    pub(crate) codes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NormalizeArgs {
    /// A transcript (one record a line), or what a CLI wrote on standard output.
    pub(crate) file: String,
    /// The protocol family, as in json-event-stream/v1; the first of the agent when left out.
    #[arg(long)]
    pub(crate) family: Option<String>,
    /// The agent whose profile says what floats, what comes by chance and what is data.
    #[arg(long)]
    pub(crate) agent: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The older one: a transcript, a shape, an observation or a record of source evidence; a file, a path in the tree
    /// or the signature of a shape in the tree.
    #[arg(value_name = "A")]
    pub(crate) old: String,
    /// The newer one.
    #[arg(value_name = "B")]
    pub(crate) new: String,
    /// For transcripts: the protocol family.
    #[arg(long)]
    pub(crate) family: Option<String>,
    /// For transcripts: the agent, whose profile is used; its events say what must be seen.
    #[arg(long)]
    pub(crate) agent: Option<String>,
    /// Both ran with one version under one probe; observations say so themselves.
    #[arg(long)]
    pub(crate) same_version: bool,
    /// Set what ran beside what a source declares: which observed places were predicted, which predicted ones reached.
    #[arg(long)]
    pub(crate) evidence: bool,
    /// Exit with 1 when a finding is at least this severe.
    #[arg(long, value_enum)]
    pub(crate) fail_on: Option<FailOn>,
}

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// A known agent.
    pub(crate) agent: String,
    /// Only this name: a field, an event, a value, a flag, as it goes over the wire.
    #[arg(long, value_name = "WIRE_NAME", allow_hyphen_values = true)]
    pub(crate) name: Option<String>,
    /// A clone of the agent's repository that you already have.
    #[arg(long, value_name = "PATH")]
    pub(crate) repo: Option<PathBuf>,
    /// Command-line flags instead of protocol types.
    #[arg(long)]
    pub(crate) flags: bool,
}

/// The severities that `--fail-on` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum FailOn {
    /// Any finding with an effect.
    Additive,
    /// Risky or breaking.
    Risky,
    /// Breaking only.
    Breaking,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsVerb {
    /// One line an agent.
    List,
    /// Everything its file says.
    Show {
        /// The agent.
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueueVerb {
    /// One line a capture that is wanted, most urgent first.
    List,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OutboxVerb {
    /// One line an alert.
    List,
    /// One alert: the issue text and the card.
    Show {
        /// Its fingerprint, or the first digits of it.
        id: String,
    },
}

impl FailOn {
    /// The least severity that fails.
    pub(crate) fn severity(self) -> agent_contracts_wire::Severity {
        match self {
            Self::Additive => agent_contracts_wire::Severity::Additive,
            Self::Risky => agent_contracts_wire::Severity::Risky,
            Self::Breaking => agent_contracts_wire::Severity::Breaking,
        }
    }
}
