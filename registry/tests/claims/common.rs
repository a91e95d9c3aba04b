//! What the tests of claims share.

use std::sync::LazyLock;

use agent_contracts_config::Agents;
use agent_contracts_config::agent::SupportDef;
use agent_contracts_config::agents_json::{AgentsFile, agents_file};
use agent_contracts_registry::matrix::Records;
use agent_contracts_registry::promotion::{self, Refusal, Request, Selection, Signer};
use agent_contracts_registry::records::AttestedBy;
use agent_contracts_registry::testing::{Run, decided, records};

/// The agents that are built in, with no policy but that of codex.
pub(crate) fn agents() -> AgentsFile {
    static AGENTS: LazyLock<AgentsFile> = LazyLock::new(read);
    AGENTS.clone()
}

fn read() -> AgentsFile {
    let mut file = agents_file(&Agents::embedded().unwrap());
    for agent in &mut file.agents {
        if agent.id != "codex" {
            agent.support = SupportDef::default();
        }
    }
    file
}

/// A tree with these runs, and another policy for codex.
pub(crate) fn with_policy(runs: &[Run], change: impl Fn(&mut SupportDef)) -> Records {
    let mut file = agents();
    for agent in &mut file.agents {
        if agent.id == "codex" {
            change(&mut agent.support);
        }
    }
    records(&file, runs)
}

/// Codex without the floor of its file and without bridges.
pub(crate) fn plain(runs: &[Run]) -> Records {
    with_policy(runs, |support| *support = SupportDef::default())
}

/// Everything of one version.
pub(crate) fn of(version: &str) -> Selection {
    Selection {
        version: Some(version.parse().unwrap()),
        ..Selection::default()
    }
}

pub(crate) fn signer(at: &str) -> Signer {
    Signer {
        by: "octocat".parse().unwrap(),
        role: AttestedBy::Maintainer,
        at: at.parse().unwrap(),
        tool_version: "0.1.0".parse().unwrap(),
        redaction_checked: true,
        reason: "a test".parse().unwrap(),
        url: None,
        statement: None,
    }
}

/// Decides about codex and keeps the decision; gives its path.
pub(crate) fn decide(records: &mut Records, at: &str, request: &Request) -> Result<String, Vec<Refusal>> {
    let promotion = promotion::decide(records, &"codex".parse().unwrap(), request, &signer(at))?;
    let decided = decided(promotion);
    let path = decided.path.to_string();
    records.decisions.push(decided);
    Ok(path)
}
