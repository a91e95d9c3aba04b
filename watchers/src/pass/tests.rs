#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use std::collections::BTreeMap;

use agent_contracts_registry::release::Release;

use super::*;
use crate::event::{EventKind, Standing};
use crate::join::Newest;
use crate::snapshot::{Coverage, Item, Listing};
use crate::testing::{at, listing_of};
use agent_contracts_config::agent::{Channel, VersionDef};
use agent_contracts_config::settings::Watch as Patience;

const NPM: &str = "npm:a";
const GITHUB: &str = "github-releases:o/n";
const CASK: &str = "homebrew-cask:a";

/// An agent, and what is known of it from pass to pass.
struct Watch {
    agent: AgentDef,
    state: AgentState,
    releases: ReleaseFile,
    verified: Vec<String>,
    patience: Patience,
    hours: i64,
}

impl Watch {
    fn new(version: VersionDef) -> Self {
        let npm = |package: &str| Channel::Npm {
            package: package.into(),
            earlier: vec![],
            platforms: BTreeMap::new(),
        };
        let agent = AgentDef {
            id: "a".into(),
            version,
            channels: vec![npm("a")],
            ..AgentDef::default()
        };
        let (state, releases) = (AgentState::default(), ReleaseFile::default());
        Self {
            agent,
            state,
            releases,
            verified: Vec::new(),
            patience: Patience::default(),
            hours: 0,
        }
    }

    fn plain() -> Self {
        Self::new(VersionDef::default())
    }

    /// One pass, an hour after the last; the events as text.
    fn pass(&mut self, answers: &[Answer]) -> Vec<String> {
        self.outcome(answers).events.iter().map(ToString::to_string).collect()
    }

    fn outcome(&mut self, answers: &[Answer]) -> Outcome {
        self.hours += 1;
        let outcome = pass(&Input {
            agent: &self.agent,
            before: &self.state,
            known: &self.releases,
            verified: &self.verified,
            answers,
            watch: self.patience,
            now: at(self.hours),
        });
        self.state = outcome.state.clone();
        self.releases = outcome.releases.clone();
        outcome
    }

    fn release(&self, version: &str) -> &Release {
        self.releases
            .releases
            .iter()
            .find(|release| release.version == version)
            .unwrap()
    }

    fn newest(&self, label: &str) -> Newest {
        join::newest(
            &Scheme::new(&self.agent.version),
            &self.releases,
            label,
            self.state.places.get(label),
        )
    }
}

fn answer(label: &str, listing: Listing) -> Answer {
    Answer {
        label: label.into(),
        role: Role::Main,
        result: Ok(listing),
    }
}

fn npm(versions: &[&str], latest: &str) -> Answer {
    let mut listing = listing_of(versions);
    listing.tags.insert("latest".into(), latest.into());
    answer(NPM, listing)
}

fn github(tags: &[&str]) -> Answer {
    answer(
        GITHUB,
        Listing {
            tags_of_a_repository: true,
            ..listing_of(tags)
        },
    )
}

fn cask(version: &str) -> Answer {
    let mut listing = listing_of(&[version]);
    listing.coverage = Coverage::Part;
    listing.tags.insert("stable".into(), version.into());
    answer(CASK, listing)
}

fn failed(label: &str, error: NetError) -> Answer {
    Answer {
        label: label.into(),
        role: Role::Main,
        result: Err(error),
    }
}

fn throttled() -> NetError {
    NetError::Throttled {
        name: NPM.into(),
        until: at(9),
    }
}

#[test]
fn the_first_look_is_a_baseline_and_the_next_one_tells_what_is_new() {
    let mut watch = Watch::plain();
    let first = watch.outcome(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]);
    assert_eq!(first.events, []);
    assert_eq!(first.notes, ["first look: 2 releases, the highest is 1.1.0"]);
    assert_eq!(
        watch.pass(&[npm(&["1.0.0", "1.1.0", "1.2.0", "1.3.0-rc.1"], "1.2.0")]),
        [
            "a: the tag latest of npm:a moved from 1.1.0 to 1.2.0",
            "a 1.2.0: new release, in npm:a",
            "a 1.3.0-rc.1: prerelease, in npm:a",
        ]
    );
    assert_eq!(
        watch.pass(&[npm(&["1.0.0", "1.1.0", "1.2.0", "1.3.0-rc.1"], "1.2.0")]),
        [] as [&str; 0]
    );
}

#[test]
fn a_lost_state_makes_nothing_new_and_hides_nothing_new() {
    let mut watch = Watch::plain();
    watch.pass(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]);
    watch.state = AgentState::default();
    assert_eq!(
        watch.pass(&[npm(&["1.0.0", "1.1.0", "1.2.0"], "1.2.0")]),
        ["a 1.2.0: new release, in npm:a"]
    );
    // And the other way round: the record is lost and the state is not.
    watch.releases = ReleaseFile::default();
    let events = watch.pass(&[npm(&["1.0.0", "1.1.0", "1.2.0", "1.2.1"], "1.2.1")]);
    assert!(
        events.contains(&"a 1.2.1: new release, in npm:a".to_owned()),
        "{events:?}"
    );
    assert!(!events.iter().any(|event| event.contains("1.1.0: ")), "{events:?}");
    assert_eq!(watch.releases.releases.len(), 4);
}

#[test]
fn a_failure_is_never_no_news() {
    let mut watch = Watch::plain();
    watch.pass(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]);
    let known = watch.releases.clone();
    assert_eq!(watch.pass(&[failed(NPM, throttled())]), [] as [&str; 0]);
    assert_eq!(watch.pass(&[failed(NPM, throttled())]), [] as [&str; 0]);
    let told = watch.pass(&[failed(NPM, throttled())]);
    assert_eq!(
        told,
        ["a: npm:a is blind since 2026-12-01T02:00:00Z: the host asks us to wait until 2026-12-01T09:00:00Z"]
    );
    assert_eq!(watch.pass(&[failed(NPM, throttled())]), [] as [&str; 0], "told once");
    assert_eq!(watch.releases, known, "what was known stays");
    assert_eq!(
        watch.pass(&[npm(&["1.0.0", "1.1.0", "1.2.0"], "1.2.0")]).len(),
        2,
        "what came meanwhile is told when it is seen"
    );
    assert_eq!(watch.state.places[NPM].blind_since(Patience::default()), None);
}

#[test]
fn gone_from_a_whole_listing_is_withdrawn_once() {
    let mut watch = Watch::plain();
    watch.verified = vec!["1.1.0".into(), "1.0.0".into()];
    watch.pass(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]);
    let mut short = listing_of(&["1.0.0"]);
    short.coverage = Coverage::Part;
    short.tags_unknown = true;
    assert_eq!(watch.pass(&[answer(NPM, short)]), [] as [&str; 0]);
    assert_eq!(
        watch.pass(&[npm(&["1.0.0"], "1.0.0")]),
        [
            "a: the tag latest of npm:a moved back from 1.1.0 to 1.0.0",
            "a 1.1.0: withdrawn from npm:a, and no other channel has it; it is the newest version that was verified",
        ]
    );
    assert!(watch.release("1.1.0").withdrawn);
    assert_eq!(watch.pass(&[npm(&["1.0.0"], "1.0.0")]), [] as [&str; 0]);
    assert_eq!(watch.newest(NPM).highest_stable.as_deref(), Some("1.0.0"));
}

#[test]
fn unpublished_by_the_registrys_own_word() {
    let mut watch = Watch::plain();
    watch.pass(&[npm(&["1.0.0", "1.4.4"], "1.4.4"), github(&["v1.0.0", "v1.4.4"])]);
    let mut listing = listing_of(&["1.0.0", "1.4.4"]);
    listing.items[1].withdrawn = true;
    listing.coverage = Coverage::Part;
    let events = watch.pass(&[answer(NPM, listing), github(&["v1.0.0", "v1.4.4"])]);
    assert_eq!(events, ["a 1.4.4: withdrawn from npm:a, other channels still have it"]);
    assert!(!watch.release("1.4.4").withdrawn && watch.release("1.4.4").channels[NPM].withdrawn);
}

#[test]
fn platform_builds_are_payloads_of_one_release() {
    let mut watch = Watch::new(VersionDef {
        platform_suffixes: [
            ("linux-x64".into(), "-linux-x64".into()),
            ("win32-x64".into(), "-win32-x64".into()),
        ]
        .into(),
        ..VersionDef::default()
    });
    let release = |version: &str, payloads: &[&str]| {
        let mut items: Vec<Item> = payloads
            .iter()
            .map(|suffix| Item::new(format!("{version}-{suffix}")))
            .collect();
        let needs = vec![format!("{version}-linux-x64"), format!("{version}-win32-x64")];
        items.push(Item {
            needs,
            published_at: Some(at(-5).to_string()),
            ..Item::new(version)
        });
        items
    };
    let listing = |latest: &str, items: Vec<Vec<Item>>| {
        let mut listing = Listing {
            items: items.concat(),
            ..listing_of(&["0.98.0"])
        };
        listing.tags = [
            ("latest".into(), latest.into()),
            ("linux".into(), format!("{latest}-linux-x64")),
        ]
        .into();
        answer(NPM, listing)
    };
    let whole = release("0.99.0", &["linux-x64", "win32-x64"]);
    assert_eq!(watch.pass(&[listing("0.99.0", vec![whole.clone()])]), [] as [&str; 0]);
    assert_eq!(
        watch.releases.releases.len(),
        1,
        "0.98.0 is not listed here; the payloads are no releases"
    );
    assert_eq!(watch.release("0.99.0").platforms, ["linux-x64", "win32-x64"]);

    let alpha = release("0.100.0-alpha.1", &["linux-x64", "win32-x64"]);
    assert_eq!(
        watch.pass(&[listing("0.99.0", vec![whole.clone(), alpha.clone()])]),
        ["a 0.100.0-alpha.1: prerelease, in npm:a"]
    );
    let broken = release("0.100.1", &["linux-x64"]);
    assert_eq!(
        watch.pass(&[listing("0.100.1", vec![whole, alpha, broken])]),
        [
            "a: the tag latest of npm:a moved from 0.99.0 to 0.100.1",
            "a 0.100.1: new release, in npm:a",
            "a 0.100.1: no payload for win32-x64, as npm:a shows it",
        ]
    );
    assert_eq!(watch.release("0.100.1").missing_platforms, ["win32-x64"]);
}

#[test]
fn platform_packages_are_payloads_too() {
    let mut watch = Watch::plain();
    let payload = |platform: &str, versions: &[&str]| Answer {
        label: format!("npm:a-{platform}"),
        role: Role::Payload(platform.into()),
        result: Ok(listing_of(versions)),
    };
    let answers = |arm: &[&str]| {
        let mut main = listing_of(&["1.0.0", "1.1.0", "1.2.0"]);
        main.tags.insert("latest".into(), "1.2.0".into());
        main.items[2].published_at = Some(at(-24).to_string());
        vec![
            answer(NPM, main),
            payload("linux-x64", &["1.1.0", "1.2.0"]),
            payload("linux-arm64", arm),
        ]
    };
    assert_eq!(
        watch.pass(&answers(&["1.1.0"])),
        ["a 1.2.0: no payload for linux-arm64, as npm:a shows it"]
    );
    assert_eq!(
        watch.release("1.0.0").missing_platforms,
        [] as [&str; 0],
        "older than the platform packages"
    );
    assert_eq!(watch.pass(&answers(&["1.1.0", "1.2.0"])), [] as [&str; 0]);
    assert_eq!(watch.release("1.2.0").platforms, ["linux-arm64", "linux-x64"]);
}

#[test]
fn the_tag_latest_is_not_the_highest() {
    let mut watch = Watch::plain();
    watch.pass(&[npm(&["1.0.14", "1.0.13", "1.0.15-unstable.3.gabc"], "1.0.14")]);
    let newest = watch.newest(NPM);
    assert_eq!(newest.latest_tag.as_deref(), Some("1.0.14"));
    assert_eq!(newest.highest_stable.as_deref(), Some("1.0.14"));
    assert_eq!(newest.highest_any.as_deref(), Some("1.0.15-unstable.3.gabc"));
}

#[test]
fn a_scheme_of_its_own_has_no_prereleases() {
    use agent_contracts_wire::version::VersionScheme;
    let mut watch = Watch::new(VersionDef {
        scheme: VersionScheme::EpochHash,
        ..VersionDef::default()
    });
    let (old, new) = ("0.0.1761000000-gfff", "0.0.1761000100-g000");
    watch.pass(&[npm(&[old], old)]);
    let events = watch.pass(&[npm(&[old, new], new)]);
    assert!(
        events.contains(&format!("a {new}: new release, in npm:a")),
        "{events:?}"
    );
    assert_eq!(watch.newest(NPM).highest_stable.as_deref(), Some(new));
}

#[test]
fn a_backport_is_a_maintenance_release_and_never_the_newest() {
    let mut watch = Watch::plain();
    watch.pass(&[github(&["v3.14.0", "v3.13.2"])]);
    assert_eq!(
        watch.pass(&[github(&["v3.13.3", "v3.14.0", "v3.13.2"])]),
        ["a 3.13.3: maintenance release of an older line, in github-releases:o/n"]
    );
    assert_eq!(join::highest_stable(&watch.releases).unwrap().version, "3.14.0");
}

#[test]
fn prereleases_alone_are_releases_without_a_stable_one() {
    let mut watch = Watch::plain();
    watch.pass(&[github(&["v0.1.0-alpha.2", "v0.1.0-alpha.10"])]);
    let newest = watch.newest(GITHUB);
    assert_eq!((newest.latest_tag, newest.highest_stable), (None, None));
    assert_eq!(newest.highest_any.as_deref(), Some("0.1.0-alpha.10"));
}

#[test]
fn an_edited_release_is_no_news_and_a_moved_tag_is() {
    let mut watch = Watch::plain();
    let tags = |sha: &str, published: &str| {
        let mut listing = Listing {
            tags_of_a_repository: true,
            ..listing_of(&["v1.0.0", "nightly"])
        };
        listing.items[0].commit = Some(sha.into());
        listing.items[0].published_at = Some(published.into());
        answer(GITHUB, listing)
    };
    watch.pass(&[tags("c1", "2026-01-01T00:00:00Z")]);
    assert_eq!(watch.pass(&[tags("c1", "2026-02-02T00:00:00Z")]), [] as [&str; 0]);
    assert_eq!(
        watch.pass(&[tags("c2", "2026-02-02T00:00:00Z")]),
        ["a: the tag v1.0.0 of github-releases:o/n moved from c1 to c2"]
    );
}

#[test]
fn what_is_no_version_is_kept_aside() {
    let mut watch = Watch::plain();
    let outcome = watch.outcome(&[npm(&["1.0.0", "banana", "1.2.3.4"], "banana")]);
    assert_eq!(outcome.releases.releases.len(), 1);
    assert_eq!(watch.newest(NPM).highest_any.as_deref(), Some("1.0.0"));
    assert!(
        outcome
            .notes
            .contains(&"npm:a: no versions by the agent's scheme, kept aside: 1.2.3.4, banana".to_owned())
    );
}

#[test]
fn newer_elsewhere_is_lag_and_not_outdated() {
    let mut watch = Watch::plain();
    let answers = || vec![npm(&["0.147.0", "0.148.0", "0.149.0"], "0.149.0"), cask("0.147.0")];
    assert_eq!(watch.pass(&answers()), [] as [&str; 0], "a channel has a day to follow");
    watch.hours += 24;
    assert_eq!(
        watch.pass(&answers()),
        ["a: homebrew-cask:a has 0.147.0, 2 stable releases behind 0.149.0, since 2026-12-01T01:00:00Z"]
    );
    assert_eq!(watch.pass(&answers()), [] as [&str; 0], "told once");
    assert_eq!(watch.newest(CASK).highest_stable.as_deref(), Some("0.147.0"));
}

#[test]
fn a_moved_place_is_told_once() {
    let mut watch = Watch::plain();
    let moved = || {
        let mut listing = Listing {
            tags_of_a_repository: true,
            ..listing_of(&["v1.0.0"])
        };
        listing.moved_to = Some("new/n".into());
        answer(GITHUB, listing)
    };
    assert_eq!(watch.pass(&[moved()]), ["a: github-releases:o/n has moved to new/n"]);
    assert_eq!(watch.pass(&[moved()]), [] as [&str; 0]);
}

#[test]
fn a_renamed_package_is_one_agent() {
    let mut watch = Watch::plain();
    let earlier = Answer {
        label: "npm:old".into(),
        role: Role::Earlier,
        result: Ok(listing_of(&["0.73.0", "0.73.1"])),
    };
    watch.pass(&[npm(&["0.74.0"], "0.74.0"), earlier]);
    let versions: Vec<_> = watch
        .releases
        .releases
        .iter()
        .map(|release| release.version.as_str())
        .collect();
    assert_eq!(versions, ["0.74.0", "0.73.1", "0.73.0"]);
    assert!(watch.release("0.73.1").channels.contains_key("npm:old"));
}

#[test]
fn deprecations_of_one_kind_are_one_event() {
    let mut watch = Watch::plain();
    let versions = ["1.0.0", "1.1.0", "1.2.0"];
    watch.pass(&[npm(&versions, "1.2.0")]);
    let mut listing = listing_of(&versions);
    for item in &mut listing.items {
        item.deprecated = Some("use b instead".into());
    }
    listing.tags.insert("latest".into(), "1.2.0".into());
    assert_eq!(
        watch.pass(&[answer(NPM, listing.clone())]),
        ["a 1.2.0 and 2 more: deprecated in npm:a: use b instead"]
    );
    assert_eq!(watch.pass(&[answer(NPM, listing)]), [] as [&str; 0]);
}

#[test]
fn coverage_is_stale_until_the_newest_is_verified() {
    let mut watch = Watch::plain();
    watch.verified = vec!["1.0.0".into(), "0.9.0".into()];
    assert_eq!(
        watch.pass(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]),
        ["a: 1.1.0 is out, verified up to 1.0.0"],
        "it holds on the first look too"
    );
    assert_eq!(watch.pass(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]), [] as [&str; 0]);
    watch.verified.push("1.1.0".into());
    assert_eq!(watch.pass(&[npm(&["1.0.0", "1.1.0"], "1.1.0")]), [] as [&str; 0]);
}

#[test]
fn a_new_channel_shows_its_past_without_a_storm() {
    let mut watch = Watch::plain();
    watch.pass(&[npm(&["2.0.0"], "2.0.0")]);
    let outcome = watch.outcome(&[
        npm(&["2.0.0"], "2.0.0"),
        github(&["v1.0.0", "v1.1.0", "v2.0.0", "v2.1.0"]),
    ]);
    let told: Vec<_> = outcome.events.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["a 2.1.0: new release, in github-releases:o/n"]);
    assert!(
        outcome
            .notes
            .contains(&"first look at a channel: 2 versions that no other channel has shown".to_owned())
    );
}

#[test]
fn a_mirror_that_begins_to_show_more_is_no_news() {
    let mut watch = Watch::plain();
    watch.pass(&[npm(&["2.0.0"], "2.0.0")]);
    let many: Vec<String> = (0..40)
        .map(|n| format!("1.{n}.0"))
        .chain(["2.0.0".into(), "2.0.1".into()])
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(watch.pass(&[npm(&many, "2.0.0")]), ["a 2.0.1: new release, in npm:a"]);
}

#[test]
fn the_record_tells_what_a_lost_state_cannot_where_everyone_sees_the_same() {
    for (is_default, expected) in [(true, 1), (false, 0)] {
        let mut watch = Watch::plain();
        let tags = |tags: &[&str]| {
            let mut listing = Listing {
                tags_of_a_repository: true,
                ..listing_of(tags)
            };
            listing.endpoint_is_default = is_default;
            answer(GITHUB, listing)
        };
        watch.pass(&[tags(&["v1.0.0", "v1.1.0"])]);
        watch.state = AgentState::default();
        assert_eq!(
            watch.pass(&[tags(&["v1.0.0"])]).len(),
            expected,
            "public default: {is_default}"
        );
    }
}

#[test]
fn an_agent_that_keeps_failing_is_asked_less_until_it_passes() {
    let mut watch = Watch::plain();
    for _ in 0..watch.patience.polls_before_quarantine {
        assert!(is_due(&watch.state, at(watch.hours), false));
        watch.pass(&[
            failed(NPM, throttled()),
            failed(GITHUB, NetError::NotFound { name: GITHUB.into() }),
        ]);
    }
    let quarantine = watch.state.quarantine.clone().unwrap();
    assert!(quarantine.why.contains("not found"), "{}", quarantine.why);
    assert!(!is_due(&watch.state, at(watch.hours), false) && is_due(&watch.state, at(watch.hours), true));
    assert!(is_due(&watch.state, quarantine.next_try, false));
    watch.pass(&[npm(&["1.0.0"], "1.0.0"), failed(GITHUB, throttled())]);
    assert_eq!((watch.state.quarantine.clone(), watch.state.failures), (None, 0));
}

#[test]
fn how_patient_a_pass_is_can_be_set() {
    let mut watch = Watch::plain();
    watch.patience.polls_before_blind = 1;
    watch.patience.polls_before_quarantine = 2;
    let told = watch.pass(&[failed(NPM, throttled())]);
    assert!(
        told[0].starts_with("a: npm:a is blind since 2026-12-01T01:00:00Z"),
        "{told:?}"
    );
    assert_eq!(watch.state.quarantine, None);
    watch.pass(&[failed(NPM, throttled())]);
    assert!(watch.state.quarantine.is_some());
}

#[test]
fn offline_is_no_evidence_of_blindness() {
    let mut watch = Watch::plain();
    let offline = || failed(NPM, NetError::Offline { name: NPM.into() });
    watch.pass(&[npm(&["1.0.0"], "1.0.0")]);
    let seen = (watch.state.clone(), watch.releases.clone());
    for _ in 0..5 {
        assert_eq!(watch.pass(&[offline()]), [] as [&str; 0]);
    }
    assert_eq!(
        (watch.state.clone(), watch.releases.clone()),
        seen,
        "the last good answer stands"
    );
    // What was missed before stays missed, as often as it was.
    watch.pass(&[failed(NPM, throttled())]);
    watch.pass(&[offline()]);
    assert_eq!(watch.state.places[NPM].missed, 1);
}

#[test]
fn times_are_kept_and_told_without_fractions() {
    let mut watch = Watch::plain();
    watch.patience.polls_before_blind = 1;
    let outcome = pass(&Input {
        agent: &watch.agent,
        before: &watch.state,
        known: &watch.releases,
        verified: &[],
        answers: &[npm(&["1.0.0"], "1.0.0"), failed(GITHUB, throttled())],
        watch: watch.patience,
        now: "2026-12-01T00:00:00.987654321Z".parse().unwrap(),
    });
    watch.state = outcome.state.clone();
    watch.releases = outcome.releases;
    let kept = serde_json::to_string(&(&watch.state, &watch.releases, &outcome.events)).unwrap();
    assert!(kept.contains("2026-12-01T00:00:00Z") && !kept.contains(".98"), "{kept}");
}

#[test]
fn what_cannot_be_asked_here_is_neither_missed_nor_quarantined() {
    let mut watch = Watch::plain();
    for _ in 0..10 {
        let why = "no client".to_owned();
        watch.pass(&[failed(
            NPM,
            NetError::Unavailable {
                name: "npm".into(),
                why,
            },
        )]);
        watch.pass(&[failed(NPM, NetError::Offline { name: NPM.into() })]);
    }
    assert_eq!(
        (watch.state.quarantine.clone(), watch.state.places[NPM].missed),
        (None, 0)
    );
}

#[test]
fn an_event_is_data() {
    let event = Event {
        agent: "a".into(),
        kind: EventKind::ReleaseSeen {
            version: "1.0.0".into(),
            channels: vec![NPM.into()],
            standing: Standing::Newest,
        },
    };
    let text = serde_json::to_string(&event).unwrap();
    assert_eq!(
        text,
        r#"{"agent":"a","event":"release_seen","version":"1.0.0","channels":["npm:a"],"standing":"newest"}"#
    );
    assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
}
