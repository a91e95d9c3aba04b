//! What holds of every agent of a family.

use agent_contracts_wire::{Family, Transport};

use super::Rules;

/// Members whose values the specification names as part of the protocol.
const KEPT: [&str; 7] = [
    "type",
    "role",
    "status",
    "subtype",
    "method",
    "sessionUpdate",
    "stop_reason",
];

/// What the Agent Client Protocol needs: updates are told apart by what they update; lists of commands and models, and
/// what goes in and out of tools, are data.
const ACP_TAGS: [&str; 1] = ["params.update.sessionUpdate"];
const ACP_KEPT: [&str; 3] = ["stopReason", "kind", "outcome"];
const ACP_FLOATING: [&str; 3] = [
    "session/update[available_commands_update]",
    "session/update[session_info_update]",
    "session/update[usage_update]",
];
const ACP_OPAQUE: [&str; 8] = [
    "params.toolCall.rawInput",
    "params.toolCall.rawOutput",
    "params.update.availableCommands",
    "params.update.rawInput",
    "params.update.rawOutput",
    "result.configOptions",
    "result.models",
    "result.modes",
];

pub(super) fn rules(family: &Family) -> Rules {
    let mut rules = Rules {
        kept: list(&KEPT),
        ..Rules::default()
    };
    if family.folder() == "acp-json-rpc" {
        rules.tags = list(&ACP_TAGS);
        rules.kept.extend(list(&ACP_KEPT));
        rules.floating = list(&ACP_FLOATING);
        rules.opaque = list(&ACP_OPAQUE);
    }
    if family.transport == Transport::JsonRpc {
        rules.kept.push("jsonrpc".to_owned());
    }
    rules
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
