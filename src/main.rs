//! The command line of `agent-contracts`: reads what was typed, runs one verb, ends with a documented exit code.
//!
//! Results go to stdout, everything else to stderr. What a verb does stands in `verbs/`, what joins the crates to a
//! whole pass in `pipeline/`.

mod cli;
mod consumer;
mod context;
mod failure;
mod given;
mod output;
mod pipeline;
mod verbs;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Format, Verb};
use failure::{Exit, Failure};

fn main() -> ExitCode {
    let cli = Cli::parse();
    start_log();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return end(Err(error.into())),
    };
    end(runtime.block_on(run(cli)))
}

async fn run(cli: Cli) -> failure::Outcome {
    let common = cli.common;
    if common.format() == Format::Svg && !matches!(cli.verb, Verb::History(_)) {
        return Err(Failure::usage_text(
            "only `history` can be drawn\nhint: leave `--format svg` out, or run `agent-contracts history AGENT --format svg`",
        ));
    }
    match cli.verb {
        Verb::Run(args) => verbs::run::run(&common, &args).await,
        Verb::Discover(args) => verbs::discover::run(&common, &args).await,
        Verb::Scan(args) => verbs::scan::run(&common, &args).await,
        Verb::Normalize(args) => verbs::normalize::run(&common, &args),
        Verb::Compare(args) => verbs::compare::run(&common, &args),
        Verb::History(args) => verbs::history::run(&common, &args).await,
        Verb::Agents { verb } => verbs::agents::run(&common, &verb),
        Verb::Queue { verb } => verbs::queue::run(&common, &verb),
        Verb::Outbox { verb } => verbs::outbox::run(&common, &verb),
        Verb::Validate(args) => verbs::validate::run(&common, &args),
        Verb::Matrix(args) => verbs::matrix::run(&common, &args),
        Verb::Promote(args) => verbs::promote::run(&common, &args),
        Verb::Compatibility(args) => verbs::compatibility::run(&common, &args).await,
        Verb::Explain { rule } => verbs::explain::run(&common, rule.as_deref()),
    }
}

/// Says what went wrong, one cause a line, and gives the exit code.
fn end(outcome: failure::Outcome) -> ExitCode {
    let exit = match outcome {
        Ok(exit) => exit,
        Err(Failure { error, .. }) if output::is_closed_pipe(&error) => Exit::Done,
        Err(Failure { exit, error }) => {
            output::complain(&error);
            exit
        }
    };
    ExitCode::from(exit as u8)
}

/// Logs go to stderr and are silent unless `AGENT_CONTRACTS_LOG` asks for them.
fn start_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("AGENT_CONTRACTS_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("off"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
