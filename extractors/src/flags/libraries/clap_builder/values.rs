//! What expressions of a builder come to, and how they are put together.

use std::collections::BTreeMap;

use agent_contracts_wire::model::Place;

use super::Cmd;
use super::arg::ArgSpec;
use crate::flags::expr::{Arg, Chain, Expr, Step};

/// What an expression comes to.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Command(Cmd),
    Arg(ArgSpec),
    List(Vec<Value>),
    Other(Expr),
}

/// Local names and what they stand for.
pub(super) type Names = BTreeMap<String, Value>;

/// Puts arguments and subcommands on a command, in a call at this place.
pub(super) fn put(command: &mut Cmd, value: Option<Value>, place: &Place, text: &dyn Fn() -> String) {
    match value {
        Some(Value::Arg(mut arg)) => {
            // Macros know no place of their own.
            if arg.place.file.is_empty() {
                arg.place = place.clone();
            }
            command.args.retain(|known| known.id != arg.id || arg.id.is_empty());
            command.args.push(arg);
        }
        Some(Value::Command(sub)) => command.subs.push(sub),
        Some(Value::List(items)) => {
            for item in items {
                put(command, Some(item), place, text);
            }
        }
        Some(Value::Other(Expr::Text(_) | Expr::Number(_))) | None => {}
        Some(Value::Other(_)) => command.unread.push((place.line, format!("an argument: {}", text()))),
    }
}

/// Every branch is taken: what one of them has and the others lack is there too.
pub(super) fn either(values: impl Iterator<Item = Value>) -> Value {
    let mut all: Option<Value> = None;
    for value in values {
        all = Some(match (all, value) {
            (Some(Value::Command(mut one)), Value::Command(other)) => {
                one.args.extend(
                    other
                        .args
                        .into_iter()
                        .filter(|arg| !one.args.iter().any(|known| known.id == arg.id))
                        .collect::<Vec<_>>(),
                );
                one.subs.extend(
                    other
                        .subs
                        .into_iter()
                        .filter(|sub| !one.subs.iter().any(|known| known.name == sub.name))
                        .collect::<Vec<_>>(),
                );
                Value::Command(one)
            }
            (Some(Value::Other(_)) | None, value) => value,
            (Some(known), _) => known,
        });
    }
    all.unwrap_or(Value::Other(Expr::Null))
}

/// `arg!(-c --config <FILE> "Sets it")`
pub(super) fn spelled(text: &str) -> ArgSpec {
    let plain = text.split('"').next().unwrap_or_default();
    let mut arg = ArgSpec::default();
    let mut action = "SetTrue";
    for word in plain.replace("...", " ... ").split_whitespace() {
        if word == "..." {
            action = if action == "SetTrue" { "Count" } else { "Append" };
        } else if let Some(long) = word.strip_prefix("--") {
            arg.names.insert(0, format!("--{long}"));
            long.clone_into(&mut arg.id);
        } else if word.starts_with('-') {
            arg.names.push(word.to_owned());
        } else {
            action = "Set";
            if arg.id.is_empty() {
                word.trim_matches(['<', '>', '[', ']']).clone_into(&mut arg.id);
            }
        }
    }
    arg.set("action", Some(&Expr::Name(format!("ArgAction::{action}"))));
    arg
}

/// An expression with local names replaced by what they stand for.
pub(super) fn bound(expr: &Expr, names: &Names) -> Expr {
    let arg = |arg: &Arg| Arg {
        name: arg.name.clone(),
        value: bound(&arg.value, names),
    };
    match expr {
        Expr::Name(name) => match names.get(name) {
            Some(Value::Other(Expr::Null)) | None => expr.clone(),
            Some(Value::Other(value)) => value.clone(),
            Some(Value::List(items)) => {
                let items = items.iter().filter_map(|item| match item {
                    Value::Other(value) => Some(value.clone()),
                    _ => None,
                });
                Expr::List(items.collect())
            }
            Some(_) => expr.clone(),
        },
        Expr::List(items) => Expr::List(items.iter().map(|item| bound(item, names)).collect()),
        Expr::Joined(parts) => Expr::Joined(parts.iter().map(|part| bound(part, names)).collect()),
        Expr::Chain(chain) => Expr::Chain(Box::new(Chain {
            base: bound(&chain.base, names),
            steps: chain
                .steps
                .iter()
                .map(|step| match step {
                    Step::Call(args, line) => Step::Call(args.iter().map(arg).collect(), *line),
                    other => other.clone(),
                })
                .collect(),
        })),
        other => other.clone(),
    }
}
