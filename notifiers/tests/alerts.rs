//! Alerts as they look, within their limits, and that nothing from outside gets out of its place in them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_notifiers::outbox::entry_for;
use agent_contracts_notifiers::{Alert, Links, card, issue};
use agent_contracts_registry::{OutboxState, Store, Written};
use agent_contracts_reports::StepReport;
use agent_contracts_source_evidence::testing::{diff, evidence, finding};
use agent_contracts_wire::{Diff, Severity};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

const REPORT: &str = "reports/diffs/codex/0.132.0..0.133.0-12345678.md";

fn step(diff: &Diff) -> (StepReport, String) {
    let record = evidence("2026-06-27T10:00:00Z", diff).unwrap();
    (StepReport::of_evidence(&record, "Codex").unwrap(), REPORT.to_owned())
}

fn alert() -> Alert {
    Alert::of_steps([step(&diff())]).unwrap()
}

fn links() -> Links {
    Links {
        tree: Some("https://github.com/owner/registry/blob/main/contracts/".to_owned()),
        capture_run: None,
    }
}

fn large() -> Alert {
    let mut diff = diff();
    let long = "x".repeat(3_000);
    for (index, severity) in (0..300).zip(
        [Severity::Breaking, Severity::Risky, Severity::Additive]
            .into_iter()
            .cycle(),
    ) {
        let mut more = finding(
            "field_type_changed",
            severity,
            &format!("{long}{index}"),
            &format!("{long}.{index}"),
        );
        more.before = json!({"from": long});
        more.witness = Some(json!({"frame": long}));
        diff.findings.push(more);
    }
    let mut steps: Vec<(StepReport, String)> = (0..6).map(|_| step(&diff)).collect();
    for (index, (report, _)) in steps.iter_mut().enumerate() {
        report.family = Some(format!("family{index}-{long}"));
        report.agent.as_mut().unwrap().name.clone_from(&long);
    }
    Alert::of_steps(steps).unwrap()
}

#[test]
fn an_issue_looks_like_this() {
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        issue::title(&alert()),
        issue::body(&alert(), &links())
    ));
}

#[test]
fn an_issue_without_addresses_names_the_files() {
    let body = issue::body(&alert(), &Links::default());
    assert!(body.contains(&format!("- Report: `{REPORT}`")), "{body}");
    assert!(!body.contains("Capture run"));
}

#[test]
fn a_card_looks_like_this() {
    insta::assert_snapshot!(card::render(&alert(), &links()).unwrap());
}

#[test]
fn an_entry_looks_like_this() {
    let prepared = entry_for(&alert(), &links()).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&prepared.entry).unwrap());
}

#[test]
fn nothing_risky_means_no_alert() {
    let mut diff = diff();
    diff.findings.retain(|finding| finding.severity < Severity::Risky);
    assert_eq!(Alert::of_steps([step(&diff)]), None);
    assert_eq!(Alert::of_steps([]), None);
}

#[test]
fn all_families_of_one_version_are_one_thread_in_any_order() {
    let mut risky = diff();
    risky.findings.retain(|finding| finding.severity < Severity::Breaking);
    let one = step(&diff());
    let mut two = step(&risky);
    two.0.family = Some("codex-app-server/v1".to_owned());
    let mut other_version = step(&diff());
    other_version.0.to.version = "0.134.0".to_owned();

    let alert = Alert::of_steps([two.clone(), one.clone()]).unwrap();
    assert_eq!(Alert::of_steps([one.clone(), two.clone()]).unwrap(), alert);
    assert_eq!(alert.steps.len(), 2);
    assert_eq!(alert.severity(), Severity::Breaking);
    assert_eq!(
        alert.counts().words(),
        "2 breaking, 6 risky, 4 additive, 2 without effect"
    );
    assert_eq!(alert.fingerprint(), self::alert().fingerprint());
    assert_eq!(Alert::of_steps([one, other_version]).unwrap().steps.len(), 1);
}

#[test]
fn a_large_alert_stays_within_the_limits_and_says_what_it_leaves_out() {
    let alert = large();
    let body = issue::body(&alert, &links());
    assert!(body.len() < 60_000, "{}", body.len());
    assert!(body.contains("more that are risky or breaking; they are in the report."));
    assert!(body.trim_end().ends_with(&issue::marker(&alert.fingerprint())));
    let title = issue::title(&alert);
    assert!(title.chars().count() <= 161, "{title}");
    let card = card::render(&alert, &links()).unwrap();
    assert!(card.len() <= 20_000, "{}", card.len());
    assert!(card.contains("more that are risky or breaking"));
    assert_eq!(problems(&card), Vec::<String>::new());
}

#[test]
fn nothing_from_outside_becomes_a_mention_a_link_an_image_or_html_in_an_issue() {
    let mut alert = alert();
    alert.agent.name = "Code <b>x</b> @alice ![i](http://evil.example) #7 --> ` <!-- ".to_owned();
    alert.version = "1.0 @bob `<img>`".to_owned();
    let body = issue::body(&alert, &links());
    let mut comments = 0;
    for event in Parser::new_ext(&body, Options::ENABLE_GFM | Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(dest_url.starts_with("https://github.com/"), "{dest_url}");
            }
            Event::Html(html) if html.starts_with("<!-- agent-contracts:thread sha256:") => comments += 1,
            Event::Start(Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) => panic!("{event:?} in {body}"),
            Event::Text(text) if !text.contains("evil.example/x.png") => {
                for bad in ["@a", "@b", "@e", "#7", "#12", "://evil"] {
                    assert!(!text.contains(bad), "{bad} in {text}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(comments, 1, "the marker is the only comment");
    assert_eq!(body.matches("agent-contracts:thread").count(), 1);
}

#[test]
fn a_source_cannot_forge_the_marker_of_another_thread() {
    let mut diff = diff();
    diff.findings[0].before = json!(format!("x {} y", issue::marker("sha256:other")));
    let alert = Alert::of_steps([step(&diff)]).unwrap();
    let body = issue::body(&alert, &links());
    let last = body.trim_end().lines().last().unwrap();
    assert_eq!(
        last,
        issue::marker(&alert.fingerprint()),
        "the thread's own marker is the last line, alone"
    );
    assert!(!body.lines().any(|line| line.trim() == issue::marker("sha256:other")));
}

#[test]
fn nothing_from_outside_becomes_mark_up_in_a_card() {
    let mut alert = alert();
    alert.agent.name = "<at id=all></at> [x](https://evil.example) ![y](z) **b** www.evil.example".to_owned();
    let card: Value = serde_json::from_str(&card::render(&alert, &links()).unwrap()).unwrap();
    for element in card["body"]["elements"].as_array().unwrap() {
        let Some(content) = element["content"].as_str() else {
            continue;
        };
        // All that is left of mark-up is our own bold type and our lists.
        let rest = content.replace("**", "");
        for bad in [
            "<at",
            "<script",
            "<img",
            "](",
            "![",
            "@everyone",
            "://evil",
            "www.evil",
            "`",
            "*",
        ] {
            assert!(!rest.contains(bad), "{bad} in {rest}");
        }
    }
}

/// The part of card JSON 2.0 that we use. Unknown properties are errors there, so they are here.
fn problems(card: &str) -> Vec<String> {
    let closed = |required: &[&str], properties: Value| json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties});
    let plain_text = closed(
        &["tag", "content"],
        json!({"tag": {"const": "plain_text"}, "content": {"type": "string"}}),
    );
    let markdown = closed(
        &["tag", "content"],
        json!({"tag": {"const": "markdown"}, "content": {"type": "string"}}),
    );
    let hr = closed(&["tag"], json!({"tag": {"const": "hr"}}));
    let open = closed(
        &["type", "default_url"],
        json!({"type": {"const": "open_url"}, "default_url": {"type": "string", "pattern": "^https://"}}),
    );
    let button = closed(
        &["tag", "text", "behaviors"],
        json!({"tag": {"const": "button"}, "text": plain_text, "type": {"const": "default"}, "behaviors": {"type": "array", "items": open}}),
    );
    let schema = closed(
        &["schema", "body"],
        json!({
            "schema": {"const": "2.0"},
            "config": closed(&[], json!({"update_multi": {"const": true}, "summary": closed(&["content"], json!({"content": {"type": "string"}}))})),
            "header": closed(&["title"], json!({
                "title": plain_text, "subtitle": plain_text,
                "template": {"enum": ["blue", "wathet", "turquoise", "green", "yellow", "orange", "red", "carmine", "violet", "purple", "indigo", "grey", "default"]},
            })),
            "body": closed(&["elements"], json!({"elements": {"type": "array", "items": {"oneOf": [markdown, hr, button]}}})),
        }),
    );
    let validator = jsonschema::validator_for(&schema).unwrap();
    let card: Value = serde_json::from_str(card).unwrap();
    validator
        .iter_errors(&card)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect()
}

#[test]
fn a_card_has_only_what_the_format_knows_and_the_fields_of_the_specification() {
    let capture_run = Some("https://github.com/owner/registry/actions/runs/1".to_owned());
    for links in [links(), Links::default(), Links { capture_run, ..links() }] {
        let card = card::render(&alert(), &links).unwrap();
        assert_eq!(problems(&card), Vec::<String>::new());
        for field in [
            "Agent",
            "CLI version",
            "Platform",
            "Shape status",
            "New event types and changed fields",
            "Parser compatibility",
            "Contract issue",
            "Capture workflow run",
            "Redaction status",
            "Grounding",
            "source derived only",
        ] {
            assert!(card.contains(field), "{field}");
        }
    }
    assert!(!problems(r#"{"schema": "2.0", "body": {"elements": [{"tag": "note"}]}}"#).is_empty());
}

#[test]
fn the_colour_is_that_of_the_worst() {
    let template = |severity: Severity| {
        let mut diff = diff();
        diff.findings.retain(|finding| finding.severity <= severity);
        let card = card::render(&Alert::of_steps([step(&diff)]).unwrap(), &links()).unwrap();
        serde_json::from_str::<Value>(&card).unwrap()["header"]["template"].clone()
    };
    assert_eq!(template(Severity::Breaking), "red");
    assert_eq!(template(Severity::Risky), "orange");
}

#[test]
fn the_outbox_keeps_one_entry_a_thread_and_a_second_run_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let put = |alert: &Alert| {
        let prepared = entry_for(alert, &links()).unwrap();
        let writer = store.lock().unwrap();
        let (entry, puts) = writer
            .put_alert(&prepared.entry, &prepared.issue, &prepared.card)
            .unwrap();
        (entry, puts.into_iter().map(|put| put.written).collect::<Vec<_>>())
    };
    let (entry, written) = put(&alert());
    assert_eq!(written, [Written::New; 3]);
    assert_eq!(
        (entry.state, entry.created_at.as_str()),
        (OutboxState::Pending, "2026-06-27T10:00:00Z")
    );
    assert_eq!(put(&alert()).1, [Written::Same; 3]);

    // A second family of the same version changes the thread and makes no other.
    let mut second = step(&diff());
    second.0.family = Some("codex-app-server/v1".to_owned());
    assert_eq!(
        put(&Alert::of_steps([step(&diff()), second]).unwrap()).1,
        [Written::Changed; 3]
    );
    assert_eq!(store.outbox().unwrap().len(), 1);
    assert_eq!(
        store.read(&entry.issue.path).unwrap().map(|text| text.len() > 100),
        Some(true)
    );
}
