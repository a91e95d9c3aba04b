//! The table: files of which the first, `main.ts`, exports a type `T`.

/// Paths and texts.
pub(crate) type Files = Vec<(String, String)>;

pub(crate) fn all() -> Vec<Files> {
    let mut cases = Vec::new();
    for part in [
        plain,
        utilities,
        mapped,
        conditional,
        unions,
        enums,
        values,
        generics,
        merged,
    ] {
        cases.extend(part().into_iter().map(|text| vec![("main.ts".to_owned(), text)]));
    }
    cases.extend(modules());
    cases
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|&text| text.to_owned()).collect()
}

/// Each type as a required, an optional, a read-only and a listed member.
fn plain() -> Vec<String> {
    let mut all = Vec::new();
    for ty in [
        "string",
        "number",
        "boolean",
        "null",
        "unknown",
        "any",
        "object",
        "bigint",
        "'a'",
        "-1",
        "1.5",
        "true",
        "string | null",
        "string | undefined",
        "'a' | 'b' | undefined | null",
        "string[]",
        "ReadonlyArray<'a' | 'b'>",
        "readonly (string | null)[]",
        "Array<Array<number>>",
        "[string, number]",
        "readonly [a: 'x', b: number | null]",
        "{ x: string; y?: { z: 1 } }",
        "Record<string, number>",
        "{ [key: string]: boolean | undefined }",
        "Date",
        "`a-${string}`",
        "string & { readonly __brand: 'id' }",
        "string & {}",
        "() => void",
        "undefined",
        "symbol",
    ] {
        all.push(format!("export interface T {{ a: {ty}; b?: {ty}; readonly c: {ty} }}"));
    }
    all.extend(texts(&[
        "export type T = { a: string; 'b-c': number; 'd': boolean; 1: string }",
        "export interface T { a(): void; b: string; get c(): number; readonly d: () => void }",
        "export type T = { a: void; b: never; c: string }",
        "export interface T { [key: string]: unknown; a: string }",
        "export interface T { children?: T[]; next: T | null; map: Record<string, T> }",
        "export type T = string[]",
        "export type T = { a: 1 }[] | { b: 2 }",
        "export interface Base { a: string; b?: number } export interface T extends Base { b: number; c: null }",
        "interface A { a: string } interface B extends A { b: string } export interface T extends B { a: 'x' }",
        "interface A { a: string } interface B { b?: string } export interface T extends A, B {}",
        "interface A<X> { a: X } export interface T extends A<'x'> { b: 1 }",
        "interface A { a: string; b: string } export interface T extends Omit<A, 'a'> { c: string }",
        "interface A { a: string } export interface T extends Partial<A>, Pick<{ q: 1; r: 2 }, 'q'> {}",
        "class C { a = 'x'; b?: number; private c = 1; static d = 2; m() {} } export type T = Pick<C, 'a' | 'b'>",
        "abstract class Base { id!: string } class C extends Base { n!: number } export type T = { c: Pick<C, 'id' | 'n'> }",
    ]));
    all
}

/// The utility types over several objects.
fn utilities() -> Vec<String> {
    let bases = [
        "{ a: string; b?: number; c: boolean | null }",
        "{ a: 'x' | 'y'; b: { d: 1 }; c?: string[] }",
        "{ readonly a: string; b: number | undefined; c: unknown }",
    ];
    let mut all = Vec::new();
    for base in bases {
        for utility in [
            "Partial<B>",
            "Required<B>",
            "Readonly<B>",
            "Pick<B, 'a'>",
            "Pick<B, 'a' | 'c'>",
            "Omit<B, 'a'>",
            "Omit<B, 'b' | 'zzz'>",
            "Record<keyof B, string>",
            "Record<'x' | 'y', B>",
            "Partial<Pick<B, 'a'>> & Omit<B, 'a'>",
            "Partial<Record<keyof B, 1>>",
            "B & { e: string }",
            "B & Partial<B>",
            "{ k: keyof B }",
            "{ v: B['a']; w: B['b' | 'c'] }",
            "{ all: B[keyof B] }",
            "NonNullable<B | null | undefined>",
            "{ n: NonNullable<B['c']> }",
            "Omit<B, Exclude<keyof B, 'a'>>",
            "Pick<B, Extract<keyof B, 'a' | 'q'>>",
            "Awaited<Promise<B>>",
            "{ [K in keyof B]: B[K] } & { f: 1 }",
        ] {
            all.push(format!("type B = {base}; export type T = {utility}"));
        }
    }
    all.extend(texts(&[
        "export type T = { a: Uppercase<'ab' | 'c'>; b: Capitalize<'ab'>; c: Lowercase<'AB'>; d: Uncapitalize<'AB'> }",
        "declare function f(a: string, b: { x: 1 }): { ok: boolean }; export type T = { r: ReturnType<typeof f>; p: Parameters<typeof f> }",
        "type F = (a: string) => Promise<{ n: number }>; export type T = Awaited<ReturnType<F>>",
        "type U = { t: 'a'; x: 1 } | { t: 'b'; y: 2 }; export type T = Extract<U, { t: 'a' }>",
        "type U = { t: 'a'; x: 1 } | { t: 'b'; y: 2 } | { t: 'c' }; export type T = Exclude<U, { t: 'b' }>",
        "type U = 'a' | 'b' | 'c'; export type T = { k: Exclude<U, 'a'>; l: Extract<U, 'a' | 'z'> }",
        "type U = { t: 'a'; x: 1 } | { t: 'b'; y: 2 }; export type T = { k: U['t'] }",
        "type D<X, K extends PropertyKey> = X extends unknown ? Omit<X, K> : never; type U = { t: 'a'; x: 1 } | { t: 'b'; x: 1 }; export type T = D<U, 'x'>",
    ]));
    all
}

fn mapped() -> Vec<String> {
    texts(&[
        "export type T = { [K in 'a' | 'b']: K }",
        "export type T = { [K in 'a' | 'b']?: { key: K } }",
        "type B = { a?: string; b: number }; export type T = { [K in keyof B]-?: B[K] }",
        "type B = { a?: string; b: number }; export type T = { [K in keyof B]?: B[K] | null }",
        "type B = { a?: string; b: number }; export type T = { -readonly [K in keyof B]: B[K] }",
        "type B = { a: string; b: number }; export type T = { [K in keyof B as `on${Capitalize<K>}`]: B[K] }",
        "type B = { a: string; b: number; c: string }; export type T = { [K in keyof B as B[K] extends string ? K : never]: B[K] }",
        "type B = { a: string; _b: number }; export type T = { [K in keyof B as Exclude<K, '_b'>]: B[K] }",
        "type B = { a: string; b: number }; export type T = { [K in keyof B]: { type: K; value: B[K] } }[keyof B]",
        "interface Events { start: { id: string }; stop: { code: number } } export type T = { [K in keyof Events]: { type: K } & Events[K] }[keyof Events]",
        "interface Events { start: { id: string }; stop: undefined } export type T = { [K in keyof Events]: { type: K; data: Events[K] } }[keyof Events]",
        "export type T = { [K in string]: number }",
        "export type T = { [K in `x-${string}`]: number }",
        "enum E { A = 'a', B = 'b' } export type T = { [K in E]: number }",
        "const keys = ['a', 'b'] as const; export type T = { [K in (typeof keys)[number]]: string }",
        "type M<X> = { [K in keyof X]: X[K] extends string ? 'text' : 'other' }; export type T = M<{ a: string; b: number }>",
        "type Nul<X> = { [K in keyof X]: X[K] | null }; export type T = Nul<{ a: string; b?: number }>",
        "type Tup<X> = { [K in keyof X]: { v: X[K] } }; export type T = { t: Tup<string[]> }",
        "type RequireOne<X, K extends keyof X = keyof X> = { [P in K]-?: Required<Pick<X, P>> & Partial<Omit<X, P>> }[K]; export type T = RequireOne<{ a?: 1; b?: 2 }>",
    ])
}

fn conditional() -> Vec<String> {
    texts(&[
        "type C<X> = X extends string ? { s: X } : { o: X }; export type T = C<'a'>",
        "type C<X> = X extends string ? { s: X } : { o: X }; export type T = C<'a' | 1>",
        "type C<X> = [X] extends [string] ? 1 : 2; export type T = { c: C<'a' | 'b'>; d: C<'a' | 1> }",
        "type Item<X> = X extends (infer I)[] ? I : X; export type T = { a: Item<string[]>; b: Item<number> }",
        "type P<X> = X extends { params: infer Q } ? Q : never; export type T = P<{ method: 'm'; params: { a: 1 } }>",
        "type P<X> = X extends { params: infer Q } ? Q : undefined; export type T = { a: P<{ params: 1 }>; b: P<{ x: 1 }> }",
        "type F<X> = X extends (a: infer A) => infer R ? { a: A; r: R } : never; export type T = F<(a: string) => number>",
        "type N<X> = X extends null | undefined ? never : X; export type T = { a: N<string | null>; b: N<1 | undefined> }",
        "type C<X> = X extends `on${infer Rest}` ? Rest : never; export type T = { c: C<'onStart' | 'onStop'> }",
        "type C<X> = X extends { type: 'a' } ? 'isA' : X extends { type: 'b' } ? 'isB' : 'no'; export type T = { c: C<{ type: 'b' }> }",
        "type C<X extends boolean> = X extends true ? { full: 1 } : { part: 1 }; export type T = C<true>",
        "type C<X extends boolean> = X extends true ? { full: 1 } : { part: 1 }; export type T = C<boolean>",
        "type Flat<X> = X extends object ? { [K in keyof X]: X[K] } : X; export type T = Flat<{ a: 1 } & { b?: 2 }>",
        "type C<X> = X extends any[] ? 'list' : X extends object ? 'object' : 'plain'; export type T = { a: C<1[]>; b: C<{}>; c: C<1> }",
        "type C<X> = unknown extends X ? 1 : 2; export type T = { a: C<unknown>; b: C<string> }",
        "type IsNever<X> = [X] extends [never] ? 1 : 2; export type T = { a: IsNever<never>; b: IsNever<1> }",
        "type Keys<X> = { [K in keyof X]: X[K] extends Function ? never : K }[keyof X]; export type T = Pick<{ a: 1; m(): void }, Keys<{ a: 1; m(): void }>>",
    ])
}

fn unions() -> Vec<String> {
    let mut all = Vec::new();
    for tag in ["type", "kind", "event", "session-update"] {
        all.push(format!(
            "export type T = {{ '{tag}': 'a'; x: string }} | {{ '{tag}': 'b' | 'c'; y?: number }} | {{ '{tag}': 'd' }}"
        ));
        all.push(format!(
            "interface A {{ '{tag}': 'a' }} interface B {{ '{tag}': 'b'; n: A | null }} export type T = (A | B) & {{ id: string }}"
        ));
    }
    all.extend(texts(&[
        "export type T = 'a' | 'b' | (string & {})",
        "export type T = 'a' | string",
        "export type T = | 'a' | 'b' | null",
        "export type T = 1 | 2 | 'x' | true | null",
        "export type T = { a: 1 } | string | string[] | null",
        "type A = 'a' | 'b'; type B = 'b' | 'c'; export type T = { u: A | B; i: A & B }",
        "type M = { id: string } & ({ ok: true; value: 1 } | { ok: false; error: string }); export type T = M",
        "type A = { a: 1 } | { b: 2 }; type B = { c: 3 } | { d: 4 }; export type T = A & B",
        "type A = { t: 'x' | 'y' }; export type T = A & { t: 'x' }",
        "type A = { v: string | number }; export type T = A & { v: number | null }",
        "type A = { o?: string }; export type T = A & { o: string }",
        "type A = { o: { a: 1 } }; export type T = A & { o: { b: 2 } }",
        "type R = { jsonrpc: '2.0'; id: number | string } & ({ result: unknown; error?: never } | { error: { code: number; message: string }; result?: never }); export type T = R",
        "type W<K extends string, P> = { method: K; params: P }; export type T = W<'a/b', { x: 1 }> | W<'c', undefined>",
        "type Dir = 'up' | 'down'; type Size = 's' | 'l'; export type T = { c: `${Dir}-${Size}`; d: `${Dir}:${number}` }",
        "export type T = { v: { a: string } | { a: string; b: number } }",
        "export type T = { v: boolean | 'auto' }",
        "export type T = { v: true | false | null }",
        "export type T = { v: never | 'a' }",
        "export type T = { v: unknown | 'a' }",
    ]));
    all
}

fn enums() -> Vec<String> {
    texts(&[
        "export enum T { A = 'a', B = 'b' }",
        "export enum T { A, B, C = 5, D }",
        "export const enum T { A = 'a', B = 'b' }",
        "export enum T { A = 1 << 2, B = A | 1 }",
        "export enum T { A = 'x'.length, B = 2 }",
        "export declare enum T { A = 'a', B = 2 }",
        "enum E { A = 'a', B = 'b' } export type T = { t: E.A; x: 1 } | { t: E.B; y: E }",
        "enum E { A = 'a', B = 'b' } export type T = { e: `${E}`; k: keyof typeof E }",
        "enum E { A = 'a', B = 'b', C = 'c' } export type T = { e: Exclude<E, E.A> }",
        "enum E { A = 'a' } export type T = Record<E, string>",
        "enum E { A = 'a', B = `b` } export type T = { e: E }",
        "enum E { 'x-y' = 'xy', z = 'z' } export type T = { e: E; f: (typeof E)['x-y'] }",
        "const P = 'pre'; enum E { A = `${P}.a`, B = 'b' } export type T = { e: E }",
        "enum E { A = -1, B = ~0, C = 0x10, D = 1e3 } export type T = { e: E }",
    ])
}

/// Types that are read off values.
fn values() -> Vec<String> {
    texts(&[
        "const E = { A: 'a', B: 'b' } as const; export type T = { e: (typeof E)[keyof typeof E] }",
        "const L = ['a', 'b'] as const; export type T = { e: (typeof L)[number] }",
        "const L = [{ id: 'a' }, { id: 'b' }] as const; export type T = { e: (typeof L)[number]['id'] }",
        "const o = { a: 1, b: 'x', c: { d: true }, e: null, f: [1, 'y'] }; export type T = typeof o",
        "const o = { a: 1, b: 'x', c: ['p', 'q'] } as const; export type T = typeof o",
        "const a = 'x'; export type T = { a: typeof a }",
        "let a = 'x'; export type T = { a: typeof a }",
        "const a = 'x' as string; export type T = { a: typeof a }",
        "const a = { t: 'x' as const, n: 1 }; export type T = typeof a",
        "const E = { A: 'a', B: 'b' } as const satisfies Record<string, string>; export type T = { e: (typeof E)['A'] }",
        "const L = ['a', 'b'] as const satisfies readonly string[]; export type T = { e: (typeof L)[number]; f: (typeof L)[0] }",
        "const base = { a: 'a' } as const; const more = { ...base, b: 'b' } as const; export type T = { e: (typeof more)[keyof typeof more] }",
        "const a = ['x'] as const; const b = [...a, 'y'] as const; export type T = { e: (typeof b)[number] }",
        "const o = { m() { return 1 }, f: () => 1, a: 1 }; export type T = typeof o",
        "const o = { 'a-b': 1, ['c']: 2, 3: 'x' } as const; export type T = typeof o",
        "const n = -1; const b = true; const z = null; export type T = { n: typeof n; b: typeof b; z: typeof z }",
        "function f() { return { a: 1 as const, b: 'x' } } export type T = ReturnType<typeof f>",
        "declare const o: { a: string; b?: number }; export type T = typeof o",
        "declare const o: { a: { b: 'x' } }; export type T = { v: typeof o.a.b }",
        "const M = { start: 'session/start', stop: 'session/stop' } as const; type Name = typeof M; export type T = { method: Name[keyof Name] }",
        "class C { static readonly KIND = 'c'; kind = C.KIND } export type T = { k: typeof C.KIND }",
        "export const V = '1.0' as const; export type T = { v: typeof V }",
        "const t = `a${1}` as const; export type T = { t: typeof t }",
    ])
}

fn generics() -> Vec<String> {
    texts(&[
        "interface Box<X> { v: X } export type T = Box<string>",
        "interface Box<X = 'd'> { v: X } export type T = { a: Box; b: Box<1> }",
        "type Pair<A, B = A> = { a: A; b: B }; export type T = { p: Pair<string>; q: Pair<1, 2> }",
        "interface Page<X> { items: X[]; next?: string } interface U { id: string } export type T = Page<U>",
        "type Tree<X> = { v: X; kids: Tree<X>[] }; export type T = Tree<string>",
        "type Maybe<X> = X | null; export type T = { a: Maybe<Maybe<string>>; b?: Maybe<1> }",
        "type Msg<K extends string, P extends object = {}> = { type: K } & P; export type T = Msg<'a', { x: 1 }> | Msg<'b'>",
        "interface Base<X> { v: X } interface Mid<Y> extends Base<Y[]> { m: Y } export type T = Mid<'a'>",
        "type Id<X> = X; export type T = Id<{ a: Id<string> }>",
        "type Fn<X> = (x: X) => void; export type T = { a: 1; f: Fn<string>; g?: Fn<1> }",
        "type Wrap<X extends { id: string }> = { id: X['id']; rest: Omit<X, 'id'> }; export type T = Wrap<{ id: 'z'; q: 1 }>",
        "type KV<O> = { key: keyof O; value: O[keyof O] }; export type T = KV<{ a: 1; b: 2 }>",
        "type First<X extends unknown[]> = X[0]; export type T = { f: First<['a', 'b']> }",
        "type Prom<X> = Promise<X>; export type T = { a: Awaited<Prom<'x'>> }",
        "interface List<X> extends Array<X> {} export type T = { a: List<string>['length'] }",
    ])
}

fn merged() -> Vec<String> {
    texts(&[
        "export interface T { a: string } export interface T { b?: number }",
        "export namespace N { export interface A { a: 1 } export type B = A | null } export type T = { b: N.B }",
        "export namespace N.M { export interface A { a: 1 } } export type T = N.M.A",
        "namespace N { export interface A { a: 1 } export interface A { b: 2 } } export type T = N.A",
        "namespace N { interface Hidden { h: 1 } export interface A { x: Hidden } } export type T = N.A",
        "namespace N { export const K = 'k' } export type T = { k: typeof N.K }",
        "namespace N { export enum E { A = 'a' } } export type T = { e: N.E; f: N.E.A }",
        "interface A { a: 1 } namespace N { export interface A { b: 2 } export type X = A } export type T = N.X",
        "enum E { A = 'a' } namespace E { export type X = { e: E } } export type T = E.X",
        "export declare namespace T { type Kind = 'a' } export interface T { kind: T.Kind }",
        "import N = M.Inner; namespace M { export namespace Inner { export type X = { a: 1 } } } export type T = N.X",
        "interface A { a: string } interface A { a: string; b: number } export type T = A",
        "declare global { interface G { a: 1 } } export type T = { g: G }",
    ])
}

/// More than one file.
fn modules() -> Vec<Files> {
    [
        (
            "import { A } from './a'; export type T = { a: A }",
            "export interface A { x: 1 }",
        ),
        (
            "import type { A as B } from './a.js'; export type T = B | null",
            "export type A = { x: 1 }",
        ),
        (
            "import * as a from './a'; export type T = a.A",
            "export interface A { x: 1 }",
        ),
        (
            "import A from './a'; export type T = A",
            "export default interface A { x: 1 }",
        ),
        (
            "import A from './a'; export type T = { a: A }",
            "type A = 'x' | 'y'; export { A as default }",
        ),
        (
            "import { Z } from './a'; export type T = Z",
            "interface A { x: 1 } export { type A as Z }",
        ),
        ("export * from './a'", "export interface T { x: 1 }"),
        ("export type { T } from './a'", "interface T { x: 1 } export type { T }"),
        (
            "import * as ns from './a'; export type T = ns.ns2.X",
            "export namespace ns2 { export type X = { q: 1 } }",
        ),
        ("export type T = import('./a').A", "export interface A { x: 1 }"),
        (
            "export type T = import('./a').G<string>",
            "export interface G<X> { x: X }",
        ),
        (
            "import { E } from './a'; export type T = { t: E.A } | { t: E.B; n: 1 }",
            "export enum E { A = 'a', B = 'b' }",
        ),
        (
            "import { K } from './a'; export type T = { k: (typeof K)[number] }",
            "export const K = ['a', 'b'] as const",
        ),
        (
            "import { o } from './a'; export type T = { o: typeof o }",
            "export const o = { a: 'x', n: 1 } as const",
        ),
        (
            "import { A } from './a'; export interface T extends A { y: 2 }",
            "interface Z { z: 1 } export interface A extends Z { x: 1 }",
        ),
        (
            "import type A = require('./a'); export type T = A.X",
            "declare namespace A { interface X { a: 1 } } export = A",
        ),
        (
            "import { f } from './a'; export type T = ReturnType<typeof f>",
            "export declare function f(): { a: 1 }",
        ),
        (
            "import { A } from './a'; declare module './a' { interface A { more: 2 } } export type T = A",
            "export interface A { x: 1 }",
        ),
    ]
    .map(|(main, other)| {
        vec![
            ("main.ts".to_owned(), main.to_owned()),
            ("a.ts".to_owned(), other.to_owned()),
        ]
    })
    .into()
}
