//! `agents list` and `agents show`.

use agent_contracts_config::AgentDef;
use agent_contracts_config::agent::{Channel, ScanSource};
use agent_contracts_config::standing::{field_value, standings};

use crate::cli::{AgentsVerb, Common, Format};
use crate::context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

pub(crate) fn run(common: &Common, verb: &AgentsVerb) -> Outcome {
    let agents = context::agents(common)?;
    match verb {
        AgentsVerb::List => {
            let all: Vec<&AgentDef> = agents.iter().collect();
            if common.format() == Format::Json {
                output::json(&agent_contracts_config::agents_json::agents_file(&agents))?;
            } else {
                output::text(&list(&all))?;
            }
        }
        AgentsVerb::Show { id } => {
            let agent = agents.get(id).map_err(Failure::usage)?;
            if common.format() == Format::Json {
                output::json(agent)?;
            } else {
                output::text(&show(agent))?;
            }
        }
    }
    Ok(Exit::Done)
}

fn list(agents: &[&AgentDef]) -> String {
    let rows = agents.iter().map(|agent| {
        let channels: Vec<String> = agent.channels.iter().map(Channel::label).collect();
        let mut sources: Vec<String> = agent.sources.iter().map(ScanSource::label).collect();
        sources.dedup();
        let tier = if agent.scan_only {
            "scan only".to_owned()
        } else {
            agent.tier.to_string()
        };
        let name = agent.name.clone();
        [
            agent.id.clone(),
            name,
            tier,
            agent.families.join("\n"),
            channels.join("\n"),
            sources.join("\n"),
        ]
    });
    output::table(["agent", "name", "tier", "families", "channels", "sources"], rows)
}

/// Each field with what it rests on.
fn show(agent: &AgentDef) -> String {
    let tier = if agent.scan_only {
        "scan only".to_owned()
    } else {
        format!("tier {}", agent.tier)
    };
    let rows = standings(agent).into_iter().map(|standing| {
        let value = field_value(agent, &standing.field).map_or_else(String::new, |value| value.to_string());
        let rests_on = match (standing.how, standing.with) {
            (Some(how), Some(with)) => format!("{}: {with}", how.words()),
            (Some(how), None) => how.words().to_owned(),
            (None, _) => "declared".to_owned(),
        };
        [standing.field, value, rests_on]
    });
    let mut text = format!("{} ({}), {tier}\n\n", agent.name, agent.id);
    text.push_str(&output::table(["field", "value", "rests on"], rows));
    if !agent.missing.is_empty() {
        text.push_str("\nnot covered:\n");
        for missing in &agent.missing {
            text.push_str("- ");
            text.push_str(missing);
            text.push('\n');
        }
    }
    text
}
