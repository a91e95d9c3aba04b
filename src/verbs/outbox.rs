//! `outbox list` and `outbox show`: what was, or would be, told.

use agent_contracts_registry::OutboxEntry;
use agent_contracts_source_evidence::summary;

use crate::cli::{Common, Format, OutboxVerb};
use crate::context;
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

/// Digits of a fingerprint that are shown and may be typed.
const DIGITS: usize = 8;

pub(crate) fn run(common: &Common, verb: &OutboxVerb) -> Outcome {
    let store = context::store(common)?;
    let entries = store.outbox()?;
    match verb {
        OutboxVerb::List if common.format() == Format::Json => output::json(&entries)?,
        OutboxVerb::List => {
            let rows = entries.iter().map(|entry| {
                [
                    digits(entry).to_owned(),
                    entry.kind.word().to_owned(),
                    entry.agent.clone(),
                    entry.subject.clone(),
                    summary::word(entry.severity).to_owned(),
                    state(entry),
                    entry.title.clone(),
                ]
            });
            output::text(&output::table(
                ["id", "kind", "agent", "version", "severity", "state", "title"],
                rows,
            ))?;
        }
        OutboxVerb::Show { id } => {
            let entry = find(&entries, id)?;
            if common.format() == Format::Json {
                output::json(entry)?;
            } else {
                for text in [&entry.issue.path, &entry.card.path] {
                    let bytes = store.read(text)?.unwrap_or_default();
                    output::text(&format!("--- {text}\n{}", String::from_utf8_lossy(&bytes)))?;
                }
            }
        }
    }
    Ok(Exit::Done)
}

fn digits(entry: &OutboxEntry) -> &str {
    let hash = entry.fingerprint.trim_start_matches("sha256:");
    hash.get(..DIGITS).unwrap_or(hash)
}

/// As the record writes it.
fn state(entry: &OutboxEntry) -> String {
    serde_json::to_value(entry.state)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn find<'e>(entries: &'e [OutboxEntry], id: &str) -> Result<&'e OutboxEntry, Failure> {
    let wanted = id.trim_start_matches("sha256:");
    let mut matching = entries
        .iter()
        .filter(|entry| !wanted.is_empty() && entry.fingerprint.trim_start_matches("sha256:").starts_with(wanted));
    match (matching.next(), matching.next()) {
        (Some(entry), None) => Ok(entry),
        (Some(_), Some(_)) => Err(Failure::usage_text(format!(
            "more than one alert starts with `{id}`; give more digits"
        ))),
        (None, _) => Err(Failure::usage_text(format!(
            "no alert starts with `{id}`\nhint: `agent-contracts outbox list` lists them"
        ))),
    }
}
