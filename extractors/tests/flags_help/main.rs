//! The libraries as the judges: programs are read from their source, then run, and what their `--help` prints must tell
//! the same flags.
//!
//! Skipped, with a line that says so, only where the language or the library cannot be had.

mod programs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agent_contracts_extractors::{FileFacts, SourceTree, extract, languages};
use agent_contracts_wire::WireModel;
use agent_contracts_wire::model::{Flag, FlagValue};
use programs::Program;

/// What a help text of a library does not show.
#[derive(Debug, Clone, Copy, Default)]
struct Shows {
    /// A value that may be given again looks like any other.
    no_repeats: bool,
    /// Only what the description says of it.
    no_defaults: bool,
}

#[test]
fn commander() {
    let files = [
        ("cli.mjs", include_str!("programs/commander/cli.mjs")),
        ("sub.mjs", include_str!("programs/commander/sub.mjs")),
    ];
    let paths = [
        "",
        "mcp",
        "mcp add",
        "mcp list",
        "doctor",
        "provider",
        "provider add",
        "provider list",
        "serve",
    ];
    let shows = Shows {
        no_repeats: true,
        ..Shows::default()
    };
    judge(
        programs::node("commander", "commander@14", &files).as_ref(),
        &paths,
        shows,
    );
}

#[test]
fn yargs() {
    let files = [
        ("cli.mjs", include_str!("programs/yargs/cli.mjs")),
        ("mcp.mjs", include_str!("programs/yargs/mcp.mjs")),
    ];
    let paths = ["", "run", "mcp", "mcp add"];
    judge(
        programs::node("yargs", "yargs@17", &files).as_ref(),
        &paths,
        Shows::default(),
    );
}

#[test]
fn argparse() {
    let shows = Shows {
        no_defaults: true,
        ..Shows::default()
    };
    let files = [("cli.py", include_str!("programs/argparse/cli.py"))];
    judge(
        programs::python("argparse", &[], &files).as_ref(),
        &["", "run", "mcp", "mcp add"],
        shows,
    );
    let files = [("defaults.py", include_str!("programs/argparse/defaults.py"))];
    judge(
        programs::python("argparse-defaults", &[], &files).as_ref(),
        &[""],
        Shows::default(),
    );
}

#[test]
fn click() {
    let files = [("cli.py", include_str!("programs/click/cli.py"))];
    let shows = Shows {
        no_defaults: true,
        ..Shows::default()
    };
    judge(
        programs::python("click", &["click==8.5.1"], &files).as_ref(),
        &["", "run", "mcp", "mcp add"],
        shows,
    );
}

#[test]
fn typer() {
    let files = [("cli.py", include_str!("programs/typer/cli.py"))];
    let paths = ["", "run", "mcp", "mcp add", "mcp list"];
    // The frames of both: `TEXT` and `[a|b]` in the old one, `<str>` and `<a|b>` in the new one.
    let versions: [(&str, &[&str]); 2] = [
        ("typer-old", &["typer==0.19.2", "click==8.1.8"]),
        ("typer", &["typer==0.29.2"]),
    ];
    for (name, packages) in versions {
        judge(
            programs::python(name, packages, &files).as_ref(),
            &paths,
            Shows::default(),
        );
    }
}

#[test]
fn clap_derive() {
    let files = [("src/main.rs", include_str!("programs/clap_derive/main.rs"))];
    let shows = Shows {
        no_repeats: true,
        ..Shows::default()
    };
    judge(
        programs::rust("clap-derive", &files).as_ref(),
        &["", "run", "mcp", "mcp add"],
        shows,
    );
}

#[test]
fn clap_builder() {
    let files = [("src/main.rs", include_str!("programs/clap_builder/main.rs"))];
    let shows = Shows {
        no_repeats: true,
        ..Shows::default()
    };
    judge(
        programs::rust("clap-builder", &files).as_ref(),
        &["", "run", "mcp", "mcp add"],
        shows,
    );
}

#[test]
fn cobra() {
    let files = [("main.go", include_str!("programs/cobra/main.go"))];
    judge(
        programs::go("cobra", &files).as_ref(),
        &["", "run", "mcp", "mcp add"],
        Shows::default(),
    );
}

/// Holds the flags in the source of a program against those in its help texts, short and long ones.
fn judge(program: Option<&Program>, paths: &[&str], shows: Shows) {
    let Some(program) = program else { return };
    let source: Vec<(String, String)> = program.files.clone();
    let declared = model(&source);
    assert!(
        declared.unresolved.is_empty() && declared.degraded.is_empty(),
        "{declared:?}"
    );
    for switch in program.help {
        let texts: Vec<(String, String)> = paths
            .iter()
            .map(|path| {
                let name = if path.is_empty() { "main" } else { path };
                (
                    format!("help/{}.txt", name.replace(' ', ".")),
                    program.help(path, switch),
                )
            })
            .collect();
        let printed = model(&texts);
        let (declared, printed) = (lines(&declared, paths, shows), lines(&printed, paths, shows));
        let all: Vec<String> = texts.iter().map(|(name, text)| format!("== {name}\n{text}")).collect();
        let all = all.concat();
        assert!(!declared.is_empty(), "nothing was read from the source");
        let missing: Vec<_> = declared.difference(&printed).collect();
        let more: Vec<_> = printed.difference(&declared).collect();
        assert!(
            missing.is_empty() && more.is_empty(),
            "{switch}\nonly in the source: {missing:#?}\nonly in the help: {more:#?}\n{all}"
        );
    }
}

/// One line for each flag and each command that takes it.
fn lines(model: &WireModel, paths: &[&str], shows: Shows) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for flag in &model.flags {
        let own = ["--help", "--version", "-h"].contains(&flag.name.as_str());
        if flag.hidden || own {
            continue;
        }
        lines.extend(line(flag, paths, shows));
    }
    lines
}

fn line(flag: &Flag, paths: &[&str], shows: Shows) -> Option<String> {
    paths.contains(&flag.command.as_str()).then_some(())?;
    let names: Vec<&str> = std::iter::once(&flag.name)
        .chain(&flag.aliases)
        .map(String::as_str)
        .collect();
    let value = match flag.value {
        FlagValue::Many if shows.no_repeats => FlagValue::One,
        value => value,
    };
    let default = flag
        .default
        .as_deref()
        .filter(|_| !shows.no_defaults)
        .filter(|default| *default != "false");
    let old = if flag.deprecated { " deprecated" } else { "" };
    Some(format!(
        "{}: {} {value:?} {{{}}} ={}{old}",
        flag.command,
        names.join(" "),
        flag.choices.join("|"),
        default.unwrap_or_default(),
    ))
}

fn model(files: &[(String, String)]) -> WireModel {
    let tree = Tree {
        paths: files
            .iter()
            .map(|(path, _)| path.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        texts: files
            .iter()
            .map(|(path, text)| (path.clone(), text.clone().into_bytes().into()))
            .collect(),
    };
    extract(&tree, &tree.paths, true)
}

struct Tree {
    paths: Vec<String>,
    texts: BTreeMap<String, Arc<[u8]>>,
}

impl SourceTree for Tree {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn facts(&self, path: &str) -> Option<Arc<FileFacts>> {
        languages::parse(path, self.texts.get(path)?).map(Arc::new)
    }

    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.texts.get(path).cloned()
    }
}
