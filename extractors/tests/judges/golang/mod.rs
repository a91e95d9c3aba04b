//! `encoding/json` as the judge: types are compiled once, write sample values and read documents.

mod cases;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agent_contracts_wire::WireModel;
use cases::Case;
use serde_json::{Value, json};

use crate::differences::{Differences, Known};
use crate::{source, values};

/// What `encoding/json` does and we do not say, with the reason.
const KNOWN: &[Known] = &[
    (
        "A []*P",
        "a nil pointer in a list is null; lists of pointers are taken to hold none, as those of every protocol we read",
    ),
    (
        "E error `json:\"e\"`",
        "a nil error is null; an error that is written is taken to be one",
    ),
    (
        "{ *B; Y int `json:\"y\"` }",
        "an embedded pointer that is nil leaves out its members; it is taken to point at something",
    ),
    ("{ *b; Z int", "the same, and a reader cannot set it"),
    (
        "type A struct { X int }\ntype B struct { Q int `json:\"X\"` }",
        "of members with one name from two embedded structs, the one with a tag wins; here none does",
    ),
    ("U url.URL", "a type of a package that is not in the tree is unresolved"),
];

#[test]
fn encoding_json_writes_and_reads_what_the_model_says() {
    let Some(version) = go_version() else { return };
    let cases: Vec<Case> = cases::all().into_iter().filter(|case| case.since <= version).collect();
    let models: Vec<WireModel> = cases
        .iter()
        .map(|case| source::model("wire.go", &text(&case.source)))
        .collect();
    let program = build(&cases);
    let samples: Vec<Vec<Value>> = run(&program, &json!([]));
    let mut found = Differences::default();
    let mut documents = Vec::new();
    let mut expected = Vec::new();
    for ((case, model), samples) in cases.iter().zip(&models).zip(&samples) {
        found.judged(&case.source);
        for mistake in values::written(model, samples) {
            found.add(&case.source, format!("{mistake}\n{}", model.print()));
        }
        let readings = values::readings(model, samples);
        documents.push(
            readings
                .iter()
                .map(|(document, ..)| document.clone())
                .collect::<Vec<_>>(),
        );
        expected.push(readings);
    }
    let read: Vec<Vec<bool>> = run(&program, &json!(documents));
    for ((case, expected), read) in cases.iter().zip(&expected).zip(&read) {
        for ((document, readable, why), read) in expected.iter().zip(read) {
            if read != readable {
                found.add(&case.source, format!("{why}: Go reads {document}: {read}"));
            }
        }
    }
    found.settle(100, KNOWN);
}

/// The minor version of Go 1; `None`, told, without a toolchain.
fn go_version() -> Option<u32> {
    let said = Command::new("go")
        .arg("version")
        .output()
        .ok()
        .filter(|output| output.status.success());
    let Some(output) = said else {
        let _ = writeln!(std::io::stderr(), "skipped: there is no Go toolchain");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let minor = text.split("go1.").nth(1)?;
    minor.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn text(source: &str) -> String {
    let mut text = "package wire\n".to_owned();
    for (import, sign) in [
        ("encoding/json", "json."),
        ("errors", "errors."),
        ("fmt", "fmt."),
        ("time", "time."),
        ("net/url", "url."),
        ("math/big", "big."),
    ] {
        if source.contains(sign) {
            let _ = writeln!(text, "import \"{import}\"");
        }
    }
    text + source + "\n"
}

/// The compiled table: every case is a package of its own.
fn build(cases: &[Case]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golang");
    let write = |path: String, text: &str| {
        let path = folder.join(path);
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
            std::fs::write(&path, text).expect("the file can be written");
        }
    };
    let (mut imports, mut all) = (String::new(), String::new());
    for (index, case) in cases.iter().enumerate() {
        let samples = case.samples.join(", ");
        write(
            format!("c{index}/wire.go"),
            &format!(
                "{}\nfunc Samples() []any {{ return []any{{ {samples} }} }}\nfunc New() any {{ return new(T) }}\nfunc ptr[V any](v V) *V {{ return &v }}\nvar _ = ptr[int]\n",
                text(&format!("{} {samples}", case.source)).replace(&format!(" {samples}\n"), "\n")
            ),
        );
        let _ = writeln!(imports, "import c{index} \"judge/c{index}\"");
        let _ = writeln!(all, "{{c{index}.Samples, c{index}.New}},");
    }
    write("go.mod".to_owned(), "module judge\n\ngo 1.18\n");
    write(
        "main.go".to_owned(),
        &include_str!("main.go.txt")
            .replace("//IMPORTS", &imports)
            .replace("//CASES", &all),
    );
    let program = folder.join("judge");
    let built = Command::new("go")
        .args(["build", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(&folder)
        .env("GOCACHE", folder.join("cache"))
        .env("GOPATH", folder.join("path"))
        .env("GOFLAGS", "-mod=mod")
        .env("GOPROXY", "off")
        .env("GO111MODULE", "on")
        .output()
        .expect("go runs");
    assert!(
        built.status.success(),
        "the table does not compile:\n{}",
        String::from_utf8_lossy(&built.stderr)
    );
    program
}

/// What every case writes, or which documents every case reads.
fn run<T: serde::de::DeserializeOwned>(program: &Path, input: &Value) -> T {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the table runs");
    let mut stdin = child.stdin.take().expect("it has a stdin");
    stdin.write_all(input.to_string().as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

/// Cases by what they are, so that a table that loses a whole kind is seen.
#[test]
fn every_case_has_a_sample() {
    let mut by_type: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases::all() {
        assert!(!case.samples.is_empty(), "{}", case.source);
        *by_type.entry(case.source).or_default() += 1;
    }
    assert!(by_type.values().all(|&count| count == 1), "a row stands twice");
}
