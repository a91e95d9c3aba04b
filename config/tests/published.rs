//! What is made of the files: the list for the public tree, and what is verified.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_config::Agents;
use agent_contracts_config::agent::How;
use agent_contracts_config::agents_json::agents_file;
use agent_contracts_config::standing::{field_value, standings};

#[test]
fn the_public_list_says_what_readers_of_records_need() {
    let agents = Agents::embedded().unwrap_or_else(|error| panic!("{error}"));
    let file = agents_file(&agents);
    assert_eq!(file.agents.len(), agents.len());
    let entry = |id: &str| file.agents.iter().find(|entry| entry.id == id).unwrap();

    let codex = entry("codex");
    assert_eq!((codex.tier, codex.scan_only), (0, false));
    assert_eq!(codex.protocol_families, ["codex-app-server/v1", "json-event-stream/v1"]);
    assert_eq!(codex.transports, ["json-rpc", "jsonl"]);
    assert_eq!(codex.minimum_probes.len(), 9);
    assert_eq!((codex.stale_after_days, entry("amp").stale_after_days), (7, 30));
    assert!(codex.support.bridge && codex.support.oldest.is_some());
    assert!(!entry("claude").support.bridge, "its source is closed");

    let amp = entry("amp");
    assert_eq!(amp.exempt_probes["chat-text-success"], "needs an account of the vendor");

    let acp = entry("acp");
    assert_eq!(
        (acp.transports.as_slice(), acp.minimum_probes.as_slice()),
        (["json".to_owned()].as_slice(), [].as_slice())
    );

    let text = serde_json::to_string(&file).unwrap();
    assert_eq!(
        serde_json::from_str::<agent_contracts_config::agents_json::AgentsFile>(&text).unwrap(),
        file
    );
}

/// The agents of tier 0 are those that the project is judged by.
#[test]
fn tiers_are_those_of_the_design() {
    let agents = Agents::embedded().unwrap();
    let first: Vec<&str> = agents
        .iter()
        .filter(|agent| agent.tier == 0)
        .map(|agent| agent.id.as_str())
        .collect();
    assert_eq!(first, ["claude", "codex", "copilot", "opencode", "pi"]);
    for agent in agents.iter().filter(|agent| agent.tier < 2) {
        assert!(
            !agent.install.is_empty(),
            "{}: is to be captured and cannot be installed",
            agent.id
        );
    }
}

#[test]
fn each_field_says_what_it_rests_on() {
    let agents = Agents::embedded().unwrap();
    let codex = standings(agents.get("codex").unwrap());
    let how = |field: &str| {
        codex
            .iter()
            .find(|it| it.field == field)
            .unwrap_or_else(|| panic!("no field {field}"))
            .how
    };
    assert_eq!(how("version.pattern"), Some(How::Ran));
    assert_eq!(how("version.tag_pattern"), Some(How::Matched));
    assert_eq!(how("invocations.exec"), Some(How::Ran));
    assert_eq!(how("invocations.exec-resume"), Some(How::Documented));
    assert_eq!(how("channels.@openai/codex"), Some(How::Matched));
    assert_eq!(how("profile.floating"), None);
    let channels = field_value(agents.get("codex").unwrap(), "channels.openai/codex").unwrap();
    let kinds: Vec<&str> = channels
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["github-releases", "github-tags"],
        "two channels of one name share a row"
    );
    assert!(
        codex
            .iter()
            .all(|it| it.field != "id" && !it.field.starts_with("verified"))
    );
}

/// A part of a field that was verified does not lift the rest of it.
#[test]
fn verifying_a_part_does_not_verify_the_whole() {
    let agents = Agents::embedded().unwrap();
    let claude = agents.get("claude").unwrap();
    assert!(field_value(claude, "version.pattern").is_some());
    assert!(field_value(claude, "version.nothing").is_none());
    let amp = standings(agents.get("amp").unwrap());
    let scheme = amp.iter().find(|it| it.field == "version.scheme").unwrap();
    let args = amp.iter().find(|it| it.field == "version.args").unwrap();
    assert_eq!((scheme.how, args.how), (Some(How::Matched), None));
}
