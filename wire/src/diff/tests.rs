//! What a reader of findings relies on, as tables: kinds of change and of non-change that occur in real protocols.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use super::{Diff, DiffOptions, diff};
use crate::finding::{Direction, Severity, Verdict};
use crate::model::WireModel;
use crate::notation::model;

pub(super) fn compare(old: &str, new: &str) -> Diff {
    diff(&model(old), &model(new), &DiffOptions::default())
}

/// One line a finding: severity, rule, type, name and path.
pub(super) fn lines(diff: &Diff) -> String {
    let mut out = String::new();
    for f in &diff.findings {
        let place = match (&f.event_type, &f.path) {
            (Some(event), Some(path)) => format!("{event}: {path}"),
            (Some(event), None) => event.clone(),
            (None, path) => path.clone().unwrap_or_default(),
        };
        writeln!(
            out,
            "{} {} {} `{}` at `{place}`",
            format!("{:?}", f.severity).to_lowercase(),
            f.rule,
            f.type_name.as_deref().or(f.flag.as_deref()).unwrap_or("-"),
            f.wire_name.as_deref().unwrap_or("-"),
        )
        .unwrap();
    }
    out
}

/// Two spellings of one wire form.
const SAME: &[(&str, &str, &str)] = &[
    (
        "alias or inline",
        "type A = { x: Id, y: string }\ntype Id = string",
        "type A = { x: string, y: string }",
    ),
    (
        "nested unions",
        "type A = { x: B | \"c\" }\ntype B = \"a\" | \"b\"",
        "type A = { x: \"c\" | \"b\" | \"a\" }",
    ),
    (
        "an arm twice",
        "type A = { x: string | string | null }",
        "type A = { x: string | null }",
    ),
    (
        "allOf of one",
        "type A = { x: { ...B } }\ntype B = { b: string }",
        "type A = { x: B }\ntype B = { b: string }",
    ),
    (
        "map or open object",
        "type A = { x: map<any> }",
        "type A = { x: { * } }",
    ),
    (
        "boolean or both",
        "type A = { x: true | false }",
        "type A = { x: boolean }",
    ),
    (
        "null through an alias",
        "type A = { x: N }\ntype N = null | B\ntype B = { b: string }",
        "type A = { x: B | null }\ntype B = { b: string }",
    ),
    (
        "types split over files",
        "in one.rs\ntype A = { x: B }\ntype B = { b: string }",
        "in a.rs\ntype A = { x: B }\nin b.rs\ntype B = { b: string }",
    ),
    (
        "every declared name is another",
        "type ConversationEvent = Started | Item\ntype Started = { type: \"thread.started\", id: string }\ntype Item = { type: \"item\", item: ConversationItem }\ntype ConversationItem = { id: string, parent?: ConversationItem }",
        "type ThreadEvent = Begun | Thing\ntype Begun = { type: \"thread.started\", id: string }\ntype Thing = { type: \"item\", item: ThreadItem }\ntype ThreadItem = { id: string, parent?: ThreadItem }",
    ),
    (
        "flattened by hand",
        "type Item = { id: string, ...Details }\ntype Details = { type: \"a\", text: string } | { type: \"b\", ...Cmd }\ntype Cmd = { command: string }",
        "type Item = { type: \"a\", id: string, text: string } | { type: \"b\", id: string, command: string }",
    ),
    (
        "a circle unrolled once",
        "type A = { next?: A, v: string }",
        "type A = { next?: B, v: string }\ntype B = { next?: A, v: string }",
    ),
    (
        "unread, but the same words",
        "type A = { x: ?Foreign, y: string }",
        "type A = { y: string, x: ?Foreign }",
    ),
    (
        "dead types in a file that moved",
        "in a.ts\ntype A = { a: string }",
        "in b/c.ts\ntype A = { a: string }",
    ),
    (
        "variants without a tag renamed",
        "type A = { r: One # { a: string } | Two # { b: string } }",
        "type A = { r: Eins # { a: string } | Zwei # { b: string } }",
    ),
    (
        "in-process API",
        "inprocess Turn = { run: string }\ntype A = { a: string }",
        "inprocess Turn = { run: number }\ntype A = { a: string }",
    ),
    (
        "changes outside the scope",
        "type A = { b: B }\noutside B = { x: string }",
        "type A = { b: B }\noutside B = { x: string, y: string }",
    ),
    (
        "the discriminator is only named",
        "type M = { x: tag kind { kind: \"a\" } | { kind: \"b\" } }",
        "type M = { x: { kind: \"a\" } | { kind: \"b\" } }",
    ),
];

#[test]
fn one_wire_form_in_two_spellings_gives_no_finding() {
    for (name, old, new) in SAME {
        for (old, new) in [(old, new), (new, old)] {
            let found = compare(old, new);
            assert_eq!(lines(&found), "", "{name}");
            assert_eq!(found.verdict, Verdict::NoProtocolChange, "{name}: {:?}", found.doubts);
        }
    }
}

/// Changes, and what is told of them.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    (
        "a flattened union that had and has another tag",
        "type SessionNotification = { sessionId: string, ...SessionUpdate }\ntype SessionUpdate = { sessionUpdate: \"plan\", entries: string[] } | { sessionUpdate: \"text\", text: string }",
        "type SessionNotification = { sessionId: string, update: SessionUpdate }\ntype SessionUpdate = { kind: \"plan\", entries: string[] } | { kind: \"text\", text: string }",
        "breaking discriminator_renamed SessionUpdate `sessionUpdate -> kind` at `update`\n\
         breaking field_added SessionNotification `update` at `update`\n",
    ),
    (
        "a unit variant that became an object",
        "type FileChange = \"delete\" | { add: { content: string } } | { update: { diff: string } }",
        "type FileChange = { delete: { content: string } } | { add: { content: string } } | { update: { diff: string } }",
        "breaking field_type_changed FileChange `delete` at ``\n",
    ),
    (
        "a unit variant under a tag that got a payload",
        "type EventMsg = { type: \"task_started\" } | { type: \"task_complete\", m: string }",
        "type EventMsg = { type: \"task_started\", ...TaskStarted } | { type: \"task_complete\", m: string }\ntype TaskStarted = { window: number | null }",
        "additive field_added EventMsg `window` at `task_started: window`\n\
         none type_added TaskStarted `-` at ``\n",
    ),
    (
        "one change of a shared type, told once with its ways",
        "type Event = { type: \"a\", usage: Usage } | { type: \"b\", all: Usage[] }\ntype Usage = { input: number }",
        "type Event = { type: \"a\", usage: Usage } | { type: \"b\", all: Usage[] }\ntype Usage = { input: number, cached?: number }",
        "additive field_added Usage `cached` at `a: usage.cached`\n",
    ),
    (
        "a tag of two members",
        "type Res = { type: \"response\", command: \"get\", data: { x: number } } | { type: \"response\", command: \"set\" } | { type: \"response\", command: string, error: string }",
        "type Res = { type: \"response\", command: \"get\", data: { x: number, y: number } } | { type: \"response\", command: \"set\" } | { type: \"response\", command: \"list\", data: string[] } | { type: \"response\", command: string, error: string }",
        "additive field_added Res `y` at `get: data.y`\n\
         additive method_added Res `list` at `list`\n",
    ),
    (
        "a tag inside a tag",
        "type Msg = { type: \"system\", subtype: \"init\", cwd: string } | { type: \"system\", subtype: \"end\", code: number } | { type: \"text\", text: string }\ntype Envelope = { message: Msg, id: string }",
        "type Msg = { type: \"system\", subtype: \"init\", cwd: string, model: string } | { type: \"system\", subtype: \"end\", code: number } | { type: \"system\", subtype: \"status\", s: string } | { type: \"text\", text: string }\ntype Envelope = { message: Msg, id: string }",
        "risky event_added Msg `status` at `system/status: message`\n\
         additive field_added Msg `model` at `system/init: message.model`\n",
    ),
    (
        "an object that became a union of it and more",
        "type Auth = { id: string, name: string, description?: string }\ntype Init = { methods: Auth[] }",
        "type Auth = EnvVar | Agent\ntype Agent = { id: string, name: string, description?: string }\ntype EnvVar = { type: \"env_var\", id: string, name: string, vars: string[] }\ntype Init = { methods: Auth[] }",
        "breaking variant_added Auth `env_var` at `methods[env_var]`\n\
         none type_added EnvVar `-` at ``\n",
    ),
    (
        "a value that was null and is an object, by declared name",
        "type AgentResponse = Init | PromptResponse # null | LoadResponse # null\ntype Init = { v: number }",
        "type AgentResponse = Init | PromptResponse | LoadResponse # null\ntype Init = { v: number }\ntype PromptResponse = { stop: string }",
        "breaking field_type_changed AgentResponse `PromptResponse` at ``\n\
         none type_added PromptResponse `-` at ``\n",
    ),
    (
        "a key that is written twice",
        "type Item = { id: string, ...Details }\ntype Details = { type: \"search\", query: string } | { type: \"text\", text: string }",
        "type Item = { id: string, ...Details }\ntype Details = { type: \"search\", query: string, id: string } | { type: \"text\", text: string }",
        "risky field_added Details `id` at `id`\n",
    ),
    (
        "a member of a base type, whoever includes it",
        "type Base = { at: string }\ntype A = { a: string, ...Base }\ntype B = { b: string, ...Base }",
        "type Base = { at: string, by?: string }\ntype A = { a: string, ...Base }\ntype B = { b: string, ...Base }",
        "additive field_added Base `by` at `by`\n",
    ),
    (
        "a base type that one type includes now",
        "type Base = { at: string, by: string }\ntype A = { a: string, ...Base }\ntype B = { b: string }",
        "type Base = { at: string, by: string }\ntype A = { a: string, ...Base }\ntype B = { b: string, ...Base }",
        "additive field_added B `at` at `at`\nadditive field_added B `by` at `by`\n",
    ),
    (
        "input",
        "input StartParams = { cwd: string, model?: string, mode: \"a\" | \"b\" }",
        "input StartParams = { cwd: string | string[], model: string, mode: \"a\" | \"b\" | \"c\", extra?: boolean }",
        "breaking field_optionality_changed StartParams `model` at `model`\n\
         additive enum_value_added StartParams `c` at `mode`\n\
         additive field_added StartParams `extra` at `extra`\n\
         additive field_type_changed StartParams `cwd` at `cwd`\n",
    ),
    (
        "experimental is one step lower",
        "type A = { a: string, experimental b?: string }\noutput N = { method: \"x\", params: A } | { method: \"y\", params: A }",
        "type A = { a: string }\noutput N = { method: \"x\", params: A } | { method: \"y\", params: A } | experimental { method: \"z\", params: A }",
        "risky field_removed A `b` at `x: params.b`\nadditive event_added N `z` at `z`\n",
    ),
    (
        "one form becomes several, of which the new ones are experimental",
        "output A = { list: M[] }\ntype M = { id: string, meta?: map<any> }",
        "output A = { list: M[] }\ntype M = experimental { type: \"env\", id: string, vars: string[] } | { id: string, meta?: map<any> }",
        "breaking variant_added M `env` at `list[env]`\n",
    ),
    (
        "one form becomes several on input",
        "input A = { list: M[] }\ntype M = { id: string, meta?: map<any> }",
        "input A = { list: M[] }\ntype M = { type: \"env\", id: string, vars: string[] } | { id: string, meta?: map<any> }",
        "additive variant_added M `env` at `list[env]`\n",
    ),
    (
        "the answer to a request travels the other way",
        "input ClientRequest = { method: \"a\", params: P } => R | { method: \"b\" } => R\ntype P = { x: string }\ntype R = { y: string }",
        "input ClientRequest = { method: \"a\", params: P } => R | { method: \"b\" } => R\ntype P = { x: string, p: string }\ntype R = { y: string, r: string }",
        "breaking field_added P `p` at `a: params.p`\nadditive field_added R `r` at `a:result: result.r`\n",
    ),
    (
        "an enum member without an event is told, one with an event is not told twice",
        "type Kind = \"a\" | \"b\"\ntype GeminiEvent = { type: \"a\" } | { type: \"b\" }",
        "type Kind = \"a\" | \"b\" | \"c\" | \"d\"\ntype GeminiEvent = { type: \"a\" } | { type: \"b\" } | { type: \"c\" }",
        "risky enum_value_added Kind `d` at ``\nrisky event_added GeminiEvent `c` at `c`\n",
    ),
    (
        "a list instead of a value, and null alone",
        "type A = { r: null, s: string, t: T[] }\ntype T = { t: string }",
        "type A = { r: string | null, s: string[], t: any[] }\ntype T = { t: string }",
        "breaking field_type_changed A `s` at `s`\n\
         risky field_type_changed A `r` at `r`\n\
         risky field_type_changed A `t` at `t[]`\n",
    ),
    (
        "known values of an open string",
        "type A = { x: string, y: string | \"a\" }",
        "type A = { x: \"a\" | \"b\" | *, y: string }",
        "additive enum_value_added A `a` at `x`\nadditive enum_value_added A `b` at `x`\n",
    ),
    (
        "an arm of one form with another arm is still one that changed",
        "type Answer = First | Second\ntype First = { _meta?: any }\ntype Second = { meta?: any }",
        "type Answer = First | Second\ntype First = { _meta?: any }\ntype Second = { _meta?: any }",
        "breaking field_renamed Second `meta -> _meta` at `_meta`\n",
    ),
    (
        "a member that another part shadows now",
        "type Event = ({ type: \"a\", ...Common, ...Tool } | { type: \"b\", ...Common })\ntype Common = { meta?: { source?: string } }\ntype Tool = { name: string }",
        "type Event = ({ type: \"a\", ...Common, ...Tool } | { type: \"b\", ...Common })\ntype Common = { meta?: { source?: string } }\ntype Tool = { name: string, meta?: { state?: string } }",
        "additive field_added Tool `meta` at `meta`\n",
    ),
    (
        "configuration is echoed back only as it was given",
        "type ConfigResponse = { config: ProviderConfig }\ntype ProviderConfig = { status: \"alpha\" | \"beta\" }",
        "type ConfigResponse = { config: ProviderConfig }\ntype ProviderConfig = { status: \"alpha\" | \"beta\" | \"active\" }",
        "additive enum_value_added ProviderConfig `active` at `config.status`\n",
    ),
    (
        "what is no longer experimental",
        "type A = { a: \"x\" | \"y\", experimental b?: string }\ntype B = \"x\" | experimental \"y\"\nexperimental C = { c: string }\ntype D = { d: string }",
        "type A = { a: \"x\" | \"y\", b?: string }\ntype B = \"x\" | \"y\"\ntype C = { c: string }\ntype D = { d: string, e?: string }",
        "additive field_added D `e` at `e`\n\
         none enum_value_added B `y` at ``\n\
         none field_added A `b` at ``\n\
         none type_added C `-` at ``\n",
    ),
    (
        "a list that is open wherever it stands",
        "type DoneEvent = { api: Api }\ntype Api = KnownApi | string\ntype KnownApi = \"a\" | \"b\"",
        "type DoneEvent = { api: Api }\ntype Api = KnownApi | string\ntype KnownApi = \"a\" | \"b\" | \"c\"",
        "additive enum_value_added KnownApi `c` at `api`\n",
    ),
    (
        "a schema and a type of one thing",
        "type Event = { type: \"a\", d: Data } | { type: \"b\" }\ntype Data = { x: string }\ntype eventSchema = { type: \"a\", d: dataSchema } | { type: \"b\" }\ntype dataSchema = { x: string }",
        "type Event = { type: \"a\", d: Data } | { type: \"b\" }\ntype Data = { x: string, y?: string }\ntype eventSchema = { type: \"a\", d: dataSchema } | { type: \"b\" }\ntype dataSchema = { x: string, y?: string }",
        "additive field_added Data `y` at `a: d.y`\n",
    ),
    (
        "one event goes and another comes, whatever all of them carry",
        "type AgentEvent = { type: \"a\", id: string, at: number, x: string } | { type: \"b\", id: string, at: number, info: string } | { type: \"c\", id: string, at: number }",
        "type AgentEvent = { type: \"a\", id: string, at: number, x: string } | { type: \"d\", id: string, at: number, snapshot: number } | { type: \"c\", id: string, at: number }",
        "breaking event_removed AgentEvent `b` at `b`\nrisky event_added AgentEvent `d` at `d`\n",
    ),
    (
        "a flattened payload that got a member of its own",
        "type SessionUpdate = { type: \"chunk\", ...Block } | { type: \"plan\", entries: string[] }\ntype Block = { kind: \"text\", text: string } | { kind: \"image\", url: string }",
        "type SessionUpdate = { type: \"chunk\", content: Block } | { type: \"plan\", entries: string[] }\ntype Block = { kind: \"text\", text: string } | { kind: \"image\", url: string }",
        "breaking field_added SessionUpdate `content` at `chunk: content`\n",
    ),
    (
        "both halves of a tag, in arms told apart by what they hold",
        "type UIResponse = { type: \"hook_ui\", id: string, value: string } | { type: \"hook_ui\", id: string, done: boolean }",
        "type UIResponse = { type: \"ext_ui\", id: string, value: string } | { type: \"ext_ui\", id: string, done: boolean }",
        "breaking event_renamed UIResponse `hook_ui -> ext_ui` at `ext_ui`\n",
    ),
    (
        "an object that stands among others now",
        "type Params = { p: { message: string, schema: string } }",
        "type Params = { p: Form | Url }\ntype Form = { message: string, schema: string, mode?: string, task?: string, _meta?: any }\ntype Url = { url: string, elicitationId: string }",
        "additive field_added Form `_meta` at `p._meta`\nadditive field_added Form `mode` at `p.mode`\nadditive field_added Form `task` at `p.task`\nadditive variant_added Params `Url` at `p`\nnone type_added Form `-` at ``\nnone type_added Url `-` at ``\n",
    ),
    (
        "what was left open is spelled out",
        "input P = { mode: string, any: any }\noutput Q = { mode: string }",
        "input P = { mode: \"a\" | \"b\", any: { x: string } }\noutput Q = { mode: \"a\" | \"b\" }",
        "risky field_type_changed P `any` at `any`\nrisky field_type_changed P `mode` at `mode`\nrisky field_type_changed Q `mode` at `mode`\n",
    ),
    (
        "several arms that are one object now",
        "type Turn = { status: \"done\", id: string } | { status: \"running\", id: string } | { status: \"failed\", id: string, error: string }",
        "type Turn = { status: \"done\" | \"running\" | \"failed\", id: string, error?: string }",
        "risky field_optionality_changed Turn `error` at `error`\nadditive field_added Turn `error` at `error`\n",
    ),
    (
        "one object that is several arms now",
        "input Call = { method: \"a\" | \"b\", params: any }",
        "input Call = { method: \"a\", params: any } | { method: \"b\", params: any }",
        "",
    ),
    (
        "an object in whose place stands a choice of others",
        "type P = { s: Policy }\ntype Policy = { permissions: string[] }",
        "type P = { s: Policy }\ntype Policy = { mode: \"a\" } | { mode: \"b\", x: string }",
        "breaking field_type_changed Policy `Policy` at `s`\n",
    ),
    (
        "a type that is null by its own declaration",
        "type A = { b: B[], c: B }\ntype B = { x: string } | { y: string }",
        "type A = { b: B[], c: B }\ntype B = { x: string } | { y: string } | null",
        "risky field_optionality_changed B `B` at ``\n",
    ),
    (
        "a numeric enum is named by its members",
        "type ErrorCodes = Parse # -32700 | Busy # -32001",
        "type ErrorCodes = Parse # -32700 | Busy # -32001 | AuthExpired # -32004",
        "risky enum_value_added ErrorCodes `AuthExpired` at ``\n",
    ),
];

#[test]
fn a_change_is_told_once_at_its_place_with_its_severity() {
    for (name, old, new, expected) in CHANGES {
        let found = compare(old, new);
        assert_eq!(lines(&found), *expected, "{name}");
        if !expected.is_empty() {
            assert_eq!(found.verdict, Verdict::Changes, "{name}");
        }
    }
}

#[test]
fn what_could_not_be_read_is_unknown_and_the_verdict_inconclusive() {
    for (name, old, new) in [
        (
            "a hidden declaration",
            "type A = { b: B }\ntype B = { b: string }",
            "type A = { b: B }\nhides B",
        ),
        (
            "a file of its own",
            "in b.ts\ntype B = { b: string }\nin a.ts\ntype A = { a: string }",
            "in a.ts\ntype A = { a: string }\ndegraded b.ts",
        ),
        (
            "a part",
            "type A = { a: string, b: string }",
            "type A = { a: string, ...?Imported }",
        ),
        ("a member", "type A = { a: string }", "type A = { a: ?Imported }"),
        (
            "an arm",
            "type A = { a: { x: string } | { y: string } }",
            "type A = { a: { x: string } | ?Imported }",
        ),
    ] {
        let found = compare(old, new);
        assert!(
            found.findings.iter().all(|f| f.severity == Severity::None),
            "{name}: {}",
            lines(&found)
        );
        assert_eq!(found.verdict, Verdict::Inconclusive, "{name}");
        assert!(!found.doubts.is_empty(), "{name}");
    }
}

#[test]
fn roots_limit_what_is_compared_and_carry_their_direction() {
    let old = model(
        "type Event = { type: \"a\" } | { type: \"b\", u: U }\ntype U = { x: string }\ntype Dead = { d: string }",
    );
    let new = model("type Event = { type: \"a\" } | { type: \"b\", u: U }\ntype U = { x: string, y: string }");
    let mut options = DiffOptions {
        roots: vec!["Event".to_owned()],
        ..DiffOptions::default()
    };
    assert_eq!(
        lines(&diff(&old, &new, &options)),
        "additive field_added U `y` at `b: u.y`\n"
    );
    options.directions.insert("Event".to_owned(), Direction::Input);
    assert_eq!(
        lines(&diff(&old, &new, &options)),
        "breaking field_added U `y` at `b: u.y`\n"
    );
    options.roots.push("Nowhere".to_owned());
    assert!(diff(&old, &old, &options).verdict == Verdict::Inconclusive);
}

#[test]
fn a_side_without_any_root_is_a_doubt_and_no_calm() {
    let events = "type Event = { type: \"a\" } | { type: \"b\", u: string }";
    let elsewhere = "type Elsewhere = { z: number }";
    let options = DiffOptions {
        roots: vec!["Event".to_owned(), "Prompt".to_owned()],
        ..DiffOptions::default()
    };
    let doubts = |old: &str, new: &str| diff(&model(old), &model(new), &options).doubts;
    let none = |side: &str| format!("the {side} version has none of the types to start from: Event, Prompt");
    assert!(doubts(events, elsewhere).contains(&none("new")));
    assert!(doubts(elsewhere, events).contains(&none("old")));
    let told = |old: &str, new: &str| doubts(old, new).iter().any(|doubt| doubt.contains("has none of"));
    let renamed = events.replace("Event", "Happening");
    assert!(!told(events, &renamed), "it has another name");
    assert!(!told("", events), "no file was read, so none could hold it");
    let nowhere = diff(&model(elsewhere), &model(elsewhere), &options);
    assert_eq!(nowhere.verdict, Verdict::Inconclusive);
    assert_eq!(
        nowhere.doubts,
        [
            "there is no type Event to start from",
            "there is no type Prompt to start from"
        ]
    );
}

#[test]
fn moves_name_file_and_name() {
    let found = compare(
        "in a.rs\ntype A = { a: string, b: B }\ntype B = { x: string, y: string }\ntype C = { c: string }",
        "in b.rs\ntype A = { a: string, b: Q }\ntype Q = { x: string, y: string }\nin a.rs\ntype C = { c: string }",
    );
    let moves: Vec<String> = found
        .moves
        .iter()
        .map(|m| format!("{} {} {}", m.type_name, m.from, m.to))
        .collect();
    assert_eq!(moves, ["A a.rs b.rs", "B -> Q a.rs b.rs"]);
}

#[test]
fn a_witness_is_the_smallest_frame_and_an_id_says_nothing_of_places() {
    let old = "type Event = { type: \"a\", id: string, note?: string, item: Item } | { type: \"b\" }\ntype Item = { list: Part[] }\ntype Part = { kind: \"x\" | \"y\" }";
    let new = old.replace("\"y\" }", "\"y\" | \"z\" }");
    let found = compare(old, &new);
    let finding = &found.findings[0];
    assert_eq!(
        finding.witness.as_ref().unwrap().to_string(),
        r#"{"id":"…","item":{"list":[{"kind":"z"}]},"type":"a"}"#
    );
    assert_eq!(finding.path.as_deref(), Some("item.list[].kind"));
    let moved = compare(&format!("in x.ts\n\n{old}"), &format!("\n\nin y.ts\n{new}"));
    assert_eq!(finding.id, moved.findings[0].id);
    assert_ne!(finding.location, moved.findings[0].location);
    let removed = compare(&new, old);
    assert_ne!(finding.id, removed.findings[0].id);
}

#[test]
fn a_type_of_a_thousand_levels_is_compared() {
    let chain = |last: &str| -> WireModel {
        let mut text = String::from("type Root = { type: \"r\", next: T0 }\n");
        for level in 0..1000 {
            writeln!(text, "type T{level} = {{ v: string, next?: T{} }}", level + 1).unwrap();
        }
        writeln!(text, "type T1000 = {last}").unwrap();
        model(&text)
    };
    let found = diff(
        &chain("{ end: string }"),
        &chain("{ end: number }"),
        &DiffOptions::default(),
    );
    assert_eq!(found.findings.len(), 1);
    assert_eq!(found.findings[0].path.as_ref().unwrap().matches("next").count(), 1001);
    let nested = |last: &str| {
        let mut ty = last.to_owned();
        for _ in 0..300 {
            ty = format!("{{ n: {ty} }}");
        }
        model(&format!("type Root = {ty}"))
    };
    assert_eq!(
        diff(&nested("string"), &nested("number"), &DiffOptions::default())
            .findings
            .len(),
        1
    );
}

#[test]
fn a_shared_type_lists_twenty_ways_and_counts_all() {
    let side = |usage: &str| {
        let arms: Vec<String> = (0..30)
            .map(|i| format!("{{ type: \"e{i:02}\", usage: Usage }}"))
            .collect();
        model(&format!("type Event = {}\ntype Usage = {usage}", arms.join(" | ")))
    };
    let found = diff(
        &side("{ a: number }"),
        &side("{ a: number, b?: number }"),
        &DiffOptions::default(),
    );
    let reached = found.findings[0].reached_by.as_ref().unwrap();
    assert_eq!((reached.count, reached.first.len()), (30, 20));
    assert_eq!(reached.first[0], ("e00".to_owned(), "usage.b".to_owned()));
}
