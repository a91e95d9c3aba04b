//! `compare`: two shapes, transcripts or observations side by side.

use agent_contracts_config::AgentDef;
use agent_contracts_registry::records::Observation;
use agent_contracts_reports::{StepReport, sarif, shapes};
use agent_contracts_shapes::compare::evidence::coverage;
use agent_contracts_shapes::compare::{Circumstances, Comparison, Meaning, compare};
use agent_contracts_shapes::{Class, Shape};
use agent_contracts_source_evidence::StepSide;
use serde_json::{Value, json};

use crate::cli::{Common, CompareArgs, Format};
use crate::failure::{Exit, Failure, Outcome};
use crate::given::{Given, Wanted};
use crate::output;

/// Meanings of events that a run must keep.
const MUST_SEE: [&str; 3] = ["init_or_status", "assistant_text", "done"];

pub(crate) fn run(common: &Common, args: &CompareArgs) -> Outcome {
    let wanted = Wanted::new(common, args.family.as_deref(), args.agent.as_deref())?;
    let (old, new) = (wanted.read(&args.old)?, wanted.read(&args.new)?);
    let (Some(before), Some(after)) = (old.shape(), new.shape()) else {
        return unredacted(common, args, &old, &new);
    };
    if before.protocol_family != after.protocol_family {
        return Err(Failure::usage_text(format!(
            "{} is of {} and {} of {}; only shapes of one family can be compared",
            args.old, before.protocol_family, args.new, after.protocol_family
        )));
    }
    if args.evidence {
        return evidence(common, args, before, after);
    }
    let of_record = |given: &Given| given.observation().map(|record| record.agent.as_str().to_owned());
    let agent = of_record(&new).or_else(|| of_record(&old));
    let circumstances = Circumstances {
        same_version: args.same_version || same_version(old.observation(), new.observation()),
        must_see: wanted
            .agent(agent.as_deref())
            .map(|agent| must_see(agent, &after.protocol_family))
            .unwrap_or_default(),
    };
    let found = compare(before, after, &circumstances)?;
    print(
        common.format(),
        &found,
        (&args.old, &old, before),
        (&args.new, &new, after),
    )?;
    let worst = found.diff.findings.iter().map(|finding| finding.severity).max();
    Ok(match (args.fail_on, worst) {
        (Some(limit), Some(worst)) if worst >= limit.severity() => Exit::CheckFailed,
        _ => Exit::Done,
    })
}

/// Nothing is said of a run that could not be sanitised.
fn unredacted(common: &Common, args: &CompareArgs, old: &Given, new: &Given) -> Outcome {
    let word = Class::RedactionFailed.word();
    let failed: Vec<&str> = [(&args.old, old), (&args.new, new)]
        .into_iter()
        .filter(|(_, given)| given.shape().is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    if common.format() == Format::Json {
        output::json(&json!({ "schema_version": 1, "class": word, "redaction_failed": failed }))?;
    } else {
        output::text(&format!("{word}\nnot sanitised: {}\n", failed.join(", ")))?;
    }
    Ok(Exit::CheckFailed)
}

fn evidence(common: &Common, args: &CompareArgs, one: &Shape, other: &Shape) -> Outcome {
    let (observed, predicted) = match (one.validity_level.is_source(), other.validity_level.is_source()) {
        (false, true) => (one, other),
        (true, false) => (other, one),
        (both, _) => {
            return Err(Failure::usage_text(format!(
                "`--evidence` sets what ran beside what a source declares; {} and {} both {}",
                args.old,
                args.new,
                if both { "come from a source" } else { "ran" }
            )));
        }
    };
    let found = coverage(&[observed], predicted);
    match common.format() {
        Format::Json => output::json(&json!({
            "schema_version": 1,
            "observed": observed.signature,
            "predicted": predicted.signature,
            "coverage": found,
        }))?,
        Format::Markdown => output::text(&shapes::coverage_markdown(&found))?,
        Format::Text | Format::Svg => output::text(&shapes::coverage_text(&found))?,
        Format::Sarif => {
            return Err(Failure::usage_text(
                "coverage has no findings, so there is no SARIF of it\nhint: --format text, json or markdown",
            ));
        }
    }
    Ok(Exit::Done)
}

/// Two runs of one agent, version, platform, probe and family.
fn same_version(old: Option<&Observation>, new: Option<&Observation>) -> bool {
    let key = |record: &Observation| {
        (
            record.agent.clone(),
            record.cli_version.clone(),
            record.platform,
            record.probe.clone(),
        )
    };
    matches!((old, new), (Some(old), Some(new)) if key(old) == key(new))
}

fn must_see(agent: &AgentDef, family: &str) -> Vec<Meaning> {
    let Some(map) = agent.events.get(family) else {
        return Vec::new();
    };
    let meanings = map.meanings().into_iter().filter(|(name, _)| MUST_SEE.contains(name));
    meanings
        .map(|(name, patterns)| Meaning {
            name: name.to_owned(),
            // The loader has read every pattern.
            events: patterns.iter().filter_map(|pattern| pattern.parse().ok()).collect(),
        })
        .collect()
}

type Named<'a> = (&'a str, &'a Given, &'a Shape);

fn print(format: Format, found: &Comparison, old: Named<'_>, new: Named<'_>) -> anyhow::Result<()> {
    if format == Format::Json {
        return Ok(output::json(&json!({
            "schema_version": 1,
            "class": found.class,
            "from": side_json(&old),
            "to": side_json(&new),
            "verdict": found.diff.verdict,
            "missing": found.missing,
            "findings": found.diff.findings,
        }))?);
    }
    let mut step = StepReport::of_diff(side(&old), side(&new), found.diff.clone());
    step.validity = new.2.validity_level;
    let text = match format {
        Format::Sarif => sarif::render(&step, env!("CARGO_PKG_VERSION"))?,
        Format::Markdown => shapes::comparison_markdown(found, &step),
        Format::Text | Format::Json | Format::Svg => shapes::comparison_text(found, &step),
    };
    Ok(output::text(&text)?)
}

fn side((name, given, shape): &Named<'_>) -> StepSide {
    let version = given.observation().map(|record| record.cli_version.as_str().to_owned());
    StepSide {
        version: version.unwrap_or_default(),
        source: format!("{name} ({})", shapes::short(shape)),
        files: 1,
        types: shape.frame_count,
        ..StepSide::default()
    }
}

fn side_json((name, given, shape): &Named<'_>) -> Value {
    let record = given.observation();
    json!({
        "name": name,
        "signature": shape.signature,
        "protocol_family": shape.protocol_family,
        "validity_level": shape.validity_level,
        "agent": record.map(|record| record.agent.as_str()),
        "cli_version": record.map(|record| record.cli_version.as_str()),
        "exit": shape.exit,
        "stderr_class": shape.stderr_class,
    })
}
