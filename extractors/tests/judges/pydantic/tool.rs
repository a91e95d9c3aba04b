//! Python with pydantic: installed once, in the target directory.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// An exact version: what a judge says must not change overnight.
const PACKAGE: &str = "pydantic==2.12.5";

/// What a script that is given `input` prints, as JSON; `None`, told once, where Python or pydantic cannot be had.
pub(super) fn run(script: &str, input: &Value) -> Option<Value> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(install).as_ref()?;
    let mut child = Command::new("python3")
        .args(["-c", script])
        .env("PYTHONPATH", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python runs");
    let mut stdin = child.stdin.take().expect("it has a stdin");
    stdin.write_all(input.to_string().as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the script failed");
    Some(serde_json::from_slice(&output.stdout).expect("it prints JSON"))
}

fn install() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pydantic");
    let stamp = folder.join("installed");
    if std::fs::read_to_string(&stamp).ok().as_deref() == Some(PACKAGE) {
        return Some(folder);
    }
    let pip = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-input", "--upgrade", "--target"])
        .arg(&folder)
        .arg(PACKAGE)
        .output();
    let said = match pip {
        Ok(output) if output.status.success() => {
            std::fs::write(stamp, PACKAGE).expect("it can be written");
            return Some(folder);
        }
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    let _ = writeln!(std::io::stderr(), "skipped: pip cannot install {PACKAGE}: {said}");
    None
}
