//! `reports/alerts/`.

use agent_contracts_wire::canonical;

use crate::records::AlertReceipt;
use crate::store::Store;
use crate::validate::index::Index;
use crate::validate::problem::{Problem, Teller};

pub(super) fn check_receipt(receipt: &AlertReceipt, teller: &mut Teller<'_>) {
    let place = receipt.place();
    if teller.file() != place {
        teller.error("RCP021", "", teller.file(), place);
    }
}

pub(super) fn across(index: &Index, store: &Store) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (file, alert) in &index.alerts {
        let mut teller = Teller::new(file);
        if index.agent(&alert.agent).is_err() {
            teller.error("ALT021", "/agent", &alert.agent, "an agent of registry/agents.json");
        }
        let place = alert.place();
        if *file != place {
            teller.error("ALT022", "", file, place);
        }
        for (name, text) in [("issue", &alert.issue), ("card", &alert.card)] {
            let found = store
                .read(&text.path)
                .ok()
                .flatten()
                .map(|bytes| canonical::sha256(&bytes));
            if found.as_ref() != Some(&text.sha256) {
                teller.error(
                    "ALT020",
                    format!("/{name}/sha256"),
                    &text.sha256,
                    found.unwrap_or_else(|| format!("the file {}", text.path)),
                );
            }
        }
        for (at, path) in alert.evidence.iter().enumerate() {
            if !index.has(path) {
                teller.error("ALT023", format!("/evidence/{at}"), "nothing", path);
            }
        }
        problems.extend(teller.into_problems());
    }
    for file in index
        .files
        .keys()
        .filter(|file| file.starts_with("reports/alerts/") && file.ends_with(".receipt.json"))
    {
        // STEM.SINK.receipt.json is of STEM.entry.json.
        let stem = file
            .strip_suffix(".receipt.json")
            .and_then(|rest| rest.rsplit_once('.'))
            .map_or("", |(stem, _)| stem);
        let entry = format!("{stem}.entry.json");
        if !index.has(&entry) {
            let mut teller = Teller::new(file);
            teller.error("RCP020", "", "nothing", entry);
            problems.extend(teller.into_problems());
        }
    }
    problems
}
