//! serde as the judge: types with its attributes are compiled once, print sample values and try to read documents.

mod cases;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agent_contracts_wire::WireModel;
use cases::Case;
use serde_json::Value;

use crate::{source, values};

#[test]
fn serde_writes_and_reads_what_the_model_says() {
    let cases = cases::all();
    assert!(cases.len() > 200, "the table shrank to {}", cases.len());
    let models: Vec<WireModel> = cases.iter().map(|case| model(&case.source)).collect();
    let Some(program) = build(&cases) else {
        return;
    };
    let samples: BTreeMap<usize, Vec<Value>> = run(&program, "samples", &Value::Null);
    let mut wrong = Vec::new();
    let mut documents: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    let mut expected: BTreeMap<usize, Vec<(bool, String)>> = BTreeMap::new();
    for (index, (case, model)) in cases.iter().zip(&models).enumerate() {
        let samples = &samples[&index];
        for mistake in values::written(model, samples) {
            wrong.push(format!(
                "{mistake}\n  {}\n  {}\n  {samples:?}",
                case.source,
                model.print().trim_end()
            ));
        }
        if case.strict {
            for (document, readable, why) in values::readings(model, samples) {
                documents.entry(index).or_default().push(document);
                expected.entry(index).or_default().push((readable, why));
            }
        }
    }
    let asked = expected.values().map(Vec::len).sum::<usize>();
    assert!(asked > 300, "only {asked} documents to read");
    let input = serde_json::to_value(&documents).expect("documents are JSON");
    let read: BTreeMap<usize, Vec<bool>> = run(&program, "read", &input);
    for (index, expected) in &expected {
        for ((document, (readable, why)), read) in documents[index].iter().zip(expected).zip(&read[index]) {
            if read != readable {
                wrong.push(format!(
                    "{why}: serde reads {document}: {read}\n  {}",
                    cases[*index].source
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences\n{}", wrong.len(), wrong.join("\n"));
}

fn model(source: &str) -> WireModel {
    let imports = "use std::collections::*; use std::borrow::Cow; use serde_json::Value;\n";
    source::model("src/lib.rs", &format!("{imports}{source}"))
}

/// The compiled table; `None` without serde.
fn build(cases: &[Case]) -> Option<PathBuf> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-serde");
    let write = |path: &str, text: &str| {
        let path = dir.join(path);
        // An unchanged file keeps its time, so that a second run compiles nothing.
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
            std::fs::create_dir_all(path.parent().expect("a file is in a directory"))
                .expect("the directory can be made");
            std::fs::write(&path, text).expect("the file can be written");
        }
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"rust-serde\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
         serde = { version = \"1\", features = [\"derive\", \"rc\"] }\nserde_json = \"1\"\n[profile.dev]\ndebug = false\nincremental = false\n",
    );
    write("src/main.rs", &program(cases));
    let cargo = |args: &[&str]| {
        Command::new(env!("CARGO"))
            .args(args)
            .arg("--manifest-path")
            .arg(dir.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(dir.join("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .expect("cargo runs")
    };
    let mut built = cargo(&["build", "--quiet", "--offline"]);
    if !built.status.success() {
        built = cargo(&["build", "--quiet"]);
    }
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        let signs = [
            "failed to download",
            "Could not resolve",
            "failed to get",
            "spurious network error",
            "failed to query",
        ];
        assert!(
            signs.iter().any(|sign| said.contains(sign)),
            "the table does not compile:\n{said}"
        );
        let _ = writeln!(
            std::io::stderr(),
            "skipped: serde cannot be had without network:\n{said}"
        );
        return None;
    }
    Some(
        dir.join("target/debug")
            .join(format!("rust-serde{}", std::env::consts::EXE_SUFFIX)),
    )
}

#[expect(clippy::format_push_string, reason = "the program is text, and small")]
fn program(cases: &[Case]) -> String {
    let mut text = String::from(
        "#![allow(dead_code, unused, non_camel_case_types, non_snake_case)]
        use serde::{Serialize, Deserialize, de::DeserializeOwned}; use serde_json::Value; use std::collections::*; use std::borrow::Cow;
        fn is_default<T: Default + PartialEq>(v: &T) -> bool { *v == T::default() }
        fn ok<T: DeserializeOwned>(v: &Value) -> bool { serde_json::from_str::<T>(&v.to_string()).is_ok() }\n",
    );
    let (mut samples, mut reads) = (String::new(), String::new());
    for (index, case) in cases.iter().enumerate() {
        let values: Vec<String> = case
            .samples
            .iter()
            .map(|value| format!("serde_json::to_value::<T>({value}).expect(\"case {index}\")"))
            .collect();
        text.push_str(&format!(
            "mod c{index} {{ use super::*; {}\n pub fn samples() -> Vec<Value> {{ vec![{}] }} {} }}\n",
            case.source,
            values.join(", "),
            if case.strict {
                "pub fn read(v: &Value) -> bool { ok::<T>(v) }"
            } else {
                ""
            },
        ));
        samples.push_str(&format!("all.insert({index}, c{index}::samples());"));
        if case.strict {
            reads.push_str(&format!("{index} => c{index}::read(v),"));
        }
    }
    text.push_str(&format!(
        "fn main() {{
            if std::env::args().nth(1).as_deref() == Some(\"samples\") {{
                let mut all: BTreeMap<usize, Vec<Value>> = BTreeMap::new(); {samples}
                println!(\"{{}}\", serde_json::to_string(&all).unwrap());
            }} else {{
                let asked: BTreeMap<usize, Vec<Value>> = serde_json::from_reader(std::io::stdin()).unwrap();
                let read: BTreeMap<usize, Vec<bool>> = asked.iter().map(|(case, all)| (*case, all.iter().map(|v| match case {{ {reads} _ => false }}).collect())).collect();
                println!(\"{{}}\", serde_json::to_string(&read).unwrap());
            }}
        }}"
    ));
    text
}

fn run<T: serde::de::DeserializeOwned>(program: &Path, what: &str, input: &Value) -> T {
    let mut child = Command::new(program)
        .arg(what)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the table runs");
    child
        .stdin
        .take()
        .expect("it has a stdin")
        .write_all(input.to_string().as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}
