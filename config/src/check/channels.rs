//! Channels name something that can be asked.

use crate::agent::{AgentDef, Channel, SourceKind};
use crate::toml_file::{Doc, Problem, Step, at};

pub(super) fn check(agent: &AgentDef, doc: &Doc<'_>, problems: &mut Vec<Problem>) {
    for (i, channel) in agent.channels.iter().enumerate() {
        match channel {
            Channel::GithubReleases { repo, .. } | Channel::GithubTags { repo, .. } => {
                repository(doc, &at!["channels", i, "repo"], repo, problems);
            }
            Channel::Endpoint { url, pointer, pattern } => {
                if !url.starts_with("https://") {
                    problems.push(doc.problem(
                        &at!["channels", i, "url"],
                        format!("`{url}` is no https address"),
                        Some("for a stand-in, set the endpoint in the bot's settings".to_owned()),
                    ));
                }
                if pointer.is_some() == pattern.is_some() {
                    problems.push(doc.problem(
                        &at!["channels", i],
                        "an endpoint needs either `pointer` or `pattern`",
                        Some("`pointer = \"/version\"` for JSON, `pattern = '(?P<version>…)'` for text".to_owned()),
                    ));
                }
                if let Some(pointer) = pointer
                    .as_ref()
                    .filter(|pointer| !pointer.is_empty() && !pointer.starts_with('/'))
                {
                    problems.push(doc.problem(
                        &at!["channels", i, "pointer"],
                        format!("`{pointer}` is no JSON pointer"),
                        Some(format!(
                            "write `/{}`",
                            pointer.trim_start_matches('.').replace('.', "/")
                        )),
                    ));
                }
            }
            _ => {}
        }
        if agent.channels[..i]
            .iter()
            .any(|earlier| earlier.label() == channel.label())
        {
            problems.push(doc.problem(
                &at!["channels", i],
                format!("channel `{}` stands here twice", channel.label()),
                Some("take one away".to_owned()),
            ));
        }
    }
    for (i, source) in agent.sources.iter().enumerate() {
        if source.kind == SourceKind::Git {
            repository(doc, &at!["sources", i, "location"], &source.location, problems);
        }
    }
}

fn repository(doc: &Doc<'_>, place: &[Step], repo: &str, problems: &mut Vec<Problem>) {
    let mut parts = repo.split('/');
    let named = |part: Option<&str>| part.is_some_and(|part| !part.is_empty() && !part.contains(char::is_whitespace));
    if !(named(parts.next()) && named(parts.next()) && parts.next().is_none()) {
        problems.push(doc.problem(
            place,
            format!("`{repo}` is not `owner/name`"),
            Some("as in `openai/codex`; other hosts are not supported".to_owned()),
        ));
    }
}
