//! Kinds of step that users were hurt by, or that looked like one and were none. The agents are those that are built
//! in, so that their eras and roots are tried too; the sources are made up.

use agent_contracts_config::Agents;
use agent_contracts_scanner::{Context, Scanner, SourceSpec, SourceVersion};

use crate::fixture::folder;

type Files<'a> = &'a [(&'a str, &'a str)];

/// What a step of a source of an agent says: one line a finding, then the verdict.
async fn step(agent: &str, location: &str, family: Option<&str>, old: Files<'_>, new: Files<'_>) -> Vec<String> {
    let agents = Agents::embedded().unwrap();
    let sources = &agents.get(agent).unwrap().sources;
    let source = sources.iter().find(|source| {
        let speaks = |family| source.eras.iter().any(|era| era.family == family);
        source.location == location && family.is_none_or(speaks)
    });
    let (old, new) = (folder(old), folder(new));
    let version = |path: &std::path::Path, version: &str| SourceVersion {
        version: version.to_owned(),
        prerelease: false,
        name: version.to_owned(),
        spec: SourceSpec::Dir { path: path.to_owned() },
        commit: None,
    };
    let scanner = Scanner::new(Context::default()).unwrap();
    let report = scanner
        .scan_agent(source.unwrap(), &version(&old.1, "1"), &version(&new.1, "2"), false)
        .await
        .unwrap()
        .report;
    let lines = report.findings.iter().map(|finding| {
        let severity = format!("{:?}", finding.severity).to_lowercase();
        let name = finding.wire_name.as_deref().unwrap_or_default();
        let event = finding.event_type.as_deref().unwrap_or_default();
        let path = finding.path.as_deref().unwrap_or_default();
        format!("{severity} {} {name} at {event}: {path}", finding.rule)
    });
    lines.chain([format!("{:?}", report.verdict)]).collect()
}

const APP_SERVER: &str = r#"
macro_rules! server_notification_definitions {
    ($($(#[$m:meta])* $variant:ident => $wire:literal ($payload:ty)),* $(,)?) => {
        #[derive(Serialize)]
        #[serde(tag = "method", content = "params")]
        pub enum ServerNotification { $( #[serde(rename = $wire)] $variant($payload), )* }
    };
}
server_notification_definitions! {
    ThreadStarted => "thread/started" (v2::ThreadStartedNotification),
    TurnPlan => "turn/plan/updated" (v2::TurnPlanNotification),
}
macro_rules! client_request_definitions {
    ($($(#[$m:meta])* $variant:ident => $wire:literal { params: $params:ty, response: $response:ty, }),* $(,)?) => {
        #[derive(Serialize)]
        #[serde(tag = "method")]
        pub enum ClientRequest { $( #[serde(rename = $wire)] $variant { id: RequestId, params: $params }, )* }
    };
}
client_request_definitions! {
    ThreadStart => "thread/start" { params: v2::ThreadStartParams, response: v2::ThreadStartResponse, },
}
"#;

const V2: &str = r#"
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadStartedNotification { pub thread_id: String }
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnPlanNotification { pub plan: String }
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadStartParams { pub cwd: Option<String> }
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadStartResponse { pub thread_id: String }
"#;

const COMMON_RS: &str = "codex-rs/app-server-protocol/src/protocol/common.rs";
const V2_RS: &str = "codex-rs/app-server-protocol/src/protocol/v2.rs";
const APP_FAMILY: Option<&str> = Some("codex-app-server/v1");

#[tokio::test]
async fn a_notification_of_the_app_server_is_gone() {
    let fewer = APP_SERVER.replace(r#"    TurnPlan => "turn/plan/updated" (v2::TurnPlanNotification),"#, "");
    let said = step(
        "codex",
        "openai/codex",
        APP_FAMILY,
        &[(COMMON_RS, APP_SERVER), (V2_RS, V2)],
        &[(COMMON_RS, &fewer), (V2_RS, V2)],
    )
    .await;
    assert_eq!(
        said,
        [
            "breaking event_removed turn/plan/updated at turn/plan/updated: ",
            "Changes"
        ]
    );
}

#[tokio::test]
async fn a_response_of_the_app_server_grows_a_required_field() {
    let more = V2.replace(
        "Response { pub thread_id: String }",
        "Response { pub thread_id: String, pub model: String }",
    );
    let said = step(
        "codex",
        "openai/codex",
        APP_FAMILY,
        &[(COMMON_RS, APP_SERVER), (V2_RS, V2)],
        &[(COMMON_RS, APP_SERVER), (V2_RS, &more)],
    )
    .await;
    assert_eq!(
        said,
        ["additive field_added model at thread/start:result: model", "Changes"]
    );
}
