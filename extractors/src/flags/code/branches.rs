//! Which subcommand a piece of JavaScript runs for, when the command line is taken apart by hand.
//!
//! Code runs for a subcommand when it stands in a branch that holds the first argument against its name
//! (`if (args[0] === "install")`, `switch (command) { case "install": … }`), behind a guard of its function that lets only
//! such names pass, or in a function that is called from there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;
use tree_sitter::Node;

use super::scopes::FUNCTIONS;
use super::{around, children};
use crate::flags::files::File;

/// Functions that call functions; more in a row are not followed.
const MAX_DEPTH: usize = 8;
/// The most subcommands that one piece of code is told for.
const MAX_COMMANDS: usize = 32;

/// Where a function is called.
type Site = (Rc<File>, Range<usize>);

/// The calls of some files, by the name of what is called.
pub(crate) struct Branches {
    sites: BTreeMap<String, Vec<Site>>,
}

impl Branches {
    /// The calls of these files.
    pub(crate) fn new(files: &[Rc<File>]) -> Self {
        let mut sites: BTreeMap<String, Vec<Site>> = BTreeMap::new();
        for file in files {
            for call in file.nodes(file.root(), &["call_expression"]) {
                let Some(function) = call.child_by_field_name("function") else {
                    continue;
                };
                let name = match function.kind() {
                    "identifier" => Some(function),
                    "member_expression" => function
                        .child_by_field_name("object")
                        .filter(|object| object.kind() == "this")
                        .and(function.child_by_field_name("property")),
                    _ => None,
                };
                if let Some(name) = name {
                    let site = (Rc::clone(file), call.byte_range());
                    sites.entry(file.text(name).to_owned()).or_default().push(site);
                }
            }
        }
        Self { sites }
    }

    /// The subcommands that the code at `node` runs for, `""` for the program. There is always one.
    pub(crate) fn commands(&self, file: &Rc<File>, node: Node<'_>) -> Vec<String> {
        let mut found = BTreeSet::new();
        self.collect(file, node, MAX_DEPTH, "", &mut found);
        if found.is_empty() {
            found.insert(String::new());
        }
        found.into_iter().collect()
    }

    fn collect(&self, file: &Rc<File>, node: Node<'_>, left: usize, below: &str, found: &mut BTreeSet<String>) {
        let outer = around(file.root(), node);
        let function = outer
            .iter()
            .rposition(|outer| FUNCTIONS.contains(&outer.kind()) && name_of(file, *outer).is_some());
        let inner = outer.get(function.map_or(0, |at| at + 1)..).unwrap_or_default();
        // Innermost first.
        let mut paths = vec![below.to_owned()];
        for branch in inner.iter().rev() {
            let words = words(file, *branch, node);
            if !words.is_empty() {
                paths = words
                    .iter()
                    .flat_map(|word| paths.iter().map(move |path| join(word, path)))
                    .collect();
            }
        }
        let function = function.and_then(|at| outer.get(at).copied());
        let Some(function) = function else {
            found.extend(paths.into_iter().take(MAX_COMMANDS));
            return;
        };
        if inner.iter().all(|branch| words(file, *branch, node).is_empty()) {
            let guard = guarded(file, function, node);
            if !guard.is_empty() {
                paths = guard
                    .iter()
                    .flat_map(|word| paths.iter().map(move |path| join(word, path)))
                    .collect();
            }
        }
        let sites = name_of(file, function).and_then(|name| self.sites.get(&name));
        // Recursion is no way in.
        let ways: Vec<&Site> = sites
            .into_iter()
            .flatten()
            .filter(|(home, call)| home.path != file.path || !function.byte_range().contains(&call.start))
            .collect();
        if ways.is_empty() || left == 0 {
            found.extend(paths.into_iter().take(MAX_COMMANDS));
            return;
        }
        for (home, call) in ways {
            let Some(call) = home.node_at(call) else { continue };
            for path in &paths {
                if found.len() < MAX_COMMANDS {
                    self.collect(home, call, left - 1, path, found);
                }
            }
        }
    }
}

fn join(word: &str, path: &str) -> String {
    format!("{word} {path}").trim().to_owned()
}

/// The name of a function, by its declaration or by what it is bound to.
fn name_of(file: &File, function: Node<'_>) -> Option<String> {
    if let Some(name) = function.child_by_field_name("name") {
        return Some(file.text(name).to_owned());
    }
    let holder = function
        .parent()
        .filter(|holder| holder.kind() == "variable_declarator")?;
    holder
        .child_by_field_name("name")
        .map(|name| file.text(name).to_owned())
}

/// The subcommands that `branch` lets into its part `within`.
fn words(file: &File, branch: Node<'_>, within: Node<'_>) -> Vec<String> {
    match branch.kind() {
        "if_statement" => {
            let runs = branch
                .child_by_field_name("consequence")
                .is_some_and(|body| holds(body, within));
            let test = branch.child_by_field_name("condition").filter(|_| runs);
            test.map(|test| compared(file, test)).unwrap_or_default()
        }
        "switch_statement" => {
            let value = branch.child_by_field_name("value").map_or("", |value| file.text(value));
            let value = value
                .strip_prefix('(')
                .and_then(|value| value.strip_suffix(')'))
                .unwrap_or(value);
            let body = branch
                .child_by_field_name("body")
                .filter(|_| is_command(file, branch, value));
            let mut names = Vec::new();
            for case in body.map(children).unwrap_or_default() {
                let word = case.child_by_field_name("value").and_then(|value| word(file, value));
                names.extend(word);
                if holds(case, within) {
                    return if case.kind() == "switch_case" {
                        names
                    } else {
                        Vec::new()
                    };
                }
                if case.child_by_field_name("body").is_some() {
                    names.clear();
                }
            }
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn holds(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.start_byte() <= inner.start_byte() && inner.end_byte() <= outer.end_byte()
}

/// The names that a condition holds the first argument against: `a === "x" || a === "y"`. Only names that lead in.
fn compared(file: &File, test: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for node in file.nodes(test, &["binary_expression"]) {
        let side = |name: &str| node.child_by_field_name(name);
        let (Some(left), Some(right), Some(operator)) = (side("left"), side("right"), side("operator")) else {
            continue;
        };
        if !matches!(file.text(operator), "===" | "==") {
            continue;
        }
        if let Some(word) = word(file, right)
            && is_command(file, node, file.text(left))
            && !names.contains(&word)
        {
            names.push(word);
        }
    }
    names
}

/// A word that may be a subcommand.
fn word(file: &File, node: Node<'_>) -> Option<String> {
    let text = (node.kind() == "string")
        .then(|| file.lower(node))
        .and_then(|text| text.text().map(str::to_owned))?;
    let plain = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_:".contains(letter));
    plain.then_some(text)
}

/// Whether an expression is the first argument, by its form or by the name that it was given.
fn is_command(file: &File, at: Node<'_>, text: &str) -> bool {
    static FIRST: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^(?:(?:process\.)?argv\[2\]|(?:\w*args|argv|rest|params|positionals|\w+\._|_)\s*(?:\[0\]|\??\.\[0\]|\.shift\(\)|\.at\(0\))|(?:\w+\.)?(?:sub_?|raw_?)?(?:command|cmd|verb)(?:_?name)?)$",
        )
        .ok()
    });
    let first = |text: &str| {
        FIRST
            .as_ref()
            .is_some_and(|first| first.is_match(text.trim_end_matches('!')))
    };
    if first(text) {
        return true;
    }
    // `const [name, ...rest] = args` and `const name = args[0]`
    let plain = !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    plain
        && around(file.root(), at).into_iter().any(|outer| {
            outer.kind() == "statement_block"
                && children(outer).into_iter().flat_map(children).any(|declarator| {
                    let (Some(name), Some(value)) = (
                        declarator.child_by_field_name("name"),
                        declarator.child_by_field_name("value"),
                    ) else {
                        return false;
                    };
                    match name.kind() {
                        "identifier" => file.text(name) == text && first(file.text(value)),
                        "array_pattern" => {
                            let taken = file.text(value).to_lowercase();
                            children(name).first().is_some_and(|name| file.text(*name) == text)
                                && (taken.ends_with("args") || taken.ends_with("argv.slice(2)"))
                        }
                        _ => false,
                    }
                })
        })
}

/// The names without which a function returns before it comes to `node`.
fn guarded(file: &File, function: Node<'_>, node: Node<'_>) -> Vec<String> {
    let body = function
        .child_by_field_name("body")
        .filter(|body| body.kind() == "statement_block");
    let mut names = Vec::new();
    let mut returns = false;
    for statement in body.map(children).unwrap_or_default() {
        if holds(statement, node) {
            return if returns { names } else { Vec::new() };
        }
        if statement.kind() != "if_statement" {
            continue;
        }
        let test = statement
            .child_by_field_name("condition")
            .map_or("", |test| file.text(test));
        let body = statement.child_by_field_name("consequence");
        let leaves = body.is_some_and(|body| !file.nodes(body, &["return_statement"]).is_empty());
        if leaves && test.trim_start_matches('(').starts_with('!') {
            returns = true;
        } else if leaves && test.contains("!==") {
            // `if (command !== "install") return;`
            for node in file.nodes(statement, &["binary_expression"]) {
                let side = |name: &str| node.child_by_field_name(name);
                if let (Some(left), Some(right)) = (side("left"), side("right"))
                    && is_command(file, node, file.text(left))
                {
                    names.extend(word(file, right));
                    returns = true;
                }
            }
        } else if !leaves {
            for test in file.nodes(statement, &["if_statement"]).into_iter().chain([statement]) {
                let words = test.child_by_field_name("condition").map(|test| compared(file, test));
                for word in words.unwrap_or_default() {
                    if !names.contains(&word) {
                        names.push(word);
                    }
                }
            }
        }
    }
    Vec::new()
}
