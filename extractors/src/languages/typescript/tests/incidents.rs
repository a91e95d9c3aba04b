//! Things that went wrong elsewhere, by their numbers in the project's list of incidents.

use std::fmt::Write as _;

use super::table;
use crate::testing::{MemoryTree, print_file};

/// 15: a plain object becomes a union whose last arm has no tag.
#[test]
fn an_untagged_arm_stays_an_arm() {
    table(&[(
        "export type AuthMethod = (AuthMethodEnvVar & { type: 'env_var' }) | (AuthMethodTerminal & { type: 'terminal' }) | AuthMethodAgent;\nexport type AuthMethodAgent = { id: string };\nexport type AuthMethodEnvVar = { id: string; vars: string[] };\nexport type AuthMethodTerminal = { args?: string[] };\n",
        &[
            r#"AuthMethod = {type: "env_var", ...AuthMethodEnvVar} | {type: "terminal", ...AuthMethodTerminal} | AuthMethodAgent"#,
            "AuthMethodAgent = {id: string}",
            "AuthMethodEnvVar = {id: string, vars: string[]}",
            "AuthMethodTerminal = {args?: string[]}",
        ],
    )]);
}

/// 78: valid TypeScript that the grammar cannot read.
#[test]
fn constructs_that_the_grammar_does_not_know_are_read() {
    table(&[
        (
            "interface Box<in out T> { v: T }\ntype Ev = { type: 'a' } | { type: 'b' };\n",
            &["Box = {v: any}", r#"Ev = {type: "a"} | {type: "b"}"#],
        ),
        (
            "type A = import('./x').Bar<string>;\ntype L = import('./x').Bar[];\ntype Ev = { type: 'a' };\n",
            &[
                "A = ?Bar",
                r#"Ev = {type: "a"}"#,
                "L = ?Bar[]",
                "unresolved a.ts:1 Bar",
                "unresolved a.ts:2 Bar",
            ],
        ),
        (
            "export type * as T from './t';\nexport type * from './u';\ntype Ev = { type: 'a' };\n",
            &[r#"Ev = {type: "a"}"#],
        ),
    ]);
}

/// 81: one parse error among ten declarations.
#[test]
fn one_bad_declaration_is_unknown_and_nine_are_read() {
    let mut text = String::new();
    for index in 0..10 {
        if index == 4 {
            text.push_str("/** the bad one */\nexport interface Bad {\n  a: string @@ ];\n  b: }{ number;\n\n");
        } else {
            let _ = write!(text, "/** @deprecated */\nexport type T{index} = {{ n: {index} }};\n\n");
        }
    }
    let model = MemoryTree::new(&[("a.ts", text.as_str())]).link(&["a.ts"]);
    let names: Vec<&str> = model.types.keys().map(String::as_str).collect();
    assert_eq!(names, ["T0", "T1", "T2", "T3", "T5", "T6", "T7", "T8", "T9"]);
    assert_eq!(model.types["T5"].place.line, 19);
    assert_eq!(model.types["T5"].to_string(), "T5 = {n: 5} !deprecated");
    let [degraded] = model.degraded.as_slice() else {
        panic!("{:?}", model.degraded)
    };
    assert_eq!(degraded.hides, ["Bad"]);
    assert_eq!(degraded.lines, Some((14, 16)));
}

/// An error that swallows its neighbours in the grammar does not swallow them here.
#[test]
fn an_error_that_spreads_costs_its_own_declaration_only() {
    let printed = print_file(
        "a.ts",
        "export type A = { a: 1 };\nexport type Broken = { x: <<<< ;\nexport type B = { b: 2 };\nexport interface C { c: A }\n",
    );
    assert!(
        printed.starts_with("A = {a: 1}\nB = {b: 2}\nC = {c: A}\ndegraded a.ts:2-"),
        "{printed}"
    );
    assert!(printed.ends_with("[\"Broken\"]\n"), "{printed}");
}

/// 46 to 49: an entry point that is named but not there, a bundle without declarations.
#[test]
fn an_absent_file_gives_no_types_and_no_panic() {
    let tree = MemoryTree::new(&[("package.json", r#"{"name":"x","types":"sdk.d.ts"}"#)]);
    let model = tree.link(&["sdk.d.ts"]);
    assert_eq!((model.files, model.types.len()), (0, 0));
}

/// The doc comment of one member, wedged before another, is not the declaration.
#[test]
fn comments_between_members_change_nothing() {
    table(&[(
        "interface R {\n  /** The args. */\n  /** The display. */\n  display?: string;\n  args: 1;\n  status: // 400\n  | 'A'\n    // 401\n    | 'B';\n}",
        &[r#"R = {args: 1, display?: string, status: "A" | "B"}"#],
    )]);
}

/// Order of declarations and of members, line ends and wrapping mean nothing.
#[test]
fn reformatting_gives_the_same_model() {
    let one = "export type E = { type: 'a'; n: number } | { type: 'b' };\nexport interface X { a: string; b?: E }\n";
    let two = "// Generated at: 2026\r\nexport interface X {\r\n\tb?: E\r\n\ta: string\r\n}\r\nexport type E =\r\n\t| {\r\n\t\t\ttype: 'a';\r\n\t\t\tn: number;\r\n\t  }\r\n\t| { type: 'b' };\r\n";
    assert_eq!(print_file("a.ts", one), print_file("a.ts", two));
}
