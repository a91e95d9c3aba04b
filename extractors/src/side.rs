//! What the name of a declaration says of the side that writes it.
//!
//! Protocol files name their tables of messages after a side. Only names of the forms below are read; any other says
//! nothing, and the agent's file decides.

use agent_contracts_wire::Direction;

/// Words that name the host as the writer, at the start of a name.
const HOST: [&str; 1] = ["Client"];
/// Words that name the CLI as the writer, at the start of a name.
const CLI: [&str; 2] = ["Server", "Agent"];
/// What such a table is called.
const TABLES: [&str; 6] = ["Request", "Notification", "Response", "Result", "Message", "Event"];

/// The direction of a table of messages: `ClientRequest` is written by the host, `ServerNotification` and
/// `AgentResponse` by the CLI; in `JSONRPCInMessage` and `OutgoingEvent` the word is about the CLI's own pipes.
pub(crate) fn direction_of_table(name: &str) -> Option<Direction> {
    let stem = TABLES.iter().find_map(|table| {
        name.strip_suffix(table)
            .or_else(|| name.strip_suffix('s')?.strip_suffix(table))
    })?;
    let named = |words: &[&str]| words.contains(&stem);
    if named(&HOST) {
        return Some(Direction::Input);
    }
    if named(&CLI) {
        return Some(Direction::Output);
    }
    for (word, direction) in [
        ("Inbound", Direction::Input),
        ("Incoming", Direction::Input),
        ("In", Direction::Input),
        ("Outbound", Direction::Output),
        ("Outgoing", Direction::Output),
        ("Out", Direction::Output),
    ] {
        // `In` must be a word of its own: it starts with a capital and what stands before ends one.
        if stem == word || stem.strip_suffix(word).is_some_and(|before| !before.is_empty()) {
            return Some(direction);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, expected) in [
            ("ClientRequest", Some(Direction::Input)),
            ("ClientNotifications", Some(Direction::Input)),
            ("ServerNotification", Some(Direction::Output)),
            ("AgentResponse", Some(Direction::Output)),
            ("JSONRPCInMessage", Some(Direction::Input)),
            ("JSONRPCOutMessage", Some(Direction::Output)),
            ("OutgoingEvent", Some(Direction::Output)),
            ("InitializeRequest", None),
            ("AgentEvent", Some(Direction::Output)),
            ("ClientCapabilities", None),
            ("LoginResponse", None),
            ("Message", None),
        ] {
            assert_eq!(direction_of_table(name), expected, "{name}");
        }
    }
}
