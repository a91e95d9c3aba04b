//! Every row of every field table of the specification: missing, of a wrong type, outside its values, with a neighbour
//! that nobody knows.

use agent_contracts_redact::Rules;
use agent_contracts_registry::records::Kind;
use agent_contracts_registry::validate;
use serde_json::{Value, json};

use crate::witness::{MATRIX, Witness};

/// A row: the member, whether it must be there, and a value of the right type that is not one of its values.
type Row = (&'static str, bool, Option<&'static str>);

const OBSERVATION: &[Row] = &[
    ("/schema_version", true, None),
    ("/agent", true, Some("\"Not An Agent\"")),
    ("/cli_version", true, Some("\"unknown\"")),
    ("/platform", true, Some("\"beos-x86\"")),
    ("/probe", true, Some("\"chat_tool\"")),
    ("/protocol_family", true, Some("\"json-event-stream/v2\"")),
    ("/validity_level", true, Some("\"synthetic_mock\"")),
    ("/install/source", true, Some("\"somewhere\"")),
    ("/install/binary_sha256", false, Some("\"sha256:ABC\"")),
    ("/command/argv_template", true, None),
    ("/command/stdin_mode", true, Some("\"prompt\"")),
    ("/capture/captured_at", true, Some("\"2026-06-27 10:00\"")),
    ("/capture/runner", true, Some("\" \"")),
    ("/capture/workflow_run_url", false, Some("\"http://example.com\"")),
    ("/capture/raw_stdout_sha256", false, Some("\"sha256:0\"")),
    ("/capture/raw_stderr_sha256", false, Some("\"sha256:0\"")),
    ("/capture/raw_client_transcript_sha256", true, Some("\"0\"")),
    ("/capture/raw_artifact_visibility", true, Some("\"secret\"")),
    ("/redaction/tool_version", true, Some("\"1\"")),
    ("/redaction/status", true, Some("\"ok\"")),
    ("/shape/signature", true, Some("\"sha256:0\"")),
    ("/shape/path", true, Some("\"fixtures/x\"")),
    ("/parser_replay/open_design_commit", false, Some("\"HEAD\"")),
    ("/parser_replay/status", false, Some("\"unsure\"")),
];

const EVIDENCE: &[Row] = &[
    ("/schema_version", true, None),
    ("/agent", true, Some("\"\"")),
    ("/protocol_family", true, Some("\"x/v1\"")),
    ("/validity_level", true, Some("\"confirmed\"")),
    ("/source_refs", true, Some("[]")),
    ("/derived_shape/signature", true, Some("\"x\"")),
    ("/derived_shape/path", true, Some("\"x\"")),
    ("/discovered_at", true, Some("\"yesterday\"")),
    ("/cli_version", false, None),
];

const SHAPE: &[Row] = &[
    ("/schema_version", true, None),
    ("/signature", true, Some("\"sha256:0\"")),
    ("/protocol_family", true, Some("\"json\"")),
    ("/validity_level", true, Some("\"seen\"")),
    ("/transport", true, Some("\"smoke\"")),
    ("/frame_count", true, Some("0")),
    ("/event_types", true, Some("[\"said\", \"said\"]")),
    ("/frame_shapes", true, Some("[]")),
    ("/frame_shapes/1/direction", true, Some("\"up\"")),
    ("/frame_shapes/1/stream", true, Some("\"stdfoo\"")),
    ("/frame_shapes/1/event_type", true, None),
    ("/frame_shapes/1/paths", true, None),
    ("/frame_shapes/1/paths/0/path", true, None),
    ("/frame_shapes/1/paths/0/type", true, Some("\"integer\"")),
    ("/frame_shapes/1/paths/0/required", true, None),
    ("/frame_shapes/1/enums", true, None),
    ("/stderr_class", false, Some("\"loud\"")),
    ("/exit", true, Some("\"0\"")),
];

const MATRIX_ROWS: &[Row] = &[
    ("/schema_version", true, None),
    ("/generated_at", true, Some("\"now\"")),
    ("/open_design_min_commit", false, Some("\"main\"")),
    ("/agents", true, None),
    ("/agents/0/agent", true, Some("\"A\"")),
    ("/agents/0/version_ranges", true, Some("[\"latest or so\"]")),
    ("/agents/0/platforms", true, Some("[\"amiga\"]")),
    ("/agents/0/protocol_families", true, Some("[\"scan-only/v1\"]")),
    ("/agents/0/support_status", true, Some("\"verified\"")),
    ("/agents/0/observed_shapes", true, None),
    ("/agents/0/observed_shapes/0/shape", true, Some("\"aaa\"")),
    (
        "/agents/0/observed_shapes/0/validity_level",
        true,
        Some("\"vendor_documented\""),
    ),
    ("/agents/0/observed_shapes/0/observed_at", true, Some("\"2026\"")),
    ("/agents/0/last_observed_at", true, Some("\"2026\"")),
    ("/agents/0/latest_verified", false, Some("\"a b\"")),
    ("/agents/0/latest_seen", false, Some("\"a b\"")),
    ("/agents/0/server_variants", false, None),
    ("/agents/0/server_variants/0/shape", true, Some("\"x\"")),
    ("/agents/0/server_variants/0/status", true, Some("\"fine\"")),
    ("/agents/0/known_breaking_shapes", false, None),
    ("/agents/0/known_breaking_shapes/0/shape", true, Some("\"x\"")),
    ("/agents/0/known_breaking_shapes/0/reason", true, Some("\"\"")),
    ("/agents/0/known_breaking_shapes/0/evidence", true, Some("\"../x\"")),
    ("/agents/0/policy", false, None),
    ("/agents/0/policy/allow_run", false, Some("\"maybe\"")),
    ("/agents/0/notes", false, None),
];

const ERROR: &[Row] = &[
    ("/schema_version", true, None),
    ("/agent", true, Some("\"\"")),
    ("/probe", true, Some("\"auth_failure\"")),
    ("/raw_shape", true, Some("\"x\"")),
    ("/classifier_input", true, None),
    ("/classifier_input/result", true, Some("\"broken\"")),
    ("/classifier_input/status", true, None),
    ("/classifier_input/status/status", true, Some("\"\"")),
    ("/classifier_input/errorCode", false, Some("\"\"")),
    ("/classifier_input/events", false, None),
    ("/classifier_input/events/0/event", true, Some("\"\"")),
    ("/expected_failure_classification", true, None),
    (
        "/expected_failure_classification/failure_category",
        true,
        Some("\"bad\""),
    ),
    ("/expected_failure_classification/failure_detail", true, Some("\"bad\"")),
    ("/expected_failure_classification/failure_stage", true, Some("\"bad\"")),
    ("/expected_failure_classification/retryable", true, None),
    (
        "/expected_failure_classification/user_action",
        true,
        Some("\"reauthenticate\""),
    ),
];

/// Every table with a record in which each of its members stands.
pub(crate) fn tables() -> Vec<(&'static str, Value, &'static [Row])> {
    let witness = Witness::new();
    let mut matrix = witness.read(MATRIX);
    let shape = matrix["agents"][0]["observed_shapes"][0]["shape"].clone();
    matrix["agents"][0]["server_variants"] = json!([{"shape": shape, "status": "compatible"}]);
    matrix["agents"][0]["known_breaking_shapes"] = json!([{"shape": shape, "reason": "x", "evidence": MATRIX}]);
    matrix["agents"][0]["notes"] = json!(["x"]);
    vec![
        ("observation", witness.read(&witness.observation), OBSERVATION),
        ("source-evidence", witness.read(&witness.evidence), EVIDENCE),
        ("shape", witness.read(&witness.shape), SHAPE),
        ("support-matrix", matrix, MATRIX_ROWS),
        ("error-case", witness.read(&witness.error), ERROR),
    ]
}

fn told(kind: &Kind, value: &Value) -> Vec<(String, String)> {
    let bytes = serde_json::to_vec(value).unwrap();
    let problems = validate::record(kind, "x", &bytes, &Rules::builtin().unwrap());
    problems
        .into_iter()
        .map(|problem| (problem.code, problem.pointer))
        .collect()
}

fn split(pointer: &str) -> (&str, &str) {
    pointer.rsplit_once('/').unwrap()
}

#[test]
fn every_row_of_every_table() {
    for (id, record, rows) in tables() {
        let kind = Kind::of_id(id).unwrap();
        assert_eq!(told(kind, &record), [], "{id} is no valid record");
        for (pointer, required, outside) in rows {
            let (parent, name) = split(pointer);
            let has = |value: &Value, numbers: &[u16], place: &str, what: &str| {
                let told = told(kind, value);
                let wanted = numbers
                    .iter()
                    .map(|number| (format!("{}{number:03}", kind.letters), place.to_owned()));
                let mut wanted = wanted;
                assert!(
                    wanted.any(|want| told.contains(&want)),
                    "{id} {pointer} {what}: {told:?}"
                );
            };
            let mut missing = record.clone();
            let removed = missing
                .pointer_mut(parent)
                .unwrap()
                .as_object_mut()
                .unwrap()
                .remove(name);
            assert!(removed.is_some() || !required, "{id} has no {pointer}");
            if *required {
                has(&missing, &[1], pointer, "missing");
            } else {
                assert_eq!(told(kind, &missing), [], "{id} {pointer} may be left out");
            }
            let mut other = record.clone();
            let wrong = match removed {
                Some(Value::Bool(_) | Value::Object(_)) => json!("x"),
                _ => json!(true),
            };
            other.pointer_mut(parent).unwrap()[name] = wrong;
            has(&other, &[3, 7], pointer, "of a wrong type");
            if let Some(outside) = outside {
                let mut other = record.clone();
                other.pointer_mut(parent).unwrap()[name] = serde_json::from_str(outside).unwrap();
                let told = told(kind, &other);
                assert!(
                    told.iter().any(|(code, at)| at.starts_with(pointer)
                        && code.starts_with(kind.letters)
                        && !code.ends_with("003")),
                    "{id} {pointer} outside its values: {told:?}"
                );
            }
            let mut more = record.clone();
            more.pointer_mut(parent).unwrap()["nobody_knows"] = json!(1);
            has(
                &more,
                &[2],
                &format!("{parent}/nobody_knows"),
                "with an unknown neighbour",
            );
        }
        let mut higher = record.clone();
        higher["schema_version"] = json!(2);
        assert_eq!(
            told(kind, &higher),
            [(format!("{}007", kind.letters), "/schema_version".to_owned())]
        );
    }
}
