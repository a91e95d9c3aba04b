//! Helpers for the tests of the flag readers: sources in, one line for each flag out.

use std::fmt::Write as _;

use agent_contracts_wire::model::{Flag, FlagValue, WireModel};

use crate::testing::MemoryTree;

/// The flags of files, all of them in the scope.
pub(crate) fn model(files: &[(&str, &str)]) -> WireModel {
    let scope: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    model_of(files, &scope)
}

/// The flags of some of the files.
pub(crate) fn model_of(files: &[(&str, &str)], scope: &[&str]) -> WireModel {
    let tree = MemoryTree::new(files);
    let scope: Vec<String> = scope.iter().map(|&path| path.to_owned()).collect();
    super::extract(&tree, &scope)
}

/// One line for each flag, then what is unresolved and what is degraded.
pub(crate) fn print(model: &WireModel) -> String {
    let mut text = String::new();
    for flag in &model.flags {
        let _ = writeln!(text, "{}", line(flag));
    }
    for unresolved in &model.unresolved {
        let _ = writeln!(text, "? {}", unresolved.what);
    }
    for degraded in &model.degraded {
        let _ = writeln!(text, "! {} {:?}", degraded.why, degraded.hides);
    }
    text
}

/// The flags of one file.
pub(crate) fn print_file(path: &str, text: &str) -> String {
    print(&model(&[(path, text)]))
}

/// `[command:] --name -n <one> {a|b} =default +inherited …`
fn line(flag: &Flag) -> String {
    let mut line = String::new();
    if !flag.command.is_empty() || !flag.command_aliases.is_empty() {
        line.push_str(&flag.command);
        if !flag.command_aliases.is_empty() {
            let _ = write!(line, " ({})", flag.command_aliases.join(", "));
        }
        line.push_str(": ");
    }
    let names: Vec<&str> = std::iter::once(&flag.name)
        .chain(&flag.aliases)
        .map(String::as_str)
        .collect();
    line.push_str(&names.join(" "));
    line.push_str(match flag.value {
        FlagValue::Switch => "",
        FlagValue::One => " <one>",
        FlagValue::Optional => " [optional]",
        FlagValue::Many => " <many>",
        FlagValue::Unknown => " <unknown>",
    });
    if !flag.choices.is_empty() {
        let _ = write!(line, " {{{}}}", flag.choices.join("|"));
    }
    if let Some(default) = &flag.default {
        let _ = write!(line, " ={default}");
    }
    for (set, word) in [
        (flag.inherited, " inherited"),
        (flag.hidden, " hidden"),
        (flag.deprecated, " deprecated"),
        (!flag.in_scope, " (beyond)"),
    ] {
        if set {
            line.push_str(word);
        }
    }
    line
}

/// Reads every prefix of a file (at most 400 of them), so that a cut file is no panic.
pub(crate) fn prefixes(path: &str, text: &str) {
    let step = (text.len() / 400).max(1);
    for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
        let model = model(&[(path, &text[..end])]);
        assert!(model.flags.len() <= 1000);
    }
}
