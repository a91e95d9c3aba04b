//! `scan`: the protocol of two versions, compared.

use agent_contracts_config::agent::{ScanSource, SourceKind};
use agent_contracts_reports::{StepReport, markdown, sarif, text};
use agent_contracts_scanner::{ErrorKind, ScanError, ScanOptions, ScanReport, Side, SourceVersion, SourceVersions};
use agent_contracts_source_evidence::{Profile, StepSide};
use agent_contracts_wire::DiffOptions;
use serde_json::{Value, json};

use super::cross_check;
use crate::cli::{Common, Format, ScanArgs};
use crate::consumer;
use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;
use crate::pipeline::keep::diff_of;

pub(crate) async fn run(common: &Common, args: &ScanArgs) -> Outcome {
    if let (true, Some(agent)) = (args.all, &args.agent) {
        return super::scan_all::run(common, args, agent).await;
    }
    if args.cross_check {
        return cross_check::run(common, args).await;
    }
    let profile = args.profile.as_deref().map(consumer::read).transpose()?;
    let scanned = match &args.agent {
        Some(agent) => known(common, args, agent).await?,
        None => any(common, args).await?,
    };
    let consumer = match &profile {
        Some(profile) => Some(of_consumer(profile, &scanned, args)?),
        None => None,
    };
    let (from, to) = (step_side(&scanned.report.from), step_side(&scanned.report.to));
    let mut step = StepReport::of_diff(from, to, diff_of(scanned.report.clone()));
    if let Some(profile) = &profile {
        step = step.judged(profile);
    }
    let exit = match args.fail_on {
        Some(limit) if step.severity_for_consumer() >= limit.severity() => Exit::CheckFailed,
        _ => Exit::Done,
    };
    print(&scanned.report, &step, consumer, common.format())?;
    Ok(exit)
}

/// What a scan said, and what it was about.
struct Scanned {
    report: ScanReport,
    family: Option<String>,
    options: DiffOptions,
}

/// What the JSON document says of the profile. It must be about what was scanned.
fn of_consumer(profile: &Profile, scanned: &Scanned, args: &ScanArgs) -> Result<Value, Failure> {
    let about = [
        ("agent", &profile.agent, &args.agent),
        ("family", &profile.family, &scanned.family),
    ];
    for (what, named, this) in about {
        if let (Some(named), Some(this)) = (named, this)
            && named != this
        {
            return Err(Failure::usage_text(format!(
                "the profile {} is about the {what} {named}, and {this} was scanned\n\
                 hint: give the profile of a consumer of {this}",
                profile.name
            )));
        }
    }
    let unknown = if args.flags {
        Vec::new()
    } else {
        consumer::unknown(
            profile,
            &scanned.report.models,
            &scanned.options,
            scanned.family.as_deref(),
        )?
    };
    Ok(json!({"name": profile.name, "unknown": unknown}))
}

/// Two sources of any kind.
async fn any(common: &Common, args: &ScanArgs) -> Result<Scanned, Failure> {
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
    let report = Context::new(common)?
        .scanner
        .scan(from, to, &options)
        .await
        .map_err(failure)?;
    Ok(Scanned {
        report,
        family: None,
        options: DiffOptions {
            roots: options.roots,
            directions: options.directions,
        },
    })
}

/// Two versions of a known agent: those that were named, or the newest stable one and the one before it. The first of
/// its sources that answers is read; with `--repo`, its first repository, in that clone.
async fn known(common: &Common, args: &ScanArgs, id: &str) -> Result<Scanned, Failure> {
    let context = Context::new(common)?;
    let agents = context.chosen(&[id.to_owned()])?;
    let agent = &agents[0];
    let sources: Vec<&ScanSource> = agent
        .sources
        .iter()
        .filter(|source| args.repo.is_none() || source.kind == SourceKind::Git)
        .filter(|source| !args.flags || !source.flags.is_empty())
        .collect();
    if sources.is_empty() {
        return Err(Failure::usage_text(format!(
            "{} has no source of that kind\nhint: `agent-contracts agents show {id}` lists its sources; \
             `scan --from SOURCE --to SOURCE` compares any two",
            agent.name
        )));
    }
    // Another source may answer where one does not, and go further back, or on.
    let mut missed: Vec<ScanError> = Vec::new();
    for source in sources {
        let versions = match context.scanner.versions(agent, source, args.repo.as_deref()).await {
            Ok(versions) => versions,
            Err(error) => {
                missed.push(error);
                continue;
            }
        };
        let (from, to) = match (
            wanted(&versions, args.from.as_deref()),
            wanted(&versions, args.to.as_deref()),
        ) {
            (Ok(from), Ok(to)) => (from, to),
            (Err(error), _) | (_, Err(error)) => {
                missed.push(error);
                continue;
            }
        };
        let Some(to) = to.or_else(|| versions.latest(true)) else {
            return Err(no_step(source, "it has no version"));
        };
        let Some(from) = from.or_else(|| versions.previous(&to.version)) else {
            return Err(no_step(source, &format!("{} is its first version", to.version)));
        };
        for error in missed {
            output::note(&error.to_string());
        }
        let scanned = context
            .scanner
            .scan_agent(source, from, to, args.flags)
            .await
            .map_err(failure)?;
        return Ok(Scanned {
            report: scanned.report,
            family: Some(scanned.family).filter(|family| !family.is_empty()),
            options: DiffOptions {
                roots: scanned.options.roots,
                directions: scanned.options.directions,
            },
        });
    }
    let last = missed.pop();
    for error in missed {
        output::note(&error.to_string());
    }
    Err(last.map_or_else(|| Failure::usage_text("no source answered"), failure))
}

/// The version that was asked for, if one was.
fn wanted<'a>(versions: &'a SourceVersions, version: Option<&str>) -> Result<Option<&'a SourceVersion>, ScanError> {
    version.map(|version| versions.get(version)).transpose()
}

fn no_step(source: &ScanSource, why: &str) -> Failure {
    Failure::usage_text(format!("{} gives no step: {why}", source.label()))
}

fn print(report: &ScanReport, step: &StepReport, consumer: Option<Value>, format: Format) -> anyhow::Result<()> {
    let text = match format {
        Format::Json => {
            match consumer {
                Some(consumer) => output::json(&document(report, step, consumer)?)?,
                None => output::json(report)?,
            }
            return Ok(());
        }
        Format::Sarif => sarif::render(step, env!("CARGO_PKG_VERSION"))?,
        Format::Markdown => markdown::step(step),
        Format::Text | Format::Svg => text::step(step),
    };
    Ok(output::text(&text)?)
}

/// The JSON document, with what a consumer's profile adds to it.
fn document(report: &ScanReport, step: &StepReport, consumer: Value) -> anyhow::Result<Value> {
    let mut document = serde_json::to_value(report)?;
    if let Some(findings) = document["findings"].as_array_mut() {
        for (value, finding) in findings.iter_mut().zip(&report.findings) {
            if let Some(judged) = step.for_consumer.get(&finding.id) {
                value["for_consumer"] = serde_json::to_value(judged)?;
            }
        }
    }
    document["profile"] = consumer;
    Ok(document)
}

pub(crate) fn step_side(side: &Side) -> StepSide {
    StepSide {
        source: side.source.clone(),
        commit: side.revision.clone(),
        files: side.files,
        types: u32::try_from(side.types).unwrap_or(u32::MAX),
        ..StepSide::default()
    }
}

/// The exit code of an error, by who has to act on it.
pub(crate) fn failure(error: ScanError) -> Failure {
    let exit = match error.kind() {
        ErrorKind::Usage => Exit::Usage,
        ErrorKind::Unreachable | ErrorKind::Failed => Exit::Failed,
    };
    Failure {
        exit,
        error: error.into(),
    }
}
