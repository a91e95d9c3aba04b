//! `output_format_changed`: the output speaks another dialect.

#[cfg(test)]
use super::examples::Example;
use super::{ALWAYS, Rule, rating};
use crate::finding::{Domain, Severity};

/// The rule.
pub(super) const RULE: Rule = Rule {
    id: "output_format_changed",
    title: "The output speaks another dialect",
    explanation: "Fewer than a fifth of the event types survive: the same flag gives another stream. Nothing of an old \
        parser can be kept. The lists of old and new events stand in before and after. A new format beside the \
        others is additive.",
    ratings: &[
        rating(
            None,
            "when a format was added beside the others",
            |facts| facts.fresh,
            Severity::Additive,
            Domain::Additive,
        ),
        rating(None, "", ALWAYS, Severity::Breaking, Domain::DecodeFatal),
    ],
    before: r#"type EventMsg = { type: "task_started" } | { type: "agent_message", message: string } | …"#,
    after: r#"type ThreadEvent = { type: "thread.started" } | { type: "item.completed", item: Item } | …"#,
};

#[cfg(test)]
pub(super) const EXAMPLES: &[Example] = &[
    Example {
        name: "nearly every event is another",
        old: r#"type EventMsg = { type: "task_started", x: string } | { type: "agent_message", message: string } | { type: "token_count", total: string } | { type: "exec_begin", command: string } | { type: "exec_end", code: string }"#,
        new: r#"type ThreadEvent = { type: "thread.started", thread_id: string } | { type: "item.completed", item: string } | { type: "turn.completed", usage: string } | { type: "turn.failed", error: string }"#,
        fires: &["output_format_changed"],
    },
    Example {
        name: "a new format to choose",
        old: r#"type OutputFormat = "text" | "json""#,
        new: r#"type OutputFormat = "text" | "json" | "stream-json""#,
        fires: &["output_format_changed"],
    },
    Example {
        name: "half of the events survive",
        old: r#"type AgentEvent = { type: "start", id: string } | { type: "end", id: string }"#,
        new: r#"type AgentEvent = { type: "start", id: string } | { type: "finish", code: number, text: string }"#,
        fires: &["event_removed", "event_added"],
    },
];
