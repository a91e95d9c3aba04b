//! `event_renamed`: an event goes by another name.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "event_renamed",
    title: "An event goes by another name",
    explanation: "The payload is the same, the tag value is not. Hosts that switch on the tag no longer see the event. \
        Accept both names until the old version is out of use.",
    ratings: &[
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
        rating(
            Some(Side::Input),
            "when the old name still works",
            |facts| facts.keeps_old,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(
            Some(Side::Input),
            "",
            ALWAYS,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
    ],
    before: r#"type AgentEvent = { type: "stream_start", streamId: string } | { type: "other" }"#,
    after: r#"type AgentEvent = { type: "agent_start", streamId: string } | { type: "other" }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "same payload, other tag",
        old: r#"type AgentEvent = { type: "stream_start", streamId: string } | { type: "other" }"#,
        new: r#"type AgentEvent = { type: "agent_start", streamId: string } | { type: "other" }"#,
        fires: &["event_renamed"],
    },
    Example {
        name: "the constant half of a tag of two members",
        old: r#"type HookRequest = { type: "hook_request", method: "select", title: string } | { type: "hook_request", method: "input", prompt: string }"#,
        new: r#"type HookRequest = { type: "extension_request", method: "select", title: string } | { type: "extension_request", method: "input", prompt: string }"#,
        fires: &["event_renamed"],
    },
    Example {
        name: "only the declared names change",
        old: r#"type AgentEvent = Started | Ended
type Started = { type: "start", id: string }
type Ended = { type: "end", id: string }"#,
        new: r#"type AgentEvent = Begun | Finished
type Begun = { type: "start", id: string }
type Finished = { type: "end", id: string }"#,
        fires: &[],
    },
];
