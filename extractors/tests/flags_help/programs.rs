//! Programs that are made and run: each with its library, in a folder of its own below the target folder.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program that can be run.
pub(crate) struct Program {
    /// Its source, by path.
    pub(crate) files: Vec<(String, String)>,
    /// What asks for help, one way or several.
    pub(crate) help: &'static [&'static str],
    run: Vec<String>,
    env: Vec<(&'static str, String)>,
}

impl Program {
    /// What it prints when a command is asked for help.
    pub(crate) fn help(&self, path: &str, switch: &str) -> String {
        let mut command = Command::new(&self.run[0]);
        command.args(&self.run[1..]).args(path.split_whitespace()).arg(switch);
        // Wide frames: a column of choices that is broken over lines cannot be read.
        command
            .env("COLUMNS", "110")
            .env("NO_COLOR", "1")
            .env("TERM", "dumb")
            .envs(self.env.iter().map(|(name, value)| (name, value)));
        let output = command.output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && !text.is_empty(),
            "{path} {switch}: {}",
            told(&output)
        );
        text
    }
}

/// A program for node with one package of npm.
pub(crate) fn node(name: &str, package: &str, files: &[(&str, &str)]) -> Option<Program> {
    let dir = folder(name, files);
    write(&dir, "package.json", "{\"private\":true}");
    let (library, _) = package.split_once('@').expect("a package has a version");
    if !dir.join("node_modules").join(library).exists() {
        let install = ["install", "--no-audit", "--no-fund", "--no-save", package];
        ready(name, "npm", Command::new("npm").args(install).current_dir(&dir))?;
    }
    let main = dir.join(files[0].0);
    Some(Program {
        files: owned(files),
        help: &["--help"],
        run: vec!["node".to_owned(), main.display().to_string()],
        env: Vec::new(),
    })
}

/// A program for Python with packages of PyPI.
pub(crate) fn python(name: &str, packages: &[&str], files: &[(&str, &str)]) -> Option<Program> {
    let dir = folder(name, files);
    let library = dir.join("library");
    let named = |package: &&str| {
        package
            .split('=')
            .next()
            .is_some_and(|name| !library.join(name).exists())
    };
    if packages.iter().any(named) {
        let mut pip = Command::new("python3");
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--target",
        ]);
        ready(name, "pip", pip.arg(&library).args(packages))?;
    }
    ready(name, "python3", Command::new("python3").arg("--version"))?;
    let main = dir.join(files[0].0);
    Some(Program {
        files: owned(files),
        help: &["--help"],
        run: vec!["python3".to_owned(), main.display().to_string()],
        env: vec![("PYTHONPATH", library.display().to_string())],
    })
}

/// A program with clap. Both long and short help are read.
pub(crate) fn rust(name: &str, files: &[(&str, &str)]) -> Option<Program> {
    let dir = folder(name, files);
    write(
        &dir,
        "Cargo.toml",
        &format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n\
             clap = {{ version = \"4\", features = [\"derive\", \"wrap_help\"] }}\n[profile.dev]\ndebug = false\nincremental = false\n"
        ),
    );
    // Both programs share what is compiled.
    let target = dir.parent().expect("a folder is in a folder").join("target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--quiet", "--manifest-path"])
        .arg(dir.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target);
    ready(name, "cargo", cargo.env_remove("RUSTFLAGS"))?;
    Some(Program {
        files: owned(files),
        help: &["--help", "-h"],
        run: vec![target.join("debug").join(name).display().to_string()],
        env: Vec::new(),
    })
}

/// A program for Go with cobra.
pub(crate) fn go(name: &str, files: &[(&str, &str)]) -> Option<Program> {
    let dir = folder(name, files);
    // The newest that a Go of Debian 12 takes.
    write(
        &dir,
        "go.mod",
        "module tool\n\ngo 1.19\n\nrequire github.com/spf13/cobra v1.8.1\n",
    );
    let go = |args: &[&str]| {
        let mut go = Command::new("go");
        go.args(args)
            .current_dir(&dir)
            .env("GOFLAGS", "-mod=mod")
            .env("GOTOOLCHAIN", "local");
        go
    };
    ready(name, "go", &mut go(&["build", "-o", "tool", "."]))?;
    Some(Program {
        files: owned(files),
        help: &["--help"],
        run: vec![dir.join("tool").display().to_string()],
        env: Vec::new(),
    })
}

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flags-help").join(name);
    for (path, text) in files {
        write(&dir, path, text);
    }
    dir
}

/// An unchanged file keeps its time, so that a second run compiles nothing.
fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
        std::fs::write(&path, text).expect("the file can be written");
    }
}

/// Runs what has to be there first. `None`, and a line that says so, without the tool or without a network; another
/// failure is one of this test.
fn ready(name: &str, tool: &str, command: &mut Command) -> Option<()> {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            skipped(name, &format!("{tool} cannot be started: {error}"));
            return None;
        }
    };
    if output.status.success() {
        return Some(());
    }
    let told = told(&output);
    let away = [
        "network",
        "resolve host",
        "ENOTFOUND",
        "ECONNREFUSED",
        "ETIMEDOUT",
        "EAI_AGAIN",
        "Could not connect",
        "Max retries",
        "No module named pip",
        "dial tcp",
        "No matching distribution",
        "spurious",
    ];
    assert!(away.iter().any(|sign| told.contains(sign)), "{name}: {told}");
    skipped(name, &format!("{tool} reached no registry"));
    None
}

fn told(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

fn skipped(name: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped the judge {name}: {why}");
}
