//! `run`: one whole pass.

use agent_contracts_wire::Severity;

use crate::cli::{Common, Format, RunArgs};
use crate::consumer;
use crate::context::{self, Context};
use crate::failure::{Exit, Outcome};
use crate::output;
use crate::pipeline::{pass, table};

pub(crate) async fn run(common: &Common, args: &RunArgs) -> Outcome {
    let context = Context::new(common)?;
    let agents = context.chosen(&args.only)?;
    let store = context::store(common)?;
    let profile = args.profile.as_deref().map(consumer::read).transpose()?;
    let mut pass = pass(&context, &store, &agents, !args.only.is_empty()).await?;
    if let Some(profile) = &profile {
        for step in &mut pass.steps {
            step.report = step.report.clone().judged(profile);
        }
    }
    if common.format() == Format::Json {
        output::json(&table::document(&pass))?;
    } else {
        output::text(&table::text(&pass, &common.tree.display().to_string()))?;
    }
    let worst = pass
        .steps
        .iter()
        .map(|step| step.report.severity_for_consumer())
        .max()
        .unwrap_or(Severity::None);
    Ok(match args.fail_on {
        Some(limit) if worst >= limit.severity() => Exit::CheckFailed,
        _ if common.strict && !pass.unreached.is_empty() => Exit::Unreached,
        _ => Exit::Done,
    })
}
