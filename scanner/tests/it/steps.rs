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
        [
            "additive field_added model at thread/start:result: result.model",
            "Changes"
        ]
    );
}

fn sdk(auth: &str) -> String {
    format!(
        r##"{{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {{
        "AgentResponse": {{"type": "object", "required": ["result"], "properties": {{"result": {{"$ref": "#/$defs/InitializeResponse"}}}}}},
        "InitializeResponse": {{"type": "object", "required": ["protocolVersion"], "properties": {{
            "protocolVersion": {{"type": "integer"}}, "authMethods": {{"type": "array", "items": {{"$ref": "#/$defs/AuthMethod"}}}}}}}},
        "AuthMethod": {auth}}}}}"##
    )
}

#[tokio::test]
async fn an_object_that_becomes_a_union_is_breaking_although_the_new_forms_are_unstable() {
    let agent = r#"{"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "_meta": {"type": "object"}}}"#;
    let form = |tag: &str, member: &str| {
        format!(
            r#"{{"type": "object", "description": "**UNSTABLE** may change", "required": ["type", "id", "{member}"], "properties": {{
            "type": {{"const": "{tag}"}}, "id": {{"type": "string"}}, "{member}": {{"type": "array"}}}}}}"#
        )
    };
    let union = format!(
        r#"{{"anyOf": [{}, {}, {agent}]}}"#,
        form("env_var", "vars"),
        form("terminal", "args")
    );
    let said = step(
        "acp",
        "@agentclientprotocol/sdk",
        None,
        &[("schema/schema.json", &sdk(agent))],
        &[("schema/schema.json", &sdk(&union))],
    )
    .await;
    assert_eq!(said.len(), 3, "{said:#?}");
    assert!(said[0].starts_with("breaking variant_added env_var"), "{said:#?}");
    assert!(said[1].starts_with("breaking variant_added terminal"), "{said:#?}");
}

#[tokio::test]
async fn types_that_are_renamed_while_literals_stay_are_no_finding() {
    let types = |prefix: &str| {
        format!(
            "export type Event = {prefix}Idle | {prefix}Error;\n\
             export type {prefix}Idle = {{ type: \"session.idle\"; properties: {{ sessionID: string }} }};\n\
             export type {prefix}Error = {{ type: \"session.error\"; properties: {{ sessionID?: string; error?: {prefix}Cause }} }};\n\
             export type {prefix}Cause = {{ name: \"Unknown\"; data: {{ message: string }} }};\n"
        )
    };
    let said = step(
        "opencode",
        "@opencode-ai/sdk",
        None,
        &[("dist/v2/gen/types.gen.d.ts", &types("V2EventSession"))],
        &[("dist/v2/gen/types.gen.d.ts", &types("Session"))],
    )
    .await;
    assert_eq!(said, ["NoProtocolChange"]);
}

const MESSAGES: &str = r#"
export type SDKMessage = SDKAssistant | SDKResult;
export type SDKAssistant = { type: "assistant"; session_id: string };
export type SDKResult = { type: "result"; is_error: boolean };
export type SDKUserMessage = { type: "user"; content: string };
"#;

const CONTROL: &str = r#"
export type SDKControlRequest = { type: "control_request"; request_id: string; request: Inner };
export type Inner = { subtype: "interrupt" } | { subtype: "initialize"; hooks?: string };
export type SDKControlResponse = { type: "control_response"; response: { request_id: string } };
"#;

#[tokio::test]
async fn type_files_that_change_their_layout_four_times_say_the_same() {
    let functions = "export * from './sdkTypes.js';\nexport declare function query(prompt: string): void;\n\
                     export type Options = { cwd?: string };";
    let both = format!("{MESSAGES}{CONTROL}");
    let layouts: [Files<'_>; 5] = [
        &[("sdk.d.ts", functions), ("sdkTypes.d.ts", MESSAGES)],
        &[("sdk.d.ts", MESSAGES)],
        &[
            ("sdk.d.ts", "export * from './entrypoints/agentSdkTypes.d.ts';"),
            ("entrypoints/agentSdkTypes.d.ts", MESSAGES),
            ("entrypoints/sdkControlTypes.d.ts", CONTROL),
        ],
        &[
            ("sdk.d.ts", "export * from './entrypoints/agentSdkTypes.d.ts';"),
            ("entrypoints/agentSdkTypes.d.ts", "export * from './sdk/coreTypes.js';"),
            ("entrypoints/sdk/coreTypes.d.ts", MESSAGES),
            ("entrypoints/sdk/controlTypes.d.ts", CONTROL),
        ],
        &[("sdk.d.ts", &both), ("bun.lock", "")],
    ];
    for (index, pair) in layouts.windows(2).enumerate() {
        let said = step("claude", "@anthropic-ai/claude-agent-sdk", None, pair[0], pair[1]).await;
        assert_eq!(said, ["NoProtocolChange"], "layout {index} to the next");
    }
}

#[tokio::test]
async fn a_package_that_becomes_one_bundle_is_lost_and_not_emptied() {
    let types = "export type JsonStreamEvent = { type: 'init'; id: string } | { type: 'result'; ok: boolean };";
    let said = step(
        "gemini-cli",
        "@google/gemini-cli-core",
        None,
        &[("dist/src/output/types.d.ts", types), ("package.json", "{}")],
        &[("bundle/gemini.js", "0"), ("package.json", "{}")],
    )
    .await;
    assert_eq!(said.len(), 2, "{said:#?}");
    assert!(said[0].starts_with("risky source_lost"), "{said:#?}");
    assert_eq!(said[1], "Inconclusive");
}
