//! Names over several files.

use crate::testing::MemoryTree;

/// Links the files whose path starts with `scope/`, or that have this path, and gives the printed lines.
fn lines(files: &[(&str, &str)], scope: &[&str]) -> Vec<String> {
    let tree = MemoryTree::new(files);
    tree.link(scope).print().lines().map(str::to_owned).collect()
}

#[test]
fn imports_are_followed_beyond_the_scope_and_said_to_be_beyond() {
    let files = [
        (
            "src/a.ts",
            "import type { B as Bee } from './b.js';\nimport * as ns from './ns';\nimport D from './d.mjs';\nexport interface A { b: Bee; c: ns.C; d: D; e: ns.E.X; i: import('./b').B[] }",
        ),
        ("src/b.ts", "export * from './deep/index.js';"),
        ("src/deep/index.ts", "export { Inner as B } from './inner';"),
        (
            "src/deep/inner.d.ts",
            "interface Inner { n: number }\nexport { type Inner };",
        ),
        ("src/ns.ts", "export type C = 'c';\nexport enum E { X = 'x' }"),
        ("src/d.mts", "export default interface D { d: 1 }"),
    ];
    assert_eq!(
        lines(&files, &["src/a.ts"]),
        [
            r#"A = {b: Inner, c: C, d: D, e: "x", i: Inner[]}"#,
            r#"C = "c" (beyond)"#,
            "D = {d: 1} (beyond)",
            "Inner = {n: number} (beyond)",
        ]
    );
}

#[test]
fn what_is_in_another_package_is_unresolved_with_its_place() {
    let files = [(
        "a.ts",
        "import { T } from '@other/sdk';\nimport { UUID } from 'node:crypto';\ninterface A {\n  t: T;\n  id: UUID;\n  gone: Gone | null;\n}",
    )];
    assert_eq!(
        lines(&files, &["a.ts"]),
        [
            "A = {gone: ?Gone | null, id: string, t: ?T}",
            "unresolved a.ts:4 T",
            "unresolved a.ts:6 Gone"
        ]
    );
}

#[test]
fn packages_of_the_same_repository_are_found() {
    let files = [
        (
            "packages/a/src/x.ts",
            "import type { M } from '@scope/b';\nexport type A = { m: M };",
        ),
        (
            "packages/b/package.json",
            r#"{"name":"@scope/b","types":"./dist/index.d.ts"}"#,
        ),
        ("packages/b/src/index.ts", "export type M = 'm';"),
    ];
    assert_eq!(
        lines(&files, &["packages/a/src/x.ts"]),
        ["A = {m: M}", r#"M = "m" (beyond)"#]
    );
}

#[test]
fn types_of_one_name_do_not_hide_each_other() {
    let files = [
        ("a.ts", "export type Level = 'x'; export interface A { level: Level }"),
        ("b.ts", "export type Level = 'y'; export interface B { level: Level }"),
    ];
    assert_eq!(
        lines(&files, &["b.ts", "a.ts"]),
        [
            "A = {level: Level}",
            "B = {level: Level@b.ts}",
            r#"Level = "x""#,
            r#"[Level@b.ts] Level = "y""#
        ]
    );
}

#[test]
fn an_entry_point_that_only_passes_on_stands_for_what_it_passes_on() {
    let files = [
        ("sdk.d.ts", "export * from './entry/types.d.ts';\n"),
        (
            "entry/types.d.ts",
            "export * from './core.js';\nexport declare function query(): void;",
        ),
        ("entry/core.d.ts", "export declare type A = { a: 1 };"),
    ];
    assert_eq!(lines(&files, &["sdk.d.ts"]), ["A = {a: 1}"]);
    // One that passes on another package says so.
    assert_eq!(
        lines(&[("index.d.ts", "export * from '@cline/core';")], &["index.d.ts"]),
        ["unresolved index.d.ts:1 what @cline/core exports"]
    );
    // A file with declarations of its own stands for itself.
    let files = [
        ("a.ts", "export * from './b';\nexport type A = 'a';"),
        ("b.ts", "export type B = 'b';"),
    ];
    assert_eq!(lines(&files, &["a.ts"]), [r#"A = "a""#]);
}

#[test]
fn namespaces_ambient_modules_and_globals() {
    let files = [(
        "a.d.ts",
        "declare namespace N { export type T = 't'; namespace M { interface U { t: T } } }\ndeclare module 'x' { export interface V { n: N.M.U } }\ndeclare global { interface W { v: 1 } }\ndeclare namespace core { export { W, W as Other } }\ninterface A { t: N.T; c: core.W; o: core.Other }",
    )];
    assert_eq!(
        lines(&files, &["a.d.ts"]),
        [
            "A = {c: W, o: W, t: T}",
            r#"T = "t""#,
            "U = {t: T}",
            "V = {n: U}",
            "W = {v: 1}"
        ]
    );
}

#[test]
fn a_hook_for_declaration_merging_makes_an_open_union() {
    let hook = "export interface Custom {}\nexport type Message = { role: 'user' } | Custom[keyof Custom];";
    assert_eq!(
        lines(&[("m.ts", hook)], &["m.ts"]),
        ["Custom = {}", r#"Message = {role: "user"} | *"#]
    );
    let added = "import './m';\ndeclare module './m' { interface Custom { note: { role: 'note' } } }";
    assert_eq!(
        lines(&[("m.ts", hook), ("n.ts", added)], &["m.ts", "n.ts"]),
        [
            r#"Custom = {note: {role: "note"}}"#,
            r#"Message = {role: "user"} | {role: "note"}"#
        ]
    );
}

#[test]
fn schemas_are_twins_over_files() {
    let files = [
        (
            "schema.ts",
            "import { z } from 'zod';\nexport const aSchema = z.object({ a: z.string() });\nexport const bSchema = z.object({ a: aSchema });",
        ),
        (
            "types.ts",
            "import type { z } from 'zod';\nimport type { aSchema } from './schema';\nexport type A = z.infer<typeof aSchema>;",
        ),
    ];
    assert_eq!(
        lines(&files, &["schema.ts", "types.ts"]),
        ["A = {a: string}", "bSchema = {a: A}"]
    );
}

#[test]
fn a_schema_whose_declared_type_is_beyond_the_scope_is_reported_itself() {
    let files = [
        ("core.ts", "export interface Ev { a: string }"),
        (
            "wire.ts",
            "import { z } from 'zod';\nimport type { Ev } from './core';\nexport const evSchema = z.object({ a: z.string() }) satisfies z.ZodType<Ev>;\nexport const typed: z.ZodType<Ev> = z.object({ a: z.string() });",
        ),
    ];
    assert_eq!(
        lines(&files, &["wire.ts"]),
        ["evSchema = {a: string}", "typed = {a: string}"]
    );
    assert_eq!(lines(&files, &["core.ts", "wire.ts"]), ["Ev = {a: string}"]);
}

#[test]
fn cycles_end() {
    let files = [
        (
            "a.ts",
            "export * from './b';\nimport { B } from './b';\nexport type A = { b: B } | A[];\ntype Loop = Loop;\ntype L1 = L2['x']; type L2 = { x: L1 };\nexport { Ghost } from './b';",
        ),
        (
            "b.ts",
            "export * from './a';\nimport { A, Ghost } from './a';\nexport interface B extends Partial<A> { g: Ghost }",
        ),
    ];
    let printed = lines(&files, &["a.ts", "b.ts"]);
    assert!(
        printed.iter().any(|line| line.starts_with("A = {b: B}")),
        "{printed:#?}"
    );
    assert!(printed.iter().any(|line| line.starts_with("B = ")), "{printed:#?}");
}
