//! zod schemas, in code and in print.

use super::table;

const IMPORT: &str = "import { z } from 'zod';\n";

#[track_caller]
fn with_zod(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        table(&[(&format!("{IMPORT}{text}"), expected)]);
    }
}

#[test]
fn a_schema_and_its_inferred_type_are_one() {
    with_zod(&[
        (
            "const fooSchema = z.object({ a: z.string() }); export type Foo = z.infer<typeof fooSchema>;",
            &["Foo = {a: string}"],
        ),
        (
            "export interface Foo { a: string } export const fooSchema = z.object({ a: z.string() }) satisfies z.ZodType<Foo>; const listSchema = z.array(fooSchema)",
            &["Foo = {a: string}", "listSchema = Foo[]"],
        ),
        (
            "interface Foo { a?: Foo } const fooSchema: z.ZodType<Foo> = z.lazy(() => z.object({ a: fooSchema.optional() }))",
            &["Foo = {a?: Foo}"],
        ),
        (
            "type Infer<S extends z.ZodTypeAny> = { [K in keyof z.infer<S>]: z.infer<S>[K] } & {}; const ReqSchema = z.object({ m: z.string() }); type Req = Infer<typeof ReqSchema>",
            &["Infer = {*: any} (in process)", "Req = {m: string}"],
        ),
        // A schema without a type of its own is a type.
        (
            "export const leafSchema = z.enum(['x', 'y']); const s = z.object({ leaf: leafSchema }); type S = z.infer<typeof s>",
            &["S = {leaf: leafSchema}", r#"leafSchema = "x" | "y""#],
        ),
        // One schema, two names: neither is it.
        (
            "const empty = z.object({ n: z.number() }); type A = z.infer<typeof empty>; type B = z.input<typeof empty>",
            &["A = empty", "B = empty", "empty = {n: number}"],
        ),
    ]);
}

#[test]
fn members_may_be_missing_null_or_filled_in() {
    with_zod(&[(
        "const s = z.object({ a: z.string().optional(), b: z.number().nullable(), c: z.boolean().nullish(), d: z.string().default('x'), e: z.date(), f: z.coerce.number(), g: z.string().min(1).email().describe('x') })",
        &["s = {a?: string, b: number | null, c?: boolean | null, d=: string, e: string, f: number, g: string}"],
    )]);
}

#[test]
fn unions_enums_and_literals() {
    with_zod(&[
        (
            "const s = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b'), n: z.number() })]).nullable()",
            &[r#"s = <type> {type: "a"} | {n: number, type: "b"} | null"#],
        ),
        (
            "const A = z.object({ t: z.literal('a') }); const s = z.union([A, z.string()]).or(z.null())",
            &[r#"A = {t: "a"}"#, "s = A | string | null"],
        ),
        (
            "const L = ['low', 'none', 'high'] as const; const e = z.enum(L); const f = e.exclude(['none']); enum N { X = 1, Y } const n = z.nativeEnum(N); const o = z.enum({ A: 'a' })",
            &[
                "N = X=1 | Y=2",
                r#"e = "low" | "none" | "high""#,
                r#"f = "low" | "high""#,
                "n = N",
                r#"o = "a""#,
            ],
        ),
        (
            "const s = z.literal([1, 'a', true]); const t = z.tuple([z.string(), z.number()]); const r = z.record(z.string(), z.array(z.unknown())); const p = z.record(z.enum(['a']), z.number())",
            &[
                "p = {a: number}",
                "r = {*: any[]}",
                r#"s = 1 | "a" | true"#,
                "t = [string, number]",
            ],
        ),
    ]);
}

#[test]
fn objects_made_from_objects() {
    with_zod(&[
        (
            "const B = z.object({ a: z.string(), b: z.number() }); const e = B.extend({ c: z.string() }); const m = B.merge(e); const p = B.pick({ a: true }); const o = B.omit({ a: true }); const q = B.partial(); const k = B.partial({ a: true })",
            &[
                "B = {a: string, b: number}",
                "e = {c: string, ...B}",
                "k = {a?: string, b: number}",
                "m = {...B, ...e}",
                "o = {b: number}",
                "p = {a: string}",
                "q = {a?: string, b?: number}",
            ],
        ),
        (
            "const B = z.object({ a: z.string() }).strict(); const s = z.object({ ...B.shape, x: B.shape.a }).passthrough(); const c = B.catchall(z.unknown()); const i = B.and(z.object({ y: z.number() })); const l = z.looseObject({ a: z.string() })",
            &[
                "B = {a: string}",
                "c = {...B, *}",
                "i = {y: number, ...B}",
                "l = {a: string, *}",
                "s = {x: string, ...B, *}",
            ],
        ),
        (
            "const part = { a: z.string() }; const s = z.object(part); const t = z.object({ ...part, b: z.number() })",
            &["s = {a: string}", "t = {a: string, b: number}"],
        ),
        (
            "const node = z.object({ get children() { return z.array(node) } }); const lazy = z.object({ next: z.lazy(() => lazy).optional() })",
            &["lazy = {next?: lazy}", "node = {children: node[]}"],
        ),
    ]);
}

#[test]
fn functions_that_make_schemas() {
    with_zod(&[
        (
            "const page = <T extends z.ZodTypeAny>(item: T) => z.object({ items: z.array(item), more: z.boolean() }); const a = z.object({ n: z.number() }); const pages = page(a); type Pages = z.infer<typeof pages>; const own = page(z.string())",
            &[
                "Pages = {items: a[], more: boolean}",
                "a = {n: number}",
                "own = {items: string[], more: boolean}",
            ],
        ),
        (
            "function tagged(tag: z.ZodString, rest: z.ZodTypeAny) { return z.object({ tag, rest }) } const t = z.array(tagged(z.string(), z.null()))",
            &["t = {rest: null, tag: string}[]"],
        ),
        // What is no function that makes schemas makes nothing.
        ("const cfg = load('x'); const n = compute(cfg)", &[]),
    ]);
}

#[test]
fn what_goes_in_counts() {
    with_zod(&[(
        "const s = z.object({ a: z.preprocess((v) => v, z.string()), b: z.string().transform((v) => v.length), c: z.string().pipe(z.number()), d: z.custom<{ n: 1 }>() })",
        &["s = {a: string, b: string, c: string, d: {n: 1}}"],
    )]);
}

#[test]
fn printed_schemas_of_both_versions() {
    with_zod(&[
        (
            "declare const aSchema: z.ZodObject<{ t: z.ZodLiteral<\"x\">; n: z.ZodOptional<z.ZodNullable<z.ZodNumber>>; e: z.ZodEnum<[\"p\", \"q\"]> }, \"strip\", z.ZodTypeAny, { t: \"x\" }, { t: \"x\" }>;\ntype A = z.infer<typeof aSchema>;",
            &[r#"A = {e: "p" | "q", n?: number | null, t: "x"}"#],
        ),
        (
            "declare const u: z.ZodDiscriminatedUnion<\"k\", [z.ZodObject<{ k: z.ZodLiteral<1> }, \"passthrough\">, z.ZodObject<{ k: z.ZodLiteral<2> }>]>; declare const v: z.ZodDiscriminatedUnion<[z.ZodObject<{ k: z.ZodLiteral<1> }, z.core.$loose>], \"k\">;",
            &["u = <k> {k: 1, *} | {k: 2}", "v = <k> {k: 1, *}"],
        ),
        (
            "declare const s: z.ZodObject<{ e: z.ZodEnum<{ a: \"a\"; b: \"b\" }>; r: z.ZodRecord<z.ZodString, z.ZodUnknown>; d: z.ZodDefault<z.ZodArray<z.ZodString>>; f: z.ZodEffects<z.ZodString, string, unknown>; p: z.ZodPipe<z.ZodTransform<unknown, unknown>, z.ZodNumber> }, z.core.$strip>;",
            &[r#"s = {d=: string[], e: "a" | "b", f: string, p: number, r: {*: any}}"#],
        ),
        // A function that gives the schema.
        (
            "declare const make: () => z.ZodOptional<z.ZodObject<{ a: z.ZodString }, z.core.$strip>>; export type T = NonNullable<z.infer<ReturnType<typeof make>>>;",
            &["T = {a: string}"],
        ),
    ]);
}
