//! Histories as they look: a long one stays readable, and nothing from outside gets out of its place.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_registry::history::{
    About, Happened, History, Line, NameEvent, NameHistory, Presence, SourceHistory, VersionPoint, VersionState,
};
use agent_contracts_reports::history::{markdown, picture, story};
use agent_contracts_wire::diff::inventory::NameKind;
use agent_contracts_wire::{Direction, Severity};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

fn point(version: &str) -> VersionPoint {
    VersionPoint {
        version: version.to_owned(),
        date: Some("2026-01-02".to_owned()),
        prerelease: false,
        commit: None,
        state: VersionState::Read,
        note: None,
    }
}

fn event(version: &str, what: Happened, severity: Severity) -> NameEvent {
    NameEvent {
        version: version.to_owned(),
        date: None,
        prerelease: false,
        what,
        severity,
        rule: None,
        with: None,
        other_name: None,
        before: Value::Null,
        after: Value::Null,
    }
}

fn name(holder: &str, path: &str, events: Vec<NameEvent>) -> NameHistory {
    let back = events.iter().filter(|event| event.what == Happened::CameBack).count();
    NameHistory {
        kind: if path.is_empty() {
            NameKind::Event
        } else {
            NameKind::Field
        },
        holder: holder.to_owned(),
        path: path.to_owned(),
        name: if path.is_empty() { holder } else { path }.to_owned(),
        type_name: "T".to_owned(),
        direction: Direction::Output,
        since: Some(events.first().map_or("1.0.0", |event| &event.version).to_owned()),
        from_the_first: events.first().is_none_or(|event| event.what != Happened::Appeared),
        previewed: None,
        now: Presence::Present,
        flips: u32::try_from(back).unwrap(),
        prerelease_flips: 0,
        severity: events
            .iter()
            .map(|event| event.severity)
            .max()
            .unwrap_or(Severity::None),
        events,
    }
}

fn history(versions: Vec<VersionPoint>, names: Vec<NameHistory>) -> History {
    History {
        schema_version: 1,
        agent: "quill".to_owned(),
        about: About::Protocol,
        asked: None,
        sources: vec![SourceHistory {
            line: Line {
                source: "git:acme/quill".to_owned(),
                versions,
                ..Line::default()
            },
            names,
        }],
        unread: Vec::new(),
    }
}

/// 600 versions and 900 names, something in every second version.
fn long() -> History {
    let versions: Vec<String> = (0..600).map(|number| format!("1.{number}.0")).collect();
    let names = (0..300).flat_map(|event_number| {
        let came = &versions[event_number * 2];
        let holder = format!("some.event.number_{event_number}");
        let head = name(&holder, "", vec![event(came, Happened::Appeared, Severity::Risky)]);
        let members = ["first", "second"].map(|member| {
            name(
                &holder,
                member,
                vec![event(came, Happened::Changed, Severity::Breaking)],
            )
        });
        std::iter::once(head).chain(members)
    });
    let names = names.collect();
    history(versions.iter().map(|version| point(version)).collect(), names)
}

/// The numbers behind an attribute, in the order of the text.
fn numbers(picture: &str, before: &str) -> Vec<f64> {
    let parts = picture.split(before).skip(1);
    parts
        .filter_map(|rest| rest.split(['"', ' ']).next()?.parse().ok())
        .collect()
}

#[test]
fn a_picture_of_six_hundred_versions_can_be_read() {
    let picture = picture(&long(), "Quill");
    let size = |attribute: &str| numbers(&picture, attribute)[0];
    assert!(size("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"") < 2_200.0);
    assert!(size("height=\"") < 2_800.0);
    // The names of versions stand aslant, so what matters is how far apart they begin.
    let labels = numbers(&picture, "transform=\"translate(");
    assert!(labels.len() > 20, "{labels:?}");
    assert!(labels.windows(2).all(|pair| pair[1] - pair[0] >= 13.0), "{labels:?}");
    assert!(picture.contains("not shown: "), "what does not fit is counted");
    assert!(picture.len() < 400_000, "{} bytes", picture.len());
    assert_eq!(picture, agent_contracts_reports::history::picture(&long(), "Quill"));
}

#[test]
fn quiet_versions_share_a_column() {
    let versions = (0..40).map(|number| point(&format!("1.{number}.0"))).collect();
    let names = vec![name(
        "a",
        "",
        vec![event("1.20.0", Happened::Appeared, Severity::Risky)],
    )];
    let picture = picture(&history(versions, names), "Quill");
    assert!(picture.contains(">+19<") && picture.contains(">+18<"), "{picture}");
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let odd = "</text><script>alert(1)</script>\u{202e}|@team";
    let names = vec![name(
        odd,
        "a|b",
        vec![event("1.0.0", Happened::Changed, Severity::Breaking)],
    )];
    let history = history(vec![point("1.0.0")], names);
    let picture = picture(&history, odd);
    assert!(
        !picture.contains("<script") && !picture.contains('\u{202e}'),
        "{picture}"
    );
    assert!(picture.contains("&lt;/text&gt;&lt;script&gt;"));
    let table = markdown(&history, odd);
    let parts: Vec<Event<'_>> = Parser::new_ext(&table, Options::ENABLE_TABLES).collect();
    let markup = |part: &Event<'_>| matches!(part, Event::Html(_) | Event::InlineHtml(_));
    assert!(!parts.iter().any(markup), "{table}");
    let cells = parts
        .iter()
        .filter(|part| matches!(part, Event::Start(Tag::TableCell)))
        .count();
    assert_eq!(cells, 10, "a bar begins no cell: {table}");
}

#[test]
fn coming_and_going_is_told_once() {
    let flips = ["1.1.0", "1.2.0", "1.3.0", "1.4.0"];
    let mut events = vec![event("1.0.0", Happened::Appeared, Severity::Additive)];
    for (index, version) in flips.iter().enumerate() {
        let what = if index % 2 == 0 {
            Happened::Left
        } else {
            Happened::CameBack
        };
        events.push(event(version, what, Severity::Breaking));
    }
    insta::assert_snapshot!(
        story(&name("a", "b", events)),
        @"1.0.0: came (additive); flip-flop: out 1.1.0, in again 1.2.0, out 1.3.0, in again 1.4.0"
    );
    insta::assert_snapshot!(story(&name("a", "b", vec![])), @"no change");
}
