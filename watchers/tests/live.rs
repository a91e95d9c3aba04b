//! The real npm, PyPI and crates.io, as the clients of this machine know them. Skipped, with words, only where there is no
//! network. What a mirror leaves out is not judged here.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "a skip is said")]

use std::sync::Arc;

use agent_contracts_config::agent::Channel;
use agent_contracts_config::settings::Watch;
use agent_contracts_config::{AgentDef, Agents};
use agent_contracts_net::{Client, ClientSettings, EndpointSettings, Endpoints, NetError, Surroundings};
use agent_contracts_registry::release::ReleaseFile;
use agent_contracts_watchers::discover::{self, Sight};
use agent_contracts_watchers::{AgentState, Outcome, Watched, pass_all};

/// The agent `id`, with only the channels that `keep` names, passed twice on one state.
async fn watched_twice(id: &str, keep: fn(&Channel) -> bool) -> Option<(Outcome, Outcome)> {
    let mut agent = Agents::embedded().unwrap().get(id).unwrap().clone();
    agent.channels.retain(keep);
    assert!(!agent.channels.is_empty(), "{id} has such a channel");
    passed_twice(agent).await
}

async fn passed_twice(agent: AgentDef) -> Option<(Outcome, Outcome)> {
    let state = tempfile::tempdir().unwrap();
    let client = Client::new(&ClientSettings {
        state: Some(state.path().to_owned()),
        offline: false,
        ..ClientSettings::default()
    })
    .unwrap();
    let endpoints = Endpoints::new(EndpointSettings::default(), Surroundings::of_this_process());
    let mut watched = Watched {
        agent: Arc::new(agent),
        state: AgentState::default(),
        known: ReleaseFile::default(),
        verified: Vec::new(),
        by_name: false,
    };
    let first = pass_all(&client, &endpoints, Watch::default(), vec![watched.clone()], |_| {})
        .await
        .remove(0)
        .unwrap();
    let row = discover::row(&watched.agent, &first.state, &first.releases, &[], Watch::default());
    if let Some(Sight::Missed { why, .. }) = row.channels.first().map(|channel| &channel.sight)
        && why.contains("could not be reached")
    {
        println!("skipped: {why}");
        return None;
    }
    watched.state = first.state.clone();
    watched.known = first.releases.clone();
    let second = pass_all(&client, &endpoints, Watch::default(), vec![watched], |_| {})
        .await
        .remove(0)
        .unwrap();
    Some((first, second))
}

fn assert_calm(first: &Outcome, second: &Outcome) {
    assert!(
        !first
            .events
            .iter()
            .any(|event| event.to_string().contains("new release")),
        "{:?}",
        first.events
    );
    assert_eq!(second.events, [], "nothing is told twice");
    assert_eq!(first.releases, second.releases, "and nothing changes by looking again");
}

#[tokio::test]
async fn npm() {
    let Some((first, second)) = watched_twice("codex", |channel| matches!(channel, Channel::Npm { .. })).await else {
        return;
    };
    assert_calm(&first, &second);
    let releases = &first.releases.releases;
    assert!(releases.len() > 20, "{}", releases.len());
    assert!(
        releases.iter().all(|release| !release.version.contains("linux")),
        "payloads are no releases"
    );
    assert!(
        releases
            .iter()
            .any(|release| release.platforms.contains(&"linux-x64".to_owned()))
    );
    assert!(releases[0].channels["npm:@openai/codex"].published_at.is_some());
}

#[tokio::test]
async fn a_renamed_npm_package() {
    let Some((first, second)) = watched_twice("amp", |channel| matches!(channel, Channel::Npm { .. })).await else {
        return;
    };
    assert_calm(&first, &second);
    assert!(
        first.releases.releases.iter().all(|release| !release.prerelease),
        "every version is a release"
    );
    let labels: std::collections::BTreeSet<_> = first
        .releases
        .releases
        .iter()
        .flat_map(|release| release.channels.keys())
        .collect();
    assert_eq!(labels.len(), 2, "{labels:?}");
}

#[tokio::test]
async fn pypi() {
    let Some((first, second)) = watched_twice("vibe", |channel| matches!(channel, Channel::Pypi { .. })).await else {
        return;
    };
    assert_calm(&first, &second);
    let newest = &first.releases.releases[0];
    assert!(
        newest.channels["pypi:mistral-vibe"].published_at.is_some(),
        "{newest:?}"
    );
}

#[tokio::test]
async fn crates() {
    let mut agent = Agents::embedded().unwrap().get("acp").unwrap().clone();
    agent.channels = vec![Channel::Crates {
        package: "agent-client-protocol".into(),
    }];
    let Some((first, second)) = passed_twice(agent).await else {
        return;
    };
    assert_calm(&first, &second);
    assert!(first.releases.releases.len() > 5);
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let mut agent = Agents::embedded().unwrap().get("codex").unwrap().clone();
    let package = "@agent-contracts/there-is-no-such-package".to_owned();
    agent.channels = vec![Channel::Npm {
        package,
        earlier: vec![],
        platforms: std::collections::BTreeMap::new(),
    }];
    let client = Client::new(&ClientSettings::default()).unwrap();
    let endpoints = Endpoints::new(EndpointSettings::default(), Surroundings::of_this_process());
    let answers = agent_contracts_watchers::poll(
        &client,
        &endpoints,
        Watch::default(),
        &Arc::new(agent),
        &AgentState::default(),
    )
    .await;
    let error = answers[0].result.as_ref().unwrap_err();
    if matches!(error, NetError::Unreachable { .. }) {
        println!("skipped: {error}");
        return;
    }
    assert_eq!(
        error.to_string(),
        "npm:@agent-contracts/there-is-no-such-package: not found"
    );
}
