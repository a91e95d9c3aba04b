//! A tree in which everything is true: one agent, one probe, two captures of one version, a promotion, a claim.

use std::fs;
use std::path::Path;

use agent_contracts_registry::Store;
use agent_contracts_registry::matrix::generate;
use agent_contracts_registry::records::{Observation, Promotion};
use agent_contracts_registry::store::pretty;
use agent_contracts_registry::validate::{self, Options, Report};
use agent_contracts_shapes::{
    Exit, FrameDirection, FrameShape, Normaliser, PathShape, PathType, Profile, Rules, Shape, StderrClass, Stream,
    Validity,
};
use agent_contracts_wire::{Family, canonical};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const NOW: &str = "2026-07-01T00:00:00Z";

pub(crate) fn hash(digit: char) -> String {
    format!("sha256:{}", digit.to_string().repeat(64))
}

/// The tree on disk.
pub(crate) struct Witness {
    folder: TempDir,
    /// Where things stand in it.
    pub(crate) observation: String,
    pub(crate) second: String,
    pub(crate) promotion: String,
    pub(crate) shape: String,
    pub(crate) fixture: String,
    pub(crate) evidence: String,
    pub(crate) error: String,
}

pub(crate) const MATRIX: &str = "registry/support-matrix.json";
pub(crate) const AGENTS: &str = "registry/agents.json";
pub(crate) const PROBE: &str = "probes/chat-text-success/probe.json";

impl Witness {
    pub(crate) fn new() -> Self {
        let shape = shape(Validity::RuntimeObserved);
        let derived = derived();
        let name = shape.signature.replacen(':', "-", 1);
        let fixture = format!("fixtures/json-event-stream/{name}.sanitized.jsonl");
        let mut witness = Self {
            folder: tempfile::tempdir().unwrap(),
            observation: String::new(),
            second: String::new(),
            promotion: String::new(),
            shape: shape.place().unwrap(),
            fixture: fixture.clone(),
            evidence: String::new(),
            error: String::new(),
        };
        witness.json(AGENTS, &agents());
        witness.json("registry/releases/quill.json", &releases());
        witness.json(PROBE, &probe("chat-text-success", "success"));
        witness.text("probes/chat-text-success/prompt.md", "Say one word.\n");
        witness.json(
            "probes/chat-text-success/expected-min-events.json",
            &json!({"must_see": ["assistant_text"]}),
        );
        witness.json("probes/auth-failure/probe.json", &probe("auth-failure", "failure"));
        witness.text("probes/auth-failure/prompt.md", "Say one word.\n");
        witness.json(
            "probes/auth-failure/env-policy.json",
            &json!({"credentials": "absent", "network": "provider"}),
        );
        witness.json(&profile().place(), &profile());
        witness.json(&witness.shape, &shape);
        witness.json(&derived.place().unwrap(), &derived);
        witness.text(&fixture, TRANSCRIPT);

        let first: Observation = serde_json::from_value(observation(&shape, "2026-06-27T10:00:00Z", '4')).unwrap();
        let second: Observation = serde_json::from_value(observation(&shape, "2026-06-29T10:00:00Z", '5')).unwrap();
        witness.observation = first.place();
        witness.second = second.place();
        witness.json(&witness.observation, &first);
        witness.json(&witness.second, &second);

        let promotion: Promotion = serde_json::from_value(witness.promotion()).unwrap();
        witness.promotion = promotion.place().unwrap();
        witness.json(&witness.promotion, &promotion);

        let evidence = evidence(&derived);
        witness.evidence = evidence.place();
        witness.json(&witness.evidence, &evidence);
        let index = agent_contracts_registry::index::derive(&[(witness.evidence.clone(), evidence)]);
        witness.json("source-evidence/index.json", &index);
        let error = error_case();
        "errors/quill/auth-failure.44444444.error.json".clone_into(&mut witness.error);
        witness.json(&witness.error, &error);
        witness.claim();
        witness
    }

    /// Makes the matrix anew, after records were changed on purpose.
    pub(crate) fn claim(&self) {
        let records = Store::open(self.path()).unwrap().claim_records().unwrap();
        self.json(MATRIX, &generate(&records).matrix);
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn text(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn json<T: serde::Serialize>(&self, path: &str, value: &T) {
        self.text(path, pretty(value).unwrap());
    }

    pub(crate) fn read(&self, path: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path().join(path)).unwrap()).unwrap()
    }

    /// Changes a record; `edit` gets its value.
    pub(crate) fn edit(&self, path: &str, edit: impl FnOnce(&mut Value)) {
        let mut value = self.read(path);
        edit(&mut value);
        self.json(path, &value);
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path().join(path)).unwrap();
    }

    pub(crate) fn rename(&self, from: &str, to: &str) {
        let to = self.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::rename(self.path().join(from), to).unwrap();
    }

    pub(crate) fn report(&self) -> Report {
        let options = Options {
            now: NOW.parse().ok(),
            only: Vec::new(),
        };
        validate::tree(&Store::open(self.path()).unwrap(), &options).unwrap()
    }

    /// `CODE FILE POINTER` of every problem.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.report()
            .problems
            .iter()
            .map(|problem| format!("{} {}#{}", problem.code, problem.file, problem.pointer))
            .collect()
    }

    fn promotion(&self) -> Value {
        let named = |path: &str| {
            let bytes = fs::read(self.path().join(path)).unwrap();
            json!({"path": path, "sha256": canonical::sha256(&bytes)})
        };
        json!({
            "schema_version": 1,
            "agent": "quill",
            "decided_at": "2026-06-30T10:00:00Z",
            "reason": "seen again two days later",
            "action": {
                "kind": "promote",
                "to": "confirmed",
                "observations": [named(&self.observation), named(&self.second)],
                "independence": "time_window"
            },
            "attestation": {
                "by": "octocat",
                "role": "maintainer",
                "at": "2026-06-30T10:00:00Z",
                "tool_version": "0.1.0",
                "redaction_checked": true,
                "artifacts": [
                    {"raw_sha256": hash('4'), "sanitized_sha256": canonical::sha256(TRANSCRIPT.as_bytes())},
                    {"raw_sha256": hash('5'), "sanitized_sha256": canonical::sha256(TRANSCRIPT.as_bytes())}
                ]
            }
        })
    }
}

pub(crate) const TRANSCRIPT: &str = concat!(
    r#"{"dir":"server->cli","stream":"stdin","at_ms":0,"data_ref":"prompt"}"#,
    "\n",
    r#"{"dir":"cli->server","stream":"stdout","at_ms":220,"data":"{\"type\":\"said\",\"text\":\"<text>\"}\n"}"#,
    "\n",
    r#"{"dir":"process","event":"exit","at_ms":920,"exit_code":0,"signal":null}"#,
    "\n",
);

fn frame(event: &str, paths: &[(&str, PathType, bool)]) -> FrameShape {
    FrameShape {
        direction: FrameDirection::Output,
        stream: Stream::Stdout,
        event_type: event.to_owned(),
        paths: paths
            .iter()
            .map(|(path, ty, required)| PathShape {
                path: (*path).to_owned(),
                ty: *ty,
                required: *required,
            })
            .collect(),
        enums: [("type".to_owned(), vec![event.to_owned()])].into(),
    }
}

pub(crate) fn profile() -> Profile {
    let family = Family::of("json-event-stream/v1").unwrap();
    Profile::new(Some("quill"), family, &Rules::default()).unwrap()
}

/// The shape of the transcript.
pub(crate) fn shape(level: Validity) -> Shape {
    let mut normaliser = Normaliser::new(&profile()).unwrap();
    for line in TRANSCRIPT.lines() {
        normaliser.push(&serde_json::from_str(line).unwrap());
    }
    normaliser.finish(level).unwrap().shape
}

/// A shape that source declares: it has one more frame.
pub(crate) fn derived() -> Shape {
    let family = Family::of("json-event-stream/v1").unwrap();
    let frames = vec![
        frame("closed", &[("type", PathType::String, true)]),
        frame(
            "said",
            &[("text", PathType::String, true), ("type", PathType::String, true)],
        ),
    ];
    Shape::new(
        family,
        Validity::SourceDerived,
        frames,
        StderrClass::None,
        Exit::Unknown,
    )
    .unwrap()
}

fn agents() -> Value {
    let agent = |id: &str, scan_only: bool, family: &str, transport: &str| {
        json!({
            "id": id, "name": id, "tier": 1, "scan_only": scan_only,
            "protocol_families": [family], "transports": [transport],
            "minimum_probes": [], "exempt_probes": {}, "missing": []
        })
    };
    json!({"schema_version": 1, "agents": [
        agent("quill", false, "json-event-stream/v1", "jsonl"),
        agent("wire", true, "scan-only/v1", "json"),
    ]})
}

fn releases() -> Value {
    json!({"schema_version": 1, "agent": "quill", "releases": [{
        "version": "1.2.0",
        "prerelease": false,
        "channels": {"npm:quill": {
            "published_at": "2026-06-20T00:00:00Z", "commit": null, "withdrawn": false, "deprecated": null
        }},
        "platforms": [],
        "first_seen": "2026-06-20T10:00:00Z",
        "withdrawn": false
    }]})
}

fn probe(id: &str, outcome: &str) -> Value {
    json!({
        "schema_version": 1, "id": id, "about": "Whether it speaks.", "group": "minimum",
        "task": "prompt", "outcome": outcome, "timeout_s": 60
    })
}

pub(crate) fn observation(shape: &Shape, at: &str, raw: char) -> Value {
    json!({
        "schema_version": 1,
        "agent": "quill",
        "cli_version": "1.2.0",
        "platform": "linux-x64",
        "probe": "chat-text-success",
        "protocol_family": "json-event-stream/v1",
        "validity_level": "runtime_observed",
        "install": {"source": "npm:quill@1.2.0", "binary_sha256": hash('1')},
        "command": {"argv_template": ["run", "--json", "-C", "{cwd}"], "stdin_mode": "text-prompt"},
        "capture": {
            "captured_at": at,
            "runner": "debian-13",
            "workflow_run_url": null,
            "raw_stdout_sha256": hash('2'),
            "raw_stderr_sha256": null,
            "raw_client_transcript_sha256": hash(raw),
            "raw_artifact_visibility": "discarded_after_redaction"
        },
        "redaction": {"tool_version": "0.1.0", "status": "passed"},
        "shape": {"signature": shape.signature, "path": shape.place().unwrap()},
        "parser_replay": {"open_design_commit": null, "status": "not_run"},
        "extensions": {
            "evidence": {
                "sanitized_sha256": canonical::sha256(TRANSCRIPT.as_bytes()),
                "raw_sha256": hash(raw),
                "raw_retention_days": 0,
                "capture_tool_version": "0.1.0"
            },
            "profile": profile().signature,
            "provider": "loopback",
            "versions": {"requested": "1.2.0", "manifest": "1.2.0", "probed": "1.2.0"}
        }
    })
}

fn evidence(shape: &Shape) -> agent_contracts_source_evidence::SourceEvidence {
    let mut evidence: agent_contracts_source_evidence::SourceEvidence = serde_json::from_value(json!({
        "schema_version": 1,
        "agent": "quill",
        "protocol_family": "json-event-stream/v1",
        "validity_level": "source_derived",
        "source_refs": ["npm:quill@1.2.0"],
        "derived_shape": {"signature": shape.signature, "path": shape.place().unwrap()},
        "discovered_at": "2026-06-21T00:00:00Z",
        "cli_version": "1.2.0",
        "extensions": {"extractor": "x", "step": {
            "from": {"version": "1.1.0", "source": "npm:quill@1.1.0", "files": 1, "types": 2},
            "to": {"version": "1.2.0", "source": "npm:quill@1.2.0", "files": 1, "types": 2}
        }}
    }))
    .unwrap();
    evidence.extensions.identity = evidence.identity().unwrap();
    evidence
}

fn error_case() -> Value {
    json!({
        "schema_version": 1,
        "agent": "quill",
        "probe": "auth-failure",
        "raw_shape": hash('4'),
        "classifier_input": {
            "result": "failed",
            "status": {"status": "failed", "error": "not authenticated"},
            "errorCode": "AGENT_AUTH_REQUIRED",
            "events": [{"event": "stderr", "data": {"chunk": "not authenticated"}}]
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
