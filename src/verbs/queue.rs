//! `queue list`: what should be captured next, and why.

use crate::cli::{Common, Format, QueueVerb};
use crate::context;
use crate::failure::{Exit, Outcome};
use crate::output;
use crate::pipeline::queue;

pub(crate) fn run(common: &Common, verb: &QueueVerb) -> Outcome {
    let QueueVerb::List = verb;
    let jobs = queue::jobs(&context::store(common)?, context::agents(common)?.iter())?;
    if common.format() == Format::Json {
        output::json(&jobs)?;
    } else {
        let rows = jobs.iter().map(|job| {
            let priority = job.priority.0.to_string();
            [
                job.agent.clone(),
                job.version.clone(),
                priority,
                job.since.clone(),
                job.reason.clone(),
            ]
        });
        output::text(&output::table(["agent", "version", "priority", "since", "why"], rows))?;
    }
    Ok(Exit::Done)
}
