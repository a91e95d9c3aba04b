//! `promote`: decisions about observations. Reads, decides and writes under the lock of the tree, so that of two at once
//! the second sees what the first did.

use agent_contracts_config::agents_json::agents_file;
use agent_contracts_registry::matrix::Records;
use agent_contracts_registry::promotion::{self, Refusal, Request, Selection, Signer};
use agent_contracts_registry::records::{AttestedBy, PromotedLevel, Promotion, VariantStatus};
use agent_contracts_registry::{Put, Written};
use agent_contracts_wire::formats::{AgentId, CliVersion};
use serde_json::json;

use super::matrix::split;
use crate::cli::{Common, Format, PromoteArgs, To};
use crate::context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

pub(crate) fn run(common: &Common, args: &PromoteArgs) -> Outcome {
    let store = context::store(common)?;
    let writer = store.lock()?;
    let mut records = store.claim_records()?;
    if records.agents.is_none() {
        // Without the policies no claim can follow from a decision.
        let agents = agents_file(&context::agents(common)?);
        writer.put_agents(&agents)?;
        records.agents = Some(agents);
    }
    let (agent, version) = target(common, args, &records)?;
    let request = request(args, version)?;
    let signer = signer(args)?;
    match promotion::decide(&records, &agent, &request, &signer) {
        Ok(promotion) => {
            let put = writer.put_promotion(&promotion)?;
            let (_, mut puts) = writer.put_matrix()?;
            puts.insert(0, put);
            done(common, &promotion, &puts)
        }
        Err(refusals) => refused(common, &refusals),
    }
}

fn done(common: &Common, promotion: &Promotion, puts: &[Put]) -> Outcome {
    let changed: Vec<&str> = puts
        .iter()
        .filter(|put| put.written != Written::Same)
        .map(|put| put.path.as_str())
        .collect();
    if common.format() == Format::Json {
        output::json(&json!({
            "schema_version": 1,
            "decided": true,
            "path": puts[0].path,
            "promotion": promotion,
            "changed": changed,
        }))?;
    } else {
        output::text(&format!("decided: {}\n{}", puts[0].path, changed[1..].join("\n")))?;
    }
    Ok(Exit::Done)
}

fn refused(common: &Common, refusals: &[Refusal]) -> Outcome {
    if common.format() == Format::Json {
        output::json(&json!({"schema_version": 1, "decided": false, "refusals": refusals}))?;
    } else {
        for refusal in refusals {
            output::note(&format!("refused: {refusal}"));
        }
    }
    Ok(Exit::CheckFailed)
}

/// The agent that is meant, and the version. A decision that is named says the agent itself.
fn target(common: &Common, args: &PromoteArgs, records: &Records) -> Result<(AgentId, Option<CliVersion>), Failure> {
    if let Some(named) = &args.target {
        let (agent, version) = match named.split_once('@') {
            Some(_) => split(named).map(|(agent, version)| (agent, Some(version)))?,
            None => (named.as_str(), None),
        };
        context::agents(common)?.get(agent).map_err(Failure::usage)?;
        return Ok((agent.parse().map_err(Failure::usage)?, version));
    }
    let id = args.undo.as_ref().or(args.clear.as_ref()).map_or("", String::as_str);
    let mut agents: Vec<&AgentId> = records
        .decisions
        .iter()
        .filter(|decided| {
            let name = decided.path.as_str();
            name == id || name.contains(&format!("Z.{id}"))
        })
        .map(|decided| &decided.record.agent)
        .collect();
    agents.sort();
    agents.dedup();
    match agents.as_slice() {
        [agent] => Ok(((*agent).clone(), None)),
        [] => Err(Failure::usage_text(format!(
            "`{id}` is no decision of the tree\nhint: name a file of registry/promotions, or the eight digits in its name"
        ))),
        _ => Err(Failure::usage_text(format!(
            "`{id}` may be a decision about several agents\nhint: write the agent before it, or the whole file"
        ))),
    }
}

fn request(args: &PromoteArgs, version: Option<CliVersion>) -> Result<Request, Failure> {
    let of = Selection {
        version,
        shape: args.shape.clone(),
        probe: args.probe.clone(),
        family: args.family,
        platform: args.platform,
        files: args.observation.clone(),
    };
    if let Some(decision) = &args.undo {
        return Ok(Request::Undo {
            decision: decision.clone(),
        });
    }
    if let Some(decision) = &args.clear {
        return Ok(Request::Clear {
            decision: decision.clone(),
            shape: args.shape.clone().unwrap_or_default(),
        });
    }
    let raise = |to| Request::Raise {
        to,
        of: of.clone(),
        reproduction: args.reproduction.clone(),
    };
    let platforms = args.platform.into_iter().collect();
    Ok(match args.to.unwrap_or(To::Confirmed) {
        To::Confirmed => raise(PromotedLevel::Confirmed),
        To::CommunityConfirmed => raise(PromotedLevel::CommunityConfirmed),
        To::ServerVariant => Request::Variants {
            of,
            statuses: args
                .variant
                .iter()
                .map(|text| variant(text))
                .collect::<Result<_, _>>()?,
            platforms,
        },
        to @ (To::KnownBreaking | To::KnownBreakingShape) => {
            let breaks = args.breaks.clone();
            Request::Breaks {
                of,
                shape_alone: to == To::KnownBreakingShape,
                versions: args.versions.clone(),
                platforms,
                breaks: breaks.ok_or_else(|| Failure::usage_text("what breaks?\nhint: say it with --breaks"))?,
                links: args.evidence.clone(),
            }
        }
    })
}

fn variant(text: &str) -> Result<(String, VariantStatus), Failure> {
    let read = text.split_once('=').and_then(|(digits, word)| {
        let status = VariantStatus::ALL.iter().find(|status| status.word() == word)?;
        Some((digits.to_owned(), *status))
    });
    read.ok_or_else(|| {
        let words: Vec<&str> = VariantStatus::ALL.iter().map(|status| status.word()).collect();
        Failure::usage_text(format!(
            "`{text}` is no DIGITS=STATUS\nhint: the statuses are {}",
            words.join(", ")
        ))
    })
}

fn signer(args: &PromoteArgs) -> Result<Signer, Failure> {
    Ok(Signer {
        by: args.by.clone(),
        role: if args.contributor {
            AttestedBy::Contributor
        } else {
            AttestedBy::Maintainer
        },
        at: args.now.clone().map_or_else(context::now, Ok)?,
        tool_version: env!("CARGO_PKG_VERSION").parse()?,
        redaction_checked: args.redaction_checked,
        reason: args.why.clone(),
        url: args.url.clone(),
        statement: args.statement.clone(),
    })
}
