//! What `scan --all` and `history` share: every source of an agent, walked through all of its versions.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use agent_contracts_config::AgentDef;
use agent_contracts_config::agent::{Follows, ScanSource, SourceKind};
use agent_contracts_registry::history::{Unread, VersionState};
use agent_contracts_registry::{ReleaseFile, places};
use agent_contracts_scanner::Walked;

use super::scan::failure;
use crate::cli::Common;
use crate::context::{self, Context};
use crate::failure::{Exit, Failure};
use crate::output;
use crate::pipeline::progress::Bar;

/// An agent whose sources were walked.
pub(crate) struct Lines {
    pub(crate) agent: Arc<AgentDef>,
    /// In the order of the agent's file.
    pub(crate) walked: Vec<Walked>,
    pub(crate) unread: Vec<Unread>,
}

impl Lines {
    /// With `--strict` what could not be reached is told by the exit code.
    pub(crate) fn exit(&self, common: &Common) -> Exit {
        let points = self.walked.iter().flat_map(|walked| &walked.line.versions);
        let lost = points.into_iter().any(|point| point.state == VersionState::Failed);
        if common.strict && (lost || !self.unread.is_empty()) {
            Exit::Unreached
        } else {
            Exit::Done
        }
    }
}

/// Walks every source of an agent; with `repo`, those that lie in its first repository, in that clone.
pub(crate) async fn walk(common: &Common, id: &str, repo: Option<&Path>, flags: bool) -> Result<Lines, Failure> {
    let context = Context::new(common)?;
    let agent = Arc::clone(&context.chosen(&[id.to_owned()])?[0]);
    let first_repository = agent.sources.iter().find(|source| source.kind == SourceKind::Git);
    let in_clone = |source: &&ScanSource| {
        repo.is_none()
            || first_repository.is_some_and(|first| first.kind == source.kind && first.location == source.location)
    };
    let read = |source: &&ScanSource| {
        if flags {
            !source.flags.is_empty()
        } else {
            !source.eras.is_empty()
        }
    };
    let sources: Vec<&ScanSource> = agent.sources.iter().filter(in_clone).filter(read).collect();
    if sources.is_empty() {
        return Err(Failure::usage_text(format!(
            "{} has no source of that kind\nhint: `agent-contracts agents show {id}` lists its sources",
            agent.name
        )));
    }
    let releases: Option<ReleaseFile> = context::store(common)?.read_json(&places::releases(&agent.id))?;
    let (mut walked, mut unread, mut last) = (Vec::new(), Vec::new(), None);
    for source in sources {
        let days = releases.as_ref().map_or_else(BTreeMap::new, |file| days(file, source));
        let bar = Bar::new("steps", 0);
        let told = |done: usize, all: usize| bar.at(done, all, &source.label());
        match context.scanner.walk(&agent, source, repo, flags, &days, &told).await {
            Ok(one) => walked.push(one),
            Err(error) => {
                output::note(&format!("{}: {error}", source.label()));
                unread.push(Unread {
                    source: source.label(),
                    why: error.to_string().lines().next().unwrap_or_default().to_owned(),
                });
                last = Some(error);
            }
        }
        bar.end();
    }
    match last {
        Some(error) if walked.is_empty() => Err(failure(error)),
        _ => Ok(Lines { agent, walked, unread }),
    }
}

/// The days on which versions of a source came out, as far as the tree knows.
fn days(releases: &ReleaseFile, source: &ScanSource) -> BTreeMap<String, String> {
    let label = source.label();
    let of_release = releases.releases.iter().filter_map(|release| {
        let own = release
            .channels
            .get(&label)
            .and_then(|channel| channel.published_at.as_ref());
        let any = || {
            let all = release
                .channels
                .values()
                .filter_map(|channel| channel.published_at.as_ref());
            all.min().filter(|_| source.follows == Follows::Agent)
        };
        let day = own.or_else(any)?.get(..10)?;
        Some((release.version.clone(), day.to_owned()))
    });
    of_release.collect()
}
