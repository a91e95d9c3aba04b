//! Flags of node's own `parseArgs({ options: { name: { type, short, multiple, default } } })`.
//!
//! Its table knows no subcommands; which one a call is for is told by the branch that it stands in. Source: the
//! documentation of `util.parseArgs` in node.

use std::rc::Rc;

use agent_contracts_wire::model::FlagValue;

use super::Library;
use crate::flags::code::JAVASCRIPT;
use crate::flags::code::branches::Branches;
use crate::flags::collect::Found;
use crate::flags::draft::Draft;
use crate::flags::expr::{Entry, Expr, positional};
use crate::flags::files::{File, Files};

/// The library.
pub(super) const LIBRARY: Library = Library {
    language: &JAVASCRIPT,
    hints: &["parseArgs"],
    read,
};

fn read(files: &Files<'_>, scope: &[Rc<File>], found: &mut Found) {
    let branches = Branches::new(scope);
    for file in scope {
        for call in file.nodes(file.root(), &["call_expression"]) {
            let lowered = file.lower(call);
            let Some((name, args, _)) = lowered.chain().and_then(|chain| chain.callee()) else {
                continue;
            };
            if !from_node(file, &name) {
                continue;
            }
            let Some(config) = positional(args, 0).map(|config| files.value(file, config)) else {
                continue;
            };
            let Some(options) = config.get("options") else { continue };
            let options = files.value(file, options);
            let negative = config.get("allowNegative").and_then(Expr::bool) == Some(true);
            let commands = branches.commands(file, call);
            if !matches!(options, Expr::Table(_)) {
                found.unresolved(file.place(call), "the options of parseArgs");
            }
            for entry in options.entries() {
                if entry.key == "..." || entry.key.starts_with('[') {
                    found.unresolved(file.place_at(entry.line), &format!("options of {}", entry.key));
                    continue;
                }
                for command in &commands {
                    let mut flag = flag(file, entry, negative);
                    flag.command.clone_from(command);
                    found.flag(flag);
                }
            }
        }
    }
}

/// Whether this `parseArgs` is node's.
fn from_node(file: &File, callee: &str) -> bool {
    let (base, name) = callee.split_once('.').unwrap_or((callee, callee));
    let import = file.bindings().imports.get(base);
    import.is_some_and(|import| {
        let node = matches!(import.module.as_str(), "util" | "node:util");
        let named = import
            .name
            .as_deref()
            .is_none_or(|name| matches!(name, "parseArgs" | "default"));
        node && named && (name == "parseArgs" || import.name.as_deref() == Some("parseArgs"))
    })
}

fn flag(file: &File, entry: &Entry, negative: bool) -> Draft {
    let mut names = vec![format!("--{}", entry.key)];
    if let Some(short) = entry.value.get("short").and_then(Expr::text) {
        names.push(format!("-{short}"));
    }
    let kind = entry.value.get("type").and_then(Expr::text);
    if kind == Some("boolean") && negative {
        names.push(format!("--no-{}", entry.key));
    }
    let mut flag = Draft::new(names, "", file.place_at(entry.line));
    let multiple = entry.value.get("multiple").and_then(Expr::bool) == Some(true);
    flag.value = match kind {
        Some("boolean") => FlagValue::Switch,
        Some("string") if multiple => FlagValue::Many,
        Some("string") => FlagValue::One,
        _ => FlagValue::Unknown,
    };
    flag.default = entry.value.get("default").and_then(Expr::literal);
    flag
}
