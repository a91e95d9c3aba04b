//! Bad, broken and oversized input: never a panic, never silence.

use std::fmt::Write as _;

use crate::languages::typescript::parse;
use crate::testing::{MemoryTree, print_file};

const SAMPLE: &str = r#"/** doc */
import { z, type ZodType } from 'zod';
import type { A as B } from "./b.js";
export type * as T from "./t";
declare module "x" { interface M<in out T> { a: import("./y").Z<T>[] } }
export enum Kind { One = 'one', Two = `two`, Three = 1 << 2 }
export const NAMES = ['a', "b\u{41}"] as const;
export const PROTOCOL_VERSION = 1;
const schema = z.object({ k: z.literal('x'), ...base.shape, get self() { return schema } }).partial({ k: true });
export type S = z.infer<typeof schema>;
export interface E<K extends keyof M = keyof M> extends Omit<Base, 'x'>, ns.Other { readonly [k: string]: unknown; f?(): void; (): void; }
export type U = | { type: Kind.One; n?: -1 | null } | (typeof NAMES)[number] | `on${string}` | [a: string, ...b: number[]];
type Map1 = { -readonly [K in keyof M as `x${K & string}`]+?: M[K] extends infer U ? U : never }[keyof M];
class C { private x = 1; static y: string; z?: number; method() { return <any>this; } }
export default function f(): asserts x is string;
"#;

#[test]
fn every_prefix_of_a_file_is_read_without_a_panic() {
    for end in 0..=SAMPLE.len() {
        let text = &SAMPLE.as_bytes()[..end];
        let tree = MemoryTree::new(&[("a.ts", text)]);
        tree.link(&["a.ts"]);
    }
}

#[test]
fn text_with_a_hole_is_read_without_a_panic() {
    for start in (0..SAMPLE.len()).step_by(7) {
        let mut text = SAMPLE.as_bytes().to_vec();
        text.drain(start..(start + 17).min(SAMPLE.len()));
        MemoryTree::new(&[("a.ts", text)]).link(&["a.ts"]);
    }
}

#[test]
fn noise_is_read_without_a_panic() {
    // A fixed sequence that looks random: the same on every run.
    let mut state = 0x2545_f491_u32;
    let words = [
        "type ",
        "interface ",
        "{",
        "}",
        "<",
        ">",
        "|",
        "&",
        "[",
        "]",
        "z.object(",
        ")",
        "'",
        "\"",
        "`",
        "/*",
        "*/",
        "\n",
        "export ",
        "import ",
        "?:",
        "=",
        "A",
        ";",
        "enum ",
        "keyof ",
        "extends ",
        "\u{0}",
        "é",
    ];
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..60 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push_str(words[(state >> 16) as usize % words.len()]);
        }
        MemoryTree::new(&[("a.ts", text)]).link(&["a.ts"]);
    }
}

#[test]
fn deep_nesting_is_degraded_and_its_neighbours_are_read() {
    for (open, close) in [("{ a: ", " }"), ("(", ")"), ("Array<", ">"), ("[", "]")] {
        let text = format!(
            "export type Deep = {}1{};\nexport type Ok = 'ok';\n",
            open.repeat(1_000),
            close.repeat(1_000)
        );
        let printed = print_file("a.ts", &text);
        assert!(
            printed.contains("Ok = \"ok\"\n"),
            "{open}: {}",
            &printed[printed.len().saturating_sub(300)..]
        );
        assert!(
            printed.contains("nested too deep"),
            "{open}: {}",
            &printed[printed.len().saturating_sub(300)..]
        );
    }
}

#[test]
fn both_of_two_types_inside_of_themselves_ends() {
    let printed = print_file("a.ts", "interface A { x: A } interface B { x: B } type T = A & B;");
    assert!(printed.contains("T = {x: "), "{printed}");
}

#[test]
fn brackets_without_end_are_degraded() {
    let text = "export type A = { x: ".repeat(20_000);
    assert_eq!(
        print_file("a.ts", &text),
        "degraded a.ts brackets nest too deep [\"A\"]\n"
    );
}

#[test]
fn long_unions_and_chains_are_no_nesting() {
    let mut text = "export type Wide = 'v0'".to_owned();
    for index in 1..2_000 {
        let _ = write!(text, " | 'v{index}'");
    }
    text.push_str(";\ntype T0 = { n: 0 };\n");
    for index in 1..500 {
        let _ = writeln!(text, "type T{index} = T{} & {{ m{index}: 1 }};", index - 1);
    }
    let model = MemoryTree::new(&[("a.ts", text.as_str())]).link(&["a.ts"]);
    assert_eq!(model.types.len(), 501);
    assert!(model.types["Wide"].to_string().ends_with("\"v1999\""));
    assert!(
        model.unresolved.is_empty() && model.degraded.is_empty(),
        "{:?}",
        model.unresolved
    );
}

#[test]
fn types_that_compute_without_end_are_unresolved() {
    let printed = print_file(
        "a.ts",
        "type Grow<T> = { v: T; next: Grow<T[]> };\ntype Blow<T> = [Blow<[T, T]>, Blow<[T, 1]>];\nexport interface A { g: Grow<string>; b: Blow<1> }\nexport type Ok = 'ok';\n",
    );
    assert!(printed.contains("Ok = \"ok\"\n"), "{printed}");
    assert!(
        printed.contains("without end"),
        "{}",
        &printed[printed.len().saturating_sub(500)..]
    );
}

#[test]
fn too_large_a_file_is_degraded() {
    let mut text = "export type A = 'a';\n".to_owned();
    text.push_str(&"// filler\n".repeat(5_000_000));
    let facts = parse("a.ts", text.as_bytes());
    assert!(facts.decls.is_empty());
    assert_eq!(facts.gaps.len(), 1);
    let tree = MemoryTree::new(&[("a.ts", text)]);
    assert_eq!(
        tree.link(&["a.ts"]).print(),
        "degraded a.ts over the budget of 8 MB []\n"
    );
}

#[test]
fn very_many_errors_are_told_once() {
    let text = "interface A { @@ }\n".repeat(3_000) + "export type B = 'b';\n";
    let model = MemoryTree::new(&[("a.ts", text)]).link(&["a.ts"]);
    assert!(model.degraded.len() <= 501, "{}", model.degraded.len());
    let last = model.degraded.last().map(|gap| gap.hides.join(" "));
    assert!(
        model.types.contains_key("B") || last.as_deref() == Some("A B"),
        "{last:?}"
    );
}

#[test]
fn byte_order_marks_line_ends_and_broken_utf8() {
    assert_eq!(
        print_file("a.ts", "\u{feff}export type A = 'a'\r\nexport type B = 'b'\r\n"),
        "A = \"a\"\nB = \"b\"\n"
    );
    let tree = MemoryTree::new(&[("a.ts", b"type A = 'a';\n// \xff\xfe\ntype B = { b: 1 };\n".as_slice())]);
    assert_eq!(
        tree.link(&["a.ts"]).print(),
        "A = \"a\"\nB = {b: 1}\ndegraded a.ts:2-2 not UTF-8, read with replacement characters []\n"
    );
}

#[test]
fn facts_survive_being_kept_on_disk() {
    let facts = parse("a.ts", SAMPLE.as_bytes());
    let text = serde_json::to_string(&facts).unwrap_or_default();
    assert_eq!(serde_json::from_str::<super::super::Facts>(&text).ok(), Some(facts));
}

/// The memo of facts is keyed by [`super::super::REVISION`], which names the grammar.
#[test]
fn the_revision_names_the_grammar_that_is_built_in() {
    let lock = include_str!("../../../../../Cargo.lock");
    let entry = lock
        .split("[[package]]")
        .find(|entry| entry.contains("name = \"tree-sitter-typescript\""));
    let version = entry
        .and_then(|entry| entry.split("version = \"").nth(1))
        .and_then(|rest| rest.split('"').next());
    let named = super::super::REVISION
        .strip_prefix("tree-sitter-typescript ")
        .unwrap_or_default();
    assert!(version.is_some_and(|version| named.starts_with(version)), "{version:?}");
}
