//! What a user of the Go extractor relies on, one source and one line of model a row.

use crate::testing::{MemoryTree, print_file};

/// The line of type `T` in a file of package `p`.
fn one(source: &str) -> String {
    let printed = print_file(
        "p/t.go",
        &format!("package p\n\nimport (\n\t\"encoding/json\"\n\t\"time\"\n)\n\n{source}"),
    );
    let line = printed.lines().find(|line| line.starts_with("T ")).unwrap_or(&printed);
    line.strip_prefix("T = ").unwrap_or(line).to_owned()
}

#[test]
fn types_of_fields() {
    for (ty, expected) in [
        ("string", "string"),
        ("bool", "boolean"),
        ("int", "number"),
        ("uint64", "number"),
        ("float32", "number"),
        ("rune", "number"),
        ("any", "any"),
        ("interface{}", "any"),
        ("json.RawMessage", "any"),
        ("json.Number", "number"),
        ("error", "string"),
        ("time.Time", "string"),
        ("time.Duration", "number"),
        ("[]string", "string[]"),
        ("[3]int", "number[]"),
        ("[]byte", "string"),
        ("[]uint8", "string"),
        ("map[string]int", "{*: number}"),
        ("map[Kind][]T", "{*: T[]}"),
        ("*string", "string | null"),
        ("**T", "T | null"),
        ("other.Thing", "?other.Thing"),
        ("Gone", "?Gone"),
        ("struct{ B int `json:\"b\"` }", "{b=: number}"),
        ("[]struct{ B int `json:\"b\"` }", "{b=: number}[]"),
        ("(string)", "string"),
    ] {
        let line = one(&format!("type T struct {{\n\tA {ty} `json:\"a\"`\n}}\n"));
        assert_eq!(line, format!("{{a=: {expected}}}"), "{ty}");
    }
    for ty in ["func()", "chan int", "<-chan T"] {
        assert_eq!(
            one(&format!(
                "type T struct {{\n\tA {ty} `json:\"a\"`\n\tB int `json:\"b\"`\n}}\n"
            )),
            "{b=: number}"
        );
    }
}

#[test]
fn tags() {
    for (fields, expected) in [
        ("A string `json:\"a,omitempty\"`", "{a?: string}"),
        ("A *string `json:\"a,omitempty\"`", "{a?: string}"),
        ("A *string `json:\"a,omitzero\"`", "{a?: string}"),
        ("A int64 `json:\"a,string\"`", "{a=: string}"),
        ("A string `json:\"-\"`\n\tB int `json:\"b\"`", "{b=: number}"),
        ("A string `json:\"-,\"`", "{-=: string}"),
        ("A string `json:\",omitempty\"`", "{A?: string}"),
        ("A string\n\tB int `json:\"b\"`", "{A=: string, b=: number}"),
        ("a string `json:\"a\"`\n\tB int `json:\"b\"`", "{b=: number}"),
        ("A, B int `json:\",\"`", "{A=: number, B=: number}"),
        ("A string \"json:\\\"a\\\"\"", "{a=: string}"),
        // a struct is never empty, so `omitempty` never leaves it out
        ("A time.Time `json:\"a,omitempty\"`", "{a=: string}"),
        ("A T `json:\"a,omitempty\"`", "{a=: T}"),
        ("A *T `json:\"a,omitempty\"`", "{a?: T}"),
        ("A time.Time `json:\"a,omitzero\"`", "{a?: string}"),
        ("A []T `json:\"a,omitempty\"`", "{a?: T[]}"),
        // huma
        (
            "A string `json:\"a\" doc:\"The \\\"json\\\" of a\"`\n\tB int `json:\"b,omitempty\" doc:\"b\"`",
            "{a: string, b?: number}",
        ),
        (
            "A string `query:\"limit\"`\n\tB string `path:\"id\" required:\"true\"`",
            "{id: string, limit?: string}",
        ),
        ("Body struct {\n\t\tA int `json:\"a\"`\n\t}", "{Body=: {a=: number}}"),
        // stability
        (
            "// Deprecated: use B.\n\tA int `json:\"a\"`",
            "{a=: number !deprecated}",
        ),
        (
            "// The A.\n\t// Experimental: A may go.\n\tA int `json:\"a\"`",
            "{a=: number !experimental}",
        ),
        (
            "A int `json:\"a\"` // deprecated\n\tB int `json:\"b\"`",
            "{a=: number, b=: number}",
        ),
    ] {
        assert_eq!(
            one(&format!("type T struct {{\n\t{fields}\n}}\n")),
            expected,
            "{fields}"
        );
    }
}

#[test]
fn embedding() {
    for (source, expected) in [
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B; Y int `json:\"y\"` }",
            "{y=: number, ...B}",
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { *B }",
            "{...B} (in process)",
        ),
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B `json:\"b\"` }",
            "{b=: B}",
        ),
        // the own member wins
        (
            "type B struct { X int `json:\"x\"` }\ntype T struct { B; X string `json:\"x\"` }",
            "{x=: string, ...B}",
        ),
        // a name that two parts bring in at one depth is left out
        (
            "type A struct { X int `json:\"x\"`; A int `json:\"a\"` }\ntype B struct { X int `json:\"x\"` }\ntype T struct { A; B; C int `json:\"c\"` }",
            "{a=: number, c=: number}",
        ),
        (
            "type C struct { X int `json:\"x\"` }\ntype A struct { C; A int `json:\"a\"` }\ntype B struct { X int `json:\"x\"` }\ntype T struct { A; B; D int `json:\"d\"` }",
            "{d=: number, ...A, ...B}",
        ),
        (
            "type K string\ntype T struct { K; X int `json:\"x\"` }",
            "{K=: K, x=: number}",
        ),
        ("type T struct { sync.Mutex; X int `json:\"x\"` }", "{x=: number}"),
        // a method that is embedded writes the whole struct
        ("type T struct { time.Time; X int `json:\"x\"` }", "string"),
    ] {
        assert_eq!(one(source), expected, "{source}");
    }
}

#[test]
fn constants_are_enums() {
    for (source, expected) in [
        (
            "type T string\nconst (\n\tA T = \"a\"\n\tB T = \"b\"\n)",
            "A=\"a\" | B=\"b\"",
        ),
        (
            "type T string\nconst A = T(\"a\")\nconst B T = \"b\" + \"c\"",
            "A=\"a\" | B=\"bc\"",
        ),
        ("type T = string\nconst A T = \"a\"", "A=\"a\""),
        ("type T int\nconst (\n\tA T = iota\n\tB\n\t_\n\tD\n)", "A=0 | B=1 | D=3"),
        (
            "type T int\nconst (\n\tA T = iota + 1\n\tB\n)\nconst C T = -1",
            "A=1 | B=2 | C=-1",
        ),
        (
            "type T uint8\nconst (\n\tA T = 1 << iota\n\tB\n\tC = 0x10\n)",
            "A=1 | B=2",
        ),
        (
            "type T string\nconst (\n\tA T = \"a\"\n\tOld = A\n)\nconst Same T = A",
            "A=\"a\"",
        ),
        ("type T string", "string"),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nfunc (t T) String() string { switch t { case A: return \"a\" }\n return \"b\" }",
            "A=0 | B=1",
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n\tC\n)\nfunc (t T) MarshalText() ([]byte, error) { return []byte(t.String()), nil }\n\
             func (t T) String() string {\n\tswitch t {\n\tcase A:\n\t\treturn \"is a\"\n\tcase B, C:\n\t\treturn \"b\"\n\tdefault:\n\t\treturn \"unknown\"\n\t}\n}",
            "A=\"is a\" | B=\"b\"",
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\nvar names = map[T]string{A: \"a\", B: \"b\"}\n\
             func (t T) MarshalText() ([]byte, error) { return []byte(names[t]), nil }",
            "A=\"a\" | B=\"b\"",
        ),
        (
            "type T int\nconst (\n\tA T = iota\n\tB\n)\n\
             func (t T) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }\n\
             func (t T) String() string { return [...]string{\"a\", \"b\"}[t] }",
            "A=\"a\" | B=\"b\"",
        ),
        (
            "type T int\nconst A T = 0\nfunc (t T) MarshalJSON() ([]byte, error) {\n\tswitch t {\n\tcase A:\n\t\treturn []byte(`\"a\"`), nil\n\t}\n\treturn nil, nil\n}",
            "A=\"a\"",
        ),
        (
            "type T int\nconst A T = 0\nfunc (t T) MarshalText() ([]byte, error) { return encode(t) }",
            "string",
        ),
        (
            "type T string\nconst A T = \"a\"\nfunc (t T) MarshalText() ([]byte, error) { return []byte(t), nil }",
            "A=\"a\"",
        ),
    ] {
        let line = one(source);
        let line = line.trim_end_matches(" (in process)");
        assert_eq!(line, expected, "{source}");
    }
}

#[test]
fn what_marshal_json_builds() {
    for (source, expected) in [
        (
            "type T struct {\n\tA string `json:\"a\"`\n\tErr error `json:\"error,omitempty\"`\n}\nfunc (t T) MarshalJSON() ([]byte, error) {\n\ttype Alias T\n\
             \treturn json.Marshal(&struct {\n\t\tErr string `json:\"error\"`\n\t\tExtra int `json:\"extra\"`\n\t\t*Alias\n\t}{Err: \"x\", Alias: (*Alias)(&t)})\n}",
            "{a=: string, error=: \"x\", extra=: number}",
        ),
        (
            "type T struct {\n\tA string `json:\"a\"`\n}\nconst Kind = \"k\"\nfunc (t T) Kind() string { return Kind }\nfunc (t T) MarshalJSON() ([]byte, error) {\n\ttype alias T\n\
             \tout := struct {\n\t\tKind string `json:\"kind\"`\n\t\talias\n\t}{Kind: t.Kind(), alias: alias(t)}\n\treturn json.Marshal(out)\n}",
            "{a=: string, kind=: \"k\"}",
        ),
        (
            "type T struct {\n\tRaw json.RawMessage\n}\nfunc (t T) MarshalJSON() ([]byte, error) {\n\tif t.Raw != nil {\n\t\treturn t.Raw, nil\n\t}\n\treturn json.Marshal(struct{}{})\n}",
            "any",
        ),
        (
            "type T struct {\n\tInner map[string]int\n}\nfunc (t T) MarshalJSON() ([]byte, error) { return json.Marshal(t.Inner) }",
            "{*: number}",
        ),
        (
            "type T struct {\n\tN *int\n\tS *string\n}\nfunc (t *T) MarshalJSON() ([]byte, error) { return marshalUnion(t.N, t.S) }",
            "number | string",
        ),
        (
            "type T struct {\n\tName string\n}\nfunc (t T) MarshalJSON() ([]byte, error) {\n\treturn json.Marshal(map[string]any{\"type\": \"t\", \"name\": t.Name})\n}",
            "{name=: string, type=: \"t\"}",
        ),
        (
            "type T struct {\n\tA int `json:\"a\"`\n}\nfunc (t T) MarshalJSON() ([]byte, error) { return custom(t) }",
            "{a=: number}",
        ),
        (
            "type T struct {\n\tA int\n}\nfunc (t T) MarshalText() ([]byte, error) { return nil, nil }",
            "string",
        ),
    ] {
        assert_eq!(one(source), expected, "{source}");
    }
}

#[test]
fn a_sealed_interface_with_its_discriminator() {
    let source = "package p

type Part interface{ isPart() }
type Text struct { Text string `json:\"text\"` }
func (Text) isPart() {}
type Image struct { URL string }
func (*Image) isPart() {}
type kind string
const (
	textKind  kind = \"text\"
	imageKind kind = \"image\"
	otherKind kind = \"other\"
)
type wrapper struct {
	Type kind `json:\"type\"`
	Data Part `json:\"data\"`
}
func marshal(parts []Part) {
	for _, part := range parts {
		var typ kind
		switch part.(type) {
		case Text:
			typ = textKind
		case *Image:
			typ = imageKind
		default:
			continue
		}
		_ = wrapper{Type: typ, Data: part}
	}
}
type Message struct {
	ID    string `json:\"id\"`
	Parts []Part `json:\"parts\"`
}
func (m Message) MarshalJSON() ([]byte, error) {
	parts, _ := marshalParts(m.Parts)
	type Alias Message
	return json.Marshal(&struct {
		Parts json.RawMessage `json:\"parts\"`
		*Alias
	}{Parts: parts, Alias: (*Alias)(&m)})
}
type Open interface { Do() }
";
    insta::assert_snapshot!(print_file("p/part.go", source), @r#"
    Image = {URL=: string}
    Message = {id=: string, parts=: wrapper[]}
    Open = any (in process)
    Part = Text=Text | Image=Image (in process)
    Text = {text=: string}
    kind = textKind="text" | imageKind="image" | otherKind="other" (in process)
    wrapper = <type> textKind={data=: Text, type=: "text"} | imageKind={data=: Image, type=: "image"}
    "#);
    // The same, said by a method of each type, with members beside the discriminator.
    let source = "package p

type Data interface { data(); Type() EventType }
type EventType string
const (
	EventStart EventType = \"start\"
	EventStop  EventType = \"stop\"
)
type StartData struct { At int `json:\"at\"` }
func (StartData) data() {}
func (StartData) Type() EventType { return EventStart }
type StopData struct { Why string `json:\"why\"` }
func (StopData) data() {}
func (StopData) Type() EventType { return EventStop }
type RawData struct { Raw json.RawMessage }
func (RawData) data() {}
func (r RawData) MarshalJSON() ([]byte, error) { return r.Raw, nil }
type Event struct {
	ID   string `json:\"id\"`
	Data Data   `json:\"-\"`
}
func (e Event) MarshalJSON() ([]byte, error) {
	type raw struct {
		ID   string    `json:\"id\"`
		Type EventType `json:\"type\"`
		Data any       `json:\"data\"`
	}
	return json.Marshal(raw{ID: e.ID, Type: e.Type(), Data: e.Data})
}
";
    insta::assert_snapshot!(print_file("p/event.go", source), @r#"
    Data = StartData=StartData | StopData=StopData | * (in process)
    Event = {id=: string, ...(<type> EventStart={data=: StartData, type=: "start"} | EventStop={data=: StopData, type=: "stop"} | *)}
    EventType = EventStart="start" | EventStop="stop" (in process)
    RawData = any
    StartData = {at=: number}
    StopData = {why=: string}
    "#);
}

#[test]
fn generic_types_with_their_arguments() {
    let source = "package p
type Page[T any] struct { Items []T `json:\"items\"`; Next *Page[T] `json:\"next,omitempty\"` }
type Pair[K comparable, V any] struct { Key K `json:\"key\"`; Value V `json:\"value\"` }
type T struct { Page Page[string] `json:\"page\"`; Pair Pair[string, []int] `json:\"pair\"` }
";
    insta::assert_snapshot!(print_file("p/t.go", source), @r#"
    Page = {items=: any[], next?: {items=: any[], next?: Page}}
    Pair = {key=: any, value=: any}
    T = {page=: {items=: string[], next?: Page}, pair=: {key=: string, value=: number[]}}
    "#);
}

#[test]
fn loose_constants() {
    let source = "package p
const (
	ControlStop = \"stop\"
	ControlStopIfIdle = \"stop_if_idle\"
)
const (
	MethodOpen = \"session.open\"
	MethodClose = \"session.close\"
)
const (
	colorRed = \"red\"
	colorBlue = \"blue\"
)
const (
	HelpShort = \"A sentence.\"
	HelpLong = \"Another one.\"
)
const WireProtocolVersion = 3
const PROTOCOL_VERSION_NAME = \"2025-01-01\"
type Control struct { Command string `json:\"command\"`; Count int `json:\"count\"` }
";
    insta::assert_snapshot!(print_file("p/t.go", source), @r#"
    Control = {command=: ControlStop="stop" | ControlStopIfIdle="stop_if_idle" | *, count=: number}
    Method = MethodOpen="session.open" | MethodClose="session.close" | * (literal)
    const PROTOCOL_VERSION_NAME = "2025-01-01"
    const WireProtocolVersion = 3
    "#);
}

#[test]
fn packages_and_modules() {
    let tree = MemoryTree::new(&[
        ("go.mod", "module example.com/app\n\ngo 1.24\n"),
        (
            "proto/a.go",
            "package proto\nimport (\n\t\"example.com/app/config\"\n\tm \"example.com/app/internal/message\"\n\t\"elsewhere.com/config\"\n)\n\
             type Root struct {\n\tConfig *config.Config `json:\"config\"`\n\tMessage m.Message `json:\"message\"`\n\tLocal Local `json:\"local\"`\n}\n\
             type Message struct { A int `json:\"a\"` }\ntype Alias = m.Message\n",
        ),
        (
            "proto/b.go",
            "package proto\ntype Local struct { X Kind `json:\"x\"` }\n",
        ),
        (
            "proto/c.go",
            "package proto\ntype Kind string\nconst KindA Kind = \"a\"\n",
        ),
        ("proto/c_test.go", "package proto\nconst KindTest Kind = \"test\"\n"),
        (
            "config/config.go",
            "package config\ntype Config struct { Deep Deep `json:\"deep\"` }\ntype Deep struct { Y int `json:\"y\"` }\ntype Unused struct { Z int `json:\"z\"` }\n",
        ),
        (
            "internal/message/m.go",
            "package message\ntype Message struct { B int `json:\"b\"` }\n",
        ),
    ]);
    let model = tree.link(&["proto/a.go", "proto/b.go", "proto/c_test.go"]);
    insta::assert_snapshot!(model.print(), @r#"
    Alias = Message@internal/message/m.go
    Config = {deep=: Deep} (beyond)
    Deep = {y=: number} (beyond)
    Kind = KindA="a" (beyond)
    Local = {x=: Kind}
    Message = {a=: number}
    [Message@internal/message/m.go] Message = {b=: number} (beyond)
    Root = {config=: Config | null, local=: Local, message=: Message@internal/message/m.go}
    "#);
    assert_eq!(model.files, 2);
    assert!(model.types["Local"].in_scope && !model.types["Kind"].in_scope);
    assert_eq!(
        (
            model.types["Message"].place.file.as_str(),
            model.types["Message"].place.line
        ),
        ("proto/a.go", 12)
    );
}

#[test]
fn in_process_structs_say_nothing_by_themselves() {
    let source = "package p
type Service interface { Do() }
type Update struct { Version string }
type Used struct { Version string }
type Wire struct { Used Used `json:\"used\"` }
type Internal string
const InternalA Internal = \"a\"
";
    insta::assert_snapshot!(print_file("p/t.go", source), @r#"
    Internal = InternalA="a" (in process)
    Service = any (in process)
    Update = {Version=: string} (in process)
    Used = {Version=: string}
    Wire = {used=: Used}
    "#);
}

#[test]
fn one_mistake_costs_one_type() {
    let types: Vec<String> = (0..10)
        .map(|n| format!("type T{n} struct {{\n\tA int `json:\"a\"`\n}}\n"))
        .collect();
    let text = format!("package p\n\n{}", types.join("\n"));
    let broken = text.replacen(
        "type T4 struct {\n\tA int `json",
        "type T4 struct {\n\tA int int ) `json",
        1,
    );
    let model = MemoryTree::new(&[("p/a.go", broken)]).link(&["p/a.go"]);
    for n in [0, 1, 2, 3, 5, 6, 7, 8, 9] {
        assert!(model.types.contains_key(&format!("T{n}")), "{}", model.print());
    }
    assert!(
        model
            .degraded
            .iter()
            .any(|degraded| degraded.hides.contains(&"T4".to_owned())),
        "{}",
        model.print()
    );
    assert!(model.degraded.iter().all(|degraded| degraded.lines.is_some()));
    // An error inside a function hides nothing.
    let model = MemoryTree::new(&[("p/a.go", format!("{text}\nfunc f() {{ a := := 1 }}\n"))]).link(&["p/a.go"]);
    assert_eq!((model.types.len(), model.degraded.len()), (10, 0), "{}", model.print());
}

#[test]
fn no_prefix_panics() {
    let text = "package p\nimport \"time\"\n// Old.\n// Deprecated: x.\ntype T[K any] struct {\n\t*B\n\tA, C []map[string]time.Time `json:\"a,omitempty\"`\n}\n\
        type K int\nconst (\n\tX K = iota << 1\n\tY\n)\nfunc (k K) MarshalText() ([]byte, error) { switch k { case X: return []byte(\"x\"), nil }; return nil, nil }\n\
        func (t T[K]) MarshalJSON() ([]byte, error) { type Alias T[K]; return json.Marshal(&struct{ *Alias }{Alias: (*Alias)(&t)}) }\n";
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let model = MemoryTree::new(&[("p/a.go", &text[..end])]).link(&["p/a.go"]);
        assert_eq!(model.files, 1);
    }
    let deep = format!(
        "package p\ntype T {}int\ntype U struct {{ A int `json:\"a\"` }}\n",
        "[]".repeat(10_000)
    );
    let model = MemoryTree::new(&[("p/a.go", deep)]).link(&["p/a.go"]);
    assert!(model.types.contains_key("U"), "{}", model.print());
}

#[test]
fn spaces_and_comments_say_nothing() {
    let plain = "package p\n\ntype T struct {\n\tA int `json:\"a\"`\n\tB string `json:\"b\"`\n}\n";
    let dressed = "// Package p.\r\npackage p\r\n\r\n/* T is t. */\r\ntype (\r\n\t// T is t.\r\n\tT struct {\r\n\t\tB      string `json:\"b\" yaml:\"bb\"` // the b\r\n\r\n\t\t// A is a.\r\n\t\tA      int    `json:\"a\"`\r\n\t}\r\n)";
    assert_eq!(print_file("p/t.go", dressed), print_file("p/t.go", plain));
}

#[test]
fn maps_that_are_sent_are_events() {
    let source = r#"package p
func run(w W) {
	b, _ := json.Marshal(map[string]any{"type": "start", "id": id, "n": 1})
	w.enc.Encode(map[string]interface{}{"type": "stop", "parts": []string{"a"}, "in": map[string]any{"ok": true}})
	s.sendNotification(map[string]any{"method": "item/done", key: 1})
	x := map[string]any{"type": "kept"}
	json.Marshal(map[string]any{"type": "object", "properties": nil})
	json.Marshal(map[string]string{"type": "other"})
}
"#;
    insta::assert_snapshot!(print_file("p/t.go", source), @r#"
    map(method) = <method> {method: "item/done", *} | * (literal)
    map(type) = <type> {id: any, n: number, type: "start"} | {in: {ok: boolean}, parts: any[], type: "stop"} | * (literal)
    "#);
    assert_eq!(print_file("p/t_test.go", source), "");
}
