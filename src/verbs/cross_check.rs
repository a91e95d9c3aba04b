//! `scan --cross-check`: one version, described twice.

use std::fmt::Write as _;

use agent_contracts_config::agent::{Rank, SourceKind};
use agent_contracts_reports::{StepReport, markdown, sarif, text};
use agent_contracts_scanner::{Better, CrossCheck, Description, ScanError, ScanOptions};
use agent_contracts_wire::Severity;
use serde_json::{Value, json};

use super::scan::{failure, step_side};
use crate::cli::{Common, Format, ScanArgs};
use crate::context::Context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;
use crate::pipeline::keep::diff_of;

pub(crate) async fn run(common: &Common, args: &ScanArgs) -> Outcome {
    let checks = match &args.agent {
        Some(agent) => of_agent(common, args, agent).await?,
        None => vec![of_two(common, args).await?],
    };
    match common.format() {
        Format::Json => output::json(&document(&checks))?,
        Format::Text | Format::Svg => output::text(
            &checks
                .iter()
                .map(|check| told(check, &text::step(&step(check))))
                .collect::<String>(),
        )?,
        Format::Markdown => {
            output::text(
                &checks
                    .iter()
                    .map(|check| told(check, &markdown::step(&step(check))))
                    .collect::<Vec<_>>()
                    .join("\n"),
            )?;
        }
        Format::Sarif => output::text(&one_log(&checks)?)?,
    }
    let findings = checks.iter().flat_map(|check| &check.report.findings);
    let worst = findings.map(|finding| finding.severity).max().unwrap_or(Severity::None);
    Ok(match args.fail_on {
        Some(limit) if worst >= limit.severity() => Exit::CheckFailed,
        _ => Exit::Done,
    })
}

/// Two sources of any kind.
async fn of_two(common: &Common, args: &ScanArgs) -> Result<CrossCheck, Failure> {
    let (Some(from), Some(to)) = (&args.from, &args.to) else {
        return Err(Failure::usage_text(
            "`scan --cross-check` needs a known agent, or the two descriptions as `--from SOURCE` and `--to SOURCE`\n\
             hint: `--scope` names the files of the first and `--other-scope` those of the second",
        ));
    };
    let options = ScanOptions {
        roots: args.root.clone(),
        ..ScanOptions::default()
    };
    let other = if args.other_scope.is_empty() {
        &args.scope
    } else {
        &args.other_scope
    };
    let scanner = Context::new(common)?.scanner;
    scanner
        .cross_check_any(from, to, &options, (&args.scope, other))
        .await
        .map_err(failure)
}

/// Every description that the agent's file names beside the one that is read, at one version of its first source that
/// has one and answers.
async fn of_agent(common: &Common, args: &ScanArgs, id: &str) -> Result<Vec<CrossCheck>, Failure> {
    if args.from.is_some() {
        return Err(Failure::usage_text(
            "a cross-check of an agent is about one version\nhint: name it with `--to`, and leave out `--from`",
        ));
    }
    let context = Context::new(common)?;
    let agents = context.chosen(&[id.to_owned()])?;
    let agent = &agents[0];
    let mut missed: Vec<ScanError> = Vec::new();
    let mut without = None;
    for source in &agent.sources {
        let described_twice = source.eras.iter().any(|era| !era.twins.is_empty());
        if !described_twice || (args.repo.is_some() && source.kind != SourceKind::Git) {
            continue;
        }
        let versions = match context.scanner.versions(agent, source, args.repo.as_deref()).await {
            Ok(versions) => versions,
            Err(error) => {
                missed.push(error);
                continue;
            }
        };
        let wanted = match &args.to {
            Some(to) => versions.get(to).map(Some),
            None => Ok(versions.latest(true)),
        };
        match wanted {
            Ok(Some(version)) => {
                let checks = context.scanner.cross_check(source, version).await.map_err(failure)?;
                if !checks.is_empty() {
                    return Ok(checks);
                }
                without = Some(version.name.clone());
            }
            Ok(None) => {}
            Err(error) => missed.push(error),
        }
    }
    if let Some(error) = missed.pop() {
        return Err(failure(error));
    }
    Err(Failure::usage_text(match without {
        Some(version) => format!("{version} is described once only\nhint: name another version with `--to`"),
        None => format!(
            "the file of {} names no second description of a version\n\
             hint: `scan --cross-check --from SOURCE --to SOURCE` holds any two against each other",
            agent.name
        ),
    }))
}

/// The check as a step from the first description to the second, which reports can show.
fn step(check: &CrossCheck) -> StepReport {
    let side = |side: &agent_contracts_scanner::Side, of: &Description| {
        let mut shown = step_side(side);
        shown.source = name(of);
        shown
    };
    let (first, second) = (
        side(&check.report.from, &check.first),
        side(&check.report.to, &check.second),
    );
    StepReport::of_diff(first, second, diff_of(check.report.clone()))
}

/// `git:repo@v1#src/*.rs`.
fn name(of: &Description) -> String {
    format!("{}#{}", of.source, of.scope.join(","))
}

/// A report under a heading that says what it is about, with both places of each disagreement.
fn told(check: &CrossCheck, report: &str) -> String {
    let believed = match check.better {
        Better::First => "first",
        Better::Second => "second",
    };
    let mut out = format!(
        "Two descriptions of one version, told as a step from the first to the second; {}{}.\n\
         first:  {} ({})\nsecond: {} ({})\nbelieve the {believed}: {}\n\n{report}",
        count(check.report.findings.len()),
        left_out(check.left_out),
        name(&check.first),
        rank(check.first.rank),
        name(&check.second),
        rank(check.second.rank),
        check.why
    );
    if !check.also.is_empty() {
        out.push_str("\nThe same places in the other description:\n\n");
        for (finding, also) in check.report.findings.iter().zip(&check.also) {
            let name = finding.type_name.as_deref().unwrap_or_default();
            let (here, place) = (&finding.location, also);
            let _ = writeln!(
                out,
                "- {name}: {}:{} and {}:{}",
                here.file, here.line, place.file, place.line
            );
        }
    }
    out.push('\n');
    out
}

fn count(findings: usize) -> String {
    match findings {
        0 => "they agree".to_owned(),
        1 => "they disagree in one point".to_owned(),
        n => format!("they disagree in {n} points"),
    }
}

fn left_out(differences: usize) -> String {
    match differences {
        0 => String::new(),
        n => format!(" ({n} more come from what a notation cannot say)"),
    }
}

fn rank(rank: Rank) -> &'static str {
    match rank {
        Rank::Executed => "executed",
        Rank::Generated => "generated",
        Rank::Written => "written by hand",
        Rank::Documented => "documented",
    }
}

fn document(checks: &[CrossCheck]) -> Value {
    let checks: Vec<Value> = checks
        .iter()
        .map(|check| {
            let findings: Vec<Value> = (check.report.findings.iter().zip(&check.also))
                .map(|(finding, also)| {
                    let mut value = json!(finding);
                    value["also"] = json!(also);
                    value
                })
                .collect();
            json!({
                "first": check.first,
                "second": check.second,
                "better": check.better,
                "why": check.why,
                "verdict": check.report.verdict,
                "findings": findings,
                "left_out": check.left_out,
                "unresolved": check.report.unresolved,
                "degraded": check.report.degraded,
                "doubts": check.report.doubts,
            })
        })
        .collect();
    json!({"schema_version": 1, "cross_check": true, "checks": checks})
}

/// One SARIF log with a run for each check.
fn one_log(checks: &[CrossCheck]) -> anyhow::Result<String> {
    let mut log = Value::Null;
    for check in checks {
        let mut one: Value = serde_json::from_str(&sarif::render(&step(check), env!("CARGO_PKG_VERSION"))?)?;
        if log.is_null() {
            log = one;
        } else if let (Some(runs), Some(more)) = (log["runs"].as_array_mut(), one["runs"].as_array_mut()) {
            runs.append(more);
        }
    }
    Ok(serde_json::to_string_pretty(&log)?)
}
