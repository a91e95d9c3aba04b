//! `validate`: every rule of the registry over a tree or one record.

use std::path::{Path, PathBuf};

use agent_contracts_redact::Rules;
use agent_contracts_registry::Store;
use agent_contracts_registry::records::{KINDS, Kind};
use agent_contracts_registry::validate::{self, Options, Report, codes};
use agent_contracts_reports::problems;
use serde_json::json;

use crate::cli::{Common, Format, ValidateArgs};
use crate::failure::{Exit, Failure, Outcome};
use crate::output;

/// What makes a folder a tree.
const MARK: &str = "registry/agents.json";
/// Larger files are no records.
const LARGEST: u64 = 64 * 1024 * 1024;

pub(crate) fn run(common: &Common, args: &ValidateArgs) -> Outcome {
    if args.codes {
        return list_codes(common);
    }
    let now = jiff::Timestamp::now()
        .strftime("%Y-%m-%dT%H:%M:%SZ")
        .to_string()
        .parse()
        .ok();
    let report = match target(common, args)? {
        Target::Tree { root, only } => {
            let options = Options { now, only };
            validate::tree(&Store::open(&root)?, &options)?
        }
        Target::Record { file, kind } => one(&file, kind)?,
    };
    match common.format() {
        Format::Json => output::json(&as_json(&report))?,
        Format::Sarif => output::json(&problems::sarif(&report, env!("CARGO_PKG_VERSION")))?,
        Format::Text | Format::Markdown | Format::Svg => output::text(&problems::text(&report))?,
    }
    Ok(if report.is_valid() {
        Exit::Done
    } else {
        Exit::CheckFailed
    })
}

fn as_json(report: &Report) -> serde_json::Value {
    let problems = report.problems.iter().map(|problem| {
        json!({
            "code": problem.code,
            "level": problem.level,
            "file": problem.file,
            "pointer": problem.pointer,
            "title": problem.title(),
            "found": problem.found,
            "expected": problem.expected,
            "mend": problem.mend(),
        })
    });
    json!({
        "schema_version": 1,
        "valid": report.is_valid(),
        "files": report.files,
        "records": report.records,
        "problems": problems.collect::<Vec<_>>(),
    })
}

fn list_codes(common: &Common) -> Outcome {
    let all = codes::all();
    if common.format() == Format::Json {
        let all = all
            .iter()
            .map(|code| json!({"code": code.code, "title": code.title, "mend": code.mend}));
        output::json(&all.collect::<Vec<_>>())?;
    } else {
        let rows = all
            .iter()
            .map(|code| [code.code.clone(), code.title.to_owned(), code.mend.to_owned()]);
        output::text(&output::table(["code", "what is wrong", "what to do"], rows))?;
    }
    Ok(Exit::Done)
}

/// What is asked for.
enum Target {
    /// A tree, or some files of it.
    Tree { root: PathBuf, only: Vec<String> },
    /// A file that stands in no tree.
    Record { file: PathBuf, kind: &'static Kind },
}

fn target(common: &Common, args: &ValidateArgs) -> Result<Target, Failure> {
    let Some(path) = &args.path else {
        if !common.tree.is_dir() {
            return Err(Failure::usage_text(format!(
                "there is no tree at {}\nhint: name it with --tree, or a file to check",
                common.tree.display()
            )));
        }
        return Ok(Target::Tree {
            root: common.tree.clone(),
            only: Vec::new(),
        });
    };
    let place = std::path::absolute(path)?;
    let found = std::fs::symlink_metadata(&place).map_err(|error| {
        Failure::usage_text(format!(
            "cannot look at {}: {error}\nhint: name a file or a folder",
            path.display()
        ))
    })?;
    if let Some(kind) = &args.kind {
        let kind = Kind::of_id(kind).ok_or_else(|| no_kind(kind))?;
        return Ok(Target::Record { file: place, kind });
    }
    if let Some(root) = place.ancestors().find(|folder| folder.join(MARK).is_file()) {
        let below = place.strip_prefix(root).unwrap_or(Path::new(""));
        let names: Vec<String> = below.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let only = if names.is_empty() {
            Vec::new()
        } else {
            vec![names.join("/")]
        };
        return Ok(Target::Tree {
            root: root.to_owned(),
            only,
        });
    }
    if found.is_dir() {
        return Ok(Target::Tree {
            root: place,
            only: Vec::new(),
        });
    }
    let name = place
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    match Kind::of_name(&name) {
        Some(kind) => Ok(Target::Record { file: place, kind }),
        None => Err(Failure::usage_text(format!(
            "{} stands in no tree, and its name is that of no record\nhint: say what it is with --kind",
            path.display()
        ))),
    }
}

fn no_kind(id: &str) -> Failure {
    let ids: Vec<&str> = KINDS.iter().map(|kind| kind.id).collect();
    let meant = agent_contracts_config::nearest(id, ids.iter().copied())
        .map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
    Failure::usage_text(format!(
        "there is no kind of record `{id}`{meant}\nhint: the kinds are {}",
        ids.join(", ")
    ))
}

fn one(file: &Path, kind: &'static Kind) -> Result<Report, Failure> {
    let bytes = std::fs::metadata(file)
        .map_err(|error| Failure::usage_text(format!("cannot look at {}: {error}", file.display())))?
        .len();
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let found = if bytes > LARGEST {
        validate::too_large(&name, bytes)
    } else {
        validate::record(kind, &name, &std::fs::read(file)?, &Rules::builtin()?)
    };
    Ok(Report {
        files: 1,
        records: [(kind.id.to_owned(), 1)].into(),
        problems: found,
    })
}
