//! Names over modules, files and crates.

use super::link;

#[test]
fn names_are_found_over_modules_and_imports() {
    let files = [
        (
            "src/lib.rs",
            "pub mod protocol; mod types; pub use types::Renamed as Public; pub use protocol::*;",
        ),
        (
            "src/types.rs",
            "use super::protocol::v2; #[derive(Serialize)] pub struct Renamed {} #[derive(Serialize)] pub struct T { a: v2::Deep, b: crate::protocol::common::Shared }",
        ),
        ("src/protocol/mod.rs", "pub mod common; pub mod v2;"),
        (
            "src/protocol/common.rs",
            "use crate::Public; use super::v2::Deep as D; #[derive(Serialize)] pub struct Shared { a: Public, b: D, c: self::inner::X } mod inner { use super::super::v2::*; #[derive(Serialize)] pub struct X { y: Deep } }",
        ),
        (
            "src/protocol/v2.rs",
            "#[derive(Serialize)] pub struct Deep { t: Option<Box<crate::Shared2>> } #[derive(Serialize)] pub struct Other {}",
        ),
    ];
    assert_eq!(
        link(&files, &["src/types.rs", "src/protocol/common.rs"]),
        "Deep = {t: ?crate::Shared2 | null} (beyond)\n\
         Renamed = {}\n\
         Shared = {a: Renamed, b: Deep, c: X}\n\
         T = {a: Deep, b: Shared}\n\
         X = {y: Deep}\n\
         unresolved src/protocol/v2.rs:1 crate::Shared2\n"
    );
}

#[test]
fn other_crates_are_found_by_their_manifests() {
    let files = [
        (
            "rs/Cargo.toml",
            "[workspace]\nmembers = []\n[workspace.dependencies]\nacme-protocol = { path = \"protocol\" }\n",
        ),
        (
            "rs/app/Cargo.toml",
            "[package]\nname = \"acme-app\"\n[dependencies]\nacme-protocol = { workspace = true }\nids = { path = \"../utils/ids\", package = \"acme-ids\" }\n",
        ),
        (
            "rs/app/src/lib.rs",
            "use acme_protocol::models::*; use ids::Id; #[derive(Serialize)] pub struct A { m: Model, i: Id, e: acme_protocol::Exported }",
        ),
        (
            "rs/protocol/Cargo.toml",
            "[package]\nname = \"acme-protocol\"\n[lib]\npath = \"rust/acme.rs\"\n",
        ),
        (
            "rs/protocol/rust/acme.rs",
            "pub mod models; mod hidden; pub use hidden::Exported;",
        ),
        (
            "rs/protocol/rust/models.rs",
            "#[derive(Serialize)] pub struct Model { x: super::hidden::Exported }",
        ),
        (
            "rs/protocol/rust/hidden.rs",
            "#[derive(Serialize)] pub struct Exported(String);",
        ),
        ("rs/utils/ids/Cargo.toml", "[package]\nname = \"acme-ids\"\n"),
        ("rs/utils/ids/src/lib.rs", "#[derive(Serialize)] pub struct Id(u64);"),
    ];
    assert_eq!(
        link(&files, &["rs/app/src/lib.rs"]),
        "A = {e: Exported, i: Id, m: Model}\n\
         Exported = string (beyond)\n\
         Id = number (beyond)\n\
         Model = {x: Exported} (beyond)\n"
    );
}

#[test]
fn without_manifests_a_crate_is_found_by_its_directory() {
    let files = [
        ("app/src/main.rs", "mod wire;"),
        (
            "app/src/wire.rs",
            "#[derive(Serialize)] struct A { b: acme_core::B, c: acme_other::C }",
        ),
        ("core/src/lib.rs", "#[derive(Serialize)] pub struct B;"),
    ];
    assert_eq!(
        link(&files, &["app/src/wire.rs"]),
        "A = {b: B, c: ?acme_other::C}\nB = null (beyond)\nunresolved app/src/wire.rs:1 acme_other::C\n"
    );
}

#[test]
fn types_with_one_name_hide_nothing() {
    let files = [
        (
            "a.rs",
            "#[derive(Serialize)] pub struct X(u8); pub mod m { #[derive(Serialize)] pub struct X(bool); }",
        ),
        (
            "b.rs",
            "#[derive(Serialize)] pub struct X(String); #[derive(Serialize)] struct Y { x: X, z: crate::c::X }",
        ),
        ("c.rs", "#[derive(Serialize)] pub struct X {}"),
        ("lib.rs", "mod a; mod b; mod c;"),
    ];
    assert_eq!(
        link(&files, &["a.rs", "b.rs"]),
        "X = number\n\
         [X@a.rs] X = boolean\n\
         [X@b.rs] X = string\n\
         [X@c.rs] X = {} (beyond)\n\
         Y = {x: X@b.rs, z: X@c.rs}\n"
    );
}

#[test]
fn circles_end() {
    let files = [
        (
            "src/lib.rs",
            "mod a; mod b; pub use a::*; pub use b::*; pub use crate::*; pub use missing::Gone; use Gone as Gone;",
        ),
        (
            "src/a.rs",
            "pub use super::*; pub use crate::b::*; #[derive(Serialize)] pub struct A { b: B, n: Nowhere, a: Vec<A>, l: Loop }",
        ),
        (
            "src/b.rs",
            "pub use super::*; #[derive(Serialize)] pub struct B { a: Option<Box<A>> } pub type Loop = Box<Loop>;",
        ),
    ];
    let printed = link(&files, &["src/a.rs", "src/b.rs"]);
    assert!(printed.starts_with("A = {a: A[], b: B, l: ?"), "{printed}");
    assert!(
        printed.contains("B = {a: A | null}\n") && printed.contains("unresolved src/a.rs:1 Nowhere\n"),
        "{printed}"
    );
}

#[test]
fn modules_stand_where_path_says() {
    let files = [
        (
            "src/lib.rs",
            "#[path = \"odd/place.rs\"] mod wire; mod dir; #[derive(Serialize)] struct A { b: wire::B, c: dir::inner::C }",
        ),
        ("src/odd/place.rs", "#[derive(Serialize)] pub struct B;"),
        ("src/dir.rs", "pub mod inner;"),
        (
            "src/dir/inner.rs",
            "#[derive(Serialize)] pub struct C { up: super::super::A }",
        ),
    ];
    assert_eq!(
        link(&files, &["src/lib.rs"]),
        "A = {b: B, c: C}\nB = null (beyond)\nC = {up: A} (beyond)\n"
    );
}
