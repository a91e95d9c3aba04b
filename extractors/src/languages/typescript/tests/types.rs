//! Types of the language to types on the wire, one file at a time.

use super::table;

#[test]
fn members_and_what_may_be_missing() {
    table(&[
        (
            "interface A { a: string; b?: number; c: boolean | undefined; d?: string | null; readonly e: 'x' }",
            &[r#"A = {a: string, b?: number, c?: boolean, d?: string | null, e: "x"}"#],
        ),
        (
            "type A = { 'odd-name': 1; 200: true; [\"lit\"]: -1.5; n: 1_000 }",
            &["A = {200: true, lit: -1.5, n: 1000, odd-name: 1}"],
        ),
        (
            "type A = { a: Date; b: bigint; c: unknown; d: object; e: Uint8Array; f: symbol }",
            &["A = {a: string, b: number, c: any, d: any, e: any}"],
        ),
        ("type A = { a?: never; b: undefined; c: void }", &["A = {}"]),
        ("type A = {}", &["A = {}"]),
        (
            "interface A { get size(): number; set size(v: number) }",
            &["A = {size: number}"],
        ),
    ]);
}

#[test]
fn lists_maps_and_tuples() {
    table(&[
        (
            "type A = string[]; type B = Array<A | null>; type C = ReadonlyArray<readonly number[]>",
            &["A = string[]", "B = (A | null)[]", "C = number[][]"],
        ),
        (
            "type A = [string, number]; type B = [a: string, b?: number]; type C = [1, ...string[]]",
            &["A = [string, number]", "B = (string | number)[]", "C = (1 | string)[]"],
        ),
        (
            "type A = { [key: string]: number }; type B = Record<string, A[]>; type C = Record<string, never>",
            &["A = {*: number}", "B = {*: A[]}", "C = {}"],
        ),
        (
            "type A = { id: string; [key: string]: unknown }",
            &["A = {id: string, *}"],
        ),
        (
            "type K = 'x' | 'y'; type A = Record<K, number>; type B = Partial<Record<K, string>>; type C = { [k in K]?: 1 }",
            &[
                "A = {x: number, y: number}",
                "B = {x?: string, y?: string}",
                "C = {x?: 1, y?: 1}",
                r#"K = "x" | "y""#,
            ],
        ),
    ]);
}

#[test]
fn unions_and_what_makes_them_open() {
    table(&[
        ("type A = 'a' | 'b' | (string & {});", &[r#"A = "a" | "b" | *"#]),
        (
            "type K = 'a' | 'b'; type A = K | string; type B = A | number",
            &["A = K | *", "B = A | number", r#"K = "a" | "b""#],
        ),
        (
            "type A = true | false | null; type B = 'x' | 'x'; type C = string | any",
            &["A = boolean | null", r#"B = "x""#, "C = any"],
        ),
        // A union in a union is flat, a named one keeps its name.
        (
            "type B = { t: 1 }; type A = | B | ({ t: 2 } | { t: 3 })",
            &["A = B | {t: 2} | {t: 3}", "B = {t: 1}"],
        ),
        (
            "type A = /** @deprecated */ 'old' | /** @experimental */ 'new' | 'x'",
            &[r#"A = "old" !deprecated | "new" !experimental | "x""#],
        ),
        (
            "type A =\n  /** @experimental */\n  | 'a' // @deprecated\n  /** plain */\n  | 'b';",
            &[r#"A = "a" !experimental | "b""#],
        ),
    ]);
}

#[test]
fn discriminated_unions_on_one_and_two_levels() {
    table(&[
        (
            "type A = { type: 'r'; c: 'x'; ok: true } | { type: 'r'; c: 'y'; data: { n: number } } | { type: 'r'; c: string; ok: false }",
            &[
                r#"A = {c: "x", ok: true, type: "r"} | {c: "y", data: {n: number}, type: "r"} | {c: string, ok: false, type: "r"}"#,
            ],
        ),
        (
            "enum T { A = 'a', B = 'b' } interface X { type: T.A; n: number } type E = X | { type: T.B }",
            &[
                r#"E = X | {type: "b"}"#,
                r#"T = A="a" | B="b""#,
                r#"X = {n: number, type: "a"}"#,
            ],
        ),
        // Every member of an enum without values counts on from the one before.
        (
            "enum S { A = 1, B, C, D = 1 << 3, E, F = A | D, G = 'g'.length }",
            &["S = A=1 | B=2 | C=3 | D=8 | E=9 | F=9 | G=?the value of G"],
        ),
    ]);
}

#[test]
fn extension_and_intersection() {
    table(&[
        (
            "interface B { id: string } interface A extends B { type: 'a' }",
            &[r#"A = {type: "a", ...B}"#, "B = {id: string}"],
        ),
        ("interface A { x: 1 } interface A { y: 2 }", &["A = {x: 1, y: 2}"]),
        (
            "type M = { _meta?: string }; type A = M & { id: string }; type C = { a: 1 } & { b: 2 }",
            &["A = {id: string, ...M}", "C = {a: 1, b: 2}", "M = {_meta?: string}"],
        ),
        (
            "type M = { m: 1 }; type A = ({ t: 'a' } | { t: 'b'; n: number }) & M",
            &[r#"A = {t: "a", ...M} | {n: number, t: "b", ...M}"#, "M = {m: 1}"],
        ),
        (
            "type Id = string & { __brand: 'Id' }; type O = { a: 1 } & Record<string, unknown>; type N = 'a' & 'b'",
            &["Id = string", "O = {a: 1, *}"],
        ),
        // The literal that tells objects apart wins over the wider type of a base, on whichever side it stands.
        (
            "interface B { type: string; id: string } interface L { type: 'l' } type A = L & B; type C = B & { type: 'c' }",
            &[
                r#"A = {type: "l", ...L, ...B}"#,
                "B = {id: string, type: string}",
                r#"C = {type: "c", ...B}"#,
                r#"L = {type: "l"}"#,
            ],
        ),
        // No object has both.
        (
            "type U = ({ t: 'a' } | { t: 'b' }) & { t: 'a'; n: 1 }",
            &[r#"U = {n: 1, t: "a"}"#],
        ),
    ]);
}

#[test]
fn utility_types() {
    table(&[
        (
            "interface T { a: string; b?: number; c: 1 } type A = Pick<T, 'a' | 'b'>; type B = Omit<T, 'a'>; type C = Partial<T>; type D = Required<T>; type E = Readonly<T>",
            &[
                "A = {a: string, b?: number}",
                "B = {b?: number, c: 1}",
                "C = {a?: string, b?: number, c?: 1}",
                "D = {a: string, b: number, c: 1}",
                "E = T",
                "T = {a: string, b?: number, c: 1}",
            ],
        ),
        (
            "type R = 'a' | 'b' | 'c'; interface A { x: Exclude<R, 'c'>; y: Extract<R, 'a' | 'z'>; z: NonNullable<R | null | undefined> }",
            &[r#"A = {x: "a" | "b", y: "a", z: R}"#, r#"R = "a" | "b" | "c""#],
        ),
        (
            "type E = { t: 'a'; n: 1 } | { t: 'b' }; interface A { e: Extract<E, { t: 'b' }>; p: Promise<string>; w: Awaited<Promise<E>> }",
            &[
                r#"A = {e: {t: "b"}, p: string, w: E}"#,
                r#"E = {n: 1, t: "a"} | {t: "b"}"#,
            ],
        ),
        (
            "interface B { a: 1; b: 2 } interface A extends Omit<B, 'a'> { c: 3 }",
            &["A = {b: 2, c: 3}", "B = {a: 1, b: 2}"],
        ),
    ]);
}

#[test]
fn types_computed_from_members() {
    table(&[
        (
            "interface T { a: { n: number }; b?: string } interface A { x: T['a']; y: T['b']; z: keyof T; w: T['a']['n'] }",
            &[
                r#"A = {w: number, x: {n: number}, y?: string, z: "a" | "b"}"#,
                "T = {a: {n: number}, b?: string}",
            ],
        ),
        (
            "const NAMES = ['a', 'b'] as const; type N = (typeof NAMES)[number]; const O = { X: 'x', Y: 'y' } as const; type V = (typeof O)[keyof typeof O]; type K = keyof typeof O",
            &[r#"K = "X" | "Y""#, r#"N = "a" | "b""#, r#"V = X="x" | Y="y""#],
        ),
        (
            "interface A { e: { id: `on${'A' | 'B'}`; free: `x-${string}` } } enum F { T = 't' } type B = `${F}!`",
            &[
                r#"A = {e: {free: string, id: "onA" | "onB"}}"#,
                r#"B = "t!""#,
                r#"F = T="t""#,
            ],
        ),
        // Event names as keys of an interface, and the tag added by a mapped type.
        (
            "interface M { start: S; end: { n: number } } interface S { id: string } type Ev = { [K in keyof M]: M[K] & { type: K } }[keyof M]",
            &[
                r#"Ev = {n: number, type: "end"} | {type: "start", ...S}"#,
                "M = {end: {n: number}, start: S}",
                "S = {id: string}",
            ],
        ),
        (
            "type Deep<T> = { [K in keyof T]?: Deep<T[K]> }; interface T { s: string; l: { n: 1 }[]; f: () => void; o: { x: T['f']; y: 2 } } interface A { d: Deep<T> }",
            &[
                "A = {d: {l?: {n?: 1}[], o?: {y?: 2}, s?: string}}",
                "Deep = {*: {*: Deep}} (in process)",
                "T = {l: {n: 1}[], o: {y: 2}, s: string} (in process)",
            ],
        ),
        (
            "interface T { a?: string; b: number } type Nn = { [K in keyof T]-?: T[K] }; type Up = { [K in keyof T as `get_${K}`]: T[K] }",
            &[
                "Nn = {a: string, b: number}",
                "T = {a?: string, b: number}",
                "Up = {get_a?: string, get_b: number}",
            ],
        ),
    ]);
}

#[test]
fn aliases_that_only_repeat_what_is_declared_are_not_compared_themselves() {
    table(&[(
        "type C = { type: 'a' } | { type: 'b' }; type T = C['type']; interface U { t: T }",
        &[
            r#"C = {type: "a"} | {type: "b"}"#,
            r#"T = "a" | "b" (in process)"#,
            "U = {t: T}",
        ],
    )]);
}

#[test]
fn generics_are_filled_in() {
    table(&[
        (
            "interface R<T> { id: string; result: T } type A = R<{ n: 1 }>; interface B { any: R<any>; own: R<string> }",
            &[
                "A = {id: string, result: {n: 1}}",
                "B = {any: R, own: {id: string, result: string}}",
                "R = {id: string, result: any}",
            ],
        ),
        (
            "type Api = 'x' | 'y'; interface M<T extends Api> { api: T; compat?: T extends 'x' ? { x: 1 } : never }",
            &[r#"Api = "x" | "y""#, "M = {api: Api, compat?: {x: 1}}"],
        ),
        (
            "type One<T> = { [K in keyof T]: Required<Pick<T, K>> & Partial<Record<Exclude<keyof T, K>, never>> }[keyof T]; interface P { a: string; b?: { n: 1 } } type S = One<P>",
            &[
                "One = {} (in process)",
                "P = {a: string, b?: {n: 1}}",
                "S = {a: string} | {b: {n: 1}}",
            ],
        ),
        (
            "type Tree<T> = { value: T; children: Tree<T>[] }; interface A { t: Tree<string> }",
            &[
                "A = {t: {children: Tree[], value: string}}",
                "Tree = {children: Tree[], value: any}",
            ],
        ),
    ]);
}

#[test]
fn conditions_are_decided_or_said_to_be_open() {
    table(&[
        (
            "type Un<T> = T extends Array<infer U> ? U : T; interface A { a: Un<string[]>; b: Un<number> }",
            &["A = {a: string, b: number}", "Un = any (in process)"],
        ),
        // A check that the compiler makes is not on the wire.
        (
            "type K = 'a'; type _Check = Exclude<K, 'a'> extends never ? true : never",
            &[r#"K = "a""#, "_Check = true (in process)"],
        ),
        (
            "import { X } from 'elsewhere'; interface A { a: X extends string ? 1 : 2 }",
            &[
                "A = {a: ?a condition on ?X}",
                "unresolved a.ts:1 X",
                "unresolved a.ts:1 a condition on ?X",
            ],
        ),
    ]);
}

#[test]
fn a_type_that_spells_out_json_is_any_value() {
    table(&[
        (
            "type Json = string | number | boolean | null | Json[] | { [key: string]: Json }",
            &["Json = any"],
        ),
        (
            "type V = string | number | boolean | O | L | null; type O = { [k: string]: V | undefined }; type L = (V | null)[]",
            &["L = (V | null)[]", "O = {*: V}", "V = any"],
        ),
        (
            "type Not = string | number | boolean | string[] | { [k: string]: Not }",
            &["Not = string | number | boolean | string[] | {*: Not}"],
        ),
    ]);
}

#[test]
fn functions_do_not_go_over_a_wire() {
    table(&[
        // An optional callback is left out; a required one says that the object never leaves its process.
        (
            "interface Opts { cwd?: string; onData?: (x: string) => void; signal?: AbortSignal }",
            &["Opts = {cwd?: string}"],
        ),
        (
            "type Fn = (a: string) => void; interface A { name: string; run: Fn } interface B extends A { x: 1 }",
            &["A = {name: string} (in process)", "B = {x: 1, ...A} (in process)"],
        ),
        (
            "interface Query { interrupt(): Promise<void>; id: string } class K { a: string; private b: 1; run() {} }",
            &["K = {a: string} (in process)", "Query = {id: string} (in process)"],
        ),
        (
            "interface Hooks { onA?: () => void; onB?(x: string): void }",
            &["Hooks = {} (in process)"],
        ),
        (
            "interface Call { (x: string): void } interface A { hooks?: Call[]; u: string | Call }",
            &["A = {u: string}"],
        ),
    ]);
}

#[test]
fn stability_comes_from_doc_comments() {
    table(&[(
        "/**\n * **UNSTABLE**\n * @experimental\n */\nexport interface A {\n  /** @deprecated */\n  a: string; // @experimental\n  b: string;\n}\n",
        &["A = {a: string !deprecated, b: string} !experimental"],
    )]);
}

#[test]
fn versions_of_a_handshake_are_constants() {
    table(&[
        (
            "export const PROTOCOL_VERSION = 1; const VERSION = '1.2.3'; export const LATEST_PROTOCOL_VERSION = '2025-06-18';",
            &[
                r#"const LATEST_PROTOCOL_VERSION = "2025-06-18""#,
                "const PROTOCOL_VERSION = 1",
            ],
        ),
        (
            "export declare const WIRE_PROTOCOL_VERSION: \"1.10\"; export declare const SDK_PROTOCOL_VERSION = 2;",
            &[
                "const SDK_PROTOCOL_VERSION = 2",
                r#"const WIRE_PROTOCOL_VERSION = "1.10""#,
            ],
        ),
        // A table of names is a type, unless a declared type says the same.
        (
            "export declare const AGENT_METHODS: { readonly a_b: \"a/b\"; readonly c: \"c\" };",
            &[r#"AGENT_METHODS = a_b="a/b" | c="c""#],
        ),
        (
            "const EVENTS = { A: 'a', B: 'b' } as const; type E = 'b' | 'a'",
            &[r#"E = "b" | "a""#],
        ),
    ]);
}
