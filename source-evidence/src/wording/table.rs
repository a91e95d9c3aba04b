//! One line a rule. Templates: see [`super::fill`].

/// How findings of one rule are told.
pub(super) struct Row {
    /// The rule's id.
    pub(super) rule: &'static str,
    /// What changed.
    pub(super) what: &'static str,
    /// What to do about what the CLI writes.
    pub(super) todo: &'static str,
    /// What to do about what the host writes.
    pub(super) todo_input: &'static str,
}

/// For a rule that has no line here.
pub(super) const UNKNOWN_RULE: &str = "{event} changes under {rule}[ at {at}][: {before} before][, {after} now]";

pub(super) const LOOK: &str = "look at the code before and after";
const BRANCH: &str = "add a branch for it, or make sure that unknown ones are skipped and logged";
const CEASE: &str = "stop relying on it, and find out what takes its place";
const BOTH_NAMES: &str = "read both names for as long as both versions are supported";
const SEND_BY_VERSION: &str = "send the new name from this version on, the old one before";
const NOTHING: &str = "nothing; read it if it is useful";
const OFFER: &str = "nothing; use it from this version on if it is useful";
const STOP_SENDING: &str = "stop sending it from this version on";
const ADAPT_READER: &str = "let the reader accept both";
const ADAPT_WRITER: &str = "send what the new version accepts, by version";
const HANDLER: &str = "answer it, if only with `method not found`; an unanswered request blocks the agent";
const CAPTURE: &str = "capture this version before it is used, and adapt the parser to what is seen";
const FLAG_GUARD: &str = "pass it by version, or ask `--help` first";

/// Sorted by rule.
pub(super) const TABLE: &[Row] = &[
    row(
        "discriminator_renamed",
        "{event} is told apart by {after} instead of {before}",
        CAPTURE,
        ADAPT_WRITER,
    ),
    row("enum_value_added", "{path} of {event} can be {name}", BRANCH, OFFER),
    row(
        "enum_value_removed",
        "{path} of {event} is no longer {name}",
        CEASE,
        STOP_SENDING,
    ),
    row(
        "enum_value_renamed",
        "{path} of {event} says {after} where it said {before}",
        BOTH_NAMES,
        SEND_BY_VERSION,
    ),
    row("event_added", "{name} is a new event", BRANCH, OFFER),
    row("event_removed", "the event {name} is gone", CEASE, STOP_SENDING),
    row(
        "event_renamed",
        "the event {before} is now called {after}",
        BOTH_NAMES,
        SEND_BY_VERSION,
    ),
    row(
        "exit_class_changed",
        "the process ends in {after} where it ended in {before}",
        CAPTURE,
        CAPTURE,
    ),
    row(
        "field_added",
        "{event} gains {path}[ ({after})]",
        NOTHING,
        "send it if it is required; otherwise nothing",
    ),
    row(
        "field_optionality_changed",
        "{path} of {event} changes from {before} to {after}",
        ADAPT_READER,
        ADAPT_WRITER,
    ),
    row(
        "field_removed",
        "{event} loses {path}[ ({before})]",
        CEASE,
        STOP_SENDING,
    ),
    row(
        "field_renamed",
        "{event} calls {before} now {after}",
        BOTH_NAMES,
        SEND_BY_VERSION,
    ),
    row(
        "field_type_changed",
        "{path} of {event} changes from {before} to {after}",
        ADAPT_READER,
        ADAPT_WRITER,
    ),
    row("flag_added", "[{command} ]{flag} is a new flag", OFFER, OFFER),
    row("flag_choice_added", "[{command} ]{flag} accepts {after}", OFFER, OFFER),
    row(
        "flag_choice_removed",
        "[{command} ]{flag} no longer accepts {before}",
        FLAG_GUARD,
        FLAG_GUARD,
    ),
    row(
        "flag_default_changed",
        "[{command} ]{flag} is {after} by default, was {before}",
        "pass it outright",
        "pass it outright",
    ),
    row(
        "flag_deprecated",
        "[{command} ]{flag} is deprecated",
        FLAG_GUARD,
        FLAG_GUARD,
    ),
    row("flag_removed", "[{command} ]{flag} is gone", FLAG_GUARD, FLAG_GUARD),
    row(
        "flag_renamed",
        "[{command} ]{before} is now called {after}",
        FLAG_GUARD,
        FLAG_GUARD,
    ),
    row(
        "flag_type_changed",
        "[{command} ]{flag} takes {after} where it took {before}",
        FLAG_GUARD,
        FLAG_GUARD,
    ),
    row(
        "handshake_changed",
        "{name} changes from {before} to {after}",
        "check what the host accepts in the handshake",
        "check what the host sends in the handshake",
    ),
    row("method_added", "{name} is a new method", HANDLER, OFFER),
    row(
        "method_removed",
        "the method {name} is gone",
        "drop its handler when older versions are no longer supported",
        "do not call it from this version on",
    ),
    row(
        "method_renamed",
        "the method {before} is now called {after}",
        BOTH_NAMES,
        SEND_BY_VERSION,
    ),
    row(
        "order_changed",
        "frames come in another order[: {after}][, was {before}]",
        CAPTURE,
        CAPTURE,
    ),
    row(
        "output_format_changed",
        "the whole output format changes[: {before} before][, {after} now]",
        CAPTURE,
        CAPTURE,
    ),
    row(
        "source_lost",
        "the code that said what goes over the wire is no longer published[: {before}]",
        "nothing is known from source here; capture this version",
        "nothing is known from source here; capture this version",
    ),
    row(
        "stderr_class_changed",
        "standard error is about {after}, was about {before}",
        CAPTURE,
        CAPTURE,
    ),
    row("type_added", "the type {name} is new", NOTHING, OFFER),
    row("type_removed", "the type {name} is gone", CEASE, STOP_SENDING),
    row(
        "usage_shape_changed",
        "{event} counts usage in another form[: {before} before][, {after} now]",
        "check what is added up from it",
        "check what is added up from it",
    ),
    row(
        "variant_added",
        "{event} can hold the new form {name}[ at {at}]",
        BRANCH,
        OFFER,
    ),
    row(
        "variant_removed",
        "{event} no longer holds the form {name}[ at {at}]",
        CEASE,
        STOP_SENDING,
    ),
    row(
        "variant_renamed",
        "{event} calls the form {before} now {after}[ at {at}]",
        BOTH_NAMES,
        SEND_BY_VERSION,
    ),
];

const fn row(rule: &'static str, what: &'static str, todo: &'static str, todo_input: &'static str) -> Row {
    Row {
        rule,
        what,
        todo,
        todo_input,
    }
}

pub(super) fn row_of(rule: &str) -> Option<&'static Row> {
    TABLE
        .binary_search_by(|row| row.rule.cmp(rule))
        .ok()
        .and_then(|index| TABLE.get(index))
}
