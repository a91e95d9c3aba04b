//! `probes/ID/`.

use std::collections::BTreeSet;

use crate::records::{ExpectedMinEvents, HostStep, ProbeDefinition, ProbeTask};
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

pub(super) fn check(probe: &ProbeDefinition, teller: &mut Teller<'_>, index: &Index) {
    let folder = format!("probes/{}", probe.id);
    if teller.file() != format!("{folder}/probe.json") {
        teller.error("PRB020", "/id", probe.id.as_str(), "the name of the folder");
        return;
    }
    if probe.task != ProbeTask::Command && !index.has(&format!("{folder}/prompt.md")) {
        teller.error("PRB021", "/task", probe.task.word(), format!("{folder}/prompt.md"));
    }
    if !index.has(&format!("{folder}/expected-min-events.json")) && !index.has(&format!("{folder}/env-policy.json")) {
        teller.error(
            "PRB022",
            "",
            "neither",
            format!("{folder}/expected-min-events.json or env-policy.json"),
        );
    }
    for (at, step) in probe.steps.iter().enumerate() {
        let HostStep::SendPrompt { file, attach, .. } = step else {
            continue;
        };
        let own = file.iter().map(|name| ("file", format!("{folder}/{name}")));
        let attached = attach
            .iter()
            .map(|name| ("attach", format!("{folder}/fixture-files/{name}")));
        for (member, path) in own.chain(attached) {
            if !index.has(&path) {
                teller.error("PRB024", format!("/steps/{at}/{member}"), "nothing", path);
            }
        }
    }
}

pub(super) fn check_expected(expected: &ExpectedMinEvents, teller: &mut Teller<'_>) {
    for (at, meaning) in expected.optional.iter().enumerate() {
        if expected.must_see.contains(meaning) {
            teller.error(
                "PRB026",
                format!("/optional/{at}"),
                meaning.word(),
                "a meaning that is not in `must_see`",
            );
        }
    }
}

pub(super) fn across(index: &Index) -> Vec<Problem> {
    let below = index.files.range("probes/".to_owned().."probes0".to_owned());
    let folders: BTreeSet<&str> = below.filter_map(|(path, _)| path.split('/').nth(1)).collect();
    let mut problems = Vec::new();
    for folder in folders {
        let file = format!("probes/{folder}/probe.json");
        if !index.has(&file) {
            let mut teller = Teller::new(&file);
            teller.error("PRB023", "", "nothing", &file);
            problems.extend(teller.into_problems());
        }
    }
    problems
}
