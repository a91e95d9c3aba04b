//! Node, with the packages that the judges run under it: installed once, in the target directory.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// Exact versions: what a judge says must not change overnight. TypeScript 7 has no compiler API.
const PACKAGES: [&str; 3] = ["typescript@5.9.3", "zod@4.1.12", "zod3@npm:zod@3.25.76"];

/// What a script that is given `input` prints, as JSON; `None`, told once, where Node or its packages cannot be had.
pub(crate) fn run(script: &str, text: &str, input: &Value) -> Option<Value> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(install).as_ref()?;
    std::fs::write(folder.join(script), text).expect("a script can be written");
    let mut child = Command::new("node")
        .arg(script)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut stdin = child.stdin.take().expect("it has a stdin");
    stdin.write_all(input.to_string().as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{script} failed");
    Some(serde_json::from_slice(&output.stdout).expect("it prints JSON"))
}

fn install() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("node");
    let stamp = folder.join("installed");
    let wanted = PACKAGES.join(" ");
    if std::fs::read_to_string(&stamp).ok().as_ref() == Some(&wanted) {
        return Some(folder);
    }
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("package.json"), "{\"private\": true, \"type\": \"module\"}")
        .expect("it can be written");
    let npm = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"])
        .args(PACKAGES)
        .current_dir(&folder)
        .output();
    let said = match npm {
        Ok(output) if output.status.success() => {
            std::fs::write(stamp, wanted).expect("it can be written");
            return Some(folder);
        }
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    let _ = writeln!(std::io::stderr(), "skipped: npm cannot install {wanted}: {said}");
    None
}
