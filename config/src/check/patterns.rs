//! Regular expressions compile, and have the group `version` where a version is read with them.

use regex::Regex;

use crate::agent::{AgentDef, Channel};
use crate::toml_file::{Doc, Problem, Step, at};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    let mut pattern = |place: &[Step], text: Option<&String>, needs_version: bool| {
        if let Some(text) = text {
            one(doc, place, text, needs_version, problems);
        }
    };
    pattern(&at!["version", "pattern"], agent.version.pattern.as_ref(), true);
    pattern(&at!["version", "tag_pattern"], agent.version.tag_pattern.as_ref(), true);
    pattern(&at!["version", "prerelease"], agent.version.prerelease.as_ref(), false);
    if let Some(policy) = &agent.version.policy {
        pattern(&at!["version", "policy", "accepts"], policy.accepts.as_ref(), false);
    }
    for (i, source) in agent.sources.iter().enumerate() {
        pattern(&at!["sources", i, "tag_pattern"], source.tag_pattern.as_ref(), true);
    }
    for (i, channel) in agent.channels.iter().enumerate() {
        if let Channel::Endpoint { pattern: text, .. } = channel {
            pattern(&at!["channels", i, "pattern"], text.as_ref(), true);
        }
    }
}

fn one(doc: &Doc<'_>, place: &[Step], text: &str, needs_version: bool, problems: &mut Vec<Problem>) {
    match Regex::new(text) {
        Err(error) => problems.push(doc.problem(
            place,
            format!("`{text}` is no regular expression: {}", reason(&error)),
            Some("in TOML, write it in single quotes so that backslashes stay".to_owned()),
        )),
        Ok(regex) if needs_version && !regex.capture_names().flatten().any(|name| name == "version") => {
            problems.push(doc.problem(
                place,
                format!("`{text}` has no group `version`"),
                Some("put the version into `(?P<version>…)`".to_owned()),
            ));
        }
        Ok(_) => {}
    }
}

/// The last line of the message; those before it draw the pattern again.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
