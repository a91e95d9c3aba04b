//! Input that is broken: what is wrong is named, everything else goes on, and no answer is made up.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::fixture::Home;
use crate::loopback::{NpmPackage, Reply, Server, entry, gzip, tgz};

/// `RULE TYPE` of each finding.
fn rules(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| format!("{} {}", text(&finding["rule"]), text(&finding["type_name"])))
        .collect()
}

/// `FILE: WHY` of each file that was not read in full.
fn degraded(report: &Value) -> Vec<String> {
    let degraded = report["degraded"].as_array().unwrap().iter();
    degraded
        .map(|one| format!("{}: {}", one["file"].as_str().unwrap(), one["why"].as_str().unwrap()))
        .collect()
}

const GOOD: &str = r#"
export type Event = Opened | Said | Closed;
export interface Opened { type: "opened"; id: string }
export interface Said { type: "said"; text: string }
export interface Closed { type: "closed" }
"#;

#[test]
fn a_syntax_error_costs_its_own_declaration_and_no_neighbour() {
    let home = Home::new();
    home.write("old/a.ts", GOOD).write(
        "new/a.ts",
        GOOD.replace("text: string }", "text: = ??? { ; }")
            .replace("\"closed\" }", "\"closed\"; code: number }"),
    );
    let report = home.json(&["scan", "--from", "dir:old", "--to", "dir:new", "--json"]);
    assert_eq!(
        rules(&report),
        ["field_added Closed"],
        "the neighbour is compared, and nothing is called removed"
    );
    assert_eq!(degraded(&report), ["a.ts: syntax error"]);
    assert_eq!(report["degraded"][0]["hides"][0], "Said");
    let (code, text, _) = home.scan("dir:old", "dir:new", &[]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text, @r"
    dir:old -> dir:new: the protocol changes (1 additive)
    additive  `closed` gains `code` (number) [field_added]
              a.ts:5
              hurts: only readers that refuse what they do not know fail; to do: nothing; read it if it is useful
    in doubt  Said may stand in what could not be read: a.ts: syntax error
    in doubt  an arm of the new Event could not be read
    in doubt  said may be an arm of Event that could not be read
    unread    a.ts:2 Said
    unread    a.ts:4-4 syntax error
    ");
}

#[test]
fn a_file_of_nothing_but_errors_is_inconclusive_and_no_removal() {
    let home = Home::new();
    home.write("old/a.ts", GOOD)
        .write("old/b.ts", "export interface B { type: \"b\" }");
    home.write("new/a.ts", b"\xff\xfe\x00<<<<<<< HEAD\n=======\n>>>>>>> theirs\n")
        .write("new/b.ts", "export interface B { type: \"b\"; more?: string }");
    let report = home.json(&["scan", "--from", "dir:old", "--to", "dir:new", "--json"]);
    assert_eq!(rules(&report), ["field_added B"], "{report:#}");
    assert_eq!(report["degraded"][0]["file"], "a.ts");
}

#[test]
fn a_file_of_50_megabytes_is_left_out_in_time() {
    let home = Home::new();
    home.write("old/a.ts", GOOD)
        .write("old/huge.ts", "export interface Huge { type: \"huge\" }");
    home.write("new/a.ts", GOOD.replace("id: string", "id: number"))
        .write("new/huge.ts", vec![b' '; 50 << 20]);
    let start = Instant::now();
    let report = home.json(&["scan", "--from", "dir:old", "--to", "dir:new", "--json"]);
    assert_eq!(rules(&report), ["field_type_changed Opened"]);
    insta::assert_snapshot!(degraded(&report).join("\n"), @"huge.ts: over the budget of 8 MB");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn types_that_hold_themselves_are_compared_once() {
    let home = Home::new();
    let tree = |value: &str| {
        format!(
            "export type Event = Tree | {{ type: \"end\" }};\n\
             export interface Tree {{ type: \"tree\"; left?: Tree; right: Fork | null; value: {value} }}\n\
             export interface Fork {{ up: Tree; forks: Fork[] }}\n"
        )
    };
    home.write("old/a.ts", tree("string")).write("new/a.ts", tree("number"));
    let report = home.json(&["scan", "--from", "dir:old", "--to", "dir:new", "--json"]);
    assert_eq!(rules(&report), ["field_type_changed Tree"]);
    assert_eq!(report["findings"][0]["path"], "value");

    let schema = |extra: &str| {
        format!(
            r##"{{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{{
            "Node":{{"type":"object","properties":{{"next":{{"$ref":"#/$defs/Node"}}{extra}}}}},
            "Ring":{{"$ref":"#/$defs/Ring"}}}}}}"##
        )
    };
    home.write("old/s.json", schema(""))
        .write("new/s.json", schema(r#","id":{"type":"string"}"#));
    let report = home.json(&[
        "scan", "--from", "dir:old", "--to", "dir:new", "--scope", "s.json", "--json",
    ]);
    assert_eq!(rules(&report), ["field_added Node"]);
}

#[test]
fn types_that_are_a_thousand_deep_do_not_end_the_process() {
    let home = Home::new();
    let nested = |leaf: &str| {
        let mut text = "export interface Deep { type: \"deep\"; a: ".to_owned();
        for _ in 0..1000 {
            text.push_str("{ a: ");
        }
        text.push_str(leaf);
        text.push_str(&" }".repeat(1001));
        text
    };
    let chain = |leaf: &str| {
        let mut text = String::new();
        for depth in 0..1000 {
            let _ = writeln!(text, "export interface T{depth} {{ next: T{} }}", depth + 1);
        }
        let _ = writeln!(text, "export interface T1000 {{ leaf: {leaf} }}");
        text
    };
    for (name, text) in [("nested", &nested as &dyn Fn(&str) -> String), ("chain", &chain)] {
        home.write(&format!("{name}-old/a.ts"), text("string"))
            .write(&format!("{name}-new/a.ts"), text("number"))
            .write(&format!("{name}-old/b.ts"), GOOD)
            .write(&format!("{name}-new/b.ts"), GOOD.replace("id: string", "id: number"));
        let (from, to) = (format!("dir:{name}-old"), format!("dir:{name}-new"));
        let report = home.json(&["scan", "--from", &from, "--to", &to, "--json"]);
        let found = rules(&report);
        assert!(
            found.contains(&"field_type_changed Opened".to_owned()),
            "{name}: {found:?}"
        );
        // The deep change is found, or it is said that the type was not read to its end.
        assert!(
            found.len() == 2 || !degraded(&report).is_empty() || !report["unresolved"].as_array().unwrap().is_empty(),
            "{name}: {report:#}"
        );
        assert!(!found.iter().any(|rule| rule.contains("removed")), "{name}: {found:?}");
        for format in ["text", "markdown", "sarif"] {
            home.ok(&["scan", "--from", &from, "--to", &to, "--format", format]);
        }
    }
}

#[test]
fn a_repository_that_loses_an_object_hides_a_file_and_removes_nothing() {
    let home = Home::new();
    let repo = home.repo("repo");
    repo.write("a.ts", GOOD)
        .write("b.ts", "export interface B { type: \"b\" }")
        .release("v1");
    repo.write("b.ts", "export interface B { type: \"b\"; c: number }")
        .write("a.ts", GOOD.replace("id: string", "id: number"))
        .release("v2");
    let lose = |object: &str| {
        let id = repo.git(&["rev-parse", object]);
        let file = format!("repo/.git/objects/{}/{}", &id[..2], &id[2..]);
        std::fs::remove_file(home.path().join(file)).unwrap();
        id
    };
    let scan = ["scan", "--from", "git:repo@v1", "--to", "git:repo@v2"];
    lose("v2:b.ts");
    let report = home.json(&[&scan[..], &["--json"]].concat());
    assert_eq!(rules(&report), ["field_type_changed Opened"]);
    let told = degraded(&report);
    assert!(told.len() == 1 && told[0].starts_with("b.ts: "), "{told:?}");

    let tree = lose("v2^{tree}");
    insta::assert_snapshot!(home.complaint(&scan).replace(&tree, "TREE"), @r"
    exit 4
    error: git:repo@v2 cannot be read: content unavailable: the clone lacks object TREE
    hint: fetch it again, or take a clone without a filter
    ");
    let commit = lose("v2^{commit}");
    insta::assert_snapshot!(home.complaint(&scan).replace(&commit, "COMMIT"), @r"
    exit 4
    error: git:repo@v2 cannot be read: the clone lacks object COMMIT
    hint: fetch it again, or take a clone without a filter
    ");
    // The other version is as good as it was.
    home.ok(&["scan", "--from", "git:repo@v1", "--to", "git:repo@v1"]);
}

#[test]
fn a_pointer_to_large_content_is_unavailable_and_not_empty() {
    let home = Home::new();
    let repo = home.repo("repo");
    repo.write("a.ts", GOOD)
        .write(
            "schema.json",
            r#"{"title":"S","type":"object","properties":{"a":{"type":"string"}}}"#,
        )
        .release("v1");
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 70\n",
        "ab".repeat(32)
    );
    repo.write("schema.json", pointer).release("v2");
    let (code, text, _) = home.scan("git:repo@v1", "git:repo@v2", &["--fail-on", "breaking"]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text, @r"
    git:repo@v1 -> git:repo@v2: inconclusive: what could not be read may hold a change
    in doubt  S may stand in what could not be read: schema.json: content unavailable: git LFS pointer to 70 bytes
    unread    schema.json content unavailable: git LFS pointer to 70 bytes
    ");
}

/// A home whose npm registry is `server`.
fn with_registry(server: &Server) -> Home {
    let home = Home::new();
    home.write(
        "agent-contracts.toml",
        format!("[endpoints]\nnpm = \"{}\"\n", server.url()),
    );
    home
}

/// What a scan of two versions of `package` says.
fn npm_complaint(home: &Home, package: &str, from: &str, to: &str) -> String {
    let side = |version: &str| format!("npm:{package}@{version}");
    home.complaint(&["scan", "--from", &side(from), "--to", &side(to)])
}

#[test]
fn archives_of_strangers_are_refused_by_their_package() {
    let server = Server::start();
    let home = with_registry(&server);
    let lies = {
        let mut tar = entry("package/index.d.ts", 1 << 20).to_vec();
        tar.extend_from_slice(b"export interface A { type: \"a\" }");
        gzip(&tar)
    };
    let cut = {
        let whole = tgz(&[("package/index.d.ts", GOOD)]);
        whole[..whole.len() / 2].to_vec()
    };
    let bomb = {
        let mut tar = entry("package/index.d.ts", 64 << 20).to_vec();
        tar.resize(tar.len() + (64 << 20) + 1024, 0);
        gzip(&tar)
    };
    let package = NpmPackage::new("stranger")
        .version("1.0.0", GOOD)
        .archive(
            "1.1.0",
            tgz(&[("package/index.d.ts", GOOD), ("package/../../out.d.ts", GOOD)]),
        )
        .archive("1.2.0", tgz(&[("/etc/out.d.ts", GOOD)]))
        .archive("1.3.0", lies)
        .archive("1.4.0", cut)
        .archive("1.5.0", bomb)
        .archive(
            "1.6.0",
            tgz(&[("package/index.d.ts", GOOD), ("package/index.d.ts", "export {}")]),
        )
        .archive("1.7.0", b"<html>not here</html>".to_vec())
        .version("1.8.0", &GOOD.replace("id: string", "id: number"));
    server.npm(&package);
    let told: Vec<String> = (1..=7)
        .map(|minor| npm_complaint(&home, "stranger", "1.0.0", &format!("1.{minor}.0")))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    exit 4
    error: npm:stranger@1.1.0 cannot be read: its archive is refused: its entry `package/../../out.d.ts` leads out of the archive
    hint: nothing of it was read; look at the archive by hand before you trust it

    exit 4
    error: npm:stranger@1.2.0 cannot be read: its archive is refused: its entry `/etc/out.d.ts` leads out of the archive
    hint: nothing of it was read; look at the archive by hand before you trust it

    exit 4
    error: npm:stranger@1.3.0 cannot be read: its archive is refused: its entry `index.d.ts` says that it has 1048576 bytes and has not
    hint: nothing of it was read; look at the archive by hand before you trust it

    exit 4
    error: npm:stranger@1.4.0 cannot be read: its archive is refused: it is cut short
    hint: nothing of it was read; look at the archive by hand before you trust it

    exit 4
    error: npm:stranger@1.5.0 cannot be read: its archive is refused: it unpacks to more than 150 times its size, as a zip bomb does
    hint: nothing of it was read; look at the archive by hand before you trust it

    exit 4
    error: npm:stranger@1.6.0 cannot be read: its archive is refused: it holds `index.d.ts` twice, with different content
    hint: nothing of it was read; look at the archive by hand before you trust it

    exit 4
    error: npm:stranger@1.7.0 cannot be read: its archive is refused: it is damaged: invalid gzip header
    hint: nothing of it was read; look at the archive by hand before you trust it
    ");
    let good = home.json(&[
        "scan",
        "--from",
        "npm:stranger@1.0.0",
        "--to",
        "npm:stranger@1.8.0",
        "--json",
    ]);
    assert_eq!(rules(&good), ["field_type_changed Opened"]);
    assert!(!home.path().join("out.d.ts").exists() && !home.path().parent().unwrap().join("out.d.ts").exists());
}

#[test]
fn an_archive_that_is_not_what_was_published_is_refused() {
    let server = Server::start();
    let home = with_registry(&server);
    let package = NpmPackage::new("swapped").version("1.0.0", GOOD).version("1.1.0", GOOD);
    server.npm(&package);
    server.at(
        &package.archive_path("1.1.0"),
        Reply::ok(tgz(&[("package/index.d.ts", "export {}")])),
    );
    insta::assert_snapshot!(npm_complaint(&home, "swapped", "1.0.0", "1.1.0"), @r"
    exit 4
    error: npm:swapped@1.1.0 cannot be read: its archive does not have the SHA-512 that the registry tells
    hint: try again; if it stays, do not trust the archive
    ");
    server.at(&package.archive_path("1.1.0"), Reply::status(404, "{}"));
    insta::assert_snapshot!(npm_complaint(&home, "swapped", "1.0.0", "1.1.0"), @r"
    exit 4
    error: npm:swapped@1.1.0 cannot be read: not found
    hint: try again; if it stays, report it to the registry
    ");
}

#[test]
fn metadata_that_is_none_is_said_with_the_package() {
    let server = Server::start();
    let home = with_registry(&server);
    let good = NpmPackage::new("cut").version("1.0.0", GOOD).version("1.1.0", GOOD);
    server.npm(&good);
    server.at("/html", Reply::ok("<html>sign in</html>"));
    server.at("/list", Reply::ok("[]"));
    server.at("/odd", Reply::ok(r#"{"versions": {"1.0.0": 7}}"#));
    server.at(
        "/bare",
        Reply::ok(r#"{"versions": {"1.0.0": {"dist": {"tarball": "http://127.0.0.1:1/x.tgz"}}}}"#),
    );
    server.at("/cut", Reply::cut(good.metadata(&server.url()).to_string()));
    let told: Vec<String> = ["html", "list", "odd", "bare", "cut", "gone"]
        .iter()
        .map(|package| npm_complaint(&home, package, "1.0.0", "1.1.0"))
        .collect();
    let told = told.join("\n");
    assert!(!told.contains("127.0.0.1"), "an address may be private: {told}");
    insta::assert_snapshot!(told, @r"
    exit 4
    error: npm:html@1.0.0 cannot be read: the answer is not usable: it is no JSON: expected value at line 1 column 1
    hint: try again; if it stays, report it to the registry

    exit 4
    error: npm:list@1.0.0 cannot be read: the answer is not usable: its metadata: no JSON object
    hint: try again; if it stays, report it to the registry

    exit 4
    error: npm:odd@1.0.0 cannot be read: the answer is not usable: its metadata: invalid type: integer `7`, expected struct Version at line 1 column 24
    hint: try again; if it stays, report it to the registry

    exit 4
    error: npm:bare@1.0.0 cannot be read: the registry tells no check sum of it
    hint: name another version

    exit 4
    error: npm:cut@1.0.0 cannot be read: the answer is not usable: it was cut short after 283 bytes
    hint: try again; if it stays, report it to the registry

    exit 4
    error: npm:gone@1.0.0 cannot be read: there is no such package
    hint: check its name, and whether it needs a login
    ");
    // What was cut short was not kept.
    server.npm(&good);
    home.ok(&["scan", "--from", "npm:cut@1.0.0", "--to", "npm:cut@1.1.0"]);
}

#[test]
fn a_version_that_was_never_published_is_said_with_what_is_near() {
    let server = Server::start();
    let home = with_registry(&server);
    let package = NpmPackage::new("quill").version("1.0.0", GOOD).version("1.1.0", GOOD);
    server.npm(&package);
    insta::assert_snapshot!(npm_complaint(&home, "quill", "1.0.0", "1.2.0"), @r"
    exit 4
    error: npm:quill has no version `1.2.0`
    hint: near it are `1.0.0`, `1.1.0`
    ");
}
