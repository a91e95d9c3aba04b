//! `event_removed`: a stream no longer carries an event.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, Side, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "event_removed",
    title: "A stream no longer carries an event",
    explanation: "The agent stopped sending an event. A host that waits for it waits for ever, and what it carried is lost \
        without an error. Find what carries the same now before you accept the new version.",
    ratings: &[
        rating(Some(Side::Output), "", ALWAYS, Severity::Breaking, Domain::SilentLoss),
        rating(
            Some(Side::Input),
            "",
            ALWAYS,
            Severity::Breaking,
            Domain::RequestRejected,
        ),
    ],
    before: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string } | { type: "retry", attempt: number }"#,
    after: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "an arm of an event stream goes",
        old: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string } | { type: "retry", attempt: number }"#,
        new: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
        fires: &["event_removed"],
    },
    Example {
        name: "the same event under another tag value is renamed",
        old: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string } | { type: "retry", attempt: number }"#,
        new: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string } | { type: "again", attempt: number }"#,
        fires: &["event_renamed"],
    },
    Example {
        name: "a part of the stream gets a name of its own",
        old: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
        new: r#"type AgentEvent = Start | { type: "end", id: string }
type Start = { type: "start", id: string }"#,
        fires: &[],
    },
];
