//! The table: declarations of a type `T`, and values that show all that it writes.

/// One case.
pub(super) struct Case {
    /// The declarations.
    pub(super) source: String,
    /// Expressions, which together have every member and every variant.
    pub(super) samples: Vec<String>,
    /// The minor version of Go 1 that brought what it uses.
    pub(super) since: u32,
}

pub(super) fn all() -> Vec<Case> {
    let mut cases = fields();
    for (source, samples) in plain()
        .into_iter()
        .chain(embedded())
        .chain(enums())
        .chain(methods())
        .chain(generic())
    {
        cases.push(case(source, samples));
    }
    for ty in [
        "int",
        "string",
        "*int",
        "[]string",
        "time.Time",
        "struct{ X int `json:\"x\"` }",
    ] {
        let mut one = case(
            &format!("type T struct {{ A {ty} `json:\"a,omitzero\"`; B int `json:\"b\"` }}"),
            &["T{}"],
        );
        let full = format!(
            "func full() T {{ var t T; _ = json.Unmarshal([]byte(`{{\"a\":{}}}`), &t); return t }}",
            document(ty)
        );
        one.source.push('\n');
        one.source.push_str(&full);
        one.samples.push("full()".to_owned());
        one.since = 24;
        cases.push(one);
    }
    cases
}

fn document(ty: &str) -> &'static str {
    match ty {
        "string" => "\"x\"",
        "[]string" => "[\"x\"]",
        "time.Time" => "\"2025-01-01T00:00:00Z\"",
        "struct{ X int `json:\"x\"` }" => "{\"x\":1}",
        _ => "1",
    }
}

fn case(source: &str, samples: &[&str]) -> Case {
    Case {
        source: source.to_owned(),
        samples: samples.iter().map(|&sample| sample.to_owned()).collect(),
        since: 18,
    }
}

/// Every type under every tag: its zero where the tag may leave it out, and a value.
fn fields() -> Vec<Case> {
    let types: [(&str, &str, &str); 20] = [
        ("string", "\"x\"", "\"\""),
        ("int", "1", "0"),
        ("uint8", "1", "0"),
        ("int64", "1", "0"),
        ("float64", "1.5", "0"),
        ("bool", "true", "false"),
        ("any", "1", "nil"),
        ("[]string", "[]string{\"x\"}", "nil"),
        ("[]byte", "[]byte{1}", "nil"),
        ("[2]int", "[2]int{1, 2}", "[2]int{}"),
        ("map[string]int", "map[string]int{\"k\": 1}", "nil"),
        ("map[int]bool", "map[int]bool{1: true}", "nil"),
        ("*string", "ptr(\"x\")", "nil"),
        ("*P", "&P{1}", "nil"),
        ("P", "P{1}", "P{}"),
        ("[]P", "[]P{{1}}", "nil"),
        ("[]*P", "[]*P{{1}, nil}", "nil"),
        ("json.RawMessage", "json.RawMessage(`{\"q\":1}`)", "nil"),
        ("time.Time", "time.Unix(0, 0).UTC()", "time.Time{}"),
        (
            "struct{ N int `json:\"n\"` }",
            "struct{ N int `json:\"n\"` }{1}",
            "struct{ N int `json:\"n\"` }{}",
        ),
    ];
    let mut cases = Vec::new();
    for (ty, value, zero) in types {
        for tag in [
            "`json:\"a\"`",
            "`json:\"a,omitempty\"`",
            "`json:\",omitempty\"`",
            "",
            "`json:\"a-b.c\" yaml:\"q\"`",
        ] {
            let pointer = ty.starts_with('*');
            let may_miss = tag.contains("omitempty")
                && zero != "P{}"
                && !ty.starts_with("[2]")
                && !ty.starts_with("struct")
                && ty != "time.Time";
            let source =
                format!("type P struct {{ X int `json:\"x\"` }}\ntype T struct {{ A {ty} {tag}; Z int `json:\"z\"` }}");
            let mut samples = vec![format!("T{{A: {value}, Z: 1}}")];
            if pointer || may_miss {
                samples.push(format!("T{{A: {zero}}}"));
            }
            cases.push(Case {
                source,
                samples,
                since: 18,
            });
        }
    }
    for (ty, value) in [("int", "1"), ("bool", "true"), ("float64", "1.5"), ("string", "\"x\"")] {
        cases.push(case(
            &format!("type T struct {{ A {ty} `json:\"a,string\"`; B {ty} `json:\",string\"` }}"),
            &[&format!("T{{A: {value}, B: {value}}}")],
        ));
        cases.push(case(
            &format!("type T struct {{ A *{ty} `json:\"a,string,omitempty\"`; B int `json:\"b\"` }}"),
            &[&format!("T{{A: ptr({ty}({value}))}}"), "T{}"],
        ));
    }
    cases
}

type Row = (&'static str, &'static [&'static str]);

fn plain() -> Vec<Row> {
    vec![
        ("type T struct { A int `json:\"-\"`; B int `json:\"b\"` }", &["T{}"]),
        ("type T struct { A int `json:\"-,\"`; B int `json:\"b\"` }", &["T{}"]),
        ("type T struct { a int; B int `json:\"b\"` }", &["T{a: 1}"]),
        ("type T struct { A, B int `json:\",\"`; C int `json:\"c\"` }", &["T{}"]),
        (
            "type T struct { A int `json:\"x\"`; B int `json:\"x\"`; C int `json:\"c\"` }",
            &["T{}"],
        ),
        (
            "type T struct { X int; B int `json:\"X\"`; C int `json:\"c\"` }",
            &["T{}"],
        ),
        (
            "type T struct { A int `json:\"bad name!\"`; B int `json:\"b\"` }",
            &["T{}"],
        ),
        (
            "type T struct { A int `json:\"a\\\\b\"`; B int `json:\"b\"` }",
            &["T{}"],
        ),
        ("type T struct { A int `json: \"a\"`; B int `json:\"b\"` }", &["T{}"]),
        ("type T struct { A int `xml:\"q\"`; B int `json:\"b\"` }", &["T{}"]),
        (
            "type T struct { A int \"json:\\\"a\\\"\"; B int `json:\"b\"` }",
            &["T{}"],
        ),
        ("type T struct { Größe int; Ä int `json:\"ä/ö\"` }", &["T{}"]),
        (
            "type T map[string]P\ntype P struct { X int `json:\"x\"` }",
            &["T{\"k\": {1}}"],
        ),
        ("type T []P\ntype P struct { X int `json:\"x\"` }", &["T{{1}}"]),
        ("type P struct { X int `json:\"x\"` }\ntype T P", &["T{1}"]),
        ("type P struct { X int `json:\"x\"` }\ntype T = P", &["T{1}"]),
        (
            "type S string\ntype M map[S]int\ntype T struct { M M `json:\"m\"` }",
            &["T{M{\"a\": 1}}"],
        ),
        (
            "type T struct { E error `json:\"e\"`; N *T `json:\"n,omitempty\"` }",
            &["T{N: &T{}}", "T{}"],
        ),
        (
            "type T struct { Next *T `json:\"next\"`; Kids []T `json:\"kids\"` }",
            &["T{Next: &T{Kids: []T{}}, Kids: []T{}}", "T{Kids: []T{}}"],
        ),
        (
            "type T struct { D time.Duration `json:\"d\"`; M time.Month `json:\"m\"` }",
            &["T{1, 2}"],
        ),
        ("type T struct { N json.Number `json:\"n\"` }", &["T{\"1\"}"]),
        (
            "type T struct { A struct { B struct { C *bool `json:\"c\"` } `json:\"b\"` } `json:\"a\"` }",
            &["T{}", "func() T { var t T; t.A.B.C = ptr(true); return t }()"],
        ),
        (
            "type T struct { A [][]int `json:\"a\"`; B map[string][]map[string]bool `json:\"b\"` }",
            &["T{[][]int{{1}}, map[string][]map[string]bool{\"k\": {{\"l\": true}}}}"],
        ),
        ("type T struct { A **int `json:\"a\"` }", &["T{}", "T{ptr(ptr(1))}"]),
        (
            "type I struct { X int `json:\"x\"` }\ntype T struct { I I `json:\"i,omitempty\"`; J *I `json:\"j,omitempty\"`; K map[string]I `json:\"k,omitempty\"` }",
            &["T{}", "T{J: &I{}, K: map[string]I{\"q\": {}}}"],
        ),
    ]
}

fn embedded() -> Vec<Row> {
    vec![
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { *B; Y int `json:\"y\"` }",
            &["T{}", "T{B: &B{1}}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B `json:\"b\"`; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B `json:\"b,omitempty\"`; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { *B `json:\"b,omitempty\"`; Y int `json:\"y\"` }",
            &["T{}", "T{B: &B{}}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B; X string `json:\"x\"` }",
            &["T{}"],
        ),
        (
            "type b struct { X int `json:\"x\"` }\ntype T struct { b; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        (
            "type b struct { X int `json:\"x\"`; y int }\ntype T struct { *b; Z int `json:\"z\"` }",
            &["T{}", "T{b: &b{1, 2}}"],
        ),
        (
            "type A struct { X int `json:\"x\"`; P int `json:\"p\"` }\ntype B struct { X int `json:\"x\"` }\ntype T struct { A; B; C int `json:\"c\"` }",
            &["T{}"],
        ),
        (
            "type A struct { X int `json:\"x\"` }\ntype B struct { X int }\ntype T struct { A; B; C int `json:\"c\"` }",
            &["T{}"],
        ),
        (
            "type A struct { X int }\ntype B struct { Q int `json:\"X\"` }\ntype T struct { A; B; C int `json:\"c\"` }",
            &["T{}"],
        ),
        (
            "type C struct { X int `json:\"x\"` }\ntype A struct { C; Y int `json:\"y\"` }\ntype T struct { A; Z int `json:\"z\"` }",
            &["T{}"],
        ),
        (
            "type C struct { X int `json:\"x\"` }\ntype A struct { C; X string `json:\"x\"` }\ntype T struct { A; Z int `json:\"z\"` }",
            &["T{}"],
        ),
        (
            "type C struct { X int `json:\"x\"` }\ntype A struct { C }\ntype B struct { X string `json:\"x\"` }\ntype T struct { A; B; Z int `json:\"z\"` }",
            &["T{}"],
        ),
        (
            "type C struct { X int `json:\"x\"` }\ntype A struct { C }\ntype B struct { C }\ntype T struct { A; B; Z int `json:\"z\"` }",
            &["T{}"],
        ),
        ("type K string\ntype T struct { K; X int `json:\"x\"` }", &["T{}"]),
        (
            "type K string\ntype T struct { *K; X int `json:\"x\"` }",
            &["T{}", "T{K: ptr(K(\"a\"))}"],
        ),
        ("type k string\ntype T struct { k; X int `json:\"x\"` }", &["T{}"]),
        (
            "type M map[string]int\ntype T struct { M; X int `json:\"x\"` }",
            &["T{M: M{\"a\": 1}}"],
        ),
        (
            "type I interface{ Q() }\ntype T struct { I; X int `json:\"x\"` }",
            &["T{}"],
        ),
        (
            "type B struct { X int `json:\"x,omitempty\"` }\ntype T struct { B; Y int `json:\"y\"` }",
            &["T{}", "T{B: B{1}}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B `json:\"-\"`; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype D = B\ntype T struct { D; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        (
            "type B struct { X int `json:\"x\"` }\nfunc (B) MarshalJSON() ([]byte, error) { return []byte(`\"b\"`), nil }\ntype T struct { B; Y int `json:\"y\"` }",
            &["T{}"],
        ),
        ("type T struct { time.Time; Y int `json:\"y\"` }", &["T{}"]),
    ]
}

fn enums() -> Vec<Row> {
    vec![
        ("type T string\nconst (\n\tA T = \"a\"\n\tB T = \"b\"\n)", &["A", "B"]),
        ("type T string\nconst A T = \"a\"\nconst B = T(\"b\")", &["A", "B"]),
        (
            "type K string\nconst (\n\tA K = \"a\"\n\tB K = \"b\" + \"c\"\n)\ntype T struct { K K `json:\"k\"`; L []K `json:\"l,omitempty\"` }",
            &["T{K: A}", "T{K: B, L: []K{A, B}}"],
        ),
        ("type T int\nconst (\n\tA T = iota\n\tB\n\tC\n)", &["A", "B", "C"]),
        ("type T int\nconst (\n\tA T = iota + 1\n\t_\n\tC\n)", &["A", "C"]),
        ("type T int\nconst (\n\tA T = 1 << iota\n\tB\n\tC\n)", &["A", "B", "C"]),
        ("type T int\nconst (\n\tA T = (iota + 1) * 10\n\tB\n)", &["A", "B"]),
        (
            "type T int\nconst (\n\tX = iota\n\tA T = iota\n\tB\n)\nconst C T = -1",
            &["A", "B", "C"],
        ),
        ("type T uint8\nconst (\n\tA T = 0x10\n\tB T = 'a'\n)", &["A", "B"]),
        (
            "type T int\nconst (\n\tA, B T = iota, iota + 10\n\tC, D\n)",
            &["A", "B", "C", "D"],
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nfunc (t T) String() string { return [...]string{\"a\", \"b\"}[t] }",
            &["A", "B"],
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nfunc (t T) String() string { return [...]string{\"a\", \"b\"}[t] }\nfunc (t T) MarshalText() ([]byte, error) { return []byte(t.String()), nil }\nfunc (t *T) UnmarshalText(b []byte) error { return nil }",
            &["A", "B"],
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nvar names = map[T]string{A: \"is a\", B: \"is b\"}\nfunc (t T) MarshalText() ([]byte, error) { return []byte(names[t]), nil }\nfunc (t *T) UnmarshalText(b []byte) error { return nil }",
            &["A", "B"],
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nfunc (t T) MarshalText() ([]byte, error) {\n\tswitch t {\n\tcase A:\n\t\treturn []byte(\"one\"), nil\n\tdefault:\n\t\treturn []byte(\"two\"), nil\n\t}\n}\nfunc (t *T) UnmarshalText(b []byte) error { return nil }",
            &["A", "B"],
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nfunc (t T) String() string { switch t { case A: return \"x\"; case B: return \"y\" }; return \"\" }\nfunc (t T) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }\nfunc (t *T) UnmarshalJSON(b []byte) error { return nil }",
            &["A", "B"],
        ),
        (
            "type K string\nconst (\n\tA K = \"a\"\n\tB K = \"b\"\n)\ntype T struct { M map[K]int `json:\"m\"` }",
            &["T{map[K]int{A: 1}}"],
        ),
        (
            "type T struct { B bool `json:\"b\"`; F float32 `json:\"f\"`; R rune `json:\"r\"` }\nconst Version = 1",
            &["T{}"],
        ),
    ]
}

/// Types that write themselves.
fn methods() -> Vec<Row> {
    vec![
        (
            "type T struct { a int }\nfunc (t T) MarshalText() ([]byte, error) { return []byte(\"x\"), nil }\nfunc (t *T) UnmarshalText(b []byte) error { return nil }",
            &["T{}"],
        ),
        (
            "type T struct { Kind string `json:\"kind\"`; V any `json:\"v\"` }\nfunc (t T) MarshalJSON() ([]byte, error) {\n\ttype Alias T\n\treturn json.Marshal(Alias(t))\n}",
            &["T{V: 1}"],
        ),
        (
            "type T struct { V int `json:\"v\"` }\nfunc (t T) MarshalJSON() ([]byte, error) {\n\ttype Alias T\n\treturn json.Marshal(struct {\n\t\tAlias\n\t\tType string `json:\"type\"`\n\t}{Alias(t), \"t\"})\n}",
            &["T{}"],
        ),
        (
            "type T struct { V int `json:\"v\"` }\nfunc (t T) MarshalJSON() ([]byte, error) {\n\ttype Alias T\n\treturn json.Marshal(&struct {\n\t\tType string `json:\"type\"`\n\t\t*Alias\n\t}{Type: \"t\", Alias: (*Alias)(&t)})\n}",
            &["T{}"],
        ),
        (
            "type T struct { V int `json:\"v\"`; E error `json:\"-\"` }\nfunc (t T) MarshalJSON() ([]byte, error) {\n\treturn json.Marshal(struct {\n\t\tV int `json:\"v\"`\n\t\tE string `json:\"e\"`\n\t}{t.V, fmt.Sprint(t.E)})\n}",
            &["T{}"],
        ),
        (
            "type Id struct { n int }\nfunc (i Id) MarshalText() ([]byte, error) { return []byte(\"x\"), nil }\nfunc (i *Id) UnmarshalText(b []byte) error { return nil }\ntype T struct { I Id `json:\"i\"`; P *Id `json:\"p,omitempty\"`; L []Id `json:\"l\"` }",
            &["T{L: []Id{{1}}}", "T{P: &Id{}, L: []Id{{1}}}"],
        ),
        (
            "type T struct { V int `json:\"v\"` }\nfunc (t *T) UnmarshalJSON(b []byte) error { type A T; return json.Unmarshal(b, (*A)(t)) }",
            &["T{}"],
        ),
        (
            "type T struct { U url.URL `json:\"u\"`; I int `json:\"i\"` }",
            &["T{U: url.URL{User: url.User(\"a\")}}"],
        ),
        (
            "type T struct { N *big.Int `json:\"n\"`; I int `json:\"i\"` }",
            &["T{}", "T{N: big.NewInt(1)}"],
        ),
    ]
}

fn generic() -> Vec<Row> {
    vec![
        (
            "type G[X any] struct { V X `json:\"v\"` }\ntype T struct { A G[int] `json:\"a\"`; B G[string] `json:\"b\"` }",
            &["T{}"],
        ),
        (
            "type G[X any] struct { V []X `json:\"v\"` }\ntype T G[int]",
            &["T{V: []int{1}}"],
        ),
        (
            "type G[X any] struct { V X `json:\"v\"` }\ntype P struct { Q int `json:\"q\"` }\ntype T = G[P]",
            &["T{}"],
        ),
        (
            "type G[K comparable, V any] struct { M map[K]V `json:\"m\"` }\ntype T struct { G G[string, bool] `json:\"g\"` }",
            &["T{G[string, bool]{map[string]bool{\"k\": true}}}"],
        ),
        (
            "type Opt[X any] struct { V *X `json:\"v,omitempty\"` }\ntype T struct { Opt[int]; N int `json:\"n\"` }",
            &["T{}", "T{Opt: Opt[int]{ptr(1)}}"],
        ),
        (
            "type Page[X any] struct { Items []X `json:\"items\"`; Next string `json:\"next,omitempty\"` }\ntype U struct { Id string `json:\"id\"` }\ntype T struct { Page[U] }",
            &["T{Page[U]{[]U{{\"x\"}}, \"n\"}}", "T{Page[U]{Items: []U{{\"x\"}}}}"],
        ),
        (
            "type L[X any] []X\ntype T struct { L L[int] `json:\"l\"` }",
            &["T{L[int]{1}}"],
        ),
        (
            "type N[X ~int | ~string] struct { V X `json:\"v\"` }\ntype T struct { N N[string] `json:\"n\"` }",
            &["T{}"],
        ),
    ]
}
