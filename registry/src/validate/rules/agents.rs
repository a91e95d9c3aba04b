//! `registry/agents.json`.

use std::collections::BTreeSet;

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_wire::Family;
use agent_contracts_wire::family::SCAN_ONLY;

use crate::places;
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

pub(super) fn check(agents: &AgentsFile, teller: &mut Teller<'_>, index: &Index) {
    let mut seen = BTreeSet::new();
    for (at, agent) in agents.agents.iter().enumerate() {
        if !seen.insert(&agent.id) {
            teller.error("AGT020", format!("/agents/{at}/id"), &agent.id, "each agent once");
        }
        let scanned = agent.protocol_families.iter().any(|family| family == SCAN_ONLY);
        if scanned != agent.scan_only {
            teller.error(
                "AGT022",
                format!("/agents/{at}/protocol_families"),
                agent.protocol_families.join(", "),
                format!("`{SCAN_ONLY}` for what is only scanned, and for nothing else"),
            );
        }
        let mut transports: Vec<&str> = agent
            .protocol_families
            .iter()
            .filter_map(|id| Family::of(id))
            .map(|family| family.transport.word())
            .collect();
        transports.sort_unstable();
        transports.dedup();
        if agent.transports != transports {
            let place = format!("/agents/{at}/transports");
            teller.error("AGT023", place, agent.transports.join(", "), transports.join(", "));
        }
        for (probe_at, probe) in agent.minimum_probes.iter().enumerate() {
            if !index.has(&format!("probes/{probe}/probe.json")) {
                teller.error(
                    "PRB025",
                    format!("/agents/{at}/minimum_probes/{probe_at}"),
                    probe,
                    format!("probes/{probe}/probe.json"),
                );
            }
        }
    }
}

pub(super) fn across(index: &Index) -> Vec<Problem> {
    let mut teller = Teller::new(places::AGENTS);
    if index.agents.is_none() && !index.has(places::AGENTS) {
        teller.error("AGT021", "", "nothing", "the list of agents");
    }
    teller.into_problems()
}
