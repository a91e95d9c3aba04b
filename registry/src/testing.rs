//! Captures to test with. They never ran: nothing of this may stand in a public tree.

use std::collections::BTreeMap;

use agent_contracts_config::agents_json::AgentsFile;
use agent_contracts_shapes::{
    Exit, FrameDirection, FrameShape, PathShape, PathType, Shape, StderrClass, Stream, Validity,
};
use agent_contracts_wire::Family;
use agent_contracts_wire::canonical::sha256;
use agent_contracts_wire::formats::Sha256;
use serde_json::{Value, json};

use crate::matrix::{Decided, Records, Seen};
use crate::records::{Observation, Promotion};
use crate::release::{Release, ReleaseFile};
use crate::store::pretty;

/// What one capture would have been.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the members are those of the observation")]
pub struct Run {
    pub agent: String,
    pub version: String,
    pub platform: String,
    pub probe: String,
    pub family: String,
    pub level: String,
    pub at: String,
    pub runner: String,
    /// Runs with the same name here have the same shape.
    pub shape: String,
    pub provider: String,
    pub profile: Option<char>,
    pub replay: String,
    pub redaction: String,
    pub failed: bool,
    pub attestable: bool,
}

impl Run {
    /// Codex, one text chat, on Linux.
    #[must_use]
    pub fn of(version: &str) -> Self {
        let text = str::to_owned;
        Self {
            agent: text("codex"),
            version: text(version),
            platform: text("linux-x64"),
            probe: text("chat-text-success"),
            family: text("json-event-stream/v1"),
            level: text("runtime_observed"),
            at: text("2026-06-27T10:00:00Z"),
            runner: text("test-runner/1"),
            shape: text("a"),
            provider: text("loopback"),
            profile: None,
            replay: text("not_run"),
            redaction: text("passed"),
            failed: false,
            attestable: true,
        }
    }

    /// The same with another member.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// With another shape.
    #[must_use]
    pub fn shape(self, name: &str) -> Self {
        self.with(|run| name.clone_into(&mut run.shape))
    }

    /// At another time.
    #[must_use]
    pub fn at(self, time: &str) -> Self {
        self.with(|run| time.clone_into(&mut run.at))
    }

    /// On another platform.
    #[must_use]
    pub fn on(self, platform: &str) -> Self {
        self.with(|run| platform.clone_into(&mut run.platform))
    }

    /// Under another probe.
    #[must_use]
    pub fn probe(self, probe: &str) -> Self {
        self.with(|run| probe.clone_into(&mut run.probe))
    }

    /// The shape that it saw.
    #[must_use]
    pub fn shape_record(&self) -> Shape {
        shape(&self.family, &self.shape, Validity::RuntimeObserved)
    }

    /// The record.
    #[must_use]
    pub fn observation(&self) -> Observation {
        let shape = self.shape_record();
        let raw = sha256(format!("{self:?}").as_bytes());
        let mut extensions = json!({"provider": self.provider});
        if self.attestable {
            extensions["evidence"] = json!({
                "sanitized_sha256": sha256(format!("sanitized {raw}").as_bytes()),
                "raw_sha256": raw,
                "raw_retention_days": 0,
                "capture_tool_version": "0.1.0",
            });
        }
        if let Some(digit) = self.profile {
            extensions["profile"] = json!(format!("sha256:{}", digit.to_string().repeat(64)));
        }
        if self.failed {
            extensions["error"] = json!({"exit_code": 1});
        }
        let commit = (self.replay != "not_run").then_some("b784c8650");
        record(&json!({
            "schema_version": 1,
            "agent": self.agent,
            "cli_version": self.version,
            "platform": self.platform,
            "probe": self.probe,
            "protocol_family": self.family,
            "validity_level": self.level,
            "install": {"source": "manual:test"},
            "command": {"argv_template": ["test"], "stdin_mode": "none"},
            "capture": {
                "captured_at": self.at,
                "runner": self.runner,
                "raw_client_transcript_sha256": raw,
                "raw_artifact_visibility": "discarded_after_redaction",
            },
            "redaction": {"tool_version": "0.1.0", "status": self.redaction},
            "shape": {"signature": shape.signature, "path": shape.place().unwrap_or_default()},
            "parser_replay": {"open_design_commit": commit, "status": self.replay},
            "extensions": extensions,
        }))
    }

    /// What the matrix reads of it.
    #[must_use]
    pub fn seen(&self) -> Seen {
        let observation = self.observation();
        let bytes = pretty(&observation).unwrap_or_default();
        let path = observation.place().parse();
        Seen::of(
            path.unwrap_or_else(|error| panic!("{error}")),
            Sha256::of(bytes.as_bytes()),
            &observation,
        )
    }
}

/// A shape of one frame that is named after `name`.
#[must_use]
pub fn shape(family: &str, name: &str, level: Validity) -> Shape {
    let family = Family::of(family).unwrap_or_else(|| panic!("{family} is no family"));
    let frame = FrameShape {
        direction: FrameDirection::Output,
        stream: Stream::Stdout,
        event_type: format!("test.{name}"),
        paths: vec![PathShape {
            path: "type".to_owned(),
            ty: PathType::String,
            required: true,
        }],
        enums: BTreeMap::new(),
    };
    Shape::new(family, level, vec![frame], StderrClass::None, Exit::Success).unwrap_or_else(|error| panic!("{error}"))
}

/// The records of a tree that has these runs, for the agents that are built in.
#[must_use]
pub fn records(agents: &AgentsFile, runs: &[Run]) -> Records {
    let mut records = Records {
        agents: Some(agents.clone()),
        observations: runs.iter().map(Run::seen).collect(),
        ..Records::default()
    };
    for seen in &records.observations {
        records.shapes.insert(seen.shape.clone(), Validity::RuntimeObserved);
    }
    records
}

/// A decision with its file.
#[must_use]
pub fn decided(promotion: Promotion) -> Decided {
    let bytes = pretty(&promotion).unwrap_or_default();
    let path = promotion.place().unwrap_or_default();
    Decided {
        path: path.parse().unwrap_or_else(|error| panic!("{error}")),
        sha256: Sha256::of(bytes.as_bytes()),
        record: promotion,
    }
}

/// Releases of one agent.
#[must_use]
pub fn releases(agent: &str, versions: &[&str]) -> ReleaseFile {
    ReleaseFile {
        schema_version: 1,
        agent: agent.to_owned(),
        releases: versions
            .iter()
            .map(|version| Release {
                version: (*version).to_owned(),
                prerelease: version.contains('-'),
                channels: BTreeMap::new(),
                platforms: Vec::new(),
                missing_platforms: Vec::new(),
                first_seen: "2026-06-20T10:00:00Z".to_owned(),
                withdrawn: false,
            })
            .collect(),
    }
}

fn record(value: &Value) -> Observation {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}
