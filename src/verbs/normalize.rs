//! `normalize`: the shape of one transcript.

use agent_contracts_reports::shapes;
use serde_json::json;

use crate::cli::{Common, Format, NormalizeArgs};
use crate::failure::{Exit, Failure, Outcome};
use crate::given::{Given, Wanted};
use crate::output;

pub(crate) fn run(common: &Common, args: &NormalizeArgs) -> Outcome {
    let wanted = Wanted::new(common, args.family.as_deref(), args.agent.as_deref())?;
    let Given::Transcript(found) = wanted.read(&args.file)? else {
        return Err(Failure::usage_text(format!(
            "{} is a record and no transcript\nhint: `agent-contracts compare` takes shapes and observations",
            args.file
        )));
    };
    match common.format() {
        Format::Json => output::json(&json!({
            "schema_version": 1,
            "shape": found.normalised.shape,
            "profile": found.profile.signature,
            "volatile": found.normalised.volatile,
            "notes": found.normalised.notes,
            "oddities": found.normalised.oddities,
        }))?,
        Format::Text | Format::Svg => output::text(&shapes::normalised_text(&found.normalised))?,
        Format::Markdown => output::text(&shapes::normalised_markdown(&found.normalised))?,
        Format::Sarif => {
            return Err(Failure::usage_text(
                "a shape has no findings, so there is no SARIF of it\nhint: --format text, json or markdown",
            ));
        }
    }
    Ok(Exit::Done)
}
