//! Reports as they look, and that nothing from outside gets out of its place in them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_reports::{StepReport, markdown, sarif};
use agent_contracts_source_evidence::StepSide;
use agent_contracts_source_evidence::testing::{diff, evidence, finding, sides};
use agent_contracts_wire::{Diff, Severity, Verdict};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

fn report() -> StepReport {
    StepReport::of_evidence(&evidence("2026-06-27T10:00:00Z", &diff()).unwrap(), "Codex").unwrap()
}

fn of_diff(diff: Diff) -> StepReport {
    let side = |source: &str| StepSide {
        source: source.to_owned(),
        files: 1,
        types: 2,
        ..StepSide::default()
    };
    StepReport::of_diff(side("dir:old"), side("npm:@scope/name@1.0.0"), diff)
}

fn nothing(verdict: Verdict) -> Diff {
    Diff {
        findings: Vec::new(),
        moves: Vec::new(),
        unresolved: Vec::new(),
        degraded: Vec::new(),
        doubts: Vec::new(),
        verdict,
    }
}

#[test]
fn a_report_of_a_record() {
    insta::assert_snapshot!(markdown::step(&report()));
}

#[test]
fn a_report_without_findings_says_what_that_means() {
    insta::assert_snapshot!(markdown::step(&of_diff(nothing(Verdict::NoProtocolChange))));
    let inconclusive = Diff {
        unresolved: diff().unresolved,
        doubts: vec!["Event may stand in what could not be read: @x".to_owned()],
        ..nothing(Verdict::Inconclusive)
    };
    let text = markdown::step(&of_diff(inconclusive));
    assert!(
        text.contains("inconclusive: what could not be read may hold a change"),
        "{text}"
    );
    assert!(text.contains("they are unknown, not removed"), "{text}");
}

#[test]
fn a_report_of_very_many_findings_stays_readable_and_honest() {
    let mut diff = diff();
    for severity in [Severity::Risky, Severity::Additive] {
        diff.findings
            .extend((0..3_000).map(|index| finding("field_added", severity, "e", &format!("p{index}"))));
    }
    diff.unresolved = vec![diff.unresolved[0].clone(); 300];
    let text = markdown::step(&of_diff(diff));
    assert!(text.len() < 400_000, "{}", text.len());
    assert!(text.contains("more, in the evidence record"));
    assert!(text.contains("## Risky (3003)"));
    assert!(
        text.contains("## Could not be resolved (300)") && text.contains("- and 250 more"),
        "{text}"
    );
}

#[test]
fn nothing_from_outside_becomes_a_mention_a_link_an_image_or_html() {
    let mut report = report();
    let agent = report.agent.as_mut().unwrap();
    agent.name = "Code <b>x</b> @alice ![i](http://evil.example) #7 www.evil.example ` <!-- ".to_owned();
    report.to.source = "dir:`|<img src=x>@bob".to_owned();
    report.degraded[0].why = "see https://evil.example/@carol [x](y) [z]: http://evil.example | z".to_owned();
    report.moves[0].type_name = "``` @dave\n# x".to_owned();
    let text = markdown::step(&report);
    let mut headings = 0;
    for event in Parser::new_ext(
        &text,
        Options::ENABLE_GFM | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH,
    ) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                assert!(
                    dest_url.starts_with("https://github.com/openai/codex/blob/"),
                    "{dest_url}"
                );
            }
            Event::Start(Tag::Image { .. }) | Event::Html(_) | Event::InlineHtml(_) => panic!("{event:?} in {text}"),
            Event::Start(Tag::Heading { .. }) => headings += 1,
            // What GitHub makes links of in running text.
            Event::Text(text) if !text.contains("evil.example/x.png") => {
                for bad in ["@a", "@b", "@c", "@d", "@e", "#7", "#12", "://", "www."] {
                    assert!(!text.contains(bad), "{bad} in {text}");
                }
            }
            _ => {}
        }
    }
    assert_eq!(headings, 1 + 4 + 3 + 5, "title, severities, notes, findings");
    // A bar in a name does not begin another cell.
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        let bars = row.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 3, "{row}");
    }
}

fn schema() -> jsonschema::Validator {
    // A bracket in the pattern for languages is not escaped, which only some readers of regular expressions bear.
    let text = include_str!("data/sarif-schema-2.1.0.json").replace("{2}]?$", "{2}\\\\]?$");
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

#[test]
fn sarif_is_valid_and_looks_like_this() {
    let text = sarif::render(&report(), "0.1.0").unwrap();
    let log: Value = serde_json::from_str(&text).unwrap();
    let problems: Vec<String> = schema()
        .iter_errors(&log)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert_eq!(problems, Vec::<String>::new());
    insta::assert_snapshot!(text);
}

#[test]
fn sarif_without_findings_and_with_odd_names_is_valid_too() {
    let mut odd = diff();
    odd.findings[0].location.file = "a b/ü#?%.ts".to_owned();
    odd.findings[0].location.line = 0;
    odd.findings[1].location.file = String::new();
    for diff in [nothing(Verdict::NoProtocolChange), odd] {
        let log: Value = serde_json::from_str(&sarif::render(&of_diff(diff), "0.1.0").unwrap()).unwrap();
        assert!(schema().is_valid(&log), "{log}");
    }
    // And the schema is one that refuses something.
    assert!(!schema().is_valid(&serde_json::json!({"version": "2.1.0", "runs": [{"tool": {}}]})));
}

#[test]
fn the_place_of_what_is_gone_is_in_the_older_version() {
    let report = report();
    let (from, to) = sides();
    assert_eq!(report.side_of(&report.findings[0]), &from, "a removal");
    assert_eq!(report.side_of(&report.findings[2]), &to, "an addition");
}
