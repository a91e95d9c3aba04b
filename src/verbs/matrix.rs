//! `matrix`: makes the public claims from the records, checks them, explains them, and asks whether they are fresh.

use agent_contracts_config::agents_json::agents_file;
use agent_contracts_registry::matrix::{Explanation, Gate, Records, explain, gate, generate};
use agent_contracts_registry::records::SupportMatrix;
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::{Store, Written, places};
use agent_contracts_wire::formats::CliVersion;
use serde_json::json;

use crate::cli::{Common, Format, MatrixArgs};
use crate::context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

pub(crate) fn run(common: &Common, args: &MatrixArgs) -> Outcome {
    let store = context::store(common)?;
    if args.check {
        check(common, &store)
    } else if let Some(named) = &args.explain {
        let records = records(common, &store)?;
        let (agent, version) = split(named)?;
        context::agents(common)?.get(agent).map_err(Failure::usage)?;
        let explanation = explain(&records, &generate(&records), agent, &version);
        match common.format() {
            Format::Json => output::json(&explanation)?,
            _ => output::text(&in_words(&explanation))?,
        }
        Ok(Exit::Done)
    } else if args.release_gate {
        let records = records(common, &store)?;
        let now = args.now.clone().map_or_else(context::now, Ok)?;
        let agents = records.agents.as_ref().ok_or_else(no_agents)?;
        let gate = gate(&generate(&records).matrix, agents, &now);
        match common.format() {
            Format::Json => output::json(&gate)?,
            _ => output::text(&gate_in_words(&gate))?,
        }
        Ok(if gate.passed { Exit::Done } else { Exit::CheckFailed })
    } else {
        write(common, &store)
    }
}

fn no_agents() -> Failure {
    Failure::usage_text("the tree has no registry/agents.json\nhint: `agent-contracts matrix` writes it")
}

/// The records of the tree; where it has no list of agents yet, that of the agents' files.
fn records(common: &Common, store: &Store) -> Result<Records, Failure> {
    let mut records = store.claim_records()?;
    if records.agents.is_none() {
        records.agents = Some(agents_file(&context::agents(common)?));
    }
    Ok(records)
}

fn write(common: &Common, store: &Store) -> Outcome {
    let agents = agents_file(&context::agents(common)?);
    let writer = store.lock()?;
    let mut puts = vec![writer.put_agents(&agents)?];
    let (matrix, more) = writer.put_matrix()?;
    puts.extend(more);
    for ignored in generate(&store.claim_records()?).ignored {
        output::note(&format!("{} is not followed: {}", ignored.path, ignored.why.join("; ")));
    }
    let changed = puts.iter().filter(|put| put.written != Written::Same);
    let changed: Vec<&str> = changed.map(|put| put.path.as_str()).collect();
    if common.format() == Format::Json {
        output::json(&json!({
            "schema_version": 1,
            "generated_at": matrix.generated_at,
            "entries": matrix.agents.len(),
            "changed": changed,
        }))?;
    } else {
        let what = if changed.is_empty() {
            "nothing changed".to_owned()
        } else {
            changed.join(", ")
        };
        output::text(&format!("{}\n{what}", counted(&matrix)))?;
    }
    Ok(Exit::Done)
}

fn counted(matrix: &SupportMatrix) -> String {
    let claims = matrix.agents.iter().filter(|entry| entry.support_status.is_support());
    let agents: std::collections::BTreeSet<&str> = claims.clone().map(|entry| entry.agent.as_str()).collect();
    format!(
        "{} entries, {} of them say that something works, for {} agents; as of {}",
        matrix.agents.len(),
        claims.count(),
        agents.len(),
        matrix.generated_at
    )
}

fn check(common: &Common, store: &Store) -> Outcome {
    let records = records(common, store)?;
    let generated = pretty(&generate(&records).matrix)?;
    let found = match store.read(places::MATRIX)? {
        Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        None => String::new(),
    };
    let same = found == generated;
    let diff = similar::TextDiff::from_lines(&found, &generated);
    let diff = diff
        .unified_diff()
        .header(places::MATRIX, "what the records give")
        .to_string();
    if common.format() == Format::Json {
        output::json(&json!({"schema_version": 1, "current": same, "diff": if same { None } else { Some(diff) }}))?;
    } else if same {
        output::text(&format!("{} is what the records give", places::MATRIX))?;
    } else {
        output::text(&diff)?;
        output::note("the matrix is not the one that the records give\nhint: run `agent-contracts matrix`");
    }
    Ok(if same { Exit::Done } else { Exit::CheckFailed })
}

/// `AGENT@VERSION`, cut at the first `@`: ids of agents have none.
pub(crate) fn split(named: &str) -> Result<(&str, CliVersion), Failure> {
    let wrong = |why: String| {
        Failure::usage_text(format!(
            "`{named}`: {why}\nhint: write AGENT@VERSION, as in codex@0.133.0"
        ))
    };
    let (agent, version) = named
        .split_once('@')
        .ok_or_else(|| wrong("no version is named".to_owned()))?;
    let version = version.parse().map_err(|error| wrong(format!("{error}")))?;
    Ok((agent, version))
}

fn in_words(explanation: &Explanation) -> String {
    let mut text = format!("{} {}\n", explanation.agent, explanation.version);
    let line = |text: &mut String, indent: usize, what: &str| {
        text.push_str(&" ".repeat(indent));
        text.push_str(what);
        text.push('\n');
    };
    if let Some(rule) = &explanation.otherwise {
        line(
            &mut text,
            0,
            &format!("\n{}: {} (rule {})", rule.status, rule.says, rule.id),
        );
    }
    for claim in &explanation.claims {
        let platforms: Vec<&str> = claim.platforms.iter().map(|platform| platform.word()).collect();
        line(
            &mut text,
            0,
            &format!(
                "\n{} in {}, on {}",
                claim.status,
                claim.protocol_family,
                platforms.join(", ")
            ),
        );
        line(&mut text, 2, &format!("rule {}: {}", claim.rule.id, claim.rule.says));
        line(
            &mut text,
            2,
            &format!(
                "range {}, entry {} of {}",
                claim.version_range,
                claim.entry,
                places::MATRIX
            ),
        );
        if let Some(stale) = &claim.stale_after {
            line(&mut text, 2, &format!("stale after {stale}"));
        }
        for seen in &claim.observations {
            let provider = seen.provider.map_or("no provider named", |provider| provider.word());
            line(&mut text, 2, &format!("observation {}", seen.path));
            let what = format!(
                "{} {} {}, {} on {}, {}, {provider}",
                seen.cli_version, seen.probe, seen.shape, seen.level, seen.runner, seen.captured_at
            );
            line(&mut text, 4, &what);
        }
        for decision in &claim.decisions {
            line(&mut text, 2, &format!("decision {}", decision.path));
            line(
                &mut text,
                4,
                &format!("by {}, {}: {}", decision.by, decision.decided_at, decision.reason),
            );
        }
        for note in &claim.notes {
            line(&mut text, 2, &format!("note {note}"));
        }
    }
    for one in &explanation.not_counted {
        line(&mut text, 0, &format!("\nnot counted: {}: {}", one.path, one.why));
    }
    for one in &explanation.ignored {
        line(
            &mut text,
            0,
            &format!("\nnot followed: {}: {}", one.path, one.why.join("; ")),
        );
    }
    line(&mut text, 0, &format!("\nmade from {}", explanation.files.join(", ")));
    text
}

fn gate_in_words(gate: &Gate) -> String {
    let rows = gate.asked.iter().map(|one| {
        let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
        [
            one.tier.to_string(),
            one.agent.clone(),
            one.protocol_family.clone(),
            one.verdict.word().to_owned(),
            or_dash(one.latest_verified.as_ref().map(AsRef::as_ref)),
            or_dash(one.stale_after.as_ref().map(AsRef::as_ref)),
            one.why.clone(),
        ]
    });
    let table = output::table(
        [
            "tier",
            "agent",
            "family",
            "claim",
            "verified",
            "stale after",
            "what to do",
        ],
        rows,
    );
    let failing = gate.asked.iter().filter(|one| one.fails).count();
    let verdict = match failing {
        0 => format!("passed for {}", gate.now),
        count => format!("failed for {}: {count} claims of tier 0 are stale or missing", gate.now),
    };
    format!("{table}\n{verdict}")
}
