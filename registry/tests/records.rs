//! The specification's own examples are records, and what they lose or gain makes them none.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use agent_contracts_registry::records::{
    CompatibilityDto, ErrorCase, ExpectedMinEvents, KINDS, Kind, Observation, Promotion, SupportMatrix,
};
use serde_json::{Value, json};

fn hash(digit: char) -> String {
    format!("sha256:{}", digit.to_string().repeat(64))
}

fn observation() -> Value {
    json!({
        "schema_version": 1,
        "agent": "codex",
        "cli_version": "0.133.0",
        "platform": "darwin-arm64",
        "probe": "chat-tool-success",
        "protocol_family": "json-event-stream/v1",
        "validity_level": "runtime_observed",
        "install": {"source": "npm:@openai/codex@0.133.0", "binary_sha256": hash('1')},
        "command": {
            "argv_template": ["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write", "-C", "{cwd}"],
            "stdin_mode": "text-prompt"
        },
        "capture": {
            "captured_at": "2026-06-27T10:00:00Z",
            "runner": "github-actions/macos-15-arm64",
            "workflow_run_url": "https://github.com/acme/contracts/actions/runs/1",
            "raw_stdout_sha256": hash('2'),
            "raw_stderr_sha256": hash('3'),
            "raw_client_transcript_sha256": hash('4'),
            "raw_artifact_visibility": "private"
        },
        "redaction": {"tool_version": "0.1.0", "status": "passed"},
        "shape": {
            "signature": hash('a'),
            "path": format!("shapes/json-event-stream/sha256-{}.shape.json", "a".repeat(64))
        },
        "parser_replay": {
            "open_design_commit": "b784c8650",
            "status": "compatible",
            "golden": format!("goldens/open-design-parser/json-event-stream/sha256-{}.events.json", "a".repeat(64))
        }
    })
}

fn matrix(entry: &Value) -> Value {
    json!({"schema_version": 1, "generated_at": "2026-06-27T10:00:00Z", "open_design_min_commit": "b784c8650", "agents": [entry]})
}

fn range_entry() -> Value {
    json!({
        "agent": "codex",
        "version_ranges": [">=0.133.0 <0.140.0"],
        "platforms": ["darwin-arm64", "linux-x64"],
        "protocol_families": ["json-event-stream/v1"],
        "support_status": "version_range_verified",
        "observed_shapes": [
            {"shape": hash('a'), "validity_level": "confirmed", "observed_at": "2026-06-27T10:00:00Z"}
        ],
        "last_observed_at": "2026-06-27T10:00:00Z",
        "latest_verified": "0.133.0",
        "latest_seen": "0.134.1",
        "server_variants": [],
        "known_breaking_shapes": [
            {"shape": hash('c'), "reason": "missing required assistant text event", "evidence": "observations/codex/0.134.1"}
        ],
        "policy": {"allow_run": "warn"},
        "notes": ["0.134.x has been seen but not promoted beyond the observed shape set."]
    })
}

fn variant_entry() -> Value {
    json!({
        "agent": "codex",
        "version_ranges": ["0.133.0"],
        "platforms": ["darwin-arm64"],
        "protocol_families": ["json-event-stream/v1"],
        "support_status": "server_variant_possible",
        "observed_shapes": [
            {"shape": hash('a'), "validity_level": "runtime_observed", "observed_at": "2026-06-27T09:30:00Z"},
            {"shape": hash('b'), "validity_level": "runtime_observed", "observed_at": "2026-06-27T10:00:00Z"}
        ],
        "last_observed_at": "2026-06-27T10:00:00Z",
        "server_variants": [
            {"shape": hash('a'), "status": "compatible"},
            {"shape": hash('b'), "status": "compatible_pending_fixture"}
        ],
        "policy": {"allow_run": "warn"},
        "notes": ["Run a local probe to determine the active server-side shape."]
    })
}

fn error_case() -> Value {
    json!({
        "schema_version": 1,
        "agent": "claude",
        "probe": "auth-failure",
        "raw_shape": hash('d'),
        "classifier_input": {
            "result": "failed",
            "status": {"status": "failed", "error": "Claude Code is not authenticated"},
            "errorCode": "AGENT_AUTH_REQUIRED",
            "events": [{"event": "stderr", "data": {"chunk": "Claude Code is not authenticated"}}]
        },
        "expected_failure_classification": {
            "failure_category": "auth",
            "failure_detail": "auth_required",
            "failure_stage": "session_init",
            "retryable": false,
            "user_action": "login"
        }
    })
}

fn compatibility() -> Value {
    json!({
        "schema_version": 1,
        "generated_at": "2026-06-27T10:00:00Z",
        "agent": "codex",
        "installed_version": "0.133.0",
        "platform": "darwin-arm64",
        "status": "server_variant_possible",
        "policy": {"allow_run": "warn", "user_action": "run_local_probe"},
        "evidence": {
            "version_range": ">=0.133.0 <0.134.0",
            "shape_signature": hash('e'),
            "observed_at": "2026-06-27T10:00:00Z",
            "source": "support_matrix",
            "server_variant_possible": true
        }
    })
}

fn promotion() -> Value {
    let observation = |digit: char| {
        json!({
            "path": format!("observations/codex/0.133.0/linux-x64/2026-06-27T100000Z.chat-tool-success.{}.observation.json", digit.to_string().repeat(8)),
            "sha256": hash(digit),
        })
    };
    json!({
        "schema_version": 1,
        "agent": "codex",
        "decided_at": "2026-06-29T10:00:00Z",
        "reason": "seen again two days later",
        "action": {
            "kind": "promote",
            "to": "confirmed",
            "observations": [observation('1'), observation('2')],
            "independence": "time_window"
        },
        "attestation": {
            "by": "octocat",
            "role": "maintainer",
            "at": "2026-06-29T10:00:00Z",
            "tool_version": "0.1.0",
            "redaction_checked": true,
            "artifacts": [{"raw_sha256": hash('4'), "sanitized_sha256": hash('5')}]
        }
    })
}

/// Every example, by kind.
fn examples() -> Vec<(&'static str, Value)> {
    vec![
        ("observation", observation()),
        ("support-matrix", matrix(&range_entry())),
        ("support-matrix", matrix(&variant_entry())),
        ("error-case", error_case()),
        ("compatibility", compatibility()),
        ("promotion", promotion()),
        (
            "expected-min-events",
            json!({
                "must_see": ["init_or_status", "assistant_text", "done"],
                "optional": ["tool_use", "tool_result", "usage"],
                "forbidden": ["raw_secret", "local_home_path"]
            }),
        ),
    ]
}

fn validator(kind: &str) -> jsonschema::Validator {
    let kind = Kind::of_id(kind).unwrap();
    jsonschema::options()
        .should_validate_formats(true)
        .build(&(kind.schema)(kind))
        .unwrap()
}

fn parses(kind: &str, value: &Value) -> Result<(), String> {
    fn read<T: serde::de::DeserializeOwned + serde::Serialize>(value: &Value) -> Result<(), String> {
        let record: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        let again = serde_json::to_value(&record).map_err(|error| error.to_string())?;
        let twice: T = serde_json::from_value(again.clone()).map_err(|error| error.to_string())?;
        assert_eq!(serde_json::to_value(twice).unwrap(), again);
        Ok(())
    }
    match kind {
        "observation" => read::<Observation>(value),
        "support-matrix" => read::<SupportMatrix>(value),
        "error-case" => read::<ErrorCase>(value),
        "compatibility" => read::<CompatibilityDto>(value),
        "promotion" => read::<Promotion>(value),
        "expected-min-events" => read::<ExpectedMinEvents>(value),
        other => panic!("no reader for {other}"),
    }
}

#[test]
fn the_examples_of_the_specification_are_records() {
    for (kind, value) in examples() {
        let errors: Vec<String> = validator(kind)
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{kind}");
        assert_eq!(parses(kind, &value), Ok(()), "{kind}");
    }
}

#[test]
fn every_schema_is_one() {
    for kind in KINDS {
        let schema = (kind.schema)(kind);
        assert!(jsonschema::meta::is_valid(&schema), "{}", kind.id);
        assert!(
            jsonschema::options()
                .should_validate_formats(true)
                .build(&schema)
                .is_ok(),
            "{}",
            kind.id
        );
        assert_eq!(
            KINDS
                .iter()
                .filter(|other| other.id == kind.id || other.letters == kind.letters)
                .count(),
            1
        );
    }
}

#[test]
fn an_observation_knows_its_place() {
    let observation: Observation = serde_json::from_value(observation()).unwrap();
    assert_eq!(
        observation.place(),
        "observations/codex/0.133.0/darwin-arm64/2026-06-27T100000Z.chat-tool-success.44444444.observation.json"
    );
    assert_eq!(
        Kind::of_path(&observation.place()).map(|kind| kind.id),
        Some("observation")
    );
    let promotion: Promotion = serde_json::from_value(promotion()).unwrap();
    assert_eq!(
        Kind::of_path(&promotion.place().unwrap()).map(|kind| kind.id),
        Some("promotion")
    );
    let error: ErrorCase = serde_json::from_value(error_case()).unwrap();
    assert_eq!(error.place(), "errors/claude/auth-failure.dddddddd.error.json");
}
