//! `--profile FILE`: the profile of one consumer, read and held against the protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use agent_contracts_config::nearest;
use agent_contracts_scanner::Models;
use agent_contracts_shapes::{Validity, derive};
use agent_contracts_source_evidence::Profile;
use agent_contracts_source_evidence::consumer::UnknownName;
use agent_contracts_wire::{DiffOptions, Family};

use crate::failure::Failure;
use crate::output;

/// Reads a profile: JSON where it begins with a brace, else TOML.
pub(crate) fn read(path: &Path) -> Result<Profile, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::usage_text(format!(
            "the profile {shown} cannot be read: {error}\nhint: name a file that exists"
        ))
    })?;
    let read = if text.trim_start().starts_with('{') {
        serde_json::from_str(&text).map_err(|error| error.to_string())
    } else {
        toml::from_str(&text).map_err(|error| error.to_string())
    };
    let profile: Profile = read.map_err(|error| {
        Failure::usage_text(format!(
            "the profile {shown} is none: {}\nhint: it has `name`, and `reads` with a list of paths by event",
            error.trim_end()
        ))
    })?;
    if profile.reads.is_empty() && profile.sends.is_empty() && profile.flags.is_empty() {
        return Err(Failure::usage_text(format!(
            "the profile {shown} names nothing that is read, sent or passed\nhint: give `reads`, `sends` or `flags`"
        )));
    }
    Ok(profile)
}

/// The names of a profile that neither version has, each told with the nearest that there is.
pub(crate) fn unknown(
    profile: &Profile,
    models: &Models,
    options: &DiffOptions,
    family: Option<&str>,
) -> Result<Vec<UnknownName>, Failure> {
    let family = family.and_then(Family::of).or_else(|| Family::of("scan-only/v1"));
    let Some(family) = family else { return Ok(Vec::new()) };
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for model in [&models.from, &models.to] {
        let derived = derive(model, options, family, Validity::SourceDerived).map_err(anyhow::Error::from)?;
        for frame in derived.shape.frame_shapes {
            let paths = known.entry(frame.event_type).or_default();
            paths.extend(frame.paths.into_iter().map(|path| path.path));
        }
    }
    let unknown = profile.unknown(&known);
    for one in &unknown {
        let (what, near) = if let Some(path) = &one.path {
            let paths = known.iter().filter(|(event, _)| event.starts_with(bare(&one.event)));
            let near = nearest(path, paths.flat_map(|(_, paths)| paths.iter().map(String::as_str)));
            (format!("`{path}` of `{}`", one.event), near)
        } else {
            let near = nearest(&one.event, known.keys().map(String::as_str));
            (format!("`{}`", one.event), near)
        };
        let meant = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        output::note(&format!(
            "the profile {} names {what}, which neither version has{meant}",
            profile.name
        ));
    }
    Ok(unknown)
}

fn bare(event: &str) -> &str {
    event.split_once('[').map_or(event, |(event, _)| event)
}
