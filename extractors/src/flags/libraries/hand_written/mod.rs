//! Flags of parsers written by hand in TypeScript and JavaScript: `arg === "--x"`, `case "--x":`,
//! `arg.startsWith("--x=")`, `args.includes("--x")`.
//!
//! Comparisons in one condition are spellings of one flag. What it takes is read off the code that runs then: a step to
//! the next argument (`args[++i]`, `args.shift()`) is a value. Whose flags they are is told by the branch that the parser
//! stands in, or is called from.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use agent_contracts_wire::model::FlagValue;
use regex::Regex;
use tree_sitter::Node;

use super::Library;
use crate::flags::code::branches::Branches;
use crate::flags::code::{JAVASCRIPT, children};
use crate::flags::collect::Found;
use crate::flags::draft::{Draft, is_spelling};
use crate::flags::expr::Expr;
use crate::flags::files::{File, Files};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &JAVASCRIPT,
    hints: &["\"-", "'-", "`-"],
    read,
};

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let mut flags: BTreeMap<(String, String), Seen> = BTreeMap::new();
    let branches = Branches::new(scope);
    for file in scope {
        for node in file.nodes(
            file.root(),
            &[
                "if_statement",
                "ternary_expression",
                "switch_statement",
                "call_expression",
            ],
        ) {
            for seen in match node.kind() {
                "switch_statement" => cases(files, file, node),
                "call_expression" => asked(file, node).into_iter().collect(),
                _ => condition(files, file, node).into_iter().collect(),
            } {
                let Some(name) = seen.name() else { continue };
                for command in branches.commands(file, node) {
                    let mut seen = seen.clone();
                    seen.draft.command.clone_from(&command);
                    match flags.get_mut(&(command.clone(), name.clone())) {
                        Some(known) => known.merge(seen),
                        None => {
                            flags.insert((command, name.clone()), seen);
                        }
                    }
                }
            }
        }
    }
    for seen in flags.into_values() {
        found.flag(seen.finish());
    }
}

/// A flag as the code around one comparison shows it.
#[derive(Clone)]
struct Seen {
    draft: Draft,
    /// What `--x` alone takes; `None` when only asked for.
    alone: Option<FlagValue>,
    /// `--x=value` is accepted.
    joined: bool,
}

impl Seen {
    fn name(&self) -> Option<String> {
        self.draft.clone().finish().map(|flag| flag.name)
    }

    fn merge(&mut self, other: Self) {
        for name in other.draft.names {
            if !self.draft.names.contains(&name) {
                self.draft.names.push(name);
            }
        }
        self.joined |= other.joined;
        if rank(other.alone) > rank(self.alone) {
            self.alone = other.alone;
        }
        if self.draft.choices.is_empty() {
            self.draft.choices = other.draft.choices;
        }
    }

    fn finish(mut self) -> Draft {
        self.draft.value = match (self.alone, self.joined) {
            (Some(FlagValue::Switch), true) => FlagValue::Optional,
            (Some(value), _) => value,
            (None, true) => FlagValue::One,
            (None, false) => FlagValue::Unknown,
        };
        self.draft
    }
}

/// Which of two readings of a flag says more.
fn rank(value: Option<FlagValue>) -> usize {
    match value {
        None => 0,
        Some(FlagValue::Unknown) => 1,
        Some(FlagValue::Switch) => 2,
        Some(FlagValue::One) => 3,
        Some(FlagValue::Optional) => 4,
        Some(FlagValue::Many) => 5,
    }
}

/// `if (arg === "--x" || arg === "-x") {…}`
fn condition(files: &Files<'_>, file: &Rc<File>, node: Node<'_>) -> Option<Seen> {
    let test = node.child_by_field_name("condition")?;
    let mut compared = Compared::default();
    compare(file, test, &mut compared, 0);
    let body = node.child_by_field_name("consequence")?;
    compared.seen(files, file, node, &[test, body])
}

/// `switch (arg) { case "--x": case "-x": … }`
fn cases(files: &Files<'_>, file: &Rc<File>, node: Node<'_>) -> Vec<Seen> {
    let Some(body) = node.child_by_field_name("body") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let mut compared = Compared::default();
    let mut first = None;
    for case in children(body) {
        let value = case.child_by_field_name("value");
        let spelled = value
            .and_then(|value| literal(file, value))
            .filter(|word| is_spelling(word));
        let Some(spelled) = spelled else {
            compared = Compared::default();
            first = None;
            continue;
        };
        compared.names.push(spelled);
        let first_case = *first.get_or_insert(case);
        let mut cursor = case.walk();
        let statements: Vec<Node<'_>> = case.children_by_field_name("body", &mut cursor).collect();
        // `case "-x":` that falls through to the next.
        if !statements.is_empty() {
            all.extend(std::mem::take(&mut compared).seen(files, file, first_case, &statements));
            first = None;
        }
    }
    all
}

/// `args.includes("--x")`, `argv.indexOf("--x")`
fn asked(file: &File, node: Node<'_>) -> Option<Seen> {
    let function = node.child_by_field_name("function")?;
    let property = file.text(function.child_by_field_name("property")?);
    let object = file.text(function.child_by_field_name("object")?).to_lowercase();
    if !matches!(property, "includes" | "indexOf" | "has") || !object.contains("arg") {
        return None;
    }
    let arguments = children(node.child_by_field_name("arguments")?);
    let name = literal(file, *arguments.first()?).filter(|word| is_spelling(word))?;
    Some(Seen {
        draft: Draft::new(vec![name], "", file.place(node)),
        alone: (property != "indexOf").then_some(FlagValue::Switch),
        joined: false,
    })
}

/// The spellings that a condition compares with.
#[derive(Default)]
struct Compared {
    names: Vec<String>,
    /// Some of them with a `=` behind, as the start of the argument.
    joined: bool,
    exact: bool,
}

impl Compared {
    fn seen(mut self, files: &Files<'_>, file: &Rc<File>, node: Node<'_>, code: &[Node<'_>]) -> Option<Seen> {
        self.names.dedup();
        if self.names.is_empty() {
            return None;
        }
        let exact = self.exact || !self.joined;
        let text: Vec<&str> = code.iter().map(|node| file.text(*node)).collect();
        let text = text.join("\n");
        let mut draft = Draft::new(self.names, "", file.place(node));
        let value = taken(&text);
        if !matches!(value, FlagValue::Switch) || self.joined {
            draft.choices = choices(files, file, code);
        }
        Some(Seen {
            draft,
            alone: exact.then_some(value),
            joined: self.joined,
        })
    }
}

/// Collects `x === "--a"`, `x.startsWith("--a=")` and `["--a", "-a"].includes(x)` below `||` and `&&`.
fn compare(file: &File, node: Node<'_>, compared: &mut Compared, depth: usize) {
    if depth > 60 {
        return;
    }
    match node.kind() {
        "parenthesized_expression" => {
            for inner in children(node) {
                compare(file, inner, compared, depth + 1);
            }
        }
        "binary_expression" => {
            let side = |name: &str| node.child_by_field_name(name);
            let (Some(left), Some(right)) = (side("left"), side("right")) else {
                return;
            };
            match side("operator").map(|operator| file.text(operator)) {
                Some("||" | "&&") => {
                    compare(file, left, compared, depth + 1);
                    compare(file, right, compared, depth + 1);
                }
                Some("===" | "==") => {
                    let spelled = [left, right].into_iter().filter_map(|side| literal(file, side));
                    for name in spelled.filter(|word| is_spelling(word)) {
                        compared.names.push(name);
                        compared.exact = true;
                    }
                }
                _ => {}
            }
        }
        "call_expression" => {
            let Some(function) = node.child_by_field_name("function") else {
                return;
            };
            let property = function
                .child_by_field_name("property")
                .map_or("", |name| file.text(name));
            let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
            match property {
                "startsWith" => {
                    let start = arguments.first().and_then(|argument| literal(file, *argument));
                    if let Some(name) = start.as_deref().and_then(|start| start.strip_suffix('='))
                        && is_spelling(name)
                    {
                        compared.names.push(name.to_owned());
                        compared.joined = true;
                    }
                }
                "includes" => {
                    let list = function
                        .child_by_field_name("object")
                        .filter(|object| object.kind() == "array");
                    let words = list
                        .map(|list| file.lower(list))
                        .and_then(|list| list.texts())
                        .unwrap_or_default();
                    for name in words.into_iter().filter(|word| is_spelling(word)) {
                        compared.names.push(name);
                        compared.exact = true;
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn literal(file: &File, node: Node<'_>) -> Option<String> {
    matches!(node.kind(), "string" | "template_string").then(|| file.lower(node).text().map(str::to_owned))?
}

/// What the code that runs for a flag takes.
fn taken(code: &str) -> FlagValue {
    static PATTERNS: LazyLock<Option<[Regex; 4]>> = LazyLock::new(|| {
        const TAKES: &str = r"\+\+\s*\w+\s*\]|\w\+\+\s*\]|\[\s*\w+\s*\+\s*1\s*\]|\.shift\(\)|\+\s*1\s*<\s*[\w.]*\.?length|\b\w*(?i:next|take|read|require|expect|consume|get|parse)\w*(?:Value|Arg|Argument|Param)\w*\s*\(|\bnext\(\)";
        Some([
            Regex::new(TAKES).ok()?,
            Regex::new(r"(?:=|:|return)\s*true\b").ok()?,
            Regex::new(&format!(r"\.push\([^;]*?(?:{TAKES})")).ok()?,
            Regex::new(&format!(r"(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=[^;]*?(?:{TAKES})")).ok()?,
        ])
    });
    let Some([takes, truth, pushes, variable]) = PATTERNS.as_ref() else {
        return FlagValue::Unknown;
    };
    if !takes.is_match(code) {
        return FlagValue::Switch;
    }
    let pushed = |name: &str| {
        let push = [".push(", "...", "concat("]
            .iter()
            .any(|before| code.contains(&format!("{before}{name}")));
        push || code.contains(&format!(", {name}]"))
    };
    if pushes.is_match(code)
        || variable
            .captures(code)
            .and_then(|found| found.get(1))
            .is_some_and(|name| pushed(name.as_str()))
    {
        return FlagValue::Many;
    }
    if truth.is_match(code) && code.contains("startsWith") {
        return FlagValue::Optional;
    }
    FlagValue::One
}

/// The closed set that a value is held against: `v === "a" || v === "b"`, or `LIST.includes(v)`, which may stand in a
/// function that is given the value.
fn choices(files: &Files<'_>, file: &Rc<File>, code: &[Node<'_>]) -> Vec<String> {
    let mut compared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in code.iter().flat_map(|node| file.nodes(*node, &["binary_expression"])) {
        let sides = (node.child_by_field_name("left"), node.child_by_field_name("right"));
        let equal = node.child_by_field_name("operator").map(|operator| file.text(operator));
        if let ((Some(left), Some(right)), Some("===" | "==" | "!==" | "!=")) = (sides, equal)
            && left.kind() == "identifier"
            && let Some(word) = literal(file, right).filter(|word| !word.starts_with('-'))
        {
            compared.entry(file.text(left).to_owned()).or_default().push(word);
        }
    }
    if let Some(words) = compared.into_values().find(|words| words.len() > 1) {
        return words;
    }
    for call in code.iter().flat_map(|node| file.nodes(*node, &["call_expression"])) {
        if let Some(words) = member_of(files, file, call) {
            return words;
        }
        let function = call
            .child_by_field_name("function")
            .filter(|function| function.kind() == "identifier");
        let body = function.and_then(|function| files.function(file, &file.lower(function)));
        if let Some((home, range)) = body
            && let Some(body) = home.node_at(&range)
            && range.len() < 600
        {
            let found = home
                .nodes(body, &["call_expression"])
                .into_iter()
                .find_map(|call| member_of(files, &home, call));
            if let Some(words) = found {
                return words;
            }
        }
    }
    Vec::new()
}

/// The words of `LIST.includes(v)` and `SET.has(v)`.
fn member_of(files: &Files<'_>, file: &Rc<File>, call: Node<'_>) -> Option<Vec<String>> {
    let function = call.child_by_field_name("function")?;
    let property = file.text(function.child_by_field_name("property")?);
    if !matches!(property, "includes" | "has") {
        return None;
    }
    let list = files.value(file, &file.lower(function.child_by_field_name("object")?));
    let list = match &list {
        // `new Set([…])`
        Expr::Chain(chain) => files.value(
            file,
            &chain.callee().filter(|(name, _, _)| name == "Set")?.1.first()?.value,
        ),
        _ => list,
    };
    list.texts()
        .filter(|words| words.len() > 1 && words.iter().all(|word| !word.starts_with('-')))
}
