//! The rules that findings stand under, one file each.
//!
//! A rule says what its kind of change means, whom it hurts and what to do, how severe it is on which way, and shows
//! one example. The ids are part of the interface. A new rule is one file here and one line in the list below.

use crate::finding::{Direction, Domain, Severity};

#[cfg(test)]
mod examples;

/// How a type relates to the one it takes the place of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fit {
    /// Neither holds all values of the other.
    #[default]
    Apart,
    /// Every new value is an old value too.
    Narrowed,
    /// As narrowed, but the old type said nothing of its values, so that they may have been just these.
    SpelledOut,
    /// Every old value is a new value too.
    Widened,
}

/// What a rating may depend on beside the direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each with a meaning of its own"
)]
pub struct Facts {
    /// The member is always there.
    pub required: bool,
    /// A reader fills the member in when it is missing, although it is always written.
    pub defaulted: bool,
    /// It may be `null`.
    pub nullable: bool,
    /// Readers were told to expect values or arms beyond those listed.
    pub open: bool,
    /// The union holds answers, which come only to who asked.
    pub answer: bool,
    /// The sender waits for an answer.
    pub request: bool,
    /// The whole stream, or the whole list of formats, is new.
    pub fresh: bool,
    /// There was one form only, without the tag of the new ones: who does not know it takes them for that one.
    pub untold: bool,
    /// What the change does is told by another finding.
    pub told: bool,
    /// Members that stood at this level stand in one member now, or the reverse.
    pub nested: bool,
    /// The member is written a second time at the same level.
    pub collides: bool,
    /// Less is accepted or sent than before: an optional member is required, `null` is gone, a flag takes a value.
    pub stricter: bool,
    /// More is accepted or sent than before: a required member is optional, `null` may come.
    pub looser: bool,
    /// As `stricter`, for who sends it: a member that could be left out may not be.
    pub asked: bool,
    /// As `looser`, for who sends it.
    pub unasked: bool,
    /// It was there before, marked experimental.
    pub stabilised: bool,
    /// The old name still works.
    pub keeps_old: bool,
    /// How a new type relates to the old one.
    pub fit: Fit,
}

/// The side that an unchanged host is on: it reads what comes out and writes what goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// From the CLI to its host.
    Output,
    /// From the host to the CLI.
    Input,
}

/// One line of a rule's table of ratings. The first that applies counts.
#[derive(Debug, Clone, Copy)]
pub struct Rating {
    /// The side it is for; `None` for both.
    pub side: Option<Side>,
    /// When it applies, in words.
    pub when: &'static str,
    /// When it applies.
    pub applies: fn(&Facts) -> bool,
    /// How much an unchanged host suffers.
    pub severity: Severity,
    /// How it suffers.
    pub domain: Domain,
}

/// One rule.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its id, as in `field_added`.
    pub id: &'static str,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What such a change means, whom it hurts and what to do.
    pub explanation: &'static str,
    /// How severe it is, the first line that applies.
    pub ratings: &'static [Rating],
    /// An example, before.
    pub before: &'static str,
    /// The same, after.
    pub after: &'static str,
}

/// Applies always.
const ALWAYS: fn(&Facts) -> bool = |_| true;

/// A line of a table of ratings.
const fn rating(
    side: Option<Side>,
    when: &'static str,
    applies: fn(&Facts) -> bool,
    severity: Severity,
    domain: Domain,
) -> Rating {
    Rating {
        side,
        when,
        applies,
        severity,
        domain,
    }
}

impl Rule {
    /// How much and how an unchanged host suffers. `Both` is the worse of the two sides, `Unknown` is rated as output;
    /// what is marked experimental is one step less severe, and never less than additive by that.
    pub fn rate(&self, direction: Direction, facts: &Facts, experimental: bool) -> (Severity, Domain) {
        let (severity, domain) = match direction {
            Direction::Output | Direction::Unknown => self.on(Side::Output, facts),
            Direction::Input => self.on(Side::Input, facts),
            Direction::Both => {
                let (output, input) = (self.on(Side::Output, facts), self.on(Side::Input, facts));
                if input.0 > output.0 { input } else { output }
            }
        };
        let severity = match severity {
            Severity::Breaking if experimental => Severity::Risky,
            Severity::Risky if experimental => Severity::Additive,
            other => other,
        };
        (severity, domain)
    }

    fn on(&self, side: Side, facts: &Facts) -> (Severity, Domain) {
        self.ratings
            .iter()
            .find(|rating| rating.side.is_none_or(|of| of == side) && (rating.applies)(facts))
            .map_or((Severity::None, Domain::Cosmetic), |rating| {
                (rating.severity, rating.domain)
            })
    }
}

macro_rules! rules {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        /// Every rule, in the order they are documented.
        pub const ALL: &[&Rule] = &[$(&$module::RULE),+];

        /// The names of the files, as listed above.
        #[cfg(test)]
        const LISTED: &[&str] = &[$(stringify!($module)),+];

        #[cfg(test)]
        const EXAMPLES: &[(&str, &[examples::Example])] = &[$((stringify!($module), $module::EXAMPLES)),+];
    };
}

rules! {
    event_added,
    event_removed,
    event_renamed,
    variant_added,
    variant_removed,
    variant_renamed,
    field_added,
    field_removed,
    field_renamed,
    field_type_changed,
    field_optionality_changed,
    enum_value_added,
    enum_value_removed,
    enum_value_renamed,
    method_added,
    method_removed,
    method_renamed,
    type_added,
    type_removed,
    discriminator_renamed,
    handshake_changed,
    usage_shape_changed,
    output_format_changed,
    order_changed,
    exit_class_changed,
    stderr_class_changed,
    flag_added,
    flag_removed,
    flag_renamed,
    flag_deprecated,
    flag_type_changed,
    flag_default_changed,
    flag_choice_added,
    flag_choice_removed,
    source_lost,
}

/// The rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// What a rule means, for people: title, explanation, ratings and example. `None` when there is no such rule.
pub fn explain(id: &str) -> Option<String> {
    let rule = rule(id)?;
    let mut text = format!("{}: {}\n\n{}\n\n", rule.id, rule.title, rule.explanation);
    for rating in rule.ratings {
        let side = match rating.side {
            Some(Side::Output) => "output",
            Some(Side::Input) => "input",
            None => "either way",
        };
        let severity = format!("{:?}", rating.severity).to_lowercase();
        let when = if rating.when.is_empty() {
            String::new()
        } else {
            format!(", {}", rating.when)
        };
        text.extend(["  ", side, &when, ": ", &severity, "\n"]);
    }
    text.extend([
        "\nBefore:\n",
        &indent(rule.before),
        "\n\nAfter:\n",
        &indent(rule.after),
        "\n",
    ]);
    Some(text)
}

fn indent(text: &str) -> String {
    text.lines()
        .map(|line| format!("  {line}"))
        .collect::<Vec<_>>()
        .join("\n")
}
