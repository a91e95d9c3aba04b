//! Reading "wait" out of an answer: 429, both kinds of GitHub limit, `Retry-After` in both forms, and the last request of
//! a window. Pure.
//!
//! Sources: RFC 9110 section 10.2.3 for `Retry-After`; GitHub's REST documentation for `x-ratelimit-*` and the secondary
//! limits, which may come as a 403 without any header.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::HeaderMap;

/// No answer keeps us away for longer than this: a wrong date must not blind a source for good.
const LONGEST: Duration = Duration::from_secs(6 * 3600);
/// The wait when a host only says "too much": a minute, doubled each time in a row.
const UNTOLD: Duration = Duration::from_secs(60);
/// The most that doubling may reach.
const UNTOLD_MOST: Duration = Duration::from_secs(3600);

/// What an answer says of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The answer itself is good, but nothing may be sent before this time.
    NextNotBefore(Timestamp),
    /// The answer is no answer; ask again from this time on.
    Until(Timestamp),
    /// The answer is no answer, and the host does not say for how long.
    Untold,
}

/// What the status, the headers and the start of the body say of waiting.
pub(crate) fn wait(status: u16, headers: &HeaderMap, body: &[u8], now: Timestamp) -> Option<Wait> {
    let told = retry_after(headers, now);
    let exhausted = number(headers, &["x-ratelimit-remaining", "ratelimit-remaining"]) == Some(0);
    let reset = reset(headers, now);
    let limited = match status {
        429 => true,
        403 => told.is_some() || exhausted || speaks_of_limits(body),
        503 => told.is_some(),
        _ => false,
    };
    if limited {
        // A time in the past, or none at all, is no help: then wait as if nothing was said.
        let until = told
            .or(if exhausted { reset } else { None })
            .filter(|until| *until > now);
        return Some(until.map_or(Wait::Untold, |until| Wait::Until(capped(until, now))));
    }
    match reset {
        Some(reset) if exhausted && reset > now => Some(Wait::NextNotBefore(capped(reset, now))),
        _ => None,
    }
}

/// How long to wait when the host did not say, after `strikes` such answers in a row (0 for the first).
pub(crate) fn untold(strikes: u32, jitter: f64) -> Duration {
    let base = UNTOLD
        .saturating_mul(2u32.saturating_pow(strikes.min(10)))
        .min(UNTOLD_MOST);
    base + base.mul_f64(0.25 * jitter)
}

/// How long to wait before attempt `attempt` (1 for the first repetition): half a second doubled, plus or minus half.
pub(crate) fn backoff(attempt: u32, jitter: f64) -> Duration {
    let base = Duration::from_millis(500).saturating_mul(2u32.saturating_pow(attempt.saturating_sub(1).min(6)));
    base.mul_f64(0.5 + jitter)
}

/// The seconds of `x-poll-interval`.
pub(crate) fn poll_interval(headers: &HeaderMap) -> Option<Duration> {
    number(headers, &["x-poll-interval"]).map(|seconds| Duration::from_secs(seconds).min(LONGEST))
}

fn capped(until: Timestamp, now: Timestamp) -> Timestamp {
    until.min(now.saturating_add(LONGEST).unwrap_or(until))
}

fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Timestamp> {
    let text = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return now
            .saturating_add(Duration::from_secs(seconds.min(LONGEST.as_secs())))
            .ok();
    }
    Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()
}

/// GitHub writes an epoch, others the seconds that are left.
fn reset(headers: &HeaderMap, now: Timestamp) -> Option<Timestamp> {
    let value = number(headers, &["x-ratelimit-reset", "ratelimit-reset"])?;
    if value > 1_000_000_000 {
        Timestamp::from_second(i64::try_from(value).ok()?).ok()
    } else {
        now.saturating_add(Duration::from_secs(value.min(LONGEST.as_secs())))
            .ok()
    }
}

fn number(headers: &HeaderMap, names: &[&str]) -> Option<u64> {
    names
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok()?.trim().parse().ok())
}

fn speaks_of_limits(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&body[..body.len().min(4096)]).to_ascii_lowercase();
    ["rate limit", "abuse detection", "too many requests"]
        .iter()
        .any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_bytes(name.as_bytes()).unwrap(),
                    HeaderValue::from_str(value).unwrap(),
                )
            })
            .collect()
    }

    /// Status, headers, body, what it says.
    type Row<'a> = (u16, &'a [(&'a str, &'a str)], &'a str, Option<Wait>);

    #[test]
    fn every_way_to_say_wait() {
        let now: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
        let at = |seconds: i64| now + jiff::SignedDuration::from_secs(seconds);
        let epoch = at(600).as_second().to_string();
        let table: &[Row<'_>] = &[
            (429, &[("retry-after", "30")], "", Some(Wait::Until(at(30)))),
            (
                429,
                &[("retry-after", "Tue, 01 Dec 2026 00:02:00 GMT")],
                "",
                Some(Wait::Until(at(120))),
            ),
            (
                429,
                &[("retry-after", "Tue, 01 Dec 2020 00:02:00 GMT")],
                "",
                Some(Wait::Untold),
            ),
            (429, &[("retry-after", "soon")], "", Some(Wait::Untold)),
            (
                429,
                &[("retry-after", "99999999999")],
                "",
                Some(Wait::Until(at(6 * 3600))),
            ),
            (429, &[], "", Some(Wait::Untold)),
            (
                403,
                &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", &epoch)],
                "",
                Some(Wait::Until(at(600))),
            ),
            (
                403,
                &[("x-ratelimit-remaining", "12"), ("retry-after", "7")],
                "",
                Some(Wait::Until(at(7))),
            ),
            (
                403,
                &[],
                r#"{"message":"You have exceeded a secondary rate limit."}"#,
                Some(Wait::Untold),
            ),
            (403, &[], r#"{"message":"Repository access blocked"}"#, None),
            (403, &[("x-ratelimit-remaining", "0")], "", Some(Wait::Untold)),
            (503, &[("retry-after", "9")], "", Some(Wait::Until(at(9)))),
            (503, &[], "", None),
            (
                200,
                &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", &epoch)],
                "",
                Some(Wait::NextNotBefore(at(600))),
            ),
            (
                304,
                &[("ratelimit-remaining", "0"), ("ratelimit-reset", "20")],
                "",
                Some(Wait::NextNotBefore(at(20))),
            ),
            (
                200,
                &[("x-ratelimit-remaining", "5"), ("x-ratelimit-reset", &epoch)],
                "",
                None,
            ),
            (200, &[], "rate limit", None),
        ];
        for (status, pairs, body, expected) in table {
            assert_eq!(
                wait(*status, &headers(pairs), body.as_bytes(), now),
                *expected,
                "{status} {pairs:?} {body}"
            );
        }
    }

    #[test]
    fn waits_grow_and_end() {
        let seconds: Vec<u64> = (0..9).map(|strikes| untold(strikes, 0.0).as_secs()).collect();
        assert_eq!(seconds, [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
        assert!(untold(0, 1.0) > untold(0, 0.0));
        assert_eq!(backoff(1, 0.5), Duration::from_millis(500));
        assert_eq!(backoff(3, 0.5), Duration::from_secs(2));
    }
}
