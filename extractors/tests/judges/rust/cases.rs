//! The table: declarations of a type `T`, and values that show all that it writes.

/// One case.
pub(crate) struct Case {
    /// The declarations, serde's derives included.
    pub(crate) source: String,
    /// Expressions of type `T`, which together have every member and every variant.
    pub(crate) samples: Vec<String>,
    /// It is read too, and what a reader does with a missing member follows from `T` alone.
    pub(crate) strict: bool,
}

const BOTH: &str = "#[derive(Serialize, Deserialize, Default)]";
/// An enum has no default of its own.
const ENUM: &str = "#[derive(Serialize, Deserialize)]";
const CASES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];
/// The four representations, by their arguments.
const TAGS: [&str; 4] = ["", "tag = \"t\"", "tag = \"t\", content = \"c\"", "untagged"];

pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    plain(&mut cases);
    names(&mut cases);
    fields(&mut cases);
    enums(&mut cases);
    variants(&mut cases);
    flattened(&mut cases);
    hand_written(&mut cases);
    cases
}

fn add(cases: &mut Vec<Case>, source: impl Into<String>, samples: &[&str]) {
    let samples = samples.iter().map(|&sample| sample.to_owned()).collect();
    cases.push(Case {
        source: source.into(),
        samples,
        strict: true,
    });
}

fn add_loose(cases: &mut Vec<Case>, source: impl Into<String>, samples: &[&str]) {
    add(cases, source, samples);
    if let Some(case) = cases.last_mut() {
        case.strict = false;
    }
}

/// Shapes of structs, and types of the standard library.
fn plain(cases: &mut Vec<Case>) {
    for (body, sample) in [
        ("struct T;", "T"),
        ("struct T();", "T()"),
        ("struct T {}", "T {}"),
        ("struct T(u8);", "T(1)"),
        ("struct T(u8, String);", "T(1, String::new())"),
        ("struct T(#[serde(skip)] u8, String);", "T(1, String::new())"),
        ("#[serde(transparent)] struct T { a: u8 }", "T { a: 1 }"),
        (
            "#[serde(transparent)] struct T { #[serde(skip)] a: u8, b: Vec<u8> }",
            "T { a: 1, b: vec![2] }",
        ),
        ("struct T { r#type: u8, r#match: u8 }", "T { r#type: 1, r#match: 2 }"),
        ("#[serde(tag = \"kind\")] struct T { a: u8 }", "T { a: 1 }"),
        (
            "#[serde(tag = \"kind\", rename = \"x.y\")] struct T { a: u8 }",
            "T { a: 1 }",
        ),
        (
            "#[serde(default)] struct T { a: u8, b: String }",
            "T { a: 1, b: String::new() }",
        ),
        ("#[serde(deny_unknown_fields)] struct T { a: u8 }", "T { a: 1 }"),
    ] {
        add(cases, format!("{BOTH} {body}"), &[sample]);
    }
    for (ty, values) in [
        ("char", &["'x'"][..]),
        ("f32", &["1.5"]),
        ("i128", &["-1"]),
        ("Cow<'static, str>", &["\"x\".into()"]),
        ("Box<str>", &["\"x\".into()"]),
        ("std::sync::Arc<Vec<u8>>", &["vec![1].into()"]),
        ("std::path::PathBuf", &["\"x\".into()"]),
        ("std::num::NonZeroU8", &["std::num::NonZeroU8::new(1).unwrap()"]),
        ("std::time::Duration", &["std::time::Duration::new(1, 2)"]),
        ("std::time::SystemTime", &["std::time::SystemTime::UNIX_EPOCH"]),
        ("std::net::IpAddr", &["\"::1\".parse().unwrap()"]),
        ("std::net::SocketAddr", &["\"[::1]:80\".parse().unwrap()"]),
        ("std::ops::Range<u8>", &["1..2"]),
        ("Result<u8, String>", &["Ok(1)", "Err(String::new())"]),
        ("Option<Result<(), u8>>", &["None", "Some(Ok(()))", "Some(Err(1))"]),
        ("[u8; 3]", &["[1, 2, 3]"]),
        ("[(u8, bool); 2]", &["[(1, true), (2, false)]"]),
        ("(u8,)", &["(1,)"]),
        ("()", &["()"]),
        ("VecDeque<u8>", &["vec![1].into()"]),
        ("BTreeSet<String>", &["[String::new()].into()"]),
        (
            "BTreeMap<String, Vec<Option<u8>>>",
            &["[(\"k\".into(), vec![None, Some(1)])].into()"],
        ),
        ("HashMap<u32, bool>", &["[(1, true)].into()"]),
        ("std::marker::PhantomData<u8>", &["std::marker::PhantomData"]),
        ("std::cell::RefCell<u8>", &["1.into()"]),
        ("std::num::Wrapping<u8>", &["std::num::Wrapping(1)"]),
        ("std::cmp::Reverse<u8>", &["std::cmp::Reverse(1)"]),
        ("std::sync::atomic::AtomicU32", &["1.into()"]),
        ("Value", &["Value::Null"]),
        ("serde_json::Map<String, Value>", &["Default::default()"]),
    ] {
        let samples: Vec<String> = values.iter().map(|value| format!("T {{ a: {value} }}")).collect();
        let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
        add_loose(cases, format!("{ENUM} struct T {{ a: {ty} }}"), &samples);
    }
    add(
        cases,
        format!("type A<X> = Option<Vec<X>>; {BOTH} struct T {{ a: A<u8> }}"),
        &["T { a: None }", "T { a: Some(vec![1]) }"],
    );
    add(
        cases,
        format!(
            "{BOTH} struct G<X, const N: usize> {{ x: X, y: Option<Box<X>> }} {BOTH} struct T {{ a: G<u8, 1>, b: G<String, 2> }}"
        ),
        &[
            "T { a: G { x: 1, y: None }, b: G { x: String::new(), y: Some(Box::default()) } }",
            "T { a: G { x: 1, y: Some(Box::new(1)) }, b: G { x: String::new(), y: None } }",
        ],
    );
}

/// `rename_all` and its relatives.
fn names(cases: &mut Vec<Case>) {
    let body = "struct T { user_id: u8, a: u8, http2_url: u8, _private: u8, trailing_: u8, x_y_z: u8, mixedCase: u8, r#type: u8 }";
    let value = "T { user_id: 1, a: 1, http2_url: 1, _private: 1, trailing_: 1, x_y_z: 1, mixedCase: 1, r#type: 1 }";
    for case in CASES {
        add(
            cases,
            format!("{BOTH} #[serde(rename_all = \"{case}\")] {body}"),
            &[value],
        );
        let other = CASES[(case.len() + 3) % 8];
        add(
            cases,
            format!(
                "{BOTH} #[serde(rename_all(serialize = \"{case}\", deserialize = \"{other}\"))] struct T {{ one_two: u8 }}"
            ),
            &["T { one_two: 1 }"],
        );
        add(
            cases,
            format!(
                "{ENUM} #[serde(rename_all(serialize = \"{case}\", deserialize = \"{other}\"))] enum T {{ OneTwo, HTTPError {{ a_b: u8 }} }}"
            ),
            &["T::OneTwo", "T::HTTPError { a_b: 1 }"],
        );
        add(
            cases,
            format!(
                "{BOTH} #[cfg_attr(all(), serde(rename_all = \"{case}\"))] struct T {{ one_two: u8, #[serde(rename = \"x/y\")] z_z: u8 }}"
            ),
            &["T { one_two: 1, z_z: 2 }"],
        );
    }
}

/// One field with every argument, for several types.
fn fields(cases: &mut Vec<Case>) {
    let types: [(&str, &str, &[&str]); 7] = [
        ("u8", "is_default", &["0", "7"]),
        ("bool", "std::ops::Not::not", &["false", "true"]),
        ("String", "String::is_empty", &["String::new()", "\"x\".to_owned()"]),
        ("Vec<u8>", "Vec::is_empty", &["vec![]", "vec![1]"]),
        (
            "BTreeMap<String, u8>",
            "BTreeMap::is_empty",
            &["BTreeMap::new()", "[(\"k\".to_owned(), 1)].into()"],
        ),
        ("Option<u8>", "Option::is_none", &["None", "Some(7)"]),
        (
            "Option<Option<u8>>",
            "Option::is_none",
            &["None", "Some(None)", "Some(Some(1))"],
        ),
    ];
    for (ty, predicate, values) in types {
        let skip = format!("skip_serializing_if = \"{predicate}\"");
        for args in [
            String::new(),
            "default".to_owned(),
            skip.clone(),
            format!("default, {skip}"),
            "skip".to_owned(),
            "skip_serializing, default".to_owned(),
            "skip_deserializing".to_owned(),
            "rename = \"x-y\"".to_owned(),
            "alias = \"al\", alias = \"al2\"".to_owned(),
            "rename(serialize = \"w\", deserialize = \"r\")".to_owned(),
            format!("rename = \"q\", alias = \"r\", default, {skip}"),
        ] {
            let source = format!("{BOTH} struct T {{ #[serde({args})] f: {ty}, g: u8 }}");
            let samples: Vec<String> = values.iter().map(|value| format!("T {{ f: {value}, g: 1 }}")).collect();
            let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
            add(cases, source, &samples);
        }
    }
    // Only written, and what is only read has no say.
    for args in [
        "",
        "default",
        "alias = \"x\"",
        "skip_deserializing",
        "rename(deserialize = \"r\")",
    ] {
        add_loose(
            cases,
            format!("#[derive(Serialize)] struct T {{ #[serde({args})] f: u8, g: Option<u8> }}"),
            &["T { f: 1, g: None }", "T { f: 1, g: Some(1) }"],
        );
    }
}

/// Representations and cases.
fn enums(cases: &mut Vec<Case>) {
    let payload =
        "#[derive(Serialize, Deserialize)] struct P { inner_value: u8 } #[derive(Serialize, Deserialize)] struct Unit;";
    for tag in TAGS {
        let tuple = if tag == TAGS[1] {
            ""
        } else {
            "Pair(u8, bool), Empty(), List(Vec<u8>), Number(i64),"
        };
        let body = format!(
            "enum T {{ Unit, HTTPError(P), V2Item {{ user_id: u8, a: Option<u8> }}, Nothing {{}}, U(Unit), Boxed(Box<P>), {tuple} }}"
        );
        let mut samples = vec![
            "T::Unit",
            "T::HTTPError(P { inner_value: 1 })",
            "T::V2Item { user_id: 1, a: None }",
            "T::V2Item { user_id: 1, a: Some(1) }",
            "T::Nothing {}",
            "T::U(Unit)",
            "T::Boxed(Box::new(P { inner_value: 1 }))",
        ];
        if !tuple.is_empty() {
            samples.extend(["T::Pair(1, true)", "T::Empty()", "T::List(vec![1])", "T::Number(1)"]);
        }
        if tag == "untagged" {
            // Values of some variants are those of others: a small one that tells them apart.
            add_loose(
                cases,
                format!(
                    "{payload} {ENUM} #[serde(untagged)] enum T {{ HTTPError(P), V2Item {{ user_id: u8 }}, Unit, Pair(u8, bool), Number(i64), Text(String) }}"
                ),
                &[
                    "T::Unit",
                    "T::HTTPError(P { inner_value: 1 })",
                    "T::V2Item { user_id: 1 }",
                    "T::Pair(1, true)",
                    "T::Number(1)",
                    "T::Text(String::new())",
                ],
            );
            continue;
        }
        add(cases, format!("{payload} {ENUM} #[serde({tag})] {body}"), &samples);
        for case in CASES {
            add(
                cases,
                format!("{payload} {ENUM} #[serde({tag})] #[serde(rename_all = \"{case}\")] {body}"),
                &samples,
            );
            add(
                cases,
                format!(
                    "{ENUM} #[serde(rename_all_fields = \"{case}\", {tag})] enum T {{ A {{ one_two: u8, #[serde(rename = \"z\")] x_y: u8 }}, #[serde(rename_all = \"camelCase\")] B {{ one_two: u8 }} }}"
                ),
                &["T::A { one_two: 1, x_y: 2 }", "T::B { one_two: 1 }"],
            );
        }
    }
    add(
        cases,
        format!("{ENUM} #[serde(rename_all = \"snake_case\")] enum T {{ InProgress, Done2, ABTest }}"),
        &["T::InProgress", "T::Done2", "T::ABTest"],
    );
    add_loose(
        cases,
        format!(
            "{ENUM} #[serde(tag = \"t\")] enum T {{ M(BTreeMap<String, u8>), V(Value), I(I) }} {ENUM} #[serde(tag = \"u\")] enum I {{ X {{ y: u8 }} }}"
        ),
        &[
            "T::M([(\"k\".to_owned(), 1)].into())",
            "T::V(serde_json::json!({\"z\": 1}))",
            "T::I(I::X { y: 1 })",
        ],
    );
}

/// Arguments of variants.
fn variants(cases: &mut Vec<Case>) {
    for tag in &TAGS[..3] {
        for args in [
            "rename = \"a/b\"",
            "alias = \"x\", alias = \"y\"",
            "rename(serialize = \"w\", deserialize = \"r\")",
            "rename_all = \"UPPERCASE\"",
            "skip_deserializing",
        ] {
            add(
                cases,
                format!(
                    "{ENUM} #[serde({tag})] #[serde(rename_all = \"kebab-case\")] enum T {{ #[serde({args})] OneTwo {{ a_b: u8 }}, Other }}"
                ),
                &["T::OneTwo { a_b: 1 }", "T::Other"],
            );
        }
        add(
            cases,
            format!(
                "{ENUM} #[serde({tag})] enum T {{ A, #[serde(skip)] B, #[serde(skip_serializing)] C, #[cfg(test)] D }}"
            ),
            &["T::A"],
        );
        add_loose(
            cases,
            format!(
                "{ENUM} #[serde({tag})] enum T {{ A {{}}, #[serde(untagged)] B {{ b: u8 }}, #[serde(untagged)] C(bool) }}"
            ),
            &["T::A {}", "T::B { b: 1 }", "T::C(true)"],
        );
        add_loose(
            cases,
            format!(
                "{ENUM} #[serde({tag})] enum T {{ A {{ #[serde(skip_serializing_if = \"Option::is_none\")] x: Option<u8>, #[serde(default)] y: u8, #[serde(flatten)] z: BTreeMap<String, bool> }} }}"
            ),
            &[
                "T::A { x: None, y: 1, z: Default::default() }",
                "T::A { x: Some(1), y: 1, z: [(\"k\".to_owned(), true)].into() }",
            ],
        );
    }
    add(
        cases,
        format!("{ENUM} #[serde(rename_all = \"lowercase\")] enum T {{ A, #[serde(other)] Rest }}"),
        &["T::A", "T::Rest"],
    );
    add(
        cases,
        format!("{ENUM} enum T {{ #[serde(alias = \"aa\")] A, #[serde(rename = \"b.b\", alias = \"bb\")] B }}"),
        &["T::A", "T::B"],
    );
}

/// `flatten` of everything, in everything.
fn flattened(cases: &mut Vec<Case>) {
    let inner: [(&str, &str, &[&str]); 9] = [
        (
            "struct I { x: u8, y: Option<u8> }",
            "I",
            &["I { x: 1, y: None }", "I { x: 1, y: Some(2) }"],
        ),
        ("struct I { x: u8 }", "Option<I>", &["None", "Some(I { x: 1 })"]),
        (
            "struct I { x: u8, #[serde(flatten)] d: D } #[derive(Serialize, Deserialize)] struct D { z: u8 }",
            "Box<I>",
            &["Box::new(I { x: 1, d: D { z: 2 } })"],
        ),
        (
            "struct I(BTreeMap<String, u8>);",
            "I",
            &["I([(\"k\".to_owned(), 1)].into())"],
        ),
        (
            "struct I {}",
            "BTreeMap<String, bool>",
            &["Default::default()", "[(\"k\".to_owned(), true)].into()"],
        ),
        ("enum I { A { x: u8 }, B(u8) }", "I", &["I::A { x: 1 }", "I::B(1)"]),
        (
            "#[serde(tag = \"type\", rename_all = \"snake_case\")] enum I { AnA { x: u8 }, B }",
            "I",
            &["I::AnA { x: 1 }", "I::B"],
        ),
        (
            "#[serde(tag = \"type\", content = \"data\")] enum I { A { x: u8 }, B }",
            "I",
            &["I::A { x: 1 }", "I::B"],
        ),
        (
            "#[serde(untagged)] enum I { A { x: u8 }, B { z: u8 } }",
            "I",
            &["I::A { x: 1 }", "I::B { z: 1 }"],
        ),
    ];
    for (declaration, ty, values) in inner {
        for (outer, open, close) in [
            (
                format!("struct T {{ id: u8, #[serde(flatten)] f: {ty} }}"),
                "T { id: 1, f: ",
                " }",
            ),
            (
                format!("#[serde(tag = \"tag\")] enum T {{ V {{ id: u8, #[serde(flatten)] f: {ty} }} }}"),
                "T::V { id: 1, f: ",
                " }",
            ),
            (
                format!(
                    "#[serde(tag = \"tag\", content = \"content\")] enum T {{ V {{ id: u8, #[serde(flatten)] f: {ty} }} }}"
                ),
                "T::V { id: 1, f: ",
                " }",
            ),
            (
                format!("enum T {{ V {{ id: u8, #[serde(flatten)] f: {ty} }} }}"),
                "T::V { id: 1, f: ",
                " }",
            ),
        ] {
            let samples: Vec<String> = values.iter().map(|value| format!("{open}{value}{close}")).collect();
            let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
            add_loose(
                cases,
                format!("#[derive(Serialize, Deserialize)] {declaration} {ENUM} {outer}"),
                &samples,
            );
        }
    }
    add_loose(
        cases,
        format!("{ENUM} struct T {{ #[serde(flatten)] f: Value }}"),
        &["T { f: serde_json::json!({\"a\": 1}) }"],
    );
}

/// Other types' forms, and code.
fn hand_written(cases: &mut Vec<Case>) {
    add_loose(
        cases,
        "#[derive(Clone, Serialize, Deserialize)] #[serde(into = \"W\", from = \"W\")] struct T { a: u8 } #[derive(Serialize, Deserialize)] struct W { b: String }
         impl From<T> for W { fn from(t: T) -> W { W { b: t.a.to_string() } } } impl From<W> for T { fn from(w: W) -> T { T { a: 1 } } }",
        &["T { a: 1 }"],
    );
    add_loose(
        cases,
        "struct T { id: u8 } impl Serialize for T { fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.collect_str(&self.id) } }",
        &["T { id: 1 }"],
    );
    add_loose(
        cases,
        "enum M<X> { Undefined, Null, Value(X) }
         impl<X: Serialize> Serialize for M<X> { fn serialize<S>(&self, s: S) -> Result<S::Ok, S::Error> where S: serde::Serializer {
            match self { Self::Value(v) => v.serialize(s), Self::Null => s.serialize_none(), Self::Undefined => s.serialize_none() } } }
         #[derive(Serialize)] struct T { #[serde(skip_serializing_if = \"skip\")] a: M<Vec<u8>> } fn skip<X>(m: &M<X>) -> bool { matches!(m, M::Undefined) }",
        &["T { a: M::Undefined }", "T { a: M::Null }", "T { a: M::Value(vec![1]) }"],
    );
    add_loose(
        cases,
        "mod secs { pub fn serialize<S: serde::Serializer>(v: &std::time::Duration, s: S) -> Result<S::Ok, S::Error> { s.serialize_u64(v.as_secs()) } }
         fn text<S>(v: &u8, out: S) -> Result<S::Ok, S::Error> where S: serde::Serializer { let t = format!(\"{v}\"); out.serialize_str(&t) }
         fn same<S, X: Serialize>(v: &X, out: S) -> Result<S::Ok, S::Error> where S: serde::Serializer { v.serialize(out) }
         #[derive(Serialize)] struct T { #[serde(with = \"secs\")] a: std::time::Duration, #[serde(serialize_with = \"text\")] b: u8, #[serde(serialize_with = \"same\")] c: Vec<u8> }",
        &["T { a: std::time::Duration::new(1, 0), b: 1, c: vec![1] }"],
    );
    add_loose(
        cases,
        "struct Remote { x: u8 } #[derive(Serialize)] #[serde(remote = \"Remote\")] struct RemoteDef { x: u8 }
         #[derive(Serialize)] struct T { #[serde(with = \"RemoteDef\")] r: Remote }",
        &["T { r: Remote { x: 1 } }"],
    );
    add_loose(
        cases,
        "macro_rules! table { ($($(#[$m:meta])* $n:ident => $w:literal ($p:ty)),* $(,)?) => {
            #[derive(Serialize)] #[serde(tag = \"method\", content = \"params\")] enum T { $($(#[$m])* #[serde(rename = $w)] $n($p)),* } } }
         table! { /// Doc
            A => \"a/b\" (u8), B => \"c\" (Vec<Option<u8>>), }",
        &["T::A(1)", "T::B(vec![None, Some(1)])"],
    );
}
