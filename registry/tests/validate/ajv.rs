//! Our validator and ajv say the same of hundreds of values; and TypeScript takes the types. Needs npm and its registry;
//! without them the tests say so and pass.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use agent_contracts_registry::records::Kind;
use agent_contracts_registry::validate;
use serde_json::{Value, json};

use crate::fields;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../packages/npm")
}

/// A copy of the package with what it depends on; `None` where that cannot be had.
static INSTALLED: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm");
    fs::create_dir_all(copy.join("tests/consumer")).ok()?;
    let files = [
        "index.js",
        "index.d.ts",
        "types.d.ts",
        "validate.js",
        "kinds.json",
        "migrations.json",
        "package.json",
        "package-lock.json",
        ".npmrc",
        "tests/consumer/use.ts",
        "tests/consumer/tsconfig.json",
    ];
    for file in files {
        fs::copy(package().join(file), copy.join(file)).unwrap();
    }
    let schemas = copy.join("schemas");
    let _ = fs::remove_dir_all(&schemas);
    fs::create_dir_all(&schemas).unwrap();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../contracts/schemas")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), schemas.join(entry.file_name())).unwrap();
    }
    let output = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(&copy)
        .output();
    match output {
        Ok(output) if output.status.success() => Some(copy),
        Ok(output) => {
            eprintln!(
                "skipped: npm cannot install: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            None
        }
        Err(error) => {
            eprintln!("skipped: there is no npm: {error}");
            None
        }
    }
});

/// Every value that one edit makes of `value`.
fn mutations(value: &Value) -> Vec<Value> {
    let mut pointers = Vec::new();
    collect(value, String::new(), &mut pointers);
    let words = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2),
        json!(1e300),
        json!(""),
        json!(" "),
        json!("unknown"),
        json!("confirmed"),
        json!("source_derived"),
        json!("success"),
        json!("known_breaking"),
        json!("../x"),
        json!("é"),
        json!("2026-02-30T10:00:00Z"),
        json!("2016-12-31T23:59:60Z"),
        json!("2026-06-27T10:00:00.5Z"),
        json!("https://a.b/c"),
        json!("plain/v1"),
        json!([]),
        json!([1]),
        json!(["x", "x"]),
        json!({}),
        json!({"x": 1}),
    ];
    let mut made = Vec::new();
    for pointer in &pointers {
        for word in &words {
            let mut other = value.clone();
            *other.pointer_mut(pointer).unwrap() = word.clone();
            made.push(other);
        }
        let mut other = value.clone();
        match other.pointer_mut(pointer).unwrap() {
            Value::Object(members) => {
                members.insert("nobody_knows".to_owned(), json!(1));
            }
            Value::Array(items) => {
                if let Some(first) = items.first().cloned() {
                    items.push(first);
                }
            }
            Value::String(text) => text.push('x'),
            _ => {}
        }
        made.push(other);
        let mut other = value.clone();
        if let Some((parent, name)) = pointer.rsplit_once('/')
            && let Some(Value::Object(members)) = other.pointer_mut(parent)
        {
            members.remove(name);
            made.push(other);
        }
    }
    made
}

fn collect(value: &Value, at: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) => members
            .iter()
            .for_each(|(name, member)| collect(member, format!("{at}/{name}"), pointers)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| collect(item, format!("{at}/{index}"), pointers)),
        _ => {}
    }
    pointers.push(at);
}

const ASK: &str = r#"
import { createValidator } from "./index.js";
import { readFileSync } from "node:fs";
const validator = createValidator({ allErrors: false });
const answers = JSON.parse(readFileSync(0, "utf8")).map(([kind, value]) => validator.check(kind, value).length === 0);
console.log(JSON.stringify(answers));
"#;

#[test]
fn ajv_says_the_same() {
    let Some(folder) = INSTALLED.as_deref() else { return };
    let mut table = Vec::new();
    for (kind, record, _) in fields::tables() {
        table.push((kind, record.clone()));
        table.extend(mutations(&record).into_iter().map(|value| (kind, value)));
    }
    assert!(table.len() > 2000, "{}", table.len());
    let mut node = Command::new("node")
        .args(["--input-type=module", "-e", ASK])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    node.stdin
        .take()
        .unwrap()
        .write_all(&serde_json::to_vec(&table).unwrap())
        .unwrap();
    let output = node.wait_with_output().unwrap();
    let answers: Vec<bool> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.len(), table.len());
    let mut accepted = 0;
    for ((kind, value), ajv) in table.iter().zip(answers) {
        let own = validate::is_valid(Kind::of_id(kind).unwrap(), value);
        accepted += usize::from(own);
        assert_eq!(own, ajv, "{kind}: ours says {own}, ajv says {ajv} of {value}");
    }
    assert!(
        accepted > 100 && accepted < table.len() / 2,
        "{accepted} of {}",
        table.len()
    );
}

#[test]
fn typescript_takes_the_types() {
    let Some(folder) = INSTALLED.as_deref() else { return };
    let output = Command::new("node")
        .args(["node_modules/typescript/bin/tsc", "-p", "tests/consumer"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn the_package_checks_a_tree() {
    let Some(folder) = INSTALLED.as_deref() else { return };
    let witness = crate::witness::Witness::new();
    let run = || {
        let output = Command::new("node")
            .arg("validate.js")
            .arg(witness.path())
            .current_dir(folder)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (code, out) = run();
    assert_eq!(
        (code, out.lines().last()),
        (Some(0), Some("19 records, 0 errors")),
        "{out}"
    );
    witness.edit(&witness.observation, |value| value["platform"] = json!("beos"));
    witness.edit(&witness.error, |value| value["schema_version"] = json!(2));
    let (code, out) = run();
    assert_eq!(code, Some(1));
    assert!(
        out.contains("/platform: ") && out.contains("no migration is registered"),
        "{out}"
    );
}
