//! What cannot be read: named, and never a loss for its neighbours.

use std::time::Instant;

use super::super::parse;
use super::print;

#[test]
fn syntax_that_the_grammar_does_not_know_leaves_its_neighbours() {
    for (bad, hides) in [
        ("unsafe extern \"C\" { safe fn f(x: u8); }", "[]"),
        ("gen fn numbers() -> u8 { yield 1; }", "[]"),
        ("struct Bad { a: ; b u8 }", "[\"Bad\"]"),
        ("#[derive(Serialize)] enum Bad { A B }", "[\"Bad\"]"),
    ] {
        let source = format!(
            "#[derive(Serialize)] pub enum Before {{ A }}\n{bad}\n#[derive(Serialize)]\npub enum Ev {{ A, B }}\n"
        );
        assert_eq!(
            print(&source),
            format!("Before = A=\"A\"\nEv = A=\"A\" | B=\"B\"\ndegraded src/lib.rs:2-2 syntax error {hides}\n"),
            "{bad}"
        );
    }
}

#[test]
fn errors_are_kept_to_their_module() {
    let source = "pub mod v1 {\n #[derive(Serialize)] pub struct A { b: super::B }\n struct Bad { : }\n}\n#[derive(Serialize)] pub struct B;
        #[cfg(test)] mod tests { fn x() { let = ; } }";
    assert_eq!(
        print(source),
        "A = {b: B}\nB = null\ndegraded src/lib.rs:3-3 syntax error [\"Bad\"]\n"
    );
}

#[test]
fn an_open_brace_hides_names_and_loses_none() {
    let printed = print(
        "#[derive(Serialize)] struct A;\nfn f() {\n#[derive(Serialize)] struct B { x: u8 }\n#[derive(Serialize)] struct C { y: ",
    );
    assert!(printed.starts_with("A = null\n"), "{printed}");
    let hidden = printed
        .lines()
        .find(|line| line.starts_with("degraded"))
        .unwrap_or_default();
    assert!(
        hidden.contains("\"C\"") && (printed.contains("B = ") || hidden.contains("\"B\"")),
        "{printed}"
    );
}

#[test]
fn bytes_that_are_no_text_are_said_to_be_none() {
    let marked = parse("src/a.rs", b"\xEF\xBB\xBF#[derive(Serialize)] struct A { b: u8 }");
    assert_eq!((marked.root.types.len(), marked.degraded.len()), (1, 0));
    let binary = parse("src/a.rs", b"#[derive(Serialize)] struct A { b: u8 } // \xff\xfe\n");
    assert_eq!(binary.degraded[0].why, "content is no UTF-8 text");
    assert_eq!(binary.degraded[0].hides, ["A"]);
}

#[test]
fn a_file_over_the_budget_says_what_it_hides() {
    let mut text = String::from("pub struct Hidden { a: u8 }\n");
    text.push_str(&"// filler filler filler filler filler filler filler filler\n".repeat(900_000));
    assert!(text.len() > 50_000_000);
    let start = Instant::now();
    let facts = parse("src/a.rs", text.as_bytes());
    assert!(start.elapsed().as_secs() < 20);
    assert_eq!(facts.degraded.len(), 1);
    assert_eq!(
        (facts.degraded[0].lines, facts.degraded[0].hides.as_slice()),
        (None, ["Hidden".to_owned()].as_slice())
    );
}

#[test]
fn depth_does_not_matter() {
    for text in [
        format!(
            "#[derive(Serialize)] struct A {{ b: {}u8{} }}",
            "Vec<".repeat(3000),
            ">".repeat(3000)
        ),
        format!("fn f() {{ {}{} }}", "{".repeat(3000), "}".repeat(3000)),
        format!("{} struct A; {}", "mod m {".repeat(300), "}".repeat(300)),
        format!("m! {{ {}{} }}", "(".repeat(5000), ")".repeat(5000)),
        format!("use a::{}b{};", "{c::".repeat(2000), "}".repeat(2000)),
        format!("#[serde({})] struct A;", "a(".repeat(2000)),
        "macro_rules! m { ($($x:tt)*) => { m!($($x)* $($x)*); } } m!(a b);".to_owned(),
    ] {
        let printed = print(&text);
        assert!(printed.len() < 100_000, "{}", &text[..40]);
    }
}

#[test]
fn no_prefix_and_no_bite_panics() {
    let source = r#"
        //! é
        use a::{b as c, d::*};
        macro_rules! t { ($($n:ident => $w:literal ($p:ty)),*) => { #[derive(Serialize)] enum T { $(#[serde(rename = $w)] $n($p)),* } } }
        t! { A => "a/b" (Vec<u8>), B => "c" (Option<&'static str>) }
        #[derive(Serialize, serde::Deserialize)] #[serde(tag = "t", rename_all = "camelCase")]
        pub enum E<'a, T: X> { /** doc */ A { #[serde(flatten)] b: Box<T> }, B(&'a str), C = 0x1f }
        impl Serialize for S { fn serialize<S>(&self, s: S) -> R { match self { Self::V(v) => v.serialize(s), _ => s.serialize_str(r"é") } } }
        pub const PROTOCOL_VERSION: &str = "1"; mod m { type X = [u8; 3]; } // end
    "#;
    for end in 0..source.len() {
        let _ = parse("src/a.rs", &source.as_bytes()[..end]);
    }
    for at in (0..source.len()).step_by(7) {
        let mut bytes = source.as_bytes().to_vec();
        bytes.drain(at..(at + 5).min(source.len()));
        let _ = parse("src/a.rs", &bytes);
    }
}
