//! The table: code that makes a schema `T`.

/// One case.
pub(crate) struct Case {
    pub(crate) code: String,
    /// The versions of zod that have what it uses.
    pub(crate) versions: &'static [u8],
    /// It checks more than the shape of a value (formats, lengths), so no value of ours can be tried.
    pub(crate) checked: bool,
}

const BOTH: &[u8] = &[3, 4];
const THREE: &[u8] = &[3];
const FOUR: &[u8] = &[4];

pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |versions, checked, all: Vec<String>| {
        cases.extend(all.into_iter().map(|code| Case {
            code,
            versions,
            checked,
        }));
    };
    add(BOTH, false, members());
    add(BOTH, false, objects());
    add(BOTH, false, unions());
    add(BOTH, false, ways());
    add(BOTH, true, refined());
    add(
        THREE,
        false,
        lines("export const T = z.object({ a: z.object({ b: z.string() }) }).deepPartial();"),
    );
    add(FOUR, false, only_four());
    add(FOUR, true, formats());
    cases
}

fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Every type in every wrapper.
fn members() -> Vec<String> {
    let types = [
        "z.string()",
        "z.number()",
        "z.boolean()",
        "z.null()",
        "z.literal('a')",
        "z.literal(7)",
        "z.literal(true)",
        "z.enum(['a', 'b'])",
        "z.array(z.string())",
        "z.object({ x: z.string(), y: z.number().optional() })",
        "z.record(z.string(), z.number())",
        "z.tuple([z.string(), z.number()])",
        "z.union([z.string(), z.number()])",
        "z.discriminatedUnion('t', [z.object({ t: z.literal('p') }), z.object({ t: z.literal('q'), n: z.number() })])",
    ];
    let wrappers = [
        ("", ""),
        ("", ".optional()"),
        ("", ".nullable()"),
        ("", ".nullish()"),
        ("z.array(", ")"),
        ("z.array(", ".nullable()).optional()"),
        ("z.record(z.string(), ", ")"),
        ("z.lazy(() => ", ")"),
        ("z.optional(", ")"),
        ("z.nullable(z.optional(", "))"),
        ("", ".or(z.null())"),
        ("", ".describe('x').readonly()"),
    ];
    let mut all = Vec::new();
    for ty in types {
        for (before, after) in wrappers {
            all.push(format!(
                "export const T = z.object({{ a: {before}{ty}{after}, id: z.string() }});"
            ));
        }
    }
    for ty in &types[..3] {
        for (wrapper, value) in [
            ("default", "x"),
            ("catch", "x"),
            ("optional().default", "x"),
            ("nullable().default", "null"),
        ] {
            let value = match (*ty, value) {
                (_, "null") => "null",
                ("z.string()", _) => "'x'",
                ("z.number()", _) => "1",
                _ => "true",
            };
            all.push(format!(
                "export const T = z.object({{ a: {ty}.{wrapper}({value}), id: z.string() }});"
            ));
        }
    }
    all
}

/// Objects made from objects.
fn objects() -> Vec<String> {
    lines(
        "export const T = z.object({});
        export const T = z.object({ 'a-b': z.string(), 1: z.number(), ['c']: z.null() });
        export const T = z.object({ a: z.string() }).passthrough();
        export const T = z.object({ a: z.string() }).strip();
        export const T = z.object({ a: z.string() }).catchall(z.number());
        export const T = z.object({ a: z.string() }).passthrough().strip();
        const B = z.object({ a: z.string(), b: z.number() }); export const T = B.extend({ c: z.null() });
        const B = z.object({ a: z.string(), b: z.number() }); export const T = B.extend({ b: z.string().optional() });
        const B = z.object({ a: z.string(), b: z.number() }); const C = z.object({ b: z.null(), c: z.string() }); export const T = B.merge(C);
        const B = z.object({ a: z.string(), b: z.number() }); export const T = B.pick({ a: true });
        const B = z.object({ a: z.string(), b: z.number() }); export const T = B.omit({ a: true });
        const B = z.object({ a: z.string(), b: z.number() }); export const T = B.partial();
        const B = z.object({ a: z.string(), b: z.number() }); export const T = B.partial({ a: true });
        const B = z.object({ a: z.string().optional(), b: z.number().optional() }); export const T = B.required();
        const B = z.object({ a: z.string().optional(), b: z.number().optional() }); export const T = B.required({ a: true });
        const B = z.object({ a: z.string().nullish() }); export const T = B.required();
        const B = z.object({ a: z.string().default('x') }); export const T = B.partial();
        const B = z.object({ a: z.string() }); export const T = z.object({ ...B.shape, c: z.number() });
        const B = z.object({ a: z.string() }); export const T = z.object({ a: B.shape.a.optional() });
        const shape = { a: z.string() }; const B = z.string(); export const T = z.object(shape).extend({ b: B });
        const B = z.object({ a: z.string() }).passthrough(); export const T = B.extend({ b: z.number() });
        const B = z.object({ a: z.string() }).passthrough(); export const T = z.object({ b: B });
        const B = z.object({ a: z.string(), b: z.number() }); export const T = z.object({ k: B.keyof() });
        const A = z.object({ a: z.string() }); const B = z.object({ b: z.number() }); export const T = A.and(B);
        const A = z.object({ a: z.string() }); const B = z.object({ b: z.number() }); export const T = z.intersection(A, B);
        const A = z.object({ a: z.string() }); export const T = z.intersection(A, z.object({ b: z.number() })).and(z.object({ c: z.null() }));
        const A = z.object({ id: z.string() }); const B = z.union([z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.number() })]); export const T = A.and(B);
        const Base = z.object({ id: z.string() }); const make = (tag: 'a' | 'b') => Base.extend({ n: z.number() }); export const T = make('a');
        const page = <I extends z.ZodTypeAny>(item: I) => z.object({ items: z.array(item), next: z.string().optional() }); export const T = page(z.string());
        export const T = z.array(z.object({ a: z.string() }));
        export const T = z.record(z.string(), z.object({ a: z.number().optional() }));
        export const T = z.tuple([z.literal('a'), z.object({ x: z.number() })]);
        export const T = z.object({ a: z.unknown().optional(), b: z.any().optional() });
        export const T = z.object({ a: z.undefined().optional(), b: z.string() });
        export const T = z.object({ a: z.never().optional(), b: z.string() });
        export const T = z.object({ a: z.object({ b: z.object({ c: z.object({ d: z.literal('deep') }) }) }) });
        type N = { v: string; next?: N }; export const T: z.ZodType<N> = z.lazy(() => z.object({ v: z.string(), next: T.optional() }));
        type N = { v: string; kids: N[] }; export const T: z.ZodType<N> = z.object({ v: z.string(), kids: z.array(z.lazy(() => T)) });",
    )
}

fn unions() -> Vec<String> {
    let mut all = lines(
        "export const T = z.enum(['a', 'b', 'c']);
        export const T = z.enum(['a', 'b', 'c']).exclude(['b']);
        export const T = z.enum(['a', 'b', 'c']).extract(['b']);
        const L = ['a', 'b'] as const; export const T = z.enum(L);
        const L = ['a', 'b'] as const; export const T = z.enum([...L, 'c']);
        const E = z.enum(['a', 'b']); export const T = z.enum([...E.options, 'c']);
        const E = z.enum(['a', 'b']); export const T = z.object({ k: z.literal(E.enum.a), e: E });
        enum E { A = 'a', B = 'b' } export const T = z.nativeEnum(E);
        enum E { A, B } export const T = z.nativeEnum(E);
        const E = { A: 'a', B: 'b' } as const; export const T = z.nativeEnum(E);
        enum E { A = 'a', B = 'b' } export const T = z.object({ t: z.literal(E.A) });
        const K = 'k' as const; export const T = z.object({ t: z.literal(K) });
        export const T = z.literal(null);
        export const T = z.union([z.literal('a'), z.literal('b'), z.null()]);
        export const T = z.union([z.literal('a'), z.string()]);
        export const T = z.union([z.object({ a: z.string() }), z.object({ b: z.number() }), z.string()]);
        export const T = z.string().or(z.number()).or(z.array(z.string()));
        const A = z.object({ a: z.string() }); const B = z.object({ b: z.string() }); export const T = z.union([A, B]).nullable();
        export const T = z.object({ a: z.union([z.string(), z.undefined()]) });
        export const T = z.record(z.enum(['a', 'b']), z.number());",
    );
    for tag in ["type", "kind", "session-update"] {
        for arms in [
            "z.object({ 'TAG': z.literal('a'), x: z.string() }), z.object({ 'TAG': z.literal('b'), y: z.number().optional() })",
            "A, B, z.object({ 'TAG': z.literal('c') }).passthrough()",
            "A, z.object({ 'TAG': z.enum(['d', 'e']), n: z.null() })",
            "Base.extend({ 'TAG': z.literal('f') }), Base.extend({ 'TAG': z.literal('g'), n: z.number() })",
        ] {
            let named = "const Base = z.object({ id: z.string() }); const A = z.object({ 'TAG': z.literal('a'), s: z.string() }); const B = z.object({ 'TAG': z.literal('b'), a: A });";
            all.push(format!("{named} export const T = z.discriminatedUnion('TAG', [{arms}]);").replace("TAG", tag));
            all.push(format!("{named} export const T = z.union([{arms}]);").replace("TAG", tag));
        }
    }
    all
}

/// What is done to a value on its way in.
fn ways() -> Vec<String> {
    lines(
        "export const T = z.object({ a: z.string().transform((v) => v.length) });
        export const T = z.object({ a: z.string().transform((v) => ({ n: v })), b: z.number() });
        export const T = z.object({ a: z.string() }).transform((v) => v.a);
        export const T = z.object({ a: z.string().optional().transform((v) => v ?? 'x') });
        export const T = z.object({ a: z.preprocess((v) => v, z.string()) });
        export const T = z.object({ a: z.string().pipe(z.enum(['a', 'text'])) });
        export const T = z.object({ a: z.string().transform((v) => Number(v)).pipe(z.number()) });
        export const T = z.object({ a: z.coerce.string() });
        export const T = z.object({ a: z.coerce.number() });
        export const T = z.object({ a: z.coerce.boolean() });
        export const T = z.object({ a: z.date() });
        export const T = z.object({ a: z.custom<{ n: number }>() });
        export const T = z.object({ a: z.instanceof(Date) });
        export const T = z.object({ a: z.string().brand<'Id'>(), b: z.string().brand('B') });
        export const T = z.object({ a: z.array(z.string()).default([]) });
        export const T = z.object({ a: z.object({ x: z.number().default(1) }).default({ x: 1 }) });
        export const T = z.object({ a: z.enum(['a', 'b']).default('a').optional() });
        export const T = z.object({ a: z.enum(['a', 'b']).optional().catch(undefined) });
        export const T = z.object({ a: z.unknown() });
        export const T = z.object({ a: z.any() });
        export const T = z.object({ a: z.undefined() });
        export const T = z.object({ a: z.void() });
        export const T = z.object({ a: z.map(z.string(), z.number()) });
        export const T = z.object({ a: z.set(z.string()) });
        export const T = z.object({ a: z.bigint() });
        export const T = z.object({ a: z.tuple([z.string()]).rest(z.number()) });
        export const T = z.object({ a: z.string() }).refine((v) => true);
        export const T = z.object({ a: z.string() }).superRefine(() => {});
        export const T = z.object({ a: z.string() }).strict();
        export const T = z.object({ a: z.string() }).strict().extend({ b: z.null() });",
    )
}

/// Values that are checked further.
fn refined() -> Vec<String> {
    let checks = [
        "z.string().min(1)",
        "z.string().max(9).trim().toLowerCase()",
        "z.string().email()",
        "z.string().uuid()",
        "z.string().url()",
        "z.string().datetime()",
        "z.string().regex(/^x/)",
        "z.string().startsWith('a').endsWith('z')",
        "z.string().length(3).nonempty()",
        "z.number().int().positive()",
        "z.number().min(0).max(1).finite()",
        "z.number().nonnegative().multipleOf(2).safe()",
        "z.array(z.string()).min(1).max(3)",
        "z.string().refine((v) => v === 'q')",
    ];
    checks
        .iter()
        .map(|check| format!("export const T = z.object({{ a: {check}, b: {check}.optional() }});"))
        .collect()
}

fn only_four() -> Vec<String> {
    lines(
        "export const T = z.looseObject({ a: z.string() });
        export const T = z.strictObject({ a: z.string() });
        export const T = z.object({ a: z.string() }).loose();
        export const T = z.literal(['a', 'b', 3]);
        export const T = z.enum({ A: 'a', B: 'b' });
        enum E { A = 'a', B = 'b' } export const T = z.enum(E);
        const A = z.object({ a: z.string() }); export const T = z.object({ b: z.null(), ...A.shape });
        const A = z.object({ a: z.string() }); export const T = A.safeExtend({ b: z.null() });
        export const T = z.partialRecord(z.enum(['a', 'b']), z.number());
        export const T = z.record(z.literal(['a', 'b']), z.number());
        export const T = z.object({ v: z.string(), get next() { return T.optional(); } });
        export const T = z.object({ v: z.string(), get kids() { return z.array(T); } });
        export const T = z.object({ a: z.string().prefault('x') });
        export const T = z.object({ a: z.optional(z.string()), b: z.nullable(z.string()), c: z.nullish(z.string()) });
        export const T = z.object({ a: z._default(z.string(), 'x') });
        export const T = z.object({ a: z.int(), b: z.int32(), c: z.float64() });
        export const T = z.object({ a: z.nonoptional(z.string().optional()) });
        export const T = z.object({ a: z.templateLiteral(['a-', z.number()]) });
        export const T = z.object({ a: z.json() });
        export const T = z.object({ a: z.string().meta({ id: 'x1' }) });
        export const T = z.object({ a: z.stringbool() });
        export const T = z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.discriminatedUnion('u', [z.object({ t: z.literal('b'), u: z.literal(1) }), z.object({ t: z.literal('b'), u: z.literal(2) })])]);",
    )
}

fn formats() -> Vec<String> {
    [
        "email",
        "uuid",
        "url",
        "ipv4",
        "ipv6",
        "base64",
        "base64url",
        "jwt",
        "nanoid",
        "cuid2",
        "ulid",
        "emoji",
        "iso.date",
        "iso.datetime",
        "iso.time",
        "iso.duration",
        "guid",
        "uuidv4",
        "hostname",
        "hex",
        "e164",
    ]
    .iter()
    .map(|format| format!("export const T = z.object({{ a: z.{format}(), b: z.{format}().optional() }});"))
    .collect()
}
