//! `discover`: where each agent stands, channel by channel. Asks, shows and keeps nothing but answers that may be asked
//! again: what is new stays new for `run`.

use agent_contracts_watchers::discover::{ChannelRow, Row, Sight};
use jiff::Timestamp;

use crate::cli::{Common, DiscoverArgs, Format};
use crate::context::{self, Context};
use crate::failure::{Exit, Outcome};
use crate::output;
use crate::pipeline::poll;

pub(crate) async fn run(common: &Common, args: &DiscoverArgs) -> Outcome {
    let context = Context::new(common)?;
    let agents = context.chosen(&args.only)?;
    // A pass keeps whole seconds.
    let now = context.client.now();
    let start = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let polled = poll::poll(&context, &context::store(common)?, &agents, !args.only.is_empty()).await?;
    if common.format() == Format::Json {
        output::json(&polled.rows)?;
    } else {
        output::text(&table(&polled.rows, start))?;
    }
    Ok(if common.strict && !polled.unreached.is_empty() {
        Exit::Unreached
    } else {
        Exit::Done
    })
}

/// The rows for people. What was last seen before `start` was not asked for now, and is shown as what it is.
fn table(rows: &[Row], start: Timestamp) -> String {
    let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let lines = rows.iter().flat_map(|row| {
        let channels: Vec<Option<&ChannelRow>> = if row.channels.is_empty() {
            vec![None]
        } else {
            row.channels.iter().map(Some).collect()
        };
        channels.into_iter().enumerate().map(move |(position, channel)| {
            let first = position == 0;
            let agent = if first { row.agent.clone() } else { String::new() };
            let highest = if first {
                or_dash(&row.highest_stable)
            } else {
                String::new()
            };
            let verified = if first {
                or_dash(&row.latest_verified)
            } else {
                String::new()
            };
            let Some(channel) = channel else {
                return [
                    agent,
                    "no channel is known".to_owned(),
                    "-".to_owned(),
                    "-".to_owned(),
                    highest,
                    verified,
                    String::new(),
                ];
            };
            let latest = or_dash(&channel.latest_tag.clone().or_else(|| channel.highest_any.clone()));
            let lag = if channel.behind > 0 {
                format!("{} behind", channel.behind)
            } else {
                "-".to_owned()
            };
            [
                agent,
                channel.channel.clone(),
                latest,
                lag,
                highest,
                verified,
                sight(&channel.sight, start),
            ]
        })
    });
    output::table(
        [
            "agent",
            "channel",
            "latest",
            "lag",
            "highest stable",
            "verified",
            "sight",
        ],
        lines,
    )
}

fn sight(sight: &Sight, start: Timestamp) -> String {
    match sight {
        Sight::Seen { at } if *at < start => format!("last seen {at}, not asked now"),
        Sight::Seen { .. } => "seen".to_owned(),
        Sight::Missed { since, why, .. } => format!("missed since {since}: {why}"),
        Sight::Blind { since, why } => format!("blind since {since}: {why}"),
        Sight::Unavailable { why } => format!("unavailable: {why}"),
        Sight::NotAsked => "not asked".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn what_was_not_asked_now_is_shown_as_of_when_it_was() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let start = at("2026-12-01T02:00:00Z");
        let seen = |text: &str| sight(&Sight::Seen { at: at(text) }, start);
        assert_eq!(seen("2026-12-01T02:00:00Z"), "seen");
        assert_eq!(
            seen("2026-12-01T01:00:00Z"),
            "last seen 2026-12-01T01:00:00Z, not asked now"
        );
    }
}
