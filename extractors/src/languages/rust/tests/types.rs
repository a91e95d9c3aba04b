//! Structs and enums with serde's attributes.

use super::{check, print};

/// `#[derive(Serialize, Deserialize)]` before each declaration.
fn both(declarations: &[&str]) -> String {
    let derived: Vec<String> = declarations
        .iter()
        .map(|text| format!("#[derive(Serialize, Deserialize)] {text}"))
        .collect();
    derived.join("\n")
}

fn table(rows: &[(&[&str], &str)]) {
    let sources: Vec<(String, &str)> = rows
        .iter()
        .map(|(declarations, expected)| (both(declarations), *expected))
        .collect();
    let borrowed: Vec<(&str, &str)> = sources
        .iter()
        .map(|(source, expected)| (source.as_str(), *expected))
        .collect();
    check(&borrowed);
}

#[test]
fn structs_are_objects_lists_values_or_null() {
    table(&[
        (
            &["pub struct A { pub b: String, c: Option<u8>, r#type: bool }"],
            "A = {b: string, c=: number | null, type: boolean}",
        ),
        (&["struct A(String);"], "A = string"),
        (&["struct A(String, u8);"], "A = [string, number]"),
        (&["struct A();"], "A = []"),
        (&["struct A;"], "A = null"),
        (&["struct A {}"], "A = {}"),
        (
            &["#[serde(transparent)] struct A { b: Vec<u8>, #[serde(skip)] c: u8 }"],
            "A = number[]",
        ),
        (
            &["#[serde(transparent)] struct A<T> { b: u8, c: PhantomData<T> }"],
            "A = number",
        ),
        (
            &["#[serde(tag = \"kind\")] struct A { b: u8 }"],
            "A = {b: number, kind=: \"A\"}",
        ),
        (
            &["struct A { b: B }", "struct B(#[serde(skip)] u8, bool);"],
            "A = {b: B}\nB = [boolean]",
        ),
    ]);
}

#[test]
fn types_from_outside_are_what_their_crates_write() {
    let rows = [
        ("char", "string"),
        ("&'static str", "string"),
        ("std::path::PathBuf", "string"),
        ("f64", "number"),
        ("std::num::NonZeroU32", "number"),
        ("()", "null"),
        ("(u8, String)", "[number, string]"),
        ("[u8; 4]", "number[]"),
        ("std::collections::HashMap<String, Vec<bool>>", "{*: boolean[]}"),
        ("std::collections::BTreeSet<String>", "string[]"),
        ("Box<Option<std::sync::Arc<str>>>", "string | null"),
        ("std::borrow::Cow<'static, str>", "string"),
        ("serde_json::Value", "any"),
        ("serde_json::Map<String, serde_json::Value>", "{*: any}"),
        ("std::time::Duration", "{nanos: number, secs: number}"),
        ("chrono::DateTime<chrono::Utc>", "string"),
        ("uuid::Uuid", "string"),
        ("std::net::Ipv4Addr", "string"),
        ("Result<u8, String>", "{Ok: number} | {Err: string}"),
        ("std::ops::Range<u8>", "{end: number, start: number}"),
        ("smallvec::SmallVec<[u8; 4]>", "number[]"),
    ];
    for (ty, expected) in rows {
        let source = both(&[&format!("struct A {{ b: Vec<{ty}> }}")]);
        let expected = if expected.contains('|') {
            format!("({expected})")
        } else {
            expected.to_owned()
        };
        assert_eq!(print(&source), format!("A = {{b: {expected}[]}}\n"), "{ty}");
    }
    assert_eq!(
        print(&both(&["struct A { b: acme::Thing }"])),
        "A = {b: ?acme::Thing}\nunresolved src/lib.rs:1 acme::Thing\n"
    );
    assert_eq!(
        print(
            "use serde_json::Value as JsonValue; use std::collections::HashMap as M;\n#[derive(Serialize)] struct A { b: M<String, JsonValue> }"
        ),
        "A = {b: {*: any}}\n"
    );
}

#[test]
fn names_are_renamed_as_serde_does() {
    table(&[
        (
            &[
                "#[serde(rename_all = \"camelCase\")] struct A { user_id: u8, #[serde(rename = \"x-y\")] z: u8, _private: u8 }",
            ],
            "A = {private: number, userId: number, x-y: number}",
        ),
        // Trap 1: the case of an enum is that of its variants, not of their fields.
        (
            &["#[serde(rename_all = \"camelCase\")] enum A { HTTPError { status_code: u8 }, V2Item }"],
            "A = HTTPError={hTTPError: {status_code: number}} | V2Item=\"v2Item\"",
        ),
        (
            &[
                "#[serde(rename_all = \"kebab-case\", rename_all_fields = \"camelCase\")] enum A { OneTwo { a_b: u8 },
              #[serde(rename = \"a/b\", rename_all = \"UPPERCASE\")] C { a_b: u8 }, #[serde(alias = \"dd\")] D }",
            ],
            "A = OneTwo={one-two: {aB: number}} | C={a/b: {A_B: number}} | D=\"d\"~\"dd\"",
        ),
        (
            &["struct A { #[serde(rename(serialize = \"w\", deserialize = \"r\"), alias = \"s\")] b: u8 }"],
            "A = {w~r~s: number}",
        ),
        (
            &["#[cfg_attr(feature = \"x\", serde(rename_all = \"lowercase\"))] enum A { OnlyOne }"],
            "A = OnlyOne=\"onlyone\"",
        ),
    ]);
}

#[test]
fn keys_are_required_when_they_are_always_written() {
    table(&[
        (&["struct A { #[serde(default)] b: bool }"], "A = {b=: boolean}"),
        (
            &["#[serde(default)] struct A { b: bool, c: String }"],
            "A = {b=: boolean, c=: string}",
        ),
        (
            &["struct A { #[serde(skip_serializing_if = \"Option::is_none\")] b: Option<u8> }"],
            "A = {b?: number}",
        ),
        (
            &["struct A { #[serde(default, skip_serializing_if = \"Vec::is_empty\")] b: Vec<u8> }"],
            "A = {b?: number[]}",
        ),
        (
            &["struct A { #[serde(skip_serializing_if = \"crate::is_text\")] b: u8 }"],
            "A = {b?: number}",
        ),
        (
            &["#[skip_serializing_none] struct A { b: Option<u8>, c: u8 }"],
            "A = {b?: number, c: number}",
        ),
        (
            &["struct A { #[serde(skip_serializing_if = \"Option::is_none\")] b: Option<Option<u8>> }"],
            "A = {b?: number | null}",
        ),
        (
            &[
                "struct A { #[serde(skip)] b: u8, #[serde(skip_serializing)] c: u8, #[serde(skip_deserializing)] d: u8 }",
            ],
            "A = {d=: number}",
        ),
        (
            &["type Maybe<T> = Option<T>; ", "struct A { b: Maybe<u8> }"],
            "A = {b=: number | null}",
        ),
        (
            &["struct A { #[serde(deserialize_with = \"x\")] b: Option<u8> }"],
            "A = {b: number | null}",
        ),
    ]);
    check(&[
        (
            "#[derive(Serialize)] struct A { b: Option<u8>, #[serde(default)] c: u8 }",
            "A = {b: number | null, c: number}",
        ),
        (
            "#[derive(Deserialize)] struct A { b: Option<u8>, #[serde(default)] c: u8, d: u8, #[serde(rename(deserialize = \"f\"))] e: u8 }",
            "A = {b?: number | null, c?: number, d: number, f: number}",
        ),
    ]);
}

#[test]
fn enums_are_tagged_in_four_ways() {
    let variants = "{ A, B(P), C { x: u8 }, D(u8, u8), E(()) }";
    let p = "struct P { y: u8 }";
    table(&[
        (
            &[&format!("enum T {variants}"), p],
            "P = {y: number}
             T = A=\"A\" | B={B: P} | C={C: {x: number}} | D={D: [number, number]} | E={E: null}",
        ),
        (
            &["#[serde(tag = \"t\")] enum T { A, B(P), C { x: u8 }, F(Box<P>), G(serde_json::Value), H(std::collections::BTreeMap<String, u8>) }", p],
            "P = {y: number}
             T = <t> A={t: \"A\"} | B={t: \"B\", ...P} | C={t: \"C\", x: number} | F={t: \"F\", ...P} | G={t: \"G\", *} | H={t: \"H\", ...{*: number}}",
        ),
        (
            &[&format!("#[serde(tag = \"t\", content = \"c\")] enum T {variants}"), p],
            "P = {y: number}
             T = <t> A={t: \"A\"} | B={c: P, t: \"B\"} | C={c: {x: number}, t: \"C\"} | D={c: [number, number], t: \"D\"} | E={c: null, t: \"E\"}",
        ),
        (
            &[&format!("#[serde(untagged)] enum T {variants}"), p],
            "P = {y: number}
             T = A=null | B=P | C={x: number} | D=[number, number] | E=null",
        ),
    ]);
}

#[test]
fn a_tag_that_its_payload_writes_again_is_not_seen() {
    table(&[(
        &[
            "#[serde(tag = \"kind\")] enum U { A(P), B(Q) }",
            "struct P { kind: u8 }",
            "struct Q { #[serde(flatten)] p: R }",
            "struct R { x: u8 }",
        ],
        "P = {kind: number}
         Q = {...R}
         R = {x: number}
         U = <kind> A={...P} | B={kind: \"B\", ...Q}",
    )]);
}

#[test]
fn variants_can_be_left_out_or_catch_the_rest() {
    table(&[
        (&["enum A { B, #[serde(other)] C }"], "A = B=\"B\" | C=\"C\" | *"),
        (
            &["#[serde(rename_all = \"snake_case\")] enum A { B, #[serde(untagged)] Other(String) }"],
            "A = B=\"b\" | Other=string | *",
        ),
        (
            &[
                "#[serde(tag = \"type\")] enum A { B {}, #[serde(untagged)] C(P) }",
                "struct P {}",
            ],
            "A = <type> B={type: \"B\"} | C=P
             P = {}",
        ),
        (&["enum A { B, #[serde(skip)] C, #[cfg(test)] D }"], "A = B=\"B\""),
        (&["enum A {}"], "A = never"),
    ]);
    check(&[(
        "#[derive(Serialize_repr, Deserialize_repr)] #[repr(i8)] enum A { B = -1, C, #[serde(other)] D = 7 }",
        "A = B=-1 | C=0 | D=7 | *",
    )]);
}

#[test]
fn flattened_members_stand_at_the_same_level() {
    table(&[
        (
            &[
                "struct A { b: u8, #[serde(flatten)] c: C, #[serde(flatten)] d: Option<D>, #[serde(flatten)] e: std::collections::HashMap<String, u8> }",
                "struct C {}",
                "struct D {}",
            ],
            "A = {b: number, ...C, ...(D | {}), ...{*: number}}
             C = {}
             D = {}",
        ),
        (&["struct A { #[serde(flatten)] b: serde_json::Value }"], "A = {*}"),
        (
            &[
                "struct A { #[serde(flatten)] b: B }",
                "#[serde(tag = \"t\")] enum B { C { id: u8 } }",
            ],
            "A = {...B}
             B = <t> C={id: number, t: \"C\"}",
        ),
    ]);
}

#[test]
fn other_forms_are_followed() {
    table(&[
        (
            &["#[serde(from = \"String\", into = \"String\")] struct A { b: u8 }"],
            "A = string",
        ),
        (
            &["#[serde(try_from = \"String\")] struct A { b: u8 }"],
            "A = {b: number}",
        ),
        (
            &["struct A { #[serde(with = \"humantime_serde\")] b: std::time::Duration }"],
            "A = {b: string}",
        ),
        (
            &[
                "struct A { #[serde_as(as = \"Vec<DisplayFromStr>\")] b: Vec<u8>, #[serde_as(as = \"Option<Base64>\")] c: Option<Vec<u8>> }",
            ],
            "A = {b: string[], c=: string | null}",
        ),
        (
            &[
                "struct A { #[serde_as(deserialize_as = \"DefaultOnError\")] b: u8, #[serde_as(as = \"DefaultOnError<HashMap<_, DisplayFromStr>>\")] c: HashMap<u8, u8> }",
            ],
            "A = {b: number, c: {*: string}}",
        ),
        (
            &["struct A { #[serde(with = \"acme::codec\")] b: u8 }"],
            "A = {b: ?u8 with acme::codec}
          unresolved src/lib.rs:1 u8 with acme::codec",
        ),
        (
            &[
                "#[serde(remote = \"other::D\")] struct DDef { x: u8 }",
                "struct A { #[serde(with = \"DDef\")] b: other::D }",
            ],
            "A = {b: DDef}
          DDef = {x: number}",
        ),
    ]);
    check(&[
        ("#[derive(Deserialize)] #[serde(try_from = \"String\")] struct A { b: u8 }", "A = string"),
        ("#[derive(SerializeDisplay, DeserializeFromStr)] struct A { b: u8 }", "A = string"),
        (
            "mod ts { pub fn serialize<S: Serializer>(v: &Time, s: S) -> Result<S::Ok, S::Error> { s.serialize_i64(v.secs()) } }
             fn list<S>(v: &T, out: S) -> Result<S::Ok, S::Error> where S: serde::Serializer { v.serialize(out) }
             #[derive(Serialize)] struct A { #[serde(with = \"ts\")] b: acme::Time, #[serde(serialize_with = \"list\")] c: Vec<u8> }",
            "A = {b: number, c: number[]}",
        ),
    ]);
}

#[test]
fn hand_written_impls_are_believed_as_far_as_they_are_plain() {
    check(&[
        (
            "pub struct Id { uuid: Uuid }
             impl Serialize for Id { fn serialize<S>(&self, s: S) -> Result<S::Ok, S::Error> where S: Serializer { s.collect_str(&self.uuid) } }",
            "Id = string",
        ),
        (
            "enum Maybe<T> { Undefined, Null, Value(T) }
             impl<T: Serialize> Serialize for Maybe<T> { fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                 match self { Self::Value(v) => v.serialize(s), Self::Null | Self::Undefined => s.serialize_none() } } }
             #[derive(Serialize)] struct A { b: Maybe<String> }",
            "A = {b: Maybe<string>}
             Maybe = any | null
             [Maybe<string>] Maybe = string | null",
        ),
        (
            "struct A; impl Serialize for A { fn serialize<S: Serializer>(&self, s: S) -> R { let mut m = s.serialize_map(None)?; m.end() } }",
            "A = ?hand-written Serialize of A
             unresolved src/lib.rs:1 hand-written Serialize of A",
        ),
        (
            "struct A(u8); impl<'de> Deserialize<'de> for A { fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                 let text = String::deserialize(d)?; Ok(A(text.parse().unwrap())) } }",
            "A = string",
        ),
        (
            "#[derive(Serialize)] struct A { b: u8 } impl<'de> Deserialize<'de> for A { fn deserialize<D>(d: D) -> X { d.deserialize_any(V) } }",
            "A = {b: number}",
        ),
    ]);
}

#[test]
fn generic_types_are_written_out_for_their_arguments() {
    table(&[(
        &[
            "struct R<P> { params: Option<P>, id: u8 }",
            "type Call = R<C>;",
            "struct C {}",
            "struct A { b: Call, c: R<Vec<String>>, d: R<serde_json::Value> }",
        ],
        "A = {b: R<C>, c: R<string[]>, d: R}
         C = {}
         R = {id: number, params=: any}
         [R<C>] R = {id: number, params=: C | null}
         [R<string[]>] R = {id: number, params=: string[] | null}",
    )]);
    // Recursion with growing arguments ends.
    let grown = print(&both(&["struct A<T> { b: Option<Box<A<Vec<T>>>>, c: T }"]));
    assert!(grown.lines().count() < 400 && grown.starts_with("A = {b=: A<any[]> | null, c: any}"));
}

#[test]
fn stability_and_evidence_are_kept() {
    check(&[
        (
            "#[derive(Serialize)] struct A { #[experimental(\"a.b\")] b: u8, #[deprecated] c: u8, #[cfg(feature = \"unstable_d\")] d: u8 }
             #[cfg(feature = \"unstable\")] #[derive(Serialize)] enum B { /// UNSTABLE
                C, D }",
            "A = {b: number !experimental, c: number !deprecated, d: number !experimental}
             B = C=\"C\" !experimental | D=\"D\" !experimental",
        ),
        (
            "#[derive(Debug)] struct InProcess; #[derive(Debug)] struct Used { x: u8 } #[derive(Serialize)] struct A { b: Used }
             #[cfg(test)] mod tests { #[derive(Serialize)] struct T; }",
            "A = {b: Used}
             Used = {x: number} (in process)",
        ),
    ]);
}

#[test]
fn protocol_versions_are_constants() {
    check(&[
        ("pub const PROTOCOL_VERSION: &str = \"2025-11-25\"; const OTHER: u8 = 1;", "const PROTOCOL_VERSION = \"2025-11-25\""),
        ("pub const WIRE_PROTOCOL_VERSION: u32 = 1_2;", "const WIRE_PROTOCOL_VERSION = 12"),
        (
            "#[derive(Serialize)] pub struct ProtocolVersion(u16); impl ProtocolVersion { pub const V0: Self = Self(0); pub const V1: Self = Self(1);
             pub const LATEST: Self = Self::V1; }",
            "ProtocolVersion = number
             const ProtocolVersion::LATEST = 1",
        ),
    ]);
}

#[test]
fn event_literals_in_plain_code_are_weaker_evidence() {
    check(&[(
        "fn a(w: W, n: u8) {
            w.send(json!({\"type\": \"turn.started\", \"id\": n, \"text\": \"example\", \"list\": [1], \"n\": 1}));
            w.send(serde_json::json!({ \"type\": \"turn.started\", \"id\": \"x\", \"usage\": { \"type\": \"y\", \"n\": null } }));
            w.send(json!({\"jsonrpc\": \"2.0\", \"method\": \"session/update\", (key()): true, \"params\": n}));
            schema(json!({\"type\": \"object\", \"properties\": {}}), json!({\"type\": \"no event\"}), json!([1]), json!({\"a\": \"b\"}));
            // json!({\"type\": \"comment\"})
         }
         #[test] fn t() { json!({\"type\": \"in.test\"}); } #[tokio::test] async fn u() { json!({\"type\": \"in.test\"}); }
         #[cfg(test)] mod tests { fn v() { json!({\"type\": \"in.test\"}); } }",
        "json!(method) = <method> {jsonrpc: string, method: \"session/update\", params: any, *} | * (literal)
         json!(type) = <type> {id: any, list?: any[], n?: number, text?: string, type: \"turn.started\", usage?: {n: null, type: string}} | * (literal)",
    )]);
    let tree = [
        ("src/a_tests.rs", "fn a() { json!({\"type\": \"x\"}); }"),
        ("src/b.rs", "fn b() { json!({\"type\": \"x\"}); }"),
    ];
    assert_eq!(super::link(&tree, &["src/a_tests.rs"]), "");
    assert_eq!(
        super::link(&tree, &["src/b.rs"]),
        "json!(type) = <type> {type: \"x\"} | * (literal)\n"
    );
}
