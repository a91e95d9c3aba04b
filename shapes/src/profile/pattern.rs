//! Event types as agents' files write them: `result/*`, `*:error`, `session/update[usage_update]`.

use std::str::FromStr;

use agent_contracts_wire::EventType;
use agent_contracts_wire::event::EventError;

/// A set of event types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPattern {
    event: EventType,
}

impl EventPattern {
    /// Whether the event is one of them: the name fits, the answer is the same, and every nested tag that is asked for is
    /// among those of the event.
    #[must_use]
    pub fn matches(&self, event: &EventType) -> bool {
        let tagged = |tag: &String| event.nested.iter().any(|nested| fits(tag, nested));
        self.event.answer == event.answer && fits(&self.event.name, &event.name) && self.event.nested.iter().all(tagged)
    }

    /// The same for an event as shapes write it. What cannot be read fits nothing.
    #[must_use]
    pub fn matches_text(&self, event: &str) -> bool {
        event.parse().is_ok_and(|event| self.matches(&event))
    }
}

impl FromStr for EventPattern {
    type Err = EventError;

    fn from_str(text: &str) -> Result<Self, EventError> {
        Ok(Self { event: text.parse()? })
    }
}

/// Whether `text` fits a pattern in which `*` stands for any run of characters.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= last.len() && rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_star_is_any_run_and_nested_tags_may_be_more() {
        for (pattern, event, expected) in [
            ("turn.completed", "turn.completed", true),
            ("turn.completed", "turn.completed.x", false),
            ("result/*", "result/success", true),
            ("result/*", "result", false),
            ("result/error_*", "result/error_max_turns", true),
            ("*:error", "session/new:error", true),
            ("*:error", "session/new:result", false),
            ("*:error", "session/new", false),
            ("assistant*", "assistant", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "acb", false),
            ("assistant[text]", "assistant[text]", true),
            ("assistant[text]", "assistant[text][tool_use]", true),
            ("assistant[text]", "assistant[thinking]", false),
            ("assistant", "assistant[text]", true),
            ("session/update[usage_*]", "session/update[usage_update]", true),
        ] {
            let fits = pattern.parse::<EventPattern>().unwrap().matches_text(event);
            assert_eq!(fits, expected, "{pattern} {event}");
        }
    }
}
