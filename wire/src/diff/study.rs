//! Kinds of change that were told wrongly, or twice, between neighbouring versions of real protocols (`scripts/study`).

use super::tests::{compare, lines};

const KINDS: &[(&str, &str, &str, &str)] = &[
    (
        "a type that spells out JSON says anything",
        "type A = { x: Json, y: Json | null, z: map<any> }\n\
         type Json = null | boolean | number | string | Json[] | map<Json>",
        "type A = { x: any, y: any, z: Data }\n\
         type Data = map<Value>\n\
         type Value = Data | Value[] | string | number | boolean",
        "",
    ),
    (
        "what became another name for anything is told where it stands",
        "type A = { x?: Content, y: map<Content> }\n\
         type Content = string | number | boolean | string[]",
        "type A = { x?: Content, y: map<Content> }\n\
         type Content = Json\n\
         type Json = null | boolean | number | string | Json[] | map<Json>",
        "risky field_type_changed A `x` at `x`\n\
         risky field_type_changed A `y` at `y.*`\n",
    ),
    (
        "a declared scalar is told where it is declared, once",
        "type Id = string\n\
         type A = { x: Id, y: Id[] }",
        "type Id = number\n\
         type A = { x: Id, y: Id[] }",
        "breaking field_type_changed Id `Id` at `x`\n",
    ),
    (
        "a type that became another name for a new one",
        "type A = { t: string }\n\
         type R = { a: A }",
        "type A = B\n\
         type B = { t: string, u: string }\n\
         type R = { a: A }",
        "additive field_added B `u` at `a.u`\n",
    ),
    (
        "another name for a type of an event is no type of its own",
        "output Event = { type: \"a\", data: AData } | { type: \"c\", x: string }\n\
         type AData = { s: string }\n\
         type Events = Event",
        "output Event = { type: \"a\", data: AData } | { type: \"b\", data: BData } | { type: \"c\", x: string }\n\
         type AData = { s: string }\n\
         type BData = { t: string }\n\
         type BAgain = BData\n\
         type Events = Event",
        "risky event_added Event `b` at `b`\n\
         none type_added BData `-` at ``\n",
    ),
    (
        "the discriminator of a flattened union",
        "type Item = { id: string, ...Details }\n\
         type Details = { item_type: \"a\", t: string } | { item_type: \"b\", u: string }\n\
         type Event = { item: Item }",
        "type Item = { id: string, ...Details }\n\
         type Details = { type: \"a\", t: string } | { type: \"b\", u: string }\n\
         type Event = { item: Item }",
        "breaking discriminator_renamed Details `item_type -> type` at `item`\n",
    ),
    (
        "another name for one message, which is a choice now",
        "type Event = { type: \"a\", p: string } | { type: \"b\", q: string }\n\
         type Request = Ask\n\
         type Ask = { type: \"ask\", z: string }\n\
         type WireMessage = Event | Request",
        "type Event = { type: \"a\", p: string } | { type: \"b\", q: string }\n\
         type Request = Ask | Call\n\
         type Ask = { type: \"ask\", z: string }\n\
         type Call = { type: \"call\", zz: string }\n\
         type WireMessage = Event | Request",
        "risky event_added Request `call` at `call`\n\
         none type_added Call `-` at ``\n",
    ),
    (
        "the same, in envelopes that stand in the other name",
        "type Event = { type: \"a\", payload: A }\n\
         type A = { p: string }\n\
         type Request = { type: \"Ask\", payload: Ask }\n\
         type Ask = { z: string }\n\
         type WireMessage = Event | Request",
        "type Event = { type: \"a\", payload: A }\n\
         type A = { p: string }\n\
         type Request = { type: \"Ask\", payload: Ask } | { type: \"Call\", payload: Call }\n\
         type Ask = { z: string }\n\
         type Call = { zz: string }\n\
         type WireMessage = Event | Request",
        "risky event_added Request `Call` at `Call`\n\
         none type_added Call `-` at ``\n",
    ),
    (
        "a union of one arm that became a union of two",
        "type A = { s: Source }\n\
         type Source = Local # { type: \"local\", p: string }",
        "type A = { s: Source }\n\
         type Source = Local # { type: \"local\", p: string } | Git # { type: \"git\", u: string }",
        "risky variant_added Source `git` at `s`\n",
    ),
    (
        "an open list of values that gained an object",
        "type Source = \"cli\" | \"exec\" | \"unknown\" | *\n\
         type A = { s: Source }",
        "type Source = \"cli\" | \"exec\" | { sub: string } | \"unknown\" | *\n\
         type A = { s: Source }",
        "additive variant_added Source `sub` at `s`\n",
    ),
    (
        "a list of values that gained one and is open now",
        "type Kind = \"read\" | \"other\"\n\
         type A = { k: Kind }",
        "type Kind = \"read\" | \"switch\" | \"other\" | *\n\
         type A = { k: Kind }",
        "risky enum_value_added Kind `switch` at `k`\n",
    ),
    (
        "a name that means another list of values",
        "type A = { s?: Source, e: Extension }\n\
         type Source = \"command\" | \"jit\" | \"other\" | \"user\"\n\
         type Extension = { id: string }",
        "type A = { s?: string, e: Extension }\n\
         type Extension = { id: string, source: Source }\n\
         type Source = \"project\" | \"user\"",
        "risky field_type_changed A `s` at `s`\n\
         additive field_added Extension `source` at `e.source`\n\
         none type_added Source `-` at ``\n\
         none type_removed Source `-` at ``\n",
    ),
    (
        "a name that was an object that nothing holds, and is a number now",
        "type Error = { code: number, message: string }\n\
         type ErrorCode = { code: number, message: string }",
        "type Error = { code: ErrorCode, message: string }\n\
         type ErrorCode = number",
        "",
    ),
    (
        "a list whose values are all others, in a type of another name",
        "type Push = { status: Status, call: string }\n\
         type Status = \"running\" | \"finished\" | \"error\"",
        "type Update = { status: Status, id: string, kind: string, title: string }\n\
         type Status = \"pending\" | \"done\" | \"failed\"",
        "breaking enum_value_removed Status `error` at ``\n\
         breaking enum_value_removed Status `finished` at ``\n\
         breaking enum_value_removed Status `running` at ``\n\
         breaking type_removed Push `-` at ``\n\
         risky enum_value_added Status `done` at ``\n\
         risky enum_value_added Status `failed` at ``\n\
         risky enum_value_added Status `pending` at ``\n\
         additive type_added Update `-` at ``\n",
    ),
    (
        "all values of one list under one member",
        "type A = { s: Source }\n\
         type Source = \"command\" | \"jit\" | \"other\" | \"user\"",
        "type A = { s: Source }\n\
         type Source = \"a1\" | \"b2\"",
        "breaking enum_value_removed Source `command` at `s`\n\
         breaking enum_value_removed Source `jit` at `s`\n\
         breaking enum_value_removed Source `other` at `s`\n\
         breaking enum_value_removed Source `user` at `s`\n\
         risky enum_value_added Source `a1` at `s`\n\
         risky enum_value_added Source `b2` at `s`\n",
    ),
    (
        "two requests that are alike but for their method",
        "type SetLevel = { method: \"logging/setLevel\", jsonrpc: \"2.0\", id: string, params: { level: string } }\n\
         type ClientRequest = SetLevel | Ping | Go\n\
         type Ping = { method: \"ping\", jsonrpc: \"2.0\", id: string }\n\
         type Go = { method: \"go\", jsonrpc: \"2.0\", id: string }",
        "type Discover = { method: \"server/discover\", jsonrpc: \"2.0\", id: string, params: { q: string } }\n\
         type ClientRequest = Discover | Ping | Go\n\
         type Ping = { method: \"ping\", jsonrpc: \"2.0\", id: string }\n\
         type Go = { method: \"go\", jsonrpc: \"2.0\", id: string }",
        "breaking method_removed ClientRequest `logging/setLevel` at `logging/setLevel`\n\
         additive method_added ClientRequest `server/discover` at `server/discover`\n\
         none type_added Discover `-` at ``\n\
         none type_removed SetLevel `-` at ``\n",
    ),
    (
        "one type that the other side spelled out in two places",
        "type A = { x: { t?: string } }\n\
         type B = { y: { t?: string } }",
        "type A = { x: T }\n\
         type B = { y: T }\n\
         type T = { t: string }",
        "risky field_optionality_changed T `t` at `x.t`\n",
    ),
    (
        "events of a list that is new each",
        "output Event = A | B\n\
         type A = { type: \"a\", x: string }\n\
         type B = { type: \"b\", y: string }",
        "output Event = A | B | More\n\
         type More = C | D\n\
         type A = { type: \"a\", x: string }\n\
         type B = { type: \"b\", y: string }\n\
         type C = { type: \"c\", z: string }\n\
         type D = { type: \"d\", w: string }",
        "risky event_added Event `c` at `c`\n\
         risky event_added Event `d` at `d`\n\
         none type_added C `-` at ``\n\
         none type_added D `-` at ``\n\
         none type_added More `-` at ``\n",
    ),
    (
        "null that a reader takes for a member that may be missing",
        "input Options = { title=: string | null }",
        "input Options = { title?: string }",
        "none field_optionality_changed Options `title` at `title`\n",
    ),
    (
        "what a new method takes is no arm of its own, and a choice is one arm",
        "type ClientRequest = { id: string, params: Init | New }\n\
         type ClientResponse = { id: string, result: InitDone | NewDone }\n\
         type agentMethods = { method: \"init\", params: Init } => InitDone | { method: \"new\", params: New } => NewDone\n\
         type Init = { a: string }\n\
         type New = { b: string }\n\
         type InitDone = { ok: boolean }\n\
         type NewDone = { okay: boolean }",
        "type ClientRequest = { id: string, params: Init | New | Ask }\n\
         type ClientResponse = { id: string, result: InitDone | NewDone | Answer }\n\
         type agentMethods = { method: \"init\", params: Init } => InitDone | { method: \"new\", params: New } => NewDone\n\
             | { method: \"ask\", params: Ask } => AskDone\n\
         type Init = { a: string }\n\
         type New = { b: string }\n\
         type InitDone = { ok: boolean }\n\
         type NewDone = { okay: boolean }\n\
         type AskDone = { fine: boolean }\n\
         type Ask = { _meta?: string, ...Choice }\n\
         type Choice = { action: \"accept\", content: string } | { action: \"decline\" } | { action: \"other\", z: string }\n\
         type Answer = { _meta?: string, ...Choice }",
        "breaking method_added agentMethods `ask` at `ask`\n\
         additive variant_added ClientResponse `Answer` at `result`\n\
         none type_added Answer `-` at ``\n\
         none type_added Ask `-` at ``\n\
         none type_added AskDone `-` at ``\n\
         none type_added Choice `-` at ``\n",
    ),
    (
        "an arm whose status may be one of several is called by its type",
        "type Result = { r: A | B }\n\
         type A = { a: string }\n\
         type B = { b: string }",
        "type Result = { r: A | B | Cancelled }\n\
         type A = { a: string }\n\
         type B = { b: string }\n\
         type Cancelled = { status: \"cancelled\" | \"done\", c: string }",
        "risky variant_added Result `Cancelled` at `r`\n\
         none type_added Cancelled `-` at ``\n",
    ),
];

#[test]
fn each_kind_is_told_once_and_as_what_it_is() {
    for (name, old, new, expected) in KINDS {
        assert_eq!(lines(&compare(old, new)), *expected, "{name}");
    }
}
