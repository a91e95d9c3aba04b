//! What `validate` found, for people and as SARIF 2.1.0.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agent_contracts_registry::validate::codes::{self, Code};
use agent_contracts_registry::validate::{Level, Problem, Report};
use serde_json::{Value, json};

use crate::sarif::SCHEMA;

/// One paragraph a problem, by file, and a last line with the numbers.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    let mut file = None;
    for problem in &report.problems {
        if file != Some(&problem.file) {
            let _ = writeln!(text, "{}", problem.file);
            file = Some(&problem.file);
        }
        let level = match problem.level {
            Level::Error => "",
            Level::Warning => " (warning)",
        };
        let place = if problem.pointer.is_empty() {
            String::new()
        } else {
            format!(" {}", problem.pointer)
        };
        let _ = writeln!(text, "  {}{level}{place}: {}", problem.code, problem.title());
        let _ = writeln!(text, "    found {}; expected {}", problem.found, problem.expected);
        let _ = writeln!(text, "    to do: {}", problem.mend());
    }
    let _ = writeln!(text, "{}", numbers(report));
    text
}

fn numbers(report: &Report) -> String {
    let count = |level| report.problems.iter().filter(|problem| problem.level == level).count();
    let records: usize = report.records.values().sum();
    format!(
        "{} files, {records} records: {} errors, {} warnings",
        report.files,
        count(Level::Error),
        count(Level::Warning)
    )
}

/// The same for code viewers: one result a problem, with the pointer as its logical place.
#[must_use]
pub fn sarif(report: &Report, version: &str) -> Value {
    let used: BTreeSet<&str> = report.problems.iter().map(|problem| problem.code.as_str()).collect();
    let rules: Vec<Code> = used.iter().filter_map(|code| codes::of(code)).collect();
    let results: Vec<Value> = report.problems.iter().map(|problem| result(problem, &rules)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "agent-contracts",
                "semanticVersion": version,
                "rules": rules.iter().map(|rule| json!({
                    "id": rule.code,
                    "shortDescription": {"text": rule.title},
                    "help": {"text": rule.mend},
                })).collect::<Vec<_>>(),
            }},
            "automationDetails": {"id": "agent-contracts/validate/"},
            "invocations": [{"executionSuccessful": true}],
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    })
}

fn result(problem: &Problem, rules: &[Code]) -> Value {
    json!({
        "ruleId": problem.code,
        "ruleIndex": rules.iter().position(|rule| rule.code == problem.code),
        "level": match problem.level { Level::Error => "error", Level::Warning => "warning" },
        "message": {"text": format!(
            "{}: found {}; expected {}. To do: {}.",
            problem.title(), problem.found, problem.expected, problem.mend()
        )},
        "locations": [{
            "physicalLocation": {"artifactLocation": {"uri": crate::links::encoded(&problem.file)}},
            "logicalLocations": [{"fullyQualifiedName": format!("{}#{}", problem.file, problem.pointer), "kind": "value"}],
        }],
    })
}

/// One code for people.
#[must_use]
pub fn explain(code: &Code) -> String {
    format!("{}: {}\nto do: {}\n", code.code, code.title, code.mend)
}
