//! One version, described twice.

use agent_contracts_config::Agents;
use agent_contracts_config::agent::Rank;
use agent_contracts_scanner::{Better, Context, ScanOptions, Scanner, SourceSpec, SourceVersion};
use agent_contracts_wire::Verdict;

use crate::fixture::folder;

const SCHEMA: &str = r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {
  "ServerNotification": {"oneOf": [{"$ref": "#/$defs/Note"}]},
  "Note": {"type": "object", "required": ["method", "ttl", "stop", "open"], "properties": {
    "method": {"const": "note"}, "ttl": {"type": "integer"}, "stop": {"type": "string"},
    "open": {"type": "object", "additionalProperties": true}, "old": {"type": "string"}}}}}"##;

const TYPES: &str = r#"
export const LATEST_PROTOCOL_VERSION = "1";
export type ServerNotification = Note;
export interface Note {
  method: "note";
  ttl: number | null;
  stop: "end" | "max" | string;
  open: object;
}
export interface Helper { unused: string }
"#;

#[tokio::test]
async fn what_the_agents_file_names_is_held_against_what_is_read() {
    let (_dir, path) = folder(&[("schema/draft/schema.json", SCHEMA), ("schema/draft/schema.ts", TYPES)]);
    let agents = Agents::embedded().unwrap();
    let mcp = agents.get("mcp").unwrap();
    let source = mcp
        .sources
        .iter()
        .find(|source| source.label().starts_with("git:"))
        .unwrap();
    let version = SourceVersion {
        version: "2025-11-25".to_owned(),
        prerelease: false,
        name: "git:o/n@2025-11-25".to_owned(),
        spec: SourceSpec::Dir { path },
        commit: None,
    };
    let scanner = Scanner::new(Context::default()).unwrap();
    let checks = scanner.cross_check(source, &version).await.unwrap();
    let [check] = checks.as_slice() else {
        panic!("{checks:?}")
    };
    let lines: Vec<String> = check
        .report
        .findings
        .iter()
        .zip(&check.also)
        .map(|(finding, also)| {
            format!(
                "{} {} at {}:{} and {}:{}",
                finding.rule,
                finding.path.as_deref().unwrap_or_default(),
                finding.location.file,
                finding.location.line,
                also.file,
                also.line
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            "field_removed old at schema/draft/schema.json:5 and schema/draft/schema.ts:4",
            "field_optionality_changed ttl at schema/draft/schema.ts:6 and schema/draft/schema.json:3",
        ]
    );
    assert_eq!((check.first.rank, check.second.rank), (Rank::Written, Rank::Written));
    assert_eq!(check.better, Better::First);
    assert!(check.why.contains("one rank"), "{}", check.why);
    assert!(
        check.left_out > 0,
        "an open list, an open object and a constant are no disagreement"
    );
}

#[tokio::test]
async fn the_better_of_any_two_follows_from_how_they_came_to_be() {
    let rust = "#[derive(Serialize)]\npub struct Note { pub text: String, pub more: Option<u32> }\n";
    let schema = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"Note":
        {"type": "object", "required": ["text"], "properties": {"text": {"type": "number"}, "more": {"type": ["integer", "null"]}}}}}"#;
    let (_a, code) = folder(&[("src/note.rs", rust)]);
    let (_b, printed) = folder(&[("note.json", schema)]);
    let source = |path: &std::path::Path| format!("dir:{}", path.display());
    let options = ScanOptions {
        roots: vec!["Note".to_owned()],
        ..ScanOptions::default()
    };
    let scopes = (&["*.json".to_owned()][..], &["src/*.rs".to_owned()][..]);
    let scanner = Scanner::new(Context::default()).unwrap();
    let check = scanner
        .cross_check_any(&source(&printed), &source(&code), &options, scopes)
        .await
        .unwrap();
    assert_eq!((check.first.rank, check.second.rank), (Rank::Generated, Rank::Executed));
    assert_eq!(check.better, Better::Second, "{}", check.why);
    let rules: Vec<&str> = check
        .report
        .findings
        .iter()
        .map(|finding| finding.rule.as_str())
        .collect();
    assert_eq!(
        rules,
        ["field_type_changed"],
        "whether `more` is always written is a habit of the generator"
    );
    assert_eq!(check.report.verdict, Verdict::Changes);
}
