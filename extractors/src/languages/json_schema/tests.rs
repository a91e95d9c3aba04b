//! What a user of the schema extractor relies on, one schema and one line of model a row.

use crate::testing::{MemoryTree, print_file};

/// The type `T` of a draft 2020-12 document that defines it and, for references, `A = string`.
fn one(schema: &str) -> String {
    let text = format!(r#"{{"$defs": {{"A": {{"type": "string"}}, "T": {schema}}}}}"#);
    let printed = print_file("p/schema.json", &text);
    let line = printed.lines().find(|line| line.starts_with("T ")).unwrap_or_default();
    line.strip_prefix("T = ").unwrap_or(&printed).to_owned()
}

#[test]
fn every_form_of_a_schema() {
    for (schema, expected) in [
        // scalars
        (r#"{"type": "string", "format": "date-time", "minLength": 1}"#, "string"),
        (r#"{"type": "integer", "minimum": 0}"#, "number"),
        (r#"{"type": ["integer", "number"]}"#, "number"),
        (r#"{"type": "boolean"}"#, "boolean"),
        (r#"{"type": "null"}"#, "null"),
        ("true", "any"),
        ("{}", "any"),
        (r#"{"description": "anything"}"#, "any"),
        // null, three ways
        (r#"{"type": ["string", "null"]}"#, "string | null"),
        (r#"{"type": "string", "nullable": true}"#, "string | null"),
        (r#"{"anyOf": [{"type": "null"}, {"type": "string"}]}"#, "string | null"),
        (r##"{"allOf": [{"$ref": "#/$defs/A"}], "nullable": true}"##, "A | null"),
        (r##"{"oneOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}"##, "A | null"),
        (
            r#"{"type": ["object", "null"], "properties": {"a": {}}}"#,
            "{a?: any} | null",
        ),
        // references
        (r##"{"$ref": "#/$defs/A"}"##, "A"),
        (r##"{"description": "d", "allOf": [{"$ref": "#/$defs/A"}]}"##, "A"),
        (r##"{"allOf": [{"$ref": "#/$defs/A"}, {"minLength": 2}]}"##, "A"),
        (r##"{"type": "object", "allOf": [{"$ref": "#/$defs/A"}]}"##, "A"),
        (r##"{"$ref": "#/$defs/%41"}"##, "A"),
        (r##"{"$ref": "#/$defs/gone"}"##, "?$ref #/$defs/gone"),
        (
            r#"{"$ref": "https://example.com/s.json#/A"}"#,
            "?$ref https://example.com/s.json#/A",
        ),
        // values
        (r#"{"const": "a"}"#, "\"a\""),
        (r#"{"enum": ["a", 1, true, null]}"#, "\"a\" | 1 | true | null"),
        (r#"{"enum": [1.0, -2.5]}"#, "1 | -2.5"),
        (r#"{"oneOf": [{"const": "a"}, {"enum": ["b"]}]}"#, "\"a\" | \"b\""),
        (
            r#"{"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]}"#,
            "\"a\" | \"b\"",
        ),
        (r#"{"anyOf": [{"const": "a"}, {"type": "string"}]}"#, "\"a\" | *"),
        (
            r#"{"anyOf": [{"type": "integer", "const": 1}, {"type": "integer"}, {"type": "null"}]}"#,
            "1 | null | *",
        ),
        (r#"{"enum": ["a"]}"#, "\"a\""),
        (
            r#"{"anyOf": [{"title": "A", "type": "null"}, {"title": "B", "type": "null"}]}"#,
            "A=null | B=null",
        ),
        // lists
        (r#"{"type": "array", "items": {"type": "string"}}"#, "string[]"),
        (r#"{"items": {"enum": ["a", "b"]}}"#, "(\"a\" | \"b\")[]"),
        (r#"{"type": "array"}"#, "any[]"),
        (
            r#"{"prefixItems": [{"type": "string"}, {"type": "null"}], "items": false}"#,
            "[string, null]",
        ),
        (
            r#"{"type": "array", "items": [{"type": "string"}, {"type": "number"}]}"#,
            "[string, number]",
        ),
        // objects
        (
            r#"{"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "number"}}, "required": ["b"]}"#,
            "{a?: number, b: string}",
        ),
        (r#"{"properties": {"a": false, "b": {"not": {}}}}"#, "{}"),
        (r#"{"type": "object"}"#, "{}"),
        (r#"{"type": "object", "additionalProperties": true}"#, "{*}"),
        (r#"{"type": "object", "additionalProperties": false}"#, "{}"),
        (r#"{"additionalProperties": {"type": "string"}}"#, "{*: string}"),
        (r#"{"patternProperties": {"^x": {"type": "string"}}}"#, "{*: string}"),
        (
            r#"{"properties": {"a": {}}, "additionalProperties": {"type": "string"}}"#,
            "{a?: any, *}",
        ),
        (
            r#"{"properties": {"a": {"default": 1}}, "required": ["a"]}"#,
            "{a=: any}",
        ),
        // a member may be called like a keyword
        (
            r#"{"properties": {"description": {"type": "string"}, "title": {}, "definitions": {"properties": {"x": {}}}}}"#,
            "{definitions?: {x?: any}, description?: string, title?: any}",
        ),
        // joined
        (
            r##"{"properties": {"t": {"const": "a"}}, "required": ["t"], "allOf": [{"$ref": "#/$defs/A"}]}"##,
            "{t: \"a\", ...A}",
        ),
        (r##"{"$ref": "#/$defs/A", "properties": {"t": {}}}"##, "{t?: any, ...A}"),
        (
            r#"{"properties": {"s": {}}, "oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}"#,
            "{s?: any, ...({a?: any} | {b?: any})}",
        ),
        (
            r#"{"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {}}}, {"required": ["a"]}]}"#,
            "{a: string, ...{a?: string}, ...{b?: any}}",
        ),
        (
            r#"{"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
            "{a?: any, b?: any}",
        ),
        (
            r#"{"properties": {"a": {}}, "not": {"required": ["b"]}, "unevaluatedProperties": false}"#,
            "{a?: any}",
        ),
        // a place that is no declaration is read where it is named
        (
            r##"{"properties": {"a": {"type": "string"}, "b": {"$ref": "#/$defs/T/properties/a"}}}"##,
            "{a?: string, b?: string}",
        ),
        // stability
        (r#"{"type": "string", "deprecated": true}"#, "string !deprecated"),
        (
            r#"{"type": "string", "description": "**UNSTABLE**\n\nMay go."}"#,
            "string !experimental",
        ),
        (
            r#"{"properties": {"a": {"description": "[experimental] x"}}}"#,
            "{a?: any !experimental}",
        ),
        (
            r#"{"type": "string", "description": "Runs experimental things"}"#,
            "string",
        ),
    ] {
        let line = one(schema);
        let line = line.lines().next().unwrap_or_default();
        assert_eq!(line, expected, "{schema}");
    }
}

#[test]
fn prose_and_form_say_nothing() {
    let plain = r##"{"$defs": {"A": {"type": "string"}, "T": {"oneOf": [
        {"type": "object", "properties": {"t": {"const": "x", "type": "string"}, "a": {"$ref": "#/$defs/A"}}, "required": ["t", "a"]},
        {"type": "object", "properties": {"t": {"const": "y", "type": "string"}}, "required": ["t"]}]}}}"##;
    let dressed = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "title": "Some words", "definitions": {
        "T": {"discriminator": {"propertyName": "t", "mapping": {"x": "#/definitions/nothing"}}, "oneOf": [
            {"required": ["a", "t"], "description": "one", "properties": {
                "a": {"allOf": [{"$ref": "#/definitions/A"}], "description": "its a", "x-order": 1},
                "t": {"enum": ["x"], "type": "string", "title": "T", "examples": ["x"]}}},
            {"properties": {"t": {"enum": ["y"]}}, "required": ["t"], "type": "object"}]},
        "A": {"type": "string", "title": "A", "format": "uuid", "pattern": "."}}}"##;
    let expected = print_file("schema.json", plain);
    assert_eq!(print_file("schema.json", dressed), expected);
    assert_eq!(print_file("schema.json", &dressed.replace('\n', "\r\n")), expected);
    assert_eq!(print_file("schema.json", &format!("\u{feff}{dressed}")), expected);
}

#[test]
fn a_mapping_that_is_the_only_place_of_a_tag() {
    let text = r##"{"openapi": "3.0.3", "components": {"schemas": {
        "Cat": {"type": "object", "properties": {"kind": {"type": "string"}}},
        "Pet": {"oneOf": [{"$ref": "#/components/schemas/Cat"}],
                "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}}}}}"##;
    insta::assert_snapshot!(print_file("api.json", text), @r#"
    Cat = {kind?: string}
    Pet = {kind: "cat", ...Cat}
    "#);
}

#[test]
fn what_is_no_schema_gives_nothing() {
    for text in [
        "",
        "not json",
        "[]",
        "3",
        r#"{"name": "x", "version": "1.0.0", "type": "module", "dependencies": {"properties": "1"}}"#,
        r#"{"$schema": "https://json.schemastore.org/tsconfig", "definitions": 1}"#,
        r#"{"$schema": "https://example.com/config.json", "definitions": {"a": {"path": "x"}}, "properties": {}}"#,
        r#"{"type": "object", "properties": {"a": 1}}"#,
        r#"{"definitions": {}}"#,
        r#"{"swagger": "2.0"}"#,
        r#"{"testMethods": {"a": 1}}"#,
    ] {
        assert_eq!(print_file("x.json", text), "", "{text}");
    }
    assert_eq!(
        print_file("package.json", r#"{"$defs": {"A": {"type": "string"}}}"#),
        ""
    );
}

#[test]
fn the_document_itself_is_a_type() {
    let text = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "title": "LogoutParams", "type": "object"}"#;
    assert_eq!(print_file("json/LogoutParams.json", text), "LogoutParams = {}\n");
    let text = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "title": "Two Words", "enum": ["a"]}"#;
    assert_eq!(print_file("json/kind.schema.json", text), "kind = \"a\"\n");
    // One that only lists its definitions says nothing by itself, unless it has a name.
    let listing = |title: &str| {
        format!(
            r##"{{"title": "{title}", "anyOf": [{{"$ref": "#/$defs/A"}}], "$defs": {{"A": {{"type": "string"}}}}}}"##
        )
    };
    assert_eq!(
        print_file("all.json", &listing("Some Protocol")),
        "A = string\nall = A (in process)\n"
    );
    assert_eq!(
        print_file("all.json", &listing("AnyMessage")),
        "A = string\nAnyMessage = A\n"
    );
    // A bundle is none.
    let text = r#"{"title": "Bundle", "type": "object", "definitions": {"A": {"type": "string"}, "v2": {"A": {"type": "number"}, "B": {"type": "null"}}}}"#;
    insta::assert_snapshot!(print_file("bundle.json", text), @r#"
    A = string
    [A@bundle.json] A = number
    B = null
    "#);
}

#[test]
fn what_the_document_does_not_lead_to_is_left_over() {
    let text = r##"{"anyOf": [{"title": "In", "type": "object", "properties": {"r": {"$ref": "#/$defs/Request"}}}],
        "$defs": {"Request": {"items": {"$ref": "#/$defs/Item"}}, "Item": {"type": "string"}, "Inlined": {"type": "number"},
                  "Called": {"type": "object", "x-side": "agent", "x-method": "call"}}}"##;
    insta::assert_snapshot!(print_file("schema.json", text), @r#"
    Called = {} @in
    Inlined = number (in process)
    Item = string
    Request = Item[]
    agentMethods = <method> {method: "call", params: Called} @in
    schema = In={r?: Request} (in process)
    "#);
}

#[test]
fn sides_and_methods() {
    let schema = r##"{"$defs": {
        "NewRequest": {"type": "object", "properties": {"cwd": {"type": "string"}}, "x-side": "agent", "x-method": "session/new"},
        "NewResponse": {"type": "object", "x-side": "agent", "x-method": "session/new"},
        "Update": {"type": "object", "x-side": "client", "x-method": "session/update", "description": "UNSTABLE"},
        "ClientRequest": {"anyOf": [{"title": "NewRequest", "$ref": "#/$defs/NewRequest"}]}}}"##;
    let meta = r#"{"agentMethods": {"session_new": "session/new"}, "clientMethods": {"other": "session/other"}, "version": 1}"#;
    let tree = MemoryTree::new(&[("v1/schema.json", schema), ("v1/meta.json", meta)]);
    insta::assert_snapshot!(tree.link(&["v1/meta.json", "v1/schema.json"]).print(), @r#"
    ClientRequest = NewRequest=NewRequest @in
    NewRequest = {cwd?: string} @in
    NewResponse = {} @out
    Update = {} !experimental @out
    agentMethods = <method> {method: "session/new", params: NewRequest} => NewResponse @in
    clientMethods = <method> {method: "session/update", params: Update} !experimental | {method: "session/other", params: ?params} @out
    const version = 1
    "#);
    insta::assert_snapshot!(tree.link(&["v1/meta.json"]).print(), @r#"
    agentMethods = <method> {method: "session/new", params: ?params} @in
    clientMethods = <method> {method: "session/other", params: ?params} @out
    const version = 1
    "#);
    assert_eq!(
        print_file("a/sdk-protocol-version.json", r#"{"version": 3}"#),
        "const sdk-protocol-version = 3\n"
    );
}

#[test]
fn operations_of_openapi_and_swagger() {
    let openapi = r##"{"openapi": "3.1.0", "paths": {"/session/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
        "post": {"operationId": "x", "deprecated": true,
            "parameters": [{"$ref": "#/components/parameters/Dir"}],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/In"}}}},
            "responses": {"200": {"description": "", "content": {"text/event-stream": {"schema": {"type": "string"}}}},
                          "404": {"$ref": "#/components/responses/Gone"}, "204": {"description": "none"}}}}},
        "components": {"schemas": {"In": {"type": "object"}},
            "parameters": {"Dir": {"name": "directory", "in": "query", "schema": {"type": "string"}}},
            "responses": {"Gone": {"content": {"application/json": {"schema": {"type": "number"}}}}}}}"##;
    insta::assert_snapshot!(print_file("openapi.json", openapi), @r#"
    In = {}
    POST /session/{} = {body: In, directory?: string} !deprecated @in
    POST /session/{} response = {200?: string, 204?: null, 404?: number} !deprecated @out
    paths = <method> {method: "POST /session/{}", params: POST /session/{}} => POST /session/{} response !deprecated @in
    "#);
    let swagger = r##"{"swagger": "2.0", "paths": {"/a/{b}": {"put": {
        "parameters": [{"name": "b", "in": "path", "type": "string", "required": true}, {"name": "q", "in": "query", "type": "integer"},
                       {"name": "request", "in": "body", "required": true, "schema": {"$ref": "#/definitions/p.In"}}],
        "responses": {"200": {"description": "OK", "schema": {"type": "array", "items": {"$ref": "#/definitions/p.In"}}}}}}},
        "definitions": {"p.In": {"type": "object"}}}"##;
    insta::assert_snapshot!(print_file("swagger.json", swagger), @r#"
    PUT /a/{} = {body: p.In, q?: number} @in
    PUT /a/{} response = {200?: p.In[]} @out
    p.In = {}
    paths = <method> {method: "PUT /a/{}", params: PUT /a/{}} => PUT /a/{} response @in
    "#);
}

#[test]
fn copies_are_one_type_and_differing_ones_are_not() {
    let file = |b: &str| {
        format!(
            r##"{{"definitions": {{"A": {{"type": "array", "items": {{"$ref": "#/definitions/B"}}}}, "B": {{"type": "{b}"}}}}}}"##
        )
    };
    let tree = MemoryTree::new(&[
        ("a.json", file("string")),
        ("b.json", file("string").replace(", \"B\"", ",\n\n \"B\"")),
        ("c.json", file("number")),
    ]);
    insta::assert_snapshot!(tree.link(&["a.json", "b.json", "c.json"]).print(), @r#"
    A = B[]
    [A@b.json] A = A (in process)
    [A@c.json] A = B@c.json[]
    B = string
    [B@b.json] B = B (in process)
    [B@c.json] B = number
    "#);
}

#[test]
fn references_into_other_files() {
    let tree = MemoryTree::new(&[
        (
            "s/main.json",
            r#"{"$defs": {"T": {"$ref": "lib/common.json#/$defs/C"}, "U": {"$ref": "./lib/gone.json"}, "V": {"$ref": "lib/whole.json"}}}"#,
        ),
        (
            "s/lib/common.json",
            r#"{"$defs": {"C": {"items": {"$ref": "../main.json#/$defs/T"}}}}"#,
        ),
        (
            "s/lib/whole.json",
            r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}"#,
        ),
    ]);
    let model = tree.link(&["s/main.json"]);
    insta::assert_snapshot!(model.print(), @r#"
    C = T[] (beyond)
    T = C
    U = ?$ref ./lib/gone.json
    V = whole
    whole = string (beyond)
    unresolved s/main.json:1 $ref ./lib/gone.json
    "#);
    assert!(model.types["T"].in_scope && !model.types["C"].in_scope);
    assert_eq!(model.files, 1);
}

#[test]
fn one_mistake_costs_one_type() {
    let types: Vec<String> = (0..10)
        .map(|n| format!("\"T{n}\": {{\"type\": \"object\", \"properties\": {{\"a\": {{\"type\": \"string\"}}}}}}"))
        .collect();
    let text = format!("{{\"$defs\": {{\n{}\n}}}}", types.join(",\n"));
    let broken = text.replacen("\"T4\": {\"type\": \"object\",", "\"T4\": {\"type\": \"object\"", 1);
    let tree = MemoryTree::new(&[("a.json", broken)]);
    let model = tree.link(&["a.json"]);
    assert_eq!(model.types.len(), 10);
    let printed = model.print();
    assert!(printed.contains("T3 = {a?: string}\n") && printed.contains("T5 = {a?: string}\n"));
    assert!(printed.contains("T4 = ?a schema with a syntax error\n"), "{printed}");
    assert_eq!(model.degraded.len(), 1);
    assert_eq!(model.degraded[0].lines, Some((6, 6)));
    // Every prefix is read without a panic, and what is complete is kept.
    for end in 0..text.len() {
        let prefix = &text[..end];
        let model = MemoryTree::new(&[("a.json", prefix)]).link(&["a.json"]);
        assert!(prefix.len() < 40 || !model.degraded.is_empty(), "{prefix}");
    }
    let model = MemoryTree::new(&[("a.json", &text[..text.len() / 2])]).link(&["a.json"]);
    assert!(model.types.contains_key("T2"));
}

#[test]
fn content_that_cannot_be_had_is_said() {
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 9\n",
        "0".repeat(64)
    );
    let model = MemoryTree::new(&[("schema.json", pointer)]).link(&["schema.json"]);
    assert_eq!(model.degraded[0].why, "content unavailable: LFS pointer");
    assert_eq!(model.types.len(), 0);

    let deep = format!(
        r#"{{"$defs": {{"D": {}{{}}{}, "A": {{"type": "string"}}}}}}"#,
        r#"{"items": "#.repeat(10_000),
        "}".repeat(10_000)
    );
    let model = MemoryTree::new(&[("schema.json", deep)]).link(&["schema.json"]);
    assert!(model.types.contains_key("A"));
    assert_eq!(model.degraded[0].why, "nested deeper than 128 levels");
}

#[test]
fn lines_are_those_of_the_file() {
    let text = "{\"$defs\": {\n\n\"T\": {\"properties\": {\n\"a\": {\"type\": \"string\"},\n\"b\": {\"oneOf\": [\n{\"const\": 1},\n{\"const\": 2}]}}}}}";
    let model = MemoryTree::new(&[("s.json", text)]).link(&["s.json"]);
    let decl = &model.types["T"];
    assert_eq!(decl.place.line, 3);
    let agent_contracts_wire::Type::Object(object) = &decl.body else {
        panic!("{decl}")
    };
    assert_eq!((object.fields["a"].line, object.fields["b"].line), (4, 5));
    let agent_contracts_wire::Type::Union(union) = &object.fields["b"].ty else {
        panic!("{decl}")
    };
    assert_eq!(union.arms.iter().map(|arm| arm.line).collect::<Vec<_>>(), [6, 7]);
}

/// The findings between two texts of one file, `severity rule name` a line.
fn findings(old: &str, new: &str) -> Vec<String> {
    let model = |text: &str| MemoryTree::new(&[("schema.json", text)]).link(&["schema.json"]);
    let diff = agent_contracts_wire::diff(&model(old), &model(new), &agent_contracts_wire::DiffOptions::default());
    let line = |finding: &agent_contracts_wire::Finding| {
        let name = finding
            .wire_name
            .as_deref()
            .or(finding.type_name.as_deref())
            .unwrap_or_default();
        format!("{:?} {} {name}", finding.severity, finding.rule)
    };
    diff.findings.iter().map(line).collect()
}

#[test]
fn a_request_of_the_server_blocks_and_a_notification_does_not() {
    let table = |name: &str, methods: &[&str]| {
        let arms: Vec<String> = methods
            .iter()
            .map(|method| format!(r#"{{"type": "object", "properties": {{"id": {{"type": "string"}}, "method": {{"enum": ["{method}"]}}}}, "required": ["id", "method"]}}"#))
            .collect();
        format!(r#""{name}": {{"oneOf": [{}]}}"#, arms.join(", "))
    };
    let schema = |requests: &[&str], notifications: &[&str]| {
        let notifications = table("ServerNotification", notifications)
            .replace("\"id\": {\"type\": \"string\"}, ", "")
            .replace("\"id\", ", "");
        format!(
            "{{\"definitions\": {{{}, {notifications}}}}}",
            table("ServerRequest", requests)
        )
    };
    let old = schema(&["item/approve", "item/ask"], &["turn/started", "turn/done"]);
    let new = schema(
        &["item/approve", "item/ask", "token/refresh"],
        &["turn/started", "turn/done", "text/delta"],
    );
    let found = findings(&old, &new);
    assert_eq!(
        found,
        ["Breaking method_added token/refresh", "Risky event_added text/delta"]
    );
}

#[test]
fn an_optional_list_that_goes_is_told() {
    let schema = |more: &str| {
        format!(
            r#"{{"$defs": {{"Agent": {{"type": "object", "properties": {{"id": {{"type": "string"}}{more}}}, "required": ["id"]}}}}}}"#
        )
    };
    let old = schema(r#", "tags": {"type": "array", "items": {"type": "string"}}"#);
    assert_eq!(findings(&old, &schema("")), ["Breaking field_removed tags"]);
    assert_eq!(findings(&old, &old.replace('\n', "\r\n")), [""; 0]);
}
