//! Macros and method tables.

use super::{check, link, print};

const REQUESTS: &str = r#"
macro_rules! client_request_definitions {
    ($($(#[experimental($why:expr)])? $(#[doc = $doc:literal])* $name:ident $(=> $wire:literal)? {
        params: $(#[$meta:meta])* $params:ty, $(inspect: $inspect:tt,)? response: $response:ty,
    }),* $(,)?) => {
        #[derive(Serialize, Deserialize)]
        #[serde(tag = "method", rename_all = "camelCase")]
        pub enum ClientRequest {
            $($(#[doc = $doc])* $(#[serde(rename = $wire)])? $name { #[serde(rename = "id")] request_id: u64, $(#[$meta])* params: $params },)*
        }
        #[derive(Serialize)]
        #[serde(tag = "method")]
        pub enum ClientResponse { $($name { response: $response },)* }
        impl ClientRequest { pub fn all() -> usize { 0 $(+ stringify!($name).len())* } }
    };
}
client_request_definitions! {
    Initialize { params: Params, response: Response, },
    /// Starts.
    ThreadStart => "thread/start" { params: Params, inspect: true, response: Response, },
    #[experimental("x")]
    Logout => "account/logout" { params: #[serde(skip_serializing_if = "Option::is_none")] Option<()>, response: (), },
}
#[derive(Serialize, Deserialize)] pub struct Params {}
#[derive(Serialize, Deserialize)] pub struct Response {}
"#;

#[test]
fn a_table_of_requests_is_expanded_and_keeps_its_answers() {
    check(&[(
        REQUESTS,
        "ClientRequest = <method> Initialize={id: number, method: \"initialize\", params: Params} => Response | ThreadStart={id: number, method: \"thread/start\", params: Params} => Response | Logout={id: number, method: \"account/logout\", params?: null} => null !experimental @in
         ClientResponse = <method> Initialize={method: \"Initialize\", response: Response} | ThreadStart={method: \"ThreadStart\", response: Response} | Logout={method: \"Logout\", response: null} !experimental
         Params = {}
         Response = {}",
    )]);
}

#[test]
fn a_table_without_its_rules_is_read_by_its_rows() {
    check(&[(
        "server_notification_definitions! {
            Error => \"error\" (ErrorNotification),
            #[experimental(\"y\")] Delta => \"item/delta\" (DeltaNotification),
        }
        thread_local! { static X: u8 = 1; }
        #[derive(Serialize)] struct ErrorNotification {}
        #[derive(Serialize)] struct DeltaNotification {}",
        "DeltaNotification = {}
         ErrorNotification = {}
         ServerNotification = <method> Error={method: \"error\", params: ErrorNotification} | Delta={method: \"item/delta\", params: DeltaNotification} !experimental @out",
    )]);
}

#[test]
fn macros_that_declare_types_are_expanded() {
    check(&[
        (
            "macro_rules! mirrored { ($(#[$m:meta])* pub enum $Name:ident from $Src:path { $($(#[$v:meta])* $V:ident),+ $(,)? }) => {
                #[derive(Serialize, Deserialize)] $(#[$m])* #[serde(rename_all = \"camelCase\")] pub enum $Name { $($(#[$v])* $V),+ }
                impl From<$Src> for $Name { fn from(value: $Src) -> Self { match value { $(<$Src>::$V => $Name::$V),+ } } } } }
             mirrored!(pub enum Hook from crate::core::Hook { PreToolUse, #[serde(rename = \"x\")] Stop });",
            "Hook = PreToolUse=\"preToolUse\" | Stop=\"x\"",
        ),
        (
            "macro_rules! ids { ($($name:ident),*) => { $(id!($name);)* } }
             macro_rules! id { ($name:ident) => { #[derive(Serialize)] #[serde(transparent)] pub struct $name(String); } }
             ids!(A, B);",
            "A = string
             B = string",
        ),
        (
            "paste::paste! { #[derive(Serialize)] pub struct [<Foo Event>] { a: u8 } }",
            "FooEvent = {a: number}",
        ),
        // A field whose name is a keyword survives being written out again.
        (
            "macro_rules! m { ($i:item) => { $i } } m! { #[derive(Serialize)] struct A { r#type: Option<Vec<u8>> } }",
            "A = {type: number[] | null}",
        ),
    ]);
}

#[test]
fn rules_are_found_in_other_files() {
    let id = "#[macro_export] macro_rules! id { ($name:ident) => { #[derive(Serialize)] pub struct $name(String); } }";
    for (files, scope) in [
        (vec![("src/lib.rs", id), ("src/a.rs", "id!(A);")], "src/a.rs"),
        (
            vec![
                ("src/lib.rs", "mod macros; mod a;"),
                ("src/macros.rs", id),
                ("src/a.rs", "id!(A);"),
            ],
            "src/a.rs",
        ),
        (
            vec![
                ("src/lib.rs", "mod a; mod b;"),
                ("src/b.rs", id),
                ("src/a.rs", "use crate::b::id; id!(A);"),
            ],
            "src/a.rs",
        ),
        (vec![("src/lib.rs", id), ("src/a.rs", "crate::id!(A);")], "src/a.rs"),
    ] {
        assert_eq!(link(&files, &[scope]), "A = string\n");
    }
}

#[test]
fn a_macro_that_makes_nonsense_is_named() {
    assert_eq!(
        print("macro_rules! m { ($n:ident) => { pub enum $n { = } } }\nm!(A);\n#[derive(Serialize)] struct B;"),
        "B = null\ndegraded src/lib.rs:2-2 what `m!` expands to cannot be read [\"A\"]\n"
    );
}

#[test]
fn answers_come_from_the_trait_of_a_request() {
    check(&[(
        "trait Rpc { const METHOD: &'static str; type Params; type Result; }
         #[derive(Serialize)] pub enum Call {}
         impl Rpc for Call { const METHOD: &'static str = \"tools/call\"; type Params = CallParams; type Result = CallResult; }
         #[derive(Serialize)] struct CallParams {} #[derive(Serialize)] struct CallResult {}
         #[derive(Serialize)] #[serde(tag = \"method\", content = \"params\")] enum ClientRequest { #[serde(rename = \"tools/call\")] Call(<Call as Rpc>::Params) }",
        "Call = never
         CallParams = {}
         CallResult = {}
         ClientRequest = <method> Call={method: \"tools/call\", params: CallParams} => CallResult @in",
    )]);
}
