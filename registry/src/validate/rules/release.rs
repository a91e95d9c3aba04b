//! `registry/releases/AGENT.json`.

use std::collections::BTreeSet;

use crate::places;
use crate::release::ReleaseFile;
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

pub(super) fn check(releases: &ReleaseFile, teller: &mut Teller<'_>) {
    let place = places::releases(&releases.agent);
    if teller.file() != place {
        teller.error("REL020", "/agent", &releases.agent, place);
    }
    let mut seen = BTreeSet::new();
    for (at, release) in releases.releases.iter().enumerate() {
        if !seen.insert(&release.version) {
            teller.error(
                "REL022",
                format!("/releases/{at}/version"),
                &release.version,
                "each version once",
            );
        }
    }
}

pub(super) fn across(index: &Index) -> Vec<Problem> {
    let mut problems = Vec::new();
    for agent in index.releases.keys() {
        if index.agent(agent).is_err() {
            let file = places::releases(agent);
            let mut teller = Teller::new(&file);
            teller.error("REL021", "/agent", agent, "an agent of registry/agents.json");
            problems.extend(teller.into_problems());
        }
    }
    problems
}
