//! `scan`: the protocol of two versions, compared.

use agent_contracts_scanner::{ErrorKind, ScanError, ScanOptions, ScanReport, Scanner};
use agent_contracts_wire::{Severity, Verdict};

use crate::cli::{Common, FailOn, Format, ScanArgs};
use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;
use crate::pipeline::steps;

pub(crate) async fn run(common: &Common, args: &ScanArgs) -> Outcome {
    let report = match &args.agent {
        Some(agent) => known(common, args, agent).await?,
        None => any(common, args).await?,
    };
    match common.format() {
        Format::Json => output::json(&report)?,
        Format::Sarif => output::json(&agent_contracts_reports::sarif::scan(&report_input(&report)))?,
        Format::Markdown => output::text(&agent_contracts_reports::markdown::scan(&report_input(&report)))?,
        Format::Text => output::text(&agent_contracts_reports::text::scan(&report_input(&report)))?,
    }
    Ok(exit_for(&report, args.fail_on))
}

/// Two sources of any kind.
async fn any(common: &Common, args: &ScanArgs) -> Result<ScanReport, Failure> {
    let (Some(from), Some(to)) = (&args.from, &args.to) else {
        return Err(Failure::usage_text(
            "`scan` needs a known agent, or both `--from SOURCE` and `--to SOURCE`\n\
             hint: `agent-contracts agents list` shows the agents; a SOURCE is git:PATH_OR_URL@REV, npm:NAME@VERSION, \
             crate:NAME@VERSION, pypi:NAME@VERSION or dir:PATH",
        ));
    };
    let options = ScanOptions {
        scope: args.scope.clone(),
        roots: args.root.clone(),
        flags: args.flags,
        ..ScanOptions::default()
    };
    let scanner = Context::load(common)?.scanner()?;
    scanner.scan(from, to, &options).await.map_err(failure)
}
