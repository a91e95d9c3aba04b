//! `errors/AGENT/….error.json`.

use std::collections::HashSet;

use crate::records::ProbeOutcome;
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

pub(super) fn across(index: &Index) -> Vec<Problem> {
    let raw: HashSet<&str> = if index.errors.is_empty() {
        HashSet::new()
    } else {
        index.observations.iter().map(|one| one.raw.as_str()).collect()
    };
    let mut problems = Vec::new();
    for (file, case) in &index.errors {
        let mut teller = Teller::new(file);
        if index.agent(case.agent.as_str()).is_err() {
            teller.error(
                "ERR020",
                "/agent",
                case.agent.as_str(),
                "an agent of registry/agents.json",
            );
        }
        let about_failure = index
            .probes
            .get(case.probe.as_str())
            .is_some_and(|probe| probe.outcome != ProbeOutcome::Success);
        if !about_failure {
            teller.error(
                "ERR021",
                "/probe",
                case.probe.as_str(),
                "a probe whose outcome is a failure",
            );
        }
        if !raw.contains(case.raw_shape.as_str()) {
            teller.error(
                "ERR022",
                "/raw_shape",
                case.raw_shape.as_str(),
                "the raw transcript of an observation",
            );
        }
        let place = case.place();
        if *file != place {
            teller.error("ERR023", "", file, place);
        }
        problems.extend(teller.into_problems());
    }
    problems
}
