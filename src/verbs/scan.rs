//! `scan`: the protocol of two versions, compared.

use agent_contracts_scanner::{ErrorKind, ScanError, ScanOptions, ScanReport};
use agent_contracts_wire::Severity;

use crate::cli::{Common, FailOn, ScanArgs};
use crate::context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

pub(crate) async fn run(common: &Common, args: &ScanArgs) -> Outcome {
    let report = any(common, args).await?;
    output::json(&report)?;
    Ok(exit_for(&report, args.fail_on))
}

/// Two sources of any kind.
async fn any(common: &Common, args: &ScanArgs) -> Result<ScanReport, Failure> {
    let (Some(from), Some(to)) = (&args.from, &args.to) else {
        return Err(Failure::usage_text(
            "`scan` needs both `--from SOURCE` and `--to SOURCE`, or a known agent\n\
             hint: a SOURCE is git:PATH_OR_URL@REV, npm:NAME@VERSION, crate:NAME@VERSION, pypi:NAME@VERSION or \
             dir:PATH; `agent-contracts agents list` shows the agents",
        ));
    };
    let options = ScanOptions {
        scope: args.scope.clone(),
        roots: args.root.clone(),
        flags: args.flags,
        ..ScanOptions::default()
    };
    context::scanner(common)?
        .scan(from, to, &options)
        .await
        .map_err(failure)
}

/// The exit code of an error, by who has to act on it.
fn failure(error: ScanError) -> Failure {
    let exit = match error.kind() {
        ErrorKind::Usage => Exit::Usage,
        ErrorKind::Unreachable | ErrorKind::Failed => Exit::Failed,
    };
    Failure {
        exit,
        error: error.into(),
    }
}

fn exit_for(report: &ScanReport, fail_on: Option<FailOn>) -> Exit {
    let worst = report
        .findings
        .iter()
        .map(|finding| finding.severity)
        .max()
        .unwrap_or(Severity::None);
    match fail_on {
        Some(limit) if worst >= limit.severity() => Exit::CheckFailed,
        _ => Exit::Done,
    }
}
